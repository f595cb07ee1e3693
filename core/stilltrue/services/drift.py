"""Which judged memories lost the code that backed them, and in what words an event says so (E28)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256

from stilltrue.model.citation import Citation, CitationKind, Place
from stilltrue.model.healing import DriftReason, ResolverState
from stilltrue.model.memory import Trust
from stilltrue.model.verdict import CitationVerdict, Freshness, Grade, Reason, StaleKind, Verdict
from stilltrue.services.judging import JudgedCitation, JudgedMemory

_BROKEN = {
    Reason.FILE_MISSING: ResolverState.MISSING_FILE,
    Reason.SYMBOL_MISSING: ResolverState.MISSING_SYMBOL,
    Reason.SPAN_MISSING: ResolverState.MISSING_SPAN,
    Reason.SYMBOL_AMBIGUOUS: ResolverState.AMBIGUOUS_SYMBOL,
}
_NOTHING_TO_LOSE = frozenset({Trust.UNKNOWN, Trust.REJECTED})


@dataclass(frozen=True, slots=True, kw_only=True)
class Drift:
    """A memory that is stale by structure or content.

    Attributes:
        judged: The memory with its verdicts.
        reason: See `DriftReason`.
        citation: The place that decided, as people write it.
        resolver_state: What became of that place.
        code_state: The same as long as the baselines and what stands in their place are the same.
    """

    judged: JudgedMemory
    reason: DriftReason
    citation: str
    resolver_state: ResolverState
    code_state: str


def resolver_state(citation: Citation, verdict: CitationVerdict) -> ResolverState:
    """What became of the place a citation names (E4); only what is missing or ambiguous is broken."""
    if verdict.is_broken:
        return _BROKEN[verdict.reason]
    if verdict.reason is Reason.UNSUPPORTED_LANGUAGE:
        return ResolverState.UNSUPPORTED_LANGUAGE
    return ResolverState.FILE_ONLY if citation.kind is CitationKind.FILE else ResolverState.RESOLVED


def is_adrift(judged: JudgedMemory) -> bool:
    """Stale by structure or content. What is unknown, fresh or cosmetic stays as it is (E6, E31)."""
    verdict = judged.verdict
    return verdict.freshness is Freshness.STALE and verdict.stale_kind is not StaleKind.COSMETIC


def may_lose_trust(judged: JudgedMemory) -> bool:
    """A pass may write another version of it: it has words left, and a trust that can be lost."""
    memory = judged.memory
    return is_adrift(judged) and not memory.redacted and memory.trust not in _NOTHING_TO_LOSE


def drift_of(judged: JudgedMemory, lines_now: Callable[[Place], bytes]) -> Drift:
    """What an event says of a memory that is adrift.

    Args:
        judged: See `is_adrift`.
        lines_now: The bytes that stand at a place.
    """
    is_structural = judged.verdict.stale_kind is StaleKind.STRUCTURAL
    decided = next(each for each in judged.citations if _decides(each, is_structural=is_structural))
    return Drift(
        judged=judged,
        reason=DriftReason.ANCHOR_DRIFT if is_structural else DriftReason.CONTENT_DRIFT,
        citation=written(decided.citation),
        resolver_state=resolver_state(decided.citation, decided.verdict),
        code_state=_code_state(judged, lines_now),
    )


def written(citation: Citation) -> str:
    """The place as an event keeps it: `src/a.py#Client.send`, `src/a.py:3-5` or `src/a.py`."""
    path = citation.path or ""
    if citation.kind is CitationKind.SYMBOL:
        return f"{path}#{citation.symbol}"
    if citation.span is None:
        return path
    start, end = citation.span.start, citation.span.end
    return f"{path}:{start}" if start == end else f"{path}:{start}-{end}"


def _decides(each: JudgedCitation, *, is_structural: bool) -> bool:
    verdict = each.verdict
    if each.citation.kind is CitationKind.COMMIT or verdict.verdict is not Verdict.STALE:
        return False
    return verdict.is_broken if is_structural else verdict.grade is Grade.CONTENT and not verdict.is_broken


def _code_state(judged: JudgedMemory, lines_now: Callable[[Place], bytes]) -> str:
    digest = sha256()
    for each in judged.citations:
        baseline, verdict = each.citation.baseline, each.verdict
        if baseline is None:
            continue
        at = verdict.nearest if verdict.verdict is Verdict.STALE and not verdict.is_broken else None
        found = sha256(lines_now(at)).hexdigest() if at else ""
        told = (each.citation.path or "", baseline.sha256, verdict.verdict, verdict.reason, found)
        digest.update("\0".join((*told, "")).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()
