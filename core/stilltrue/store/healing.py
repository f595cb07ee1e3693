"""What a pass must look at, the events it leaves, and the work-list that follows from them (E24 to E33)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, and_, insert, literal_column, or_, select, union

from stilltrue.model.healing import DriftReason, HealEvent, HealKind, ResolverState
from stilltrue.model.memory import Memory, Trust
from stilltrue.model.time import AsOf, Instant
from stilltrue.model.verdict import Verdict
from stilltrue.store.batches import batches
from stilltrue.store.engine import bump_revision
from stilltrue.store.rows import MEMORY_COLUMNS, memory_from
from stilltrue.store.schema import citations, closings, generations, heal_events, memories, verdicts
from stilltrue.store.temporal import unexpired, visible

_PRESENT = generations.c.present == literal_column("1")  # literal, so that the partial index serves


def citing(conn: Connection, repository: str, paths: Collection[str]) -> set[str]:
    """The uids of the repository's memories that cite one of these files now, ended ones included (E24)."""
    found: set[str] = set()
    cited = generations.join(memories, memories.c.number == generations.c.memory)
    statement = select(memories.c.uid).select_from(cited)
    for some in batches(sorted(set(paths))):
        here = (generations.c.repository == repository, _PRESENT, generations.c.path.in_(some))
        found.update(conn.execute(statement.where(*here)).scalars())
    return found


def unsettled(conn: Connection, checkout: int) -> set[str]:
    """The uids of the memories with a citation that was last judged other than fresh there (E25)."""
    of = verdicts.join(citations, citations.c.number == verdicts.c.citation).join(
        memories, memories.c.number == citations.c.memory
    )
    wanted = (verdicts.c.checkout == checkout, verdicts.c.verdict != Verdict.FRESH.value)
    return set(conn.execute(select(memories.c.uid).select_from(of).where(*wanted)).scalars())


def unjudged_since(conn: Connection, repository: str, since: Instant) -> set[str]:
    """The uids of the memories that a pass at `since` cannot have judged as they are now.

    They, or a citation of theirs, were recorded since, begin to hold since, or came back by an undo.
    """
    own = memories.c.repository == repository
    began = or_(memories.c.tx_at >= since, memories.c.valid_from >= since)
    recorded = select(memories.c.uid).where(own, began)
    ends = closings.join(memories, memories.c.uid == closings.c.memory)
    came_back = select(memories.c.uid).select_from(ends).where(own, closings.c.undone_at >= since)
    cited = generations.join(memories, memories.c.number == generations.c.memory)
    anew = or_(generations.c.recorded_at >= since, generations.c.undone_at >= since)
    cited_anew = select(memories.c.uid).select_from(cited).where(generations.c.repository == repository, anew)
    return set(conn.execute(union(recorded, came_back, cited_anew)).scalars())


def insert_events(conn: Connection, repository: str, new: Sequence[HealEvent]) -> None:
    """Records events in their order (E28)."""
    for each in new:
        values = {
            "repository": repository,
            "kind": each.kind.value,
            "original": each.original,
            "superseding": each.superseding,
            "reason": each.reason.value,
            "citation": each.citation,
            "resolver_state": each.resolver_state.value,
            "code_state": each.code_state,
            "commit_sha": each.commit,
            "actor": each.actor,
            "at": each.at,
        }
        conn.execute(insert(heal_events).values(values))
    if new:
        bump_revision(conn, max(each.at for each in new))


def events(conn: Connection, repository: str) -> list[HealEvent]:
    """Every event of a repository, oldest first."""
    own = select(heal_events).where(heal_events.c.repository == repository)
    return [_event(row) for row in conn.execute(own.order_by(heal_events.c.id))]


def events_of(conn: Connection, memory_uids: Iterable[str]) -> list[HealEvent]:
    """The events that recorded one of these memories, oldest first."""
    found = []
    for some in batches(sorted(set(memory_uids))):
        theirs = select(heal_events).where(heal_events.c.superseding.in_(some))
        found += [(row.id, _event(row)) for row in conn.execute(theirs)]
    return [event for _, event in sorted(found, key=lambda pair: pair[0])]


def healed_states(conn: Connection, chains: Iterable[str]) -> set[tuple[str, str]]:
    """Chain and state of the code of every event on a memory of these chains (E30, A52)."""
    found: set[tuple[str, str]] = set()
    of = heal_events.join(memories, memories.c.uid == heal_events.c.original)
    statement = select(memories.c.chain, heal_events.c.code_state).select_from(of)
    for some in batches(sorted(set(chains))):
        rows = conn.execute(statement.where(memories.c.chain.in_(some)))
        found.update((chain, state) for chain, state in rows)
    return found


def worklist(conn: Connection, repository: str, at: AsOf) -> list[tuple[Memory, HealEvent]]:
    """Live memories of unknown trust that took another's place by a demotion, by number (E33)."""
    columns = [column.label(f"event_{column.name}") for column in heal_events.c]
    made = and_(heal_events.c.superseding == memories.c.uid, heal_events.c.kind == HealKind.DEMOTED.value)
    statement = (
        select(*MEMORY_COLUMNS, *columns)
        .select_from(memories.join(heal_events, made))
        .where(memories.c.repository == repository, memories.c.trust == Trust.UNKNOWN.value)
        .where(visible(at), unexpired(at.valid))
        .order_by(memories.c.number)
    )
    return [(memory_from(row), _event(row, "event_")) for row in conn.execute(statement)]


def copies_by_events(conn: Connection, memory: Memory) -> list[int]:
    """Numbers of the memories that hold the same words because a pass copied them, without `memory`."""
    pairs = select(heal_events.c.original, heal_events.c.superseding)
    seen, due = {memory.uid}, [memory.uid]
    while due:
        touched = {
            uid for some in batches(due) for row in conn.execute(pairs.where(_touch(some))) for uid in row
        }
        due = sorted(touched - seen)
        seen.update(due)
    found: list[int] = []
    for some in batches(sorted(seen - {memory.uid})):
        found += conn.execute(select(memories.c.number).where(memories.c.uid.in_(some))).scalars()
    return found


def _touch(uids: Sequence[str]) -> ColumnElement[bool]:
    return or_(heal_events.c.original.in_(uids), heal_events.c.superseding.in_(uids))


def _event(row: Any, prefix: str = "") -> HealEvent:  # noqa: ANN401 - a row of SQLAlchemy's
    def told(name: str) -> Any:  # noqa: ANN401 - a column's value
        return getattr(row, prefix + name)

    return HealEvent(
        kind=HealKind(told("kind")),
        original=told("original"),
        superseding=told("superseding"),
        reason=DriftReason(told("reason")),
        citation=told("citation"),
        resolver_state=ResolverState(told("resolver_state")),
        code_state=told("code_state"),
        commit=told("commit_sha"),
        actor=told("actor"),
        at=told("at"),
    )
