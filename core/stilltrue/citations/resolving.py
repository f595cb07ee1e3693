"""Find what a symbol citation cites in a text: by its name, then by its bytes (design 3, K24)."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256

from stilltrue.citations.conflicts import conflict_blocks, overlaps
from stilltrue.citations.evidence import Sighting
from stilltrue.citations.lines import Lines, fold_line_ends
from stilltrue.citations.relocation import sight
from stilltrue.citations.symbols import symbols_in
from stilltrue.model.citation import Baseline, Citation, Span


def sight_symbol(citation: Citation, lines: Lines, baseline: Baseline) -> Sighting:
    """What a text says about a symbol citation.

    A definition has no place: the same bytes at other lines are the cited ones. Where the name cannot be
    resolved, the cited bytes tell only which lines a reader is shown, never that all is well.

    Args:
        citation: A symbol citation; its lines are a hint.
        lines: The text as it is now.
        baseline: What was cited.
    """
    found = symbols_in(citation.path or "", lines).resolve(citation.symbol or "")
    if len(found.spans) != 1:
        return (
            _unresolved(citation, lines, baseline, found.spans)
            if not found.obstacle
            else replace(_unresolved(citation, lines, baseline, None), unresolved=found.obstacle)
        )
    (span,) = found.spans
    data = lines.span_bytes(span)
    if len(data) == baseline.byte_length and sha256(data).hexdigest() == baseline.sha256:
        return Sighting(same_at_place=True, definitions=found.spans, nearest=span)
    folded = sha256(fold_line_ends(data)).hexdigest() == baseline.lf_sha256
    return Sighting(
        definitions=found.spans,
        folded_at=span if folded else None,
        version_stands=True,
        in_conflict=_is_in_new_conflict(lines, span, baseline),
        nearest=span,
    )


def _unresolved(
    citation: Citation, lines: Lines, baseline: Baseline, spans: tuple[Span, ...] | None
) -> Sighting:
    hint = citation.span or Span(1, 1)
    seen = sight(lines, hint, baseline)
    copies = (hint,) if seen.same_at_place else seen.copies
    near = min(spans, key=lambda each: abs(each.start - hint.start), default=None) if spans else None
    return Sighting(
        definitions=spans,
        copies=copies if not spans else (),
        in_conflict=seen.in_conflict,
        nearest=near or (copies[0] if len(copies) == 1 else seen.nearest),
    )


def _is_in_new_conflict(lines: Lines, span: Span, baseline: Baseline) -> bool:
    return not baseline.conflict_markers and overlaps(conflict_blocks(lines), span)
