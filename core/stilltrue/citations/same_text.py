"""Where a text stands again but for its white space, with its neighbours or where it is expected."""

from __future__ import annotations

import re
from collections.abc import Iterator

from stilltrue.citations.lines import letters_and_digits
from stilltrue.model.citation import Baseline, Neighbour

_WHITE_SPACE = b" \t\r\n"
_SOLID = re.compile(rb"[^ \t\r\n]+")
_MOST = 20
"""A text that stands in more places than this says nothing about any."""
_TELLING = 8
"""Letters and digits that make a single neighbouring line telling."""


def places_but_for_white_space(
    data: bytes, baseline: Baseline, at: tuple[int, int] | None, *, elsewhere: bool
) -> Iterator[tuple[int, int]]:
    """Where the whole excerpt stands, in bytes: over `at`, else the one place between its neighbours.

    Args:
        data: The text to look through.
        baseline: What is looked for, with its whole excerpt.
        at: Where it is expected.
        elsewhere: Other places than `at` are looked at.
    """
    wanted = (baseline.excerpt or b"").translate(None, _WHITE_SPACE)
    if not wanted:
        return
    squeezed = data.translate(None, _WHITE_SPACE)
    found = _find_all(squeezed, wanted)
    if not found or len(found) > _MOST:
        return
    places = [_place(data, begin, begin + len(wanted)) for begin in found]
    over = [place for place in places if at and place[0] < at[1] and at[0] < place[1]]
    if len(over) == 1:
        yield over[0]
    if not elsewhere or over:
        return
    vouched = [
        place
        for begin, place in zip(found, places, strict=True)
        if _stands_between(squeezed, begin, begin + len(wanted), baseline)
    ]
    if len(vouched) == 1:
        yield vouched[0]


def _find_all(text: bytes, wanted: bytes) -> list[int]:
    found: list[int] = []
    position = text.find(wanted)
    while position >= 0 and len(found) <= _MOST:
        found.append(position)
        position = text.find(wanted, position + 1)
    return found


def _place(data: bytes, begin: int, end: int) -> tuple[int, int]:
    """Offsets in the text of the solid bytes `begin` to `end`."""
    counted, start = 0, -1
    for match in _SOLID.finditer(data):
        size = match.end() - match.start()
        if start < 0 and counted + size > begin:
            start = match.start() + begin - counted
        if counted + size >= end:
            return start, match.start() + end - counted
        counted += size
    return start, len(data)


def _stands_between(squeezed: bytes, begin: int, end: int, baseline: Baseline) -> bool:
    """Whether both recorded neighbours stand beside it, or one that is telling."""
    above, below = _solid(baseline.before), _solid(baseline.after)
    is_below = begin == 0 if above is None else squeezed.endswith(above, 0, begin)
    is_above = end == len(squeezed) if below is None else squeezed.startswith(below, end)
    if is_below and is_above:
        return True
    return (is_below and _tells(above)) or (is_above and _tells(below))


def _solid(neighbour: Neighbour | None) -> bytes | None:
    if neighbour is None:
        return None
    return (neighbour.text or b"\n").translate(None, _WHITE_SPACE) or b"\n"


def _tells(neighbour: bytes | None) -> bool:
    return neighbour is not None and letters_and_digits(neighbour) >= _TELLING
