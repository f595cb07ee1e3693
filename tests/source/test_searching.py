"""Which files are searched: what git ignores is not, with git and without."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from stilltrue.source.git import Git
from stilltrue.source.recorded import held_at, since
from stilltrue.source.searching import listed, nearest_first, size_of
from support.repo import Repo

TREE = {
    ".gitignore": "*.log\n/build/\n!keep.log\n",
    "a.py": "a",
    "keep.log": "a",
    "run.log": "a",
    "build/a.py": "a",
    "src/build/a.py": "a",
    "src/.gitignore": "secret*\n!*.log\n",
    "src/deep/secret.py": "a",
    "src/deep/loud.log": "a",
    "sp ace/\u00fcn\u00ef.py": "a",
}
SEARCHED = {
    ".gitignore",
    "a.py",
    "keep.log",
    "src/.gitignore",
    "src/build/a.py",
    "src/deep/loud.log",
    "sp ace/\u00fcn\u00ef.py",
}


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    made = Repo.git(tmp_path / "repo")
    for path, text in TREE.items():
        made.write(path, text)
    return made


def git_of(repo: Repo) -> Git:
    return Git(repo.root, os.environ)


@pytest.mark.parametrize("with_git", [True, False])
def test_ignored_files_are_not_listed(repo: Repo, *, with_git: bool) -> None:
    assert set(listed(repo.root, git_of(repo) if with_git else None)) == SEARCHED


def test_without_git_known_folders_of_others_are_left_out(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    for path in ("a.js", "node_modules/b.js", "web/node_modules/c.js", ".venv/d.py", "x/__pycache__/e.pyc"):
        repo.write(path, "a")

    assert listed(tmp_path, None) == ["a.js"]


def test_no_link_is_walked_into(repo: Repo, tmp_path: Path) -> None:
    outside = Repo(tmp_path / "outside")
    outside.write("a.py", "a")
    (repo.root / "linked").symlink_to(outside.root, target_is_directory=True)
    (repo.root / "link.py").symlink_to(repo.root / "a.py")

    assert set(listed(repo.root, None)) == SEARCHED
    assert size_of(repo.root, "link.py") is None
    assert size_of(repo.root, "linked") is None
    assert size_of(repo.root, "a.py") == 1


def test_where_git_cannot_answer_the_folders_are_walked(tmp_path: Path) -> None:
    Repo(tmp_path).write("a.py", "a")

    assert listed(tmp_path, Git(tmp_path, os.environ)) == ["a.py"]


def test_during_a_merge_each_path_is_listed_once(repo: Repo) -> None:
    repo.commit("base")
    repo.run("checkout", "-q", "-b", "side")
    repo.write("a.py", "side")
    repo.commit("side")
    repo.run("checkout", "-q", "main")
    repo.write("a.py", "main")
    repo.commit("main")
    with pytest.raises(Exception, match="merge"):
        repo.run("-c", "user.name=a", "-c", "user.email=b", "merge", "-q", "side")

    assert listed(repo.root, git_of(repo)).count("a.py") == 1


def test_the_same_folder_and_kind_come_first() -> None:
    paths = ["a.md", "lib/b.py", "src/c.md", "src/d.py"]

    assert nearest_first(paths, ["src/gone.py"]) == ["src/d.py", "src/c.md", "lib/b.py", "a.md"]


def test_what_files_held_is_told_for_many_commits_at_once(repo: Repo) -> None:
    first = repo.commit("first")
    repo.write("a.py", "b\n")
    second = repo.commit("second")
    asked = [
        (first, "a.py"),
        (second, "a.py"),
        (second, "sp ace/\u00fcn\u00ef.py"),
        (first, "none.py"),
        (first, "src"),
    ]

    told = held_at(git_of(repo), [*asked, ("0" * 40, "a.py")], max_bytes=100)

    assert told == {asked[0]: b"a", asked[1]: b"b\n", asked[2]: b"a", asked[3]: None}


def test_what_is_too_large_cannot_be_told(repo: Repo) -> None:
    repo.write("a.py", "a" * 101)
    commit = repo.commit("first")

    assert held_at(git_of(repo), [(commit, "a.py")], max_bytes=100) == {}


def test_renames_and_deletions_are_told_since_each_commit(repo: Repo) -> None:
    """Committed and staged ones, one after the other."""
    for name in ("one", "two"):
        repo.write(f"src/{name}.py", "".join(f"{name} {number}\n" for number in range(30)))
    first = repo.commit("first")
    repo.rename("src/one.py", "lib/one.py")
    second = repo.commit("second")
    repo.rename("lib/one.py", "lib/three.py")
    repo.run("rm", "-q", "--cached", "a.py")

    told = since(git_of(repo), [first, second, "0" * 40])

    assert set(told) == {first, second}
    assert told[first].renamed == {"src/one.py": "lib/three.py"}
    assert told[second].renamed == {"lib/one.py": "lib/three.py"}
    assert told[first].gone == told[second].gone == {"a.py"}


def test_nothing_is_told_without_a_commit(repo: Repo) -> None:
    assert since(git_of(repo), ["0" * 40]) == {}
    assert held_at(git_of(repo), [("0" * 40, "a.py")], max_bytes=100) == {}
