"""Which rows of an answer can be recorded, where the others stand and why they are left out (B16 to B21)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

from stilltrue.citations.paths import check_path
from stilltrue.errors import CitationError
from stilltrue.model.memory import Memory
from stilltrue.model.time import Instant
from stilltrue.recall.feedback import Activation, Edge
from stilltrue.recall.sources import (
    LONGEST_METADATA,
    WORKTREE,
    Source,
    canonical_json,
    code_source,
    memory_source,
)

MOST_SOURCES = 300
MOST_SAVED = 300_000
"""Bounds of a trace (B7), in sources and in Unicode code points (K20)."""

NO_IDENTITY = "canonical_identity_unavailable"
NO_VERSION = "live_version_unavailable"
UNVERIFIABLE_PATH = "unverifiable_graph_path"


class TooMuchError(ValueError):
    """More than a trace may hold; the save fails and the answer stands (B7, B15)."""


@dataclass(frozen=True, slots=True)
class Node:
    """A memory on a graph path as the traversal met it: its slug, and the repository it was found in.

    Attributes:
        slug: Its chain.
        repo: None where no live memory stands for the slug: deleted, retracted, or dangling.
    """

    slug: str
    repo: str | None


@dataclass(frozen=True, slots=True)
class GraphPath:
    """How a row was reached: nodes in the order of the traversal, each edge in its own direction."""

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]

    def is_verified(self, repo: str, standing: Collection[Edge]) -> bool:
        """Whether every node and every edge of it can be vouched for (B20)."""
        if len(self.nodes) != len(self.edges) + 1 or not self.edges:
            return False
        joined = all(
            edge.repo == repo and edge in standing and {edge.source, edge.target} == {here.slug, there.slug}
            for edge, (here, there) in zip(self.edges, pairwise(self.nodes), strict=True)
        )
        return joined and all(node.repo == repo for node in self.nodes)


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeText:
    """Live text of code as it was returned.

    Attributes:
        identity: `path` or `path#symbol`; None where the place has no name that can be kept.
        data: Its bytes; None where they could not be read.
        content_source: `worktree` or `buffer`.
        stored_at: When the store last wrote of it.
    """

    identity: str | None
    data: bytes | None
    content_source: str = WORKTREE
    stored_at: Instant | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Retrieved:
    """One row of an answer: a memory or a piece of code, with what is folded under it.

    Attributes:
        memory: The stored version that was returned.
        code: Or the live text.
        path: How a graph row was reached; None for a direct hit.
        folded: Rows of the same entity that are shown under this one.
    """

    memory: Memory | None = None
    code: CodeText | None = None
    path: GraphPath | None = None
    folded: Sequence[Retrieved] = ()


@dataclass(frozen=True, slots=True)
class Recordable:
    """A distinct source of an answer, with the edges that led to it (none for a direct hit)."""

    source: Source
    location: str
    path: tuple[Edge, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """What became of one row: its source, or why it has none."""

    location: str
    source: Source | None = None
    excluded: str | None = None
    path_refused: bool = False

    def to_json(self, activations: Mapping[str, Activation]) -> dict[str, Any]:
        """The fields the row gains: id, provenance and activation, or the reason for their absence."""
        if self.source is None:
            return {"feedback_available": False, "memory_exclusion_reason": self.excluded}
        provenance = self.source.provenance
        told: dict[str, Any] = {
            "source_id": provenance.source_id,
            "provenance": provenance.to_json(),
            "activation": activations.get(provenance.source_id, Activation()).to_json(),
        }
        if self.path_refused:
            told |= {"graph_feedback_available": False, "graph_exclusion_reason": UNVERIFIABLE_PATH}
        return told


@dataclass(frozen=True, slots=True)
class Sorted:
    """An answer's rows, sorted into what is recorded and what is not.

    Attributes:
        rows: Every row, folded ones included, in the order of the answer.
        sources: The distinct sources by id.
    """

    rows: tuple[Row, ...]
    sources: Mapping[str, Recordable] = field(default_factory=dict)

    @property
    def is_unresolved(self) -> bool:
        """There were rows, and none can be recorded (B18)."""
        return bool(self.rows) and not self.sources

    def to_json(self) -> dict[str, Any]:
        """`memory_recording` (B17): positions and reasons, never a text, a title or a handle."""
        exclusions = [
            {"location": row.location, "reason": row.excluded} for row in self.rows if row.source is None
        ]
        refused = [
            {"location": row.location, "reason": UNVERIFIABLE_PATH} for row in self.rows if row.path_refused
        ]
        status = "partial" if exclusions else "complete"
        told: dict[str, Any] = {
            "status": "unresolved" if self.is_unresolved else status,
            "recorded_sources": len(self.sources),
            "excluded_sources": len(exclusions),
            "exclusions": exclusions,
        }
        return told | ({"excluded_graph_paths": len(refused), "graph_exclusions": refused} if refused else {})


def sort_rows(answer: Mapping[str, Sequence[Retrieved]], repo: str, standing: Collection[Edge]) -> Sorted:
    """Sort an answer's rows.

    Args:
        answer: Its lists by name, such as `results` and `graph_results`.
        repo: uid of the repository that was asked.
        standing: The edges of the graph as it is now.
    """
    rows: list[Row] = []
    sources: dict[str, Recordable] = {}
    for area, found in answer.items():
        for location, one in _placed(area, found):
            verified = one.path is not None and one.path.is_verified(repo, standing)
            row = Row(location=location, path_refused=one.path is not None and not verified)
            source = _established(one, repo)
            if isinstance(source, str):
                rows.append(replace(row, excluded=source))
                continue
            rows.append(replace(row, source=source))
            known = sources.get(source.provenance.source_id)
            path = one.path.edges if one.path is not None and verified else ()
            if known is None or (path and not known.path):
                sources[source.provenance.source_id] = Recordable(source, location, path)
    return Sorted(tuple(rows), sources)


def check_saved(saved: Sequence[object], found: Sorted) -> None:
    """Refuse to save more than a trace may hold (B7).

    Args:
        saved: What is kept as JSON beside the sources: request and settings.
        found: The sources.

    Raises:
        TooMuchError: It would.
    """
    if len(found.sources) > MOST_SOURCES:
        raise TooMuchError("more sources than a trace may hold")
    kept = [each.source.provenance.to_json() for each in found.sources.values()]
    paths = [[edge.to_json() for edge in each.path] for each in found.sources.values() if each.path]
    if sum(len(canonical_json(each)) for each in (*saved, *kept, *paths)) > MOST_SAVED:
        raise TooMuchError("more characters than a trace may hold")


def _placed(area: str, rows: Sequence[Retrieved]) -> Iterator[tuple[str, Retrieved]]:
    for index, row in enumerate(rows):
        location = f"{area}[{index}]"
        yield location, row
        yield from _placed(f"{location}.same_entity.others", row.folded)


def _established(row: Retrieved, repo: str) -> Source | str:
    """The row's source, or why there is none."""
    if row.memory is not None:
        known = row.memory.repository == repo and row.memory.chain
        return memory_source(row.memory) if known else NO_IDENTITY
    if row.code is None or not _is_canonical(row.code.identity):
        return NO_IDENTITY
    if row.code.data is None:
        return NO_VERSION
    return code_source(
        repo,
        row.code.identity or "",
        row.code.data,
        content_source=row.code.content_source,
        stored_at=row.code.stored_at,
    )


def _is_canonical(identity: str | None) -> bool:
    if not identity or len(identity) > LONGEST_METADATA:
        return False
    try:
        check_path(identity.partition("#")[0])
    except CitationError:
        return False
    return True
