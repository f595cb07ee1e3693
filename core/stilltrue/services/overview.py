"""All that is remembered about a repository, on disk and as open buffers have it. Writes nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from stilltrue.citations.ignoring import is_ignored
from stilltrue.citations.paths import check_path
from stilltrue.errors import CitationError
from stilltrue.freshness import judge_memory
from stilltrue.ide.diagnostics import Code, code_of
from stilltrue.ide.snapshot import Cited
from stilltrue.ide.wording import sentence, snooze_text
from stilltrue.model.citation import Citation, CitationKind, Place, Span
from stilltrue.model.memory import Memory, Origin
from stilltrue.model.verdict import CitationVerdict, Freshness, MemoryVerdict, Reason, StaleKind, Verdict
from stilltrue.services import snoozing
from stilltrue.services.judging import JudgedCitation, JudgedMemory, judge_all, judged_memory
from stilltrue.services.moves import FoundBefore, Search
from stilltrue.services.workspace import Workspace
from stilltrue.source.files import FileText, Texts
from stilltrue.store import cited as cited_rows
from stilltrue.store import memories

COUNTED = ("fresh", "stale", "cosmetic", "unknown", "snoozed")


class Cancelled(Exception):  # noqa: N818 - nothing went wrong
    """The person does not want the answer any more."""


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
    """

    citation: Citation
    verdict: CitationVerdict
    span: Span | None
    view: Origin
    code: Code | None

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
        snoozed: Until when it is silenced, in words; None where it is not.
    """

    memory: Memory
    verdict: MemoryVerdict
    citations: tuple[CitationRow, ...]
    snoozed: str | None = None

    @property
    def counted_as(self) -> str:
        """The count it belongs to, one of `COUNTED`; what cites nothing counts as unknown."""
        if self.snoozed:
            return "snoozed"
        if self.verdict.freshness is Freshness.FRESH:
            return "fresh"
        if self.verdict.freshness is not Freshness.STALE:
            return "unknown"
        return "cosmetic" if self.verdict.stale_kind is StaleKind.COSMETIC else "stale"

    @property
    def freshness(self) -> str:
        """Fresh, stale or unknown; what cites nothing is unknown, for nothing backs it."""
        freshness = self.verdict.freshness
        return str(Freshness.UNKNOWN if freshness is Freshness.UNCITED else freshness)

    @property
    def reason(self) -> str:
        """What was seen, as the beginning of a sentence."""
        worst = max(self.citations, key=lambda row: _WEIGHT[row.verdict.verdict], default=None)
        return sentence(worst.verdict) if worst else "nothing is cited"


_WEIGHT = {Verdict.FRESH: 0, Verdict.MOVED: 1, Verdict.UNKNOWN: 2, Verdict.STALE: 3}


@dataclass(frozen=True, slots=True, kw_only=True)
class Surveyed:
    """A repository as it lies on disk.

    Attributes:
        memories: Every live memory, judged, by number.
        states: The state of each cited file before it was read, by path; see `file_states`.
        silenced: Why nobody is told of a memory, by its uid.
        moves: What other files say of text that is gone from its own.
    """

    memories: tuple[JudgedMemory, ...] = ()
    states: Mapping[str, object] = field(default_factory=dict)
    silenced: Mapping[str, Silence] = field(default_factory=dict)
    moves: FoundBefore = field(default_factory=lambda: FoundBefore({}))


def survey(workspace: Workspace, *, progress: Callable[[int], None] | None = None) -> Surveyed:
    """Judge every live memory of the repository.

    Args:
        workspace: The repository.
        progress: Told how many files were read so far; it may raise `Cancelled`.
    """
    with workspace.reading() as reading:
        if reading is None:
            return Surveyed()
        connection, repository = reading
        now = workspace.present(connection)
        found = memories.live_memories(connection, repository, now)
        cited = cited_rows.live_citations(connection, repository, now)
        said = snoozing.said_by(workspace, connection, repository)
    texts = _Watching(workspace, workspace.fresh_tree(), progress or (lambda _: None))
    heard, unheard = _heard(cited, workspace.settings.ignore)
    search = Search(workspace, texts.texts, texts.tell_more)
    judged = {each.memory.uid: each for each in judge_all(heard, texts, search)}
    texts.watch(place.path for each in judged.values() for place in _elsewhere(each))
    asked = {
        uid: [each.citation for each in judged[uid].citations]
        for uid in said
        if uid in judged and uid not in unheard
    }
    asleep = snoozing.still_asleep(said, asked, texts)
    return Surveyed(
        memories=tuple(judged.get(memory.uid) or judged_memory(memory, ()) for memory in found),
        states=texts.states,
        silenced={
            **{uid: Silence(snooze_text(each)) for uid, each in asleep.items()},
            **dict.fromkeys(unheard, Silence("by the setting `ignore`", in_buffers=True)),
        },
        moves=FoundBefore(search.found),
    )


def _elsewhere(judged: JudgedMemory) -> Iterator[Place]:
    """Where verdicts hang on other files than the cited ones."""
    for each in judged.citations:
        yield from (place for place in (each.verdict.new, *each.verdict.candidates) if place)


def _heard(
    cited: list[tuple[Memory, Citation]], ignore: tuple[str, ...]
) -> tuple[list[tuple[Memory, Citation]], set[str]]:
    """What is judged, and the memories of which all is ignored: those are judged, too, and then silenced."""
    owners = {memory.uid for memory, citation in cited if not is_ignored(citation.path, ignore)}
    unheard = {memory.uid for memory, _ in cited} - owners
    heard = [
        (memory, citation)
        for memory, citation in cited
        if memory.uid in unheard or not is_ignored(citation.path, ignore)
    ]
    return heard, unheard


def row_of(judged: JudgedMemory, shown: Mapping[str, Cited], silenced: Silence | None = None) -> MemoryRow:
    """A memory as it is now.

    Args:
        judged: On disk.
        shown: What open buffers cite, by citation uid; it counts there.
        silenced: Why nobody was told of it when the disk was looked at.
    """
    buffers = [shown[each.citation.uid] for each in judged.citations if each.citation.uid in shown]
    if buffers and not (silenced and silenced.in_buffers):
        asleep = buffers[0].snoozed if all(each.snoozed for each in buffers) else None
        silenced = Silence(snooze_text(asleep)) if asleep else None
    rows = tuple(
        _citation_row(judged.memory, each, shown.get(each.citation.uid)) for each in judged.citations
    )
    verdict = judged.verdict
    if any(row.view is Origin.BUFFER for row in rows):
        verdict = judge_memory([row.verdict for row in rows if row.citation.kind is not CitationKind.COMMIT])
    return MemoryRow(
        memory=judged.memory, verdict=verdict, citations=rows, snoozed=silenced.words if silenced else None
    )


def counts(rows: Iterable[MemoryRow]) -> dict[str, int]:
    """How many memories there are of each kind, with all of them under `memories`."""
    counted = Counter(row.counted_as for row in rows)
    return {"memories": counted.total(), **{name: counted[name] for name in COUNTED}}


def missing_files(judged: Iterable[JudgedMemory], workspace: Workspace) -> dict[str, list[Citation]]:
    """The citations of files that are gone, by path."""
    found: dict[str, list[Citation]] = {}
    for memory in judged:
        for each in memory.citations:
            path = each.citation.path
            is_gone = each.verdict.is_broken or each.verdict.verdict is Verdict.MOVED
            if is_gone and path and not workspace.stands(path):
                found.setdefault(path, []).append(each.citation)
    return found


def file_states(workspace: Workspace, paths: Iterable[str]) -> dict[str, object]:
    """What differs once one of the files was written, made or deleted on disk; no file is read."""
    return {path: workspace.file_state(path) for path in paths}


def citing(workspace: Workspace, path: str) -> list[Citation]:
    """The live citations of a file, or of the files in a folder."""
    try:
        wanted = check_path(path)
    except CitationError:
        return []
    with workspace.reading() as reading:
        if reading is None:
            return []
        connection, repository = reading
        cited = cited_rows.live_citations(connection, repository, workspace.present(connection))
    return [
        each for _, each in cited if each.path and (each.path == wanted or each.path.startswith(wanted + "/"))
    ]


def _citation_row(memory: Memory, judged: JudgedCitation, shown: Cited | None) -> CitationRow:
    citation = judged.citation
    if shown is not None and shown.citation.generation == citation.generation:
        return CitationRow(
            citation=citation,
            verdict=shown.verdict,
            span=shown.span,
            view=Origin.BUFFER,
            code=code_of(shown),
        )
    verdict = judged.verdict
    here = next(
        (each for each in (verdict.new, verdict.nearest) if each and each.path == citation.path), None
    )
    span = None if citation.kind is CitationKind.FILE else here.span if here else citation.span
    as_shown = Cited(memory=memory, citation=citation, verdict=verdict, span=span)
    return CitationRow(
        citation=citation, verdict=verdict, span=span, view=Origin.DISK, code=code_of(as_shown)
    )


@dataclass(slots=True)
class _Watching:
    """Reads through, telling how many files were read and keeping their states."""

    workspace: Workspace
    texts: Texts
    tell: Callable[[int], None]
    states: dict[str, object] = field(default_factory=dict)

    def read(self, path: str) -> FileText:
        self.states[path] = self.workspace.file_state(path)
        self.tell(len(self.states))
        return self.texts.read(path)

    def watch(self, paths: Iterable[str]) -> None:
        """Keep the states of files that were searched, too."""
        for path in paths:
            self.states.setdefault(path, self.workspace.file_state(path))

    def tell_more(self, searched: int) -> None:
        """So many files were searched beside the cited ones."""
        self.tell(len(self.states) + searched)
