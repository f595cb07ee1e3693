"""Spans carried through edits, against what a look at the whole text says after each of them."""

from __future__ import annotations

from hashlib import sha256

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stilltrue.citations.lines import Lines
from stilltrue.ide.buffer import BufferMapping
from stilltrue.ide.tracking import Tracker
from stilltrue.model.citation import Span
from stilltrue.model.verdict import Reason, Verdict
from stilltrue_lsp.documents import Change, Document
from support.cited import PATH, cited

TEXT = "".join(f"line number {n} says something of its own\n" for n in range(1, 13))


class Buffer:
    """A document with tracked citations, edited as an editor would."""

    def __init__(self, text: str, *spans: Span, mapping: BufferMapping | None = None) -> None:
        self.document = Document("file:///a.py", text, 1, "python")
        marked = [cited(text, span, number) for number, span in enumerate(spans, start=1)]
        self.tracker = Tracker(marked, mapping or BufferMapping())

    def edit(self, start: tuple[int, int], end: tuple[int, int], text: str) -> None:
        """Replace from `start` to `end` (0-based line and column) by `text`."""
        edit = self.document.apply(Change(text, (*start, *end)))
        self.tracker.carry([edit])
        self.tracker.judge_touched(self.document)

    def replace_all(self, text: str) -> None:
        self.tracker.carry([self.document.apply(Change(text))])
        self.tracker.judge_touched(self.document)

    def seen(self, number: int = 1) -> tuple[str, Span | None]:
        """Verdict and lines of one citation."""
        snapshot = self.tracker.snapshot(PATH, 1, self.document.line_count)
        one = next(each for each in snapshot.cited if each.memory.number == number)
        return f"{one.verdict.verdict}/{one.verdict.reason}", one.span


FRESH, MOVED, STALE = "fresh/same-bytes", "moved/same-file", "stale/text-changed"


def test_typing_inside_is_stale_and_taking_it_back_is_fresh() -> None:
    """F6"""
    buffer = Buffer(TEXT, Span(4, 6))
    buffer.edit((4, 3), (4, 3), "X")
    assert buffer.seen() == (STALE, Span(4, 6))
    buffer.edit((4, 3), (4, 4), "")
    assert buffer.seen() == (FRESH, Span(4, 6))


@pytest.mark.parametrize(
    ("what", "at", "text"),
    [
        ("enter at column 0 of the first cited line", (3, 0), "\n"),
        ("enter at the end of the line above", (2, 41), "\n"),
        ("a line pasted right above", (3, 0), "pasted\n"),
        ("a line at the top of the file", (0, 0), "top\n"),
    ],
)
def test_lines_added_above_are_followed(what: str, at: tuple[int, int], text: str) -> None:
    """F20"""
    buffer = Buffer(TEXT, Span(4, 6))
    buffer.edit(at, at, text)
    assert buffer.seen() == (MOVED, Span(5, 7)), what


@pytest.mark.parametrize("at", [(5, 41), (6, 0), (11, 0)])
def test_lines_added_below_change_nothing(at: tuple[int, int]) -> None:
    buffer = Buffer(TEXT, Span(4, 6))
    column = min(at[1], len(TEXT.split("\n")[at[0]]))
    buffer.edit((at[0], column), (at[0], column), "\nbelow" if column else "below\n")
    assert buffer.seen() == (FRESH, Span(4, 6))


def test_text_after_an_unterminated_last_line_changes_nothing() -> None:
    """D10"""
    buffer = Buffer(TEXT.rstrip("\n"), Span(11, 12))
    column = len(TEXT.rstrip("\n").split("\n")[-1])
    buffer.edit((11, column), (11, column), "\nmore")
    assert buffer.seen() == (FRESH, Span(11, 12))


def test_a_span_that_is_deleted_and_pasted_back_is_fresh_again() -> None:
    buffer = Buffer(TEXT, Span(4, 6))
    buffer.edit((3, 0), (6, 0), "")
    verdict, span = buffer.seen()
    assert verdict == STALE
    assert span is not None
    buffer.edit((3, 0), (3, 0), "".join(TEXT.splitlines(keepends=True)[3:6]))
    assert buffer.seen() == (FRESH, Span(4, 6)) or buffer.tracker.needs_search


def test_joining_the_first_line_with_the_one_above_is_a_change() -> None:
    buffer = Buffer(TEXT, Span(4, 6))
    end = len(TEXT.split("\n")[2])
    buffer.edit((2, end), (3, 0), "")
    assert buffer.seen()[0] == STALE


def test_a_replaced_text_that_is_the_same_is_fresh() -> None:
    buffer = Buffer(TEXT, Span(4, 6), Span(1, 1))
    buffer.replace_all(TEXT)
    assert buffer.seen(1) == (FRESH, Span(4, 6))
    assert buffer.seen(2) == (FRESH, Span(1, 1))


def test_a_conversion_of_line_ends_is_told_as_such() -> None:
    """F7: only the line ends differ, and they were not the disk's."""
    buffer = Buffer(TEXT, Span(4, 6))
    buffer.replace_all(TEXT.replace("\n", "\r\n"))
    assert buffer.seen()[0] == "stale/line-endings"


def test_line_ends_the_editor_unified_are_the_disks() -> None:
    """F7: where only the folded hash agrees, the disk's line ends count."""
    mixed = TEXT.replace("\n", "\r\n", 5)
    buffer = Buffer(mixed, Span(4, 6), mapping=BufferMapping(disk_line_ends=True))
    buffer.replace_all(TEXT)
    assert buffer.seen()[0] == FRESH


def test_a_text_that_cannot_be_mapped_is_never_fresh() -> None:
    buffer = Buffer(TEXT, Span(4, 6), mapping=BufferMapping(encoding="ascii"))
    buffer.edit((4, 3), (4, 3), "é")
    assert buffer.seen()[0] != FRESH


POSITIONS = st.tuples(st.integers(0, 14), st.integers(0, 45))
PIECES = st.sampled_from(
    ["", "x", "\n", "\r\n", "\r", "ab\ncd", "line number 4 says something of its own\n", "é😀"]
)
EDITS = st.lists(st.tuples(POSITIONS, POSITIONS, PIECES), max_size=12)


@settings(max_examples=300, deadline=None)
@given(EDITS)
def test_no_edit_script_makes_a_changed_span_fresh_or_a_place_invalid(
    edits: list[tuple[tuple[int, int], tuple[int, int], str]],
) -> None:
    """F12, F19: after every edit what is called fresh or moved has the cited bytes where it is said to be."""
    spans = (Span(2, 2), Span(4, 6), Span(6, 9), Span(12, 12))
    buffer = Buffer(TEXT, *spans)
    before = {number: Lines(TEXT.encode()).span_bytes(span) for number, span in enumerate(spans, start=1)}
    for start, end, text in edits:
        buffer.edit(min(start, end), max(start, end), text)
        lines = Lines(buffer.document.text.encode())
        assert lines.count == buffer.document.line_count
        for each in buffer.tracker.snapshot(PATH, 1, buffer.document.line_count).cited:
            if each.span is not None:
                assert 1 <= each.span.start <= each.span.end <= max(1, lines.count)
            if each.verdict.verdict in {Verdict.FRESH, Verdict.MOVED}:
                assert each.span is not None
                assert lines.span_bytes(each.span) == before[each.memory.number]
            if each.verdict.reason is Reason.SAME_BYTES:
                assert each.span == each.citation.span


@settings(max_examples=200, deadline=None)
@given(EDITS)
def test_undoing_everything_ends_where_it_began(
    edits: list[tuple[tuple[int, int], tuple[int, int], str]],
) -> None:
    spans = (Span(2, 2), Span(4, 6), Span(6, 9))
    buffer = Buffer(TEXT, *spans)
    for start, end, text in edits:
        buffer.edit(min(start, end), max(start, end), text)
    last = len(buffer.document.lines)
    buffer.edit((0, 0), (last, 0), TEXT)
    assert sha256(buffer.document.text.encode()).digest() == sha256(TEXT.encode()).digest()
    for number, span in enumerate(spans, start=1):
        verdict, place = buffer.seen(number)
        assert (verdict, place) == (FRESH, span) or buffer.tracker.needs_search
