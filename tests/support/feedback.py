"""Retrievals, use and outcomes, as surfaces do them, in short words."""

from __future__ import annotations

import itertools
import sqlite3
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from stilltrue.cli import as_traced
from stilltrue.services.feedback_acts import record_outcome, record_use
from stilltrue.services.feedback_history import history
from stilltrue.services.queries import Query
from stilltrue.services.recall import recall
from stilltrue.services.traced import check_request, traced
from stilltrue.services.workspace import Workspace

ALL_STAGES = ("selected", "validated", "used")
FEEDBACK_TABLES = (
    "credits",
    "edge_strengths",
    "mention_edges",
    "mention_graphs",
    "usage",
    "feedback_receipts",
    "activations",
    "trace_sources",
    "source_identities",
    "traces",
)


@dataclass
class Person:
    """Somebody at a workspace: asks, uses, judges. Keys are made up where none is given."""

    workspace: Workspace
    _keys: itertools.count[int] = field(default_factory=itertools.count)

    def ask(self, text: str = "", *, hops: int = 0, use_memory: bool = False, **given: Any) -> dict[str, Any]:  # noqa: ANN401 - handed on
        """The answer of recall, recorded, as JSON."""
        query = Query(text=text, **given)
        check_request(query, hops)
        asked = recall(self.workspace, query)
        actor = self.workspace.actor
        return as_traced.answer(
            traced(self.workspace, asked, principal=actor, hops=hops, use_memory=use_memory)
        )

    def use(self, trace: str, source: str, *stages: str, key: str | None = None) -> dict[str, Any]:
        """Record stages of one source."""
        uses = [{"source_id": source, "stage": stage} for stage in stages or ALL_STAGES]
        return self.use_all(trace, uses, key=key)

    def use_all(self, trace: str, uses: list[dict[str, str]], *, key: str | None = None) -> dict[str, Any]:
        """Record a batch."""
        return record_use(
            self.workspace, {"trace_id": trace, "idempotency_key": key or self.key(), "uses": uses}
        )

    def confirm(self, trace: str, *sources: str, key: str | None = None) -> dict[str, Any]:
        """Confirm sources."""
        return self.outcome(trace, "confirmed", key=key, source_ids=list(sources))

    def reverse(
        self, trace: str, confirmation: str, *, key: str | None = None, outcome: str = "corrected"
    ) -> dict[str, Any]:
        """Take a confirmation back."""
        return self.outcome(trace, outcome, key=key, confirmation_id=confirmation)

    def outcome(self, trace: str, outcome: str, *, key: str | None = None, **given: object) -> dict[str, Any]:
        """Record any outcome."""
        asked = {"trace_id": trace, "idempotency_key": key or self.key(), "outcome": outcome, **given}
        return record_outcome(self.workspace, asked)

    def history(self, **given: object) -> dict[str, Any]:
        """A page of history."""
        return history(self.workspace, given)

    def source_of(self, trace: str, source: str) -> dict[str, Any]:
        """One source of a trace in detail."""
        told = self.history(trace_id=trace)["sources"]
        return next(each for each in told if each["source_id"] == source)

    def key(self) -> str:
        """A key nobody used."""
        return f"key-{next(self._keys)}"


def rows_of(answer: dict[str, Any], area: str = "results") -> dict[str, dict[str, Any]]:
    """The rows of an answer by the short id of their memories."""
    return {row["id"]: row for row in answer[area]}


def dump(database: Path, *tables: str) -> dict[str, list[tuple[Any, ...]]]:
    """Every row of these tables, or of all feedback tables, read by another connection."""
    with sqlite3.connect(database) as connection:
        found = {
            table: connection.execute(f'SELECT * FROM "{table}"').fetchall()  # noqa: S608 - names of ours
            for table in tables or FEEDBACK_TABLES
        }
    connection.close()
    return found


def run_sql(database: Path, statement: str) -> list[tuple[Any, ...]]:
    """One statement by another connection."""
    connection = sqlite3.connect(database)
    with connection:
        found = connection.execute(statement).fetchall()
    connection.close()
    return found
