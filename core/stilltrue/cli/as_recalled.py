"""An answer of recall as JSON and as text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from stilltrue.cli import as_json, as_text
from stilltrue.ide.wording import harmless
from stilltrue.model.memory import MemoryKind
from stilltrue.recall.validity import Validity
from stilltrue.services.queries import Source
from stilltrue.services.recalled import Hit, Recalled

if TYPE_CHECKING:
    from stilltrue.cli.context import Context

USUAL_IMPORTANCE = 5
NEEDS_REVERIFICATION = "Needs re-verification:"
DRIFTED = (
    "pinned memories may have drifted from their code; "
    "look with `stilltrue check`, or `stilltrue pins` for commits"
)


def answer(recalled: Recalled, *, explain: bool = False) -> dict[str, Any]:
    """What `recall --json` answers; fields that do not apply are left out."""
    told: dict[str, Any] = {"version": 1}
    told["results"] = [hit_fields(hit, explain=explain) for hit in recalled.hits]
    told["matched"] = recalled.matched
    told["truncated"] = recalled.truncated
    if recalled.query.as_of is not None:
        told["as_of"] = recalled.query.as_of
    if recalled.notes:
        told["notes"] = list(recalled.notes)
    if recalled.fused is not None:
        told["fused_trace"] = _fused_trace(recalled)
    return told


def hit_fields(hit: Hit, *, explain: bool = False) -> dict[str, Any]:
    """One memory of an answer."""
    memory, placing = hit.memory, hit.placing
    told: dict[str, Any] = {
        "id": memory.id,
        "uid": memory.uid,
        "text": memory.text,
        "subject": memory.subject,
        "kind": memory.kind,
        "importance": memory.importance,
        "confidence": memory.confidence,
        "trust": memory.trust,
        "source_ref": memory.source_ref,
        "recorded_at": memory.tx_at,
        "score": placing.score,
        "freshness": hit.label,
        "reason": hit.judged.reason,
        "citations": as_json.judged(hit.judged, hit.pins)["citations"],
    }
    if placing.validity is not None:
        told |= validity_fields(placing.validity)
    if explain:
        told["explain"] = {
            "ranks": dict(placing.ranks),
            "factors": asdict(placing.factors) if placing.factors else None,
            "base": placing.base,
        }
    return told


def validity_fields(block: Validity) -> dict[str, Any]:
    """A block, with the mark beside it exactly where its context is invalid (C5, C6)."""
    told: dict[str, Any] = {"validity": {**asdict(block), "signals": list(block.signals)}}
    return told | ({"context_invalid": True} if block.is_context_invalid else {})


def _fused_trace(recalled: Recalled) -> dict[str, Any]:
    trace = recalled.fused
    assert trace is not None  # noqa: S101 - for the type checker
    told: dict[str, Any] = {
        "arms": [
            {"name": arm.name, "weight": arm.counted_weight, "found": len(arm.ranked)} for arm in trace.arms
        ],
        "pool": trace.pool,
        "rerank": trace.rerank,
    }
    if trace.grade_counts is not None:
        told["validity"] = {
            "profile": recalled.query.profile,
            "method": recalled.query.method,
            "weights": recalled.query.multiplier.as_json(),
            "grade_counts": dict(trace.grade_counts),
            "flagged_context_invalid": trace.grade_counts["context_invalid"],
        }
    return told


def rows(context: Context, recalled: Recalled, *, explain: bool = False) -> Iterator[str]:
    """The answer for people."""
    dated = recalled.query.as_of is not None
    apart = context.workspace.settings.stale_policy_recall == "quarantine"
    stale = [hit for hit in recalled.hits if apart and hit.source is Source.STALE]
    for hit in (*(each for each in recalled.hits if each not in stale), *stale):
        if stale and hit is stale[0]:
            yield NEEDS_REVERIFICATION
        yield from hit_rows(context, hit, dated=dated)
        if explain:
            yield from (f"      {row}" for row in _reasons(hit))
    if recalled.truncated:
        yield "the token budget cut off the rest"
    if recalled.drifted:
        yield DRIFTED


def hit_rows(context: Context, hit: Hit, *, dated: bool = False) -> Iterator[str]:
    """One memory: its text and state, what it says of itself, what it cites."""
    name = click.style(hit.memory.id, bold=True)
    label = as_text.label_of(hit.judged, hit.pins)
    yield f"{name}  {label}  {as_text.text_of(hit.memory, as_text.LINE_WIDTH)}"
    yield f"    {provenance_line(hit, dated=dated)}"
    for each in hit.judged.citations:
        if each.citation.path is not None and not _is_pin(each.citation.uid, hit):
            yield f"    {as_text.place_of(context, each.citation, hit.pins)}{as_text.moved_to(context, each)}"


def provenance_line(hit: Hit, *, dated: bool = False) -> str:
    """conf, src, ref, pin with its state, what is unusual, and the date, in that order (A23).

    Verdicts have no history: in an answer about the past, `dated` tells when each was found (A26).
    """
    memory = hit.memory
    parts = [f"conf={memory.confidence:g}"]
    parts += [f"src={memory.source_agent}"] if memory.source_agent else []
    parts += [f"ref={memory.source_ref}"] if memory.source_ref else []
    parts += [pin_of(hit, each.uid, dated=dated) for each in hit.citations if _is_pin(each.uid, hit)]
    parts += [f"imp={memory.importance}"] if memory.importance != USUAL_IMPORTANCE else []
    parts += [f"kind={memory.kind}"] if memory.kind is not MemoryKind.SEMANTIC else []
    parts += [f"recorded={memory.tx_at[:10]}"]
    parts += [f"expires={memory.expires_at[:10]}"] if memory.expires_at else []
    return " ".join(harmless(part).replace("\n", " ") for part in parts)


def pin_of(hit: Hit, uid: str, *, dated: bool = False) -> str:
    """A pin of a memory with what git last said of it."""
    from stilltrue.services.kept_pins import pin_text  # noqa: PLC0415 - keeps `--help` fast

    cited = next(each for each in hit.citations if each.uid == uid)
    said = hit.pins.get(uid)
    text = pin_text(cited.path, cited.commit or "", said.state if said else None)
    if dated and said is not None:
        text += f" ({said.age_text})"
    return text


def _is_pin(uid: str, hit: Hit) -> bool:
    return any(each.uid == uid and each.commit and each.baseline is None for each in hit.citations)


def _reasons(hit: Hit) -> Iterator[str]:
    placing = hit.placing
    places = ", ".join(f"{name} {rank}" for name, rank in placing.ranks.items()) or "not ranked by words"
    yield f"score {placing.score:.6f}; place in each list: {places}"
    if placing.factors is not None:
        told = asdict(placing.factors)
        yield " * ".join(f"{name} {value:.6g}" for name, value in told.items())
    if placing.validity is not None:
        block = placing.validity
        base = "" if placing.base is None else f" on base {placing.base:.6g}"
        yield f"validity: {block.grade}, multiplier {block.multiplier:.6g}{base}, {' '.join(block.signals)}"
