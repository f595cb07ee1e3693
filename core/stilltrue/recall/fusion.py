"""Several ranked lists made into one (C20 to C22, C27)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from stilltrue.recall.ranking import RRF_CONSTANT

KEYWORD, TEMPORAL, LOCALITY, DENSE = "keyword", "temporal", "locality", "dense"
ARM_WEIGHTS = {KEYWORD: 1.0, TEMPORAL: 0.25, LOCALITY: 0.5, DENSE: 1.0}
"""What a place in each arm's list counts. Age alone says little of a question, so its arm counts least."""

RERANK_DENSE, RERANK_KEYWORD = 0.6, 0.4


@dataclass(frozen=True, slots=True)
class Arm:
    """One ranked list of memories, by number, best first."""

    name: str
    ranked: tuple[int, ...]
    weight: float = 1.0

    @property
    def counted_weight(self) -> float:
        """An arm that found nothing has no weight (C27)."""
        return self.weight if self.ranked else 0.0


def fused(arms: Sequence[Arm]) -> dict[int, float]:
    """The weighted sum of reciprocal ranks of every memory in any list, by number (C27)."""
    sums: dict[int, float] = {}
    for arm in arms:
        for rank, number in enumerate(arm.ranked, start=1):
            sums[number] = sums.get(number, 0.0) + arm.counted_weight / (RRF_CONSTANT + rank)
    return sums


def ranks(arms: Sequence[Arm]) -> dict[int, dict[str, int]]:
    """At which place, counted from 1, each memory stands in each list that holds it."""
    found: dict[int, dict[str, int]] = {}
    for arm in arms:
        for rank, number in enumerate(arm.ranked, start=1):
            found.setdefault(number, {})[arm.name] = rank
    return found


def best_first(keys: Mapping[int, float]) -> list[int]:
    """The numbers by their keys, larger first; of equals the lower number (C21)."""
    return sorted(keys, key=lambda number: (-keys[number], number))


def reranked(pool: Sequence[int], dense: Sequence[int], keyword: Sequence[int]) -> dict[int, float]:
    """The rerank score of each memory of the pool (C27); 0 for one in neither list."""
    by_meaning = {number: 1 / (1 + rank) for rank, number in enumerate(dense)}
    by_words = {number: 1 / (1 + rank) for rank, number in enumerate(keyword)}
    return {
        number: RERANK_DENSE * by_meaning.get(number, 0.0) + RERANK_KEYWORD * by_words.get(number, 0.0)
        for number in pool
    }


def bases(pool: Sequence[int], rerank_scores: Mapping[int, float]) -> dict[int, float]:
    """What a multiplier is applied to (C20): a rerank score above 0, else the place in the pool."""
    size = len(pool)
    return {
        number: rerank_scores.get(number, 0.0) or (size - rank) / size for rank, number in enumerate(pool)
    }
