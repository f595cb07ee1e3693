"""Memory rows: recorded once, never changed (design 5)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Select, case, func, insert, select

from stilltrue.errors import InputError, NotFoundError
from stilltrue.model.memory import Memory, MemoryDraft
from stilltrue.model.time import AsOf, Instant
from stilltrue.store.batches import batches
from stilltrue.store.engine import bump_revision
from stilltrue.store.rows import MEMORY_COLUMNS, memory_from
from stilltrue.store.schema import memories
from stilltrue.store.temporal import unexpired, visible

SHORTEST_UID_BEGINNING = 8

_NUMBER = re.compile(r"m?([0-9]{1,18})", re.IGNORECASE)
_UID_BEGINNING = re.compile(r"[0-9a-f-]{8,36}")


@dataclass(frozen=True, slots=True, kw_only=True)
class NewMemory:
    """A memory about to be recorded.

    Attributes:
        chain: uid of the first version of its chain; None for a first version.
        supersedes: uid of the version it replaces.
    """

    uid: str
    draft: MemoryDraft
    tx_at: Instant
    chain: str | None = None
    supersedes: str | None = None


def insert_memory(
    conn: Connection,
    draft: MemoryDraft,
    *,
    repository: str,
    uid: str,
    tx_at: Instant,
    chain: str | None = None,
    supersedes: str | None = None,
) -> Memory:
    """Records one memory.

    Raises:
        InputError: The draft breaks a rule of A1.
    """
    new = NewMemory(uid=uid, draft=draft, tx_at=tx_at, chain=chain, supersedes=supersedes)
    return insert_memories(conn, [new], repository=repository)[0]


def insert_memories(conn: Connection, new: Sequence[NewMemory], *, repository: str) -> list[Memory]:
    """Records many memories at once, in their order.

    Raises:
        InputError: One of the drafts breaks a rule of A1; none is recorded.
    """
    if not new:
        return []
    rows = [_values(item, repository) for item in new]
    conn.execute(insert(memories), rows)
    bump_revision(conn, max(item.tx_at for item in new))
    made = memories_by_uid(conn, [item.uid for item in new])
    return [made[item.uid] for item in new]


def get_memory(conn: Connection, uid: str) -> Memory:
    """The memory with that uid.

    Raises:
        NotFoundError: There is none.
    """
    found = memories_by_uid(conn, [uid]).get(uid)
    if found is None:
        raise _not_found(uid)
    return found


def memories_by_uid(conn: Connection, uids: Iterable[str]) -> dict[str, Memory]:
    """Those of these memories that exist."""
    found: dict[str, Memory] = {}
    for some in batches(list(dict.fromkeys(uids))):
        for row in conn.execute(_select().where(memories.c.uid.in_(some))):
            found[row.uid] = memory_from(row)
    return found


def resolve_memory(conn: Connection, reference: str, repository: str | None) -> Memory:
    """The memory a person means by `m12`, `12` or the beginning of a uid.

    Args:
        conn: A transaction.
        reference: What was written.
        repository: Look only there; None looks everywhere.

    Raises:
        NotFoundError: Nothing matches.
        InputError: Several memories match.
    """
    written = reference.strip().lower()
    statement = _select()
    if repository is not None:
        statement = statement.where(memories.c.repository == repository)
    if number := _NUMBER.fullmatch(written):
        row = conn.execute(statement.where(memories.c.number == int(number[1]))).first()
        if row is not None:
            return memory_from(row)
    if not _UID_BEGINNING.fullmatch(written):
        raise _not_found(reference)
    matching = statement.where(memories.c.uid.between(written, written + "g")).limit(2)
    rows = conn.execute(matching).all()
    if not rows:
        raise _not_found(reference)
    if len(rows) > 1:
        raise InputError(f"more than one memory begins with {written}", hint="write more of the uid")
    return memory_from(rows[0])


def live_memories(
    conn: Connection,
    repository: str | None,
    at: AsOf,
    *,
    after: int = 0,
    limit: int | None = None,
) -> list[Memory]:
    """What was known at `at.known` to hold at `at.valid`, by number.

    Args:
        conn: A transaction.
        repository: Of that one; None for all.
        at: The point on both axes.
        after: Only numbers above it, for paging.
        limit: At most so many.
    """
    statement = _select().where(memories.c.number > after, visible(at)).order_by(memories.c.number)
    if repository is not None:
        statement = statement.where(memories.c.repository == repository)
    if limit is not None:
        statement = statement.limit(limit)
    return [memory_from(row) for row in conn.execute(statement)]


def all_memories(conn: Connection, repository: str) -> list[Memory]:
    """Every version of the repository's memories, ended ones included, by number."""
    statement = _select().where(memories.c.repository == repository).order_by(memories.c.number)
    return [memory_from(row) for row in conn.execute(statement)]


def are_live(conn: Connection, uids: Iterable[str], at: AsOf) -> set[str]:
    """Which of these memories are visible at that point."""
    found: set[str] = set()
    for some in batches(list(dict.fromkeys(uids))):
        found.update(
            conn.execute(select(memories.c.uid).where(memories.c.uid.in_(some), visible(at))).scalars()
        )
    return found


def count_live(conn: Connection, repository: str, at: AsOf) -> tuple[int, int]:
    """How many memories are visible at that point, and how many of them have expired."""
    in_time = case((unexpired(at.valid), 0), else_=1)
    statement = select(func.count(), func.coalesce(func.sum(in_time), 0)).select_from(memories)
    row = conn.execute(statement.where(memories.c.repository == repository, visible(at))).one()
    return int(row[0]), int(row[1])


def count_memories(conn: Connection, repository: str | None) -> int:
    """How many versions there are, ended ones included."""
    statement = select(func.count()).select_from(memories)
    if repository is not None:
        statement = statement.where(memories.c.repository == repository)
    return int(conn.execute(statement).scalar_one())


def _select() -> Select[Any]:
    return select(*MEMORY_COLUMNS)


def _not_found(reference: str) -> NotFoundError:
    return NotFoundError(
        f"no such memory: {reference}",
        hint=f"write m12, 12, or at least {SHORTEST_UID_BEGINNING} characters of a uid",
    )


def _values(new: NewMemory, repository: str) -> dict[str, Any]:
    draft = new.draft
    valid_from = draft.valid_from or new.tx_at
    _check(draft, valid_from)
    return {
        "uid": new.uid,
        "repository": repository,
        "chain": new.chain or new.uid,
        "supersedes": new.supersedes,
        "text": draft.text,
        "subject": draft.subject,
        "predicate": draft.predicate,
        "kind": draft.kind.value,
        "importance": draft.importance,
        "confidence": draft.confidence,
        "trust": draft.trust.value,
        "source_ref": draft.source_ref,
        "source_agent": draft.source_agent,
        "valid_from": valid_from,
        "valid_to": draft.valid_to,
        "expires_at": draft.expires_at,
        "tx_at": new.tx_at,
        "origin": draft.origin.value,
        "redacted": 0,
    }


def _check(draft: MemoryDraft, valid_from: Instant) -> None:
    if not draft.text.strip() or not draft.subject.strip():
        raise InputError("a memory needs a text and a subject", hint="write both; neither may be blank")
    if not isinstance(draft.importance, int) or not 1 <= draft.importance <= 10:  # noqa: PLR2004 - A1
        raise InputError(f"importance is a whole number from 1 to 10, not {draft.importance}")
    if not 0.0 <= draft.confidence <= 1.0:
        raise InputError(f"confidence is a number from 0.0 to 1.0, not {draft.confidence}")
    if draft.valid_to is not None and draft.valid_to <= valid_from:
        raise InputError(f"it would end ({draft.valid_to}) before it begins to hold ({valid_from})")
    words = (draft.text, draft.subject, draft.predicate, draft.source_ref or "", draft.source_agent or "")
    if any(_is_broken(word) for word in words):
        raise InputError("the text holds half a character (a lone surrogate) and cannot be stored")


def _is_broken(word: str) -> bool:
    return any("\ud800" <= character <= "\udfff" for character in word) if not word.isascii() else False
