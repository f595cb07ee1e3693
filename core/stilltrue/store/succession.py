"""Ends of memories: superseding (A7) and retracting (A8), each a dated closing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sqlalchemy import Connection, insert, select

from stilltrue.errors import InputError
from stilltrue.model.memory import Closing, ClosingKind, Memory, MemoryDraft
from stilltrue.model.time import Instant
from stilltrue.store.engine import bump_revision
from stilltrue.store.lineage import chain_head, closings_of, standing_closing
from stilltrue.store.memories import insert_memory
from stilltrue.store.rows import MEMORY_COLUMNS, memory_from
from stilltrue.store.schema import closings, memories


def close_memory(conn: Connection, closing: Closing) -> int:
    """Records a closing and returns its number."""
    values = {
        "memory": closing.memory,
        "kind": closing.kind.value,
        "at": closing.at,
        "valid_at": closing.valid_at,
        "actor": closing.actor,
        "successor": closing.successor,
        "undone_at": closing.undone_at,
    }
    number = conn.execute(insert(closings).values(values).returning(closings.c.id)).scalar_one()
    bump_revision(conn, max(closing.at, closing.undone_at or closing.at))
    return int(number)


def supersede_memory(
    conn: Connection, old: Memory, draft: MemoryDraft, *, uid: str, now: Instant, actor: str
) -> Memory:
    """Replaces a memory by a new version; the old one ends where the new one begins to hold (A7).

    Subject and predicate are the old ones whatever the draft says, unless the old one was redacted.

    Raises:
        InputError: The old one ended already, or the new one would begin at a time that is refused.
    """
    _refuse_ended(conn, old)
    valid_from = draft.valid_from or now
    _refuse_date(old, valid_from, now)
    kept = draft if old.redacted else replace(draft, subject=old.subject, predicate=old.predicate)
    successor = insert_memory(
        conn,
        replace(kept, valid_from=valid_from),
        repository=old.repository,
        uid=uid,
        tx_at=now,
        chain=old.chain,
        supersedes=old.uid,
    )
    end = Closing(
        memory=old.uid,
        kind=ClosingKind.SUPERSEDED,
        at=now,
        valid_at=valid_from,
        actor=actor,
        successor=successor.uid,
    )
    close_memory(conn, end)
    return successor


def retract_memory(conn: Connection, memory: Memory, *, now: Instant, actor: str) -> bool:
    """Takes a memory back; False when it was retracted before, whose date then stays (A8)."""
    if standing_closing(conn, memory, ClosingKind.RETRACTED) is not None:
        return False
    end = Closing(memory=memory.uid, kind=ClosingKind.RETRACTED, at=now, valid_at=now, actor=actor)
    close_memory(conn, end)
    return True


def retract_by_ref(
    conn: Connection, repository: str, source_ref: str, *, now: Instant, actor: str
) -> list[Memory]:
    """Takes back every memory with exactly that source reference; returns those it took back.

    Raises:
        InputError: The reference is empty, which would take back everything without one.
    """
    if not source_ref.strip():
        raise InputError("the source reference is empty", hint="name the reference to forget")
    found = memories_from_source(conn, repository, source_ref)
    return [memory for memory in found if retract_memory(conn, memory, now=now, actor=actor)]


def memories_from_source(conn: Connection, repository: str, source_ref: str) -> list[Memory]:
    """Every memory with exactly that source reference, ended ones included, by number."""
    matching = select(*MEMORY_COLUMNS).where(
        memories.c.repository == repository, memories.c.source_ref == source_ref
    )
    return [memory_from(row) for row in conn.execute(matching.order_by(memories.c.number))]


def retracted_at(conn: Connection, uids: Sequence[str]) -> dict[str, Instant]:
    """When those of these memories that are retracted were."""
    return {
        uid: closing.at
        for uid, said in closings_of(conn, uids).items()
        for closing in said
        if closing.kind is ClosingKind.RETRACTED and closing.undone_at is None
    }


def _refuse_ended(conn: Connection, old: Memory) -> None:
    if standing_closing(conn, old, ClosingKind.SUPERSEDED) is not None:
        head = chain_head(conn, old)
        raise InputError(
            f"{old.id} was superseded already; the newest version is {head.id}: {head.text}",
            hint=f"revise {head.id} instead",
            code="superseded",
        )
    if standing_closing(conn, old, ClosingKind.RETRACTED) is not None:
        raise InputError(f"{old.id} was retracted", hint="remember it anew", code="retracted")


def _refuse_date(old: Memory, valid_from: Instant, now: Instant) -> None:
    if valid_from > now:
        raise InputError(f"a new version cannot begin to hold in the future ({valid_from})")
    was_backdated = old.valid_from < old.tx_at
    if was_backdated and valid_from < old.valid_from:
        raise InputError(
            f"{valid_from} lies before {old.id} began to hold ({old.valid_from}), which was backdated itself",
            hint=f"begin at {old.valid_from} or later",
        )
