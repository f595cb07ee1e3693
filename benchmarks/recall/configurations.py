"""The ways to recall that are measured, each with one thing changed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from stilltrue.recall.backing import METHOD
from stilltrue.recall.fusion import ARM_WEIGHTS, DENSE
from stilltrue.recall.ranking import PRESETS
from stilltrue.recall.validity import WEIGHTS, Weights

_OFF: dict[str, Weights] = {
    "freshness": Weights(half_life_seconds=0, expiring_penalty=WEIGHTS.expiring_penalty),
    "scope": Weights(scope_bonus=0.0),
    "provenance": Weights(provenance_boost=0.0),
    "superseded": Weights(superseded_penalty=1.0),
    "expiring": Weights(expiring_penalty=1.0),
}
"""The multiplier with one factor made 1."""


@dataclass(frozen=True, slots=True)
class Configuration:
    """One way to recall.

    Attributes:
        name: For the table.
        settings: What it gives to `Query`.
        by_meaning: The dense arm of the extra `embeddings` takes part.
        in_use: Asked of a store all of whose memories were shown that day, so that the default score
            sees none of them aged (A13); else none was ever shown since it was recorded.
    """

    name: str
    settings: Mapping[str, object]
    by_meaning: bool = False
    in_use: bool = False


def configurations() -> list[Configuration]:
    """Every one, those that need memories to have been shown last."""
    found = [
        Configuration("default", {}),
        Configuration("default, preset demote", {"weights": PRESETS["demote"]}),
        Configuration("default, fused", {"mode": "fused"}),
        Configuration("validity", {"profile": "validity"}),
    ]
    found += [
        Configuration(f"validity without {factor}", {"profile": "validity", "multiplier": weights})
        for factor, weights in _OFF.items()
    ]
    found += [
        Configuration(f"validity without the {arm} arm", {"profile": "validity", "arms": {arm: 0.0}})
        for arm in ARM_WEIGHTS
        if arm != DENSE
    ]
    return [
        *found,
        Configuration("validity, method v2", {"profile": "validity", "method": METHOD}),
        Configuration("default, fused, by meaning", {"mode": "fused"}, by_meaning=True),
        Configuration("validity, by meaning", {"profile": "validity"}, by_meaning=True),
        Configuration(
            "validity, method v2, by meaning", {"profile": "validity", "method": METHOD}, by_meaning=True
        ),
        Configuration("default, all shown that day", {}, in_use=True),
        Configuration("the same, preset demote", {"weights": PRESETS["demote"]}, in_use=True),
        Configuration("the same, fused", {"mode": "fused"}, in_use=True),
        Configuration("the same, fused, by meaning", {"mode": "fused"}, by_meaning=True, in_use=True),
    ]
