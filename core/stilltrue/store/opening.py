"""Decides what a file is, and whether this program may read, write or bring it up to date."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from stilltrue.errors import StoreError
from stilltrue.store import connect
from stilltrue.store.guard import corrupt, read_only
from stilltrue.store.indexing import is_settled, settle_index
from stilltrue.store.location import StoreLocation
from stilltrue.store.schema import HEAD, PROGRAM_LEVEL

KNOWN = frozenset({"", "0001", "0002", "0003", "0004", "0005", "0006", HEAD})
"""Revisions this program can migrate from or use; add each former HEAD here."""

_SMALLEST_PAGE = 512
_CANNOT_WRITE = "The store cannot be written, so it is only read: {}."
_TOO_NEW_TO_WRITE = "The store was made by a newer StillTrue, so it is only read: {}."


@dataclass(frozen=True, slots=True)
class Opened:
    """How a store may be used: the mode, and one sentence where it is only read."""

    mode: connect.Mode
    notice: str | None = None


@dataclass(frozen=True, slots=True)
class _Found:
    """What a file says of itself; revision is empty for a database without any table."""

    revision: str
    min_reader: int = 0
    min_writer: int = 0
    wal: bool = False
    index_settled: bool = False


def open_file(location: StoreLocation, *, create: bool, busy_ms: int) -> Opened | None:
    """Looks at the file, makes or migrates it where that is due; None for a store that is not there."""
    path = location.path
    if path.is_dir():
        raise StoreError(
            f"the store is a folder, not a file: {location.display}", hint="name a file inside it"
        )
    if not _has_content(path):
        if not create:
            return None
        _make(location)
    writable = connect.is_writable(path)
    found = _look(location, busy_ms, writable=writable)
    if found.min_reader > PROGRAM_LEVEL:
        raise StoreError(
            f"the store was made by a newer StillTrue: {location.display}",
            hint="update this StillTrue, or name another store",
            code="schema_too_new",
        )
    if not found.revision and not create:
        return None
    return _usable(location, found, busy_ms, writable=writable)


def _usable(location: StoreLocation, found: _Found, busy_ms: int, *, writable: bool) -> Opened:
    path = location.path
    due = found.revision in KNOWN and found.revision != HEAD
    if not writable:
        if due:
            raise read_only(location)
        return Opened(connect.read_mode(path), _CANNOT_WRITE.format(location.display))
    if found.min_writer > PROGRAM_LEVEL:
        return Opened("ro", _TOO_NEW_TO_WRITE.format(location.display))
    if not found.wal:
        with closing(connect.raw_connection(path, "rw", busy_ms)) as raw:
            connect.use_wal(raw, busy_ms)
    if due:
        _migrate(location, busy_ms)
    if found.revision in KNOWN and not found.index_settled:
        with closing(connect.raw_connection(path, "rw", busy_ms)) as raw:
            settle_index(raw)
    return Opened("rw")


def _has_content(path: Path) -> bool:
    try:
        return path.stat().st_size > 0
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as error:
        raise _unusable(path, error) from error


def _make(location: StoreLocation) -> None:
    try:
        connect.make_file(location.path)
    except OSError as error:
        raise _unusable(location.path, error) from error


def _unusable(path: Path, error: OSError) -> StoreError:
    return StoreError(
        f"the store cannot be used: {path} ({error.strerror})",
        hint="see whether its folder can be written, or name another store",
    )


def _look(location: StoreLocation, busy_ms: int, *, writable: bool) -> _Found:
    """Reads the stored revision without changing a byte of the file, even after a crash."""
    path = location.path
    if not _may_be_database(path):
        raise corrupt(location)
    careful = not writable or connect.log_of(path).exists()
    with closing(connect.raw_connection(path, connect.read_mode(path) if careful else "rw", busy_ms)) as raw:
        wal = raw.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
        try:
            row = raw.execute(
                "SELECT version_num, min_reader, min_writer FROM alembic_version, store_meta"
            ).fetchone()
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_ERROR:
                raise
            row = None
        if row is not None:
            return _Found(str(row[0]), int(row[1]), int(row[2]), wal=wal, index_settled=is_settled(raw))
        if raw.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            raise corrupt(location)
        return _Found("", wal=wal)


def _may_be_database(path: Path) -> bool:
    """Empty, or at least a page long: SQLite itself takes a few stray bytes for an empty database.

    The file is not opened for that: closing it would end every lock this process holds on it, and another
    process could then take away the log that is being written.
    """
    size = path.stat().st_size
    return not size or size >= _SMALLEST_PAGE


def _migrate(location: StoreLocation, busy_ms: int) -> None:
    # before the lock is taken: others wait for it, and Alembic takes longer to import than to run
    from stilltrue.store.migrate import migrate  # noqa: PLC0415 - only when one is due

    engine = connect.make_engine(location.path, "rw", busy_ms)
    try:
        with engine.connect() as connection, connect.begin_with(connection, "BEGIN IMMEDIATE").begin():
            migrate(connection)
    finally:
        engine.dispose()
