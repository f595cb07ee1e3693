"""Emacs with Eglot, as its screen shows it: stale memories come up and are settled (F17, F26, F27)."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.emacs import DELETE, DRAFTS_HEADING, MARK, MISSING, Emacs, is_installed
from support.terminal import Project, draft_path

pytestmark = [
    pytest.mark.skipif(not is_installed(), reason=MISSING),
    pytest.mark.xdist_group("emacs"),
    # a terminal is made by a fork, of which Python 3.12 and newer warn beside the threads of pytest-xdist
    pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning"),
]

ONE_WARNING = "Flymake[0 1]"
NOTHING = "Flymake[0 0]"
INTO_SCISSORS = "everything below this line is ignored"
TO_LINE_END, BACK, KILL_LINE, TO_TOP = "\x05", "\x02", "\x0b", "\x1b<"


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project.made_in(tmp_path)


def change_the_range(editor: Emacs) -> None:
    editor.connected()
    editor.go_to(5)
    editor.press(f"{TO_LINE_END}{BACK}{BACK}{DELETE}7")
    editor.shows("range(7)")


def test_an_unsaved_edit_is_seen_and_reverified_and_kept_on_save(project: Project) -> None:
    """F6, F26, F32: Flymake tells while the file on disk is as it was; the save stores the re-verify."""
    with Emacs(project) as editor:
        change_the_range(editor)
        editor.shows(ONE_WARNING)
        editor.run("flymake-goto-prev-error")
        editor.shows("m1: Retries stop after 5 attempts")
        assert "range(5)" in project.file.read_text("utf-8")

        editor.choose("Still")
        editor.shows("kept when you save")
        editor.shows(NOTHING)
        editor.save()
        editor.until(lambda: "range(7)" in project.file.read_text("utf-8"), "the file is saved")
        editor.until(
            lambda: project.verdicts() == {"m1": "fresh", "m2": "fresh", "m3": "fresh"}, "it is kept"
        )
        editor.quit()


def test_a_reverify_is_kept_by_the_last_thing_a_person_types(project: Project) -> None:
    """F32: Eglot says no `shutdown`; Emacs saves and ends the server by a signal, all at once."""
    with Emacs(project) as editor:
        change_the_range(editor)
        editor.shows(ONE_WARNING)
        editor.choose("Still")
        editor.shows("kept when you save")
        editor.save()
        editor.press("\x18\x03")
        editor.ended()
        editor.until(lambda: not project.servers(), "the server ends")
    assert project.verdicts() == {"m1": "fresh", "m2": "fresh", "m3": "fresh"}


def test_supersede_through_a_draft_whose_path_is_told(project: Project) -> None:
    """F27, F28: Eglot 1.9 shows no documents, so the message names the draft; visit it, a text, a save."""
    with Emacs(project) as editor:
        change_the_range(editor)
        editor.shows(ONE_WARNING)
        editor.choose("Supersede")
        path = Path(draft_path(editor.shows("write the text here and save")))
        assert path.is_file()

        editor.visit(path)
        editor.shows(INTO_SCISSORS)
        editor.press(f"{TO_TOP}{KILL_LINE}Retries stop after 7 attempts")
        editor.save()
        editor.until(lambda: not path.exists(), "the draft is taken")
        new = project.memory("m4")
        assert new["text"] == "Retries stop after 7 attempts"
        assert new["supersedes"] == project.memory("m1")["uid"]
        assert sorted(project.verdicts()) == ["m2", "m3", "m4"]
        editor.quit()


def test_supersede_through_a_draft_that_opens_by_itself(project: Project) -> None:
    """F27, F28: with the few lines that teach Eglot to show documents, the draft opens in a window."""
    with Emacs(project, DRAFTS_HEADING) as editor:
        change_the_range(editor)
        editor.shows(ONE_WARNING)
        editor.choose("Supersede")
        editor.shows(INTO_SCISSORS)
        editor.press(f"{TO_TOP}{KILL_LINE}Retries stop after 7 attempts")
        editor.save()
        editor.until(lambda: "m4" in project.verdicts(), "the successor is stored")
        assert project.memory("m4")["text"] == "Retries stop after 7 attempts"
        editor.quit()


def test_columns_of_a_line_with_wide_characters(project: Project) -> None:
    """F11: what Flymake marks ends where the line ends, whatever the unit of columns."""
    with Emacs(project) as editor:
        editor.connected()
        editor.go_to(13)
        editor.press(f"{TO_LINE_END} + soon")
        editor.shows(ONE_WARNING)
        editor.press(
            '\x1b:(cons "marked" (buffer-substring (flymake-diagnostic-beg (car (flymake-diagnostics)))'
        )
        editor.press(" (flymake-diagnostic-end (car (flymake-diagnostics)))))\r")
        editor.shows("""("marked" . #("return '😀é漢 hello' + soon\"""")
        editor.quit()


def test_remember_the_selected_lines(project: Project) -> None:
    """F33: the region, an action, a draft, a save."""
    with Emacs(project) as editor:
        editor.connected()
        editor.go_to(12)
        editor.press(f"{MARK}\x0e{TO_LINE_END}")
        editor.choose("Remember")
        path = Path(draft_path(editor.shows("write the text here and save")))
        editor.visit(path)
        editor.shows(INTO_SCISSORS)
        editor.press(f"{TO_TOP}The greeting is said once")
        editor.save()
        editor.until(lambda: not path.exists(), "the draft is taken")
        citation = project.memory("m4")["citations"][0]
        assert (citation["path"], citation["start_line"], citation["end_line"]) == ("src/client.py", 12, 13)
        editor.quit()


def test_no_server_is_left_when_emacs_is_quit(project: Project) -> None:
    """The server ends with its client, whatever that says or does not say."""
    with Emacs(project) as editor:
        editor.connected()
        assert project.servers()
        editor.press("\x18\x03")
        editor.ended()
        editor.until(lambda: not project.servers(), "the server ends")
