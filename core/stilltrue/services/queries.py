"""The question of a recall, with everything that may be asked along with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from stilltrue.errors import InputError
from stilltrue.model.memory import MemoryKind
from stilltrue.model.time import Instant
from stilltrue.recall import backing, validity
from stilltrue.recall.ranking import PRESETS, SourceWeights
from stilltrue.recall.validity import WEIGHTS, Weights

DEFAULT_LIMIT = 8
LONGEST_QUERY = 4096
LONGEST_FILTER = 256


class Profile(StrEnum):
    """What orders an answer (C1)."""

    DEFAULT = "default"
    VALIDITY = "validity"


class Mode(StrEnum):
    """Which lists take part."""

    KEYWORD = "keyword"
    FUSED = "fused"


class Method(StrEnum):
    """What weighs validity: the age of a memory, or what became of its code."""

    BY_AGE = validity.METHOD
    BY_CODE = backing.METHOD


class Source(StrEnum):
    """What is known of a memory's code, in the words of the filter (A51)."""

    CURRENT = "current"
    STALE = "stale"
    UNRESOLVED = "unresolved"
    UNCHECKED = "unchecked"


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """A question. What has no answer is refused before anything is read.

    Attributes:
        text: What is asked; empty lists what scores highest.
        profile: Validity re-ranks what several arms found; it implies `annotate`, and `fused` by default.
        annotate: Give every memory its validity block; the order stays.
        mode: None leaves it to the profile.
        as_of: Answer from what was known then to hold then; nothing is written.
        now_ms: What counts as now for ages, grades and expiry (C4); a replay, so that nothing is written.
        subject: Only about exactly that.
        kind: Only of that kind.
        path: Only what cites that file or folder, relative to the root.
        near: The file from which is asked: what cites it, or its folder, is nearer.
        source: Only memories whose code is in that state.
        skips_stale: Stale ones are left out, unless `source` asks for them (K4).
        limit: At most so many.
        max_tokens: At most so much text, a token for four characters.
        weights: For stale and unresolved memories; None takes those of the settings.
        arms: What each arm counts, by name, where it is not the usual.
        method: How profile validity weighs: by age, or by code (`recall.backing`).
        multiplier: The figures of the validity multiplier, to see what each of them brings.
    """

    text: str = ""
    profile: str = Profile.DEFAULT
    annotate: bool = False
    mode: str | None = None
    as_of: Instant | None = None
    now_ms: int | None = None
    subject: str | None = None
    kind: str | None = None
    path: str | None = None
    near: str | None = None
    source: str | None = None
    skips_stale: bool = False
    limit: int = DEFAULT_LIMIT
    max_tokens: int | None = None
    weights: SourceWeights | None = None
    arms: Mapping[str, float] = field(default_factory=dict)
    method: str = Method.BY_AGE
    multiplier: Weights = WEIGHTS

    def __post_init__(self) -> None:
        _refuse_other("profile", self.profile, Profile)
        _refuse_other("mode", self.mode, Mode)
        _refuse_other("kind", self.kind, MemoryKind)
        _refuse_other("freshness", self.source, Source)
        _refuse_other("method", self.method, Method)
        if self.method != Method.BY_AGE and not self.is_annotated:
            raise InputError(
                f"{self.method} weighs validity, which was not asked for", hint="ask with --profile validity"
            )
        if self.limit < 1:
            raise InputError(f"the limit is at least 1, not {self.limit}")
        if self.max_tokens is not None and self.max_tokens < 1:
            raise InputError(f"max_tokens is at least 1, not {self.max_tokens}")
        if self.now_ms is not None and not 0 <= self.now_ms < _END_OF_TIME_MS:
            raise InputError("query_time_unix_ms lies between the years 1970 and 9999")
        if len(self.text) > LONGEST_QUERY:
            raise InputError(f"a query has at most {LONGEST_QUERY} characters", hint="ask for less")
        for name in ("subject", "path", "near"):
            if len(getattr(self, name) or "") > LONGEST_FILTER:
                raise InputError(f"{name} has at most {LONGEST_FILTER} characters")
            _refuse_half_characters(name, getattr(self, name) or "")
        _refuse_half_characters("a query", self.text)

    @property
    def is_annotated(self) -> bool:
        """Every memory gets its validity block (C1)."""
        return self.annotate or self.profile == Profile.VALIDITY

    @property
    def fused(self) -> bool:
        """Several arms take part."""
        return (self.mode or ("fused" if self.profile == Profile.VALIDITY else "keyword")) == Mode.FUSED

    @property
    def reranks(self) -> bool:
        """Validity changes the order; in other modes it only annotates (C24)."""
        return self.fused and self.profile == Profile.VALIDITY

    @property
    def is_replay(self) -> bool:
        """It asks about another time: access times neither count nor change."""
        return self.as_of is not None or self.now_ms is not None


_END_OF_TIME_MS = 253_402_300_800_000


def weights_named(preset: str) -> SourceWeights:
    """The weights of a preset (K9).

    Raises:
        InputError: There is none of that name.
    """
    if preset not in PRESETS:
        raise InputError(f"no such preset: {preset!r}", hint="known: " + ", ".join(PRESETS))
    return PRESETS[preset]


def _refuse_half_characters(name: str, value: str) -> None:
    """Halves of UTF-16 pairs, which JSON can write, are no text that a store can look for (C2)."""
    if any("\ud800" <= character <= "\udfff" for character in value):
        raise InputError(f"{name} holds half a character", hint="write it in Unicode")


def _refuse_other(name: str, value: str | None, allowed: type[StrEnum]) -> None:
    """Unknown words are refused before anything runs (C2)."""
    words = [each.value for each in allowed]
    if value is not None and value not in words:
        raise InputError(f"{name} may not be {value!r}", hint="allowed: " + ", ".join(words))
