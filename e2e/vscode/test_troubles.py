"""Bad input: each shows one plain message, and the editor goes on. One window, whose settings are mended."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from e2e.vscode.harness.bench import ERRORS, USAGE
from e2e.vscode.harness.code_server import CodeServer, base_python, program_folder
from e2e.vscode.harness.gallery import Gallery
from e2e.vscode.harness.processes import kill
from e2e.vscode.harness.project import Line, Project
from e2e.vscode.harness.scripts import script
from e2e.vscode.harness.window import Window

CRASHES = 5


@dataclass(frozen=True)
class Patient:
    """Somebody whose machine has no Python on PATH."""

    server: CodeServer
    project: Project
    window: Window
    line: Line

    def hears_once(self, *words: str) -> None:
        """One message, with these words in it, is all there is."""
        toast = self.window.toasts.first
        for word in words:
            expect(toast).to_contain_text(word)
        expect(self.window.toasts).to_have_count(1)

    def can_type(self) -> None:
        """The editor goes on."""
        self.window.editor.open(ERRORS)
        self.window.editor.replace_line(self.line.number, self.line.text.replace("2", "3"))

    def gets_a_python(self) -> None:
        """The setting is mended, and the server runs."""
        self.window.dismiss_messages()
        self.window.revert_all()
        self.server.configure(**{"stilltrue.interpreter": str(base_python())})
        self.window.until(self.server.language_servers, "the server runs")
        expect(self.window.status).to_be_visible()

    def is_warned(self) -> None:
        """Memories are watched again."""
        self.can_type()
        expect(self.window.editor.squiggles()).to_have_count(1)
        expect(self.window.status).to_contain_text("1 stale")
        expect(self.window.toasts).to_have_count(0)


@pytest.fixture(scope="module")
def patient(
    browser: Browser, extensions: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Patient]:
    programs = program_folder(tmp_path_factory.mktemp("path") / "bin", "git", "sh")
    missing = str(programs / "python-that-is-missing")
    server = CodeServer(
        browser,
        extensions,
        environment={"PATH": str(programs)},
        settings={"stilltrue.interpreter": missing},
    )
    project = Project.of_click(server.folder / "click", server.environment)
    line = project.line(ERRORS, r"exit_code\b.* = 2$")
    project.remember(USAGE, line.place)
    with server:
        yield Patient(server, project, server.open(project.root, f"{line.place}:1"), line)


def test_f41_an_interpreter_that_is_missing_is_told_once(patient: Patient, gallery: Gallery) -> None:
    patient.hears_once("needs Python 3.11 or newer", "python-that-is-missing")
    gallery.take(patient.window, "no-interpreter")
    patient.window.dismiss_messages()
    patient.can_type()
    expect(patient.window.toasts).to_have_count(0)
    patient.window.revert_all()


def test_f41_no_interpreter_on_path_is_told_once(patient: Patient) -> None:
    patient.server.configure(**{"stilltrue.interpreter": None})
    patient.hears_once("needs Python 3.11 or newer and found none")
    patient.can_type()
    patient.window.dismiss_messages()
    patient.window.revert_all()


def test_f41_an_interpreter_that_is_too_old_is_told_once(patient: Patient) -> None:
    old = script(patient.server.folder / "old-python", "echo 3.8.20")
    patient.server.configure(**{"stilltrue.interpreter": str(old)})
    patient.hears_once("3.8.20 is too old")
    patient.window.dismiss_messages()


def test_f41_a_server_that_crashes_at_start_is_told_once(patient: Patient, gallery: Gallery) -> None:
    broken = script(
        patient.server.folder / "broken-python",
        f'case "$*" in *launch.py*) echo "stilltrue: the disk is on fire" >&2; exit 3;; esac\n'
        f'exec "{base_python()}" "$@"',
    )
    patient.server.configure(**{"stilltrue.interpreter": str(broken)})
    patient.hears_once("did not start", "the disk is on fire")
    gallery.take(patient.window, "crash-at-start")
    patient.can_type()

    patient.gets_a_python()
    patient.is_warned()


def test_f41_five_crashes_in_a_row_are_told_once_and_a_button_starts_anew(
    patient: Patient, gallery: Gallery
) -> None:
    window = patient.window
    patient.gets_a_python()
    seen: set[int] = set()
    for _ in range(CRASHES):
        window.until(lambda: set(patient.server.language_servers()) - seen, "a server runs")
        for process in patient.server.language_servers():
            seen.add(process)
            expect(window.status).to_be_visible()  # it has told its counts
            kill(process)
    patient.hears_once("stopped", "five times")
    gallery.take(window, "five-crashes")
    assert patient.server.language_servers() == []
    window.press_button("five times", "Restart")
    window.until(patient.server.language_servers, "the server runs")
    patient.is_warned()


def test_f41_a_store_that_does_not_open_is_told_once_and_is_left_as_it_is(
    patient: Patient, gallery: Gallery
) -> None:
    store = Path(patient.server.environment["XDG_DATA_HOME"]) / "stilltrue" / "memories.db"
    kept = patient.server.folder / "kept.db"
    window = patient.window
    patient.gets_a_python()
    shutil.move(store, kept)
    for file in store.parent.glob("memories.db-*"):
        file.unlink()
    store.write_bytes(b"this is no database" * 100)
    window.command("StillTrue: Restart Server")
    expect(window.status).to_have_attribute("aria-label", re.compile("damaged"))
    patient.can_type()
    patient.hears_once("damaged", "memories.db")
    gallery.take(window, "no-store")
    assert store.read_bytes() == b"this is no database" * 100
    window.revert_all()

    shutil.move(kept, store)
    window.dismiss_messages()
    window.command("StillTrue: Restart Server")
    patient.is_warned()
