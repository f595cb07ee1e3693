"""How a SQLite file is opened: modes, pragmas and transactions."""

from __future__ import annotations

import math
import os
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from typing import Literal

from sqlalchemy import Connection, Engine, NullPool, QueuePool, create_engine, event

Mode = Literal["rw", "ro", "immutable"]

BUSY_MS = 5_000
_OPTIONS = {"rw": "mode=rw", "ro": "mode=ro", "immutable": "mode=ro&immutable=1"}
_BEGIN = "stilltrue_begin"


def make_file(path: Path) -> None:
    """Makes the empty file (0600) and its folder (0700) where they are missing."""
    if not path.parent.exists():
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    try:
        handle = os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600)
    except FileExistsError:
        return
    try:
        if hasattr(os, "fchmod"):
            os.fchmod(handle, 0o600)
    finally:
        os.close(handle)


def is_writable(path: Path) -> bool:
    """The file can be written, and its folder takes the files SQLite puts beside it."""
    return os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)


def log_of(path: Path) -> Path:
    """The write-ahead log beside the file."""
    return path.with_name(path.name + "-wal")


def read_mode(path: Path) -> Mode:
    """How to read a file that cannot be written.

    Without a write-ahead log nobody is writing, and where the folder takes no files either, SQLite
    can read one in WAL mode only as an immutable file.
    """
    return "ro" if log_of(path).exists() or os.access(path.parent, os.W_OK) else "immutable"


def raw_connection(path: Path, mode: Mode, busy_ms: int) -> sqlite3.Connection:
    """A connection in autocommit mode; transactions are begun by statement. Never makes a file."""
    connection = sqlite3.connect(
        f"{path.as_uri()}?{_OPTIONS[mode]}",
        uri=True,
        timeout=busy_ms / 1000,
        check_same_thread=False,
        isolation_level=None,
    )
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA secure_delete = ON")
    ensure_power(connection)
    return connection


def ensure_power(connection: sqlite3.Connection) -> None:
    """Gives the connection `pow` where SQLite was built without mathematics (A48)."""
    try:
        connection.execute("SELECT pow(2, 1)")
    except sqlite3.OperationalError:
        register_power(connection)


def register_power(connection: sqlite3.Connection) -> None:
    """Has `pow` calculated here."""
    connection.create_function("pow", 2, _power, deterministic=True)


def _power(base: float | None, exponent: float | None) -> float | None:
    return None if base is None or exponent is None else math.pow(base, exponent)


def use_wal(connection: sqlite3.Connection, busy_ms: int) -> bool:
    """Turns on the write-ahead log; False where the file system cannot have it.

    SQLite does not wait for other connections here, so this does.
    """
    deadline = time.monotonic() + busy_ms / 1000
    while True:
        try:
            return bool(connection.execute("PRAGMA journal_mode = WAL").fetchone()[0] == "wal")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
        time.sleep(0.01)


def make_engine(path: Path, mode: Mode, busy_ms: int) -> Engine:
    """An engine whose transactions begin exactly as `begin_with` says."""

    def creator() -> sqlite3.Connection:
        return raw_connection(path, mode, busy_ms)

    pooling = {"poolclass": NullPool} if mode == "immutable" else {"poolclass": QueuePool, "max_overflow": -1}
    engine = create_engine("sqlite://", creator=creator, **pooling)
    listener: Callable[[Connection], None] = _begin
    event.listen(engine, "begin", listener)
    return engine


def begin_with(connection: Connection, statement: Literal["BEGIN", "BEGIN IMMEDIATE"]) -> Connection:
    """Says how that connection's next transaction begins."""
    return connection.execution_options(**{_BEGIN: statement})


def _begin(connection: Connection) -> None:
    connection.exec_driver_sql(connection.get_execution_options().get(_BEGIN, "BEGIN"))
