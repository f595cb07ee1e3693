"""Use and outcomes of what was retrieved: checked, credited, taken back in one transaction (B22 to B49)."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from stilltrue.model.time import Instant, unix_ms
from stilltrue.recall import feedback
from stilltrue.recall.feedback import STAGE_ADDITIONS, Activation, Credit, Edge, Stage, Strength
from stilltrue.recall.refusals import refusal
from stilltrue.recall.requests import OutcomeRequest, UseRequest, parsed, payload
from stilltrue.recall.sources import canonical_json
from stilltrue.services.workspace import Connection, Workspace
from stilltrue.store import activations, feedback_receipts, relations, repositories, traces
from stilltrue.store.ids import new_uid
from stilltrue.store.traces import Trace, TraceSource

USE_TOOL = "record_source_use"
OUTCOME_TOOL = "record_outcome"
CONFIRMED = "confirmed"

Receipt = dict[str, Any]


@dataclass(frozen=True, slots=True)
class _Act:
    """One act on a trace of one's own, inside its transaction."""

    connection: Connection
    trace: Trace
    now: Instant
    receipt_id: str
    keep: Callable[[Receipt], int]

    def told(self, tool: str, **fields: object) -> Receipt:
        return {
            "receipt_id": self.receipt_id,
            "tool": tool,
            "trace_id": self.trace.id,
            "timestamp": self.now,
            **fields,
        }

    def sources(self, ids: Sequence[str]) -> dict[str, TraceSource]:
        """The trace's sources of these ids; all of them must be its own."""
        found = {each.id: each for each in traces.sources_of(self.connection, self.trace, ids)}
        if any(source_id not in found for source_id in ids):
            raise refusal("unknown_source")
        return found


def record_use(workspace: Workspace, given: object) -> Receipt:
    """Record how far sources of a trace were used.

    Args:
        workspace: The repository; who acts is known from how its surface was started.
        given: A `UseRequest` as sent.

    Returns:
        The receipt; the first one where the key was used for the same request before (B28).

    Raises:
        StillTrueError: With a code of B22; nothing is changed then (B26).
    """
    request = parsed(UseRequest, given)
    return _done(workspace, USE_TOOL, request, lambda act: _use(act, request))


def record_outcome(workspace: Workspace, given: object) -> Receipt:
    """Confirm what was used, or take a confirmation back.

    Args:
        workspace: The repository; who acts is known from how its surface was started.
        given: An `OutcomeRequest` as sent.

    Returns:
        The receipt; the first one where the key was used for the same request before (B28).

    Raises:
        StillTrueError: With a code of B22; nothing is changed then (B46).
    """
    request = parsed(OutcomeRequest, given)
    act = _confirm if request.outcome == CONFIRMED else _reverse
    return _done(workspace, OUTCOME_TOOL, request, lambda here: act(here, request))


def _done(
    workspace: Workspace,
    tool: str,
    request: UseRequest | OutcomeRequest,
    do: Callable[[_Act], Receipt],
) -> Receipt:
    store = workspace.store_if_any()
    if store is None:
        raise refusal("unknown_trace")
    digest = sha256(payload(tool, request).encode("utf-8", "surrogatepass")).hexdigest()
    principal, key = workspace.actor, request.idempotency_key
    with store.writing() as connection:
        answered = feedback_receipts.receipt_of_key(connection, principal, key)
        if answered is not None:
            if answered.payload_digest != digest:
                raise refusal("idempotency_conflict")
            return dict(json.loads(answered.receipt))
        repository = repositories.find_repository(connection, workspace.keys) or ""
        trace = traces.find_trace(connection, request.trace_id, principal, repository)
        if trace is None:
            raise refusal("unknown_trace")
        now = workspace.clock.now()

        def keep(receipt: Receipt) -> int:
            return feedback_receipts.insert_receipt(
                connection,
                {
                    "id": receipt["receipt_id"],
                    "principal": principal,
                    "key": key,
                    "trace": trace.number,
                    "tool": tool,
                    "outcome": receipt.get("outcome", ""),
                    "payload_digest": digest,
                    "receipt": canonical_json(receipt),
                    "at": now,
                },
            )

        return do(_Act(connection, trace, now, new_uid(unix_ms(now)), keep))


def _use(act: _Act, request: UseRequest) -> Receipt:
    sources = act.sources([use.source_id for use in request.uses])
    stages = {source_id: each.stage for source_id, each in sources.items()}
    lively = {source_id: each.activation for source_id, each in sources.items()}
    entries: list[dict[str, Any]] = []
    reached: list[tuple[int, Stage]] = []
    for use in request.uses:
        before = stages[use.source_id]
        if use.reached > before + 1:
            raise refusal("stage_order_violation")
        applied = use.reached > before
        if applied:
            stages[use.source_id] = use.reached
            added = STAGE_ADDITIONS[use.reached]
            lively[use.source_id] = lively[use.source_id].plus(act.now, usage=added)
            reached.append((sources[use.source_id].number, use.reached))
        entries.append({"source_id": use.source_id, "stage": use.stage, "applied": applied})
    for entry in entries:
        entry["activation"] = lively[entry["source_id"]].at(act.now).to_json()
    receipt = act.told(USE_TOOL, entries=entries)
    number = act.keep(receipt)
    activations.store_usage(act.connection, act.trace.number, number, reached)
    changed: dict[int, Activation] = {
        sources[source_id].number: one
        for source_id, one in lively.items()
        if one is not sources[source_id].activation
    }
    activations.store_activations(act.connection, act.trace.principal, changed)
    return receipt


def _confirm(act: _Act, request: OutcomeRequest) -> Receipt:
    if request.source_ids is None or request.confirmation_id is not None:
        raise refusal("source_ids_required")
    sources = act.sources(request.source_ids)
    if any(each.stage is not Stage.USED for each in sources.values()):
        raise refusal("used_source_required")
    paths = [(source_id, _path(sources[source_id])) for source_id in dict.fromkeys(request.source_ids)]
    strengths = relations.strengths_of(act.connection, {edge for _, path in paths for edge in path})
    credited = relations.edges_credited_by(act.connection, act.trace.number)
    changes: list[dict[str, Any]] = []
    lent: list[tuple[Edge, str, Credit]] = []
    for source_id, path in paths:
        for edge in path:
            if edge in credited:
                credit = Credit(0.0, act.now, feedback.ALREADY_CREDITED)
            else:
                credited.add(edge)
                strengths[edge], credit = feedback.credited(strengths.get(edge, Strength()), act.now)
                lent.append((edge, source_id, credit))
            changes.append(_change(source_id, edge, credit, strengths.get(edge, Strength()).at(act.now)))
    receipt = act.told(
        OUTCOME_TOOL,
        outcome=request.outcome,
        reason=request.reason,
        source_ids=list(request.source_ids),
        changes=changes,
        no_change_reason=None if changes else feedback.NO_GRAPH_PATH,
    )
    number = act.keep(receipt)
    relations.insert_credits(act.connection, act.trace.number, number, lent)
    for edge, _, _ in lent:
        relations.store_strength(act.connection, edge, strengths[edge])
    return receipt


def _reverse(act: _Act, request: OutcomeRequest) -> Receipt:
    if request.confirmation_id is None or request.source_ids is not None:
        raise refusal("confirmation_id_required")
    confirmation = feedback_receipts.find_confirmation(
        act.connection, act.trace.number, request.confirmation_id
    )
    if confirmation is None:
        raise refusal("unknown_confirmation")
    active = [each for each in relations.credits_of(act.connection, [confirmation.number]) if each.active]
    strengths = relations.strengths_of(act.connection, {each.edge for each in active})
    relations.deactivate_credits(act.connection, confirmation.number, act.now)
    changes: list[dict[str, Any]] = []
    for each in active:
        before = strengths.get(each.edge, Strength())
        others = relations.has_active_credits(act.connection, each.edge)
        after = feedback.reversed_by(before, [each.credit], act.now, others=others)
        if after is not before:
            relations.store_strength(act.connection, each.edge, after)
        delta = after.at(act.now).value - before.at(act.now).value
        credit = Credit(delta, act.now, each.credit.reason)
        changes.append(_change(each.via, each.edge, credit, after.at(act.now)))
    receipt = act.told(
        OUTCOME_TOOL,
        outcome=request.outcome,
        reason=request.reason,
        confirmation_id=confirmation.id,
        changes=changes,
        no_change_reason=None if changes else feedback.NO_ACTIVE_CREDITS,
    )
    act.keep(receipt)
    return receipt


def _path(source: TraceSource) -> list[Edge]:
    told: list[Mapping[str, str]] = json.loads(source.path) if source.path else []
    return [Edge(each["repo"], each["source"], each["target"], each["kind"]) for each in told]


def _change(source_id: str, edge: Edge, credit: Credit, after: Strength) -> dict[str, Any]:
    return {
        "source_id": source_id,
        "path": edge.to_json(),
        "delta": credit.delta,
        "strength": after.value,
        "timestamp": credit.at,
        "reason": credit.reason,
    }
