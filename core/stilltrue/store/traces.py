"""Traces: what a principal retrieved, and which sources it was (B1 to B12). Written once, never changed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Select, and_, func, insert, select
from sqlalchemy.dialects.sqlite import insert as insert_or

from stilltrue.model.time import Instant
from stilltrue.recall.feedback import Activation, Stage
from stilltrue.recall.recording import Recordable
from stilltrue.recall.sources import canonical_json
from stilltrue.store.batches import batches
from stilltrue.store.feedback_schema import activations, source_identities, trace_sources, traces, usage


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """One retrieval.

    Attributes:
        number: Its place in the order of writing.
        request: Query, filters and controls, as JSON.
        settings: What they came to, as JSON, with `memory_recording`.
    """

    number: int
    id: str
    principal: str
    repository: str
    at: Instant
    mode: str
    request: str
    settings: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceSource:
    """One source of a trace, with what has become of it.

    Attributes:
        number: The source's own.
        path: The edges that led to it, as JSON, or None.
        stage: How far it was used.
        activation: Of this version for this principal, as of its last change.
    """

    number: int
    id: str
    provenance: str
    location: str
    path: str | None
    stored_at: Instant | None
    stage: Stage
    activation: Activation


def insert_trace(conn: Connection, trace: Mapping[str, str]) -> int:
    """Records a trace; its number."""
    made: Any = conn.execute(insert(traces), dict(trace)).inserted_primary_key
    return int(made[0])


def insert_sources(
    conn: Connection, trace: int, found: Mapping[str, Recordable], numbers: Mapping[str, int]
) -> None:
    """Records the sources of a trace, in the order of the answer."""
    rows = [
        {
            "trace": trace,
            "source": numbers[source_id],
            "position": position,
            "location": each.location,
            "path": canonical_json([edge.to_json() for edge in each.path]) if each.path else None,
            "stored_at": each.source.stored_at,
        }
        for position, (source_id, each) in enumerate(found.items())
    ]
    if rows:
        conn.execute(insert(trace_sources), rows)


def ensure_identities(conn: Connection, repository: str, found: Mapping[str, Recordable]) -> None:
    """Makes the sources known that are not."""
    rows = [
        {
            "id": source_id,
            "repository": repository,
            "provenance": canonical_json(each.source.provenance.to_json()),
            "type": each.source.provenance.type,
            "identity": each.source.provenance.identity,
        }
        for source_id, each in found.items()
    ]
    if rows:
        conn.execute(insert_or(source_identities).on_conflict_do_nothing(index_elements=["id"]), rows)


def find_trace(conn: Connection, trace_id: str, principal: str, repository: str) -> Trace | None:
    """That trace, if it is this principal's and this repository's (B9)."""
    owned = (traces.c.id == trace_id, traces.c.principal == principal, traces.c.repository == repository)
    row = conn.execute(select(traces).where(*owned)).first()
    return _trace(row) if row else None


def page_of_traces(
    conn: Connection, principal: str, repository: str, *, before: int | None, limit: int
) -> list[Trace]:
    """This principal's traces, newest first; those before that number."""
    rows = conn.execute(_page(principal, repository, before, limit))
    return [_trace(row) for row in rows]


def sources_of(conn: Connection, trace: Trace, ids: Iterable[str] | None = None) -> list[TraceSource]:
    """The sources of a trace in the order of its answer; only those with these ids, if any are given."""
    if ids is None:
        return [_source(row) for row in conn.execute(_sources(trace))]
    found: list[TraceSource] = []
    for some in batches(list(dict.fromkeys(ids))):
        found += [
            _source(row) for row in conn.execute(_sources(trace).where(source_identities.c.id.in_(some)))
        ]
    return found


def _page(principal: str, repository: str, before: int | None, limit: int) -> Select[Any]:
    owned = and_(traces.c.principal == principal, traces.c.repository == repository)
    statement = select(traces).where(owned).order_by(traces.c.number.desc()).limit(limit)
    return statement if before is None else statement.where(traces.c.number < before)


def _sources(trace: Trace) -> Select[Any]:
    stage = (
        select(func.coalesce(func.max(usage.c.stage), 0))
        .where(usage.c.trace == trace_sources.c.trace, usage.c.source == trace_sources.c.source)
        .scalar_subquery()
    )
    lively = and_(activations.c.principal == trace.principal, activations.c.source == trace_sources.c.source)
    joined = trace_sources.join(
        source_identities, source_identities.c.number == trace_sources.c.source
    ).outerjoin(activations, lively)
    columns = (
        source_identities.c.number,
        source_identities.c.id,
        source_identities.c.provenance,
        trace_sources.c.location,
        trace_sources.c.path,
        trace_sources.c.stored_at,
        stage.label("stage"),
        activations.c.retrieved,
        activations.c.usage,
        activations.c.updated_at,
    )
    of_trace = select(*columns).select_from(joined).where(trace_sources.c.trace == trace.number)
    return of_trace.order_by(trace_sources.c.position)


def _trace(row: Any) -> Trace:  # noqa: ANN401 - a row of the table
    return Trace(**row._mapping)  # noqa: SLF001 - SQLAlchemy's public name for it


def _source(row: Any) -> TraceSource:  # noqa: ANN401 - likewise
    lively = Activation(row.retrieved or 0.0, row.usage or 0.0, row.updated_at)
    return TraceSource(
        number=row.number,
        id=row.id,
        provenance=row.provenance,
        location=row.location,
        path=row.path,
        stored_at=row.stored_at,
        stage=Stage(row.stage),
        activation=lively,
    )
