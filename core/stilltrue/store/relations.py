"""Who mentions whom, and what confirmations lent each relation (B38 to B50). Neither rewrites the other."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Select, delete, insert, select, tuple_, update
from sqlalchemy.dialects.sqlite import insert as insert_or

from stilltrue.model.memory import Memory
from stilltrue.model.time import AsOf, Instant
from stilltrue.recall.feedback import Credit, Edge, Strength
from stilltrue.recall.mention_graph import Version
from stilltrue.store.batches import batches
from stilltrue.store.feedback_schema import credits_lent, edge_strengths, mention_edges, mention_graphs
from stilltrue.store.rows import MEMORY_COLUMNS, memory_from
from stilltrue.store.schema import memories, store_meta
from stilltrue.store.temporal import visible

MOST_AT_A_NODE = 1_000
"""Edges that are followed from, and to, the nodes of one hop."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lent:
    """A credit as the ledger has it."""

    number: int
    receipt: int
    edge: Edge
    via: str
    credit: Credit
    active: bool
    reversed_at: Instant | None


@dataclass(frozen=True, slots=True)
class Due:
    """A graph that is not of the present store.

    Attributes:
        revision: The store's.
        is_first: There is none yet.
    """

    revision: int
    is_first: bool


def graph_due(conn: Connection, repository: str) -> Due | None:
    """Whether the store changed since the graph was built; None if not."""
    built = select(mention_graphs.c.store_revision).where(mention_graphs.c.repository == repository)
    now = int(conn.execute(select(store_meta.c.store_revision)).scalar_one())
    kept = conn.execute(built).scalar()
    return None if kept == now else Due(now, is_first=kept is None)


def versions(conn: Connection, repository: str, at: AsOf) -> list[Version]:
    """Every version of the repository's memories by number, with the words of those that are live."""
    live = visible(at)
    names = (memories.c.number, memories.c.uid, memories.c.chain)
    of_repository = memories.c.repository == repository
    spoken = select(memories.c.number, memories.c.subject, memories.c.text).where(of_repository, live)
    words = {row.number: (row.subject, row.text) for row in conn.execute(spoken)}
    statement = select(*names).where(of_repository).order_by(memories.c.number)
    return [
        Version(row.number, row.uid, row.chain, *words.get(row.number, ("", "")))
        for row in conn.execute(statement)
    ]


def rebuild_graph(conn: Connection, repository: str, edges: Sequence[Edge], revision: int) -> None:
    """Puts the graph of that revision in place of the one before; strengths and credits stay (B50)."""
    conn.execute(delete(mention_edges).where(mention_edges.c.repository == repository))
    if edges:
        conn.execute(insert(mention_edges), [_key(edge) for edge in edges])
    statement = insert_or(mention_graphs).values(repository=repository, store_revision=revision)
    conn.execute(
        statement.on_conflict_do_update(index_elements=["repository"], set_={"store_revision": revision})
    )


def live_by_chain(
    conn: Connection, repository: str, chains: Collection[str], at: AsOf
) -> dict[str, list[Memory]]:
    """The live versions of these memories, newest first; two of one chain are a fork."""
    found: dict[str, list[Memory]] = {}
    for some in batches(sorted(chains)):
        here = (memories.c.repository == repository, memories.c.chain.in_(some), visible(at))
        statement = select(*MEMORY_COLUMNS).where(*here).order_by(memories.c.number.desc())
        for row in conn.execute(statement):
            found.setdefault(row.chain, []).append(memory_from(row))
    return found


def edges_at(conn: Connection, repository: str, slugs: Collection[str]) -> list[Edge]:
    """The edges that begin or end at these memories."""
    found: dict[Edge, None] = {}
    for some in batches(sorted(slugs)):
        for end in (mention_edges.c.source, mention_edges.c.target):
            found |= dict.fromkeys(map(_edge, conn.execute(_edges_by(end, repository, some))))
    return list(found)


def standing(conn: Connection, edges: Collection[Edge]) -> set[Edge]:
    """Which of these edges the graph has now."""
    keys = tuple_(*(mention_edges.c[name] for name in _EDGE))
    return {
        _edge(row)
        for some in batches(sorted(edges), 100)
        for row in conn.execute(select(mention_edges).where(keys.in_([_values(edge) for edge in some])))
    }


def strengths_of(conn: Connection, edges: Collection[Edge]) -> dict[Edge, Strength]:
    """What was lent to these relations, each as of its last change; left out where that is nothing."""
    keys = tuple_(*(edge_strengths.c[name] for name in _EDGE))
    return {
        _edge(row): Strength(row.value, row.updated_at)
        for some in batches(sorted(edges), 100)
        for row in conn.execute(select(edge_strengths).where(keys.in_([_values(edge) for edge in some])))
    }


def store_strength(conn: Connection, edge: Edge, strength: Strength) -> None:
    """Keeps what a relation has now."""
    now = {"value": strength.value, "updated_at": strength.updated_at}
    statement = insert_or(edge_strengths).values(**_key(edge), **now)
    conn.execute(statement.on_conflict_do_update(index_elements=list(_EDGE), set_=now))


def edges_credited_by(conn: Connection, trace: int) -> set[Edge]:
    """The relations this trace was ever counted for, taken back or not (B43)."""
    return {_edge(row) for row in conn.execute(select(*_edge_columns()).where(credits_lent.c.trace == trace))}


def insert_credits(
    conn: Connection, trace: int, receipt: int, lent: Iterable[tuple[Edge, str, Credit]]
) -> None:
    """Writes into the ledger what one confirmation lent, with the source it went through."""
    rows = [
        {
            "receipt": receipt,
            "trace": trace,
            **_key(edge),
            "via": via,
            "delta": credit.delta,
            "at": credit.at,
            "reason": credit.reason,
            "active": 1,
        }
        for edge, via, credit in lent
    ]
    if rows:
        conn.execute(insert(credits_lent), rows)


def credits_of(conn: Connection, receipts: Collection[int]) -> list[Lent]:
    """The ledger of these confirmations, in the order of writing."""
    return [
        _lent(row)
        for some in batches(sorted(receipts))
        for row in conn.execute(
            select(credits_lent).where(credits_lent.c.receipt.in_(some)).order_by(credits_lent.c.number)
        )
    ]


def deactivate_credits(conn: Connection, receipt: int, at: Instant) -> None:
    """Says of a confirmation's credits that they were taken back."""
    active = (credits_lent.c.receipt == receipt) & (credits_lent.c.active == 1)
    conn.execute(update(credits_lent).where(active).values(active=0, reversed_at=at))


def has_active_credits(conn: Connection, edge: Edge) -> bool:
    """Whether anything that was lent to the relation was not taken back."""
    here = [credits_lent.c[name] == value for name, value in _key(edge).items()]
    lent = credits_lent.c.delta > 0
    return conn.execute(select(1).where(*here, lent, credits_lent.c.active == 1).limit(1)).first() is not None


def all_active_credits(conn: Connection) -> list[Lent]:
    """The whole ledger but for what was taken back; for comparing it with the strengths."""
    return [_lent(row) for row in conn.execute(select(credits_lent).where(credits_lent.c.active == 1))]


def all_strengths(conn: Connection) -> dict[Edge, Strength]:
    """Every relation that was ever lent anything."""
    return {_edge(row): Strength(row.value, row.updated_at) for row in conn.execute(select(edge_strengths))}


_EDGE = ("repository", "source", "target", "kind")


def _edge_columns() -> list[Any]:
    return [credits_lent.c[name] for name in _EDGE]


def _edges_by(end: Any, repository: str, slugs: Sequence[str]) -> Select[Any]:  # noqa: ANN401 - a column
    here = select(mention_edges).where(mention_edges.c.repository == repository, end.in_(slugs))
    return here.order_by(mention_edges.c.source, mention_edges.c.target).limit(MOST_AT_A_NODE)


def _key(edge: Edge) -> dict[str, str]:
    return dict(zip(_EDGE, _values(edge), strict=True))


def _values(edge: Edge) -> tuple[str, str, str, str]:
    return edge.repo, edge.source, edge.target, edge.kind


def _edge(row: Any) -> Edge:  # noqa: ANN401 - a row of one of the tables
    return Edge(row.repository, row.source, row.target, row.kind)


def _lent(row: Any) -> Lent:  # noqa: ANN401 - a row of the ledger
    return Lent(
        number=row.number,
        receipt=row.receipt,
        edge=_edge(row),
        via=row.via,
        credit=Credit(row.delta, row.at, row.reason),
        active=bool(row.active),
        reversed_at=row.reversed_at,
    )
