"""A memory: what somebody remembers about code, and how it ends."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from stilltrue.model.time import Instant


class MemoryKind(StrEnum):
    """What sort of knowledge a memory is (A1)."""

    SEMANTIC = "semantic"
    EPISODIC = "episodic"
    PROCEDURAL = "procedural"


class Trust(StrEnum):
    """How far a memory's truth was established (K18)."""

    VERIFIED = "verified"
    CORROBORATED = "corroborated"
    CANDIDATE = "candidate"
    REJECTED = "rejected"
    DEFENSIVELY_RECALLED = "defensively_recalled"
    UNKNOWN = "unknown"


class ClosingKind(StrEnum):
    """How a memory ended."""

    SUPERSEDED = "superseded"
    RETRACTED = "retracted"


class Origin(StrEnum):
    """Where the text that was looked at stood."""

    DISK = "disk"
    BUFFER = "buffer"


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryDraft:
    """What is asked to be remembered, checked (A1) and not yet stored.

    Attributes:
        text: What is remembered; never blank.
        subject: What it is about; never blank.
        predicate: The relation of subject and text, often empty.
        kind: See `MemoryKind`.
        importance: 1 to 10.
        confidence: 0.0 to 1.0.
        trust: See `Trust`.
        source_ref: Free text saying where it came from (A19).
        source_agent: Who said it.
        valid_from: From when on it holds; None means from the moment of recording.
        valid_to: Until when it holds, as recorded; half open.
        expires_at: When it should no longer be served.
        origin: Whether its code was read from disk or from an unsaved buffer.
    """

    text: str
    subject: str
    predicate: str = ""
    kind: MemoryKind = MemoryKind.SEMANTIC
    importance: int = 5
    confidence: float = 1.0
    trust: Trust = Trust.CANDIDATE
    source_ref: str | None = None
    source_agent: str | None = None
    valid_from: Instant | None = None
    valid_to: Instant | None = None
    expires_at: Instant | None = None
    origin: Origin = Origin.DISK


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """One version of a memory, insert-only (design 5).

    Attributes:
        number: The short local number; people write it `m12`.
        uid: UUIDv7 text, made once, the same on every machine.
        repository: uid of the repository it belongs to.
        chain: uid of the first version of its chain; its own uid for a first version.
        supersedes: uid of the version it replaced, or None.
        tx_at: When it was recorded.
        redacted: Its text was blanked on request; the row is a tombstone.
    """

    number: int
    uid: str
    repository: str
    chain: str
    supersedes: str | None
    text: str
    subject: str
    predicate: str
    kind: MemoryKind
    importance: int
    confidence: float
    trust: Trust
    source_ref: str | None
    source_agent: str | None
    valid_from: Instant
    valid_to: Instant | None
    expires_at: Instant | None
    tx_at: Instant
    origin: Origin
    redacted: bool = False

    @property
    def id(self) -> str:
        """The short local name, `m12`."""
        return f"m{self.number}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Closing:
    """A dated end of a memory (design 5): in force at K when `at` <= K and not undone by K.

    Attributes:
        memory: uid of the memory that ended.
        kind: Superseded or retracted.
        at: When it was said.
        valid_at: From when on the memory no longer holds (for a supersession, the successor's valid_from).
        actor: Who said it.
        successor: uid of the superseding memory, None for a retraction.
        undone_at: When the closing was taken back, or None.
    """

    memory: str
    kind: ClosingKind
    at: Instant
    valid_at: Instant
    actor: str
    successor: str | None = None
    undone_at: Instant | None = None
