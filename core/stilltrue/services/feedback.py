"""What was retrieved is recorded by a second call after the read, in one transaction (B1 to B21, K17)."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from stilltrue.model.time import Instant, unix_ms
from stilltrue.recall.feedback import RETRIEVED_ADDITION, Activation, Edge
from stilltrue.recall.recording import Retrieved, Row, Sorted, check_saved, sort_rows
from stilltrue.recall.sources import canonical_json
from stilltrue.services.workspace import Connection, Workspace
from stilltrue.store import activations, relations, repositories, traces
from stilltrue.store.ids import new_uid

logger = logging.getLogger(__name__)

INCOMPLETE = "retrieval_incomplete"
SAVE_FAILED = "memory_save_failed"
UNRESOLVED = "all_sources_unresolved"

SEARCH = "search"
SCAN = "scan"
FETCH = "fetch"


@dataclass(frozen=True, slots=True, kw_only=True)
class Retrieval:
    """An answer that is about to be given.

    Attributes:
        mode: `search`, `scan` or `fetch`.
        request: Query, filters and controls; no text of memories or code (B3).
        settings: What they came to: mode, window, fusion, limits (B3).
        answer: Its rows by list, such as `results` and `graph_results`, in their order.
        incomplete: A part of the retrieval failed (B14).
    """

    mode: str
    request: Mapping[str, Any] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)
    answer: Mapping[str, Sequence[Retrieved]] = field(default_factory=dict)
    incomplete: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Recording:
    """What an answer says of its own recording.

    Attributes:
        trace_id: None where nothing was recorded.
        timestamp: When it was.
        error: Why it should have been and was not.
        told: `memory_recording`.
        rows: What became of each row, by its location.
        activations: Of the recorded sources, by their ids.
    """

    trace_id: str | None = None
    timestamp: Instant | None = None
    error: str | None = None
    told: Mapping[str, Any] | None = None
    rows: Mapping[str, Row] = field(default_factory=dict)
    activations: Mapping[str, Activation] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """The fields the answer gains; none where recording was not due."""
        if self.trace_id is None and self.error is None:
            return {}
        found: dict[str, Any] = {"feedback_available": self.trace_id is not None}
        if self.trace_id is not None:
            found |= {"trace_id": self.trace_id, "timestamp": self.timestamp}
        if self.error is not None:
            found |= {"memory_unavailable": True, "memory_error": self.error}
        return found | ({"memory_recording": self.told} if self.told is not None else {})

    def row_json(self, location: str) -> dict[str, Any]:
        """The fields that the row at that location gains, none where nothing was sorted."""
        row = self.rows.get(location)
        return row.to_json(self.activations) if row is not None else {}


NOT_RECORDED = Recording()
"""Switched off, about another time, or nothing is remembered here yet: no failure."""


def record_retrieval(workspace: Workspace, principal: str, retrieval: Retrieval) -> Recording:
    """Keep what was retrieved, before it is handed out.

    Never raises: whatever happens, the rows are returned in their order.

    Args:
        workspace: The repository that was asked.
        principal: Who asked, as the surface was started (B8).
        retrieval: The answer.
    """
    if not workspace.settings.feedback:
        return NOT_RECORDED
    if retrieval.incomplete:
        logger.warning("a part of a retrieval failed; it was not recorded")
        return Recording(error=INCOMPLETE)
    try:
        return _record(workspace, principal, retrieval)
    except Exception:  # noqa: BLE001 - an answer never fails by its recording (B15, B19)
        logger.warning("a retrieval could not be recorded")
        return Recording(error=SAVE_FAILED)


def _record(workspace: Workspace, principal: str, retrieval: Retrieval) -> Recording:
    store = workspace.store_if_any()
    if store is None:
        return NOT_RECORDED
    if store.read_only:  # which was said when it was opened
        return Recording(error=SAVE_FAILED)
    with store.writing() as connection:
        repository = repositories.find_repository(connection, workspace.keys)
        if repository is None:
            return NOT_RECORDED
        found = sort_rows(retrieval.answer, repository, _standing(connection, retrieval.answer))
        told = found.to_json()
        rows = {row.location: row for row in found.rows}
        if found.is_unresolved:
            return Recording(error=UNRESOLVED, told=told, rows=rows)
        now = workspace.clock.now()
        trace_id = new_uid(unix_ms(now))
        settings = {**retrieval.settings, "memory_recording": told}
        check_saved([retrieval.request, settings], found)
        trace = {
            "id": trace_id,
            "principal": principal,
            "repository": repository,
            "at": now,
            "mode": retrieval.mode,
            "request": canonical_json(retrieval.request),
            "settings": canonical_json(settings),
        }
        lively = _save(connection, trace, found)
    return Recording(trace_id=trace_id, timestamp=now, told=told, rows=rows, activations=lively)


def _save(connection: Connection, trace: Mapping[str, str], found: Sorted) -> dict[str, Activation]:
    """The trace, its sources and what they gain by it, together or not at all."""
    principal, now = trace["principal"], Instant(trace["at"])
    number = traces.insert_trace(connection, trace)
    traces.ensure_identities(connection, trace["repository"], found.sources)
    before = activations.activations_of(connection, principal, found.sources)
    after = {
        source_id: one.activation.plus(now, retrieved=RETRIEVED_ADDITION) for source_id, one in before.items()
    }
    numbers = {source_id: one.number for source_id, one in before.items()}
    activations.store_activations(
        connection, principal, {numbers[source_id]: one for source_id, one in after.items()}
    )
    traces.insert_sources(connection, number, found.sources, numbers)
    return after


def _standing(connection: Connection, answer: Mapping[str, Sequence[Retrieved]]) -> set[Edge]:
    edges = {
        edge for rows in answer.values() for row in rows if row.path is not None for edge in row.path.edges
    }
    return relations.standing(connection, edges) if edges else set()
