"""Lower the confidence of memories whose pins are stale: through the chain, never by retracting (A52)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields

from stilltrue.errors import InputError
from stilltrue.model.citation import Citation, CitationDraft
from stilltrue.model.memory import Memory, MemoryDraft
from stilltrue.model.time import Instant, unix_ms
from stilltrue.services.workspace import Connection, Workspace
from stilltrue.store import citations as citation_rows
from stilltrue.store import history, ids, memories, repositories, succession
from stilltrue.store.citations import NewCitation
from stilltrue.store.engine import bump_revision
from stilltrue.store.verdicts import VerdictRow, verdicts_of, write_verdicts

REVISER = "stilltrue pins --revise"
"""The `source_agent` of what was revised here, by which it is known and left alone by the next pass."""

LOWERING = 0.5
SHOWN_DIGITS = 7


def refuse_changes(workspace: Workspace) -> None:
    """Memories are revised on a clean tree only (design 6).

    Raises:
        InputError: A tracked file differs from what is committed, or git cannot tell.
    """
    answer = workspace.git.run("status", "--porcelain", "-z", "--untracked-files=no")
    if not answer.ok or answer.output:
        raise InputError(
            "memories are revised on a clean working tree only, and this one has uncommitted changes",
            hint="commit or stash them first, or leave out --revise",
            code="uncommitted_changes",
        )


def revise(
    workspace: Workspace, stale: Mapping[str, str], head: str, checkout: tuple[str, str]
) -> list[Memory]:
    """Replace each of these memories by a copy of half the confidence, with a note: one act, to be undone.

    The successor has the same citations and verdicts, so that it goes on being checked. What was revised
    before is left alone: a memory loses confidence once for a pin, however many passes follow.

    Args:
        workspace: The repository.
        stale: By the uid of a memory, the commit that is its stale pin.
        head: The full hash of HEAD.
        checkout: Machine and root of the working tree.

    Returns:
        The successors.
    """
    if not stale:
        return []
    with workspace.writing() as (connection, repository, now):
        found = memories.memories_by_uid(connection, stale)
        live = memories.are_live(connection, stale, workspace.present(connection))
        place = repositories.ensure_checkout(connection, repository, *checkout, now=now)
        made = [
            _revised(connection, memory, _note(stale[memory.uid], head), now=now, actor=workspace.actor)
            for memory in sorted(found.values(), key=lambda memory: memory.number)
            if memory.uid in live and memory.source_agent != REVISER and not memory.redacted
        ]
        for old, new in made:
            _carry_citations(connection, old, new, place, now=now, actor=workspace.actor)
        if made:
            history.record_act(
                connection,
                history.ActKind.SUPERSEDE,
                repository=repository,
                actor=workspace.actor,
                at=now,
                memory_uids=[new.uid for _, new in made],
                closed=[old.uid for old, _ in made],
            )
            bump_revision(connection)
    return [new for _, new in made]


def _note(commit: str, head: str) -> str:
    return f" [pinned to {commit[:SHOWN_DIGITS]}, which {head[:SHOWN_DIGITS]} left behind]"


def _revised(
    connection: Connection, old: Memory, note: str, *, now: Instant, actor: str
) -> tuple[Memory, Memory]:
    kept = {each.name: getattr(old, each.name) for each in fields(MemoryDraft)}
    changed = {
        "text": old.text + note,
        "confidence": old.confidence * LOWERING,
        "source_agent": REVISER,
        "valid_from": None,
    }
    new = succession.supersede_memory(
        connection,
        old,
        MemoryDraft(**{**kept, **changed}),
        uid=ids.new_uid(unix_ms(now)),
        now=now,
        actor=actor,
    )
    return old, new


def _carry_citations(
    connection: Connection, old: Memory, new: Memory, checkout: int, *, now: Instant, actor: str
) -> None:
    cited = citation_rows.citations_of(connection, [old.uid]).get(old.uid, [])
    carried = [
        NewCitation(uid=ids.new_uid(unix_ms(now)), memory=new.uid, draft=_draft_of(each)) for each in cited
    ]
    citation_rows.insert_citations(connection, carried, now=now, actor=actor, origin=new.origin)
    said = verdicts_of(connection, checkout, [each.uid for each in cited])
    write_verdicts(connection, checkout, _carried_verdicts(cited, carried, said))


def _draft_of(citation: Citation) -> CitationDraft:
    return CitationDraft(**{each.name: getattr(citation, each.name) for each in fields(CitationDraft)})


def _carried_verdicts(
    cited: Sequence[Citation], carried: Sequence[NewCitation], said: Mapping[str, VerdictRow]
) -> list[VerdictRow]:
    return [
        VerdictRow(
            citation=new.uid,
            generation=1,
            verdict=said[old.uid].verdict,
            checked_at=said[old.uid].checked_at,
            commit_state=said[old.uid].commit_state,
            checked_head=said[old.uid].checked_head,
        )
        for old, new in zip(cited, carried, strict=True)
        if old.uid in said and said[old.uid].generation == old.generation
    ]
