"""Opens a store and hands out its transactions."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Generator
from contextlib import contextmanager
from typing import Self

from sqlalchemy import Connection, Engine, select, update

from stilltrue.clock import Clock
from stilltrue.errors import StoreError
from stilltrue.model.time import AsOf, Instant, instant_from_unix_ms, unix_ms
from stilltrue.store import connect
from stilltrue.store.guard import guarded, read_only
from stilltrue.store.location import StoreLocation
from stilltrue.store.opening import Opened, open_file
from stilltrue.store.schema import store_meta

__all__ = ["Connection", "Store", "StoreLocation", "bump_revision", "newest_instant", "open_store"]


def open_store(
    location: StoreLocation, *, clock: Clock, create: bool, busy_ms: int = connect.BUSY_MS
) -> Store | None:
    """Opens the store, bringing its tables up to date where that is due and possible.

    Args:
        location: Where it is.
        clock: Dates what is written.
        create: Make it where it is missing; otherwise a missing store is None and stays missing (F5).
        busy_ms: How long to wait for other writers.

    Raises:
        StoreError: With code `schema_too_new`, `store_corrupt`, `store_locked`, `store_read_only` or
            `store_unusable`.
    """
    with guarded(location):
        opened = open_file(location, create=create, busy_ms=busy_ms)
    return Store(location, opened, clock=clock, busy_ms=busy_ms) if opened else None


class Store:
    """An open store; may be used from several threads at once. Made by `open_store`.

    Attributes:
        location: Where it is.
        read_only: It cannot be written.
        notice: Why not, in one sentence, or None.
    """

    def __init__(self, location: StoreLocation, opened: Opened, *, clock: Clock, busy_ms: int) -> None:
        self.location = location
        self.read_only = opened.notice is not None
        self.notice = opened.notice
        self._mode = opened.mode
        self._engine: Engine = connect.make_engine(location.path, opened.mode, busy_ms)
        self._clock = clock
        self._busy_ms = busy_ms
        self._watch: sqlite3.Connection | None = None
        self._watch_lock = threading.Lock()
        self._write_turn = threading.RLock()

    @contextmanager
    def reading(self) -> Generator[Connection]:
        """One consistent view of the store, whatever others write meanwhile."""
        with guarded(self.location), self._engine.connect() as connection:
            begun = connect.begin_with(connection, "BEGIN")
            with begun.begin():
                yield begun

    @contextmanager
    def writing(self, *, busy_ms: int | None = None) -> Generator[Connection]:
        """One transaction that holds the write lock; undone whole on any exception.

        When the block is left without one, what it wrote is on the disk.

        Args:
            busy_ms: Wait only that long for the lock (0 for what may as well be skipped).

        Raises:
            StoreError: The store is read-only, locked or unusable.
        """
        if self.read_only:
            raise self._refusal()
        with (
            self._in_turn(self._busy_ms if busy_ms is None else busy_ms),
            guarded(self.location),
            self._engine.connect() as connection,
        ):
            begun = connect.begin_with(connection, "BEGIN IMMEDIATE")
            with _waiting(begun, busy_ms, self._busy_ms), begun.begin():
                yield begun

    @contextmanager
    def _in_turn(self, patience_ms: int) -> Generator[None]:
        """Lets the threads of this process queue: SQLite's own wait is no queue and may starve one of many.

        Whoever waited in vain goes on and is told by SQLite that the store is locked.
        """
        has_turn = self._write_turn.acquire(timeout=patience_ms / 1000)
        try:
            yield
        finally:
            if has_turn:
                self._write_turn.release()

    def now(self, connection: Connection) -> Instant:
        """The time to date a write with: later than anything stored (A6).

        Ask inside the writing transaction, so that what was read before keeps its answer (I3).
        """
        told = self._clock.now()
        newest = newest_instant(connection)
        if newest is None or told > newest:
            return told
        return instant_from_unix_ms(unix_ms(newest) + 1)

    def present(self, connection: Connection) -> AsOf:
        """Now on both axes, never earlier than the newest thing stored (A6)."""
        told = self._clock.now()
        newest = newest_instant(connection)
        at = told if newest is None else max(told, newest)
        return AsOf(known=at, valid=at)

    def store_revision(self) -> int:
        """A number that moves with memory, citation and verdict writes only."""
        with self.reading() as connection:
            return int(connection.execute(select(store_meta.c.store_revision)).scalar_one())

    def newest_tx_at(self) -> Instant | None:
        """The date of the newest thing stored, or None for an empty store."""
        with self.reading() as connection:
            return newest_instant(connection)

    def data_version(self) -> int:
        """A number that differs from the last answer when anybody wrote anything since; cheap.

        Ask `store_revision` then whether it was something that matters.
        """
        with guarded(self.location), self._watch_lock:
            if self._watch is None:
                self._watch = connect.raw_connection(self.location.path, self._mode, self._busy_ms)
            return int(self._watch.execute("PRAGMA data_version").fetchone()[0])

    def scrub(self) -> None:
        """Rewrites the file, so that nothing deleted or blanked is left in it."""
        if self.read_only:
            raise self._refusal()
        with guarded(self.location):
            raw = connect.raw_connection(self.location.path, "rw", self._busy_ms)
            try:
                raw.execute("VACUUM")
                raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            finally:
                raw.close()

    def close(self) -> None:
        """Lets go of the file. Nothing may use the store afterwards."""
        self._engine.dispose()
        with self._watch_lock:
            if self._watch is not None:
                self._watch.close()
                self._watch = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _refusal(self) -> StoreError:
        refusal = read_only(self.location)
        return StoreError(self.notice or refusal.message, hint=refusal.hint, code=refusal.code)


def newest_instant(connection: Connection) -> Instant | None:
    """The date of the newest thing stored, or None for an empty store."""
    newest = connection.execute(select(store_meta.c.newest_at)).scalar_one()
    return Instant(newest) if newest else None


def bump_revision(connection: Connection, at: Instant | None = None) -> None:
    """Moves the store revision; every function of the store that writes does so itself.

    Args:
        connection: A writing transaction.
        at: The date of what was written; verdicts have none on the transaction axis.
    """
    values = {"store_revision": store_meta.c.store_revision + 1}
    connection.execute(update(store_meta).values(values))
    if at is not None:
        later = store_meta.c.newest_at.is_(None) | (store_meta.c.newest_at < at)
        connection.execute(update(store_meta).where(later).values(newest_at=at))


@contextmanager
def _waiting(connection: Connection, busy_ms: int | None, usual_ms: int) -> Generator[None]:
    if busy_ms is None:
        yield
        return
    raw = connection.connection.driver_connection
    assert isinstance(raw, sqlite3.Connection)  # noqa: S101 - for the type checker
    raw.execute(f"PRAGMA busy_timeout = {int(busy_ms)}")
    try:
        yield
    finally:
        raw.execute(f"PRAGMA busy_timeout = {int(usual_ms)}")
