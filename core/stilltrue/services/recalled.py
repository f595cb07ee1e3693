"""The nouns of recall: a question, and its answer with the reasons for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from stilltrue.model.citation import Citation
from stilltrue.model.memory import Closing, ClosingKind, Memory
from stilltrue.model.pin import KeptPin
from stilltrue.model.time import AsOf, Instant, unix_ms
from stilltrue.recall.fusion import Arm
from stilltrue.recall.ranking import Factors
from stilltrue.recall.validity import Standing, Validity, assess
from stilltrue.services.judging import JudgedMemory
from stilltrue.services.kept_pins import label_with_pins
from stilltrue.services.queries import Query, Source


@dataclass(frozen=True, slots=True, kw_only=True)
class Placing:
    """Why a memory stands where it does.

    Attributes:
        score: What it was ordered by.
        ranks: Its place in each list that holds it, from 1.
        factors: What the default score was made of; None where validity ordered.
        base: What the multiplier was applied to; None where it was not.
        validity: Its block, if asked for.
    """

    score: float
    ranks: Mapping[str, int]
    factors: Factors[float] | None = None
    base: float | None = None
    validity: Validity | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One memory of an answer.

    Attributes:
        judged: The memory with its citations, as the working tree was when it was asked.
        pins: What git last said of its pins, by the citation's uid.
        placing: Why it stands where it does.
    """

    judged: JudgedMemory
    pins: Mapping[str, KeptPin]
    placing: Placing

    @property
    def memory(self) -> Memory:
        """The memory."""
        return self.judged.memory

    @property
    def label(self) -> str:
        """What is known of its code, in one word (K1)."""
        return label_with_pins(self.judged, self.pins)

    @property
    def source(self) -> Source:
        """The same in the words of the filter."""
        return source_of(self.judged, self.label)

    @property
    def citations(self) -> tuple[Citation, ...]:
        """What it cites, in recorded order."""
        return tuple(each.citation for each in self.judged.citations)


def source_of(judged: JudgedMemory, label: str) -> Source:
    """What is known of a memory's code; what was never compared is unchecked, not current (K11)."""
    if label.startswith("stale"):
        return Source.STALE
    if label in {"unknown", "unverifiable"}:
        return Source.UNRESOLVED
    compared = any(each.citation.baseline for each in judged.citations)
    return Source.CURRENT if label == "current" or (label == "fresh" and compared) else Source.UNCHECKED


@dataclass(frozen=True, slots=True, kw_only=True)
class FusedTrace:
    """How several lists became one.

    Attributes:
        arms: The lists, those that found nothing or are absent included.
        pool: How many memories they held together.
        rerank: Whether the order of the pool was refined, or why not.
        grade_counts: Of the whole pool, before the limit (C23); None without profile validity.
        failed: The names of arms that could not be asked; the others answered without them (B14).
    """

    arms: tuple[Arm, ...]
    pool: int
    rerank: str
    grade_counts: Mapping[str, int] | None = None
    failed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Recalled:
    """The answer to a question.

    Attributes:
        query: What was asked.
        at: The point on both axes from which it was answered; None where nothing is remembered.
        now: What counted as now.
        hits: Best first.
        matched: How many were found before the limit; at most 256 a list.
        truncated: The token budget cut some off.
        notes: What a reader should know besides, in sentences.
        fused: Only in fused mode.
    """

    query: Query
    at: AsOf | None = None
    now: Instant | None = None
    hits: tuple[Hit, ...] = ()
    matched: int = 0
    truncated: bool = False
    notes: tuple[str, ...] = ()
    fused: FusedTrace | None = None

    @property
    def is_incomplete(self) -> bool:
        """A part of the retrieval failed (B14)."""
        return self.fused is not None and bool(self.fused.failed)

    @property
    def drifted(self) -> int:
        """How many of them are stale or cannot be told (A24)."""
        return sum(hit.source in {Source.STALE, Source.UNRESOLVED} for hit in self.hits)


def standing(memory: Memory, *, now: Instant, superseded: bool) -> Validity:
    """The validity of a memory of this repository, also of one that ended (C19)."""
    return assess(
        Standing(
            created_ms=unix_ms(memory.tx_at),
            expires_ms=unix_ms(memory.expires_at) if memory.expires_at else None,
            workspace=memory.repository,
            trust=memory.trust.value,
            superseded=superseded,
        ),
        now_ms=unix_ms(now),
        workspace=memory.repository,
    )


def is_superseded(end: Closing | None) -> bool:
    """It ended by being replaced."""
    return end is not None and end.kind is ClosingKind.SUPERSEDED
