"""Languages whose grammars come with an extra: graded with it, content without it (E3, E4; D9, D12)."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from stilltrue.citations import grading
from stilltrue.citations.parsing import grammar_of
from stilltrue.errors import CitationError
from stilltrue.model.verdict import Grade, Verdict
from stilltrue.services.check import check
from stilltrue.services.doctor import report_text
from stilltrue.services.recording import parse_spec
from stilltrue.services.remember import Request, remember
from stilltrue.services.workspace import Surroundings, Workspace
from support.repo import Repo

TEXT = "local function within(a)\n  -- the limit\n  return a < 41\nend\n"
HINT = "pip install 'stilltrue[languages]'"


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return Repo(tmp_path / "repo")


@pytest.fixture
def workspace(repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    repo.root.mkdir(exist_ok=True)
    return Workspace(repo.root, Surroundings(os.environ, database=str(tmp_path / "memories.db")))


@pytest.fixture
def without_lua(monkeypatch: pytest.MonkeyPatch) -> None:
    # what stands in `sys.modules` as None cannot be imported, as if it had not been installed
    monkeypatch.setitem(sys.modules, "tree_sitter_lua", None)
    monkeypatch.setattr(grading, "_tree", grading._tree.__wrapped__)
    monkeypatch.setattr("stilltrue.services.doctor.grammar_of", grammar_of.__wrapped__)
    monkeypatch.setattr("stilltrue.citations.parsing.grammar_of", grammar_of.__wrapped__)


def grade_of(workspace: Workspace, repo: Repo, after: str) -> Grade | None:
    repo.write("a.lua", TEXT)
    remember(workspace, Request(text="There is a limit of 41", citations=(parse_spec("a.lua:1-4"),)))
    repo.write("a.lua", after)
    (judged,) = check(workspace).memories
    found = judged.citations[0].verdict
    assert found.verdict is Verdict.STALE
    return found.grade


@pytest.mark.parametrize(("new", "grade"), [("the very limit", Grade.COSMETIC), ("@type any", Grade.CONTENT)])
def test_a_change_is_graded_with_its_grammar(
    workspace: Workspace, repo: Repo, new: str, grade: Grade
) -> None:
    assert grade_of(workspace, repo, TEXT.replace("the limit", new)) is grade


@pytest.mark.usefixtures("without_lua")
def test_a_change_is_content_without_its_grammar(workspace: Workspace, repo: Repo) -> None:
    assert grade_of(workspace, repo, TEXT.replace("the limit", "the very limit")) is Grade.CONTENT


def test_a_symbol_of_such_a_language_is_refused(workspace: Workspace, repo: Repo) -> None:
    repo.write("a.lua", TEXT)
    with pytest.raises(CitationError, match="no symbols"):
        remember(workspace, Request(text="x", citations=(parse_spec("a.lua#within"),)))


def test_doctor_tells_which_languages_are_read(workspace: Workspace) -> None:
    told = report_text(workspace)
    assert "grammars: python, javascript, " in told
    assert "more grammars: css, hcl, html, kotlin, lua, make, scala, sql, swift\n" in told
    assert HINT not in told


@pytest.mark.usefixtures("without_lua")
def test_doctor_tells_how_a_missing_grammar_is_had(workspace: Workspace) -> None:
    told = report_text(workspace)
    assert "✓ more grammars: css, hcl, html, kotlin, make, scala, sql, swift; not there: lua\n" in told
    assert f"    {HINT}\n" in told
