"""A repository with memories, and a Neovim that has the plugin."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from stilltrue.services.recording import parse_spec
from stilltrue.services.remember import Request, remember
from stilltrue.services.workspace import Surroundings, Workspace
from support.cli import Stilltrue
from support.nvim import SOURCE, WITH_PLUGIN, Neovim
from support.repo import Repo
from support.waiting import until

MEMORIES = (
    ("Retries stop after 5 attempts", "src/client.py:4-6"),
    ("The API version is v2.1.4", "src/client.py:9"),
    ("The greeting is friendly", "src/client.py:13"),
)


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    made = Repo.git(tmp_path / "repo")
    made.write("src/client.py", SOURCE)
    made.commit("first")
    return made


@pytest.fixture
def workspace(tmp_path: Path, repo: Repo) -> Iterator[Workspace]:
    """The repository with three memories about its one file."""
    found = Workspace(repo.root, Surroundings(dict(os.environ), database=str(tmp_path / "memories.db")))
    for text, place in MEMORIES:
        remember(found, Request(text=text, citations=(parse_spec(place),)))
    yield found
    found.close()


@pytest.fixture
def terminal(tmp_path: Path, repo: Repo) -> Stilltrue:
    """The command line over the same store."""
    return Stilltrue(repo.root, tmp_path / "memories.db")


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """What Neovim and all that it starts find: the program, and a store of the test's own."""
    return {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "STILLTRUE_DB": str(tmp_path / "memories.db"),
        "XDG_CONFIG_HOME": str(tmp_path / "home/config"),
    }


@pytest.fixture
def editor(tmp_path: Path, workspace: Workspace, environment: dict[str, str]) -> Iterator[Neovim]:
    """A Neovim with the plugin on its runtimepath, `src/client.py` open and the server attached."""
    with Neovim(tmp_path / "home", workspace.root, environment, init=WITH_PLUGIN) as made:
        made.listen_to_notices()
        made.edit(workspace.root / "src/client.py")
        until(made.clients, "the server attaches")
        until(lambda: made.lua("return require('stilltrue').counts() ~= nil"), "the server tells its counts")
        yield made
