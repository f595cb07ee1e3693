"""Files that nobody should have to parse: bounded work and a clear verdict (E6, F14).

What bounds the work is that such a file is not read, or its parse is given up; not that a clock is watched.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from stilltrue.citations.languages import LANGUAGES
from stilltrue.model.verdict import CitationVerdict, Grade, Reason, Verdict
from stilltrue.services.check import check
from stilltrue.services.recording import parse_spec
from stilltrue.services.remember import Request, remember
from stilltrue.services.workspace import Surroundings, Workspace
from support.repo import Repo

CITED = "the first of the cited lines\nthe second of the cited lines\n"
AROUND = ("the line above them all\n", "the line below them all\n")
NAMES = {language.name: f"a{language.suffixes[0]}" for language in LANGUAGES}
EACH = pytest.mark.parametrize("name", NAMES.values(), ids=NAMES.keys())


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return Repo(tmp_path / "repo")


@pytest.fixture
def workspace(repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    repo.root.mkdir()
    return Workspace(repo.root, Surroundings(os.environ, database=str(tmp_path / "memories.db")))


def recorded(workspace: Workspace, repo: Repo, name: str) -> None:
    repo.write(name, CITED.join(AROUND))
    remember(workspace, Request(text="It is so", citations=(parse_spec(f"{name}:2-3"),)))


def verdict(workspace: Workspace) -> CitationVerdict:
    (judged,) = check(workspace).memories
    return judged.citations[0].verdict


def is_content(found: CitationVerdict) -> bool:
    return (found.verdict, found.grade) == (Verdict.STALE, Grade.CONTENT)


@EACH
def test_a_file_of_nothing_but_syntax_errors_is_read_all_the_same(
    workspace: Workspace, repo: Repo, name: str
) -> None:
    """The bytes decide; a grade is only given where a grammar can read the file."""
    recorded(workspace, repo, name)
    noise = "}} ]] ((( <<< '\"` /* \\ $( @@ %% ;;\n" * 300
    repo.write(name, noise + CITED.join(AROUND) + noise)
    assert verdict(workspace).verdict is Verdict.MOVED
    repo.write(name, noise + CITED.replace("second", "third").join(AROUND) + noise)
    assert is_content(verdict(workspace))


@EACH
def test_deep_nesting_ends(workspace: Workspace, repo: Repo, name: str) -> None:
    recorded(workspace, repo, name)
    deep = "([{" * 30_000 + "\n"
    repo.write(name, deep + CITED.replace("second", "third").join(AROUND))
    assert is_content(verdict(workspace))


def test_a_line_of_five_megabytes_is_one_line(workspace: Workspace, repo: Repo) -> None:
    recorded(workspace, repo, "a.js")
    line = "x = [" + "1, " * 1_700_000 + "];\n"
    assert len(line) > 5_000_000
    repo.write("a.js", line + CITED.join(AROUND))
    assert verdict(workspace).verdict is Verdict.MOVED
    repo.write("a.js", line + CITED.replace("second", "third").join(AROUND))
    assert is_content(verdict(workspace))


def test_a_file_of_fifty_megabytes_is_not_read(workspace: Workspace, repo: Repo) -> None:
    recorded(workspace, repo, "a.py")
    with (repo.root / "a.py").open("wb") as file:
        file.truncate(50 * 1024 * 1024)
    found = verdict(workspace)
    assert (found.verdict, found.reason) == (Verdict.UNKNOWN, Reason.TOO_LARGE)


@EACH
def test_binary_content_is_compared_like_any_other(workspace: Workspace, repo: Repo, name: str) -> None:
    recorded(workspace, repo, name)
    binary = bytes(range(256)) * 40
    (repo.root / name).write_bytes(binary + b"\n" + CITED.join(AROUND).encode())
    assert verdict(workspace).verdict is Verdict.MOVED
    (repo.root / name).write_bytes(binary)
    assert is_content(verdict(workspace))
