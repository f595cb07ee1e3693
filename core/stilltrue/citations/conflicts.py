"""Merge conflicts left in a text, as git writes them."""

from __future__ import annotations

from collections.abc import Iterable

from stilltrue.citations.lines import Lines
from stilltrue.model.citation import Span


def conflict_blocks(lines: Lines) -> list[Span]:
    """Every unsettled conflict: from its `<<<<<<<` line to its `>>>>>>>` line."""
    if b"<<<<<<< " not in lines.data:
        return []
    blocks: list[Span] = []
    opened, divided = 0, False
    for number in range(1, lines.count + 1):
        line = lines.line(number)
        if line.startswith(b"<<<<<<< "):
            opened, divided = number, False
        elif opened and line == b"=======":
            divided = True
        elif opened and divided and line.startswith(b">>>>>>> "):
            blocks.append(Span(opened, number))
            opened = 0
    return blocks


def overlaps(blocks: Iterable[Span], span: Span) -> bool:
    """Whether any block shares a line with `span`."""
    return any(block.start <= span.end and span.start <= block.end for block in blocks)
