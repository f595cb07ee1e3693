"""What was retrieved and what became of it, in bounded pages; and the repair of old rows (B9 to B12, B52)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from stilltrue.model.time import Instant
from stilltrue.recall.refusals import refusal
from stilltrue.recall.requests import HistoryRequest, RepairRequest, parsed
from stilltrue.recall.sources import Provenance
from stilltrue.services.workspace import Connection, Workspace
from stilltrue.store import activations, feedback_receipts, relations, traces
from stilltrue.store.feedback_receipts import Receipt
from stilltrue.store.relations import Lent
from stilltrue.store.traces import Trace, TraceSource

_DIGEST = 24


def history(workspace: Workspace, given: object) -> dict[str, Any]:
    """One's own traces, newest first, or one of them with its sources and receipts. Writes nothing.

    Args:
        workspace: The repository; who asks is known from how its surface was started.
        given: A `HistoryRequest` as sent.

    Raises:
        StillTrueError: `unknown_trace` or `unknown_cursor`, also for what is another principal's (B9, B11).
    """
    request = parsed(HistoryRequest, given)
    with workspace.reading() as reading:
        if reading is None:
            if request.trace_id is not None:
                raise refusal("unknown_trace")
            return {"traces": [], "next_cursor": None}
        connection, repository = reading
        owner = (workspace.actor, repository)
        if request.trace_id is None:
            return _summaries(connection, owner, request)
        trace = traces.find_trace(connection, request.trace_id, *owner)
        if trace is None:
            raise refusal("unknown_trace")
        return _detail(connection, trace, request, workspace.clock.now())


def repair_identities(workspace: Workspace, given: object) -> dict[str, Any]:
    """Fill in what source rows lack to be found by name, one page at a time; may be stopped and repeated.

    Args:
        workspace: Where the store is.
        given: A `RepairRequest` as sent.

    Returns:
        `updated`, how many were filled in; `cursor`, where to go on, or None; `done`.
    """
    request = parsed(RepairRequest, given)
    store = workspace.store_if_any()
    if store is None:
        return {"updated": 0, "cursor": None, "done": True}
    owner = (workspace.actor, "repair")
    after = _number(request.cursor, owner) or 0
    with store.writing() as connection:
        rows = activations.without_identity(connection, after=after, limit=request.limit + 1)
        page = rows[: request.limit]
        updated = sum(_repaired(connection, *row) for row in page)
    done = len(rows) <= request.limit
    return {"updated": updated, "cursor": None if done else _cursor(page[-1][0], owner), "done": done}


def _summaries(connection: Connection, owner: tuple[str, str], request: HistoryRequest) -> dict[str, Any]:
    before = _number(request.cursor, owner)
    found = traces.page_of_traces(connection, *owner, before=before, limit=request.limit + 1)
    page = found[: request.limit]
    more = len(found) > len(page)
    return {
        "traces": [_summary(each) for each in page],
        "next_cursor": _cursor(page[-1].number, owner) if more else None,
    }


def _detail(connection: Connection, trace: Trace, request: HistoryRequest, now: Instant) -> dict[str, Any]:
    owner = (trace.principal, trace.repository, trace.id)
    after = _number(request.cursor, owner) or 0
    found = feedback_receipts.page_of_receipts(connection, trace.number, after=after, limit=request.limit + 1)
    page = found[: request.limit]
    more = len(found) > len(page)
    lent = relations.credits_of(connection, [each.number for each in page])
    return {
        **_summary(trace),
        "settings": json.loads(trace.settings),
        "sources": [_source(each, now) for each in traces.sources_of(connection, trace)],
        "receipts": [_receipt(each, [one for one in lent if one.receipt == each.number]) for each in page],
        "next_cursor": _cursor(page[-1].number, owner) if more else None,
    }


def _summary(trace: Trace) -> dict[str, Any]:
    recording = json.loads(trace.settings).get("memory_recording")
    told = {
        "trace_id": trace.id,
        "timestamp": trace.at,
        "mode": trace.mode,
        "request": json.loads(trace.request),
    }
    return told | ({"memory_recording": recording} if recording is not None else {})


def _source(source: TraceSource, now: Instant) -> dict[str, Any]:
    return {
        "source_id": source.id,
        "provenance": json.loads(source.provenance),
        "location": source.location,
        "path": json.loads(source.path) if source.path else [],
        "stored_at": source.stored_at,
        "stage": source.stage.word,
        "activation": source.activation.at(now).to_json(),
    }


def _receipt(receipt: Receipt, lent: Sequence[Lent]) -> dict[str, Any]:
    """The receipt as it was given, and beside it what the ledger says of its credits now (B49)."""
    told: dict[str, Any] = {"receipt": json.loads(receipt.receipt)}
    if receipt.outcome:
        told["credits"] = [
            {
                "path": each.edge.to_json(),
                "source_id": each.via,
                "delta": each.credit.delta,
                "timestamp": each.credit.at,
                "reason": each.credit.reason,
                "active": each.active,
                "reversed_at": each.reversed_at,
            }
            for each in lent
        ]
    return told


def _repaired(connection: Connection, number: int, source_id: str, provenance: str) -> bool:
    """Whether a source's identity could be filled in; a provenance that is not the id's own is left alone."""
    try:
        found = Provenance(**json.loads(provenance))
    except (TypeError, ValueError):
        return False
    if found.source_id != source_id:
        return False
    activations.fill_identity(connection, number, type_=found.type, identity=found.identity)
    return True


def _cursor(number: int, owner: Sequence[str]) -> str:
    """A place in a list, with a seal that tells whose list it is (B11)."""
    return f"{number:x}.{_seal(number, owner)}"


def _number(cursor: str | None, owner: Sequence[str]) -> int | None:
    """The place a cursor names.

    Raises:
        NotFoundError: It was not made for this list.
    """
    if cursor is None:
        return None
    written, _, seal = cursor.partition(".")
    try:
        number = int(written, 16)
    except ValueError as error:
        raise refusal("unknown_cursor") from error
    if seal != _seal(number, owner):
        raise refusal("unknown_cursor")
    return number


def _seal(number: int, owner: Sequence[str]) -> str:
    return sha256("\n".join((str(number), *owner)).encode("utf-8", "surrogatepass")).hexdigest()[:_DIGEST]
