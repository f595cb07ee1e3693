"""The work-list of pins and what is kept of a pass (A14, A15, A27, A28)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sqlalchemy.dialects import sqlite

from stilltrue.errors import InputError, NotFoundError
from stilltrue.model.memory import Memory
from stilltrue.model.verdict import CitationVerdict, Reason, Verdict
from stilltrue.store import pins, repositories, verdicts
from stilltrue.store.engine import Store
from stilltrue.store.pins import PinState
from store.writing import Writer, cited

HEAD = "e" * 40
FRESH = CitationVerdict(verdict=Verdict.FRESH, reason=Reason.SAME_BYTES)


@pytest.fixture
def memory(writer: Writer) -> Memory:
    return writer.remember("a", cited(commit="f" * 40))


def checkout_of(store: Store, memory: Memory) -> int:
    with store.writing() as conn:
        return repositories.ensure_checkout(conn, memory.repository, "box", "/srv/app", store.now(conn))


def keep(store: Store, checkout: int, *states: PinState) -> int:
    with store.writing() as conn:
        return pins.write_pin_states(conn, checkout, states, at=store.now(conn), head=HEAD)


def test_a15_the_partial_index_serves_the_work_list(store: Store, memory: Memory) -> None:
    with store.reading() as conn:
        statement = pins.work_list(memory.repository, store.present(conn), 1)
        text = str(statement.compile(dialect=sqlite.dialect(), compile_kwargs={"literal_binds": True}))
        plan = [row[3] for row in conn.exec_driver_sql("EXPLAIN QUERY PLAN " + text)]
    assert any("pinned_present" in step for step in plan), plan


def test_a27_a_limit_below_one_and_an_unknown_citation_are_refused(store: Store, memory: Memory) -> None:
    checkout = checkout_of(store, memory)
    with pytest.raises(InputError), store.reading() as conn:
        pins.pinned_citations(conn, memory.repository, store.present(conn), checkout, limit=0)
    with pytest.raises(NotFoundError, match="c99"):
        keep(store, checkout, PinState(1, 1, "stale"), PinState(99, 1, "stale"))
    with store.reading() as conn:
        (pinned,) = pins.pinned_citations(conn, memory.repository, store.present(conn), checkout)
    assert pinned.state is None


def test_a14_the_database_refuses_another_word(store: Store, memory: Memory) -> None:
    with pytest.raises(InputError, match="CHECK"):
        keep(store, checkout_of(store, memory), PinState(1, 1, "fresh"))


def test_a27_neither_axis_writes_over_the_other(store: Store, writer: Writer, memory: Memory) -> None:
    """K1: a content verdict stays where git is asked, and a commit state where lines are judged."""
    (citation,), checkout = writer.citations(memory), checkout_of(store, memory)

    def kept() -> verdicts.VerdictRow:
        with store.reading() as conn:
            return verdicts.verdicts_of(conn, checkout, [citation.uid])[citation.uid]

    keep(store, checkout, PinState(1, 1, "stale"))
    by_git = kept()
    assert (by_git.verdict, by_git.commit_state, by_git.checked_head) == (None, "stale", HEAD)
    with store.writing() as conn:
        row = verdicts.VerdictRow(
            citation=citation.uid, generation=1, verdict=FRESH, checked_at=store.now(conn)
        )
        verdicts.write_verdicts(conn, checkout, [row])
    assert kept() == replace(by_git, verdict=FRESH)
    keep(store, checkout, PinState(1, 1, "current"))
    assert (kept().verdict, kept().commit_state) == (FRESH, "current")


def test_a21_what_is_said_of_an_older_generation_is_dropped(
    store: Store, writer: Writer, memory: Memory
) -> None:
    (citation,), checkout = writer.citations(memory), checkout_of(store, memory)
    keep(store, checkout, PinState(1, 1, "stale"))
    writer.reverify(citation, cited(commit="1" * 40))

    assert keep(store, checkout, PinState(1, 1, "current")) == 0
    with store.reading() as conn:
        (pinned,) = pins.pinned_citations(conn, memory.repository, store.present(conn), checkout)
    assert (pinned.generation, pinned.state, pinned.checked_at) == (2, None, None)
    assert keep(store, checkout, PinState(1, 2, "current")) == 1
    with store.reading() as conn:
        (pinned,) = pins.pinned_citations(conn, memory.repository, store.present(conn), checkout)
    assert (pinned.state, pinned.checked_head) == ("current", HEAD)


def test_a_pass_moves_the_revision_once_it_kept_something(store: Store, memory: Memory) -> None:
    """Servers watch it."""
    checkout = checkout_of(store, memory)
    before = store.store_revision()
    assert keep(store, checkout) == 0
    assert store.store_revision() == before
    keep(store, checkout, PinState(1, 1, "current"))
    assert store.store_revision() > before
