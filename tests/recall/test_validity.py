"""The validity of a memory (C5 to C16, C26), from the rules.

Review note (C31): the sample block of the reference contradicts the rules (freshness 0.5 beside a signal of
0.999 and a multiplier of 0.77, `context_invalid` whatever the grade). These follow the rules.
"""

from __future__ import annotations

from dataclasses import fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stilltrue.recall.validity import WEIGHTS, Standing, Validity, Weights, assess

DAY = 86_400_000
NOW = 1_800_000_000_000
HERE = "ws-a"


def judged(
    age: float = 0.0,
    *,
    workspace: str = "",
    trust: str = "",
    expires: float | None = None,
    superseded: bool = False,
) -> Validity:
    """A memory of that age in days, which expires in so many days, asked about in `ws-a`."""
    standing = Standing(
        created_ms=round(NOW - age * DAY),
        expires_ms=None if expires is None else round(NOW + expires * DAY),
        workspace=workspace,
        trust=trust,
        superseded=superseded,
    )
    return assess(standing, now_ms=NOW, workspace=HERE)


def test_c5_the_block_has_its_names() -> None:
    names = [each.name for each in fields(Validity)]
    assert names == [
        "grade", "freshness", "scope_match", "provenance_class", "superseded", "expiring_soon", "expired",
        "expires_at_unix_ms", "multiplier", "signals",
    ]  # fmt: skip


def test_c7_the_seven_figures() -> None:
    assert WEIGHTS.as_json() == {
        "half_life_seconds": 2_592_000,
        "scope_bonus": 0.10,
        "provenance_boost": 0.15,
        "superseded_penalty": 0.35,
        "expiring_penalty": 0.70,
        "stale_below": 0.50,
        "context_invalid_below": 0.125,
    }


@pytest.mark.parametrize(
    ("age", "freshness"), [(0, 1), (30, 0.5), (61, 0.24429), (90, 0.125), (200, 0.009843), (-5, 1)]
)
def test_c8_freshness_halves_in_thirty_days(age: int, freshness: float) -> None:
    assert round(judged(age).freshness, 6) == pytest.approx(freshness, abs=1e-6)


def test_c8_without_a_half_life_everything_is_fresh() -> None:
    standing = Standing(created_ms=NOW - 400 * DAY)
    for seconds in (0.0, -1.0):
        weights = Weights(half_life_seconds=seconds)
        assert assess(standing, now_ms=NOW, workspace="", weights=weights).freshness == 1.0


@pytest.mark.parametrize(
    ("own", "asked_in", "match", "multiplier"),
    [(HERE, HERE, "exact", 1.10), ("", HERE, "global", 1), ("ws-b", HERE, "none", 1), (HERE, "", "none", 1)],
)
def test_c9_scope(own: str, asked_in: str, match: str, multiplier: float) -> None:
    found = assess(Standing(created_ms=NOW, workspace=own), now_ms=NOW, workspace=asked_in)
    assert found.scope_match == match
    assert found.multiplier == pytest.approx(multiplier)


@pytest.mark.parametrize(
    ("trust", "multiplier"),
    [
        ("verified", 1.15), ("corroborated", 1.15), ("candidate", 1.0), ("rejected", 1.0),
        ("defensively_recalled", 1.0), ("unknown", 1.0), ("", 1.0),
    ],
)  # fmt: skip
def test_c10_provenance(trust: str, multiplier: float) -> None:
    found = judged(trust=trust)
    assert found.multiplier == pytest.approx(multiplier)
    assert found.provenance_class == (trust or "unknown")


def test_c11_superseded() -> None:
    found = judged(workspace=HERE, trust="verified", superseded=True)
    assert found.multiplier == pytest.approx(0.44275)
    assert found.grade == "context_invalid"


@pytest.mark.parametrize(
    ("left_ms", "expired", "expiring", "grade"),
    [
        (-1, True, False, "context_invalid"),
        (0, True, False, "context_invalid"),  # C13
        (1, False, True, "stale"),
        (30 * DAY, False, True, "stale"),
        (30 * DAY + 1, False, False, "valid"),
    ],
)
def test_c12_c13_expiry(left_ms: int, grade: str, *, expired: bool, expiring: bool) -> None:
    found = assess(Standing(created_ms=NOW, expires_ms=NOW + left_ms), now_ms=NOW, workspace="")
    assert (found.expired, found.expiring_soon, found.grade) == (expired, expiring, grade)
    assert found.expires_at_unix_ms == NOW + left_ms


@pytest.mark.parametrize(
    ("age_ms", "grade"),
    [
        (30 * DAY, "valid"), (30 * DAY + 1, "stale"), (90 * DAY, "stale"), (90 * DAY + 1, "context_invalid"),
    ],
)  # fmt: skip
def test_c14_comparisons_are_strict(age_ms: int, grade: str) -> None:
    assert assess(Standing(created_ms=NOW - age_ms), now_ms=NOW, workspace="").grade == grade


@pytest.mark.parametrize(
    ("trust", "expires", "superseded", "multiplier"),
    [
        ("verified", None, False, 1.265),
        ("verified", None, True, 0.44275),
        ("verified", -1, True, 0.1549625),
        ("", 3, False, 0.77),
        ("verified", 3, False, 0.8855),
    ],
)
def test_c15_products(trust: str, expires: float | None, multiplier: float, *, superseded: bool) -> None:
    found = judged(workspace=HERE, trust=trust, expires=expires, superseded=superseded)
    assert found.multiplier == pytest.approx(multiplier, abs=1e-12)


def test_c16_the_multiplier_is_never_zero() -> None:
    in_2100 = 4_102_444_800_000
    found = assess(Standing(created_ms=0, superseded=True, expires_ms=1), now_ms=in_2100, workspace="")
    assert found.multiplier > 0
    assert found.freshness > 0


@given(st.integers(0, 5_000_000_000_000), st.integers(0, 5_000_000_000_000), st.booleans())
def test_c16_whatever_the_dates(created: int, now: int, superseded: bool) -> None:  # noqa: FBT001 - drawn
    found = assess(Standing(created_ms=created, superseded=superseded), now_ms=now, workspace="")
    assert 0 < found.multiplier <= 1.265


@pytest.mark.parametrize(
    ("given_facts", "signals"),
    [
        ({"workspace": HERE}, ["freshness:1.000", "scope:exact"]),
        ({"age": 0.0432}, ["freshness:0.999", "scope:global"]),
        ({"trust": "corroborated"}, ["freshness:1.000", "scope:global", "provenance:corroborated"]),
        (
            {"trust": "verified", "workspace": HERE, "superseded": True, "expires": 3},
            [
                "freshness:1.000",
                "scope:exact",
                "provenance:verified",
                "superseded:deprecated",
                "expiring_soon",
            ],
        ),
        (
            {"superseded": True, "expires": -3, "workspace": "ws-b"},
            ["freshness:1.000", "scope:none", "superseded:deprecated", "expired"],
        ),
    ],
)
def test_c26_signals_stand_in_a_fixed_order(given_facts: dict[str, object], signals: list[str]) -> None:
    assert list(judged(**given_facts).signals) == signals  # type: ignore[arg-type]
