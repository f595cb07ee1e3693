"""The default score (A11, A46 to A50): golden numbers of the one definition."""

from __future__ import annotations

import math

import pytest

from stilltrue.errors import InputError
from stilltrue.recall.ranking import NUMBERS, PRESETS, SourceWeights, Terms, factors, reciprocal_rank

NEUTRAL = SourceWeights()


def score(weights: SourceWeights = NEUTRAL, **given: object) -> float:
    facts = {
        "base": 1.0,
        "confidence": 1.0,
        "importance": 5,
        "kind": "semantic",
        "age_days": 0.0,
        "source": None,
    }
    terms: Terms[float, str | None] = Terms(**{**facts, **given})  # type: ignore[arg-type]
    return NUMBERS.product(factors(terms, NUMBERS, weights).in_order())


def test_a11_the_worked_example() -> None:
    assert round(score(confidence=0.8, importance=9, age_days=90.0), 6) == 0.622483


@pytest.mark.parametrize(
    ("kind", "importance", "half_life"),
    [
        ("semantic", 9, 144),
        ("semantic", 1, 36),
        ("episodic", 5, 30),
        ("procedural", 5, 180),
        ("semantic", 5, 90),
    ],
)
def test_a11_half_lives(kind: str, importance: int, half_life: float) -> None:
    """After its half-life a memory counts half of what it counted when it was new."""
    new = score(kind=kind, importance=importance)
    assert score(kind=kind, importance=importance, age_days=half_life) == pytest.approx(new / 2, rel=1e-12)


def test_a11_an_age_is_never_below_zero() -> None:
    assert score(age_days=-3.0) == score(age_days=0.0) == 1.0


def test_a11_each_list_gives_its_reciprocal_rank() -> None:
    assert reciprocal_rank(1) == 1 / 61
    assert score(base=reciprocal_rank(3)) == 1 / 63


@pytest.mark.parametrize("source", [None, "current", "stale", "unresolved"])
def test_a46_at_default_settings_no_verdict_changes_a_bit(source: str | None) -> None:
    assert score(source=source, confidence=0.7, age_days=11.0) == score(confidence=0.7, age_days=11.0)


def test_a47_only_stale_is_demoted() -> None:
    demote = SourceWeights(stale=0.5)
    for source in (None, "current", "unresolved"):
        assert score(demote, source=source) == score(source=source)
    assert score(demote, source="stale") == 0.5


@pytest.mark.parametrize("weight", [0.0, -0.5, 1.01, math.nan, math.inf])
def test_a47_a_weight_outside_its_limits_is_refused(weight: float) -> None:
    with pytest.raises(InputError):
        SourceWeights(stale=weight)


def test_a49_below_one_a_stale_memory_ranks_below_its_equal_and_below_itself() -> None:
    demote = PRESETS["demote"]
    assert score(demote, source="stale") < score(demote, source="current")
    assert score(demote, source="stale") < score(source="stale")


def test_k9_the_presets() -> None:
    weights = {name: (each.stale, each.unresolved) for name, each in PRESETS.items()}
    assert weights == {"neutral": (1.0, 1.0), "demote": (0.5, 1.0), "memharness-0.1.3": (0.5, 0.85)}


def test_k10_neutral_is_the_default() -> None:
    assert SourceWeights() == PRESETS["neutral"]
    assert next(iter(PRESETS)) == "neutral"
