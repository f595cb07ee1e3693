"""Spans carried through the edits people make, one example each; see the oracle for all others."""

from __future__ import annotations

from dataclasses import replace

import pytest

from stilltrue.citations.baselines import span_baseline
from stilltrue.citations.lines import Lines
from stilltrue.ide.buffer import BufferMapping
from stilltrue.ide.snapshot import Cited, Provisional
from stilltrue.ide.tracking import Tracker
from stilltrue.model.citation import CitationKind, Span
from stilltrue.model.snooze import Snooze
from stilltrue.model.time import Instant
from stilltrue.model.verdict import CitationVerdict, Reason, Verdict
from stilltrue_lsp.documents import Change, Document
from support.cited import PATH, WHEN, cited, stale

LINES = [f"line number {n} says something of its own\n" for n in range(1, 13)]
TEXT = "".join(LINES)


class Buffer:
    """A document with tracked citations, edited as an editor would."""

    def __init__(self, text: str, *spans: Span | Cited, mapping: BufferMapping | None = None) -> None:
        self.document = Document("file:///a.py", text, 1, "python")
        marked = [
            cited(text, each, number) if isinstance(each, Span) else each
            for number, each in enumerate(spans, start=1)
        ]
        self.tracker = Tracker(marked, mapping or BufferMapping())

    def edit(self, start: tuple[int, int], end: tuple[int, int], text: str) -> bool:
        """Replace from `start` to `end` (0-based line and column) by `text`; whether it could be seen."""
        edit = self.document.apply(Change(text, (*start, *end)))
        self.tracker.carry([edit])
        return self.tracker.judge_touched(self.document)

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
    buffer.edit((3, 0), (3, 0), "".join(LINES[3:6]))
    assert buffer.seen() == (FRESH, Span(4, 6))


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


def test_f20_a_formatter_that_replaces_everything_leaves_what_it_left() -> None:
    """Pitfall 23: one change of the whole text; what it did not move is fresh, the rest is looked for."""
    buffer = Buffer(TEXT, Span(2, 2), Span(4, 6), Span(9, 9))
    buffer.replace_all(TEXT.replace("number 4", "number  4"))
    assert buffer.seen(1) == (FRESH, Span(2, 2))
    assert buffer.seen(2)[0] == STALE
    assert buffer.seen(3) == (FRESH, Span(9, 9))
    assert buffer.tracker.needs_search
    buffer.replace_all(TEXT)
    assert [buffer.seen(number)[0] for number in (1, 2, 3)] == [FRESH] * 3


def test_an_emptied_buffer_and_its_undo() -> None:
    """F6, F19: nothing has a place in an empty text, and everything is back at once."""
    buffer = Buffer(TEXT, Span(4, 6), Span(12, 12))
    buffer.replace_all("")
    assert [buffer.seen(number) for number in (1, 2)] == [(STALE, None)] * 2
    buffer.edit((0, 0), (0, 0), TEXT)
    assert [buffer.seen(number) for number in (1, 2)] == [(FRESH, Span(4, 6)), (FRESH, Span(12, 12))]


def test_undo_away_from_home_is_known_at_once() -> None:
    """F13: clearing does not wait for a search, though lines were added above before."""
    buffer = Buffer(TEXT, Span(4, 6))
    buffer.edit((0, 0), (0, 0), "top\ntop\n")
    buffer.edit((1, 0), (9, 0), "")
    assert buffer.seen()[0] == STALE
    buffer.edit((1, 0), (1, 0), "top\n" + "".join(LINES[:7]))
    assert buffer.seen() == (MOVED, Span(6, 8))


def test_an_undo_told_as_the_smallest_difference_is_known_at_once() -> None:
    """Neovim sends not what was undone but where the texts differ, which may lie beside the span."""
    text = "same line of text here\nsame line of text here\nend\n"
    buffer = Buffer(text, Span(1, 2))
    buffer.edit((0, 0), (1, 0), "")
    assert buffer.seen()[0] == STALE
    buffer.edit((1, 0), (1, 0), "same line of text here\n")
    assert buffer.seen() == (FRESH, Span(1, 2))


def test_what_was_judged_and_then_moved_back_is_said_to_be_where_it_is() -> None:
    """Two edits with no snapshot between them."""
    buffer = Buffer(TEXT, Span(4, 6))
    buffer.edit((2, 0), (3, 0), "")
    buffer.edit((0, 0), (0, 0), "top\n")
    assert buffer.seen() == (FRESH, Span(4, 6))


@pytest.mark.parametrize("end", ["\r", "\r\n"])
def test_a_carriage_return_that_meets_a_line_feed_moves_nothing_out_of_step(end: str) -> None:
    """Pitfall 6: the lines of the text are those of the document, one fewer where CR and LF join."""
    text = TEXT.replace("\n", end)
    buffer = Buffer(text, Span(4, 6))
    column = len(LINES[2]) - 1
    buffer.edit((2, column), (2, column), "\n")
    assert buffer.seen() == (MOVED, Span(5, 7))
    buffer.edit((3, 0), (4, 0), "")
    assert buffer.seen() == (FRESH, Span(4, 6))
    one_more = Buffer(text, Span(4, 6))
    one_more.edit((3, 0), (3, 0), "\n")
    assert one_more.seen() == ((FRESH, Span(4, 6)) if end == "\r" else (MOVED, Span(5, 7)))


def test_pitfall_7_typing_after_a_byte_order_mark() -> None:
    buffer = Buffer(TEXT, Span(1, 2))
    buffer.replace_all("\ufeff" + TEXT)
    assert buffer.seen() == (FRESH, Span(1, 2))
    buffer.edit((0, 1), (0, 1), "x")
    assert buffer.seen()[0] == STALE
    buffer.edit((0, 1), (0, 2), "")
    assert buffer.seen() == (FRESH, Span(1, 2))


@pytest.mark.parametrize("separator", ["\x0b", "\x0c", "\x1c", "\x85", "\u2028", "\u2029"])
def test_f9_what_ends_no_line_moves_no_line(separator: str) -> None:
    """Pitfall 3"""
    buffer = Buffer(TEXT, Span(4, 6))
    buffer.edit((0, 3), (0, 3), separator * 3)
    assert buffer.seen() == (FRESH, Span(4, 6))


def test_a_provisional_reverify_is_followed_by_its_own_lines() -> None:
    """F32: it may have other lines and another place than the citation once had."""
    text = TEXT.replace("number 5", "number five")
    baseline = span_baseline(Lines(text.encode()), Span(5, 6), encoding="utf-8", with_excerpt=True)
    one = replace(cited(TEXT, Span(4, 6)), provisional=Provisional(baseline, Span(5, 6)), span=Span(5, 6))
    buffer = Buffer(text, one)
    buffer.edit((4, 0), (4, 0), "\n")
    assert buffer.seen() == (MOVED, Span(6, 7))
    buffer.edit((5, 0), (5, 0), "x\n")
    assert buffer.seen() == (MOVED, Span(7, 8))
    buffer.edit((6, 3), (6, 3), "x")
    assert buffer.seen()[0] == STALE
    buffer.edit((6, 3), (6, 4), "")
    buffer.edit((4, 0), (6, 0), "")
    assert buffer.seen() == (FRESH, Span(5, 6))


def test_a_letter_that_the_encoding_lacks_and_its_undo_ask_for_a_look() -> None:
    """F8: unknown while it stands there, known again when it is gone, wherever in the text it was typed."""
    unknown = CitationVerdict(verdict=Verdict.UNKNOWN, reason=Reason.ENCODING)
    buffer = Buffer(
        TEXT + "\u20ac\n", cited(TEXT, Span(4, 6), verdict=unknown), mapping=BufferMapping("latin-1")
    )
    assert not buffer.tracker.needs_search
    buffer.edit((12, 0), (12, 1), "")
    assert buffer.seen()[0] == "unknown/encoding"
    assert buffer.tracker.needs_search


def test_where_no_encoding_is_known_nothing_asks_for_looks() -> None:
    unknown = CitationVerdict(verdict=Verdict.UNKNOWN, reason=Reason.ENCODING)
    buffer = Buffer(TEXT, cited(TEXT, Span(4, 6), verdict=unknown), mapping=BufferMapping(None))
    buffer.edit((4, 0), (4, 0), "x")
    assert buffer.seen()[0] == "unknown/encoding"


def test_any_edit_may_change_a_file_citation() -> None:
    one = cited(TEXT, Span(4, 6))
    whole = replace(one, citation=replace(one.citation, kind=CitationKind.FILE, span=None), span=None)
    buffer = Buffer(TEXT, whole)
    assert not buffer.tracker.needs_search
    buffer.edit((11, 3), (11, 3), "x")
    assert buffer.tracker.needs_search
    assert buffer.seen() == (FRESH, None)


def test_lines_that_come_may_be_those_that_are_missed() -> None:
    """What was stale after a look is looked for again when lines are pasted, though none of its own."""
    stale = CitationVerdict(verdict=Verdict.STALE, reason=Reason.TEXT_CHANGED)
    buffer = Buffer(TEXT, cited(TEXT, Span(4, 6), verdict=stale))
    buffer.edit((11, 3), (11, 3), "x")
    assert not buffer.tracker.needs_search
    buffer.edit((11, 0), (11, 0), "pasted\nlines\n")
    assert buffer.tracker.needs_search


def test_f15_an_edit_that_reaches_nothing_shows_nothing_new() -> None:
    """Neither a letter elsewhere nor lines that come below, nor lines above where all is well."""
    buffer = Buffer(TEXT, Span(4, 6), Span(8, 8))
    before = buffer.tracker.snapshot(PATH, 1, buffer.document.line_count)
    assert not buffer.edit((1, 3), (1, 3), "x")
    assert not buffer.edit((9, 3), (9, 3), "\n")
    after = buffer.tracker.snapshot(PATH, 2, buffer.document.line_count)
    assert after.cited is before.cited
    assert not buffer.edit((0, 0), (0, 0), "top\n")
    assert buffer.seen(1) == (MOVED, Span(5, 7))
    assert buffer.edit((5, 3), (5, 3), "x")
    assert buffer.edit((0, 0), (0, 0), "top\n")


def test_f22_the_order_is_by_line_then_by_memory_wherever_they_come_to_stand() -> None:
    buffer = Buffer(TEXT, Span(6, 6), Span(4, 6), Span(4, 4))
    buffer.edit((3, 0), (5, 0), "")
    shown = buffer.tracker.snapshot(PATH, 1, buffer.document.line_count).cited
    assert [(each.span, each.memory.number) for each in shown] == [
        (Span(4, 4), 1),
        (Span(4, 4), 2),
        (Span(4, 4), 3),
    ]


def snoozed(until: Instant | None = None) -> Cited:
    """Lines 4 to 6, changed, and somebody who does not want to hear of it."""
    snooze = Snooze(memory="memory-1", actor="os:somebody", at=WHEN, until=until, seen={"citation-1": "x"})
    other = TEXT.replace("line number 5", "another")
    return replace(cited(other, Span(4, 6), verdict=stale(at=Span(4, 6))), snoozed=snooze)


def sleeps(buffer: Buffer) -> bool:
    return buffer.tracker.snapshot(PATH, 1, buffer.document.line_count).cited[0].snoozed is not None


def test_an_edit_of_its_lines_wakes_what_sleeps_until_they_change() -> None:
    """Design 7; the next look at the whole text tells whether they really did."""
    buffer = Buffer(TEXT, snoozed())
    assert buffer.edit((4, 3), (4, 3), "X")
    assert not sleeps(buffer)
    assert buffer.tracker.needs_search


@pytest.mark.parametrize("at", [(0, 0), (2, 3), (6, 0), (11, 0)])
def test_an_edit_elsewhere_wakes_nothing(at: tuple[int, int]) -> None:
    buffer = Buffer(TEXT, snoozed())
    buffer.edit(at, at, "above\n" if at == (0, 0) else "X")
    assert sleeps(buffer)


def test_an_edit_does_not_end_a_snooze_until_a_day() -> None:
    buffer = Buffer(TEXT, snoozed(Instant("2027-01-01T00:00:00.000Z")))
    buffer.edit((4, 3), (4, 3), "X")
    assert sleeps(buffer)
