"""Forgetting for real: blanking one memory, deleting one repository (design 5)."""

from __future__ import annotations

from sqlalchemy import Connection, delete, select, update

from stilltrue.model.memory import Memory
from stilltrue.model.time import Instant
from stilltrue.store.engine import bump_revision
from stilltrue.store.healing import copies_by_events
from stilltrue.store.memories import get_memory
from stilltrue.store.rows import TEXT_COLUMNS
from stilltrue.store.schema import (
    act_objects,
    acts,
    checkouts,
    citations,
    closings,
    file_cache,
    generation_texts,
    generations,
    heal_checkpoints,
    heal_events,
    heal_locks,
    memories,
    memory_access,
    receipts,
    repositories,
    repository_keys,
    snoozes,
    verdicts,
)


def redact_memory(conn: Connection, memory: Memory, *, now: Instant | None = None) -> Memory:
    """Blanks a memory's words and every excerpt of its citations; the tombstone stays.

    Versions that a background pass copied from it, or that it was copied from, hold the same words and are
    blanked with it. Call `Store.scrub` afterwards, so that nothing is left in the file's free pages.
    """
    blank = {"text": "", "subject": "", "predicate": "", "redacted": 1}
    kept_text = dict.fromkeys(TEXT_COLUMNS)
    for number in (memory.number, *copies_by_events(conn, memory)):
        conn.execute(update(memories).where(memories.c.number == number).values(blank))
        own = select(citations.c.number).where(citations.c.memory == number)
        texts = generation_texts.c.citation.in_(own)
        conn.execute(update(generation_texts).where(texts).values(kept_text))
    bump_revision(conn, now)
    return get_memory(conn, memory.uid)


def purge_repository(conn: Connection, uid: str) -> dict[str, int]:
    """Deletes everything of a repository; returns how many rows of each table went.

    Call `Store.scrub` afterwards, so that nothing is left in the file's free pages.
    """
    own_memories = select(memories.c.number).where(memories.c.repository == uid)
    own_uids = select(memories.c.uid).where(memories.c.repository == uid)
    own_citations = select(citations.c.number).where(citations.c.memory.in_(own_memories))
    own_checkouts = select(checkouts.c.id).where(checkouts.c.repository == uid)
    own_acts = select(acts.c.id).where(acts.c.repository == uid)
    portions = [
        (heal_checkpoints, heal_checkpoints.c.checkout.in_(own_checkouts)),
        (heal_locks, heal_locks.c.checkout.in_(own_checkouts)),
        (heal_events, heal_events.c.repository == uid),
        (file_cache, file_cache.c.checkout.in_(own_checkouts)),
        (verdicts, verdicts.c.checkout.in_(own_checkouts) | verdicts.c.citation.in_(own_citations)),
        (act_objects, act_objects.c.act.in_(own_acts)),
        (acts, acts.c.repository == uid),
        (receipts, receipts.c.repository == uid),
        (generation_texts, generation_texts.c.citation.in_(own_citations)),
        (generations, generations.c.citation.in_(own_citations)),
        (citations, citations.c.memory.in_(own_memories)),
        (closings, closings.c.memory.in_(own_uids)),
        (snoozes, snoozes.c.repository == uid),
        (memory_access, memory_access.c.memory.in_(own_memories)),
        (memories, memories.c.repository == uid),
        (checkouts, checkouts.c.repository == uid),
        (repository_keys, repository_keys.c.repository == uid),
        (repositories, repositories.c.uid == uid),
    ]
    counts = {table.name: conn.execute(delete(table).where(own)).rowcount for table, own in portions}
    bump_revision(conn)
    return counts
