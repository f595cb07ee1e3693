"""Judge citations against text, each file read once however many citations point into it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from stilltrue.citations.evidence import Elsewhere, Evidence
from stilltrue.citations.lines import Lines
from stilltrue.collecting import uncollected
from stilltrue.freshness import judge_citation, judge_memory, may_stand_elsewhere
from stilltrue.model.citation import Citation, CitationKind
from stilltrue.model.memory import Memory, Origin
from stilltrue.model.verdict import CitationVerdict, MemoryVerdict, Reason, Verdict
from stilltrue.source.evidence import gather
from stilltrue.source.files import FileText, Texts


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedCitation:
    """A citation with its verdict and where its text was looked at."""

    citation: Citation
    verdict: CitationVerdict
    view: Origin = Origin.DISK


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedMemory:
    """A memory with its verdict and those of its citations, in recorded order."""

    memory: Memory
    verdict: MemoryVerdict
    citations: tuple[JudgedCitation, ...]

    @property
    def reason(self) -> Reason | None:
        """The reason of the citation that decided, for one line of text."""
        worst = max(self.citations, key=lambda judged: _WEIGHT[judged.verdict.verdict], default=None)
        return worst.verdict.reason if worst else None


_WEIGHT = {Verdict.FRESH: 0, Verdict.MOVED: 1, Verdict.UNKNOWN: 2, Verdict.STALE: 3}


class Searching(Protocol):
    """Where to look for text that is gone from the cited file."""

    def elsewhere(self, missing: Sequence[Citation]) -> Mapping[str, Elsewhere]:
        """What other files say of the citations, by their uid; nothing for one that stands nowhere."""
        ...  # pragma: no cover


def judge_all(
    cited: Iterable[tuple[Memory, Citation]], texts: Texts, search: Searching | None = None
) -> list[JudgedMemory]:
    """Every memory with its verdict, by number; see `judge_citations`."""
    with uncollected():
        return _judged_memories(list(cited), texts, search)


def _judged_memories(
    pairs: Sequence[tuple[Memory, Citation]], texts: Texts, search: Searching | None
) -> list[JudgedMemory]:
    verdicts = judge_citations((citation for _, citation in pairs), texts, search)
    memories: dict[str, Memory] = {}
    citations: dict[str, list[JudgedCitation]] = defaultdict(list)
    for memory, citation in pairs:
        memories.setdefault(memory.uid, memory)
        citations[memory.uid].append(JudgedCitation(citation=citation, verdict=verdicts[citation.uid]))
    return [
        judged_memory(memory, sorted(citations[uid], key=lambda judged: judged.citation.number))
        for uid, memory in sorted(memories.items(), key=lambda item: item[1].number)
    ]


def judged_memory(memory: Memory, citations: Iterable[JudgedCitation]) -> JudgedMemory:
    """A memory judged by the verdicts on its citations. Those on commits alone say nothing here."""
    judged = tuple(citations)
    content = [each.verdict for each in judged if each.citation.kind is not CitationKind.COMMIT]
    return JudgedMemory(memory=memory, verdict=judge_memory(content), citations=judged)


def judge_citations(
    citations: Iterable[Citation], texts: Texts, search: Searching | None = None
) -> dict[str, CitationVerdict]:
    """The verdict on each citation, by its uid; every path is read once. One never stops another.

    Args:
        citations: In any order.
        texts: Where the cited files are read.
        search: Asked once, for everything that is gone from its file, and only then; without it nothing
            is looked for elsewhere.
    """
    by_path: dict[str | None, list[Citation]] = defaultdict(list)
    for citation in citations:
        by_path[None if citation.kind is CitationKind.COMMIT else citation.path].append(citation)
    verdicts: dict[str, CitationVerdict] = {}
    missing: list[tuple[Citation, Evidence]] = []
    for path, here in by_path.items():
        if path is None:
            verdicts.update((citation.uid, _commit_only()) for citation in here)
        else:
            missing += _judge_text(here, texts.read(path), verdicts)
    return verdicts | _judge_missing(missing, search)


def judge_file(
    citations: Iterable[Citation], text: FileText, search: Searching | None = None
) -> dict[str, CitationVerdict]:
    """The verdict on each citation of one file, by its uid; see `judge_citations`."""
    verdicts: dict[str, CitationVerdict] = {}
    missing = _judge_text(citations, text, verdicts)
    return verdicts | _judge_missing(missing, search)


def _judge_text(
    citations: Iterable[Citation], text: FileText, verdicts: dict[str, CitationVerdict]
) -> list[tuple[Citation, Evidence]]:
    """Add the verdicts that one file's text gives; what may stand elsewhere comes back."""
    lines = Lines(text.data) if text.data is not None else None
    missing: list[tuple[Citation, Evidence]] = []
    for citation in citations:
        evidence = gather(citation, text, lines)
        verdicts[citation.uid] = verdict = judge_citation(evidence)
        if may_stand_elsewhere(verdict):
            missing.append((citation, evidence))
    return missing


def _judge_missing(
    missing: Sequence[tuple[Citation, Evidence]], search: Searching | None
) -> dict[str, CitationVerdict]:
    if search is None or not missing:
        return {}
    found = search.elsewhere([citation for citation, _ in missing])
    return {
        citation.uid: judge_citation(replace(evidence, elsewhere=found[citation.uid]))
        for citation, evidence in missing
        if citation.uid in found
    }


def _commit_only() -> CitationVerdict:
    return CitationVerdict(verdict=Verdict.FRESH, reason=Reason.NO_BASELINE, notes=("commit-only",))
