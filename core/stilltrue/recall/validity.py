"""How far a memory may still be relied on: a multiplier, a grade, and the signals behind them (C7 to C16).

This is the third axis (K1): age, scope, provenance, succession and expiry. Whether code changed is no part
of it (K8).
"""

from __future__ import annotations

import math
import sys
from dataclasses import asdict, dataclass
from enum import StrEnum

METHOD = "validity-multiplier-v1"
TRUSTED = frozenset({"verified", "corroborated"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """The seven figures (C7); half-life in seconds."""

    half_life_seconds: float = 2_592_000
    scope_bonus: float = 0.10
    provenance_boost: float = 0.15
    superseded_penalty: float = 0.35
    expiring_penalty: float = 0.70
    stale_below: float = 0.50
    context_invalid_below: float = 0.125

    def as_json(self) -> dict[str, float]:
        """The figures by their names."""
        return asdict(self)


WEIGHTS = Weights()


class ValidityGrade(StrEnum):
    """What a reader should make of a memory's age and standing."""

    VALID = "valid"
    STALE = "stale"
    CONTEXT_INVALID = "context_invalid"


class ScopeMatch(StrEnum):
    """How the memory's workspace relates to the one that is asked in (C9)."""

    EXACT = "exact"
    GLOBAL = "global"
    NONE = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """What a memory is judged by. Times in milliseconds since 1970.

    Attributes:
        created_ms: When it was recorded.
        expires_ms: When it should no longer be served.
        workspace: The repository it belongs to; empty for none.
        trust: One of the six classes of trust; empty counts as unknown.
    """

    created_ms: int
    expires_ms: int | None = None
    workspace: str = ""
    trust: str = ""
    superseded: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Validity:
    """The block that goes with a recalled memory (C5), in the order of its names."""

    grade: ValidityGrade
    freshness: float
    scope_match: ScopeMatch
    provenance_class: str
    superseded: bool
    expiring_soon: bool
    expired: bool
    expires_at_unix_ms: int | None
    multiplier: float
    signals: tuple[str, ...]

    @property
    def is_context_invalid(self) -> bool:
        """It needs the mark beside its block (C6)."""
        return self.grade is ValidityGrade.CONTEXT_INVALID


def assess(standing: Standing, *, now_ms: int, workspace: str, weights: Weights = WEIGHTS) -> Validity:
    """The validity of one memory at `now_ms`, asked in `workspace` (empty for none)."""
    freshness = _freshness(now_ms - standing.created_ms, weights.half_life_seconds * 1000)
    scope = _scope(standing.workspace, workspace)
    provenance = standing.trust or "unknown"
    expired, expiring = _expiry(standing.expires_ms, now_ms, weights.half_life_seconds * 1000)
    multiplier = math.prod(
        (
            freshness,
            1 + weights.scope_bonus if scope is ScopeMatch.EXACT else 1.0,
            1 + weights.provenance_boost if provenance in TRUSTED else 1.0,
            weights.superseded_penalty if standing.superseded else 1.0,
            weights.superseded_penalty if expired else weights.expiring_penalty if expiring else 1.0,
        )
    )
    signals = [f"freshness:{freshness:.3f}", f"scope:{scope}"]
    signals += [f"provenance:{provenance}"] if provenance in TRUSTED else []
    signals += ["superseded:deprecated"] if standing.superseded else []
    signals += ["expired"] if expired else ["expiring_soon"] if expiring else []
    return Validity(
        grade=_grade(freshness, weights, gone=expired or standing.superseded, expiring=expiring),
        freshness=freshness,
        scope_match=scope,
        provenance_class=provenance,
        superseded=standing.superseded,
        expiring_soon=expiring,
        expired=expired,
        expires_at_unix_ms=standing.expires_ms,
        multiplier=max(multiplier, sys.float_info.min),
        signals=tuple(signals),
    )


def _freshness(age_ms: float, half_life_ms: float) -> float:
    """Half after a half-life (C8); never 0, however old (C16)."""
    if half_life_ms <= 0 or age_ms <= 0:
        return 1.0
    return max(math.pow(0.5, age_ms / half_life_ms), sys.float_info.min)


def _scope(own: str, asked_in: str) -> ScopeMatch:
    if not asked_in:
        return ScopeMatch.NONE
    if not own:
        return ScopeMatch.GLOBAL
    return ScopeMatch.EXACT if own == asked_in else ScopeMatch.NONE


def _expiry(expires_ms: int | None, now_ms: int, window_ms: float) -> tuple[bool, bool]:
    """Expired, or expiring soon; at its very instant it has expired (C13)."""
    if expires_ms is None:
        return False, False
    left = expires_ms - now_ms
    return left <= 0, 0 < left <= window_ms


def _grade(freshness: float, weights: Weights, *, gone: bool, expiring: bool) -> ValidityGrade:
    if gone or freshness < weights.context_invalid_below:
        return ValidityGrade.CONTEXT_INVALID
    if expiring or freshness < weights.stale_below:
        return ValidityGrade.STALE
    return ValidityGrade.VALID
