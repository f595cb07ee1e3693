"""How good a ranked answer is: nDCG, reciprocal rank, recall, and how much of its top no longer holds."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

DEPTH = 10
TOP = 5


@dataclass(frozen=True, slots=True)
class Figures:
    """Means over all questions.

    Attributes:
        ndcg: Of the first ten, with gains 2^grade - 1, beside the best order there could be.
        mrr: One over the place of the first answer of grade 2 or 3, within ten.
        recall: How much of everything of grade 2 or 3 is among the first ten.
        false_share: How much of the first five no longer holds, by the hand-written marks.
        changed_share: How much of the first five cites code that has changed, by the check.
        false_hits: The number behind `false_share`.
        changed_hits: The number behind `changed_share`.
    """

    ndcg: float
    mrr: float
    recall: float
    false_share: float
    changed_share: float
    false_hits: int
    changed_hits: int


@dataclass(frozen=True, slots=True)
class Answer:
    """The keys of what was answered, best first, beside what should have been.

    Attributes:
        ranked: Keys, best first.
        changed: Keys of those whose code changed, by the check.
        grades: The worth of each key.
    """

    ranked: Sequence[str]
    changed: Collection[str]
    grades: Mapping[str, int]


def figures(answers: Sequence[Answer], false: Collection[str]) -> Figures:
    """The means over the answers; `false` are the keys of what no longer holds."""
    count = len(answers)
    shown = sum(len(each.ranked[:TOP]) for each in answers)
    false_hits = sum(key in false for each in answers for key in each.ranked[:TOP])
    changed_hits = sum(key in each.changed for each in answers for key in each.ranked[:TOP])
    return Figures(
        ndcg=sum(ndcg(each) for each in answers) / count,
        mrr=sum(reciprocal_rank(each) for each in answers) / count,
        recall=sum(recalled(each) for each in answers) / count,
        false_share=false_hits / shown,
        changed_share=changed_hits / shown,
        false_hits=false_hits,
        changed_hits=changed_hits,
    )


def ndcg(answer: Answer) -> float:
    """Discounted gain of the first ten over that of the best order."""
    got = _gain([answer.grades.get(key, 0) for key in answer.ranked[:DEPTH]])
    return got / _gain(sorted(answer.grades.values(), reverse=True)[:DEPTH])


def reciprocal_rank(answer: Answer) -> float:
    """One over the place of the first good answer; 0 where the first ten hold none."""
    places = (place for place, key in enumerate(answer.ranked[:DEPTH], 1) if answer.grades.get(key, 0) >= 2)
    return 1 / next(places, math.inf)


def recalled(answer: Answer) -> float:
    """How much of all that is good is among the first ten."""
    good = {key for key, grade in answer.grades.items() if grade >= 2}
    return len(good & set(answer.ranked[:DEPTH])) / len(good)


def _gain(grades: Sequence[int]) -> float:
    return math.fsum((math.exp2(grade) - 1) / math.log2(place + 1) for place, grade in enumerate(grades, 1))
