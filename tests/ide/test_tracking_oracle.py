"""Spans carried through random edits, compared after every one with a text whose characters are numbered.

The reference knows which characters stand where and nothing of lines that gave way to others.
"""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from stilltrue.citations.evidence import Evidence
from stilltrue.citations.lines import Lines, is_distinctive
from stilltrue.citations.relocation import sight
from stilltrue.freshness import judge_citation
from stilltrue.ide.buffer import BufferMapping
from stilltrue.ide.snapshot import Cited, Snapshot, placed
from stilltrue.ide.tracking import Tracker
from stilltrue.model.citation import Span
from stilltrue.model.verdict import CitationVerdict, Reason, Verdict
from stilltrue_lsp.documents import Change, Document
from support.cited import PATH, cited
from support.texts import STEPS, Origins, Step, cited_texts

HELD = {Reason.SAME_BYTES, Reason.SAME_FILE}


class Session:
    """A buffer with tracked citations, and the reference beside it."""

    def __init__(self, text: str, spans: list[Span]) -> None:
        self.text = Origins(text)
        self.document = Document("file:///a.py", text, 1, "python", "utf-32")
        self.recorded = dict(enumerate(spans, start=1))
        self.cited_text = {number: self.text.of(span) for number, span in self.recorded.items()}
        self.doubled: set[int] = set()
        """Whose text stood or was put elsewhere, too, at some time: bytes cannot tell which is meant."""
        self.marked = [cited(text, span, number) for number, span in self.recorded.items()]
        self.tracker = Tracker(self.marked, BufferMapping())
        self.note_copies()

    def do(self, step: Step) -> None:
        """One change, both ends of which may lie anywhere."""
        start, end = sorted(self.text.offset(position) for position in step[:2])
        self.change(start, end, step[2])

    def change(self, start: int, end: int, put: str) -> None:
        span = (*self.text.position(start), *self.text.position(end))
        self.text.replace(start, end, put)
        self.tell(Change(put, span))

    def paste(self, source: tuple[int, int], target: int) -> None:
        """Cut some characters and put them elsewhere, in two changes."""
        start, end = map(self.text.outside_line_end, source)
        cut = self.text.text[start:end]
        self.change(start, end, "")
        target = self.text.outside_line_end(target)
        self.change(target, target, cut)

    def undo(self) -> None:
        """Take the last change back by its inverse."""
        now = Origins(self.text.text)
        start, end, put = self.text.undo()
        self.tell(Change(put, (*now.position(start), *now.position(end))))

    def tell(self, change: Change) -> None:
        self.tracker.carry([self.document.apply(change)])
        self.tracker.judge_touched(self.document)
        assert self.document.text == self.text.text
        self.note_copies()

    def snapshot(self) -> Snapshot:
        return self.tracker.snapshot(PATH, 1, self.document.line_count)

    def look(self) -> None:
        """A look at the whole text, as the session has one after a pause."""
        count, seen = self.text.line_count(), []
        for each in self.marked:
            verdict = self.judged_whole(each)
            seen.append(replace(each, verdict=verdict, span=placed(each.citation, verdict, count)))
        self.tracker = Tracker(seen, BufferMapping())

    def judged_whole(self, each: Cited, carried: Span | None = None) -> CitationVerdict:
        """The verdict by the whole text."""
        citation = each.citation
        assert citation.baseline is not None
        assert citation.span is not None
        seen = sight(Lines(self.text.text.encode()), citation.span, citation.baseline, carried=carried)
        return judge_citation(Evidence(kind=citation.kind, path=PATH, recorded=citation.span, sighting=seen))

    def note_copies(self) -> None:
        lines = Lines(self.text.text.encode())
        for number, (wanted, _) in self.cited_text.items():
            if len(lines.find_whole_lines(wanted.encode())) > 1:
                self.doubled.add(number)

    def check(self) -> None:
        """Everything that must hold after a change."""
        count = self.text.line_count()
        assert self.document.line_count == count
        snapshot = self.snapshot()
        assert len(snapshot.cited) == len(self.recorded)
        for each in snapshot.cited:
            self.check_place(each, count)
            self.check_verdict(each)

    def check_held(self) -> None:
        """Whatever went before: valid places, and the cited bytes where they are said to be."""
        for each in self.snapshot().cited:
            assert each.span is None or 1 <= each.span.start <= each.span.end <= self.text.line_count()
            if each.verdict.reason in HELD:
                assert each.span is not None
                assert self.text.of(each.span)[0] == self.cited_text[each.memory.number][0]

    def check_place(self, each: Cited, count: int) -> None:
        if each.span is None:
            assert not count
        else:
            assert 1 <= each.span.start <= each.span.end <= count
        for place in (each.verdict.nearest, each.verdict.new):
            if place is not None:
                assert place.span == each.span

    def check_verdict(self, each: Cited) -> None:
        number = each.memory.number
        wanted, numbers = self.cited_text[number]
        untouched = self.text.find(numbers)
        if each.verdict.reason in HELD:
            assert each.span is not None
            found, its_numbers = self.text.of(each.span)
            assert found == wanted
            at_home = each.span == self.recorded[number]
            assert each.verdict.reason is (Reason.SAME_BYTES if at_home else Reason.SAME_FILE)
            assert untouched in {None, each.span} or number in self.doubled
            if its_numbers != numbers:  # an equal text was put in, and is followed from now on
                self.doubled.add(number)
                self.cited_text[number] = wanted, its_numbers
        elif number in self.doubled:
            assert untouched is None or self.tracker.needs_search
        else:
            assert untouched is None
        if not self.tracker.needs_search and is_distinctive(wanted.encode()):
            full = self.judged_whole(each, each.span)
            assert (full.verdict is Verdict.STALE) == (each.verdict.verdict is Verdict.STALE)


@settings(max_examples=300, deadline=None)
@given(cited_texts(), st.lists(STEPS, max_size=10))
def test_f20_spans_are_where_their_characters_are(marked: tuple[str, list[Span]], steps: list[Step]) -> None:
    """What no edit reached is held, exactly where it stands; nothing is held whose bytes differ (F6, F19)."""
    session = Session(*marked)
    session.check()
    for step in steps:
        session.do(step)
        session.check()


@settings(max_examples=200, deadline=None)
@given(cited_texts(), st.lists(STEPS, max_size=8))
def test_f6_undoing_everything_ends_where_it_began(marked: tuple[str, list[Span]], steps: list[Step]) -> None:
    """Without a look at the whole text, and at every step of the way back what came back is known again."""
    session = Session(*marked)
    for step in steps:
        session.do(step)
        session.check()
    for _ in steps:
        session.undo()
        session.check()
    for each in session.snapshot().cited:
        if each.memory.number not in session.doubled:
            assert each.verdict.reason is Reason.SAME_BYTES
            assert each.span == session.recorded[each.memory.number]
        else:
            assert each.verdict.reason in HELD or session.tracker.needs_search


@settings(max_examples=150, deadline=None)
@given(
    cited_texts(),
    st.lists(st.tuples(st.integers(0, 200), st.integers(0, 200), st.integers(0, 200)), max_size=5),
)
def test_f20_cut_and_paste_elsewhere(
    marked: tuple[str, list[Span]], cuts: list[tuple[int, int, int]]
) -> None:
    session = Session(*marked)
    for start, end, target in cuts:
        session.paste((min(start, end), max(start, end)), target)
        session.check()


@settings(max_examples=150, deadline=None)
@given(cited_texts(), st.lists(STEPS | st.none(), max_size=10))
def test_f12_edits_after_a_look_begin_with_what_it_saw(
    marked: tuple[str, list[Span]], steps: list[Step | None]
) -> None:
    """With a look in between, as after each pause, nothing is held whose bytes differ."""
    session = Session(*marked)
    for step in steps:
        if step is None:
            session.look()
        else:
            session.do(step)
        session.check_held()


@settings(max_examples=100, deadline=None)
@given(cited_texts(), st.lists(STEPS, min_size=1, max_size=6))
def test_changes_of_one_message_are_judged_once(marked: tuple[str, list[Span]], steps: list[Step]) -> None:
    """Several changes come in one message: nothing is judged in between, and nothing wrong is held."""
    session = Session(*marked)
    edits = []
    for step in steps:
        start, end = sorted(session.text.offset(position) for position in step[:2])
        span = (*session.text.position(start), *session.text.position(end))
        session.text.replace(start, end, step[2])
        edits.append(session.document.apply(Change(step[2], span)))
    session.tracker.carry(edits)
    session.tracker.judge_touched(session.document)
    session.check_held()
