"""A symbol citation, from recording to settling (E3, E4, E13, K24)."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from stilltrue.errors import CitationError
from stilltrue.model.verdict import CitationVerdict, Reason, Verdict
from stilltrue.services import editor, settle
from stilltrue.services.check import check
from stilltrue.services.recording import parse_spec
from stilltrue.services.remember import Request, remember
from stilltrue.services.workspace import Surroundings, Workspace
from support.repo import Repo

SOURCE = """class Client:
    def send(self):
        return "five attempts at most"


def other():
    return "something else altogether"
"""


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    made = Repo.git(tmp_path / "repo")
    made.write("a.py", SOURCE)
    return made


@pytest.fixture
def workspace(repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    made = Workspace(repo.root, Surroundings(os.environ, database=str(tmp_path / "memories.db")))
    remember(made, Request(text="Five attempts", citations=(parse_spec("a.py#Client.send"),)))
    return made


def verdict(workspace: Workspace) -> CitationVerdict:
    (judged,) = check(workspace).memories
    return judged.citations[0].verdict


def test_the_same_bytes_at_other_lines_are_fresh(workspace: Workspace, repo: Repo) -> None:
    repo.write("a.py", "import os\n\n\n" + SOURCE)
    assert verdict(workspace).verdict is Verdict.FRESH


def test_a_changed_body_is_stale_at_its_lines(workspace: Workspace, repo: Repo) -> None:
    repo.write("a.py", "import os\n" + SOURCE.replace("five", "seven"))
    found = verdict(workspace)
    assert (found.verdict, found.reason) == (Verdict.STALE, Reason.TEXT_CHANGED)
    assert found.nearest is not None
    assert (found.nearest.span.start, found.nearest.span.end) == (3, 4)


def test_a_change_outside_of_it_is_none(workspace: Workspace, repo: Repo) -> None:
    """E8."""
    repo.write("a.py", SOURCE.replace("something else", "anything"))
    assert verdict(workspace).verdict is Verdict.FRESH


def test_a_definition_that_is_gone_or_twice_there_is_broken(workspace: Workspace, repo: Repo) -> None:
    """E4."""
    repo.write("a.py", "def other():\n    return 1\n")
    assert verdict(workspace).reason is Reason.SYMBOL_MISSING
    repo.write("a.py", SOURCE + "\n\n" + SOURCE.replace("five", "six"))
    assert verdict(workspace).reason is Reason.SYMBOL_AMBIGUOUS


def test_a_renamed_definition_is_missing_though_its_bytes_are_like(workspace: Workspace, repo: Repo) -> None:
    """K24: the name decides."""
    repo.write("a.py", SOURCE.replace("def send", "def post"))
    assert verdict(workspace).reason is Reason.SYMBOL_MISSING


def test_half_typed_text_is_unknown_and_never_gone(workspace: Workspace, repo: Repo) -> None:
    """F14."""
    repo.write("a.py", "class Client(:\n    def se\n")
    assert verdict(workspace).verdict is Verdict.UNKNOWN


@pytest.mark.parametrize("spec", ["a.py#Client.sned", "a.py#nothing", "b.py#Client", "notes#Client"])
def test_what_does_not_resolve_is_refused_with_a_hint(workspace: Workspace, repo: Repo, spec: str) -> None:
    """E13."""
    repo.write("notes", "no grammar reads this\n")
    with pytest.raises(CitationError) as caught:
        remember(workspace, Request(text="x", citations=(parse_spec(spec),)))
    assert caught.value.hint
    assert spec != "a.py#Client.sned" or "Client.send" in caught.value.hint


def test_still_true_takes_the_definition_as_it_is(workspace: Workspace, repo: Repo) -> None:
    repo.write("a.py", SOURCE.replace("five", "seven"))
    _, cited = settle.find_citations(workspace, "m1")
    settle.reverify(workspace, cited)
    assert verdict(workspace).verdict is Verdict.FRESH
    repo.write("a.py", "import os\n" + SOURCE.replace("five", "seven"))
    assert verdict(workspace).verdict is Verdict.FRESH


def test_a_buffer_shows_it_at_its_lines(workspace: Workspace) -> None:
    """F6: open text counts, and the definition stands where it stands there."""
    (here,) = editor.look_at(workspace, "a.py", "import os\n" + SOURCE).cited
    assert here.verdict.verdict is Verdict.FRESH
    assert here.span is not None
    assert (here.span.start, here.span.end) == (3, 4)
    (here,) = editor.look_at(workspace, "a.py", "import os\n" + SOURCE.replace("five", "six")).cited
    assert here.verdict.reason is Reason.TEXT_CHANGED
    assert here.lines.start == 3
