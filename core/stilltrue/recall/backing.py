"""What code says of memories at the moment of asking: a second way to weigh validity, by its own name (K8).

`validity-multiplier-v1` goes by age, because it knows nothing of code. Where the bytes that a memory cites
were just compared, age is a poor stand-in: here they decide. Code that only changed is no reason to doubt: in
docs/recall-evaluation.md three in four such memories still hold. Code that is gone is one, and so is a newer
memory that cites the same place and whose own code stands.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

from stilltrue.recall.validity import WEIGHTS, Standing, Validity, ValidityGrade, Weights, assess

METHOD = "validity-multiplier-v2"


class Backing(StrEnum):
    """What became of the code that a memory cites."""

    UNTOLD = "untold"
    SAME = "same"
    CHANGED = "changed"
    GONE = "gone"
    OVERTAKEN = "overtaken"


@dataclass(frozen=True, slots=True, kw_only=True)
class Drift:
    """What a memory counts whose code is no longer the same; 1 is neutral."""

    changed: float = 1.0
    gone: float = WEIGHTS.superseded_penalty
    overtaken: float = WEIGHTS.superseded_penalty

    def factor(self, backing: Backing) -> float:
        """For that state of its code."""
        factors = {
            Backing.CHANGED: self.changed,
            Backing.GONE: self.gone,
            Backing.OVERTAKEN: self.overtaken,
        }
        return factors.get(backing, 1.0)


DRIFT = Drift()


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What was just found of one memory.

    Attributes:
        number: Which one.
        recorded_ms: When it was recorded, in milliseconds since 1970.
        backing: By its own code alone; never overtaken.
        places: What it cites, as written.
    """

    number: int
    recorded_ms: int
    backing: Backing
    places: frozenset[tuple[str, str]]


def backings(found: Iterable[Evidence]) -> dict[int, Backing]:
    """The state of each memory's code, by number, the newer ones among them taken into account.

    A memory is overtaken when its own code changed and a newer one, whose code stands, cites the same place.
    """
    every = tuple(found)
    newest: dict[tuple[str, str], int] = {}
    for each in every:
        if each.backing is Backing.SAME:
            for place in each.places:
                newest[place] = max(each.recorded_ms, newest.get(place, each.recorded_ms))
    return {
        each.number: Backing.OVERTAKEN
        if each.backing is Backing.CHANGED
        and any(newest.get(place, 0) > each.recorded_ms for place in each.places)
        else each.backing
        for each in every
    }


def assess_backed(
    standing: Standing,
    backing: Backing,
    *,
    now_ms: int,
    workspace: str,
    weights: Weights = WEIGHTS,
    drift: Drift = DRIFT,
) -> Validity:
    """The validity of one memory by its code; by its age only where nothing of its code could be compared."""
    told = standing if backing is Backing.UNTOLD else replace(standing, created_ms=now_ms)
    found = assess(told, now_ms=now_ms, workspace=workspace, weights=weights)
    factor = drift.factor(backing)
    doubtful = factor < 1 and found.grade is ValidityGrade.VALID
    return replace(
        found,
        grade=ValidityGrade.STALE if doubtful else found.grade,
        multiplier=max(found.multiplier * factor, sys.float_info.min),
        signals=(*found.signals, f"code:{backing}"),
    )
