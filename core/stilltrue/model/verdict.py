"""Verdicts on citations and memories (design 4): words only, no rule."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from stilltrue.model.citation import Place


class Verdict(StrEnum):
    """What is known of a citation now."""

    FRESH = "fresh"
    MOVED = "moved"
    STALE = "stale"
    UNKNOWN = "unknown"


class Reason(StrEnum):
    """Why a verdict is what it is."""

    SAME_BYTES = "same-bytes"
    NO_BASELINE = "no-baseline"
    SAME_FILE = "same-file"
    OTHER_FILE = "other-file"
    AMBIGUOUS = "ambiguous"
    LINE_ENDINGS = "line-endings"
    WHITESPACE = "whitespace"
    COMMENT = "comment"
    TEXT_CHANGED = "text-changed"
    SPAN_MISSING = "span-missing"
    SYMBOL_MISSING = "symbol-missing"
    SYMBOL_AMBIGUOUS = "symbol-ambiguous"
    FILE_MISSING = "file-missing"
    UNREADABLE = "unreadable"
    NOT_A_FILE = "not-a-file"
    OUTSIDE_ROOT = "outside-root"
    TOO_LARGE = "too-large"
    ENCODING = "encoding"
    CONFLICT = "conflict"
    LFS_POINTER = "lfs-pointer"
    UNSUPPORTED_LANGUAGE = "unsupported-language"
    PARSE_INCOMPLETE = "parse-incomplete"
    MALFORMED = "malformed"


class Grade(StrEnum):
    """How much a stale citation changed."""

    COSMETIC = "cosmetic"
    CONTENT = "content"


class Freshness(StrEnum):
    """What is known of a whole memory now (E2 to E6)."""

    FRESH = "fresh"
    STALE = "stale"
    UNKNOWN = "unknown"
    UNCITED = "uncited"


class StaleKind(StrEnum):
    """In what way a whole memory is stale."""

    STRUCTURAL = "structural"
    CONTENT = "content"
    COSMETIC = "cosmetic"


MISSING_REASONS = frozenset(
    {Reason.FILE_MISSING, Reason.SYMBOL_MISSING, Reason.SPAN_MISSING, Reason.SYMBOL_AMBIGUOUS}
)
"""The reasons that count as broken: nothing is left to compare with (E4)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CitationVerdict:
    """The answer about one citation.

    Attributes:
        verdict: Fresh, moved, stale or unknown.
        reason: Why.
        grade: Only for stale.
        new: Where a moved citation stands now; None when ambiguous.
        candidates: Equal copies elsewhere that a reader may want to see.
        nearest: For stale, the lines a reader should be shown now.
        notes: Short words about what else was seen, such as `symbol-missing`.
    """

    verdict: Verdict
    reason: Reason
    grade: Grade | None = None
    new: Place | None = None
    candidates: tuple[Place, ...] = ()
    nearest: Place | None = None
    notes: tuple[str, ...] = ()

    @property
    def is_broken(self) -> bool:
        """Stale because what was cited is gone (E4)."""
        return self.verdict is Verdict.STALE and self.reason in MISSING_REASONS


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryVerdict:
    """The answer about one memory.

    Attributes:
        freshness: Fresh, stale, unknown, or uncited where nothing is cited.
        stale_kind: Only for stale.
        broken: Indices (0-based, in the order judged) of citations whose target is gone (E3).
        not_yet_baselined: Some citation has nothing to compare with (K11).
    """

    freshness: Freshness
    stale_kind: StaleKind | None = None
    broken: tuple[int, ...] = ()
    not_yet_baselined: bool = False

    @property
    def label(self) -> str:
        """One word for people and programs, such as `stale/content`, `fresh` or `unknown`."""
        return f"{self.freshness}/{self.stale_kind}" if self.stale_kind else str(self.freshness)
