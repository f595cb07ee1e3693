"""The lines a reader should be shown for a stale citation: a help, never a verdict (design 4)."""

from __future__ import annotations

from stilltrue.citations.cited_place import CitedPlace, matching_lines, split_digests
from stilltrue.citations.lines import Lines
from stilltrue.model.citation import Baseline, Span


def nearest_lines(
    lines: Lines, carried: Span | None, recorded: Span, baseline: Baseline, place: CitedPlace
) -> Span | None:
    """Carried along by the session, else between the neighbours, else by shared lines, else the hint.

    All spans are 1-based and inclusive. None only for an empty text.
    """
    if carried and lines.holds(carried):
        return carried
    if place.region and place.region.line_count <= 3 * recorded.line_count + 10:
        return _shared_extent(lines, place.region, recorded, baseline) or _beside(place, recorded)
    if cluster := _cluster(lines, recorded, baseline):
        return _shared_extent(lines, cluster, recorded, baseline)
    if place.gap_at is not None and not place.region:
        return lines.clamped(Span(place.gap_at, place.gap_at))
    return lines.clamped(recorded)


def _beside(place: CitedPlace, recorded: Span) -> Span | None:
    """The whole region where both neighbours stand, else as many lines beside the one that does."""
    region = place.region
    if region is None or not place.one_sided or region.line_count <= recorded.line_count:
        return region
    spare = region.line_count - recorded.line_count
    if place.one_sided == "above":
        return Span(region.start, region.end - spare)
    return Span(region.start + spare, region.end)


def _shared_extent(lines: Lines, within: Span, recorded: Span, baseline: Baseline) -> Span | None:
    """From where the cited text would begin to where it would end, judged by the lines it still shares."""
    wanted = split_digests(baseline.line_digests)
    shared = matching_lines(lines, range(within.start, within.end + 1), baseline)
    if not shared:
        return None
    lead = wanted.index(lines.digests[shared[0] - 1])
    trail = recorded.line_count - 1 - _last_index(wanted, lines.digests[shared[-1] - 1])
    start = max(shared[0] - lead, within.start)
    return Span(start, max(start, min(shared[-1] + trail, within.end)))


def _last_index(digests: list[bytes], digest: bytes) -> int:
    return len(digests) - 1 - digests[::-1].index(digest)


def _cluster(lines: Lines, recorded: Span, baseline: Baseline) -> Span | None:
    """A window around the run of lines, at most twice the span's size, that shares most lines with it."""
    shared = matching_lines(lines, range(1, lines.count + 1), baseline)
    if not shared:
        return None
    reach = 2 * recorded.line_count
    best, best_rank, last = Span(shared[0], shared[0]), (0, 0), 0
    for first, start in enumerate(shared):
        while last + 1 < len(shared) and shared[last + 1] < start + reach:
            last += 1
        rank = (last - first + 1, -abs(start - recorded.start))
        if rank > best_rank:
            best, best_rank = Span(start, shared[last]), rank
    return lines.clamped(Span(best.start - recorded.line_count, best.end + recorded.line_count))
