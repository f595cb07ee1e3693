"""The default score as an expression of the database, from the one definition in `recall.ranking` (A48)."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from functools import reduce
from typing import Any

from sqlalchemy import ColumnElement, Float, Text, and_, case, exists, func, literal, null, select
from sqlalchemy import cast as sql_cast

from stilltrue.model.time import Instant
from stilltrue.recall.ranking import SourceWeights, Terms, factors
from stilltrue.store.schema import citations, generations, memories, memory_access, verdicts

Expression = ColumnElement[Any]


class SqlArithmetic:
    """The arithmetic of expressions."""

    def product(self, factors: tuple[Expression, ...]) -> Expression:
        """The factors multiplied, from left to right."""
        return reduce(operator.mul, factors)

    def quotient(self, value: Expression, by: Expression) -> Expression:
        """A true division."""
        return value / sql_cast(by, Float)

    def line(self, value: Expression, slope: float, offset: float) -> Expression:
        """`offset + slope * value`."""
        return literal(offset) + literal(slope) * value

    def at_least(self, value: Expression, floor: float) -> Expression:
        """The larger of the two."""
        return func.max(value, floor, type_=Float)

    def half_to_the(self, exponent: Expression) -> Expression:
        """0.5 to that power."""
        return func.pow(0.5, exponent, type_=Float)

    def choice(self, word: Expression, values: Mapping[str, float], otherwise: float) -> Expression:
        """The value of that word."""
        return case(*((word == name, value) for name, value in values.items()), else_=otherwise)


def score_expression(now: Instant, weights: SourceWeights, checkout: int | None, *, aged: bool) -> Expression:
    """The score of a memory that no list ranks; select from memories outer joined with their access times.

    Args:
        now: Ages are counted up to it.
        weights: For what was found stale or unresolved.
        checkout: The working tree whose kept verdicts count.
        aged: Being shown makes a memory young again; else only its recording counts.
    """
    since = func.coalesce(memory_access.c.last_accessed_at, memories.c.tx_at) if aged else memories.c.tx_at
    row = Terms(
        base=literal(1.0),
        confidence=memories.c.confidence,
        importance=memories.c.importance,
        kind=memories.c.kind,
        age_days=func.julianday(now) - func.julianday(since, type_=Float),
        source=literal("") if weights.is_neutral else kept_source(checkout),
    )
    maths = SqlArithmetic()
    return maths.product(factors(row, maths, weights).in_order())


def kept_source(checkout: int | None) -> Expression:
    """What is kept of a memory's code in a working tree: `current`, `stale`, `unresolved`, or nothing (A47).

    Recorded bytes decide where there are any, and the commit where not (K1).
    """
    if checkout is None:
        return sql_cast(null(), Text)
    by_bytes, by_commit = generations.c.sha256.is_not(None), generations.c.sha256.is_(None)
    stale = (by_bytes & (verdicts.c.verdict == "stale") & (verdicts.c.grade == "content")) | (
        by_commit & (verdicts.c.commit_state == "stale")
    )
    doubtful = (by_bytes & (verdicts.c.verdict == "unknown") & (verdicts.c.reason != "unchecked")) | (
        by_commit & (verdicts.c.commit_state == "unresolved")
    )
    cited = citations.join(
        generations, and_(generations.c.citation == citations.c.number, generations.c.present == 1)
    ).join(
        verdicts,
        and_(
            verdicts.c.checkout == checkout,
            verdicts.c.citation == generations.c.citation,
            verdicts.c.generation == generations.c.generation,
        ),
    )
    kept = select(literal(1)).select_from(cited).where(citations.c.memory == memories.c.number)
    kept = kept.correlate(memories)
    return case(
        (exists(kept.where(stale)), "stale"),
        (exists(kept.where(doubtful)), "unresolved"),
        (exists(kept), "current"),
        else_=None,
    )
