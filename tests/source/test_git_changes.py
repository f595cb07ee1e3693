"""What git says changed, for files with any name, and when its silence counts (E21 to E23)."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from stilltrue.source.git import Git
from stilltrue.source.git_changes import Changes, changes_since, why_unsettled
from support.repo import IDENTITY, Repo


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    made = Repo.git(tmp_path / "repo")
    for name in ("a.py", "b.py", "c.py"):
        made.write(name, f"# {name}\n")
    made.commit("first")
    return made


def asked(repo: Repo, commit: str, *paths: str) -> Changes:
    found = changes_since(Git(repo.root, os.environ), commit, paths)
    assert found is not None
    return found


def differing(repo: Repo, commit: str, *paths: str) -> set[str]:
    found = asked(repo, commit, *paths)
    return {path for path in paths if found.may_differ(path)}


def test_e21_commits_and_the_working_tree_together(repo: Repo) -> None:
    before = repo.run("rev-parse", "HEAD").strip()
    repo.write("b.py", "# committed\n")
    head = repo.commit("second")
    repo.write("a.py", "# dirty\n")

    assert differing(repo, before, "a.py", "b.py", "c.py") == {"a.py", "b.py"}
    assert asked(repo, before).head == head


def test_e22_a_clean_tree_at_the_commit_is_an_empty_set(repo: Repo) -> None:
    assert differing(repo, repo.run("rev-parse", "HEAD").strip(), "a.py", "b.py", "c.py") == set()


@pytest.mark.parametrize("commit", ["0" * 40, "no such commit", "--help"])
def test_e22_a_commit_that_is_gone_is_no_answer(repo: Repo, commit: str) -> None:
    assert changes_since(Git(repo.root, os.environ), commit, ["a.py"]) is None


def test_e22_no_repository_and_no_commit_are_no_answer(tmp_path: Path) -> None:
    assert changes_since(Git(tmp_path, os.environ), "HEAD", []) is None
    assert changes_since(Git(Repo.git(tmp_path / "empty").root, os.environ), "HEAD", []) is None


def test_e23_names_are_neither_quoted_nor_folded(repo: Repo) -> None:
    """Non-ASCII, spaces, quotes and line ends in names, new folders, and both names of a rename."""
    names = ["ünï.py", "sp ace.py", "nd/z.py", "nd/deeper/z.py", "->.py"]
    if sys.platform != "win32":
        names += ['quo"te.py', "two\nlines.py"]
    for name in names:
        repo.write(name, "new\n")
    repo.rename("a.py", "moved/a2.py")
    found = asked(repo, "HEAD", "a.py", "moved/a2.py", "b.py", *names)

    assert found.untracked == set(names)
    assert found.uncommitted == {"a.py", "moved/a2.py"}
    assert found.vouched == {"moved/a2.py", "b.py"}
    assert not found.may_differ("b.py")
    repo.commit("all of it")
    assert asked(repo, "HEAD~1").committed == {"a.py", "moved/a2.py", *names}


def test_e23_settings_of_the_repository_change_nothing(repo: Repo) -> None:
    for name, value in (
        ("status.showUntrackedFiles", "no"),
        ("status.renames", "false"),
        ("core.quotePath", "true"),
        ("diff.noprefix", "true"),
        ("status.short", "true"),
        ("status.branch", "true"),
    ):
        repo.run("config", name, value)
    repo.write("nd/ü.py", "new\n")
    repo.write("a.py", "other\n")
    found = asked(repo, "HEAD", "a.py")
    assert found.untracked == {"nd/ü.py"}
    assert found.uncommitted == {"a.py"}


def test_silence_counts_only_for_plain_tracked_files(repo: Repo) -> None:
    """Ignored and marked files, symlinks and nested repositories change without a word from git."""
    repo.write(".gitignore", "*.log\nbuild/\n")
    repo.write("x.log", "1\n")
    repo.write("build/out.py", "1\n")
    nested = Repo.git(repo.root / "nested")
    nested.write("in.py", "1\n")
    nested.commit("of its own")
    repo.write("src/real.py", "1\n")
    (repo.root / "link").symlink_to("src", target_is_directory=True)
    (repo.root / "alias.py").symlink_to("src/real.py")
    repo.commit("second")
    repo.run("update-index", "--assume-unchanged", "b.py")
    repo.run("update-index", "--skip-worktree", "c.py")
    silent = ["x.log", "build/out.py", "nested/in.py", "link/real.py", "alias.py", "b.py", "c.py", "A.PY"]

    assert differing(repo, "HEAD", "a.py", "src/real.py", *silent) == set(silent)


def test_what_is_staged_alone_counts(repo: Repo) -> None:
    repo.write("a.py", "# staged\n")
    repo.run("add", "a.py")
    repo.write("a.py", "# a.py\n")
    assert differing(repo, "HEAD", "a.py", "b.py") == {"a.py"}


def test_a_clean_tree_says_nothing(repo: Repo) -> None:
    repo.write("scratch.txt", "not cited\n")
    assert why_unsettled(Git(repo.root, os.environ), ["a.py"]) is None


def test_why_a_tree_is_not_clean(repo: Repo, tmp_path: Path) -> None:
    git = Git(repo.root, os.environ)
    repo.write("new.py", "cited and not committed\n")
    assert why_unsettled(git, ["new.py"]) == "not committed yet is new.py"
    repo.write("a.py", "# dirty\n")
    repo.run("rm", "-q", "b.py")
    assert why_unsettled(git, []) == "not committed yet is a.py and 1 more"
    assert (
        why_unsettled(Git(tmp_path, os.environ), []) == "git does not tell whether the working tree is clean"
    )


def test_a_tree_in_the_middle_of_something_is_not_clean(repo: Repo) -> None:
    """A bisection stands on an old commit with a clean tree: nothing there says what is true today."""
    first = repo.run("rev-parse", "HEAD").strip()
    repo.commit("second")
    repo.run("bisect", "start", "HEAD", first)
    assert why_unsettled(Git(repo.root, os.environ), []) == "a bisection is under way"
    repo.run("bisect", "reset")
    repo.run("checkout", "-q", "-b", "other", first)
    repo.write("other.py", "x\n")
    repo.commit("other")
    repo.run(*IDENTITY, "merge", "-q", "--no-commit", "--no-ff", "main")
    assert why_unsettled(Git(repo.root, os.environ), []) == "a merge is under way"


def test_a_linked_worktree_is_asked_about_itself(repo: Repo, tmp_path: Path) -> None:
    repo.run("worktree", "add", "-q", str(tmp_path / "tree"), "-b", "side")
    tree = Repo(tmp_path / "tree")
    tree.write("a.py", "# dirty\n")
    assert differing(tree, "HEAD", "a.py", "b.py") == {"a.py"}
    assert differing(repo, "HEAD", "a.py", "b.py") == set()
    assert why_unsettled(Git(repo.root, os.environ), []) is None
