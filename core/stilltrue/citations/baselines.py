"""What is kept of cited bytes, so that they can be recognised later (design 2 and 3)."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import replace
from hashlib import sha256

from stilltrue.citations.conflicts import conflict_blocks, overlaps
from stilltrue.citations.lines import Lines, fold_line_ends, line_digest
from stilltrue.citations.solid_text import begins_of, solid
from stilltrue.errors import CitationError
from stilltrue.model.citation import Baseline, Neighbour, Span

EXCERPT_LIMIT = 16 * 1024
"""Bytes of cited text kept to show a reader what changed."""
NEIGHBOUR_LIMIT = 200
BESIDE_LIMIT = 120
"""Solid bytes kept of what stands above and below: about a line as formatters break them."""
DIGEST_LINES = 1000


def check_span(lines: Lines, span: Span) -> None:
    """Refuse a span that does not stand in the text as written (D19); nothing is clamped.

    Raises:
        CitationError: Line 0 or less, an end before the start, or past the end of the file.
    """
    if span.start < 1:
        raise CitationError(f"line {span.start} does not exist", hint="lines are counted from 1")
    if span.end < span.start:
        raise CitationError(
            f"lines {span.start}-{span.end} end before they start",
            hint=f"write {span.end}-{span.start} if that is what you mean",
        )
    if not lines.count:
        raise CitationError("the file is empty", hint="an empty file can only be cited as a whole: PATH")
    if span.end > lines.count:
        raise CitationError(
            f"line {span.end} is past the end of the file", hint=f"the file has {lines.count} lines"
        )


def span_baseline(lines: Lines, span: Span, *, encoding: str, with_excerpt: bool) -> Baseline:
    """What is kept of the lines `span` of a text.

    Args:
        lines: The whole text the span stands in.
        span: Lines, 1-based and inclusive.
        encoding: The name of the encoding the text was read as.
        with_excerpt: Keep text for readers (D15); verdicts are the same without.

    Raises:
        CitationError: The span is degenerate (D19).
    """
    check_span(lines, span)
    cited = lines.span_bytes(span)
    copies = lines.find_whole_lines(cited)
    kept = Baseline(
        sha256=sha256(cited).hexdigest(),
        lf_sha256=sha256(fold_line_ends(cited)).hexdigest(),
        byte_length=len(cited),
        copies=len(copies),
        copy_index=copies.index(span.start),
        before=_neighbour(lines, lines.non_blank_above(span.start), with_text=with_excerpt),
        after=_neighbour(lines, lines.non_blank_below(span.end), with_text=with_excerpt),
        line_digests=b"".join(
            line_digest(lines.line(number))
            for number in range(span.start, min(span.end, span.start + DIGEST_LINES - 1) + 1)
        ),
        conflict_markers=overlaps(conflict_blocks(lines), span),
        encoding=encoding,
        excerpt=cited[:EXCERPT_LIMIT] if with_excerpt else None,
    )
    return _with_solid_text(kept, lines, span) if kept.excerpt_is_whole else kept


def file_baseline(lines: Lines, *, encoding: str, with_excerpt: bool) -> Baseline:
    """What is kept of a whole file: every byte after the byte-order mark; may be empty."""
    data = lines.data
    return Baseline(
        sha256=sha256(data).hexdigest(),
        lf_sha256=sha256(fold_line_ends(data)).hexdigest(),
        byte_length=len(data),
        encoding=encoding,
        excerpt=data[:EXCERPT_LIMIT] if with_excerpt else None,
    )


def _with_solid_text(kept: Baseline, lines: Lines, span: Span) -> Baseline:
    """What is known of a text apart from white space, beside what is kept of it; it only grades."""
    cited, text = solid(kept.excerpt or b""), lines.solid
    begin = len(solid(lines.data[: lines.starts[span.start - 1]]))
    end = begin + len(cited)
    begins = begins_of(cited, text)
    return replace(
        kept,
        solid_copies=len(begins) or None,
        solid_index=bisect_left(begins, begin),
        solid_above=text[max(0, begin - BESIDE_LIMIT) : begin],
        solid_below=text[end : end + BESIDE_LIMIT],
    )


def _neighbour(lines: Lines, number: int, *, with_text: bool) -> Neighbour | None:
    if not 1 <= number <= lines.count:
        return None
    line = lines.line(number)
    return Neighbour(sha256(line).hexdigest(), line[:NEIGHBOUR_LIMIT] if with_text else None)
