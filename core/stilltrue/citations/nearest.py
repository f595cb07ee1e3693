"""The lines a reader should be shown for a stale citation: a help, never a verdict (design 4)."""

from __future__ import annotations

from stilltrue.citations.cited_place import CitedPlace, matching_lines, split_digests
from stilltrue.citations.lines import Lines
from stilltrue.model.citation import Baseline, Span

_MOST_STEPS = 400
"""Lines that are put in order; more than that and the first ones tell enough."""
_JUMP = 8
"""What a jump costs, in characters of shared text."""
_MOST_VOTES = 2000
"""A line that could stand for more pairs of places than this says nothing about any."""


def nearest_lines(
    lines: Lines, carried: Span | None, recorded: Span, baseline: Baseline, place: CitedPlace
) -> Span | None:
    """Carried along by the session, else by shared lines, else between the neighbours, else the hint.

    A changed version beside which equal copies stand elsewhere is what a reader should see, not the copy.
    All spans are 1-based and inclusive. None only for an empty text.
    """
    if carried and lines.holds(carried):
        return carried
    region = place.region
    anywhere, most = _aligned(lines, Span(1, lines.count), recorded, baseline)
    if region and region.line_count <= 3 * recorded.line_count + 10:
        here, weight = _aligned(lines, region, recorded, baseline)
        if anywhere and most > weight and not (place.version_stands and place.has_copies):
            return anywhere
        if anywhere and most == weight and _differ_by_blank_lines(lines, anywhere, here):
            return anywhere
        return here or _beside(place, recorded)
    gap = Span(place.gap_at, place.gap_at) if place.gap_at is not None and not region else recorded
    return anywhere or lines.clamped(gap)


def _beside(place: CitedPlace, recorded: Span) -> Span | None:
    """The whole region where both neighbours stand, else as many lines beside the one that does."""
    region = place.region
    if region is None or not place.one_sided or region.line_count <= recorded.line_count:
        return region
    spare = region.line_count - recorded.line_count
    if place.one_sided == "above":
        return Span(region.start, region.end - spare)
    return Span(region.start + spare, region.end)


def _aligned(lines: Lines, within: Span, recorded: Span, baseline: Baseline) -> tuple[Span | None, int]:
    """From where the cited text would begin to where it would end, judged by the lines it still shares.

    Each shared line votes for the place it would put the beginning at, a long one more than a short one.
    Most votes within a third of the span's size win, the ones nearest to the hint among equals; their
    weight is the second answer.
    """
    indices: dict[bytes, list[int]] = {}
    for index, digest in enumerate(split_digests(baseline.line_digests)):
        indices.setdefault(digest, []).append(index)
    votes = sorted(
        (number - index, len(lines.line(number).strip()), number, index)
        for number in matching_lines(lines, range(within.start, within.end + 1), baseline)
        for index in _told_by(lines, indices, lines.digests[number - 1])
    )
    if not votes:
        return None, 0
    best, best_rank, last, weight = (0, 0), (0, 0), 0, 0
    slack = max(3, recorded.line_count // 3)
    for first, (begin, own_weight, *_) in enumerate(votes):
        while last < len(votes) and votes[last][0] <= begin + slack:
            weight += votes[last][1]
            last += 1
        rank = (weight, -abs(begin - recorded.start))
        if rank > best_rank:
            best, best_rank = (first, last), rank
        weight -= own_weight
    chain = _chain(votes[best[0] : best[1]])
    (first_line, lead), (last_line, trail) = chain[0], chain[-1]
    start = max(first_line - lead, within.start)
    end = max(start, min(last_line + recorded.line_count - 1 - trail, within.end))
    return Span(start, end), best_rank[0]


def _chain(votes: list[tuple[int, int, int, int]]) -> list[tuple[int, int]]:
    """The lines that stand in the cited order, each with its place there, so that most text is shared.

    A jump costs: of two lines that are alike, the one that keeps step with the others is meant.
    """
    steps = sorted((index, number, weight) for _, weight, number, index in votes)[:_MOST_STEPS]
    scores: list[int] = []
    before: list[int | None] = []
    for at, (index, number, weight) in enumerate(steps):
        best, came_from = 0, None
        for earlier in range(at):
            old_index, old_number, _ = steps[earlier]
            if old_index < index and old_number < number:
                jump = 0 if number - index == old_number - old_index else _JUMP
                if (score := scores[earlier] - jump) > best:
                    best, came_from = score, earlier
        scores.append(best + weight)
        before.append(came_from)
    last: int | None = max(range(len(steps)), key=scores.__getitem__)
    chain: list[tuple[int, int]] = []
    while last is not None:
        index, number, _ = steps[last]
        chain.append((number, index))
        last = before[last]
    return chain[::-1]


def _differ_by_blank_lines(lines: Lines, wide: Span, narrow: Span | None) -> bool:
    """Whether `wide` holds nothing but blank lines beside `narrow`."""
    return narrow is not None and lines.trimmed(wide.start, wide.end) == lines.trimmed(
        narrow.start, narrow.end
    )


def _told_by(lines: Lines, indices: dict[bytes, list[int]], digest: bytes) -> list[int]:
    """Where in the cited text a line stands; nothing for one that stands everywhere and so tells nothing."""
    here = indices[digest]
    return here if len(here) * len(lines.lines_by_digest[digest]) <= _MOST_VOTES else []
