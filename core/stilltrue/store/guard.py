"""Turns the database's errors into ours, so that none leaves the store raw."""

from __future__ import annotations

import sqlite3
from collections.abc import Generator
from contextlib import contextmanager

from sqlalchemy.exc import SQLAlchemyError

from stilltrue.errors import ConflictError, InputError, StillTrueError, StoreError
from stilltrue.store.location import StoreLocation

_LOCKED = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
_CORRUPT = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}


@contextmanager
def guarded(location: StoreLocation) -> Generator[None]:
    """Whatever the database raises inside leaves as a `StillTrueError`."""
    try:
        yield
    except (SQLAlchemyError, sqlite3.Error) as error:
        cause = getattr(error, "orig", None) or error
        raise translated(cause, location) from error


def translated(cause: BaseException, location: StoreLocation) -> StillTrueError:
    """The error to show for what the database said."""
    code = getattr(cause, "sqlite_errorcode", 0) & 0xFF
    if isinstance(cause, sqlite3.IntegrityError):
        return _refused(cause)
    if code in _LOCKED:
        return StoreError(
            f"the store is locked by another program: {location.display}",
            hint="try again; if it stays so, find the program that holds the file open",
            code="store_locked",
        )
    if code in _CORRUPT:
        return corrupt(location)
    if code == sqlite3.SQLITE_READONLY:
        return read_only(location)
    return StoreError(
        f"the store cannot be used: {location.display} ({cause})",
        hint="see whether the disk is full and the folder can be written",
    )


def corrupt(location: StoreLocation) -> StoreError:
    """The file is damaged, or no store at all."""
    return StoreError(
        f"this file is damaged or is not a StillTrue store: {location.display}",
        hint=f"move {location.display} aside, or bring it back from a backup",
        code="store_corrupt",
    )


def read_only(location: StoreLocation) -> StoreError:
    """The store can be read and not be written."""
    return StoreError(
        f"the store cannot be written: {location.display}",
        hint="make the file and its folder writable, or name another store",
        code="store_read_only",
    )


def _refused(cause: sqlite3.IntegrityError) -> StillTrueError:
    text = str(cause)
    if text.startswith(("CHECK", "NOT NULL")):
        return InputError(f"the store refuses this: {text}")
    return ConflictError(f"the store holds something else already: {text}")
