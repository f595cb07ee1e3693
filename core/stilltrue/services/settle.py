"""Settle a stale memory by an explicit act: re-verify, re-point, supersede, retract, undo (law 4)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from stilltrue.citations.specs import CitationSpec
from stilltrue.errors import InputError, StillTrueError
from stilltrue.model.citation import Citation, CitationDraft, CitationKind, Place
from stilltrue.model.memory import Memory, Origin
from stilltrue.model.verdict import CitationVerdict, Grade, Reason, Verdict
from stilltrue.services import remember as remembering
from stilltrue.services.current_places import current_places, spec_at
from stilltrue.services.generations import Settled, add_generations, answered_before
from stilltrue.services.judging import judge_citations
from stilltrue.services.moves import Search
from stilltrue.services.receipts import Keyed
from stilltrue.services.recording import Recorder
from stilltrue.services.workspace import Workspace
from stilltrue.source.files import Texts
from stilltrue.store import citations as citation_rows
from stilltrue.store import cited as cited_rows
from stilltrue.store import history, memories, succession
from stilltrue.store.engine import bump_revision

__all__ = ["Settled"]


def find_citations(workspace: Workspace, reference: str) -> tuple[Memory, list[Citation]]:
    """The memory and citations that `m12`, `c7`, a number or the beginning of a uid names.

    Raises:
        NotFoundError: Nothing has that name.
    """
    with workspace.reading() as reading:
        connection, repository = workspace.known(reading)
        if reference.startswith("c") and reference[1:].isdigit():
            citation = citation_rows.resolve_citation(connection, reference, repository)
            return memories.get_memory(connection, citation.memory), [citation]
        memory = memories.resolve_memory(connection, reference, repository)
        return memory, citation_rows.citations_of(connection, [memory.uid]).get(memory.uid, [])


def reverify(
    workspace: Workspace,
    citations: Sequence[Citation],
    *,
    texts: Texts | None = None,
    at: Mapping[str, Place] | None = None,
    only_grade: Grade | None = None,
    origin: Origin = Origin.DISK,
    key: str | None = None,
) -> list[Settled]:
    """*Still true*: take a new baseline from the text that stands there now (F26).

    What is fresh at its recorded lines is left alone, so that repeating it does nothing (F31).

    Args:
        workspace: The repository.
        citations: As the person saw them; one that moved on meanwhile is refused.
        texts: Where the text is read; the working tree unless an editor says otherwise.
        at: Places to take instead of where the text was found, by citation uid.
        only_grade: Leave alone what is not stale with this grade.
        origin: Whether `texts` are unsaved buffers.
        key: An idempotency key.

    Raises:
        ConflictError: A citation has a newer generation than the one given (F30).
        StillTrueError: Nothing stands there any more, or it cannot be read.
    """
    places = at or {}
    named = sorted({citation.uid for citation in citations}) if only_grade is None else only_grade
    keyed = Keyed(workspace.actor, key, "reverify", (named, sorted(places.items())))
    if (answered := answered_before(workspace, keyed)) is not None:
        return answered
    source = texts or workspace.fresh_tree()
    verdicts = judge_citations(citations, source, Search(workspace, source))
    recorder = Recorder(workspace, source)
    outcomes: list[Settled] = []
    changes: list[tuple[Citation, CitationDraft]] = []
    for citation in {each.uid: each for each in citations}.values():
        verdict = verdicts[citation.uid]
        if note := _left_alone(citation, verdict, only_grade, forced=citation.uid in places):
            outcomes.append(Settled(before=citation, note=note))
            continue
        changes.append(
            (
                citation,
                recorder.draft(spec_at(citation, places.get(citation.uid) or _place_now(citation, verdict))),
            )
        )
    return outcomes + add_generations(workspace, recorder, changes, keyed=keyed, origin=origin)


def repoint(
    workspace: Workspace,
    citation: Citation,
    target: CitationSpec,
    *,
    texts: Texts | None = None,
    origin: Origin = Origin.DISK,
    key: str | None = None,
) -> Settled:
    """Let a citation point at another place, with a new baseline from there.

    Raises:
        CitationError: Nothing citable stands there.
        ConflictError: The citation moved on meanwhile.
    """
    keyed = Keyed(workspace.actor, key, "repoint", (citation.uid, target))
    if answered := answered_before(workspace, keyed):
        return answered[0]
    recorder = Recorder(workspace, texts or workspace.fresh_tree())
    draft = recorder.draft(replace(target, symbol=target.symbol or citation.symbol))
    return add_generations(workspace, recorder, [(citation, draft)], keyed=keyed, origin=origin)[0]


def repoint_all_moved(workspace: Workspace, *, key: str | None = None) -> list[Settled]:
    """Write down the new place of every citation that clearly moved."""
    keyed = Keyed(workspace.actor, key, "repoint", "all moved")
    if (answered := answered_before(workspace, keyed)) is not None:
        return answered
    with workspace.reading() as reading:
        connection, repository = workspace.known(reading)
        cited = cited_rows.live_citations(connection, repository, workspace.present(connection), None)
    tree = workspace.fresh_tree()
    verdicts = judge_citations((citation for _, citation in cited), tree, Search(workspace, tree))
    recorder = Recorder(workspace, tree)
    changes = [
        (citation, recorder.draft(spec_at(citation, new)))
        for _, citation in cited
        if (new := verdicts[citation.uid].new) is not None
    ]
    return add_generations(workspace, recorder, changes, keyed=keyed, origin=Origin.DISK)


def supersede(
    workspace: Workspace,
    reference: str,
    request: remembering.Request,
    *,
    texts: Texts | None = None,
    key: str | None = None,
) -> remembering.Remembered:
    """Replace a memory by a new one, which cites the present lines unless it says otherwise (A7, F27).

    Subject, predicate, importance and kind are inherited; see `inheriting`.

    Raises:
        InputError: Blank text, or the memory was superseded already; the message names the head (A7).
        NotFoundError: No such memory.
    """
    old, cited = find_citations(workspace, reference)
    keyed = Keyed(workspace.actor, key, "supersede", (old.uid, request))
    if kept := remembering.answered_before(workspace, keyed):
        return kept
    source = texts or workspace.fresh_tree()
    recorder = Recorder(workspace, source)
    specs = request.citations or tuple(
        current_places(cited, judge_citations(cited, source, Search(workspace, source)))
    )
    draft = remembering.checked_draft(replace(request, citations=specs))
    drafts = recorder.drafts(specs)
    with workspace.writing() as (connection, repository, now):
        if (uid := keyed.replayed(connection)) is None:
            new = succession.supersede_memory(
                connection, old, draft, uid=remembering.new_uid(now), now=now, actor=workspace.actor
            )
            uid = new.uid
            remembering.attach(connection, new, drafts, now=now, actor=workspace.actor)
            history.record_act(
                connection,
                "supersede",
                repository=repository,
                actor=workspace.actor,
                at=now,
                memory_uids=[new.uid],
                closed=[old.uid],
            )
            bump_revision(connection)
            keyed.store(connection, uid, now, repository)
        return remembering.stored(connection, uid)


def inheriting(old: Memory, text: str, **changes: object) -> remembering.Request:
    """A request for a successor of `old`: subject, predicate, importance and kind are kept (A7)."""
    kept = remembering.Request(
        text=text, subject=old.subject, predicate=old.predicate, kind=old.kind, importance=old.importance
    )
    return replace(kept, **{name: value for name, value in changes.items() if value is not None})  # type: ignore[arg-type]


def retract(workspace: Workspace, references: Collection[str], *, key: str | None = None) -> list[Memory]:
    """End memories without a successor; a second call changes nothing (A8).

    Returns:
        Those that were ended by this call.
    """
    with workspace.reading() as reading:
        connection, repository = workspace.known(reading)
        found = [memories.resolve_memory(connection, reference, repository) for reference in references]
    keyed = Keyed(workspace.actor, key, "retract", sorted({memory.uid for memory in found}))
    with workspace.writing() as (connection, repository, now):
        if (answer := keyed.replayed(connection)) is not None:
            return [memories.get_memory(connection, uid) for uid in answer.split()]
        ended = [
            memory
            for memory in found
            if succession.retract_memory(connection, memory, now=now, actor=workspace.actor)
        ]
        if ended:
            history.record_act(
                connection,
                "retract",
                repository=repository,
                actor=workspace.actor,
                at=now,
                closed=[memory.uid for memory in ended],
            )
            bump_revision(connection)
        keyed.store(connection, " ".join(memory.uid for memory in ended), now, repository)
        return ended


def undo(workspace: Workspace) -> history.Act:
    """Take back the last act on this repository by a dated event (design 5).

    Raises:
        InputError: There is nothing to take back.
        ConflictError: Something was built upon it since.
    """
    with workspace.reading() as reading:
        workspace.known(reading)
    with workspace.writing() as (connection, repository, now):
        act = history.last_act(connection, repository)
        if act is None:
            raise InputError("there is nothing to undo")
        history.undo_act(connection, act, now=now, actor=workspace.actor)
        bump_revision(connection)
        return act


def _left_alone(
    citation: Citation, verdict: CitationVerdict, only_grade: Grade | None, *, forced: bool
) -> str:
    if citation.kind is CitationKind.COMMIT:
        return "cites a commit alone"
    if forced:
        return ""
    if verdict.verdict is Verdict.FRESH and verdict.reason is Reason.SAME_BYTES:
        return "already fresh"
    if only_grade is not None and verdict.grade is not only_grade:
        return f"is not {only_grade}"
    return ""


def _place_now(citation: Citation, verdict: CitationVerdict) -> Place | None:
    """Where the text to verify stands: the lines the person was shown.

    Raises:
        StillTrueError: It cannot be told, or nothing is left.
    """
    settle = f"settle it with: stilltrue repoint {citation.id} PATH:START-END, or retract the memory"
    if verdict.verdict is Verdict.UNKNOWN:
        raise StillTrueError(
            f"{citation.id}: cannot tell ({verdict.reason})", hint=settle, code="cannot_verify"
        )
    if verdict.reason is Reason.AMBIGUOUS:
        raise StillTrueError(
            f"{citation.id}: its lines stand in several places", hint=settle, code="cannot_verify"
        )
    if verdict.is_broken:
        raise StillTrueError(f"{citation.id}: {verdict.reason}", hint=settle, code="cannot_verify")
    return verdict.new or verdict.nearest
