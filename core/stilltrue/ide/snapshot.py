"""One file's text with the memories that cite it, placed and judged: what every feature looks at."""

from __future__ import annotations

from dataclasses import dataclass

from stilltrue.freshness import judge_memory
from stilltrue.model.citation import Baseline, Citation, CitationKind, Span
from stilltrue.model.memory import Memory
from stilltrue.model.pin import KeptPin
from stilltrue.model.snooze import Snooze
from stilltrue.model.verdict import CitationVerdict, MemoryVerdict, Verdict


@dataclass(frozen=True, slots=True)
class Provisional:
    """A re-verify of unsaved text: what it saw and where, 1-based and inclusive."""

    baseline: Baseline
    span: Span


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Cited:
    """A citation of the file, as an editor shows it.

    Two are the same only if they are one object: whatever differs makes a new one, and nothing else does,
    so that what was made of it once can be kept.

    Attributes:
        memory: What is remembered.
        citation: At its present generation.
        verdict: On the text that is shown.
        span: Where it stands in that text, 1-based and inclusive; None for the file as a whole.
        others: The verdicts on the memory's other citations, when they were last looked at.
        provisional: A re-verify of unsaved text, which counts until the save decides.
        snoozed: The reader does not want to hear of the memory, so that nothing is shown of it by itself.
        pin: What git last said of its commit; None where it names none or git was not asked.
    """

    memory: Memory
    citation: Citation
    verdict: CitationVerdict
    span: Span | None
    others: tuple[CitationVerdict, ...] = ()
    provisional: Provisional | None = None
    snoozed: Snooze | None = None
    pin: KeptPin | None = None

    @property
    def baseline(self) -> Baseline | None:
        """What the text is compared with."""
        return self.provisional.baseline if self.provisional else self.citation.baseline

    @property
    def recorded(self) -> Span | None:
        """The lines that were looked at then; None for the file as a whole."""
        if self.citation.kind is CitationKind.FILE:
            return None
        return self.provisional.span if self.provisional else self.citation.span

    @property
    def memory_verdict(self) -> MemoryVerdict:
        """The verdict on the whole memory."""
        return judge_memory((self.verdict, *self.others))

    @property
    def lines(self) -> Span:
        """The lines to show it at; line 1 for the file as a whole."""
        return self.span or Span(1, 1)

    @property
    def needs_settling(self) -> bool:
        """A person should decide something about it."""
        return self.verdict.verdict in {Verdict.STALE, Verdict.MOVED, Verdict.UNKNOWN}


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """A file at one version of its text.

    Attributes:
        path: Relative to the repository root, with `/`.
        version: The editor's number of the text; None for a closed file.
        cited: Ordered by first line, then by memory.
    """

    path: str
    version: int | None
    cited: tuple[Cited, ...]

    def touching(self, start: int, end: int) -> list[Cited]:
        """What stands on any of the lines `start` to `end` (1-based, inclusive)."""
        return [each for each in self.cited if each.lines.start <= end and start <= each.lines.end]


def placed(citation: Citation, verdict: CitationVerdict, line_count: int) -> Span | None:
    """Where a judged citation is shown in its own file: new lines, nearest lines, else the hint (F19).

    Never a line that is not there; None for a file citation and for an empty text.
    """
    if citation.kind is CitationKind.FILE or citation.span is None or not line_count:
        return None
    elsewhere = verdict.new is not None and verdict.new.path != citation.path
    here = None if elsewhere else verdict.new or verdict.nearest
    span = here.span if here else citation.span
    start = min(max(span.start, 1), line_count)
    return Span(start, min(max(span.end, start), line_count))
