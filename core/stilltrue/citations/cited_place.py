"""Where the cited place is now, told by the lines that stood around it (design 4, *vacated*).

The recorded neighbours bracket the cited place. A copy that stands directly beside the neighbour that
brackets it *is* the cited text, wherever that is now. If no copy does, the place is looked at
for a changed version of the text.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field

from stilltrue.citations.lines import (
    BLANK_DIGEST,
    DIGEST_SIZE,
    DISTINCTIVE,
    Lines,
    is_distinctive,
    letters_and_digits,
)
from stilltrue.model.citation import Baseline, Neighbour, Span

_PAIRED_LINES = 12
"""Lines on either side that are paired with each other; a mere brace may stand everywhere."""
BOTH = 2
"""The recorded neighbours, above and below."""


@dataclass(frozen=True, slots=True)
class Bracket:
    """The lines strictly between `above` and `below`, which are line numbers or one past an edge."""

    above: int
    below: int
    one_sided: str = ""

    def holds(self, span: Span) -> bool:
        """Whether a span lies wholly inside."""
        return self.above < span.start and span.end < self.below


@dataclass(frozen=True, slots=True, kw_only=True)
class CitedPlace:
    """What stands where the text was cited.

    Attributes:
        region: The lines between the recorded neighbours without blank ones at the ends, or None.
        one_sided: Which neighbour alone is there, `above` or `below`; empty where both are.
        gap_at: A line to show where nothing stands any more, or None.
        version_stands: A changed version of the text stands there.
        has_copies: Equal copies stand elsewhere.
        nothing_left: Nothing stands there and no cited line is found anywhere.
        beside_neighbour: How many recorded neighbours each copy stands beside; copies with none are left out.
    """

    region: Span | None = None
    one_sided: str = ""
    gap_at: int | None = None
    version_stands: bool = False
    has_copies: bool = False
    nothing_left: bool = False
    beside_neighbour: dict[Span, int] = field(default_factory=dict)

    @property
    def most_neighbours(self) -> int:
        """The most recorded neighbours any copy stands beside."""
        return max(self.beside_neighbour.values(), default=0)


def cited_place(lines: Lines, hint: Span, baseline: Baseline, copies: list[Span]) -> CitedPlace:
    """What stands at the cited place now.

    Args:
        lines: The text as it is now.
        hint: Where the span is thought to be, 1-based and inclusive.
        baseline: What was cited.
        copies: Equal copies in `lines`, none of them at the recorded place.
    """
    inside = _covered(copies)
    above = _neighbour_lines(lines, baseline.before, edge=0, inside=inside)
    below = _neighbour_lines(lines, baseline.after, edge=lines.count + 1, inside=inside)
    beside = _beside_neighbours(lines, copies, set(above), set(below))
    brackets = _brackets(above, below, lines.count, hint.line_count)
    wide = _wide_pairs(above, below, hint)
    homes = [copy for copy in beside if any(_is_at_home(lines, each, copy) for each in (*brackets, *wide))]
    bracket = _changed_version(lines, wide, baseline, inside) or min(
        brackets, key=lambda bracket: abs(bracket.above + 1 - hint.start), default=None
    )
    if bracket is None:
        gone = not lines.count or (hint.start > lines.count and not _any_line_found(lines, baseline))
        return CitedPlace(nothing_left=gone, beside_neighbour=beside)
    region = lines.trimmed(bracket.above + 1, bracket.below - 1)
    standing = [
        number
        for number in range(bracket.above + 1, bracket.below)
        if number not in inside and not lines.is_blank(number)
    ]
    alike = not bracket.one_sided and _is_alike(lines, standing, baseline)
    at_home = any(
        not alike
        or _touches(lines, bracket, copy)
        or _vouched(lines, copy, {*above, *below})
        or (beside[copy] == BOTH and _is_nearer(copy, standing[0], hint))
        for copy in homes
    )
    return CitedPlace(
        region=region,
        one_sided=bracket.one_sided,
        gap_at=bracket.above or bracket.below,
        version_stands=not at_home
        and (alike or _version_stands(lines, bracket, hint, baseline, inside, standing)),
        has_copies=bool(copies),
        nothing_left=region is None and not _any_line_found(lines, baseline),
        beside_neighbour=beside,
    )


def _covered(copies: list[Span]) -> set[int]:
    """The lines of all copies, each counted once: of many equal lines the copies overlap."""
    inside: set[int] = set()
    last = 0
    for copy in sorted(copies, key=lambda each: each.start):
        inside.update(range(max(copy.start, last + 1), copy.end + 1))
        last = max(last, copy.end)
    return inside


def split_digests(line_digests: bytes) -> list[bytes]:
    """The digests of a baseline, one a line of the span."""
    return [line_digests[at : at + DIGEST_SIZE] for at in range(0, len(line_digests), DIGEST_SIZE)]


def _solid_digests(baseline: Baseline) -> set[bytes]:
    return set(split_digests(baseline.line_digests)) - {BLANK_DIGEST}


def matching_lines(lines: Lines, numbers: Iterable[int], baseline: Baseline) -> list[int]:
    """Those of `numbers` whose line stands in the cited text, too; blank lines never do."""
    wanted = _solid_digests(baseline)
    digests = lines.digests
    return [number for number in numbers if digests[number - 1] in wanted]


def _neighbour_lines(lines: Lines, neighbour: Neighbour | None, *, edge: int, inside: set[int]) -> list[int]:
    if neighbour is None:
        return [edge]
    try:
        digest = bytes.fromhex(neighbour.sha256)[:DIGEST_SIZE]
    except ValueError:  # imported from elsewhere; one bad citation never stops the others
        return []
    return [number for number in lines.lines_by_digest.get(digest, ()) if number not in inside]


def _beside_neighbours(lines: Lines, copies: list[Span], above: set[int], below: set[int]) -> dict[Span, int]:
    counted = {
        copy: (lines.non_blank_above(copy.start) in above) + (lines.non_blank_below(copy.end) in below)
        for copy in copies
    }
    return {copy: count for copy, count in counted.items() if count}


def _brackets(above: list[int], below: list[int], count: int, line_count: int) -> list[Bracket]:
    """The tightest pairs of neighbours; where none pair up, a window beside each one that is there."""
    pairs: list[Bracket] = []
    position = 0
    for index, number in enumerate(above):
        while position < len(below) and below[position] <= number:
            position += 1
        if position == len(below):
            break
        following = above[index + 1] if index + 1 < len(above) else count + 2
        if following > below[position]:
            pairs.append(Bracket(number, below[position]))
    if pairs:
        return pairs
    window = 2 * line_count + 4
    return [
        *(
            Bracket(number, min(count + 1, number + window + 1), one_sided="above")
            for number in above
            if number
        ),
        *(
            Bracket(max(0, number - window - 1), number, one_sided="below")
            for number in below
            if number <= count
        ),
    ]


def _is_at_home(lines: Lines, bracket: Bracket, copy: Span) -> bool:
    return bracket.holds(copy) and (
        lines.non_blank_above(copy.start) == bracket.above or lines.non_blank_below(copy.end) == bracket.below
    )


def _wide_pairs(above: list[int], below: list[int], hint: Span) -> list[Bracket]:
    """Pairs that may hold a version that grew, or that holds a neighbour's text itself; tightest first."""
    reach = _reach(hint)
    pairs = [
        Bracket(number, end)
        for number in sorted(above, key=lambda number: abs(number + 1 - hint.start))[:_PAIRED_LINES]
        for end in below[bisect_right(below, number) :][:_PAIRED_LINES]
        if end <= number + reach
    ]
    return sorted(pairs, key=lambda pair: (pair.below - pair.above, abs(pair.above + 1 - hint.start)))


def _changed_version(
    lines: Lines, pairs: list[Bracket], baseline: Baseline, inside: set[int]
) -> Bracket | None:
    """The tightest bracket that holds most of the cited lines, if it holds at least half of them."""
    solid = _solid_digests(baseline)
    if len(solid) < 2:  # noqa: PLR2004 - half of one line is no evidence
        return None

    def shared(pair: Bracket) -> int:
        between = (number for number in range(pair.above + 1, pair.below) if number not in inside)
        return len({lines.digests[number - 1] for number in between} & solid)

    best = max(pairs, key=shared, default=None)
    return best if best and 2 * shared(best) >= len(solid) else None


def _is_alike(lines: Lines, standing: list[int], baseline: Baseline) -> bool:
    """Half of the cited lines stand here, more than mere braces, and make half of what stands here."""
    cited, found = _solid_digests(baseline), {lines.digests[number - 1]: number for number in standing}
    shared = b"".join(lines.line(found[digest]) for digest in cited & found.keys())
    return (
        2 * len(cited & found.keys()) >= max(len(cited), len(found))
        and 2 * letters_and_digits(shared) >= DISTINCTIVE
    )


def _touches(lines: Lines, bracket: Bracket, copy: Span) -> bool:
    """Whether a copy stands in a bracket or directly beside it, as when a sibling was added."""
    return (
        bracket.holds(copy)
        or copy.start == lines.non_blank_below(bracket.below)
        or copy.end == lines.non_blank_above(bracket.above)
    )


def _vouched(lines: Lines, copy: Span, neighbours: set[int]) -> bool:
    """Whether a neighbour that a copy stands beside is an edge of the text or more than a mere brace."""
    beside = {lines.non_blank_above(copy.start), lines.non_blank_below(copy.end)} & neighbours
    return any(not 1 <= number <= lines.count or is_distinctive(lines.line(number)) for number in beside)


def _is_nearer(copy: Span, standing: int, hint: Span) -> bool:
    """Whether a copy between both neighbours stands nearer to the recorded lines than what is like it.

    Siblings share half of their lines, and all of them stand between the same mere braces.
    """
    return abs(copy.start - hint.start) < abs(standing - hint.start)


def _version_stands(
    lines: Lines, bracket: Bracket, hint: Span, baseline: Baseline, inside: set[int], standing: list[int]
) -> bool:
    if hint.line_count == 1 and not bracket.one_sided and len(standing) == 1:
        return True
    matching = matching_lines(lines, standing, baseline)
    if bracket.below - bracket.above > _reach(hint) and not _is_half(lines, matching, baseline):
        return False  # marks so far apart hold much else, and some line of it is bound to be alike
    shared = [lines.line(number) for number in matching]
    if any(map(is_distinctive, shared)):
        return True
    return bool(shared) and not _has_distinctive_line(lines, inside)


def _reach(hint: Span) -> int:
    """How far apart the neighbours of a version that grew may stand, in lines."""
    return 3 * hint.line_count + 20


def _is_half(lines: Lines, matching: list[int], baseline: Baseline) -> bool:
    """Whether these lines are at least half of the cited ones."""
    return 2 * len({lines.digests[number - 1] for number in matching}) >= len(_solid_digests(baseline))


def _has_distinctive_line(lines: Lines, inside: set[int]) -> bool:
    return any(is_distinctive(lines.line(number)) for number in inside)


def _any_line_found(lines: Lines, baseline: Baseline) -> bool:
    found = matching_lines(lines, range(1, lines.count + 1), baseline)
    return any(is_distinctive(lines.line(number)) for number in found)
