"""Judge what is remembered about a repository against its working tree. Writes nothing (law 5)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field

from stilltrue.citations.evidence import Elsewhere
from stilltrue.citations.ignoring import is_ignored
from stilltrue.citations.paths import check_path
from stilltrue.errors import InputError
from stilltrue.ide.wording import snooze_text
from stilltrue.model.citation import Citation
from stilltrue.model.memory import Memory
from stilltrue.model.snooze import Snooze
from stilltrue.model.time import AsOf
from stilltrue.model.verdict import Freshness, Grade, Reason, StaleKind, Verdict
from stilltrue.services import snoozing
from stilltrue.services.judging import JudgedMemory, judge_all
from stilltrue.services.unchanged import unchanged_memories
from stilltrue.services.workspace import Workspace
from stilltrue.source.files import FileText, Texts
from stilltrue.store import cited as cited_rows
from stilltrue.store import memories
from stilltrue.store.cited import CitedLines

MANY = 1000
"""More memories than this are fetched with all others sooner than by their uids."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Skipped:
    """Something that was not checked, named and counted; `silenced` where its reader asked for that."""

    what: str
    why: str
    count: int
    silenced: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckReport:
    """The answer of a check.

    Attributes:
        memories: Every live memory that was judged and is awake, but for those of `unchanged`.
        unchanged: The memories, by uid, all of whose citations stand where they were recorded.
        skipped: What was not, or is silenced by its reader.
        narrowed: Only some paths were asked about.
    """

    memories: tuple[JudgedMemory, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    narrowed: bool = False
    unchanged: frozenset[str] = frozenset()

    @property
    def counts(self) -> dict[str, int]:
        """How many memories there are of each freshness, with all of them under `memories`."""
        counted = Counter(judged.verdict.label for judged in self.memories)
        counted.update({Freshness.FRESH.value: len(self.unchanged)} if self.unchanged else {})
        return {"memories": counted.total(), **dict(sorted(counted.items()))}

    @property
    def is_silenced(self) -> bool:
        """Something was left out because its reader snoozed or ignored it."""
        return any(each.silenced for each in self.skipped)

    def needs_attention(self, *, strict: bool) -> bool:
        """Whether the exit code is 1: a memory stale by content or structure; with `strict` any doubt."""
        return any(_needs_attention(judged, strict=strict) for judged in self.memories)


def check(
    workspace: Workspace,
    paths: Collection[str] = (),
    *,
    texts: Texts | None = None,
    progress: Callable[[int], None] | None = None,
    whole: bool = True,
) -> CheckReport:
    """Judge every live memory, or only those that cite `paths` (files or folders).

    Args:
        workspace: The repository.
        paths: Relative to the root with `/`; `.` is everything.
        texts: Where the cited text is read; the working tree unless said otherwise.
        progress: Told how many files were read so far.
        whole: Make a judged memory of each; else those of which all stands where it was recorded are only
            counted, which is several times as fast.

    Raises:
        CitationError: A path that no citation could have.
        InputError: Nothing stands at one of `paths`, and nothing cites it.
    """
    wanted = [check_path(path) for path in paths if path.strip("./")] if "." not in paths else []
    with workspace.reading() as reading:
        if reading is None:
            _refuse_unknown(workspace, wanted, ())
            return CheckReport(narrowed=bool(wanted))
        connection, repository = reading
        now = workspace.present(connection)
        said = snoozing.said_by(workspace, connection, repository)
        cited = cited_rows.cited_lines(connection, repository, now)
        live, expired = (0, 0) if wanted else memories.count_live(connection, repository, now)
    cited = _asked_for(workspace, wanted, cited)
    heard = [row for row in cited if not is_ignored(row.path, workspace.settings.ignore)]
    source = texts or workspace.fresh_tree()
    files = _Counting(source, progress)
    unchanged = frozenset() if whole else unchanged_memories(heard, files) - said.keys()
    pairs = _fetched(workspace, now, {row.memory for row in heard} - unchanged, everything=not wanted)
    search = _Search(workspace, source, files.tell_more)
    judged = judge_all(pairs, files, search)
    asleep = snoozing.still_asleep(said, _citations_of(said, pairs), source)
    owners = {row.memory for row in cited}
    return CheckReport(
        memories=tuple(each for each in judged if each.memory.uid not in asleep),
        skipped=(
            *_skipped(judged, live - expired - len(owners), expired),
            *(Skipped(what="files", why=why, count=count) for why, count in sorted(search.left_out.items())),
            *_silenced(cited, heard, [asleep[one.memory.uid] for one in judged if one.memory.uid in asleep]),
        ),
        narrowed=bool(wanted),
        unchanged=unchanged,
    )


def _asked_for(workspace: Workspace, wanted: Sequence[str], cited: list[CitedLines]) -> list[CitedLines]:
    """Everything that the memories cite which cite the wanted paths; all where none is named."""
    _refuse_unknown(workspace, wanted, {row.path for row in cited})
    if not wanted:
        return cited
    uids = {row.memory for row in cited if any(is_under(row.path, path) for path in wanted)}
    return [row for row in cited if row.memory in uids]


def _fetched(
    workspace: Workspace, now: AsOf, uids: Collection[str], *, everything: bool
) -> list[tuple[Memory, Citation]]:
    """These memories with what they cite and is not ignored."""
    with workspace.reading() as reading:
        if reading is None or not uids:
            return []
        connection, repository = reading
        if everything and len(uids) > MANY:
            found = cited_rows.live_citations(connection, repository, now)
        else:
            found = cited_rows.live_citations_of(connection, repository, now, uids)
    ignore = workspace.settings.ignore
    return [pair for pair in found if pair[0].uid in uids and not is_ignored(pair[1].path, ignore)]


def _citations_of(
    uids: Collection[str], cited: Sequence[tuple[Memory, Citation]]
) -> dict[str, list[Citation]]:
    found: dict[str, list[Citation]] = {}
    for memory, citation in cited if uids else ():
        if memory.uid in uids:
            found.setdefault(memory.uid, []).append(citation)
    return found


def _refuse_unknown(workspace: Workspace, wanted: Sequence[str], cited: Collection[str | None]) -> None:
    """A mistyped path must not pass as one where nothing needs attention."""
    for path in wanted:
        if not any(is_under(each, path) for each in cited) and not workspace.stands(path):
            raise InputError(f"there is no {path}, and nothing cites it", hint="name a file or a folder")


def _skipped(judged: Sequence[JudgedMemory], uncited: int, expired: int) -> tuple[Skipped, ...]:
    by_commit = sum("commit-only" in one.verdict.notes for each in judged for one in each.citations)
    found = (
        Skipped(what="memories", why="nothing cited", count=max(0, uncited)),
        Skipped(what="memories", why="expired", count=expired),
        Skipped(
            what="citations", why="cite a commit alone; `stilltrue pins` asks git about them", count=by_commit
        ),
    )
    return tuple(each for each in found if each.count)


def _silenced(
    cited: Sequence[CitedLines],
    heard: Sequence[CitedLines],
    asleep: Sequence[Snooze],
) -> tuple[Skipped, ...]:
    """What its reader asked not to hear of, counted all the same (design 7)."""
    unheard = {row.memory for row in cited} - {row.memory for row in heard}
    ends = Counter(snooze_text(each) if each.until else "until their lines change" for each in asleep)
    counted = [
        ("citations", "ignored by the setting `ignore`", len(cited) - len(heard)),
        ("memories", "all that they cite is ignored", len(unheard)),
        *(("memories", f"snoozed {end}", count) for end, count in sorted(ends.items())),
    ]
    return tuple(
        Skipped(what=what, why=why, count=count, silenced=True) for what, why, count in counted if count
    )


def _needs_attention(judged: JudgedMemory, *, strict: bool) -> bool:
    if judged.verdict.freshness is Freshness.STALE and judged.verdict.stale_kind is not StaleKind.COSMETIC:
        return True
    return strict and (
        judged.verdict.freshness in {Freshness.STALE, Freshness.UNKNOWN}
        or any(
            each.verdict.verdict in {Verdict.STALE, Verdict.UNKNOWN}
            or each.verdict.reason in {Reason.AMBIGUOUS, Reason.NO_BASELINE}
            or each.verdict.grade is Grade.COSMETIC
            for each in judged.citations
        )
    )


def is_under(path: str | None, wanted: str) -> bool:
    """Whether a cited path is the wanted file, or lies in the wanted folder; `.` is the whole tree."""
    return path is not None and (wanted in {".", path} or path.startswith(wanted + "/"))


@dataclass(slots=True)
class _Counting:
    """Reads through, telling how many files were read."""

    texts: Texts
    progress: Callable[[int], None] | None
    seen: set[str] = field(default_factory=set)

    def read(self, path: str) -> FileText:
        self.seen.add(path)
        self.tell_more(0)
        return self.texts.read(path)

    def tell_more(self, searched: int) -> None:
        """So many files were searched beside the cited ones."""
        if self.progress:
            self.progress(len(self.seen) + searched)


@dataclass(slots=True)
class _Search:
    """The search for what is gone from its file, made when something is.

    Attributes:
        left_out: How many files were not searched, by the reason.
    """

    workspace: Workspace
    texts: Texts
    progress: Callable[[int], None]
    left_out: Mapping[str, int] = field(default_factory=dict)

    def elsewhere(self, missing: Sequence[Citation]) -> dict[str, Elsewhere]:
        """What other files say about citations whose text is gone, by citation uid."""
        from stilltrue.services.moves import Search  # noqa: PLC0415 - most checks miss nothing

        search = Search(self.workspace, self.texts, self.progress)
        found = search.elsewhere(missing)
        self.left_out = search.left_out
        return found
