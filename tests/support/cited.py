"""Citations as an editor shows them, made of a text and some lines of it."""

from __future__ import annotations

from stilltrue.citations.baselines import span_baseline
from stilltrue.citations.lines import Lines
from stilltrue.ide.snapshot import Cited
from stilltrue.model.citation import Citation, CitationKind, Place, Span
from stilltrue.model.memory import Memory, MemoryKind, Origin, Trust
from stilltrue.model.time import Instant
from stilltrue.model.verdict import CitationVerdict, Grade, Reason, Verdict

WHEN = Instant("2026-01-01T00:00:00.000Z")
PATH = "src/a.py"
FRESH = CitationVerdict(verdict=Verdict.FRESH, reason=Reason.SAME_BYTES)


def memory(number: int = 1, text: str = "Retries stop after 5 attempts") -> Memory:
    return Memory(
        number=number,
        uid=f"memory-{number}",
        repository="repository",
        chain=f"memory-{number}",
        supersedes=None,
        text=text,
        subject="subject",
        predicate="",
        kind=MemoryKind.SEMANTIC,
        importance=5,
        confidence=1.0,
        trust=Trust.VERIFIED,
        source_ref=None,
        source_agent=None,
        valid_from=WHEN,
        valid_to=None,
        expires_at=None,
        tx_at=WHEN,
        origin=Origin.DISK,
    )


def citation(text: str, span: Span, number: int = 1) -> Citation:
    """A citation of some lines of a text."""
    return Citation(
        number=number,
        uid=f"citation-{number}",
        memory=f"memory-{number}",
        generation=1,
        kind=CitationKind.SPAN,
        path=PATH,
        span=span,
        symbol=None,
        commit=None,
        baseline=span_baseline(Lines(text.encode()), span, encoding="utf-8", with_excerpt=True),
        recorded_at=WHEN,
        actor="os:somebody",
        origin=Origin.DISK,
    )


def cited(
    text: str = "def f():\n    return 5\n",
    span: Span = Span(1, 2),  # noqa: B008 - frozen
    number: int = 1,
    verdict: CitationVerdict = FRESH,
    remembered: str = "Retries stop after 5 attempts",
) -> Cited:
    """A citation with its memory and a verdict."""
    place = verdict.nearest.span if verdict.nearest else span
    return Cited(
        memory=memory(number, remembered), citation=citation(text, span, number), verdict=verdict, span=place
    )


def stale(
    reason: Reason = Reason.TEXT_CHANGED,
    grade: Grade = Grade.CONTENT,
    at: Span | None = None,
    candidates: tuple[Place, ...] = (),
) -> CitationVerdict:
    nearest = Place(PATH, at) if at else None
    return CitationVerdict(
        verdict=Verdict.STALE, reason=reason, grade=grade, nearest=nearest, candidates=candidates
    )
