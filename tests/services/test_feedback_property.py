"""Any interleaving leaves what a replay of the active credits gives (B42, B43, B47, B48)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from stilltrue.model.time import Instant, unix_ms
from stilltrue.services.remember import Request, remember
from stilltrue.services.workspace import Surroundings, Workspace
from stilltrue.store import relations
from support.clock import FakeClock
from support.feedback import Person, rows_of

HALF_LIFE_MS = 3_600_000
STEPS = (0, 1, 999, HALF_LIFE_MS // 3, HALF_LIFE_MS, 3 * HALF_LIFE_MS, -1, -HALF_LIFE_MS)
MOMENTS = st.sampled_from(STEPS)
ACTIONS = st.lists(
    st.one_of(
        st.tuples(st.just("confirm"), st.sampled_from(("m2", "m3", "both")), MOMENTS),
        st.tuples(st.just("again"), st.integers(0, 30), MOMENTS),
        st.tuples(st.just("reverse"), st.integers(0, 30), MOMENTS),
    ),
    min_size=1,
    max_size=30,
)


@dataclass
class Lent:
    edge: str
    delta: float
    at: int
    active: bool = True


@dataclass
class Oracle:
    """A ledger that is replayed from its beginning at each question; it keeps no totals."""

    ledger: list[tuple[int, Lent]] = field(default_factory=list)
    credited: set[tuple[int, str]] = field(default_factory=set)
    latest: dict[str, int] = field(default_factory=dict)

    def strength(self, edge: str, now: int) -> float:
        at = max(now, self.latest.get(edge, now))
        active = [lent for _, lent in self.ledger if lent.edge == edge and lent.active]
        return float(sum(lent.delta * 0.5 ** ((at - lent.at) / HALF_LIFE_MS) for lent in active))

    def confirm(self, receipt: int, trace: int, edges: list[str], now: int) -> None:
        for edge in edges:
            if (trace, edge) in self.credited:
                continue
            self.credited.add((trace, edge))
            delta = min(0.25, max(0.0, 5.0 - self.strength(edge, now)))
            at = max(now, self.latest.get(edge, now))
            self.latest[edge] = at
            self.ledger.append((receipt, Lent(edge, delta, at)))

    def reverse(self, receipt: int, now: int) -> None:
        for number, lent in self.ledger:
            if number == receipt and lent.active:
                lent.active = False
                if lent.delta:
                    self.latest[lent.edge] = max(now, self.latest[lent.edge])


PATHS = {"m2": ["ab"], "m3": ["ab", "bc"], "both": ["ab", "ab", "bc"]}


@dataclass
class Play:
    """Plays actions on the store and on the oracle alike."""

    person: Person
    clock: FakeClock
    oracle: Oracle = field(default_factory=Oracle)
    traces: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    confirmations: list[tuple[int, str]] = field(default_factory=list)

    @property
    def now(self) -> int:
        return self.clock._next_ms

    def act(self, what: str, which: str | int) -> None:
        if what == "confirm":
            assert isinstance(which, str)
            told = self.person.ask("alpha", hops=2)
            rows = rows_of(told, "graph_results")
            sources = {name: rows[name]["source_id"] for name in ("m2", "m3")}
            for source in sources.values():
                self.person.use(told["trace_id"], source)
            self.traces.append((told["trace_id"], sources))
            self._confirm(len(self.traces) - 1, which)
        elif what == "again" and self.traces:
            self._confirm(int(which) % len(self.traces), "both")
        elif what == "reverse" and self.confirmations:
            number = int(which) % len(self.confirmations)
            trace, receipt = self.confirmations[number]
            self.person.reverse(self.traces[trace][0], receipt)
            self.oracle.reverse(number, self.now)

    def _confirm(self, trace: int, which: str) -> None:
        trace_id, sources = self.traces[trace]
        names = ["m2", "m3"] if which == "both" else [which]
        receipt = self.person.confirm(trace_id, *(sources[name] for name in names))["receipt_id"]
        self.oracle.confirm(len(self.confirmations), trace, PATHS[which], self.now)
        self.confirmations.append((trace, receipt))

    def check(self) -> None:
        store = self.person.workspace.store()
        with store.reading() as connection:
            kept = relations.all_strengths(connection)
            lent = relations.all_active_credits(connection)
        told = self.person.ask("alpha", hops=2, use_memory=True)["graph_results"]
        strengths = [row["learned_strength"] for row in told]
        expected = [self.oracle.strength("ab", self.now), self.oracle.strength("bc", self.now)]
        assert strengths == pytest.approx([expected[0], sum(expected)], abs=1e-9)
        for edge, strength in kept.items():
            at = strength.updated_at or Instant("")
            ledger = sum(
                each.credit.delta * 0.5 ** ((unix_ms(at) - unix_ms(each.credit.at)) / HALF_LIFE_MS)
                for each in lent
                if each.edge == edge
            )
            assert strength.value == pytest.approx(ledger, abs=1e-9)


@contextmanager
def stage() -> Iterator[Play]:
    with TemporaryDirectory() as folder:
        (Path(folder) / "repo").mkdir()
        clock = FakeClock(step_ms=0)
        surroundings = Surroundings(os.environ, database=str(Path(folder) / "memories.db"))
        workspace = Workspace(Path(folder) / "repo", surroundings, clock=clock)
        for text in ("alpha, see m2", "beta, m3 says why", "gamma"):
            remember(workspace, Request(text=text))
        clock.advance(10)
        yield Play(Person(workspace), clock)
        workspace.close()


@settings(max_examples=25, deadline=None)
@given(ACTIONS)
@example([("confirm", "m2", -HALF_LIFE_MS), ("confirm", "m3", 0)])
def test_b47_any_interleaving_equals_the_replayed_ledger(actions: list[tuple[str, str | int, int]]) -> None:
    with stage() as play:
        for what, which, step in actions:
            play.act(what, which)
            play.clock.advance(step)
            if play.traces:
                play.check()


def test_b47_the_oracle_reaches_the_cap_as_well() -> None:
    """Beyond what random courses reach: thirty confirmations at one instant, then all taken back."""
    with stage() as play:
        for _ in range(22):
            play.act("confirm", "m3")
        play.check()
        for number in range(22):
            play.act("reverse", number)
            play.clock.advance(1)
            play.check()
        assert play.oracle.strength("ab", play.now) == 0.0
