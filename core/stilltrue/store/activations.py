"""How lively versions are for a principal, and the stages that made them so (B23 to B35)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from sqlalchemy import Connection, and_, insert, select, update
from sqlalchemy.dialects.sqlite import insert as insert_or

from stilltrue.recall.feedback import Activation, Stage
from stilltrue.store.batches import batches
from stilltrue.store.feedback_schema import activations, source_identities, usage


@dataclass(frozen=True, slots=True)
class Lively:
    """A source's number and how lively it is for a principal."""

    number: int
    activation: Activation


def activations_of(conn: Connection, principal: str, ids: Collection[str]) -> dict[str, Lively]:
    """Of each of these sources that is known, by its id."""
    own = and_(activations.c.source == source_identities.c.number, activations.c.principal == principal)
    statement = select(
        source_identities.c.id,
        source_identities.c.number,
        activations.c.retrieved,
        activations.c.usage,
        activations.c.updated_at,
    ).select_from(source_identities.outerjoin(activations, own))
    return {
        row.id: Lively(row.number, Activation(row.retrieved or 0.0, row.usage or 0.0, row.updated_at))
        for some in batches(list(ids))
        for row in conn.execute(statement.where(source_identities.c.id.in_(some)))
    }


def store_activations(conn: Connection, principal: str, changed: Mapping[int, Activation]) -> None:
    """Keeps how lively these sources are now, by their numbers."""
    rows = [
        {
            "principal": principal,
            "source": number,
            "retrieved": one.retrieved,
            "usage": one.usage,
            "updated_at": one.updated_at,
        }
        for number, one in changed.items()
    ]
    if not rows:
        return
    statement = insert_or(activations)
    new = {name: statement.excluded[name] for name in ("retrieved", "usage", "updated_at")}
    conn.execute(
        statement.on_conflict_do_update(index_elements=["principal", "source"], set_=new),
        rows,
    )


def store_usage(conn: Connection, trace: int, receipt: int, reached: Iterable[tuple[int, Stage]]) -> None:
    """Keeps the stages that sources of a trace reached, by the sources' numbers."""
    rows = [
        {"trace": trace, "source": source, "stage": int(stage), "receipt": receipt}
        for source, stage in reached
    ]
    if rows:
        conn.execute(insert(usage), rows)


def without_identity(conn: Connection, *, after: int, limit: int) -> list[tuple[int, str, str]]:
    """Sources whose identity was never filled in, after that number: number, id, provenance."""
    missing = source_identities.c.identity.is_(None) & (source_identities.c.number > after)
    columns = (source_identities.c.number, source_identities.c.id, source_identities.c.provenance)
    statement = select(*columns).where(missing).order_by(source_identities.c.number).limit(limit)
    return [(row.number, row.id, row.provenance) for row in conn.execute(statement)]


def fill_identity(conn: Connection, number: int, *, type_: str, identity: str) -> None:
    """Fills a source's identity in, for look-ups by name."""
    here = source_identities.c.number == number
    conn.execute(update(source_identities).where(here).values(type=type_, identity=identity))
