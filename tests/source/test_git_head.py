"""F25: HEAD changes are noticed from a few files, and nothing else looks like one."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from stilltrue.source.git import find_git_folder
from stilltrue.source.git_head import head_state
from support.repo import Repo


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    made = Repo.git(tmp_path / "repo")
    made.write("a", "1\n")
    made.commit("first")
    made.write("a", "2\n")
    made.commit("second")
    return made


def state(root: Path) -> str:
    found = find_git_folder(root)
    assert found is not None
    return head_state(*found)


MOVES: dict[str, Callable[[Repo], object]] = {
    "commit": lambda repo: repo.commit("third"),
    "detach": lambda repo: repo.run("checkout", "-q", "HEAD~1"),
    "branch": lambda repo: repo.run("checkout", "-q", "-b", "side", "HEAD~1"),
    "reset": lambda repo: repo.run("reset", "-q", "--soft", "HEAD~1"),
    "orphan": lambda repo: repo.run("checkout", "-q", "--orphan", "new"),
}


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("move", MOVES)
def test_f25_whatever_moves_head_is_noticed(repo: Repo, move: str, *, packed: bool) -> None:
    if packed:
        repo.run("pack-refs", "--all")
    before = state(repo.root)
    MOVES[move](repo)
    assert state(repo.root) != before


def test_f25_nothing_else_is(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also not another branch; and no process is started to find out."""
    before = state(repo.root)
    repo.write("a", "edited\n")
    repo.run("add", "a")
    repo.run("branch", "other", "HEAD~1")

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("started a process")

    monkeypatch.setattr(subprocess, "Popen", refuse)
    assert state(repo.root) == before


def test_f25_a_branch_that_is_only_packed_is_noticed(repo: Repo) -> None:
    repo.run("pack-refs", "--all")
    before = state(repo.root)
    repo.commit("third")
    repo.run("pack-refs", "--all")
    assert state(repo.root) != before


def test_f25_a_linked_worktree_has_its_own(repo: Repo, tmp_path: Path) -> None:
    repo.run("worktree", "add", "-q", "-b", "side", str(tmp_path / "tree"))
    linked = Repo(tmp_path / "tree")
    here, there = state(repo.root), state(linked.root)
    linked.commit("on the side")
    assert (state(repo.root) == here, state(linked.root) == there) == (True, False)


def test_f25_a_submodule_has_its_own(repo: Repo, tmp_path: Path) -> None:
    outer = Repo.git(tmp_path / "outer")
    outer.run("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(repo.root), "inner")
    before = state(outer.root / "inner")
    outer.run("-C", "inner", "checkout", "-q", "HEAD~1")
    assert state(outer.root / "inner") != before


def test_f25_damaged_or_missing_files_are_a_state_like_any(tmp_path: Path) -> None:
    (tmp_path / ".git").write_bytes(b"gitdir: \0\xff")
    assert head_state(tmp_path, tmp_path / "none") == head_state(tmp_path, tmp_path / "none")
    assert head_state(tmp_path / "nothing", tmp_path / "none") == ""
