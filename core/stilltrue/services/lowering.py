"""Write another version of memories that the code no longer backs: demoted, or lowered (E27 to E30, A52).

Insert-only, in a transaction that the caller owns: whatever fails undoes all of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from stilltrue.model.citation import CitationKind
from stilltrue.model.healing import HealEvent, HealKind, HealMode
from stilltrue.model.memory import Memory, MemoryDraft, Trust
from stilltrue.model.time import Instant, unix_ms
from stilltrue.services.copying import LOWERED_BY, carry_citations, same_words
from stilltrue.services.drift import Drift, drift_of, may_lose_trust
from stilltrue.services.judging import JudgedMemory
from stilltrue.services.workspace import Connection, Workspace
from stilltrue.store import citations as citation_rows
from stilltrue.store import healing, history, ids, memories, succession
from stilltrue.store.verdicts import VerdictRow


@dataclass(frozen=True, slots=True, kw_only=True)
class Healed:
    """One memory that a pass replaced.

    Attributes:
        original: As it was.
        successor: The version that took its place.
        event: Why.
        verdicts: Those of the successor's citations, which are the original's.
    """

    original: Memory
    successor: Memory
    event: HealEvent
    verdicts: tuple[VerdictRow, ...] = ()


def replace_drifting(
    connection: Connection,
    workspace: Workspace,
    drifts: Sequence[Drift],
    kind: HealKind,
    *,
    now: Instant,
    head: str | None,
    again: bool = False,
) -> list[Healed]:
    """Supersede each of these memories by a copy that is trusted less, with one event each and one act.

    Unless it is to be done `again`, what was healed for the same state of the code is left alone (E30).
    """
    healed = [
        _replaced(connection, drift, kind, now=now, head=head, actor=workspace.actor)
        for drift in (drifts if again else _without_healed(connection, drifts))
    ]
    if healed:
        repository = healed[0].original.repository
        healing.insert_events(connection, repository, [each.event for each in healed])
        history.record_act(
            connection,
            history.ActKind.DEMOTE if kind is HealKind.DEMOTED else history.ActKind.LOWER,
            repository=repository,
            actor=workspace.actor,
            at=now,
            memory_uids=[each.successor.uid for each in healed],
            closed=[each.original.uid for each in healed],
        )
    return healed


def to_heal(workspace: Workspace, judged: Iterable[JudgedMemory], mode: HealMode) -> list[Drift]:
    """Those that are adrift, and for which nothing was done in the state in which the code is now.

    An act that was undone counts as done: the next pass takes that for an answer.
    """
    drifts = [
        drift_of(each, workspace.lines_now)
        for each in judged
        if may_lose_trust(each) and (mode is HealMode.DEMOTE or each.memory.confidence > 0)
    ]
    if not drifts:
        return []
    with workspace.reading() as reading:
        return _without_healed(workspace.known(reading)[0], drifts)


def unmoved(connection: Connection, workspace: Workspace, drifts: Iterable[Drift]) -> list[Drift]:
    """Those whose memories are still live and cite what was judged."""
    drifts = list(drifts)
    uids = [each.judged.memory.uid for each in drifts]
    live = memories.are_live(connection, uids, workspace.present(connection))
    present = citation_rows.citations_of(connection, uids)
    found = []
    for drift in drifts:
        uid = drift.judged.memory.uid
        reached = {each.uid: each.generation for each in present.get(uid, [])}
        if uid in live and all(
            reached.get(each.citation.uid) == each.citation.generation for each in drift.judged.citations
        ):
            found.append(drift)
    return found


def _without_healed(connection: Connection, drifts: Sequence[Drift]) -> list[Drift]:
    done = healing.healed_states(connection, [each.judged.memory.chain for each in drifts])
    return [each for each in drifts if (each.judged.memory.chain, each.code_state) not in done]


def _replaced(
    connection: Connection, drift: Drift, kind: HealKind, *, now: Instant, head: str | None, actor: str
) -> Healed:
    old = drift.judged.memory
    new = succession.supersede_memory(
        connection, old, _draft(old, kind), uid=ids.new_uid(unix_ms(now)), now=now, actor=actor
    )
    said = {each.citation.uid: each.verdict for each in drift.judged.citations}
    rows = [
        VerdictRow(
            citation=copied.uid, generation=1, verdict=said[cited.uid], checked_at=now, checked_head=head
        )
        for cited, copied in carry_citations(connection, old, new, now=now, actor=actor)
        if cited.uid in said and cited.kind is not CitationKind.COMMIT
    ]
    event = HealEvent(
        kind=kind,
        original=old.uid,
        superseding=new.uid,
        reason=drift.reason,
        citation=drift.citation,
        resolver_state=drift.resolver_state,
        code_state=drift.code_state,
        commit=head,
        actor=actor,
        at=now,
    )
    return Healed(original=old, successor=new, event=event, verdicts=tuple(rows))


def _draft(old: Memory, kind: HealKind) -> MemoryDraft:
    """The same words, subject, kind and source; trusted less."""
    if kind is HealKind.DEMOTED:
        return same_words(old, trust=Trust.UNKNOWN)
    return same_words(old, confidence=round(old.confidence * LOWERED_BY, 6))
