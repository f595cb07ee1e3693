"""Tell what stands untouched from a few columns, before anything else is fetched or made of it."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from operator import attrgetter

from stilltrue.citations.lines import Lines
from stilltrue.citations.relocation import stands_at
from stilltrue.model.citation import CitationKind, Span
from stilltrue.source.files import Texts
from stilltrue.store.cited import CitedLines


def unchanged_memories(cited: Iterable[CitedLines], texts: Texts) -> frozenset[str]:
    """The memories, by uid, whose every citation holds its bytes on its recorded lines.

    The rule calls each of those citations fresh by the same bytes, and looks at nothing else (E1; design 4).

    Args:
        cited: By path.
        texts: Where the cited files are read, each at most once.
    """
    owners: set[str] = set()
    changed: set[str] = set()
    for path, rows in groupby(cited, key=attrgetter("path")):
        here = list(rows)
        owners.update(row.memory for row in here)
        changed.update(row.memory for row in here if not _has_lines(row))
        asked = [row for row in here if row.memory not in changed]
        if asked and path is not None:
            text = texts.read(path)
            lines = Lines(text.data) if text.data is not None and not text.obstacle else None
            changed.update(row.memory for row in asked if lines is None or not _stands(row, lines))
    return frozenset(owners - changed)


def _has_lines(row: CitedLines) -> bool:
    return row.kind == CitationKind.SPAN and row.start is not None and row.sha256 is not None


def _stands(row: CitedLines, lines: Lines) -> bool:
    if row.start is None or row.end is None or row.sha256 is None or not 1 <= row.start <= row.end:
        return False
    return stands_at(lines, Span(row.start, row.end), row.byte_length, row.sha256)
