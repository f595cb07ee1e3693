"""A repository with some code, and the services in it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from stilltrue.services.recording import parse_spec
from stilltrue.services.remember import Remembered, Request, remember
from stilltrue.services.workspace import Surroundings, Workspace
from support.clock import FakeClock
from support.repo import Repo

CLIENT = """import os


def retry(call):
    for attempt in range(5):
        call(attempt)


API_VERSION = "v2.1.4"
"""

Open = Callable[[Path], Workspace]


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    made = Repo.git(tmp_path / "repo")
    made.write("src/client.py", CLIENT)
    made.write("docs/api.md", "# API\n\nCalls are retried.\n")
    made.commit("first")
    return made


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "memories.db"


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def open_at(database: Path, clock: FakeClock, monkeypatch: pytest.MonkeyPatch) -> Iterator[Open]:
    """Opens workspaces on one store, and closes them."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(database.parent / "config"))
    opened: list[Workspace] = []

    def at(folder: Path, **options: object) -> Workspace:
        surroundings = Surroundings(os.environ, database=str(database), options=options)
        opened.append(Workspace(folder, surroundings, clock=clock))
        return opened[-1]

    yield at
    for workspace in opened:
        workspace.close()


@pytest.fixture
def open_with(repo: Repo, open_at: Callable[..., Workspace]) -> Callable[..., Workspace]:
    """Opens the repository with settings."""
    return partial(open_at, repo.root)


@pytest.fixture
def workspace(repo: Repo, open_at: Open) -> Workspace:
    return open_at(repo.root)


@pytest.fixture
def keep(workspace: Workspace) -> Callable[..., Remembered]:
    """Remembers a text that cites `specs`."""

    def kept(text: str, *specs: str) -> Remembered:
        return remember(workspace, Request(text=text, citations=tuple(map(parse_spec, specs))))

    return kept
