"""*I used this*, *this was right*, *this was wrong*, said of a memory in an editor (B23, B40, B46).

Looking at a memory in an editor records nothing (K17). Saying something of it does: a fetch by its name, the
stages up to used, and then the outcome.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from stilltrue.errors import ConflictError, NotFoundError, StillTrueError
from stilltrue.recall.feedback import STAGES
from stilltrue.recall.requests import HANDLE_LIMIT, Text
from stilltrue.services import settle
from stilltrue.services.editor import BufferText, buffer_texts, is_unsaved
from stilltrue.services.feedback_acts import CONFIRMED, record_outcome, record_use
from stilltrue.services.feedback_names import fresh_key
from stilltrue.services.fetching import record_fetch
from stilltrue.services.judging import JudgedCitation, judge_citations, judged_memory
from stilltrue.services.workspace import Workspace
from stilltrue.source.files import Texts
from stilltrue.store import feedback_receipts

RECENT = 50
"""How many outcomes about a memory are looked through for one that can be taken back."""


@dataclass(frozen=True, slots=True)
class Said:
    """What was recorded: the retrieval, and the last receipt on it."""

    trace_id: str
    receipt: dict[str, Any]


def say_used(
    workspace: Workspace,
    reference: str,
    *,
    right: bool,
    buffer: BufferText | None = None,
    key: str | None = None,
) -> Said:
    """A memory was used, and was right if `right`.

    Args:
        workspace: The repository.
        reference: The memory.
        right: Confirm it, too.
        buffer: An open buffer; where it is not as on disk, its text is what was used.
        key: An idempotency key; the same key is answered with what was said first.

    Raises:
        NotFoundError: Nothing has that name.
        StillTrueError: It could not be recorded, or the history is switched off.
    """
    key = _fitting(key)
    answered = _answered(workspace, f"{key}:right" if right else f"{key}:used")
    if answered is not None:
        return answered
    memory, citations = settle.find_citations(workspace, reference)
    texts, unsaved = _texts(workspace, buffer)
    verdicts = judge_citations(citations, texts)
    judged = judged_memory(
        memory, (JudgedCitation(citation=each, verdict=verdicts[each.uid]) for each in citations)
    )
    recording = record_fetch(workspace, workspace.actor, [memory.id], [judged], texts=texts, buffers=unsaved)
    row = recording.rows.get("results[0]")
    if recording.trace_id is None or row is None or row.source is None:
        raise _not_recorded(workspace)
    source = row.source.provenance.source_id
    trace = {"trace_id": recording.trace_id}
    uses = [{"source_id": source, "stage": stage} for stage in STAGES]
    receipt = record_use(workspace, {**trace, "idempotency_key": f"{key}:used", "uses": uses})
    if right:
        outcome = {"outcome": CONFIRMED, "source_ids": [source]}
        receipt = record_outcome(workspace, {**trace, "idempotency_key": f"{key}:right", **outcome})
    return Said(recording.trace_id, receipt)


def say_wrong(
    workspace: Workspace, reference: str, *, reason: str | None = None, key: str | None = None
) -> Said:
    """One's own newest confirmation of a memory is corrected: its credit is taken back exactly.

    Args:
        workspace: The repository.
        reference: The memory.
        reason: Why, in words.
        key: An idempotency key; the same key is answered with what was said first.

    Raises:
        NotFoundError: Nothing has that name, or one confirmed nothing about it that still stands.
    """
    key = _fitting(key)
    answered = _answered(workspace, f"{key}:wrong")
    if answered is not None:
        return answered
    memory, _ = settle.find_citations(workspace, reference)
    with workspace.reading() as reading:
        connection, repository = workspace.known(reading)
        outcomes = feedback_receipts.outcomes_of_memory(
            connection, workspace.actor, repository, memory.chain, limit=RECENT
        )
    taken_back: set[str] = set()
    for trace_id, source_id, receipt in outcomes:
        told = json.loads(receipt.receipt)
        taken_back.add(told.get("confirmation_id") or "")
        if source_id in told.get("source_ids", ()) and receipt.id not in taken_back:
            asked = {
                "trace_id": trace_id,
                "idempotency_key": f"{key}:wrong",
                "outcome": "corrected",
                "confirmation_id": receipt.id,
                "reason": reason,
            }
            return Said(trace_id, record_outcome(workspace, asked))
    raise NotFoundError(
        f"you confirmed nothing about {memory.id} that could be taken back",
        hint="if the memory itself is wrong, supersede or retract it",
    )


def _texts(workspace: Workspace, buffer: BufferText | None) -> tuple[Texts, list[str]]:
    """Where code is read, and which files of that are unsaved buffers."""
    if buffer is None or not is_unsaved(workspace, buffer.path, buffer.text, buffer.mapping):
        return workspace.fresh_tree(), []
    return buffer_texts(workspace, buffer.path, buffer.text, buffer.mapping), [buffer.path]


def _fitting(key: str | None) -> str:
    """The key, or a fresh one; checked with what is put behind it before anything is looked up or recorded.

    Raises:
        InputError: It is too long, or no text (B30).
    """
    return Text(HANDLE_LIMIT).taken("key", f"{key or fresh_key()}:right").removesuffix(":right")


def _answered(workspace: Workspace, key: str) -> Said | None:
    with workspace.reading() as reading:
        known = feedback_receipts.receipt_of_key(reading[0], workspace.actor, key) if reading else None
    told = json.loads(known.receipt) if known is not None else None
    return Said(told["trace_id"], told) if told is not None else None


def _not_recorded(workspace: Workspace) -> StillTrueError:
    if not workspace.settings.feedback:
        return ConflictError("the retrieval history is switched off", hint="switch the setting feedback on")
    return StillTrueError("it could not be recorded", hint="see: stilltrue doctor", code="memory_save_failed")
