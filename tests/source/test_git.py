"""Git, asked in a real repository: what it says, and that nothing around us sends it elsewhere."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from stilltrue.source.git import Git, GitAnswer, blob_id, clean_environment, find_git_folder
from support.repo import Repo


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    made = Repo.git(tmp_path / "repo")
    made.write("a.txt", "one\n")
    made.write("odd [name]*.txt", "two\n")
    made.write("sub/ünïcode.txt", "three\n")
    return made


@pytest.fixture
def git(repo: Repo) -> Git:
    return Git(repo.root, os.environ)


def test_no_commit_yet_is_no_head(git: Git) -> None:
    assert git.head() is None
    assert git.root_commits() == []
    assert git.blobs_at_head(["a.txt"]) == {}


def test_head_roots_and_blobs(repo: Repo, git: Git) -> None:
    first = repo.commit("first")
    repo.write("a.txt", "changed\n")
    second = repo.commit("second")
    paths = ["a.txt", "odd [name]*.txt", "sub/ünïcode.txt", "none.txt"]

    blobs = git.blobs_at_head(paths)

    assert (git.head(), git.root_commits()) == (second, [first])
    assert blobs == {path: blob_id((repo.root / path).read_bytes()) for path in paths[:3]}
    assert git.blobs_at_head([]) == {}


def test_a_blob_has_the_id_that_git_gives_it(repo: Repo) -> None:
    assert blob_id(b"one\n") == repo.run("hash-object", "a.txt").strip()


def test_git_is_not_sent_elsewhere_by_the_environment(repo: Repo, tmp_path: Path) -> None:
    """As in a hook of another repository, which exports where that one lies."""
    head = repo.commit("first")
    other = Repo.git(tmp_path / "other")
    other.write("b.txt", "b\n")
    other.commit("other")
    sent = {**os.environ, "GIT_DIR": str(other.root / ".git"), "GIT_WORK_TREE": str(other.root)}

    assert Git(repo.root, sent).head() == head


def test_git_never_asks_and_never_locks() -> None:
    cleaned = clean_environment({"PATH": "/bin", "GIT_DIR": "/x", "GIT_INDEX_FILE": "/y"})

    assert cleaned == {"PATH": "/bin", "GIT_TERMINAL_PROMPT": "0", "GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C"}


def test_git_that_is_not_there_is_an_answer(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))

    assert Git(repo.root, {"PATH": str(tmp_path)}).run("--version") == GitAnswer(None)


def test_an_argument_that_no_process_can_have_is_an_answer(git: Git) -> None:
    assert git.run("log", "nul\0byte") == GitAnswer(None)


def test_the_root_is_found_from_below_and_without_a_process(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("started a process")

    monkeypatch.setattr(subprocess, "run", refuse)

    assert find_git_folder(repo.root / "sub") == (repo.root, (repo.root / ".git").resolve())


def test_no_repository_is_none(tmp_path: Path) -> None:
    assert find_git_folder(tmp_path) is None


def test_worktrees_have_the_same_git_folder(repo: Repo, tmp_path: Path) -> None:
    repo.commit("first")
    repo.run("worktree", "add", "-q", str(tmp_path / "tree"))

    assert find_git_folder(tmp_path / "tree") == (tmp_path / "tree", (repo.root / ".git").resolve())


def test_a_submodule_has_a_git_folder_of_its_own(repo: Repo, tmp_path: Path) -> None:
    repo.commit("first")
    outer = Repo.git(tmp_path / "outer")
    outer.run("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(repo.root), "inner")

    found = find_git_folder(outer.root / "inner")

    assert found == (outer.root / "inner", (outer.root / ".git/modules/inner").resolve())


def test_a_damaged_marker_still_finds_the_root(tmp_path: Path) -> None:
    (tmp_path / ".git").write_bytes(b"\xff\xfe no pointer")

    found = find_git_folder(tmp_path)

    assert found is not None
    assert found[0] == tmp_path
