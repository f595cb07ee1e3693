"""Where what a memory cites stands now: what its successor would cite."""

from __future__ import annotations

from collections.abc import Sequence

from stilltrue.citations.specs import CitationSpec
from stilltrue.model.citation import Citation, CitationKind, Place
from stilltrue.model.verdict import CitationVerdict, Verdict


def spec_at(citation: Citation, place: Place | None) -> CitationSpec:
    """What to ask for so that `citation` cites `place`, or its recorded place where that is None.

    A symbol is asked for by its name alone, unless a person looked at it at `place`.
    """
    path = place.path if place else citation.path
    if citation.kind is CitationKind.SYMBOL:
        span = place.span if place else None
    else:
        span = place.span if place and citation.kind is not CitationKind.FILE else citation.span
    return CitationSpec(kind=citation.kind, path=path, span=span, symbol=citation.symbol)


def current_places(citations: Sequence[Citation], verdicts: dict[str, CitationVerdict]) -> list[CitationSpec]:
    """Where a successor would cite what its predecessor cited: neither what is gone nor pins (A20)."""
    return [
        spec_at(citation, verdicts[citation.uid].new or verdicts[citation.uid].nearest)
        for citation in citations
        if citation.kind is not CitationKind.COMMIT
        and not verdicts[citation.uid].is_broken
        and verdicts[citation.uid].verdict is not Verdict.UNKNOWN
    ]
