"""The default score (A11): one definition, for rows as numbers and for rows as expressions of a database.

Whoever calculates hands in an `Arithmetic`; numbers have one here, the store has one for SQL (A48).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from stilltrue.errors import InputError

RRF_CONSTANT = 60
HALF_LIVES = {"semantic": 90.0, "episodic": 30.0, "procedural": 180.0}
"""Days until a memory of that kind and of usual importance counts half (A11)."""

USUAL_IMPORTANCE = 5
BOOST_STEP = 0.05
HALF_LIFE_STEP = 0.15
SHORTEST_LIFE = 0.05

Number = TypeVar("Number")
Word = TypeVar("Word")
Read_contra = TypeVar("Read_contra", contravariant=True)


class Arithmetic(Protocol[Number, Read_contra]):
    """What the score needs of numbers and words."""

    def product(self, factors: tuple[Number, ...]) -> Number:
        """The factors multiplied, from left to right."""
        ...  # pragma: no cover

    def quotient(self, value: Number, by: Number) -> Number:
        """A true division."""
        ...  # pragma: no cover

    def line(self, value: Number, slope: float, offset: float) -> Number:
        """`offset + slope * value`."""
        ...  # pragma: no cover

    def at_least(self, value: Number, floor: float) -> Number:
        """The larger of the two."""
        ...  # pragma: no cover

    def half_to_the(self, exponent: Number) -> Number:
        """0.5 to that power."""
        ...  # pragma: no cover

    def choice(self, word: Read_contra, values: Mapping[str, float], otherwise: float) -> Number:
        """The value of that word."""
        ...  # pragma: no cover


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms(Generic[Number, Word]):
    """What is known of one row.

    Attributes:
        base: The sum of its reciprocal ranks, 1 where nothing was ranked.
        confidence: 0 to 1.
        importance: 1 to 10.
        kind: See `MemoryKind`.
        age_days: Since it was last shown, else since it was recorded.
        source: What is kept of its code: `current`, `stale`, `unresolved` or nothing.
    """

    base: Number
    confidence: Number
    importance: Number
    kind: Word
    age_days: Number
    source: Word


@dataclass(frozen=True, slots=True)
class SourceWeights:
    """How much less a memory counts whose source was last found stale or unresolved (A47, K9)."""

    stale: float = 1.0
    unresolved: float = 1.0

    def __post_init__(self) -> None:
        for weight in (self.stale, self.unresolved):
            if not (math.isfinite(weight) and 0.0 < weight <= 1.0):
                raise InputError(
                    f"a weight is above 0 and at most 1, not {weight}", hint="1 ranks stale ones like others"
                )

    @property
    def is_neutral(self) -> bool:
        """No verdict changes a score."""
        return self.stale == self.unresolved == 1.0


PRESETS = {
    "neutral": SourceWeights(),
    "demote": SourceWeights(stale=0.5),
    "memharness-0.1.3": SourceWeights(stale=0.5, unresolved=0.85),
}
"""Named weights (K9); the first is the default (K10)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Factors(Generic[Number]):
    """The factors of a score, in the order in which they are multiplied."""

    rrf: Number
    confidence: Number
    importance: Number
    decay: Number
    staleness: Number

    def in_order(self) -> tuple[Number, ...]:
        """For the product."""
        return (self.rrf, self.confidence, self.importance, self.decay, self.staleness)


def factors(
    row: Terms[Number, Word], maths: Arithmetic[Number, Word], weights: SourceWeights
) -> Factors[Number]:
    """What the score of a row is the product of (A11, A47)."""
    stretch = maths.line(row.importance, HALF_LIFE_STEP, 1 - HALF_LIFE_STEP * USUAL_IMPORTANCE)
    base = maths.choice(row.kind, HALF_LIVES, HALF_LIVES["semantic"])
    half_life = maths.product((base, maths.at_least(stretch, SHORTEST_LIFE)))
    weighed = {"stale": weights.stale, "unresolved": weights.unresolved}
    return Factors(
        rrf=row.base,
        confidence=row.confidence,
        importance=maths.line(row.importance, BOOST_STEP, 1 - BOOST_STEP * USUAL_IMPORTANCE),
        decay=maths.half_to_the(maths.quotient(maths.at_least(row.age_days, 0.0), half_life)),
        staleness=maths.choice(row.source, weighed, 1.0),
    )


class Numbers:
    """The arithmetic of plain numbers."""

    def product(self, factors: tuple[float, ...]) -> float:
        """The factors multiplied, from left to right."""
        return math.prod(factors)

    def quotient(self, value: float, by: float) -> float:
        """A true division."""
        return value / by

    def line(self, value: float, slope: float, offset: float) -> float:
        """`offset + slope * value`."""
        return offset + slope * value

    def at_least(self, value: float, floor: float) -> float:
        """The larger of the two."""
        return max(value, floor)

    def half_to_the(self, exponent: float) -> float:
        """0.5 to that power."""
        return float(0.5**exponent)

    def choice(self, word: str | None, values: Mapping[str, float], otherwise: float) -> float:
        """The value of that word."""
        return values.get(word or "", otherwise)


NUMBERS = Numbers()


def reciprocal_rank(rank: int) -> float:
    """What one list gives a row that stands at `rank` in it, counted from 1 (A11)."""
    return 1 / (RRF_CONSTANT + rank)
