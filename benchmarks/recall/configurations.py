"""The ways to recall that are measured, each with one thing changed."""

from __future__ import annotations

from collections.abc import Mapping

from stilltrue.recall.fusion import ARM_WEIGHTS
from stilltrue.recall.ranking import PRESETS
from stilltrue.recall.validity import WEIGHTS, Weights

DEFAULT, VALIDITY = "default", "validity"

_OFF: dict[str, Weights] = {
    "freshness": Weights(half_life_seconds=0, expiring_penalty=WEIGHTS.expiring_penalty),
    "scope": Weights(scope_bonus=0.0),
    "provenance": Weights(provenance_boost=0.0),
    "superseded": Weights(superseded_penalty=1.0),
    "expiring": Weights(expiring_penalty=1.0),
}
"""The multiplier with one factor made 1."""


def configurations() -> dict[str, Mapping[str, object]]:
    """By name, what each gives to `Query`."""
    found: dict[str, Mapping[str, object]] = {
        DEFAULT: {},
        "default, preset demote": {"weights": PRESETS["demote"]},
        "default, fused": {"mode": "fused"},
        VALIDITY: {"profile": "validity"},
    }
    for factor, weights in _OFF.items():
        found[f"validity without {factor}"] = {"profile": "validity", "multiplier": weights}
    for arm in ARM_WEIGHTS:
        if arm != "dense":
            found[f"validity without the {arm} arm"] = {"profile": "validity", "arms": {arm: 0.0}}
    return found
