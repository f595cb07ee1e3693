"""Where a background pass stopped, and the lock row its writers hold; both of one checkout (design 6)."""

from __future__ import annotations

import json

from sqlalchemy import Connection, delete, insert, select

from stilltrue.model.healing import Checkpoint, Lease
from stilltrue.store.schema import heal_checkpoints, heal_locks


def read_checkpoint(conn: Connection, checkout: int) -> Checkpoint | None:
    """Up to where that working tree was judged, or None."""
    row = conn.execute(select(heal_checkpoints).where(heal_checkpoints.c.checkout == checkout)).first()
    if row is None:
        return None
    return Checkpoint(
        head=row.head,
        uncommitted=tuple(json.loads(row.uncommitted)),
        judged_with=row.judged_with,
        at=row.at,
    )


def write_checkpoint(conn: Connection, checkout: int, reached: Checkpoint) -> None:
    """Says up to where that working tree was judged. The store revision stays: nothing is known anew."""
    conn.execute(delete(heal_checkpoints).where(heal_checkpoints.c.checkout == checkout))
    values = {
        "checkout": checkout,
        "head": reached.head,
        "uncommitted": json.dumps(reached.uncommitted),
        "judged_with": reached.judged_with,
        "at": reached.at,
    }
    conn.execute(insert(heal_checkpoints).values(values))


def read_lease(conn: Connection, checkout: int) -> Lease | None:
    """Who holds the lock of that working tree, or held it last and never let go."""
    row = conn.execute(select(heal_locks).where(heal_locks.c.checkout == checkout)).first()
    if row is None:
        return None
    return Lease(
        owner=row.owner,
        machine=row.machine,
        process=row.process,
        token=row.token,
        since=row.since,
        expires_at=row.expires_at,
    )


def write_lease(conn: Connection, checkout: int, lease: Lease) -> None:
    """Hands the lock of that working tree to somebody, whoever held it before."""
    conn.execute(delete(heal_locks).where(heal_locks.c.checkout == checkout))
    values = {name: getattr(lease, name) for name in Lease.__dataclass_fields__}
    conn.execute(insert(heal_locks).values(checkout=checkout, **values))


def drop_lease(conn: Connection, checkout: int, token: str) -> None:
    """Lets go of the lock, unless somebody else took it over."""
    mine = (heal_locks.c.checkout == checkout, heal_locks.c.token == token)
    conn.execute(delete(heal_locks).where(*mine))
