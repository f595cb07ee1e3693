"""Results as JSON, in the shape that programs rely on. Lines are 1-based and inclusive."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from stilltrue.model.citation import Citation, Place
    from stilltrue.model.healing import HealEvent
    from stilltrue.model.memory import Closing, Memory
    from stilltrue.model.pin import KeptPin
    from stilltrue.services.check import CheckReport
    from stilltrue.services.judging import JudgedCitation, JudgedMemory
    from stilltrue.services.lowering import Healed
    from stilltrue.services.warm import Summary


def citation(one: Citation) -> dict[str, Any]:
    """A citation as recorded."""
    return {
        "id": one.id,
        "uid": one.uid,
        "generation": one.generation,
        "kind": one.kind,
        "path": one.path,
        **_span(one),
        "symbol": one.symbol,
        "commit": one.commit,
        "sha256": one.baseline.sha256 if one.baseline else None,
    }


def remembered(memory: Memory, citations: Iterable[Citation]) -> dict[str, Any]:
    """What `remember` and `supersede` answer."""
    return {"id": memory.id, "uid": memory.uid, "citations": [citation(each) for each in citations]}


def memory_fields(memory: Memory) -> dict[str, Any]:
    """Everything a memory says of itself."""
    return {
        "id": memory.id,
        "uid": memory.uid,
        "text": memory.text,
        "subject": memory.subject,
        "predicate": memory.predicate,
        "kind": memory.kind,
        "importance": memory.importance,
        "confidence": memory.confidence,
        "trust": memory.trust,
        "source_ref": memory.source_ref,
        "valid_from": memory.valid_from,
        "valid_to": memory.valid_to,
        "expires_at": memory.expires_at,
        "recorded_at": memory.tx_at,
        "supersedes": memory.supersedes,
        "origin": memory.origin,
        "redacted": memory.redacted,
    }


def judged(one: JudgedMemory, kept: Mapping[str, KeptPin] | None = None) -> dict[str, Any]:
    """A memory with its verdict and those of its citations; with `kept`, what git last said of each pin."""
    return {
        "id": one.memory.id,
        "uid": one.memory.uid,
        "text": one.memory.text,
        "freshness": one.verdict.label,
        "reason": one.reason,
        "citations": [
            _judged_citation(each) | ({} if kept is None else {"pin": pin(each.citation, kept)})
            for each in one.citations
        ],
    }


def pin(one: Citation, kept: Mapping[str, KeptPin]) -> dict[str, Any] | None:
    """The commit a citation names and what git last said of it; None without one (A14, A25)."""
    if one.commit is None:
        return None
    said = kept.get(one.uid)
    return {
        "commit": one.commit,
        "freshness": said.state if said else None,
        "checked_at": said.checked_at if said else None,
        "checked_head": said.checked_head if said else None,
    }


def report(checked: CheckReport | Summary) -> dict[str, Any]:
    """What `check` answers."""
    return {
        "version": 1,
        "summary": checked.counts,
        "skipped": skipped(checked),
        "memories": [judged(each) for each in checked.memories],
    }


def skipped(checked: CheckReport | Summary) -> list[dict[str, Any]]:
    """What was not checked, named and counted."""
    return [{"what": each.what, "why": each.why, "count": each.count} for each in checked.skipped]


def event(one: HealEvent) -> dict[str, Any]:
    """What a pass did to a memory, and why."""
    return {
        "kind": one.kind,
        "original": one.original,
        "superseding": one.superseding,
        "reason": one.reason,
        "citation": one.citation,
        "resolver_state": one.resolver_state,
        "commit": one.commit,
        "actor": one.actor,
        "at": one.at,
    }


def healed(one: Healed) -> dict[str, Any]:
    """A memory that was replaced by a version that is trusted less."""
    return {"id": one.original.id, "superseded_by": one.successor.id, "event": event(one.event)}


def closing(one: Closing) -> dict[str, Any]:
    """A dated end of a memory."""
    return {
        "memory": one.memory,
        "kind": one.kind,
        "at": one.at,
        "valid_at": one.valid_at,
        "actor": one.actor,
        "successor": one.successor,
        "undone_at": one.undone_at,
    }


def _judged_citation(one: JudgedCitation) -> dict[str, Any]:
    verdict = one.verdict
    return {
        "id": one.citation.id,
        "uid": one.citation.uid,
        "view": one.view,
        "notes": list(verdict.notes),
        "path": one.citation.path,
        **_span(one.citation),
        "symbol": one.citation.symbol,
        "verdict": verdict.verdict,
        "reason": verdict.reason,
        "grade": verdict.grade,
        "new": _place(verdict.new),
        "candidates": [_place(each) for each in verdict.candidates],
        "nearest": _place(verdict.nearest),
    }


def _span(one: Citation) -> dict[str, int | None]:
    return {
        "start_line": one.span.start if one.span else None,
        "end_line": one.span.end if one.span else None,
    }


def _place(place: Place | None) -> dict[str, Any] | None:
    if place is None:
        return None
    return {"path": place.path, "start_line": place.span.start, "end_line": place.span.end}
