"""Which memories mention each other: the graph kept up to date, and what is reached (B37 to B39)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from stilltrue.errors import StoreError
from stilltrue.model.memory import Memory
from stilltrue.model.time import AsOf, Instant
from stilltrue.recall import mention_graph
from stilltrue.recall.feedback import Edge
from stilltrue.recall.mention_graph import Reached
from stilltrue.recall.recording import GraphPath, Node, Retrieved
from stilltrue.services.workspace import Connection, Workspace
from stilltrue.store import relations

PATIENCE_MS = 250
"""How long to wait for other writers where an older graph can serve."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphRow:
    """A memory that was reached along the graph; it has no score.

    Attributes:
        memory: Its newest live version.
        others: Further live versions of the same memory (a fork).
        path: How it was reached.
        learned_strength: The credit on the way, or None where memory was not asked for.
    """

    memory: Memory
    others: tuple[Memory, ...]
    path: GraphPath
    learned_strength: float | None = None

    @property
    def retrieved(self) -> Retrieved:
        """As it is recorded."""
        folded = tuple(Retrieved(memory=each) for each in self.others)
        return Retrieved(memory=self.memory, path=self.path, folded=folded)


def graph_rows(
    workspace: Workspace, origins: Sequence[Memory], *, hops: int, top_k: int, use_memory: bool = False
) -> list[GraphRow]:
    """What lies up to `hops` mentions away from an answer, edges followed both ways.

    Args:
        workspace: The repository.
        origins: The results, best first.
        hops: 1 or 2.
        top_k: How many results were asked for; at most twice as many rows, and 30, are returned.
        use_memory: Order the rows of each hop by what confirmations lent their paths (B38).
    """
    renew_graph(workspace)
    with workspace.reading() as reading:
        if reading is None or not origins:
            return []
        connection, repository = reading
        now = workspace.present(connection)
        reached = _reached(connection, repository, [mention_graph.slug_of(each) for each in origins], hops)
        live = _live(connection, repository, reached, now)
        served = {slug: _unexpired(versions, now.valid) for slug, versions in live.items()}
        found = [each for each in reached if served.get(each.slug)]
        strengths: dict[Edge, float] = {}
        if use_memory:
            kept = relations.strengths_of(connection, {edge for each in found for edge in each.edges})
            # credits count from the clock's own time, so they fade by it, though it may have gone back (B32)
            read_at = workspace.clock.now()
            strengths = {edge: one.at(read_at).value for edge, one in kept.items()}
            found = mention_graph.weighed(found, strengths)
    return [
        GraphRow(
            memory=served[each.slug][0],
            others=tuple(served[each.slug][1:]),
            path=_path(each, live, repository),
            learned_strength=mention_graph.learned_strength(each, strengths) if use_memory else None,
        )
        for each in found[: mention_graph.rows_for(top_k)]
    ]


def renew_graph(workspace: Workspace) -> bool:
    """Build the graph anew where the store changed since; whether that was due and done.

    It is derived and droppable: where the store stays locked or cannot be written, the old one serves.
    """
    with workspace.reading() as reading:
        if reading is None:
            return False
        connection, repository = reading
        due = relations.graph_due(connection, repository)
        if due is None:
            return False
        versions = relations.versions(connection, repository, workspace.present(connection))
    edges = mention_graph.mention_edges(repository, versions)
    try:
        with workspace.store().writing(busy_ms=None if due.is_first else PATIENCE_MS) as connection:
            relations.rebuild_graph(connection, repository, edges, due.revision)
    except StoreError:
        return False
    return True


def _reached(connection: Connection, repository: str, origins: list[str], hops: int) -> list[Reached]:
    edges = [(1, edge) for edge in relations.edges_at(connection, repository, origins)]
    if hops > 1:
        front = {slug for _, edge in edges for slug in (edge.source, edge.target)} - set(origins)
        edges += [(2, edge) for edge in relations.edges_at(connection, repository, front)]
    return mention_graph.expand(origins, hops, edges)


def _live(
    connection: Connection, repository: str, reached: Sequence[Reached], at: AsOf
) -> dict[str, list[Memory]]:
    """The live versions of every memory on the ways, middles and origins included."""
    slugs = {slug for each in reached for slug in each.slugs}
    return relations.live_by_chain(connection, repository, slugs, at)


def _unexpired(versions: Sequence[Memory], now: Instant) -> list[Memory]:
    """Those that are served: what has expired leads on to others and is no answer itself (C18)."""
    return [each for each in versions if each.expires_at is None or each.expires_at > now]


def _path(reached: Reached, live: dict[str, list[Memory]], repository: str) -> GraphPath:
    nodes = tuple(Node(slug, repository if live.get(slug) else None) for slug in reached.slugs)
    return GraphPath(nodes, reached.edges)
