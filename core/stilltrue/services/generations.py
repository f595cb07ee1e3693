"""Add generations to citations: one act, one transaction, one receipt (F30, F34)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from stilltrue.errors import ConflictError
from stilltrue.model.citation import Citation, CitationDraft
from stilltrue.model.memory import Origin
from stilltrue.model.time import Instant
from stilltrue.services.receipts import Keyed
from stilltrue.services.recording import Recorder
from stilltrue.services.workspace import Connection, Workspace
from stilltrue.store import citations as citation_rows
from stilltrue.store import history, memories
from stilltrue.store.engine import bump_revision


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """What became of one citation.

    Attributes:
        before: The citation as it was looked at.
        after: At its new generation, or None where nothing was done.
        note: Why nothing was done, in words.
    """

    before: Citation
    after: Citation | None = None
    note: str = ""


def add_generations(
    workspace: Workspace,
    recorder: Recorder,
    changes: Sequence[tuple[Citation, CitationDraft]],
    *,
    keyed: Keyed,
    origin: Origin,
) -> list[Settled]:
    """Let each citation of `changes` cite its draft from now on; the act of `keyed` is undo's word for it.

    Raises:
        ConflictError: A citation, or its memory, moved on since it was looked at (F30).
    """
    if not changes:
        return []
    drafts = recorder.with_commits([draft for _, draft in changes])
    with workspace.writing() as (connection, repository, now):
        if (answer := keyed.replayed(connection)) is not None:
            return _as_answered(connection, answer)
        settled = [
            Settled(
                before=citation, after=_next_generation(connection, citation, draft, workspace, now, origin)
            )
            for (citation, _), draft in zip(changes, drafts, strict=True)
        ]
        history.record_act(
            connection,
            keyed.act,
            repository=repository,
            actor=workspace.actor,
            at=now,
            generations=[each.after for each in settled if each.after],
        )
        bump_revision(connection)
        keyed.store(connection, " ".join(each.before.uid for each in settled), now, repository)
        return settled


def answered_before(workspace: Workspace, keyed: Keyed) -> list[Settled] | None:
    """What a repeated act was answered with, asked before the state it found is looked at (B28)."""
    if (answer := keyed.answer(workspace)) is None:
        return None
    with workspace.reading() as reading:
        connection, _ = workspace.known(reading)
        return _as_answered(connection, answer)


def _as_answered(connection: Connection, answer: str) -> list[Settled]:
    found = [citation_rows.get_citation(connection, uid) for uid in answer.split()]
    return [Settled(before=citation, after=citation, note="repeated") for citation in found]


def _next_generation(
    connection: Connection,
    citation: Citation,
    draft: CitationDraft,
    workspace: Workspace,
    now: Instant,
    origin: Origin,
) -> Citation:
    if not memories.are_live(connection, [citation.memory], workspace.present(connection)):
        raise ConflictError(
            f"{citation.id}: its memory ended meanwhile", hint="look at it with: stilltrue why"
        )
    return citation_rows.add_generation(
        connection, citation, draft, now=now, actor=workspace.actor, origin=origin
    )
