"""Snoozes in the store, and the step that brings them to stores made before."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from stilltrue.errors import InputError
from stilltrue.model.memory import Memory
from stilltrue.model.snooze import Snooze
from stilltrue.model.time import Instant
from stilltrue.store import connect, privacy, schema, snoozes
from stilltrue.store.engine import Store, StoreLocation, open_store
from stilltrue.store.migrate import migrate
from store.writing import Writer, cited
from support.clock import FakeClock

SOON, LATER = Instant("2026-07-01T00:00:00.000Z"), Instant("2026-08-01T00:00:00.000Z")


def say(store: Store, memory: Memory, until: Instant | None = None, actor: str = "ada") -> Snooze:
    with store.writing() as conn:
        one = Snooze(
            memory=memory.uid,
            actor=actor,
            at=store.now(conn),
            until=until,
            seen={} if until else {"citation": "digest"},
        )
        (number,) = snoozes.insert_snoozes(conn, memory.repository, [one])
        assert snoozes.snoozes_by_number(conn, [number]) == [one]
        return one


def standing(store: Store, memory: Memory, at: Instant = SOON, actor: str = "ada") -> list[Snooze]:
    with store.reading() as conn:
        return list(snoozes.snoozes_at(conn, memory.repository, actor, at).values())


def test_the_newest_snooze_of_a_memory_counts(store: Store, writer: Writer) -> None:
    memory, other = writer.remember(), writer.remember()
    say(store, memory)
    aside, newest = say(store, other), say(store, memory, LATER)
    assert standing(store, memory) == [aside, newest]


def test_a_snooze_is_over_at_its_very_instant(store: Store, writer: Writer) -> None:
    memory = writer.remember()
    say(store, memory)
    newest = say(store, memory, LATER)
    assert standing(store, memory, SOON) == [newest]
    assert standing(store, memory, LATER) == []


def test_one_that_ends_at_once_wakes(store: Store, writer: Writer) -> None:
    memory = writer.remember()
    say(store, memory)
    with store.writing() as conn:
        now = store.now(conn)
        end = Snooze(memory=memory.uid, actor="ada", at=now, until=now)
        snoozes.insert_snoozes(conn, memory.repository, [end])
    assert end.wakes
    assert standing(store, memory) == []


def test_a_snooze_is_personal(store: Store, writer: Writer) -> None:
    memory = writer.remember()
    say(store, memory, actor="ada")
    assert standing(store, memory, actor="os:someone-else") == []


def test_a_snooze_is_noticed_by_others(store: Store, writer: Writer) -> None:
    memory = writer.remember()
    before = store.store_revision()
    one = say(store, memory)
    assert store.store_revision() > before
    assert store.newest_tx_at() == one.at


@pytest.mark.parametrize("until", ["2026-07-01", "2020-01-01T00:00:00.000Z"])
def test_an_end_that_is_none_is_refused(store: Store, writer: Writer, until: str) -> None:
    memory = writer.remember()
    with pytest.raises(InputError):
        say(store, memory, Instant(until))
    assert standing(store, memory) == []


def test_purge_takes_snoozes_along(store: Store, writer: Writer) -> None:
    memory = writer.remember("it holds", cited())
    say(store, memory)
    with store.writing() as conn:
        assert privacy.purge_repository(conn, memory.repository)["snoozes"] == 1


def test_a16_a_program_that_does_not_know_snoozes_can_purge(
    location: StoreLocation, store: Store, writer: Writer
) -> None:
    say(store, writer.remember())
    with closing(connect.raw_connection(location.path, "rw", 300)) as older:
        older.execute("DELETE FROM act_objects")
        older.execute("DELETE FROM acts")
        older.execute("DELETE FROM memories")
        older.execute("DELETE FROM repository_keys")
        older.execute("DELETE FROM repositories")
        assert older.execute("SELECT count(*) FROM snoozes").fetchone() == (0,)


def made_before(path: Path, clock: FakeClock) -> None:
    """A store as the first version made it, with one repository and one memory."""
    connect.make_file(path)
    engine = connect.make_engine(path, "rw", 300)
    with engine.connect() as connection, connect.begin_with(connection, "BEGIN IMMEDIATE").begin():
        migrate(connection, target="0001")
        now = clock.now()
        connection.exec_driver_sql(
            "INSERT INTO repositories (uid, name, created_at) VALUES ('r', 'app', ?)", (now,)
        )
        connection.exec_driver_sql(
            "INSERT INTO memories (uid, repository, chain, text, subject, predicate, kind, importance,"
            " confidence, trust, valid_from, tx_at, origin)"
            " VALUES ('m', 'r', 'm', 'it holds', 'app', '', 'semantic', 5, 1.0, 'verified', ?, ?, 'disk')",
            (now, now),
        )
    engine.dispose()


def test_a16_a_store_made_before_gets_the_table_and_stays_open_to_older_programs(
    location: StoreLocation, clock: FakeClock
) -> None:
    made_before(location.path, clock)
    with closing(sqlite3.connect(location.path)) as raw:
        before = raw.execute("SELECT * FROM memories").fetchall()
    store = open_store(location, clock=clock, create=False)
    assert store is not None
    with store, closing(sqlite3.connect(location.path)) as raw:
        assert raw.execute("SELECT * FROM memories").fetchall() == before
        assert raw.execute("SELECT version_num FROM alembic_version").fetchone() == (schema.HEAD,)
        assert raw.execute("SELECT min_reader, min_writer FROM store_meta").fetchone() == (1, 1)
        with store.writing() as conn:
            one = Snooze(memory="m", actor="ada", at=store.now(conn), seen={})
            snoozes.insert_snoozes(conn, "r", [one])
        with store.reading() as conn:
            assert snoozes.snoozes_at(conn, "r", "ada", SOON) == {"m": one}
