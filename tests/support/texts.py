"""Texts whose characters know where they came from, edited as an editor would: the reference for tracking."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import count

from hypothesis import strategies as st

from stilltrue.model.citation import Span

LINE_END = re.compile(r"\r\n|\n|\r")
Position = tuple[int, int]
Step = tuple[Position, Position, str]


@dataclass(slots=True)
class Origins:
    """A plain text: one string, and beside it a number for each character that it never loses.

    Attributes:
        text: The text as it is now.
        numbers: One for each character.
        before: Every earlier state, and what turns the later one into it, for undo.
    """

    text: str
    numbers: list[int] = field(default_factory=list)
    before: list[tuple[str, list[int], tuple[int, int, str]]] = field(default_factory=list)
    _next: count[int] = field(default_factory=count)

    def __post_init__(self) -> None:
        self.numbers = [next(self._next) for _ in self.text]

    def replace(self, start: int, end: int, text: str) -> None:
        """Put `text` in place of the characters `start` to `end` (offsets)."""
        inverse = (start, start + len(text), self.text[start:end])
        self.before.append((self.text, self.numbers, inverse))
        made = [next(self._next) for _ in text]
        self.text = self.text[:start] + text + self.text[end:]
        self.numbers = self.numbers[:start] + made + self.numbers[end:]

    def undo(self) -> tuple[int, int, str]:
        """Take the last change back, what it removed comes back as it was; the change that does so."""
        now = self.text
        self.text, self.numbers, (start, end, put) = self.before.pop()
        # no position lies inside a CRLF
        if now[start - 1 : start + 1] == "\r\n":
            start, put = start - 1, "\r" + put
        if now[end - 1 : end + 1] == "\r\n":
            end, put = end + 1, put + "\n"
        return start, end, put

    def outside_line_end(self, offset: int) -> int:
        """The offset, or the one before it where it lies inside a CRLF, where no position is."""
        offset = min(offset, len(self.text))
        return offset - 1 if self.text[offset - 1 : offset + 1] == "\r\n" else offset

    def starts(self) -> list[int]:
        """Where each line begins, the empty one after a last line end included."""
        return [0, *(match.end() for match in LINE_END.finditer(self.text))]

    def offset(self, position: Position) -> int:
        """Where a line and column lie, columns past the end at the end of the line."""
        starts, (line, column) = self.starts(), position
        if line >= len(starts):
            return len(self.text)
        end = LINE_END.search(self.text, starts[line])
        return min(starts[line] + column, end.start() if end else len(self.text))

    def position(self, offset: int) -> Position:
        """The line and column of an offset."""
        starts = self.starts()
        line = max(index for index, start in enumerate(starts) if start <= offset)
        return line, offset - starts[line]

    def line_count(self) -> int:
        """Lines as the product counts them: none after the last line end."""
        return sum(start < len(self.text) for start in self.starts())

    def slice_of(self, span: Span) -> tuple[int, int]:
        """The offsets between which some lines stand, the last line end left out."""
        starts = [*self.starts(), len(self.text)]
        start = starts[span.start - 1]
        end = LINE_END.search(self.text, starts[span.end - 1])
        return start, end.start() if end else len(self.text)

    def of(self, span: Span) -> tuple[str, list[int]]:
        """The text of some lines and the numbers of its characters."""
        start, end = self.slice_of(span)
        return self.text[start:end], self.numbers[start:end]

    def find(self, numbers: list[int]) -> Span | None:
        """The whole lines made of exactly these characters, if they still stand together somewhere."""
        if not numbers or numbers[0] not in self.numbers:
            return None
        start = self.numbers.index(numbers[0])
        end = start + len(numbers)
        if self.numbers[start:end] != numbers:
            return None
        first, last = self.position(start)[0] + 1, self.position(end - 1)[0] + 1
        span = Span(first, last)
        return span if self.slice_of(span) == (start, end) else None


RICH = st.integers(1, 12).map(lambda number: f"statement number {number} says something")
LINES = st.one_of(RICH, RICH, st.sampled_from(["", "}", "    return x", "é 😀 漢字"]))
LINE_ENDS = st.sampled_from(["\n", "\n", "\n", "\r\n", "\r"])
PIECES = st.one_of(
    st.sampled_from(["", "", "x", "\n", "\r\n", "\r", "\n\n", "one\ntwo", "tail\n", "\x0c", "\u2028"]),
    st.lists(RICH, min_size=1, max_size=3).map(lambda lines: "".join(f"{line}\n" for line in lines)),
)
POSITIONS = st.tuples(st.integers(0, 14), st.one_of(st.just(0), st.integers(0, 40)))
STEPS = st.tuples(POSITIONS, POSITIONS, PIECES)


@st.composite
def texts(draw: st.DrawFn) -> str:
    """Up to a dozen lines, some of them equal, their ends mixed or not, the last one perhaps without."""
    lines = draw(st.lists(LINES, min_size=1, max_size=12))
    end = draw(st.one_of(LINE_ENDS.map(st.just), st.just(LINE_ENDS)))
    text = "".join(line + draw(end) for line in lines[:-1]) + lines[-1]
    return text + draw(st.sampled_from(["", "\n"])) or "\n"


@st.composite
def cited_texts(draw: st.DrawFn) -> tuple[str, list[Span]]:
    """A text and some spans in it, which may overlap."""
    text = draw(texts())
    last = Origins(text).line_count()
    spans = st.tuples(st.integers(1, last), st.integers(1, last)).map(lambda pair: Span(*sorted(pair)))
    return text, draw(st.lists(spans, min_size=1, max_size=4))
