"""What is about to be shown, judged just in time by the working tree (E16 to E18). Writes nothing.

Files that the last check found settled, and whose `stat` is the same, are not read. Nothing is looked for in
other files: that would need git (A22), so what moved to another file is called gone until the next check.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from stilltrue.model.citation import Citation, CitationKind
from stilltrue.model.memory import Memory
from stilltrue.model.pin import KeptPin
from stilltrue.model.verdict import CitationVerdict, Reason, Verdict
from stilltrue.services.judging import JudgedCitation, JudgedMemory, judge_citations, judged_memory
from stilltrue.services.kept_pins import kept_in, label_with_pins
from stilltrue.services.queries import Query, Source
from stilltrue.services.recalled import source_of
from stilltrue.services.settled import settled_files
from stilltrue.services.workspace import Connection, Workspace
from stilltrue.source.files import FileText, WorkingTree
from stilltrue.store import search
from stilltrue.store.citations import citations_of

Delivered = tuple[JudgedMemory, Mapping[str, KeptPin]]

PORTION = 64
"""So many are judged at a time where a state is asked for."""

_AS_LAST_CHECKED = CitationVerdict(verdict=Verdict.FRESH, reason=Reason.SAME_BYTES)


@dataclass(slots=True)
class Delivery:
    """Judges memories in one view of the store; each file is read at most once (D5)."""

    workspace: Workspace
    connection: Connection
    repository: str
    checkout: int | None
    _texts: _Once = field(init=False)

    def __post_init__(self) -> None:
        self._texts = _Once(self.workspace.fresh_tree())

    def chosen(self, ranked: Sequence[int], query: Query) -> list[Delivered]:
        """The first of those ranked, judged, up to the query's limit; only those in its state (A51)."""
        limit = query.limit
        if query.source is None and not query.skips_stale:
            return self.judged(ranked[:limit])
        found: list[Delivered] = []
        portion = max(limit, PORTION)
        for start in range(0, len(ranked), portion):
            found += [each for each in self.judged(ranked[start : start + portion]) if _fits(query, each)]
            if len(found) >= limit:
                break
        return found[:limit]

    def judged(self, numbers: Sequence[int]) -> list[Delivered]:
        """The memories of these numbers, in their order."""
        found = search.memories_by_number(self.connection, numbers)
        cited = citations_of(self.connection, [found[number].uid for number in numbers])
        every = [citation for each in cited.values() for citation in each]
        verdicts = self._verdicts(every)
        pins = kept_in(self.connection, self.checkout, every)
        return [
            _delivered(found[number], cited.get(found[number].uid, ()), verdicts, pins) for number in numbers
        ]

    def _verdicts(self, citations: Sequence[Citation]) -> dict[str, CitationVerdict]:
        """From what the last check left behind where that still holds, else from the files."""
        paths = {each.path for each in citations if each.path and each.baseline}
        settled = settled_files(self.workspace, self.connection, self.checkout, paths)
        known = {
            each.uid
            for each in citations
            if each.path in settled and each.baseline and each.kind is not CitationKind.COMMIT
        }
        open_ones = [each for each in citations if each.uid not in known]
        return dict.fromkeys(known, _AS_LAST_CHECKED) | judge_citations(open_ones, self._texts)


def _delivered(
    memory: Memory,
    citations: Sequence[Citation],
    verdicts: Mapping[str, CitationVerdict],
    pins: Mapping[str, KeptPin],
) -> Delivered:
    judged = (JudgedCitation(citation=each, verdict=verdicts[each.uid]) for each in citations)
    own = {each.uid: pins[each.uid] for each in citations if each.uid in pins}
    return judged_memory(memory, judged), own


def _fits(query: Query, delivered: Delivered) -> bool:
    judged, pins = delivered
    found = source_of(judged, label_with_pins(judged, pins))
    return found == query.source if query.source else found is not Source.STALE


@dataclass(slots=True)
class _Once:
    """Reads through, each file once however many portions are judged."""

    tree: WorkingTree
    kept: dict[str, FileText] = field(default_factory=dict)

    def read(self, path: str) -> FileText:
        """The bytes at `path`; see `Texts`."""
        if path not in self.kept:
            self.kept[path] = self.tree.read(path)
        return self.kept[path]
