"""Find a cited span again in other text (design 4; D10 to D13).

Exact bytes at whole lines or nothing: similarity only ever chooses what a reader is shown.
"""

from __future__ import annotations

from hashlib import sha256

from stilltrue.citations.cited_place import CitedPlace, cited_place, split_digests
from stilltrue.citations.conflicts import conflict_blocks, overlaps
from stilltrue.citations.evidence import Sighting
from stilltrue.citations.lines import BLANK_DIGEST, Lines, fold_line_ends, is_distinctive
from stilltrue.citations.nearest import nearest_lines
from stilltrue.model.citation import Baseline, Span


def sight(lines: Lines, recorded: Span, baseline: Baseline, *, carried: Span | None = None) -> Sighting:
    """What `lines` say about the span once recorded as `recorded`.

    Args:
        lines: The text as it is now.
        recorded: The recorded lines, 1-based and inclusive; only a hint, they may not exist any more.
        baseline: What was cited.
        carried: Where an editing session carried the span to, if one did.
    """
    if _has_bytes(lines, recorded, baseline):
        return Sighting(same_at_place=True, nearest=recorded)
    if carried and _has_bytes(lines, carried, baseline):
        return Sighting(carried_to=carried, nearest=carried)
    copies = find_copies(lines, recorded.line_count, baseline)
    if not copies and (folded := _find_folded(lines, carried or recorded, baseline)):
        return Sighting(folded_at=folded, nearest=folded)
    place = cited_place(lines, carried or recorded, baseline, copies)
    nearest = nearest_lines(lines, carried, recorded, baseline, place)
    target = _choose(copies, place, baseline)
    settled_at = nearest if place.version_stands else target or nearest
    blocks = [] if baseline.conflict_markers else conflict_blocks(lines)
    return Sighting(
        copies=tuple(copies),
        new_evidence=len(copies) > baseline.copies - 1,
        version_stands=place.version_stands,
        recognisable=bool(copies)
        and (is_distinctive(lines.span_bytes(copies[0])) or bool(place.beside_neighbour)),
        target=target,
        nothing_left=place.nothing_left,
        in_conflict=settled_at is not None and overlaps(blocks, settled_at),
        nearest=nearest,
    )


def find_copies(lines: Lines, line_count: int, baseline: Baseline) -> list[Span]:
    """Every equal whole-line copy of the cited bytes, from the top.

    The whole excerpt, where it is at hand, finds the places by a plain byte search, else the line
    digests do; the span's hash decides either way (law 1, D15).
    """
    if baseline.excerpt_is_whole and baseline.excerpt is not None:
        starts = lines.find_whole_lines(baseline.excerpt)
        places = [Span(start, start + line_count - 1) for start in starts]
    else:
        places = digest_windows(lines, line_count, baseline)
    return [place for place in places if _has_bytes(lines, place, baseline)]


def stands_at(lines: Lines, span: Span, byte_length: int | None, digest: str) -> bool:
    """Whether those lines (1-based, inclusive) hold the bytes of that length and SHA-256."""
    if not lines.holds(span):
        return False
    data = lines.span_bytes(span)
    return len(data) == byte_length and sha256(data).hexdigest() == digest


def _has_bytes(lines: Lines, span: Span, baseline: Baseline) -> bool:
    return stands_at(lines, span, baseline.byte_length, baseline.sha256)


def _has_folded_bytes(lines: Lines, span: Span, baseline: Baseline) -> bool:
    return (
        lines.holds(span) and sha256(fold_line_ends(lines.span_bytes(span))).hexdigest() == baseline.lf_sha256
    )


def _find_folded(lines: Lines, hint: Span, baseline: Baseline) -> Span | None:
    """The one place that differs in its line ends alone; the hint first."""
    if _has_folded_bytes(lines, hint, baseline):
        return hint
    if not _shares_a_distinctive_line(baseline, lines):
        return None
    found = [
        span
        for span in digest_windows(lines, hint.line_count, baseline)
        if _has_folded_bytes(lines, span, baseline)
    ]
    return found[0] if len(found) == 1 else None


def _shares_a_distinctive_line(baseline: Baseline, lines: Lines) -> bool:
    """Whether any line of the span that also stands in `lines` is rich enough to be recognised."""
    return any(
        is_distinctive(lines.line(lines.lines_by_digest[digest][0]))
        for digest in split_digests(baseline.line_digests)
        if digest in lines.lines_by_digest
    )


def digest_windows(lines: Lines, line_count: int, baseline: Baseline) -> list[Span]:
    """Places whose lines have the recorded digests, one after the other."""
    wanted = split_digests(baseline.line_digests)
    if not wanted:
        return []
    digests = lines.digests
    anchor = next((index for index, digest in enumerate(wanted) if digest != BLANK_DIGEST), None)
    if anchor is None:
        firsts = list(range(lines.count - line_count + 1))
    else:
        firsts = [number - 1 - anchor for number in lines.lines_by_digest.get(wanted[anchor], ())]
    return [
        Span(first + 1, first + line_count)
        for first in firsts
        if 0 <= first <= lines.count - line_count and digests[first : first + len(wanted)] == wanted
    ]


def _choose(copies: list[Span], place: CitedPlace, baseline: Baseline) -> Span | None:
    """The copy that is the cited text: the only one, or the one its neighbours point at.

    Where several stand equally well beside the recorded neighbours and all survived, the one of the
    same number from the top. Nothing is guessed otherwise (D13).
    """
    if len(copies) == 1:
        return copies[0]
    best = [copy for copy in copies if place.beside_neighbour.get(copy, 0) == place.most_neighbours]
    if not place.most_neighbours:
        return None
    if len(best) == 1:
        return best[0]
    if len(copies) == baseline.copies and copies[baseline.copy_index] in best:
        return copies[baseline.copy_index]
    return None
