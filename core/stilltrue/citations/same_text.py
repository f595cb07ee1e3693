"""Where the cited text stands again, changed in form at most, told by the lines that stood beside it.

White space counts for nothing here, so that a reformatted neighbour still vouches for a place.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from stilltrue.citations.lines import Lines, letters_and_digits
from stilltrue.citations.neighbours import UNKNOWN, solid_neighbour, tells
from stilltrue.citations.offsets import Place, overlap, rests_of_lines
from stilltrue.citations.solid_text import begins_of, place_of, solid
from stilltrue.citations.words_shared import ALIKE, SAME, share, words_of
from stilltrue.model.citation import Baseline

_MOST = 20
"""A text that stands in more places than this says nothing about any."""
_DISTINCTIVE = 16
"""Letters and digits that make a text recognisable between two lines that tell nothing."""
_RICH = 60
"""Letters and digits that no other text of a file shares by chance."""
_REACH = 400
"""Solid bytes by which a text may have grown between its neighbours, beside thrice its size."""


@dataclass(frozen=True)
class ChangedText:
    """A text in which the cited bytes do not stand at their place any more.

    Attributes:
        lines: The text.
        baseline: What was cited, with its whole excerpt.
        taken: Places that are not the cited one: equal copies elsewhere.
        line: Where the text once began, 1-based, or None. Of several places with the same neighbours beside
            them it may only be the nearest.
    """

    lines: Lines
    baseline: Baseline
    taken: tuple[Place, ...] = ()
    line: int | None = None

    def equal_places(self, at: Place | None, *, elsewhere: bool) -> Iterator[Place]:
        """The one place where the text stands but for its white space.

        Args:
            at: Where it is expected.
            elsewhere: Other places than `at` count though mere braces stand beside them.
        """
        kept = self._kept_place(at, elsewhere=elsewhere)
        if kept:
            yield kept
            return
        found = self._vouched((begin, begin + len(self._cited)) for begin in self._begins())
        over = [place for place in found if at and overlap(place, at)]
        if len(over) == 1:
            yield over[0]
        elif self._has_lost_copies:
            return
        elif not over and len(found) == 1 and self._may_have_moved(at, elsewhere=elsewhere):
            yield found[0]
        elif not found and at:
            yield from self._only_place(at)

    @property
    def _has_lost_copies(self) -> bool:
        """Whether the text stood more often when it was cited: the one that is gone may be the cited one."""
        return len(self._all_begins) < (self.baseline.solid_copies or 0)

    def _kept_place(self, at: Place | None, *, elsewhere: bool) -> Place | None:
        """Where the text stands as often as when it was cited: the same one from the top, if vouched for."""
        begins, index = self._all_begins, self.baseline.solid_index
        if len(begins) != self.baseline.solid_copies or not 0 <= index < len(begins):
            return None
        begin, end = begins[index], begins[index] + len(self._cited)
        above, below = self._stand_beside(begin, end)
        place = self._place(begin, end)
        if not self._is_free(place):
            return None
        if above and below and (len(begins) > 1 or not self._says_little):
            return place
        if len(begins) > 1 or letters_and_digits(self._cited) < _DISTINCTIVE:
            return None
        expected = (at and overlap(place, at)) or self._may_have_moved(at, elsewhere=elsewhere)
        return place if expected else None

    def _may_have_moved(self, at: Place | None, *, elsewhere: bool) -> bool:
        """Whether the text may stand elsewhere, since what stands where it is expected is not like it."""
        if self._says_little and not (elsewhere or self._is_unlike_all):
            return False
        if at is None:
            return True
        standing = solid(self.lines.data[slice(*at)])
        return share(self._words, standing) < SAME if elsewhere else not self._resembles(standing)

    def _only_place(self, at: Place) -> Iterator[Place]:
        """The only place of a rich text, where it is expected and a neighbour vouches for it.

        The other neighbour stands there too, or nowhere any more.
        """
        begins = self._begins()
        if len(begins) != 1 or letters_and_digits(self._cited) < _RICH or not self._is_unlike_all:
            return
        begin, end = begins[0], begins[0] + len(self._cited)
        place = self._place(begin, end)
        above, below = self._stand_beside(begin, end)
        other = (below or self._is_gone(self._below)) if above else below and self._is_gone(self._above)
        if other and overlap(place, at) and self._is_free(place):
            yield place

    def _is_gone(self, neighbour: bytes | None) -> bool:
        return neighbour not in {None, UNKNOWN} and neighbour not in self.lines.solid

    @cached_property
    def _is_unlike_all(self) -> bool:
        """Whether most telling lines stand nowhere else, where the text stands once.

        Else the cited text may have been changed beside one that always was like it.
        """
        lines = self._telling_lines
        alone = sum(self.lines.solid.count(line) == self._cited.count(line) for line in lines)
        return 2 * alone > len(lines)

    def over(self, at: Place) -> Iterator[Place]:
        """The one place over `at` where the text stands but for its white space; no neighbour is asked."""
        places = [self._place(begin, begin + len(self._cited)) for begin in self._begins()]
        over = [place for place in places if overlap(place, at)]
        if len(over) == 1:
            yield over[0]

    def between(self, at: Place | None, *, elsewhere: bool) -> Iterator[Place]:
        """What stands between the recorded neighbours, where only one place does.

        Args:
            at: Where it is expected.
            elsewhere: Other places than `at` count though mere braces stand beside them.
        """
        if self._says_little:
            return
        pairs = self._pairs
        if len(pairs) == 1 and pairs[0][0] < pairs[0][1]:
            for place in self._vouched(pairs):
                if (at and overlap(place, at)) or self._may_have_moved(at, elsewhere=elsewhere):
                    yield place

    def is_vouched(self, place: Place, *, stands: bool) -> bool:
        """Whether the neighbours say that this is the cited place.

        Args:
            place: Where the changed text may stand.
            stands: Something else than the neighbours says so, too; then mere braces beside it are enough.
        """
        begin, end = (len(solid(self.lines.data[:offset])) for offset in place)
        return self._is_free(place) and self._is_told(begin, end, stands=stands)

    @cached_property
    def _cited(self) -> bytes:
        return solid(self.baseline.excerpt or b"")

    @cached_property
    def _above(self) -> bytes | None:
        return solid_neighbour(self.baseline.before, whole=True)

    @cached_property
    def _below(self) -> bytes | None:
        return solid_neighbour(self.baseline.after, whole=False)

    @cached_property
    def _says_little(self) -> bool:
        """Both neighbours are lines such as a brace, which stand everywhere."""
        return not tells(self._above) and not tells(self._below)

    @cached_property
    def _all_begins(self) -> list[int]:
        return begins_of(self._cited, self.lines.solid)

    def _begins(self) -> list[int]:
        """Where the cited text stands apart from white space; nowhere if that is nearly everywhere."""
        return self._all_begins if len(self._all_begins) <= _MOST else []

    def _vouched(self, found: Iterable[tuple[int, int]]) -> list[Place]:
        found = list(found)
        alone = len(found) == 1 and letters_and_digits(self._cited) >= _DISTINCTIVE
        told = [self._place(*each) for each in found if self._is_told(*each, stands=alone)]
        return list(filter(self._is_free, told))

    def _is_told(self, begin: int, end: int, *, stands: bool) -> bool:
        """Whether both recorded neighbours stand beside it, or one that is telling and the other is gone.

        Where the other one stands further away, what came between may belong to the cited text.
        """
        above, below = self._stand_beside(begin, end)
        if above and below:
            return stands if self._says_little else self._is_nearest(begin, end)
        if above == below:
            return False
        told, lost = (self._above, self._below) if above else (self._below, self._above)
        if lost is None or lost in self.lines.solid:
            return False
        return told is not None and tells(told) and self.lines.solid.count(told) == 1

    def _stand_beside(self, begin: int, end: int) -> tuple[bool, bool]:
        """Whether the neighbour above stands right above a place, and the one below right below it."""
        text, above, below = self.lines.solid, self._above, self._below
        stands_above = begin == 0 if above is None else text.endswith(above, 0, begin)
        return stands_above, end == len(text) if below is None else text.startswith(below, end)

    def _is_nearest(self, begin: int, end: int) -> bool:
        """Whether no other place between the same neighbours is as near to the recorded line."""
        rivals = [
            first
            for first, last in self._pairs
            if first != begin and last != end and self._may_be_a_version(self.lines.solid[first:last])
        ]
        if not rivals or self.line is None:
            return not rivals
        return self._lines_away(begin) < min(map(self._lines_away, rivals))

    def _may_be_a_version(self, other: bytes) -> bool:
        """Whether another text between the same neighbours may be what became of the cited one.

        It holds a telling line of it or half of its words, or nothing is left of it, or the cited text has no
        line that tells much.
        """
        return not other or not self._telling_lines or self._resembles(other)

    def _resembles(self, other: bytes) -> bool:
        if any(line in other for line in self._telling_lines):
            return True
        return share(self._words, other) >= ALIKE

    @cached_property
    def _telling_lines(self) -> list[bytes]:
        """The cited lines that tell much; none of a single line, which any other line may have become."""
        lines = [solid(line) for line in (self.baseline.excerpt or b"").split(b"\n")]
        full = [line for line in lines if line]
        return [line for line in full if letters_and_digits(line) >= _DISTINCTIVE] if len(full) > 1 else []

    @cached_property
    def _words(self) -> set[bytes]:
        return words_of(self.baseline.excerpt or b"")

    def _lines_away(self, begin: int) -> int:
        line = self.lines.data.count(b"\n", 0, self._place(begin, begin + 1)[0]) + 1
        return abs(line - (self.line or 0))

    @cached_property
    def _pairs(self) -> list[tuple[int, int]]:
        """What may stand between the neighbours: from each one above to the next one below."""
        reach = 3 * len(self._cited) + _REACH
        text, above, below = self.lines.solid, self._above, self._below
        begins = [0] if above is None else [match.end() for match in re.finditer(re.escape(above), text)]
        found = []
        for begin in begins:
            end = len(text) if below is None else text.find(below, begin, begin + reach + len(below))
            # a cited text may hold the line that stands below it
            if below and self._cited and text.startswith(self._cited + below, begin):
                end = begin + len(self._cited)
            if begin <= end <= begin + reach:
                found.append((begin, end))
        return found

    def _is_free(self, place: Place) -> bool:
        """Whether it is no equal copy, and what stands beside it on its lines was recorded there."""
        if any(overlap(place, each) for each in self.taken):
            return False
        head, tail = map(solid, rests_of_lines(self.lines.data, place))
        above = (self._above or b""), (self.baseline.solid_above or b"")
        below = (self._below or b""), (self.baseline.solid_below or b"")
        return any(each.endswith(head) for each in above) and any(each.startswith(tail) for each in below)

    def _place(self, begin: int, end: int) -> Place:
        return place_of(self.lines.data, begin, end)
