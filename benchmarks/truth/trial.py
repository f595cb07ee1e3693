"""Cite the first release, check every later one, and ask the oracle of each citation."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from choosing import Choice
from fetching import Project, Tree
from oracle import Cited, Oracle, Told, Truth, means_the_same, replaced_by

from stilltrue.citations.lines import Lines
from stilltrue.errors import StillTrueError
from stilltrue.model.citation import CitationKind, Span
from stilltrue.model.verdict import CitationVerdict, Grade, Reason, Verdict
from stilltrue.services.check import check
from stilltrue.services.recording import CitationSpec
from stilltrue.services.remember import Remembered, Request, remember_many
from stilltrue.services.workspace import Surroundings, Workspace

_GIT = ("git", "-c", "user.name=truth", "-c", "user.email=truth@localhost", "-c", "core.autocrlf=false")


@dataclass(frozen=True, slots=True)
class Outcome:
    """One citation judged at one release, by us and by the oracle."""

    project: str
    release: str
    cited: Cited
    told: Told
    verdict: CitationVerdict
    cosmetic_confirmed: bool = True

    @property
    def is_cosmetic(self) -> bool:
        """Whether we say that nothing of meaning changed."""
        return self.verdict.grade is Grade.COSMETIC

    @property
    def says_stale(self) -> bool:
        """Whether we say that the text is not what it was."""
        return self.verdict.verdict is Verdict.STALE

    @property
    def says_true(self) -> bool:
        """Whether we say without doubt that the text stands unchanged, here or elsewhere."""
        verdict = self.verdict
        return verdict.verdict is Verdict.FRESH or (
            verdict.verdict is Verdict.MOVED and verdict.reason is not Reason.AMBIGUOUS
        )

    @property
    def is_at_told_place(self) -> bool:
        """Whether a move that we tell leads to where the oracle sees the text."""
        new = self.verdict.new
        if new is None:
            return self.told.truth is Truth.AT_PLACE
        if new.path != self.told.path:
            return False
        return self.cited.is_file or bool(self.cited.symbol) or new.span.start == self.told.start

    @property
    def is_false_fresh(self) -> bool:
        """We call it true or merely cosmetic, and the text changed or stands elsewhere than we say."""
        if self.is_cosmetic:
            return not self.cosmetic_confirmed
        if not self.says_true or self.told.truth is Truth.SEVERAL:
            return False
        return self.told.truth is Truth.GONE or not self.is_at_told_place

    @property
    def is_false_stale(self) -> bool:
        """We call it changed, and the very text stands whole at its place or at the one place there is."""
        return self.says_stale and self.told.truth in {Truth.AT_PLACE, Truth.MOVED, Truth.ELSEWHERE}


@dataclass(slots=True)
class Trial:
    """One project's outcomes.

    Attributes:
        project: Which one.
        outcomes: One for each citation and later release.
        refused: How many chosen citations could not be recorded: names of several definitions or of none.
        seconds: What the checks took, oracle and git left out.
        searched: How many files they looked into beside the cited ones.
    """

    project: Project
    outcomes: list[Outcome] = field(default_factory=list)
    refused: int = 0
    seconds: float = 0.0
    searched: int = 0


def tried(project: Project, trees: Sequence[tuple[str, Tree]], folder: Path, count: int) -> Trial:
    """Cite `count` texts of the first release and judge them at each later one.

    Args:
        project: Which one.
        trees: Each release with its files, in order.
        folder: An empty folder; the repository and the store are made there.
        count: How many citations.
    """
    repository, database = folder / "repository", folder / "memories.db"
    _git(folder, "init", "-q", str(repository))
    trial, (_, first) = Trial(project), trees[0]
    base = _commit(repository, *trees[0])
    by_uid = _record(trial, repository, database, Choice(project, first).citations(count))
    for release, now in trees[1:]:
        commit = _commit(repository, release, now)
        oracle = Oracle(first, now, replaced_by(repository, base, commit))
        for uid, verdict in _checked(trial, repository, database).items():
            cited = by_uid[uid]
            confirmed = verdict.grade is not Grade.COSMETIC or _confirms(oracle, cited, verdict)
            outcome = Outcome(project.name, release, cited, oracle.tell(cited), verdict, confirmed)
            trial.outcomes.append(outcome)
    return trial


def _record(trial: Trial, repository: Path, database: Path, chosen: Sequence[Cited]) -> dict[str, Cited]:
    """Remember something of each; a symbol's text is what the recorded lines hold."""
    workspace = _workspace(repository, database)
    requests = [Request(text=f"{each.way} of {each.path}", citations=(_spec(each),)) for each in chosen]
    by_uid: dict[str, Cited] = {}
    for cited, answer in zip(chosen, remember_many(workspace, requests), strict=True):
        if isinstance(answer, StillTrueError):
            trial.refused += 1
            continue
        by_uid[answer.citations[0].uid] = _as_recorded(cited, answer, repository)
    workspace.close()
    return by_uid


def _as_recorded(cited: Cited, answer: Remembered, repository: Path) -> Cited:
    span, name = answer.citations[0].span, answer.citations[0].symbol
    if not cited.symbol or span is None:
        return cited
    rows = (repository / cited.path).read_bytes().split(b"\n")
    text = b"\n".join(rows[span.start - 1 : span.end])
    return Cited(cited.key, cited.way, cited.path, span.start, span.end, text, name or cited.symbol)


def _spec(cited: Cited) -> CitationSpec:
    if cited.is_file:
        return CitationSpec(kind=CitationKind.FILE, path=cited.path)
    if cited.symbol:
        return CitationSpec(kind=CitationKind.SYMBOL, path=cited.path, symbol=cited.symbol)
    return CitationSpec(kind=CitationKind.SPAN, path=cited.path, span=Span(cited.start, cited.end))


def _checked(trial: Trial, repository: Path, database: Path) -> dict[str, CitationVerdict]:
    """Every verdict by the citation's uid, from a whole check such as the command line runs."""
    read = [0]
    workspace = _workspace(repository, database)
    begun = time.perf_counter()
    report = check(workspace, progress=read.append)
    trial.seconds += time.perf_counter() - begun
    workspace.close()
    judged = [each for memory in report.memories for each in memory.citations]
    trial.searched += max(read) - len({each.citation.path for each in judged})
    return {each.citation.uid: each.verdict for each in judged}


def _confirms(oracle: Oracle, cited: Cited, verdict: CitationVerdict) -> bool:
    nearest = verdict.nearest
    if nearest is None:
        return False
    data = oracle.now[nearest.path]
    span = nearest.span or Span(1, Lines(data).count)
    return means_the_same(nearest.path, data, span.start, span.end, cited.text)


def _workspace(repository: Path, database: Path) -> Workspace:
    return Workspace(repository, Surroundings(dict(os.environ), database=str(database)))


def _commit(repository: Path, release: str, tree: Tree) -> str:
    """Make the working tree that of a release, commit it, and answer with the commit."""
    for entry in repository.iterdir():
        if entry.name != ".git":
            shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
    for path, data in tree.items():
        (repository / path).parent.mkdir(parents=True, exist_ok=True)
        (repository / path).write_bytes(data)
    _git(repository, "add", "--all", "--force")
    _git(repository, "commit", "-q", "--no-verify", "--allow-empty", "-m", release)
    return _git(repository, "rev-parse", "HEAD")


def _git(folder: Path, *words: str) -> str:
    return subprocess.run(
        [*_GIT, *words], cwd=folder, check=True, capture_output=True, text=True
    ).stdout.strip()
