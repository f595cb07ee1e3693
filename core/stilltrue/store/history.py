"""The journal of acts, and `undo`: the last act is reversed by dated events, nothing is deleted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from sqlalchemy import Connection, insert, select, update

from stilltrue.errors import ConflictError, NotFoundError
from stilltrue.model.citation import Citation
from stilltrue.model.memory import ClosingKind, Memory
from stilltrue.model.time import Instant
from stilltrue.store.citations import undo_generation
from stilltrue.store.engine import bump_revision
from stilltrue.store.lineage import closings_of
from stilltrue.store.memories import memories_by_uid
from stilltrue.store.schema import act_objects, acts, citations, closings, generations, memories
from stilltrue.store.succession import retract_memory


class ActKind(StrEnum):
    """What somebody did."""

    REMEMBER = "remember"
    SUPERSEDE = "supersede"
    RETRACT = "retract"
    REVERIFY = "reverify"
    REPOINT = "repoint"
    CITE = "cite"
    IMPORT = "import"
    DEMOTE = "demote"
    LOWER = "lower"


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """One act and what it made.

    Attributes:
        kind: An `ActKind`, or another word by a later program.
        memories: uids of the memories it recorded.
        closed: uids of the memories it ended.
        generations: Citation number and generation of each generation it appended.
        closing_ids: Numbers of the closings it made.
    """

    id: int
    kind: str
    repository: str
    actor: str
    at: Instant
    undone_at: Instant | None
    memories: tuple[str, ...]
    closed: tuple[str, ...]
    generations: tuple[tuple[int, int], ...]
    closing_ids: tuple[int, ...]


def record_act(  # noqa: PLR0913 - one act's facts, each named
    conn: Connection,
    kind: str,
    *,
    repository: str,
    actor: str,
    at: Instant,
    memory_uids: Sequence[str] = (),
    generations: Sequence[Citation] = (),
    closed: Sequence[str] = (),
) -> int:
    """Journals an act, in its own transaction, so that it can be undone.

    Args:
        conn: The transaction of the act.
        kind: An `ActKind`.
        repository: Where.
        actor: Who.
        at: When.
        memory_uids: Memories it recorded.
        generations: Citations at the generations it appended (first generations may be left out).
        closed: Memories it ended; of each, the newest closing belongs to the act.
    """
    made = insert(acts).values(repository=repository, kind=kind, actor=actor, at=at).returning(acts.c.id)
    act = int(conn.execute(made).scalar_one())
    recorded = memories_by_uid(conn, memory_uids)
    objects = [("memory", recorded[uid].number, 0) for uid in dict.fromkeys(memory_uids)]
    objects += [("closing", _newest_closing(conn, uid), 0) for uid in dict.fromkeys(closed)]
    objects += [("generation", citation.number, citation.generation) for citation in generations]
    rows = [
        {"act": act, "role": role, "object": number, "generation": generation}
        for role, number, generation in objects
    ]
    if rows:
        conn.execute(insert(act_objects), rows)
    return act


def last_act(conn: Connection, repository: str, *, actor: str | None = None) -> Act | None:
    """The newest act that was not undone, or None.

    Args:
        conn: A transaction.
        repository: Where.
        actor: Only that one's acts.
    """
    statement = select(acts.c.id).where(acts.c.repository == repository, acts.c.undone_at.is_(None))
    if actor is not None:
        statement = statement.where(acts.c.actor == actor)
    found = conn.execute(statement.order_by(acts.c.id.desc()).limit(1)).scalar_one_or_none()
    return get_act(conn, found) if found is not None else None


def get_act(conn: Connection, act_id: int) -> Act:
    """That act.

    Raises:
        NotFoundError: There is none.
    """
    row = conn.execute(select(acts).where(acts.c.id == act_id)).first()
    if row is None:
        raise NotFoundError(f"no such act: {act_id}")
    return Act(
        id=row.id,
        kind=row.kind,
        repository=row.repository,
        actor=row.actor,
        at=row.at,
        undone_at=row.undone_at,
        memories=tuple(_objects(conn, act_id, "memory", memories.c.number, memories.c.uid)),
        closed=tuple(_objects(conn, act_id, "closing", closings.c.id, closings.c.memory)),
        generations=_generations(conn, act_id),
        closing_ids=tuple(_objects(conn, act_id, "closing", closings.c.id, closings.c.id)),
    )


def undo_act(conn: Connection, act: Act, *, now: Instant, actor: str) -> None:
    """Reverses an act: retracts what it recorded, takes back the ends and generations it made.

    Raises:
        ConflictError: It was undone already, or something stands on it.
    """
    fresh = get_act(conn, act.id)
    if fresh.undone_at is not None:
        raise ConflictError(f"that {fresh.kind} was undone already, at {fresh.undone_at}")
    recorded = list(memories_by_uid(conn, fresh.memories).values())
    standing = [*_ends_since(conn, fresh, recorded), *_generations_since(conn, fresh, recorded)]
    if standing:
        raise ConflictError(
            f"that {fresh.kind} cannot be undone, because {'; '.join(standing)}",
            hint="undo the later act first",
        )
    for number in fresh.closing_ids:
        conn.execute(update(closings).where(closings.c.id == number).values(undone_at=now))
    for citation, generation in fresh.generations:
        if generation > 1:
            undo_generation(conn, citation, generation, now=now)
    for memory in recorded:
        retract_memory(conn, memory, now=now, actor=actor)
    conn.execute(update(acts).where(acts.c.id == fresh.id).values(undone_at=now, undone_by=actor))
    bump_revision(conn, now)


def _ends_since(conn: Connection, act: Act, recorded: Sequence[Memory]) -> list[str]:
    """What ended a memory of the act by another act."""
    names = {memory.uid: memory.id for memory in recorded}
    ends = closings_of(conn, names)
    standing = [end for said in ends.values() for end in said if end.undone_at is None]
    own = set(act.memories)
    successors = memories_by_uid(conn, [end.successor for end in standing if end.successor])
    told = []
    for end in standing:
        if end.kind is ClosingKind.RETRACTED:
            told.append(f"{names[end.memory]} was retracted since")
        elif end.successor not in own:
            told.append(f"{successors[end.successor or ''].id} supersedes {names[end.memory]}")
    return told


def _generations_since(conn: Connection, act: Act, recorded: Sequence[Memory]) -> list[str]:
    """Generations appended later to citations that the act made."""
    made = dict(act.generations)
    owned = select(citations.c.number).where(citations.c.memory.in_([memory.number for memory in recorded]))
    first = dict.fromkeys(conn.execute(owned).scalars(), 1)
    reached = {**first, **made}
    newest = select(generations.c.citation, generations.c.generation).where(
        generations.c.citation.in_(list(reached)), generations.c.undone_at.is_(None)
    )
    return [
        f"c{citation} was re-verified or re-pointed since"
        for citation, generation in conn.execute(newest.order_by(generations.c.citation))
        if generation > reached[citation]
    ]


def _newest_closing(conn: Connection, memory_uid: str) -> int:
    statement = select(closings.c.id).where(closings.c.memory == memory_uid, closings.c.undone_at.is_(None))
    newest = conn.execute(statement.order_by(closings.c.id.desc()).limit(1)).scalar_one_or_none()
    if newest is None:
        raise NotFoundError(f"this memory was not closed: {memory_uid}")
    return int(newest)


def _objects(conn: Connection, act: int, role: str, number: Any, wanted: Any) -> Sequence[Any]:  # noqa: ANN401 - columns
    statement = select(wanted).join(act_objects, act_objects.c.object == number)
    own = statement.where(act_objects.c.act == act, act_objects.c.role == role)
    return conn.execute(own.order_by(act_objects.c.object)).scalars().all()


def _generations(conn: Connection, act: int) -> tuple[tuple[int, int], ...]:
    columns = (act_objects.c.object, act_objects.c.generation)
    own = select(*columns).where(act_objects.c.act == act, act_objects.c.role == "generation")
    return tuple((row[0], row[1]) for row in conn.execute(own.order_by(*columns)))
