"""Bytes as lines, by the product's one rule (design 2).

A line ends at LF, CRLF or a lone CR and at nothing else; there is no phantom line after the last
line end; a leading UTF-8 byte-order mark belongs to no line. Line numbers are 1-based, inclusive.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from functools import cached_property
from hashlib import sha256
from itertools import accumulate

from stilltrue.citations.solid_text import solid
from stilltrue.model.citation import Span

UTF8_BOM = b"\xef\xbb\xbf"
BLANK_DIGEST = b"\0\0\0\0"
DIGEST_SIZE = 4
DISTINCTIVE = 16
"""A text with fewer letters and digits than this is too poor to be recognised (design 4)."""

LF, CR = 10, 13
_LINE_END = re.compile(rb"\r\n|\n|\r")


class Lines:
    """The lines of one text. Everything costly is found once, when first asked for."""

    def __init__(self, data: bytes) -> None:
        self.data = data.removeprefix(UTF8_BOM)

    @cached_property
    def starts(self) -> list[int]:
        """Byte offset at which each line begins, in order."""
        if not self.data:
            return []
        if b"\r" in self.data:
            starts = [0, *(match.end() for match in _LINE_END.finditer(self.data))]
        else:
            # in C from end to end, for it is done for every file of a check
            starts = [0, *accumulate(map((1).__add__, map(len, self.data.split(b"\n"))))]
            starts.pop()
        if starts[-1] == len(self.data):
            starts.pop()
        return starts

    @property
    def count(self) -> int:
        """How many lines there are; 0 for an empty text."""
        return len(self.starts)

    def holds(self, span: Span) -> bool:
        """Whether every line of `span` is there."""
        return 1 <= span.start <= span.end <= self.count

    def clamped(self, span: Span) -> Span | None:
        """`span` cut to the lines that are there, the last line if it lies below; None without lines."""
        if not self.count:
            return None
        start = min(max(span.start, 1), self.count)
        return Span(start, min(max(span.end, start), self.count))

    def span_bytes(self, span: Span) -> bytes:
        """From the first byte of the start line to the last of the end line, its own line end left out."""
        return self.data[self.starts[span.start - 1] : self._body_end(span.end)]

    def line(self, number: int) -> bytes:
        """One line without its line end."""
        return self.data[self.starts[number - 1] : self._body_end(number)]

    def is_blank(self, number: int) -> bool:
        """Whether a line holds nothing but white space."""
        return not self.line(number).strip()

    def non_blank_above(self, number: int) -> int:
        """The nearest non-blank line above `number`, 0 if there is none."""
        number -= 1
        while number > 0 and self.is_blank(number):
            number -= 1
        return number

    def non_blank_below(self, number: int) -> int:
        """The nearest non-blank line below `number`, `count + 1` if there is none."""
        number += 1
        while number <= self.count and self.is_blank(number):
            number += 1
        return min(number, self.count + 1)

    def trimmed(self, start: int, end: int) -> Span | None:
        """Lines `start` to `end` without blank ones at either end; None if all are blank."""
        while start <= end and self.is_blank(start):
            start += 1
        while end >= start and self.is_blank(end):
            end -= 1
        return Span(start, end) if start <= end else None

    @cached_property
    def solid(self) -> bytes:
        """The text without its white space."""
        return solid(self.data)

    @cached_property
    def digests(self) -> list[bytes]:
        """`line_digest` of every line, in order."""
        return [line_digest(self.line(number)) for number in range(1, self.count + 1)]

    @cached_property
    def lines_by_digest(self) -> dict[bytes, list[int]]:
        """The lines that have a digest, in order; blank lines are left out."""
        found: dict[bytes, list[int]] = defaultdict(list)
        for number, digest in enumerate(self.digests, start=1):
            if digest != BLANK_DIGEST:
                found[digest].append(number)
        return found

    def find_whole_lines(self, needle: bytes) -> list[int]:
        """Lines at which `needle` begins, where it starts and ends at line boundaries."""
        if not needle:
            return [number for number in range(1, self.count + 1) if not self.line(number)]
        found, starts, size = [], self.starts, len(needle)
        line_ends = len(_LINE_END.findall(needle))
        position = self.data.find(needle)
        while position >= 0:
            following = bisect_right(starts, position)  # a match within a line is skipped with the line
            last = following + line_ends
            # the last line must be there: nothing follows the last line end, and a CRLF is never split
            ends_well = last <= len(starts) and self._body_end(last) == position + size
            if ends_well and starts[following - 1] == position:
                found.append(following)
            position = self.data.find(needle, starts[following]) if following < len(starts) else -1
        return found

    def _body_end(self, number: int) -> int:
        end = self.starts[number] if number < len(self.starts) else len(self.data)
        start = self.starts[number - 1]
        if end > start and self.data[end - 1] == LF:
            end -= 1
        return end - 1 if end > start and self.data[end - 1] == CR else end


def line_digest(line: bytes) -> bytes:
    """Four bytes that stand for a line without its line end; zeros for a blank one.

    Soft evidence only: the SHA-256 of the span decides (law 1).
    """
    return sha256(line).digest()[:DIGEST_SIZE] if line.strip() else BLANK_DIGEST


def fold_line_ends(data: bytes) -> bytes:
    """The same bytes with every CRLF and lone CR turned into LF."""
    if b"\r" not in data:
        return data
    return data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")


def letters_and_digits(data: bytes) -> int:
    """How many letters and digits a text has; bytes that are no UTF-8 count as none."""
    return sum(map(str.isalnum, data.decode("utf-8", "replace")))


def is_distinctive(data: bytes) -> bool:
    """Whether a text is rich enough to be recognised elsewhere (design 4)."""
    return letters_and_digits(data) >= DISTINCTIVE
