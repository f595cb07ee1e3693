"""A3 (I1 to I4): the store answers every as-of question as the events alone do."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from sqlalchemy import select

from stilltrue.errors import ConflictError, InputError
from stilltrue.model.memory import Memory
from stilltrue.model.time import AsOf, Instant, instant_from_unix_ms, unix_ms
from stilltrue.store import memories, verdicts
from stilltrue.store.engine import StoreLocation, open_store
from stilltrue.store.schema import memories as table
from store.writing import Writer, cited
from support.clock import START, FakeClock
from support.oracle import Oracle, Recorded, Retracted, Undone

SPREAD_MS = 40


def around(offset: int) -> Instant:
    return instant_from_unix_ms(unix_ms(START) + offset)


class History(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.clock = FakeClock()
        location = StoreLocation.from_path(Path(self.folder.name) / "memories.db")
        opened = open_store(location, clock=self.clock, create=True)
        assert opened is not None
        self.store = opened
        self.writer = Writer(opened)
        self.oracle = Oracle()
        self.made: list[Memory] = []
        self.journal: list[tuple[str, int]] = []
        self.answers: dict[tuple[Instant, Instant], set[str]] = {}
        self.checked = 0

    def teardown(self) -> None:
        self.store.close()
        self.folder.cleanup()

    @property
    def act(self) -> int:
        return len(self.oracle.events)

    def newest(self) -> Instant:
        newest = self.store.newest_tx_at()
        assert newest is not None
        return newest

    def recorded(self, memory: Memory, replaces: str | None = None) -> None:
        self.made.append(memory)
        self.journal.append(("act", self.act))
        facts = (memory.tx_at, memory.uid, memory.valid_from, memory.valid_to, replaces)
        self.oracle.tell(Recorded(self.act, *facts))

    @rule(begins=st.none() | st.integers(-SPREAD_MS, SPREAD_MS), lasts=st.none() | st.integers(1, SPREAD_MS))
    def remember(self, begins: int | None, lasts: int | None) -> None:
        given: dict[str, Any] = {}
        if begins is not None:
            given["valid_from"] = around(begins)
            if lasts is not None:
                given["valid_to"] = around(begins + lasts)
        self.recorded(self.writer.remember("text", cited(), **given))

    @precondition(lambda self: self.made)
    @rule(data=st.data(), begins=st.none() | st.integers(-SPREAD_MS, SPREAD_MS))
    def supersede(self, data: st.DataObject, begins: int | None) -> None:
        old = data.draw(st.sampled_from(self.made))
        given = {} if begins is None else {"valid_from": around(begins)}
        try:
            new = self.writer.supersede(old, **given)
        except InputError:
            return
        self.recorded(new, old.uid)

    @precondition(lambda self: self.made)
    @rule(data=st.data())
    def retract(self, data: st.DataObject) -> None:
        memory = data.draw(st.sampled_from(self.made))
        if self.writer.retract(memory):
            self.journal.append(("act", self.act))
            self.oracle.tell(Retracted(self.act, self.newest(), memory.uid))

    @precondition(lambda self: self.made)
    @rule(data=st.data())
    def reverify(self, data: st.DataObject) -> None:
        memory = data.draw(st.sampled_from(self.made))
        found = self.writer.citations(memory)
        if found:
            self.writer.reverify(found[0], cited(start=2, end=5))
            self.journal.append(("other", 0))

    @precondition(lambda self: self.journal)
    @rule()
    def undo(self) -> None:
        try:
            self.writer.undo()
        except ConflictError as error:
            raise AssertionError("the last act can always be undone") from error
        what, act = self.journal.pop()
        if what == "act":
            self.oracle.tell(Undone(self.newest(), act))

    @rule(milliseconds=st.integers(-20, 20))
    def wind(self, milliseconds: int) -> None:
        self.clock.advance(milliseconds)

    @invariant()
    def every_answer_is_what_the_events_say(self) -> None:
        if len(self.oracle.events) == self.checked:
            return
        self.checked = len(self.oracle.events)
        now = self.newest()
        instants = {around(-SPREAD_MS), around(-1), START, around(5), around(SPREAD_MS), now}
        instants |= {event.at for event in self.oracle.events[-3:]}  # type: ignore[misc]
        with self.store.reading() as conn:
            for known in instants:
                for valid in instants:
                    at = AsOf(known=known, valid=valid)
                    seen = {memory.uid for memory in memories.live_memories(conn, None, at)}
                    assert seen == self.oracle.visible(known, valid), (known, valid)
                    if known <= now:
                        assert self.answers.setdefault((known, valid), seen) == seen  # I3

    @invariant()
    def rows_stay_as_they_were_recorded(self) -> None:
        with self.store.reading() as conn:
            assert memories.memories_by_uid(conn, [memory.uid for memory in self.made]) == {
                memory.uid: memory for memory in self.made
            }  # I1 and I4
            assert len(conn.execute(select(table.c.uid)).all()) == len(self.made)
            sources = verdicts.sources_of(conn, [memory.uid for memory in self.made])
        for source in sources.values():
            assert source.superseded_by is None or source.valid_to is not None  # I2


TestHistory = History.TestCase
TestHistory.settings = settings(max_examples=25, stateful_step_count=25, deadline=None)


def test_a3_the_store_starts_nothing_and_calls_nobody() -> None:
    """I5."""
    folder = Path(memories.__file__).parent
    words = ("subprocess", "import socket", "urllib", "http.client")
    texts = [file.read_text() for file in folder.rglob("*.py")]
    assert not [word for word in words if any(word in one for one in texts)]
