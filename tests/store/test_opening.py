from __future__ import annotations

import os
import sqlite3
import stat
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import MetaData, text

from stilltrue.errors import InputError, StoreError
from stilltrue.store import connect, feedback_schema, memories, opening, schema
from stilltrue.store.engine import Store, StoreLocation, open_store
from stilltrue.store.migrate import FOLDER, migrate
from store.writing import Writer
from support.clock import FakeClock


def opened(location: StoreLocation, *, create: bool = True) -> Store:
    store = open_store(location, clock=FakeClock(), create=create, busy_ms=300)
    assert store is not None
    return store


def filled(location: StoreLocation) -> Path:
    """A closed store that holds one memory."""
    with opened(location) as store:
        Writer(store).remember()
    return location.path


def change(path: Path, statement: str) -> None:
    connection = sqlite3.connect(path)
    connection.execute(statement)
    connection.commit()
    connection.close()


def test_f5_a_read_on_a_missing_store_makes_no_file(location: StoreLocation) -> None:
    assert open_store(location, clock=FakeClock(), create=False) is None
    assert not location.path.parent.exists()


def test_f5_a_made_store_belongs_to_its_user_alone(location: StoreLocation) -> None:
    before = os.umask(0)
    try:
        path = filled(location)
        with opened(location) as store:
            Writer(store).remember()
            modes = {stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()}
    finally:
        os.umask(before)
    assert modes == {0o600}
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_f5_a_strict_umask_does_not_lock_its_user_out(location: StoreLocation) -> None:
    location.path.parent.mkdir()
    before = os.umask(0o777)
    try:
        store = opened(location)
    finally:
        os.umask(before)
    store.close()
    assert stat.S_IMODE(location.path.stat().st_mode) == 0o600


def test_f5_pragmas(store: Store) -> None:
    with store.reading() as conn:
        asked = [
            conn.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        ]
    assert asked == ["wal", 2, 1, 300]


def test_a16_the_tables_are_those_the_statements_know(store: Store) -> None:
    found = MetaData()
    with store.reading() as conn:
        found.reflect(conn)
    made = {name: set(table.c.keys()) for name, table in found.tables.items() if name != "alembic_version"}
    known = {**schema.metadata.tables, **feedback_schema.metadata.tables}
    made = {name: columns for name, columns in made.items() if not name.startswith("memory_search")}
    assert made == {name: set(table.c.keys()) for name, table in known.items()}


def test_a16_head_is_the_newest_migration() -> None:
    newest = max(FOLDER.glob("versions/*.py"))
    assert newest.name.startswith(schema.HEAD)


def test_a16_a_store_of_every_revision_is_brought_up_to_date() -> None:
    """One that is not known is taken for a newer program's and left as it is."""
    every = {script.name[:4] for script in FOLDER.glob("versions/[0-9]*.py")}
    assert every | {""} == opening.KNOWN


def test_a16_reopening_takes_no_write_lock_and_no_migration(
    location: StoreLocation, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = filled(location)
    monkeypatch.setattr(opening, "_migrate", None)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with opened(location) as store:
        assert Writer(store).visible() == ["m1"]
    other.execute("ROLLBACK")
    other.close()


def test_a16_a_store_below_its_min_reader_is_refused_untouched(location: StoreLocation) -> None:
    path = filled(location)
    change(path, "UPDATE store_meta SET min_reader = 9999")
    change(path, "UPDATE alembic_version SET version_num = '9999'")
    before = {file.name: file.read_bytes() for file in path.parent.iterdir()}
    for create in (True, False):
        with pytest.raises(StoreError) as caught:
            opened(location, create=create)
        assert caught.value.code == "schema_too_new"
    assert {file.name: file.read_bytes() for file in path.parent.iterdir()} == before


def test_a16_an_older_program_reads_and_writes_a_store_with_additions(location: StoreLocation) -> None:
    path = filled(location)
    change(path, "UPDATE alembic_version SET version_num = '0007'")
    change(path, "ALTER TABLE memories ADD COLUMN mood TEXT")
    with opened(location) as store:
        Writer(store).remember()
        assert Writer(store).visible() == ["m1", "m2"]


def test_a16_below_min_writer_it_only_reads(location: StoreLocation) -> None:
    path = filled(location)
    change(path, "UPDATE store_meta SET min_writer = 2")
    with opened(location) as store:
        assert store.read_only
        assert store.notice
        assert Writer(store).visible() == ["m1"]
        with pytest.raises(StoreError, match="newer"):
            Writer(store).remember()


def test_a16_pending_migrations_run_in_one_transaction(location: StoreLocation, tmp_path: Path) -> None:
    """A17: what was written before reads as before afterwards."""
    folder = tmp_path / "migrations"
    (folder / "versions").mkdir(parents=True)
    for shipped in FOLDER.glob("versions/0*.py"):
        (folder / "versions" / shipped.name).write_text(shipped.read_text())
    step = (
        "from alembic import op\nrevision, down_revision = {!r}, {!r}\ndef upgrade():\n    op.execute({!r})\n"
    )
    added = "ALTER TABLE memories ADD COLUMN mood TEXT"
    (folder / "versions" / "0901_a.py").write_text(step.format("0901", schema.HEAD, added))
    (folder / "versions" / "0902_b.py").write_text(
        step.format("0902", "0901", "INSERT INTO nowhere VALUES (1)")
    )
    with opened(location) as store:
        memory = Writer(store).remember()
        with pytest.raises(StoreError), store.writing() as conn:
            migrate(conn, folder=folder, target="0902")
        with store.reading() as conn:
            assert conn.execute(text("SELECT version_num FROM alembic_version")).scalar() == schema.HEAD
        with store.writing() as conn:
            migrate(conn, folder=folder, target="0901")
        with store.reading() as conn:
            assert conn.execute(text("SELECT version_num FROM alembic_version")).scalar() == "0901"
            assert conn.execute(text("SELECT mood FROM memories")).scalars().all() == [None]
            assert memories.get_memory(conn, memory.uid) == memory


def overwrite(path: Path) -> None:
    path.write_bytes(b"Not a database at all. " * 400)


def truncate(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:5000])


def cut_the_header(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:50])


def make_foreign(path: Path) -> None:
    path.unlink()
    change(path, "CREATE TABLE songs (title TEXT)")


@pytest.mark.parametrize("damage", [overwrite, truncate, cut_the_header, make_foreign])
@pytest.mark.parametrize("create", [True, False])
def test_a_damaged_file_gives_one_clear_message(
    location: StoreLocation, damage: Callable[[Path], None], *, create: bool
) -> None:
    path = filled(location)
    damage(path)
    before = path.read_bytes()
    with pytest.raises(StoreError) as caught:
        opened(location, create=create)
    assert caught.value.code == "store_corrupt"
    assert str(path) in caught.value.hint
    assert path.read_bytes() == before


def test_damage_in_the_middle_is_told_when_it_is_met(location: StoreLocation) -> None:
    path = filled(location)
    whole = path.read_bytes()
    path.write_bytes(whole[:8192] + b"\xff" * (len(whole) - 8192))
    with pytest.raises(StoreError) as caught:
        opened(location)
    assert caught.value.code == "store_corrupt"


def test_an_empty_file_is_a_store_not_yet_made(location: StoreLocation) -> None:
    location.path.parent.mkdir()
    location.path.touch()
    assert open_store(location, clock=FakeClock(), create=False) is None
    assert location.path.read_bytes() == b""
    filled(location)


def test_a_folder_in_place_of_the_file(location: StoreLocation) -> None:
    location.path.mkdir(parents=True)
    with pytest.raises(StoreError, match="folder"):
        opened(location)


def test_a_file_in_place_of_the_folder(location: StoreLocation) -> None:
    location.path.parent.touch()
    with pytest.raises(StoreError):
        opened(location)


@pytest.mark.parametrize("folder_too", [False, True])
def test_a_store_that_cannot_be_written_is_read_with_a_note(
    location: StoreLocation, monkeypatch: pytest.MonkeyPatch, *, folder_too: bool
) -> None:
    path = filled(location)
    refused = {path, path.parent} if folder_too else {path}
    monkeypatch.setattr(os, "access", lambda asked, _mode: Path(asked) not in refused)
    with opened(location, create=False) as store:
        assert store.read_only
        assert store.notice is not None
        assert str(path) in store.notice
        assert Writer(store).visible() == ["m1"]
        with pytest.raises(StoreError) as caught:
            Writer(store).remember()
    assert caught.value.code == "store_read_only"
    assert caught.value.hint


def test_without_a_write_ahead_log_the_rollback_journal_does(
    location: StoreLocation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connect, "use_wal", lambda *_: False)
    path = filled(location)
    with opened(location) as store:
        assert Writer(store).visible() == ["m1"]
    assert path.read_bytes()[18] == 1


def test_one_view_whatever_others_write(location: StoreLocation, store: Store) -> None:
    writer = Writer(store)
    first = writer.remember()
    with store.reading() as conn, opened(location) as other:
        at = store.present(conn)
        Writer(other).remember()
        assert memories.live_memories(conn, None, at) == [first]
        assert memories.count_memories(conn, None) == 1


def test_writes_of_others_are_noticed(location: StoreLocation, store: Store) -> None:
    Writer(store).remember()
    version, revision = store.data_version(), store.store_revision()
    assert store.data_version() == version
    with opened(location) as other:
        Writer(other).remember()
    assert store.data_version() != version
    assert store.store_revision() > revision


def test_threads_share_a_store(store: Store) -> None:
    writer = Writer(store)
    writer.repository()
    failures: list[BaseException] = []

    def work() -> None:
        try:
            for _ in range(5):
                writer.remember()
                writer.visible()
                store.data_version()
        except BaseException as error:  # noqa: BLE001 - told by the test's thread
            failures.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert len(writer.visible()) == 20


def test_locations_mask_passwords_and_refuse_other_databases() -> None:
    with pytest.raises(StoreError) as caught:
        StoreLocation.from_text("postgresql://ada:hunter2@db/x?password=hunter2")
    assert "hunter2" not in str(caught.value)
    assert "hunter2" not in StoreLocation("postgresql://ada:hunter2@db/x").display
    with pytest.raises(StoreError):
        StoreLocation.from_text("sqlite://")
    with pytest.raises(InputError):
        StoreLocation.from_text(" ")


def test_a_location_may_hold_any_character(tmp_path: Path) -> None:
    path = tmp_path / "a b#c?d%20" / "ünï.db"
    location = StoreLocation.from_text(str(path))
    assert filled(location) == path
    assert path.exists()
    assert StoreLocation.from_text(f"sqlite:///{path.parent}/x.db".replace("?", "")).path.name == "x.db"
