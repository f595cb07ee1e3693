"""Lists made into one, and re-ranked (C17, C20 to C22, C27)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stilltrue.recall.fusion import Arm, bases, best_first, fused, ranks, reranked


def test_c27_two_arms_by_hand() -> None:
    sums = fused([Arm("keyword", (1, 2, 3)), Arm("dense", (3, 1), 0.5)])
    assert sums == pytest.approx({1: 1 / 61 + 0.5 / 62, 2: 1 / 62, 3: 1 / 63 + 0.5 / 61})
    assert best_first(sums) == [1, 3, 2]


def test_c27_an_arm_that_found_nothing_has_no_weight() -> None:
    assert Arm("dense", (), 1.0).counted_weight == 0.0


def test_c21_of_equals_the_lower_number_comes_first_as_numbers_go() -> None:
    assert best_first({10: 0.5, 9: 0.5, 11: 0.7}) == [11, 9, 10]


def test_c20_the_place_in_the_pool_is_the_base() -> None:
    assert bases([7, 3, 5], {}) == {7: 1.0, 3: 2 / 3, 5: 1 / 3}


def test_c20_a_rerank_score_above_zero_takes_its_place() -> None:
    assert bases([7, 3, 5], {7: 0.8, 3: 0.0}) == {7: 0.8, 3: 2 / 3, 5: 1 / 3}


def test_c20_an_old_top_hit_falls_below_a_fresh_second() -> None:
    base = bases([1, 2, 3], {})
    keys = {1: base[1] * 0.009843, 2: base[2] * 1.0, 3: base[3] * 0.5}
    assert best_first(keys) == [2, 3, 1]


def test_c27_rerank_by_hand() -> None:
    scores = reranked([1, 2, 3, 4], dense=[2, 1], keyword=[1, 3])
    assert scores == pytest.approx({1: 0.6 / 2 + 0.4, 2: 0.6, 3: 0.4 / 2, 4: 0.0})


def test_ranks_tell_why() -> None:
    assert ranks([Arm("keyword", (4, 2)), Arm("temporal", (2,))]) == {
        4: {"keyword": 1},
        2: {"keyword": 2, "temporal": 1},
    }


@given(st.lists(st.lists(st.integers(1, 40), unique=True), max_size=4), st.data())
def test_c17_a_multiplier_reorders_and_never_excludes(lists: list[list[int]], data: st.DataObject) -> None:
    pool = best_first(fused([Arm(str(index), tuple(ranked)) for index, ranked in enumerate(lists)]))
    base = bases(pool, {})
    multipliers = {number: data.draw(st.floats(1e-300, 1.265)) for number in pool}
    assert set(best_first({number: base[number] * multipliers[number] for number in pool})) == set(pool)
