"""What changed and what there is: `diff`, `stats` (A9) and access times."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, delete, func, insert, select

from stilltrue.model.memory import ClosingKind, Memory
from stilltrue.model.time import AsOf, Instant
from stilltrue.store.memories import count_memories, memories_by_uid
from stilltrue.store.rows import MEMORY_COLUMNS, memory_from
from stilltrue.store.schema import HEAD, closings, memories, memory_access
from stilltrue.store.temporal import in_force, visible

TOP_SUBJECTS = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """What was learned, revised (old and new) and retracted in a stretch of time."""

    learned: tuple[Memory, ...]
    revised: tuple[tuple[Memory, Memory], ...]
    retracted: tuple[Memory, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Stats:
    """A store in numbers.

    Attributes:
        total: Versions ever recorded.
        current: Visible ones.
        subjects: The commonest subjects of visible ones with their counts.
        schema: The stored revision of the tables.
    """

    total: int
    current: int
    subjects: tuple[tuple[str, int], ...]
    schema: str


def changes_since(conn: Connection, repository: str, since: Instant, until: Instant) -> Changes:
    """What was said after `since` and up to `until`, less what was taken back by then."""
    recorded = select(*MEMORY_COLUMNS).where(
        memories.c.repository == repository,
        memories.c.supersedes.is_(None),
        memories.c.tx_at > since,
        memories.c.tx_at <= until,
    )
    learned = [memory_from(row) for row in conn.execute(recorded.order_by(memories.c.number))]
    said = (
        select(closings)
        .join(memories, memories.c.uid == closings.c.memory)
        .where(memories.c.repository == repository, closings.c.at > since, in_force(until))
        .order_by(closings.c.id)
    )
    ends = conn.execute(said).all()
    known = memories_by_uid(conn, [uid for end in ends for uid in (end.memory, end.successor) if uid])
    return Changes(
        learned=tuple(learned),
        revised=tuple((known[end.memory], known[end.successor]) for end in ends if end.successor),
        retracted=tuple(known[end.memory] for end in ends if end.kind == ClosingKind.RETRACTED),
    )


def stats(conn: Connection, repository: str, at: AsOf) -> Stats:
    """The repository's memories in numbers."""
    live = (memories.c.repository == repository, visible(at))
    current = conn.execute(select(func.count()).select_from(memories).where(*live)).scalar_one()
    counted = func.count().label("count")
    subjects = (
        select(memories.c.subject, counted)
        .where(*live)
        .group_by(memories.c.subject)
        .order_by(counted.desc(), memories.c.subject)
        .limit(TOP_SUBJECTS)
    )
    return Stats(
        total=count_memories(conn, repository),
        current=current,
        subjects=tuple((row[0], row[1]) for row in conn.execute(subjects)),
        schema=HEAD,
    )


def note_access(conn: Connection, shown: Sequence[Memory], now: Instant) -> None:
    """Notes that these memories were shown; the store revision stays."""
    numbers = sorted({memory.number for memory in shown})
    if numbers:
        conn.execute(delete(memory_access).where(memory_access.c.memory.in_(numbers)))
        conn.execute(
            insert(memory_access), [{"memory": number, "last_accessed_at": now} for number in numbers]
        )
