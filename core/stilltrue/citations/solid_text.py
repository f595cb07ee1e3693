"""A text without its white space, in which formatters change little."""

from __future__ import annotations

import re

from stilltrue.citations.offsets import Place, widened

_WHITE_SPACE = b" \t\r\n"
_SOLID = re.compile(rb"[^ \t\r\n]+")
MOST_COPIES = 400
"""A text that stands in more places than this is not counted."""


def solid(data: bytes) -> bytes:
    """The same bytes without white space."""
    return data.translate(None, _WHITE_SPACE)


def begins_of(part: bytes, text: bytes) -> list[int]:
    """Where `part` stands in `text`, both solid, in order; nowhere if that is more than `MOST_COPIES`."""
    found: list[int] = []
    position = text.find(part) if part else -1
    while position >= 0 and len(found) <= MOST_COPIES:
        found.append(position)
        position = text.find(part, position + 1)
    return found if len(found) <= MOST_COPIES else []


def place_of(data: bytes, begin: int, end: int) -> Place:
    """Offsets in `data` of its solid bytes `begin` to `end`, with blanks of lines that are theirs."""
    counted, start, stop = 0, -1, len(data)
    for match in _SOLID.finditer(data):
        size = match.end() - match.start()
        if start < 0 and counted + size > begin:
            start = match.start() + begin - counted
        if counted + size >= end:
            stop = match.start() + end - counted
            break
        counted += size
    return widened(data, max(start, 0), stop)
