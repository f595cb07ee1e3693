"""What use is worth and how it fades (B23, B31 to B35, B42, B47, B48)."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stilltrue.model.time import Instant, instant_from_unix_ms, unix_ms
from stilltrue.recall.feedback import (
    CAP_REACHED,
    CREDIT,
    HALF_LIFE_MS,
    STRENGTH_CAP,
    Activation,
    Credit,
    Strength,
    credited,
    faded,
    reversed_by,
)

NOON = Instant("2026-06-01T12:00:00.000Z")


def after(ms: int) -> Instant:
    return instant_from_unix_ms(unix_ms(NOON) + ms)


def test_b31_an_hour_halves_both_channels() -> None:
    told = Activation(0.1, 1.7, NOON).at(after(HALF_LIFE_MS))
    assert (told.retrieved, told.usage) == (0.05, 0.85)
    assert HALF_LIFE_MS == 3_600_000


@pytest.mark.parametrize("ms", [-1, -HALF_LIFE_MS, 0])
def test_b32_a_clock_that_goes_back_fades_nothing_and_moves_no_date_back(ms: int) -> None:
    before = Activation(0.1, 1.7, NOON)
    assert before.at(after(ms)) == before
    told = before.plus(after(ms), usage=0.2)
    assert told.updated_at == NOON
    assert told.usage == 1.7 + 0.2
    strength, credit = credited(Strength(1.0, NOON), after(ms))
    assert strength == Strength(1.25, NOON)
    assert credit.at == NOON


def test_b34_each_channel_stops_at_ten_and_the_total_at_twenty() -> None:
    told = Activation()
    for _ in range(110):
        told = told.plus(NOON, retrieved=0.1, usage=1.7)
    assert (told.retrieved, told.usage) == (10.0, 10.0)
    assert told.to_json()["total"] == 20.0


@given(st.lists(st.tuples(st.integers(-(10**10), 10**10), st.floats(0, 2), st.floats(0, 2)), max_size=20))
def test_b34_values_are_finite_and_never_negative(steps: list[tuple[int, float, float]]) -> None:
    told = Activation()
    for ms, retrieved, usage in steps:
        told = told.plus(after(ms), retrieved=retrieved, usage=usage)
        assert all(math.isfinite(each) and 0 <= each <= 10 for each in (told.retrieved, told.usage))


def test_b35_readback() -> None:
    told = Activation(0.25, 0.5, NOON).to_json()
    assert told == {"retrieved": 0.25, "usage": 0.5, "total": 0.75, "updated_at": NOON}
    assert Activation().at(NOON).to_json()["total"] == 0.0


def test_b42_credit_is_what_headroom_there_is() -> None:
    strength, told = Strength(), []
    for _ in range(21):
        strength, credit = credited(strength, NOON)
        told.append(credit)
    assert strength.value == STRENGTH_CAP
    assert told[:20] == [Credit(CREDIT, NOON)] * 20
    assert told[20] == Credit(0.0, NOON, CAP_REACHED)


def test_b47_what_others_lent_stays_after_a_reversal() -> None:
    first, lent = credited(Strength(), NOON)
    second, _ = credited(first, after(HALF_LIFE_MS))
    assert second.value == 0.375
    left = reversed_by(second, [lent], after(HALF_LIFE_MS), others=True)
    assert left.value == 0.25


def test_b48_a_credit_of_nothing_is_taken_back_without_a_trace() -> None:
    full = Strength(STRENGTH_CAP, NOON)
    assert reversed_by(full, [Credit(0.0, NOON, CAP_REACHED)], after(5), others=True) is full


def test_b47_nothing_is_left_over_where_nobody_else_lent() -> None:
    strength, credit = credited(Strength(), NOON)
    odd = after(1_234_567)
    assert reversed_by(strength.at(odd), [credit], odd, others=False).value == 0.0


def test_b31_fading_is_exact_at_whole_half_lives() -> None:
    assert [faded(NOON, after(each * HALF_LIFE_MS)) for each in range(4)] == [1.0, 0.5, 0.25, 0.125]
