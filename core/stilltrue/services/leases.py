"""One pass at a time over a working tree: a lock row with an owner, an end, and a takeover (E34).

Whoever lost the lock writes nothing: it is asked for again in every transaction that a pass writes in.
"""

from __future__ import annotations

import os
import platform
import secrets
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from stilltrue.errors import ConflictError, StillTrueError
from stilltrue.model.healing import Lease
from stilltrue.model.time import Instant, instant_from_unix_ms, unix_ms
from stilltrue.services.workspace import Connection, Workspace
from stilltrue.store import checkpoints, repositories

LEASE_MS = 10 * 60 * 1000
"""A pass that takes longer may be taken over, and then writes nothing."""


@contextmanager
def held(workspace: Workspace) -> Iterator[Lease]:
    """The lock of this working tree for the length of a pass.

    Raises:
        ConflictError: Another process holds it; the message names it.
        StoreError: The store cannot be written.
    """
    with workspace.writing() as (connection, repository, now):
        checkout = repositories.ensure_checkout(connection, repository, *workspace.checkout, now)
        refuse_if_held(connection, checkout, now)
        lease = _new(workspace, now)
        checkpoints.write_lease(connection, checkout, lease)
    try:
        yield lease
    finally:
        with suppress(StillTrueError), workspace.store().writing() as connection:
            checkpoints.drop_lease(connection, checkout, lease.token)


def refuse_if_held(connection: Connection, checkout: int, now: Instant) -> None:
    """Go on only if no living process is at this working tree.

    Raises:
        ConflictError: One is; the message names it.
    """
    other = checkpoints.read_lease(connection, checkout)
    if other is None or other.expires_at <= now or _is_dead(other):
        return
    raise ConflictError(
        f"another pass is under way here: {other.owner}, process {other.process} on {other.machine}, "
        f"since {other.since}",
        hint=f"wait for it; after {other.expires_at} anybody may take over",
        code="heal_busy",
    )


def refuse_if_lost(connection: Connection, checkout: int, lease: Lease) -> None:
    """Go on only if the lock is still this pass's own.

    Raises:
        ConflictError: It took too long, and another took over.
    """
    present = checkpoints.read_lease(connection, checkout)
    if present is None or present.token != lease.token:
        raise ConflictError(
            "this pass took too long and another took over; nothing was written",
            hint="look at what that one found, or repeat this",
            code="heal_busy",
        )


def _new(workspace: Workspace, now: Instant) -> Lease:
    return Lease(
        owner=workspace.actor,
        machine=_machine(),
        process=os.getpid(),
        token=secrets.token_hex(8),
        since=now,
        expires_at=instant_from_unix_ms(unix_ms(now) + LEASE_MS),
    )


def _is_dead(lease: Lease) -> bool:
    """Its process ran on this machine and is gone; of others, and on Windows, only the end of time tells."""
    if lease.machine != _machine() or sys.platform == "win32":
        return False
    try:
        os.kill(lease.process, 0)
    except ProcessLookupError:
        return True
    except OSError:
        return False
    return False


def _machine() -> str:
    return platform.node() or "localhost"
