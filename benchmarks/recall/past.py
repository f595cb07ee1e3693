"""A repository whose commits are releases, and a store whose memories were recorded at their own dates."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path

from corpus import ASKED, RELEASED, Note

from stilltrue.model.healing import HealMode
from stilltrue.model.time import Instant, instant_from_unix_ms
from stilltrue.services.heal import heal
from stilltrue.services.recording import parse_spec
from stilltrue.services.remember import Request, remember
from stilltrue.services.settle import supersede
from stilltrue.services.workspace import Surroundings, Workspace

Tree = Mapping[str, bytes]
_GIT = ("git", "-c", "user.name=recall", "-c", "user.email=recall@localhost", "-c", "core.autocrlf=false")


class WoundClock:
    """Tells the time it was wound to, a millisecond later at each asking."""

    def __init__(self) -> None:
        self._next_ms = 0

    def wind(self, moment: datetime) -> None:
        """On to `moment`; never back."""
        self._next_ms = max(self._next_ms, milliseconds(moment))

    def now(self) -> Instant:
        """An instant later than every one told before."""
        self._next_ms += 1
        return instant_from_unix_ms(self._next_ms)


@dataclass(frozen=True, slots=True)
class Past:
    """The repository at its last release, with everything remembered.

    Attributes:
        workspace: Opened at the moment of asking.
        keys: The data's name of each memory, by its local number.
    """

    workspace: Workspace
    keys: Mapping[int, str]


@contextmanager
def lived_through(trees: Mapping[str, Tree], notes: list[Note], folder: Path) -> Iterator[Past]:
    """Go through the releases: commit each, and record what was remembered while it was current.

    Args:
        trees: The files of each release, in order.
        notes: The memories, in the order of recording.
        folder: An empty folder; the repository and the store are made there.
    """
    repository, clock = folder / "repository", WoundClock()
    _git(folder, "init", "-q", str(repository))
    surroundings = Surroundings(
        {**os.environ, "XDG_CONFIG_HOME": str(folder)}, database=str(folder / "memories.db")
    )
    keys: dict[int, str] = {}
    for release, tree in trees.items():
        _commit(repository, release, tree)
        workspace = Workspace(repository, surroundings, clock=clock)
        for note in notes:
            if note.release == release:
                clock.wind(note.recorded)
                keys[_record(workspace, note, keys)] = note.key
        workspace.close()
    clock.wind(ASKED)
    workspace = Workspace(repository, surroundings, clock=clock)
    heal(workspace, HealMode.VERDICT)
    yield Past(workspace, keys)
    workspace.close()


def _record(workspace: Workspace, note: Note, keys: Mapping[int, str]) -> int:
    """Remember one, in place of what it supersedes if it does; the number of the new memory."""
    request = Request(
        text=note.text,
        citations=tuple(map(parse_spec, note.cites)),
        kind=note.kind,
        importance=note.importance,
        confidence=note.confidence,
        trust=note.trust,
        expires_at=f"{note.expires}T00:00:00Z" if note.expires else "",
    )
    if not note.supersedes:
        return remember(workspace, request).memory.number
    old = next(number for number, key in keys.items() if key == note.supersedes)
    return supersede(workspace, f"m{old}", request).memory.number


def milliseconds(moment: datetime) -> int:
    """Since 1970."""
    return int(moment.timestamp() * 1000)


def _commit(repository: Path, release: str, tree: Tree) -> None:
    for entry in repository.iterdir():
        if entry.name != ".git":
            shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
    for path, data in tree.items():
        (repository / path).parent.mkdir(parents=True, exist_ok=True)
        (repository / path).write_bytes(data)
    _git(repository, "add", "--all", "--force")
    _git(repository, "commit", "-q", "--no-verify", "-m", release, on=RELEASED[release])


def _git(folder: Path, *words: str, on: date | None = None) -> None:
    dated = {} if on is None else dict.fromkeys(("GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"), f"{on}T12:00:00Z")
    subprocess.run([*_GIT, *words], cwd=folder, check=True, capture_output=True, env={**os.environ, **dated})
