"""All that is remembered about a repository, on disk and as open buffers have it. Writes nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from stilltrue.citations.ignoring import is_ignored
from stilltrue.citations.paths import check_path
from stilltrue.errors import CitationError
from stilltrue.ide.wording import snooze_text
from stilltrue.model.citation import Citation, Place
from stilltrue.model.memory import Memory
from stilltrue.model.pin import KeptPin
from stilltrue.model.verdict import Verdict
from stilltrue.services import snoozing
from stilltrue.services.judging import JudgedMemory, judge_all, judged_memory
from stilltrue.services.kept_pins import pins_of
from stilltrue.services.memory_rows import Silence
from stilltrue.services.moves import FoundBefore, Search
from stilltrue.services.workspace import Workspace
from stilltrue.source.files import FileText, Texts
from stilltrue.store import cited as cited_rows
from stilltrue.store import memories


class Cancelled(Exception):  # noqa: N818 - nothing went wrong
    """The person does not want the answer any more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Surveyed:
    """A repository as it lies on disk.

    Attributes:
        memories: Every live memory, judged, by number.
        states: The state of each cited file before it was read, by path; see `file_states`.
        silenced: Why nobody is told of a memory, by its uid.
        moves: What other files say of text that is gone from its own.
        pins: What git last said of citations that rest on a commit, by their uid.
    """

    memories: tuple[JudgedMemory, ...] = ()
    states: Mapping[str, object] = field(default_factory=dict)
    silenced: Mapping[str, Silence] = field(default_factory=dict)
    moves: FoundBefore = field(default_factory=lambda: FoundBefore({}))
    pins: Mapping[str, KeptPin] = field(default_factory=dict)


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
        resting = [citation for _, citation in cited if citation.rests_on_commit]
        pins = pins_of(workspace, connection, repository, resting)
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
        pins=pins,
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
