"""What the text between the tags of JSX says (design 4; E10, D12)."""

from __future__ import annotations

import re

_LINE_END = re.compile(rb"\r?\n")
_READ_DIFFERENTLY = re.compile(r"[^\S \t\r\n]|\ufeff|&(?:#|Tab;|NewLine;)")
"""White space that some compilers trim and others keep, as a character or by its name."""


def said_of_text(text: bytes) -> bytes:
    """What is left of a text when its lines are trimmed and joined by one blank, as all compilers of JSX do.

    The blanks that stand on a line with a tag, and those inside a line, count. A text in which compilers
    differ counts as it is written.

    Args:
        text: All that stands between two tags or braces.
    """
    if _READ_DIFFERENTLY.search(text.decode("utf-8", "replace")):
        return text
    first, *others = _LINE_END.split(text)
    if not others:
        return first
    *between, last = others
    lines = [first.rstrip(b" \t"), *(line.strip(b" \t") for line in between), last.lstrip(b" \t")]
    return b" ".join(line for line in lines if line)
