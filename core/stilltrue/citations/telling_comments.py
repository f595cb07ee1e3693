"""Which comments count, and what counts of them (design 4; E10, D12).

A comment that is documentation counts as it is written. One that speaks to a tool counts with the lines it
stands on, since that is what it is about, unless its tool is known to go by the code that follows. A plain
one says nothing.
"""

from __future__ import annotations

import re

from stilltrue.citations.cosmetic_rules import Rules

_WHITE_SPACE = b" \t\r\n"
_BEFORE_STAR = re.compile(rb"\r?\n[ \t]*(?=\*)")
_INDENTS = re.compile(rb"\r?\n[ \t]*")


def said_of_comment(rules: Rules, data: bytes, at: tuple[int, int], *, counts: bool = False) -> bytes | None:
    """What counts of a comment; None of a plain one.

    Args:
        rules: Those of the language.
        data: The text.
        at: Offsets in bytes, the second one exclusive.
        counts: Every comment of the text counts.
    """
    start, end = at
    text = data[start:end]
    if counts or (rules.documentation and rules.documentation.match(text)):
        return b"comment " + _BEFORE_STAR.sub(b"\n", text).rstrip(b"\r\n")
    if rules.directives.search(text.decode("utf-8", "replace")):
        about = b"" if rules.placed and rules.placed.match(text) else _lines_of(data, start, end)
        return b"directive " + _INDENTS.sub(b"\n", text.strip()) + b"\0" + about
    return None


def _lines_of(data: bytes, start: int, end: int) -> bytes:
    """The lines a comment stands on and the one below, without blanks: that is what it is about."""
    first = data.rfind(b"\n", 0, start) + 1
    last = data.find(b"\n", end)
    below = data.find(b"\n", last + 1) if last >= 0 else -1
    lines = data[first : below if below >= 0 else len(data)].split(b"\n")
    return b"\n".join(line.translate(None, _WHITE_SPACE) for line in lines)
