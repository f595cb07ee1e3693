"""Vim with ALE, as its screen shows it: stale memories come up and are settled (F17, F26, F27)."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.terminal import Project, draft_path
from support.vim import MISSING, Vim, is_installed

pytestmark = [
    pytest.mark.skipif(not is_installed(), reason=MISSING),
    pytest.mark.xdist_group("vim"),
    # a terminal is made by a fork, of which Python 3.12 and newer warn beside the threads of pytest-xdist
    pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning"),
]

STALE = "m1: Retries stop after 5 attempts"
TO_RANGE_7 = "5G025lr7"


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project.made_in(tmp_path)


def test_an_unsaved_edit_is_seen_and_reverified_and_kept_on_save(project: Project) -> None:
    """F6, F26, F32: text and sign come while the file on disk is as it was; the save stores the re-verify."""
    with Vim(project) as editor:
        editor.shows("def retry")
        editor.press(TO_RANGE_7)
        editor.shows(STALE)
        editor.shows("--def retry", "the sign on the first cited line")
        assert "range(5)" in project.file.read_text("utf-8")

        editor.choose("Still true: re-verify")
        editor.shows("kept when you save")
        editor.shows(lambda text: STALE not in text, "the diagnostic goes")
        editor.run("w")
        editor.until(lambda: "range(7)" in project.file.read_text("utf-8"), "the file is saved")
        editor.until(
            lambda: project.verdicts() == {"m1": "fresh", "m2": "fresh", "m3": "fresh"}, "it is kept"
        )
        editor.quit()


def test_a_reverify_is_kept_by_the_last_thing_a_person_types(project: Project) -> None:
    """F32: ALE says no `shutdown`; `:wq` saves and ends the server by a signal, all at once."""
    with Vim(project) as editor:
        editor.shows("def retry")
        editor.press(TO_RANGE_7)
        editor.shows(STALE)
        editor.choose("Still true: re-verify")
        editor.shows("kept when you save")
        editor.run("wq")
        editor.ended()
        editor.until(lambda: not project.servers(), "the server ends")
    assert project.verdicts() == {"m1": "fresh", "m2": "fresh", "m3": "fresh"}


def test_an_undone_edit_is_fresh_again(project: Project) -> None:
    """F6: what is as cited again shows nothing."""
    with Vim(project) as editor:
        editor.shows("def retry")
        editor.press(TO_RANGE_7)
        editor.shows(STALE)
        editor.press("u")
        editor.shows(lambda text: STALE not in text, "the diagnostic goes")
        editor.quit()


def test_supersede_through_a_draft_whose_path_is_told(project: Project) -> None:
    """F27, F28: ALE shows no documents, so the message names the draft; `gf` on it, a text, a save."""
    with Vim(project) as editor:
        editor.shows("def retry")
        editor.press("9G020lr3")
        editor.shows("m2: The API version is v2.1.4")
        editor.choose("Supersede")
        path = Path(draft_path(editor.shows("write the text here and save")))
        assert path.is_file()

        editor.press("\x17pGf/gf")
        editor.shows("everything below this line is ignored")
        editor.press("ggccThe API version is v2.1.3\x1b")
        editor.run("w")
        editor.until(lambda: not path.exists(), "the draft is taken")
        new = project.memory("m4")
        assert new["text"] == "The API version is v2.1.3"
        assert new["supersedes"] == project.memory("m2")["uid"]
        assert sorted(project.verdicts()) == ["m1", "m3", "m4"]
        editor.quit()


def test_remember_the_selected_lines_of_a_file_with_wide_characters(project: Project) -> None:
    """F11, F33: ALE counts columns its own way; lines are lines."""
    with Vim(project) as editor:
        editor.shows("def greet")
        editor.press("12GVj\x1b")
        editor.choose("Remember this", selected=True)
        path = Path(draft_path(editor.shows("write the text here and save")))
        editor.run("StillTrueDraft")
        editor.shows("everything below this line is ignored")
        editor.press("ggOThe greeting is said once\x1b")
        editor.run("w")
        editor.until(lambda: not path.exists(), "the draft is taken")
        citation = project.memory("m4")["citations"][0]
        assert (citation["path"], citation["start_line"], citation["end_line"]) == ("src/client.py", 12, 13)
        editor.quit()


def test_a_changed_line_with_wide_characters_is_shown_and_settled(project: Project) -> None:
    """F11: the lines and actions are right where a column is not a byte."""
    with Vim(project) as editor:
        editor.shows("def greet")
        editor.press("13GA  # soon\x1b")
        editor.shows("m3: The greeting is friendly")
        editor.shows("--    return", "the sign on the line")
        editor.choose("Retract")
        editor.until(lambda: sorted(project.verdicts()) == ["m1", "m2"], "it is retracted")
        editor.shows(lambda text: "m3: " not in text, "the diagnostic goes")
        editor.quit()


def test_no_server_is_left_when_vim_is_quit(project: Project) -> None:
    """The server ends with its client, whatever that says or does not say."""
    with Vim(project) as editor:
        editor.until(project.servers, "the server runs")
        editor.quit()
        editor.until(lambda: not project.servers(), "the server ends")
