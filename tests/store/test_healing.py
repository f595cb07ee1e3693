"""Checkpoints, the lock row and events in the store, and the step that brings them to stores made before."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace

import pytest
from sqlalchemy.exc import IntegrityError

from stilltrue.errors import StillTrueError
from stilltrue.model.healing import Checkpoint, DriftReason, HealEvent, HealKind, Lease, ResolverState
from stilltrue.model.memory import Memory, Trust
from stilltrue.model.time import Instant
from stilltrue.store import checkpoints, connect, healing, privacy, repositories, schema
from stilltrue.store.engine import Store, StoreLocation, open_store
from stilltrue.store.migrate import migrate
from store.writing import Writer, cited
from support.clock import FakeClock

AT, LATER = Instant("2026-07-01T00:00:00.000Z"), Instant("2026-08-01T00:00:00.000Z")
REACHED = Checkpoint(head="a" * 40, uncommitted=("ü.py", "b.py"), judged_with="[]", at=AT)
LEASE = Lease(owner="os:ada", machine="box", process=7, token="t", since=AT, expires_at=LATER)  # noqa: S106 - no password


def event(original: Memory, superseding: Memory, state: str = "s") -> HealEvent:
    return HealEvent(
        kind=HealKind.DEMOTED,
        original=original.uid,
        superseding=superseding.uid,
        reason=DriftReason.CONTENT_DRIFT,
        citation="src/a.py:1-3",
        resolver_state=ResolverState.RESOLVED,
        code_state=state,
        commit=None,
        actor="ada",
        at=AT,
    )


def demoted(store: Store, writer: Writer, text: str = "it holds", state: str = "s") -> tuple[Memory, Memory]:
    old = writer.remember(text, cited())
    new = writer.supersede(old, text, trust=Trust.UNKNOWN)
    with store.writing() as conn:
        healing.insert_events(conn, old.repository, [event(old, new, state)])
    return old, new


def checkout(store: Store, writer: Writer) -> int:
    repository = writer.repository()
    with store.writing() as conn:
        return repositories.ensure_checkout(conn, repository, "box", "/srv/app", store.now(conn))


def test_a_checkpoint_and_a_lock_are_read_as_they_were_written(store: Store, writer: Writer) -> None:
    number = checkout(store, writer)
    before = store.store_revision()
    with store.writing() as conn:
        assert checkpoints.read_checkpoint(conn, number) is None
        assert checkpoints.read_lease(conn, number) is None
        for reached in (replace(REACHED, head=None), REACHED):
            checkpoints.write_checkpoint(conn, number, reached)
            assert checkpoints.read_checkpoint(conn, number) == reached
        for lease in (replace(LEASE, owner="os:eve"), LEASE):
            checkpoints.write_lease(conn, number, lease)
            assert checkpoints.read_lease(conn, number) == lease
    assert store.store_revision() == before


def test_only_its_holder_lets_go_of_a_lock(store: Store, writer: Writer) -> None:
    number = checkout(store, writer)
    with store.writing() as conn:
        checkpoints.write_lease(conn, number, LEASE)
        checkpoints.drop_lease(conn, number, "another token")
        assert checkpoints.read_lease(conn, number) == LEASE
        checkpoints.drop_lease(conn, number, LEASE.token)
        assert checkpoints.read_lease(conn, number) is None


def test_e28_an_event_is_read_as_it_was_written_and_noticed_by_others(store: Store, writer: Writer) -> None:
    before = store.store_revision()
    old, new = demoted(store, writer)
    assert store.store_revision() > before
    with store.reading() as conn:
        assert healing.events(conn, old.repository) == [event(old, new)]
        assert healing.healed_states(conn, [old.chain]) == {(old.chain, "s")}
        assert healing.healed_states(conn, ["another"]) == set()


@pytest.mark.parametrize(
    ("reason", "state"),
    [
        (DriftReason.CONTENT_DRIFT, ResolverState.MISSING_FILE),
        (DriftReason.ANCHOR_DRIFT, ResolverState.RESOLVED),
        (DriftReason.ANCHOR_DRIFT, ResolverState.UNSUPPORTED_LANGUAGE),
    ],
)
def test_e28_an_event_whose_reason_and_state_do_not_agree_is_refused(
    store: Store, writer: Writer, reason: DriftReason, state: ResolverState
) -> None:
    old = writer.remember()
    new = writer.supersede(old)
    wrong = replace(event(old, new), reason=reason, resolver_state=state)
    with pytest.raises((IntegrityError, StillTrueError)), store.writing() as conn:
        healing.insert_events(conn, old.repository, [wrong])


def test_e33_the_worklist_is_of_one_repository_and_of_live_memories(store: Store, writer: Writer) -> None:
    _, new = demoted(store, writer, "first")
    _, ended = demoted(store, writer, "second")
    writer.retract(ended)
    other = Writer(store, place="/srv/other")
    demoted(store, other, "elsewhere")
    with store.reading() as conn:
        found = healing.worklist(conn, new.repository, store.present(conn))
    assert [(memory.uid, one.superseding) for memory, one in found] == [(new.uid, new.uid)]


def test_e24_citing_asks_one_repository_for_present_generations(store: Store, writer: Writer) -> None:
    here = writer.remember("here", cited("src/a.py"))
    moved = writer.remember("moved", cited("src/a.py"))
    writer.reverify(writer.citations(moved)[0], cited("src/b.py"))
    Writer(store, place="/srv/other").remember("elsewhere", cited("src/a.py"))
    with store.reading() as conn:
        assert healing.citing(conn, here.repository, ["src/a.py", "x.py"]) == {here.uid}
        assert healing.citing(conn, here.repository, [f"{n}.py" for n in range(1200)] + ["src/b.py"]) == {
            moved.uid
        }


def test_what_was_recorded_or_came_back_since_is_unjudged(store: Store, writer: Writer) -> None:
    old, gone = writer.remember("old", cited()), writer.remember("gone", cited())
    anew, undone = writer.remember("anew", cited()), writer.remember("undone", cited())
    writer.reverify(writer.citations(undone)[0], cited(start=5, end=6))
    writer.retract(gone)
    with store.reading() as conn:
        since = store.present(conn).known
    assert unjudged(store, old.repository, since) == set()
    writer.undo()
    assert unjudged(store, old.repository, since) == {gone.uid}
    writer.undo()
    writer.reverify(writer.citations(anew)[0], cited(start=5, end=6))
    late = writer.remember("late", cited())
    assert unjudged(store, old.repository, since) == {gone.uid, undone.uid, anew.uid, late.uid}


def unjudged(store: Store, repository: str, since: Instant) -> set[str]:
    with store.reading() as conn:
        return healing.unjudged_since(conn, repository, since)


def test_redacting_one_blanks_its_whole_line_of_copies(store: Store, writer: Writer) -> None:
    """Also a copy of a copy; what was superseded by people holds other words and stays."""
    first, second = demoted(store, writer, "a secret")
    third = writer.supersede(second, "a secret")
    with store.writing() as conn:
        healing.insert_events(conn, first.repository, [event(second, third)])
    corrected = writer.supersede(third, "no secret")
    with store.writing() as conn:
        assert len(healing.copies_by_events(conn, second)) == 2
        privacy.redact_memory(conn, second)
        rows = conn.exec_driver_sql("SELECT number, text FROM memories ORDER BY number").fetchall()
    texts = {first.number: "", second.number: "", third.number: "", corrected.number: "no secret"}
    assert dict(tuple(row) for row in rows) == texts


def test_purge_takes_everything_along(store: Store, writer: Writer) -> None:
    old, _ = demoted(store, writer)
    number = checkout(store, writer)
    with store.writing() as conn:
        checkpoints.write_checkpoint(conn, number, REACHED)
        checkpoints.write_lease(conn, number, LEASE)
    with store.writing() as conn:
        gone = privacy.purge_repository(conn, old.repository)
    assert [gone[name] for name in ("heal_checkpoints", "heal_locks", "heal_events")] == [1, 1, 1]


def test_a16_a_program_that_does_not_know_events_can_purge(
    location: StoreLocation, store: Store, writer: Writer
) -> None:
    demoted(store, writer)
    number = checkout(store, writer)
    with store.writing() as conn:
        checkpoints.write_checkpoint(conn, number, REACHED)
        checkpoints.write_lease(conn, number, LEASE)
    with closing(connect.raw_connection(location.path, "rw", 300)) as older:
        for table in ("act_objects", "acts", "generation_texts", "citation_generations", "citations"):
            older.execute(f"DELETE FROM {table}")  # noqa: S608 - names of tables
        for table in ("closings", "memories", "checkouts", "repository_keys", "repositories"):
            older.execute(f"DELETE FROM {table}")  # noqa: S608 - names of tables
        for table in ("heal_checkpoints", "heal_locks", "heal_events"):
            assert older.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,)  # noqa: S608 - likewise


@pytest.mark.parametrize("made_by", ["0001", "0002"])
def test_a16_a_store_made_before_gets_the_tables_and_stays_open_to_older_programs(
    location: StoreLocation, clock: FakeClock, made_by: str
) -> None:
    connect.make_file(location.path)
    engine = connect.make_engine(location.path, "rw", 300)
    with engine.connect() as connection, connect.begin_with(connection, "BEGIN IMMEDIATE").begin():
        migrate(connection, target=made_by)
    engine.dispose()
    store = open_store(location, clock=clock, create=False)
    assert store is not None
    with store, closing(sqlite3.connect(location.path)) as raw:
        assert raw.execute("SELECT version_num FROM alembic_version").fetchone() == (schema.HEAD,)
        assert raw.execute("SELECT min_reader, min_writer FROM store_meta").fetchone() == (1, 1)
        demoted(store, Writer(store))
