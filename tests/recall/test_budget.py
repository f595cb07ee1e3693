"""How much text fits (A10)."""

from __future__ import annotations

import pytest

from stilltrue.recall.budget import fitting, tokens


@pytest.mark.parametrize(("text", "cost"), [("", 0), ("a", 1), ("abcd", 1), ("abcde", 2), ("äöüß", 1)])
def test_a10_four_characters_begun_are_a_token(text: str, cost: int) -> None:
    assert tokens(text) == cost


@pytest.mark.parametrize(("most", "count"), [(None, 3), (6, 3), (5, 2), (2, 1), (1, 0)])
def test_a10_the_first_that_does_not_fit_ends_it(most: int | None, count: int) -> None:
    assert fitting(["12345678", "123456789", "1"], most) == count
