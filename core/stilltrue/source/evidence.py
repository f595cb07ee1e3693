"""Gather what the rule needs to know: one read of each file, however many citations point into it."""

from __future__ import annotations

from stilltrue.citations.evidence import Evidence, Sighting
from stilltrue.citations.lines import Lines
from stilltrue.citations.relocation import sight
from stilltrue.citations.whole_files import sight_file
from stilltrue.model.citation import Baseline, Citation, CitationKind, Span
from stilltrue.model.verdict import Reason
from stilltrue.source.files import FileText


def gather(
    citation: Citation, text: FileText, lines: Lines | None, *, carried: Span | None = None
) -> Evidence:
    """The evidence about one citation in one text.

    Args:
        citation: A span, symbol or file citation; a commit citation has no place here.
        text: What stands at its path.
        lines: The same as lines, shared by all citations of the file; None where there is no text.
        carried: Where an editing session carried the span to, 1-based and inclusive.
    """
    path = citation.path or ""
    baseline = citation.baseline
    if text.obstacle or lines is None or baseline is None:
        return Evidence(
            kind=citation.kind,
            path=path,
            recorded=citation.span,
            obstacle=text.obstacle or _malformed(citation),
            file_missing=text.missing,
            has_baseline=baseline is not None,
        )
    if citation.kind is CitationKind.SYMBOL:
        from stilltrue.citations.resolving import sight_symbol  # noqa: PLC0415 - many checks ask no grammar

        sighting = _graded(sight_symbol(citation, lines, baseline), path, lines, baseline)
    elif citation.kind is CitationKind.FILE or citation.span is None:
        sighting = sight_file(lines, baseline)
    else:
        sighting = _sight_span(citation, citation.span, lines, baseline, carried)
    return Evidence(
        kind=citation.kind,
        path=path,
        recorded=citation.span,
        obstacle=Reason.LFS_POINTER if text.is_lfs_pointer and not _found(sighting) else None,
        sighting=sighting,
    )


def _sight_span(
    citation: Citation, recorded: Span, lines: Lines, baseline: Baseline, carried: Span | None
) -> Sighting:
    seen = sight(lines, recorded, baseline, carried=carried)
    if seen.same_at_place or seen.carried_to:
        return seen
    from stilltrue.citations.defining import (  # noqa: PLC0415 - what stands where it was asks no grammar
        shown_by_symbol,
        told_by_symbol,
    )

    seen = told_by_symbol(seen, citation, lines)
    seen = _graded(seen, citation.path or "", lines, baseline, carried or recorded)
    return seen if carried else shown_by_symbol(seen, citation, lines)


def _graded(
    seen: Sighting, path: str, lines: Lines, baseline: Baseline, recorded: Span | None = None
) -> Sighting:
    if not seen.is_changed:
        return seen
    from stilltrue.citations.grading import graded  # noqa: PLC0415 - where all is fresh nothing is graded

    return graded(seen, path, lines, baseline, recorded)


def _found(sighting: Sighting) -> bool:
    return sighting.same_at_place or sighting.carried_to is not None


def _malformed(citation: Citation) -> Reason | None:
    """A row that no recording makes, such as a span citation without lines or with impossible ones."""
    if citation.kind is CitationKind.SPAN and (
        citation.span is None or citation.span.start < 1 or citation.span.end < citation.span.start
    ):
        return Reason.MALFORMED
    return Reason.MALFORMED if not citation.path else None
