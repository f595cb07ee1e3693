"""What a background pass may do, what it did, and who is at it (E21 to E33)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from stilltrue.model.time import Instant


class HealMode(StrEnum):
    """What a pass does about a memory that the code no longer backs (K6)."""

    OFF = "off"
    VERDICT = "verdict"
    CONFIDENCE = "confidence"
    DEMOTE = "demote"

    @property
    def writes_memories(self) -> bool:
        """It records new versions of memories, not verdicts alone."""
        return self in {HealMode.CONFIDENCE, HealMode.DEMOTE}


class HealKind(StrEnum):
    """What a pass did to a memory."""

    DEMOTED = "demoted"
    LOWERED = "lowered"


class DriftReason(StrEnum):
    """In what way a memory lost the code that backed it (E28)."""

    ANCHOR_DRIFT = "anchor_drift"
    CONTENT_DRIFT = "content_drift"


class ResolverState(StrEnum):
    """What became of the place that a citation names (E4); a span that is gone is a state of its own."""

    RESOLVED = "resolved"
    FILE_ONLY = "file_only"
    MISSING_FILE = "missing_file"
    MISSING_SYMBOL = "missing_symbol"
    MISSING_SPAN = "missing_span"
    AMBIGUOUS_SYMBOL = "ambiguous_symbol"
    UNSUPPORTED_LANGUAGE = "unsupported_language"


@dataclass(frozen=True, slots=True, kw_only=True)
class HealEvent:
    """One version that a pass recorded in place of another (E28); never changed afterwards.

    Attributes:
        kind: Demoted to unknown trust, or lowered in confidence.
        original: uid of the memory that was superseded.
        superseding: uid of the version that took its place.
        reason: See `DriftReason`.
        citation: The place that decided, as people write it: `src/a.py#send` or `src/a.py:3-5`.
        resolver_state: What became of that place.
        code_state: A digest of the baselines and of what stands there instead: never twice for one state.
        commit: The commit that was checked out, or None.
        actor: On whose account the pass ran.
        at: When.
    """

    kind: HealKind
    original: str
    superseding: str
    reason: DriftReason
    citation: str
    resolver_state: ResolverState
    code_state: str
    commit: str | None
    actor: str
    at: Instant


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkpoint:
    """Up to where a working tree was judged (E21).

    Attributes:
        head: The commit that was checked out, or None without git.
        uncommitted: Cited files that differed from it: an edit that is then discarded shows in no diff.
        judged_with: Settings and version that a verdict hangs on; others ask for everything anew.
        at: When; what was recorded later was not judged.
    """

    head: str | None
    uncommitted: tuple[str, ...]
    judged_with: str
    at: Instant


@dataclass(frozen=True, slots=True, kw_only=True)
class Lease:
    """The right of one process to write what a pass over one working tree found.

    Attributes:
        owner: Who, for people.
        machine: Where its process runs.
        process: The number of that process.
        token: What proves that it is still this one's.
        since: From when.
        expires_at: Anybody may take it over then.
    """

    owner: str
    machine: str
    process: int
    token: str
    since: Instant
    expires_at: Instant
