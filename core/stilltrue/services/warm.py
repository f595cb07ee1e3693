"""The figures of a check, from what the last one left behind: files that did not change are not read.

What is kept is droppable and best effort (design 6). It holds for one revision of the store, one working
tree and one set of settings, until time alone changes which memories are live.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from stilltrue.errors import StillTrueError
from stilltrue.model.time import Instant, unix_ms
from stilltrue.model.verdict import Reason, Verdict
from stilltrue.services.check import CheckReport, Skipped, check
from stilltrue.services.judging import JudgedMemory
from stilltrue.services.workspace import Workspace
from stilltrue.source.files import FileText, Texts, signature
from stilltrue.store import repositories, stamps

SETTLED, MOVED, UNSETTLED = "settled", "settled, moved", "look again"
RACY_MS = 2000
"""A file written so shortly before it was judged may be written again without a new date (E15)."""

Remembered = dict[str, list[Any]]
"""Label, attention, and attention when strict, of each memory that is not simply fresh, by uid."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """The figures of a check.

    Attributes:
        counts: How many memories there are of each freshness, with all of them under `memories`.
        skipped: What was not judged.
        unsettled: What is not simply fresh.
        files_read: How many files had to be read.
    """

    counts: Mapping[str, int] = field(default_factory=lambda: {"memories": 0})
    skipped: tuple[Skipped, ...] = ()
    unsettled: Remembered = field(default_factory=dict)
    files_read: int = 0
    narrowed: bool = False
    memories: tuple[JudgedMemory, ...] = ()

    @property
    def is_silenced(self) -> bool:
        """Something was left out because its reader asked for that."""
        return any(each.silenced for each in self.skipped)

    def needs_attention(self, *, strict: bool) -> bool:
        """Whether the exit code is 1, as `CheckReport.needs_attention` says it."""
        return any(row[2 if strict else 1] for row in self.unsettled.values())


def summarise(workspace: Workspace, *, progress: Callable[[int], None] | None = None) -> Summary:
    """The figures that `check` would give, reading only files that changed since the last time."""
    kept = _Kept.read(workspace)
    if kept is None:
        return _judged_whole(workspace, progress)
    changed = kept.changed(str(workspace.root))
    if not changed:
        return kept.summary
    return _judged_again(workspace, kept, changed, progress)


def unchanged_files(workspace: Workspace, paths: Iterable[str]) -> set[str]:
    """Those of the files in which the last check found every citation fresh at its place, if unchanged since.

    They are told by `stat` alone; nothing is read (E15).
    """
    kept = _Kept.read(workspace)
    if kept is None:
        return set()
    settled = {path: kept.files[path] for path in paths if path in kept.files}
    return {
        path
        for path, (stamp, summary) in settled.items()
        if summary == SETTLED and stamp == stamp_of(str(workspace.root / path))
    }


@dataclass(frozen=True, slots=True)
class _Kept:
    """What the last check left behind, if it still holds."""

    revision: int
    files: Mapping[str, tuple[str, str]]
    summary: Summary
    until: Instant | None

    @classmethod
    def read(cls, workspace: Workspace) -> _Kept | None:
        with workspace.reading() as reading:
            if reading is None:
                return None
            connection, repository = reading
            checkout = repositories.find_checkout(connection, repository, *workspace.checkout)
            if checkout is None:
                return None
            revision = stamps.revision(connection)
            files = stamps.read_stamps(connection, checkout, revision)
            whole = files.pop(stamps.WHOLE_TREE, None)
        if whole is None or whole[0] != settings_key(workspace):
            return None
        try:
            told = json.loads(whole[1])
            skipped = tuple(Skipped(**each) for each in told["skipped"])
            summary = Summary(counts=told["counts"], skipped=skipped, unsettled=told["unsettled"])
            until = told["until"]
        except (ValueError, KeyError, TypeError):
            return None  # damaged, or of another version
        over = until is not None and until <= workspace.clock.now()
        return None if over else cls(revision, files, summary, until)

    def changed(self, root: str) -> list[str]:
        """The files in another state, and those whose verdicts hang on more than their own bytes."""
        found = []
        prefix = root if root.endswith(os.sep) else root + os.sep
        for path, (stamp, summary) in self.files.items():
            if summary == UNSETTLED or stamp != stamp_of(prefix + path):
                found.append(path)
        return found


def _judged_whole(workspace: Workspace, progress: Callable[[int], None] | None) -> Summary:
    texts = _Stamping(workspace.fresh_tree())
    with workspace.reading() as reading:
        before = stamps.revision(reading[0]) if reading else None
        until = stamps.next_change(*reading, workspace.clock.now()) if reading else None
    report = check(workspace, texts=texts, progress=progress, whole=False)
    summary = Summary(
        counts=report.counts,
        skipped=report.skipped,
        unsettled=_unsettled(report.memories),
        files_read=len(texts.stamps),
    )
    if before is not None and not any(each.why.startswith("snoozed") for each in report.skipped):
        _keep(workspace, before, texts, report, summary, until)
    return summary


def _judged_again(
    workspace: Workspace, kept: _Kept, changed: list[str], progress: Callable[[int], None] | None
) -> Summary:
    """Judge the memories that cite changed files, and put them in the place of what was kept of them."""
    texts = _Stamping(workspace.fresh_tree())
    report = check(workspace, changed, texts=texts, progress=progress, whole=False)
    touched = {*(each.memory.uid for each in report.memories), *report.unchanged}
    former = Counter(kept.summary.unsettled.get(uid, ["fresh"])[0] for uid in touched)
    labels = Counter(kept.summary.counts)
    total = labels.pop("memories")
    labels.subtract(former)
    labels.update({name: count for name, count in report.counts.items() if name != "memories"})
    counts = {"memories": total, **{name: labels[name] for name in sorted(labels) if labels[name]}}
    unsettled = {uid: row for uid, row in kept.summary.unsettled.items() if uid not in touched}
    summary = Summary(
        counts=counts,
        skipped=kept.summary.skipped,
        unsettled=unsettled | _unsettled(report.memories),
        files_read=len(texts.stamps),
    )
    _keep(workspace, kept.revision, texts, report, summary, kept.until, only=changed)
    return summary


def _keep(
    workspace: Workspace,
    revision: int,
    texts: _Stamping,
    report: CheckReport,
    summary: Summary,
    until: Instant | None,
    *,
    only: list[str] | None = None,
) -> None:
    """Write down what was found; where that cannot be done now, the next check is as long as this one."""
    hanging, moved = _hanging(report.memories), _moved(report.memories)
    now = unix_ms(workspace.clock.now())
    wanted = (
        texts.stamps if only is None else {path: texts.stamps[path] for path in only if path in texts.stamps}
    )
    rows = {
        path: (
            "" if _is_racy(stamp, now) else stamp,
            UNSETTLED if path in hanging else MOVED if path in moved else SETTLED,
        )
        for path, stamp in wanted.items()
    }
    rows[stamps.WHOLE_TREE] = (settings_key(workspace), _told(summary, until))
    replaced = None if only is None else [*only, stamps.WHOLE_TREE]
    try:
        store = workspace.store()
        with store.writing(busy_ms=0) as connection:
            repository = repositories.find_repository(connection, workspace.keys)
            if repository is None or stamps.revision(connection) != revision:
                return
            moment = store.now(connection)
            checkout = repositories.ensure_checkout(connection, repository, *workspace.checkout, moment)
            stamps.replace_stamps(connection, checkout, revision, rows, only=replaced)
    except StillTrueError:
        return


def _told(summary: Summary, until: Instant | None) -> str:
    """The row about the whole tree; `_Kept.read` reads it."""
    told = {
        "counts": dict(summary.counts),
        "skipped": [
            {"what": each.what, "why": each.why, "count": each.count, "silenced": each.silenced}
            for each in summary.skipped
        ],
        "unsettled": summary.unsettled,
        "until": until,
    }
    return json.dumps(told)


def _hanging(judged: Iterable[JudgedMemory]) -> set[str]:
    """The files whose verdicts may change though their bytes do not: what is gone may turn up elsewhere."""
    return {
        each.citation.path
        for memory in judged
        for each in memory.citations
        if each.citation.path
        and not (each.verdict.verdict is Verdict.FRESH or each.verdict.reason is Reason.SAME_FILE)
    }


def _moved(judged: Iterable[JudgedMemory]) -> set[str]:
    """The files in which cited lines stand at another place; their own bytes decide on that."""
    return {
        each.citation.path
        for memory in judged
        for each in memory.citations
        if each.citation.path and each.verdict.reason is Reason.SAME_FILE
    }


def _unsettled(judged: Iterable[JudgedMemory]) -> Remembered:
    found: Remembered = {}
    for memory in judged:
        alone = CheckReport(memories=(memory,))
        strict = alone.needs_attention(strict=True)
        if strict or memory.verdict.label != "fresh":
            loud = alone.needs_attention(strict=False)
            found[memory.memory.uid] = [memory.verdict.label, loud, strict]
    return found


def settings_key(workspace: Workspace) -> str:
    """What is kept holds only for the same settings."""
    return json.dumps([workspace.settings.max_file_bytes, list(workspace.settings.ignore)])


def stamp_of(path: str) -> str:
    """What `stat` says of a file; empty where it says nothing."""
    try:
        return signature(os.stat(path))  # noqa: PTH116 - a path object costs more than the question
    except (OSError, ValueError):
        return ""


def _is_racy(stamp: str, now_ms: int) -> bool:
    modified = stamp.partition(":")[0]
    return not modified or now_ms - int(modified) // 1_000_000 < RACY_MS


@dataclass(slots=True)
class _Stamping:
    """Reads through, keeping what `stat` said of each file before it was read."""

    texts: Texts
    stamps: dict[str, str] = field(default_factory=dict)

    def read(self, path: str) -> FileText:
        found = self.texts.read(path)
        # of two the first counts: what changed between them is looked at again the next time
        self.stamps.setdefault(path, found.signature)
        return found
