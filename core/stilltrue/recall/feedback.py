"""What use and outcomes are worth, how that fades, and how it is taken back exactly (B23 to B49).

Activation is a version's; strength is a relation's. Both halve in an hour. Neither touches a score (K8).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum

from stilltrue.model.time import Instant, unix_ms

HALF_LIFE_MS = 3_600_000
"""Of activation and of relation strength (B31); ages and validity have half-lives of their own (K8)."""

RETRIEVED_ADDITION = 0.1
CHANNEL_CAP = 10.0
TOTAL_CAP = 20.0
CREDIT = 0.25
STRENGTH_CAP = 5.0

CAP_REACHED = "strength_cap_reached"
ALREADY_CREDITED = "trace_already_credited"
NO_GRAPH_PATH = "no_graph_path"
NO_ACTIVE_CREDITS = "no_active_credits"


class Stage(IntEnum):
    """How far a retrieved source was used; stages are passed one at a time (B24)."""

    RETRIEVED = 0
    SELECTED = 1
    VALIDATED = 2
    USED = 3

    @property
    def word(self) -> str:
        """As surfaces write it."""
        return self.name.lower()


STAGE_ADDITIONS = {Stage.SELECTED: 0.2, Stage.VALIDATED: 0.5, Stage.USED: 1.0}
STAGES = {stage.word: stage for stage in STAGE_ADDITIONS}
"""What may be recorded, by its word."""


@dataclass(frozen=True, slots=True)
class Activation:
    """How lively a version is: by retrieval and by use, as of `updated_at`.

    Attributes:
        retrieved: At most `CHANNEL_CAP`.
        usage: At most `CHANNEL_CAP`.
        updated_at: When that was so; None where nothing was ever added.
    """

    retrieved: float = 0.0
    usage: float = 0.0
    updated_at: Instant | None = None

    def at(self, now: Instant) -> Activation:
        """The same, faded until `now`; an earlier `now` fades nothing (B32)."""
        if self.updated_at is None:
            return Activation(updated_at=now)
        factor = faded(self.updated_at, now)
        return Activation(self.retrieved * factor, self.usage * factor, max(now, self.updated_at))

    def plus(self, now: Instant, *, retrieved: float = 0.0, usage: float = 0.0) -> Activation:
        """Faded until `now`, with something added under the caps (B34)."""
        faded_now = self.at(now)
        return Activation(
            min(CHANNEL_CAP, faded_now.retrieved + retrieved),
            min(CHANNEL_CAP, faded_now.usage + usage),
            faded_now.updated_at,
        )

    def to_json(self) -> dict[str, object]:
        """The four fields of B35."""
        total = min(TOTAL_CAP, self.retrieved + self.usage)
        return {
            "retrieved": self.retrieved,
            "usage": self.usage,
            "total": total,
            "updated_at": self.updated_at,
        }


@dataclass(frozen=True, slots=True, order=True)
class Edge:
    """A directed relation between two memories of one repository; slugs are chain uids.

    Attributes:
        repo: uid of the repository.
        source: Who mentions.
        target: Who is mentioned.
        kind: `mention`.
    """

    repo: str
    source: str
    target: str
    kind: str = "mention"

    def to_json(self) -> dict[str, str]:
        """The edge as receipts show it."""
        return {"repo": self.repo, "source": self.source, "target": self.target, "kind": self.kind}


@dataclass(frozen=True, slots=True)
class Strength:
    """What confirmations lent a relation, as of `updated_at`."""

    value: float = 0.0
    updated_at: Instant | None = None

    def at(self, now: Instant) -> Strength:
        """The same, faded until `now`; an earlier `now` fades nothing (B32)."""
        if self.updated_at is None:
            return Strength(0.0, now)
        return Strength(self.value * faded(self.updated_at, now), max(now, self.updated_at))


@dataclass(frozen=True, slots=True)
class Credit:
    """What one confirmation lent one relation.

    Attributes:
        delta: What was added: `CREDIT`, or what headroom there was.
        at: The moment it counts from, never before the relation's last change.
        reason: Why it is less than `CREDIT`, or None.
    """

    delta: float
    at: Instant
    reason: str | None = None


def faded(since: Instant, now: Instant) -> float:
    """The share that is left of something from `since`; all of it where `now` is earlier."""
    return float(0.5 ** (max(0, unix_ms(now) - unix_ms(since)) / HALF_LIFE_MS))


def credited(strength: Strength, now: Instant) -> tuple[Strength, Credit]:
    """A relation's strength after one more confirmation, and what that one added (B42)."""
    before = strength.at(now)
    at = before.updated_at or now
    headroom = max(0.0, STRENGTH_CAP - before.value)
    if headroom >= CREDIT:
        return Strength(before.value + CREDIT, at), Credit(CREDIT, at)
    return Strength(STRENGTH_CAP, at), Credit(headroom, at, CAP_REACHED)


def reversed_by(strength: Strength, taken_back: Iterable[Credit], now: Instant, *, others: bool) -> Strength:
    """A relation's strength without those credits; what others lent stays to the last bit (B47, B48).

    Args:
        strength: As it was.
        taken_back: The credits of the confirmation that is reversed.
        now: When.
        others: Whether any other credit is still active; where none is, nothing is left over.
    """
    lent = [credit for credit in taken_back if credit.delta > 0]
    if not lent:
        return strength
    before = strength.at(now)
    at = before.updated_at or now
    value = before.value - sum(credit.delta * faded(credit.at, at) for credit in lent)
    return Strength(max(0.0, value) if others else 0.0, at)
