"""Receipts of feedback acts, apart from those of acts on memories (B28, B51)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, insert, select

from stilltrue.model.time import Instant
from stilltrue.store.feedback_schema import feedback_receipts, source_identities, trace_sources, traces


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """One act on a trace.

    Attributes:
        outcome: `confirmed`, `corrected` or `rolled_back`; empty for a use.
        receipt: What it was answered with, as JSON, never changed.
    """

    number: int
    id: str
    principal: str
    key: str
    trace: int
    tool: str
    outcome: str
    payload_digest: str
    receipt: str
    at: Instant


def receipt_of_key(conn: Connection, principal: str, key: str) -> Receipt | None:
    """What that key of that principal was used for, by whichever tool, on whichever trace (B28)."""
    owned = (feedback_receipts.c.principal == principal, feedback_receipts.c.key == key)
    row = conn.execute(select(feedback_receipts).where(*owned)).first()
    return _receipt(row) if row else None


def insert_receipt(conn: Connection, values: Mapping[str, Any]) -> int:
    """Keeps a receipt in the act's own transaction; its number."""
    made: Any = conn.execute(insert(feedback_receipts), dict(values)).inserted_primary_key
    return int(made[0])


def page_of_receipts(conn: Connection, trace: int, *, after: int, limit: int) -> list[Receipt]:
    """The receipts of a trace, oldest first; those after that number."""
    here = (feedback_receipts.c.trace == trace, feedback_receipts.c.number > after)
    statement = select(feedback_receipts).where(*here).order_by(feedback_receipts.c.number).limit(limit)
    return [_receipt(row) for row in conn.execute(statement)]


def find_confirmation(conn: Connection, trace: int, receipt_id: str) -> Receipt | None:
    """A confirmation of that trace."""
    here = (
        feedback_receipts.c.id == receipt_id,
        feedback_receipts.c.trace == trace,
        feedback_receipts.c.outcome == "confirmed",
    )
    row = conn.execute(select(feedback_receipts).where(*here)).first()
    return _receipt(row) if row else None


def outcomes_of_memory(
    conn: Connection, principal: str, repository: str, chain: str, *, limit: int
) -> list[tuple[str, str, Receipt]]:
    """This principal's outcomes on traces with some version of a memory, newest first.

    Each comes with the id of its trace, and with that of the version as a source of the trace.
    """
    of_memory = (
        source_identities.c.repository == repository,
        source_identities.c.type == "memory",
        source_identities.c.identity == chain,
    )
    joined = (
        source_identities.join(trace_sources, trace_sources.c.source == source_identities.c.number)
        .join(feedback_receipts, feedback_receipts.c.trace == trace_sources.c.trace)
        .join(traces, traces.c.number == trace_sources.c.trace)
    )
    owned = (feedback_receipts.c.principal == principal, feedback_receipts.c.outcome != "")
    names = (traces.c.id.label("trace_id"), source_identities.c.id.label("source_id"))
    statement = select(*names, feedback_receipts).select_from(joined).where(*of_memory, *owned)
    found = []
    for row in conn.execute(statement.order_by(feedback_receipts.c.number.desc()).limit(limit)):
        values = dict(row._mapping)  # noqa: SLF001 - SQLAlchemy's public name for it
        found.append((values.pop("trace_id"), values.pop("source_id"), Receipt(**values)))
    return found


def _receipt(row: Any) -> Receipt:  # noqa: ANN401 - a row of the table
    return Receipt(**row._mapping)  # noqa: SLF001 - SQLAlchemy's public name for it
