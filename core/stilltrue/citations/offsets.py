"""Places in a text, as offsets in bytes."""

from __future__ import annotations

Place = tuple[int, int]
"""Offsets in bytes, the second one exclusive."""
_BLANKS = b" \t"
_LINE_ENDS = frozenset({b"\n", b"\r"})


def overlap(one: Place, other: Place) -> bool:
    """Whether two places share a byte."""
    return one[0] < other[1] and other[0] < one[1]


def widened(data: bytes, start: int, stop: int) -> Place:
    """A place with the blanks before it, if it begins its line, and those behind it, if it ends it."""
    first = len(data[:start].rstrip(_BLANKS))
    rest = data[stop:]
    last = stop + len(rest) - len(rest.lstrip(_BLANKS))
    begins = first == 0 or data[first - 1 : first] in _LINE_ENDS
    ends = last == len(data) or data[last : last + 1] in _LINE_ENDS
    return first if begins else start, last if ends else stop


def rests_of_lines(data: bytes, place: Place) -> tuple[bytes, bytes]:
    """What stands before a place on the line where it begins, and after it on the one where it ends."""
    start, end = place
    head = data[data.rfind(b"\n", 0, start) + 1 : start]
    tail = data[end : (data.find(b"\n", end) + 1 or len(data))]
    return head, tail


def shares_lines(data: bytes, place: Place) -> tuple[bool, bool]:
    """Whether something else stands on the line where a place begins, and on the one where it ends."""
    head, tail = rests_of_lines(data, place)
    return bool(head.strip()), bool(tail.strip())
