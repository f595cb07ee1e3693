"""Snoozes: insert-only, personal, the newest of a memory counts (design 7)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, func, insert, or_, select

from stilltrue.model.snooze import Snooze
from stilltrue.model.time import Instant
from stilltrue.store.batches import batches
from stilltrue.store.engine import bump_revision
from stilltrue.store.schema import snoozes


def insert_snoozes(conn: Connection, repository: str, new: Sequence[Snooze]) -> list[int]:
    """Records snoozes in their order and returns their numbers."""
    made = insert(snoozes).returning(snoozes.c.id)
    numbers = [int(conn.execute(made.values(_values(repository, each))).scalar_one()) for each in new]
    if new:
        bump_revision(conn, max(each.at for each in new))
    return numbers


def snoozes_at(conn: Connection, repository: str, actor: str, at: Instant) -> dict[str, Snooze]:
    """The newest snooze of each memory that is not over by then, by memory uid.

    Whether the lines of one without an end changed is not asked here.
    """
    own = (snoozes.c.repository == repository, snoozes.c.actor == actor)
    newest = select(func.max(snoozes.c.id)).where(*own).group_by(snoozes.c.memory)
    statement = select(snoozes).where(snoozes.c.id.in_(newest))
    standing = or_(snoozes.c.until.is_(None), snoozes.c.until > at)
    return {row.memory: _snooze(row) for row in conn.execute(statement.where(standing))}


def snoozes_by_number(conn: Connection, numbers: Sequence[int]) -> list[Snooze]:
    """The snoozes with these numbers, in the order they were recorded."""
    found = []
    for some in batches(sorted(numbers)):
        statement = select(snoozes).where(snoozes.c.id.in_(some)).order_by(snoozes.c.id)
        found += [_snooze(row) for row in conn.execute(statement)]
    return found


def _values(repository: str, one: Snooze) -> dict[str, object]:
    return {
        "repository": repository,
        "memory": one.memory,
        "actor": one.actor,
        "until": one.until,
        "seen": json.dumps(dict(one.seen), sort_keys=True) if one.until is None else None,
        "at": one.at,
    }


def _snooze(row: Any) -> Snooze:  # noqa: ANN401 - a row of SQLAlchemy's
    return Snooze(
        memory=row.memory,
        actor=row.actor,
        at=row.at,
        until=row.until,
        seen=json.loads(row.seen) if row.seen else {},
    )
