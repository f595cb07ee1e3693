"""Evidence to verdict: the one rule (design 4; E1 to E7).

Pure. No branch turns missing evidence into *fresh*, and none asks a model.
"""

from __future__ import annotations

from collections.abc import Sequence

from stilltrue.citations.evidence import Elsewhere, Evidence, Sighting
from stilltrue.model.citation import CitationKind, Place, Span
from stilltrue.model.verdict import (
    CitationVerdict,
    Freshness,
    Grade,
    MemoryVerdict,
    Reason,
    StaleKind,
    Verdict,
)


def judge_citation(evidence: Evidence) -> CitationVerdict:
    """The verdict on one citation.

    Same bytes at the recorded place: fresh. Same bytes at a proven new place: moved. Else stale.
    What cannot be read or is unsettled: unknown.
    """
    if evidence.obstacle:
        return CitationVerdict(verdict=Verdict.UNKNOWN, reason=evidence.obstacle)
    if not evidence.has_baseline and not evidence.file_missing:
        return CitationVerdict(verdict=Verdict.FRESH, reason=Reason.NO_BASELINE)
    elsewhere = evidence.elsewhere or Elsewhere()
    if evidence.file_missing or evidence.sighting is None:
        return _moved_away(elsewhere) or _stale(Reason.FILE_MISSING, candidates=elsewhere.copies)
    if evidence.kind is CitationKind.SYMBOL:
        return _judge_symbol(evidence.path, evidence.sighting, elsewhere)
    return _judge_sighting(evidence.path, evidence.sighting, elsewhere)


def judge_memory(verdicts: Sequence[CitationVerdict]) -> MemoryVerdict:
    """The verdict on a memory from those on its citations (E2 to E6), in the order of the table E3."""
    if not verdicts:
        return MemoryVerdict(freshness=Freshness.UNCITED)
    broken = tuple(index for index, verdict in enumerate(verdicts) if verdict.is_broken)
    unbaselined = any(verdict.reason is Reason.NO_BASELINE for verdict in verdicts)
    freshness, stale_kind = _memory_freshness(verdicts, broken_count=len(broken))
    return MemoryVerdict(
        freshness=freshness, stale_kind=stale_kind, broken=broken, not_yet_baselined=unbaselined
    )


def _memory_freshness(
    verdicts: Sequence[CitationVerdict], *, broken_count: int
) -> tuple[Freshness, StaleKind | None]:
    if broken_count == len(verdicts):
        return Freshness.STALE, StaleKind.STRUCTURAL
    changed = [v for v in verdicts if v.verdict is Verdict.STALE and not v.is_broken]
    if changed:
        cosmetic = all(v.grade is Grade.COSMETIC for v in changed)
        return Freshness.STALE, StaleKind.COSMETIC if cosmetic else StaleKind.CONTENT
    if any(v.verdict is Verdict.UNKNOWN or v.reason is Reason.AMBIGUOUS for v in verdicts):
        return Freshness.UNKNOWN, None
    return Freshness.FRESH, None


def may_stand_elsewhere(verdict: CitationVerdict) -> bool:
    """Whether other files have something to say: the text is gone from its own, or changed there (D11)."""
    changed = verdict.verdict is Verdict.STALE and verdict.grade is Grade.CONTENT
    return changed and verdict.reason is not Reason.LINE_ENDINGS


def _judge_symbol(path: str, seen: Sighting, elsewhere: Elsewhere) -> CitationVerdict:
    """The name decides which lines are meant, their bytes decide the rest (K24, E4, F14)."""
    held = seen.carried_to or (seen.nearest if seen.same_at_place else None)
    if held and not seen.is_unresolved:
        return CitationVerdict(verdict=Verdict.FRESH, reason=Reason.SAME_BYTES, nearest=Place(path, held))
    nearest = _place(path, seen.nearest)
    if not seen.is_unresolved:
        return _judge_sighting(path, seen, Elsewhere())
    if seen.in_conflict or seen.unresolved:
        reason = Reason.CONFLICT if seen.in_conflict else seen.unresolved or Reason.PARSE_INCOMPLETE
        return CitationVerdict(verdict=Verdict.UNKNOWN, reason=reason, nearest=nearest)
    if seen.definitions:
        several = tuple(Place(path, each) for each in seen.definitions)
        return _stale(Reason.SYMBOL_AMBIGUOUS, nearest=nearest, candidates=several)
    copies = tuple(Place(path, each) for each in seen.copies)
    return _moved_away(elsewhere, nearest) or _stale(
        Reason.SYMBOL_MISSING, nearest=nearest, candidates=(*copies, *elsewhere.copies)
    )


def _judge_sighting(path: str, seen: Sighting, elsewhere: Elsewhere) -> CitationVerdict:
    if seen.same_at_place:
        return CitationVerdict(verdict=Verdict.FRESH, reason=Reason.SAME_BYTES)
    if seen.carried_to:
        return _moved(path, seen.carried_to)
    if seen.in_conflict:
        return CitationVerdict(
            verdict=Verdict.UNKNOWN, reason=Reason.CONFLICT, nearest=_place(path, seen.nearest)
        )
    if seen.has_moved:
        return _moved(path, seen.target) if seen.target else _ambiguous(path, seen)
    return _judge_changed(path, seen, elsewhere)


def _judge_changed(path: str, seen: Sighting, elsewhere: Elsewhere) -> CitationVerdict:
    nearest = _place(path, seen.nearest)
    if seen.folded_at:
        grade = Grade.CONTENT if seen.line_ends_matter else Grade.COSMETIC
        return _stale(Reason.LINE_ENDINGS, grade, nearest=_place(path, seen.folded_at))
    copies = (*(Place(path, copy) for copy in seen.copies), *elsewhere.copies)
    if seen.cosmetic:
        return _stale(seen.cosmetic, Grade.COSMETIC, nearest=nearest, candidates=copies)
    moved = None if _version_stands(seen, elsewhere) else _moved_away(elsewhere, nearest)
    return moved or _stale(
        Reason.SPAN_MISSING if seen.nothing_left and not seen.copies else Reason.TEXT_CHANGED,
        nearest=nearest,
        candidates=copies,
    )


def _version_stands(seen: Sighting, elsewhere: Elsewhere) -> bool:
    """Whether a changed version stands there: of a whole definition its name tells, else its neighbours."""
    if elsewhere.are_definitions and seen.symbol_stands is not None:
        return seen.symbol_stands
    return seen.version_stands


def _moved(path: str, target: Span) -> CitationVerdict:
    return CitationVerdict(verdict=Verdict.MOVED, reason=Reason.SAME_FILE, new=Place(path, target))


def _moved_away(elsewhere: Elsewhere, nearest: Place | None = None) -> CitationVerdict | None:
    """Moved to another file, where other files prove it and the cited place is vacated (D11, D13)."""
    if elsewhere.target:
        return CitationVerdict(verdict=Verdict.MOVED, reason=Reason.OTHER_FILE, new=elsewhere.target)
    if elsewhere.possible:
        return CitationVerdict(
            verdict=Verdict.MOVED, reason=Reason.AMBIGUOUS, candidates=elsewhere.possible, nearest=nearest
        )
    return None


def _ambiguous(path: str, seen: Sighting) -> CitationVerdict:
    return CitationVerdict(
        verdict=Verdict.MOVED,
        reason=Reason.AMBIGUOUS,
        candidates=tuple(Place(path, copy) for copy in seen.copies),
        nearest=_place(path, seen.nearest),
    )


def _stale(
    reason: Reason,
    grade: Grade = Grade.CONTENT,
    *,
    nearest: Place | None = None,
    candidates: tuple[Place, ...] = (),
) -> CitationVerdict:
    return CitationVerdict(
        verdict=Verdict.STALE, reason=reason, grade=grade, nearest=nearest, candidates=candidates
    )


def _place(path: str, span: Span | None) -> Place | None:
    return Place(path, span) if span else None
