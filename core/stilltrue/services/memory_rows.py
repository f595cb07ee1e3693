"""A memory as people see it in a list: on disk, or as open buffers have it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from stilltrue.freshness import judge_memory
from stilltrue.ide.diagnostics import Code, code_of
from stilltrue.ide.snapshot import Cited
from stilltrue.ide.wording import seen_sentence, snooze_text
from stilltrue.model.citation import Citation, CitationKind, Place, Span
from stilltrue.model.memory import Memory, Origin
from stilltrue.model.pin import CURRENT, KeptPin
from stilltrue.model.verdict import CitationVerdict, Freshness, MemoryVerdict, Reason, StaleKind, Verdict
from stilltrue.services.judging import JudgedCitation, JudgedMemory
from stilltrue.services.kept_pins import label_with_pins

NO_PINS: Mapping[str, KeptPin] = {}
COUNTED = ("fresh", "stale", "cosmetic", "unknown", "snoozed")


@dataclass(frozen=True, slots=True)
class Silence:
    """Why nobody is told of a memory, in words; with `in_buffers` whatever an open buffer says."""

    words: str
    in_buffers: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CitationRow:
    """A citation where it stands now.

    Attributes:
        citation: At its present generation.
        verdict: On disk, or on the open buffer.
        span: Its lines now, 1-based and inclusive; None for a whole file.
        view: Where it was looked at.
        code: Of its diagnostic; None where there is nothing to settle.
        seen: What was seen, as the beginning of a sentence.
    """

    citation: Citation
    verdict: CitationVerdict
    span: Span | None
    view: Origin
    code: Code | None
    seen: str

    @property
    def can_reverify(self) -> bool:
        """It is stale, and something stands there that may be called still true."""
        return (
            self.verdict.verdict is Verdict.STALE
            and not self.verdict.is_broken
            and self.verdict.reason is not Reason.ENCODING
        )

    @property
    def targets(self) -> tuple[Place, ...]:
        """Where it may be re-pointed to."""
        return (self.verdict.new,) if self.verdict.new else self.verdict.candidates


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryRow:
    """A live memory with its verdict and citations.

    Attributes:
        memory: What is remembered.
        verdict: On disk, or as open buffers have it.
        citations: In recorded order.
        label: Both axes in one word, as `label_with_pins` tells it.
        snoozed: Until when it is silenced, in words; None where it is not.
    """

    memory: Memory
    verdict: MemoryVerdict
    citations: tuple[CitationRow, ...]
    label: str
    snoozed: str | None = None

    @property
    def counted_as(self) -> str:
        """The count it belongs to, one of `COUNTED`; what cites nothing counts as unknown."""
        if self.snoozed:
            return "snoozed"
        return "cosmetic" if self.verdict.stale_kind is StaleKind.COSMETIC else self.freshness

    @property
    def freshness(self) -> str:
        """Fresh, stale or unknown; what cites nothing is unknown, for nothing backs it."""
        freshness = _BY_PIN.get(self.label, self.verdict.freshness)
        return str(Freshness.UNKNOWN if freshness is Freshness.UNCITED else freshness)

    @property
    def kind(self) -> str | None:
        """How it is stale, `commit` where git says so; None where it is not."""
        if self.label == "stale/commit":
            return "commit"
        return str(self.verdict.stale_kind) if self.verdict.stale_kind else None

    @property
    def reason(self) -> str:
        """What was seen, as the beginning of a sentence."""
        worst = max(
            self.citations,
            key=lambda row: (_WEIGHT[row.verdict.verdict], row.code is not None),
            default=None,
        )
        return worst.seen if worst else "nothing is cited"


_BY_PIN = {"stale/commit": Freshness.STALE, CURRENT: Freshness.FRESH, "unverifiable": Freshness.UNKNOWN}
_WEIGHT = {Verdict.FRESH: 0, Verdict.MOVED: 1, Verdict.UNKNOWN: 2, Verdict.STALE: 3}


def row_of(
    judged: JudgedMemory,
    shown: Mapping[str, Cited],
    silenced: Silence | None = None,
    pins: Mapping[str, KeptPin] = NO_PINS,
) -> MemoryRow:
    """A memory as it is now.

    Args:
        judged: On disk.
        shown: What open buffers cite, by citation uid; it counts there.
        silenced: Why nobody was told of it when the disk was looked at.
        pins: What git last said of its pins, by the citation's uid.
    """
    buffers = [shown[each.citation.uid] for each in judged.citations if each.citation.uid in shown]
    if buffers and not (silenced and silenced.in_buffers):
        asleep = buffers[0].snoozed if all(each.snoozed for each in buffers) else None
        silenced = Silence(snooze_text(asleep)) if asleep else None
    rows = tuple(
        _citation_row(judged.memory, each, shown.get(each.citation.uid), pins.get(each.citation.uid))
        for each in judged.citations
    )
    verdict = judged.verdict
    if any(row.view is Origin.BUFFER for row in rows):
        verdict = judge_memory([row.verdict for row in rows if row.citation.kind is not CitationKind.COMMIT])
    return MemoryRow(
        memory=judged.memory,
        verdict=verdict,
        citations=rows,
        label=label_with_pins(replace(judged, verdict=verdict), pins),
        snoozed=silenced.words if silenced else None,
    )


def counts(rows: Iterable[MemoryRow]) -> dict[str, int]:
    """How many memories there are of each kind, with all of them under `memories`."""
    counted = Counter(row.counted_as for row in rows)
    return {"memories": counted.total(), **{name: counted[name] for name in COUNTED}}


def _citation_row(
    memory: Memory, judged: JudgedCitation, shown: Cited | None, pin: KeptPin | None
) -> CitationRow:
    citation = judged.citation
    if shown is not None and shown.citation.generation == citation.generation:
        return CitationRow(
            citation=citation,
            verdict=shown.verdict,
            span=shown.span,
            view=Origin.BUFFER,
            code=code_of(shown),
            seen=seen_sentence(citation, shown.verdict, shown.pin),
        )
    verdict = judged.verdict
    here = next(
        (each for each in (verdict.new, verdict.nearest) if each and each.path == citation.path), None
    )
    span = None if citation.kind is CitationKind.FILE else here.span if here else citation.span
    as_shown = Cited(memory=memory, citation=citation, verdict=verdict, span=span, pin=pin)
    return CitationRow(
        citation=citation,
        verdict=verdict,
        span=span,
        view=Origin.DISK,
        code=code_of(as_shown),
        seen=seen_sentence(citation, verdict, pin),
    )
