"""What a change of a cited text is graded as."""

from __future__ import annotations

from stilltrue.citations.baselines import span_baseline
from stilltrue.citations.evidence import Evidence
from stilltrue.citations.grading import graded
from stilltrue.citations.lines import Lines
from stilltrue.citations.relocation import sight
from stilltrue.freshness import judge_citation
from stilltrue.model.citation import CitationKind, Span
from stilltrue.model.verdict import CitationVerdict


def judge(
    before: bytes, span: Span, after: bytes, path: str, *, with_excerpt: bool = True
) -> CitationVerdict:
    """The verdict on `span` of `before` when the file at `path` holds `after`."""
    baseline = span_baseline(Lines(before), span, encoding="utf-8", with_excerpt=with_excerpt)
    lines = Lines(after)
    seen = graded(sight(lines, span, baseline), path, lines, baseline, span)
    return judge_citation(Evidence(kind=CitationKind.SPAN, path=path, recorded=span, sighting=seen))
