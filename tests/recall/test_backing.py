"""Validity by code (`validity-multiplier-v2`), and that the first method knows nothing of it (K8)."""

from __future__ import annotations

import pytest

from stilltrue.recall.backing import Backing, Drift, Evidence, assess_backed, backings
from stilltrue.recall.validity import Standing, Validity, ValidityGrade, assess

DAY = 86_400_000
NOW = 20_000 * DAY
PLACE = ("src/a.py", "send")


def found(number: int, day: int, backing: Backing, *places: tuple[str, str]) -> Evidence:
    return Evidence(number=number, recorded_ms=day * DAY, backing=backing, places=frozenset(places))


def assessed(backing: Backing, *, age: int = 200, **standing: object) -> Validity:
    given = Standing(created_ms=NOW - age * DAY, workspace="w", trust="verified", **standing)  # type: ignore[arg-type]
    return assess_backed(given, backing, now_ms=NOW, workspace="w")


@pytest.mark.parametrize(
    ("backing", "multiplier", "grade"),
    [
        (Backing.SAME, 1.265, ValidityGrade.VALID),
        (Backing.CHANGED, 1.265, ValidityGrade.VALID),
        (Backing.GONE, 0.44275, ValidityGrade.STALE),
        (Backing.OVERTAKEN, 0.44275, ValidityGrade.STALE),
        (Backing.UNTOLD, 0.009843 * 1.265, ValidityGrade.CONTEXT_INVALID),
    ],
)
def test_k8_code_that_was_compared_decides_and_age_only_without(
    backing: Backing, multiplier: float, grade: ValidityGrade
) -> None:
    block = assessed(backing)
    assert block.multiplier == pytest.approx(multiplier, rel=1e-4)
    assert block.grade is grade
    assert block.signals[-1] == f"code:{backing}"


def test_k8_succession_and_expiry_weigh_as_in_the_first_method() -> None:
    block = assessed(Backing.SAME, superseded=True, expires_ms=NOW)
    assert block.multiplier == pytest.approx(0.1549625)
    assert block.grade is ValidityGrade.CONTEXT_INVALID
    assert assessed(Backing.GONE, expires_ms=NOW + DAY).multiplier == pytest.approx(0.8855 * 0.35)


def test_k8_the_first_method_has_no_word_for_code() -> None:
    standing = Standing(created_ms=NOW, workspace="w", trust="verified")
    assert assess(standing, now_ms=NOW, workspace="w").signals == (
        "freshness:1.000",
        "scope:exact",
        "provenance:verified",
    )


def test_a_neutral_drift_leaves_the_multiplier_and_the_grade() -> None:
    standing = Standing(created_ms=NOW, workspace="w", trust="verified")
    neutral = Drift(gone=1.0, overtaken=1.0)
    block = assess_backed(standing, Backing.GONE, now_ms=NOW, workspace="w", drift=neutral)
    assert block.multiplier == pytest.approx(1.265)
    assert block.grade is ValidityGrade.VALID


def test_the_multiplier_stays_above_nothing() -> None:
    """C16 holds for the second method, too."""
    standing = Standing(created_ms=NOW, workspace="w")
    tiny = Drift(gone=5e-324)
    assert assess_backed(standing, Backing.GONE, now_ms=NOW, workspace="w", drift=tiny).multiplier > 0


def test_a_newer_memory_whose_code_stands_overtakes_one_whose_code_changed() -> None:
    old, new = found(1, 1, Backing.CHANGED, PLACE), found(2, 2, Backing.SAME, PLACE)
    assert backings([old, new]) == {1: Backing.OVERTAKEN, 2: Backing.SAME}
    assert backings([new, old]) == backings([old, new])


@pytest.mark.parametrize(
    "other",
    [
        found(2, 0, Backing.SAME, PLACE),
        found(2, 1, Backing.SAME, PLACE),
        found(2, 2, Backing.CHANGED, PLACE),
        found(2, 2, Backing.GONE, PLACE),
        found(2, 2, Backing.SAME, ("src/a.py", "receive")),
        found(2, 2, Backing.SAME, ("src/b.py", "send")),
    ],
    ids=["older", "as old", "changed itself", "gone itself", "another symbol", "another file"],
)
def test_nothing_else_overtakes(other: Evidence) -> None:
    assert backings([found(1, 1, Backing.CHANGED, PLACE), other])[1] is Backing.CHANGED


@pytest.mark.parametrize("backing", [Backing.SAME, Backing.GONE, Backing.UNTOLD])
def test_only_changed_code_can_be_overtaken(backing: Backing) -> None:
    assert backings([found(1, 1, backing, PLACE), found(2, 2, Backing.SAME, PLACE)])[1] is backing
