"""What was in force at a point on both axes (design 5); one predicate per axis.

Membership never looks at verdicts or pins (A5).
"""

from __future__ import annotations

from sqlalchemy import ColumnElement, FromClause, and_, exists, or_

from stilltrue.model.memory import ClosingKind
from stilltrue.model.time import AsOf, Instant
from stilltrue.store.schema import closings, memories


def known(known_at: Instant) -> ColumnElement[bool]:
    """The memory had been recorded."""
    return memories.c.tx_at <= known_at


def holds(valid_at: Instant) -> ColumnElement[bool]:
    """The memory holds, as recorded; half open."""
    ends = memories.c.valid_to
    return and_(memories.c.valid_from <= valid_at, or_(ends.is_(None), ends > valid_at))


def in_force(known_at: Instant, table: FromClause = closings) -> ColumnElement[bool]:
    """The closing had been said, and not taken back."""
    undone = table.c.undone_at
    return and_(table.c.at <= known_at, or_(undone.is_(None), undone > known_at))


def unexpired(valid_at: Instant) -> ColumnElement[bool]:
    """The memory may still be served; at its very instant it has expired (C13). No part of membership."""
    return or_(memories.c.expires_at.is_(None), memories.c.expires_at > valid_at)


def visible(at: AsOf) -> ColumnElement[bool]:
    """The memory is part of what was known then about what held then."""
    ends_it = or_(closings.c.kind == ClosingKind.RETRACTED, closings.c.valid_at <= at.valid)
    closed = exists().where(closings.c.memory == memories.c.uid, in_force(at.known), ends_it)
    return and_(known(at.known), holds(at.valid), ~closed)
