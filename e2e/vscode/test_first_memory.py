"""A folder without memories costs nothing; the first one wakes StillTrue; a closed window leaves nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from e2e.vscode.harness.bench import ERRORS, USAGE
from e2e.vscode.harness.code_server import CodeServer, base_python
from e2e.vscode.harness.gallery import Gallery
from e2e.vscode.harness.project import Project
from e2e.vscode.harness.scripts import script
from e2e.vscode.harness.window import Window
from support.waiting import until


@dataclass(frozen=True)
class Newcomer:
    """Somebody who opened a folder that is not trusted, has no memories, and names a program to run.

    Attributes:
        betrayed: A file that is there once that program ran.
    """

    server: CodeServer
    project: Project
    window: Window
    betrayed: Path

    @property
    def store(self) -> Path:
        return Path(self.server.environment["XDG_DATA_HOME"]) / "stilltrue" / "memories.db"


@pytest.fixture(scope="module")
def newcomer(browser: Browser, extensions: Path) -> Iterator[Newcomer]:
    server = CodeServer(browser, extensions, trust=False)
    project = Project.of_click(server.folder / "click", server.environment)
    betrayed = server.folder / "betrayed"
    program = script(project.root / "python", f'touch "{betrayed}"; exec "{base_python()}" "$@"')
    settings = {"stilltrue.interpreter": str(program), "stilltrue.path": str(program)}
    (project.root / ".vscode").mkdir()
    (project.root / ".vscode/settings.json").write_text(json.dumps(settings), "utf-8")
    with server:
        line = project.line(ERRORS, r"exit_code\b.* = 2$")
        yield Newcomer(server, project, server.open(project.root, f"{line.place}:1"), betrayed)


def test_f41_a_folder_without_memories_costs_nothing(newcomer: Newcomer, gallery: Gallery) -> None:
    window = newcomer.window
    window.until(lambda: "no memories yet" in newcomer.server.channel("StillTrue"), "the extension looked")
    line = newcomer.project.line(ERRORS, r"exit_code\b.* = 2$")
    window.editor.replace_line(line.number, "exit_code = 3")
    expect(window.editor.squiggles()).to_have_count(0)
    expect(window.toasts).to_have_count(0)
    expect(window.status).to_have_count(0)
    assert newcomer.server.language_servers() == []
    assert not newcomer.store.exists()
    window.show_memories()
    welcome = window.page.locator(".sidebar .welcome-view-content")
    for taught in ("Remember This Selection", "Import from AGENTS.md", "Install the Command Line"):
        expect(welcome).to_contain_text(taught)
    gallery.take(window, "empty")
    window.revert_all()
    assert newcomer.server.language_servers() == []
    assert not newcomer.store.exists()


def test_f41_a_first_memory_from_a_terminal_wakes_it_and_no_program_of_the_folder_runs(
    newcomer: Newcomer, gallery: Gallery
) -> None:
    """F41: in a folder that is not trusted, its settings choose no program."""
    window = newcomer.window
    line = newcomer.project.line(ERRORS, r"exit_code\b.* = 2$")
    newcomer.project.remember(USAGE, line.place)
    window.until(newcomer.server.language_servers, "the server starts")
    expect(window.status).to_be_visible()
    window.editor.open(ERRORS)
    window.editor.replace_line(line.number, line.text.replace("2", "3"))
    expect(window.editor.squiggles()).to_have_count(1)
    expect(window.status).to_contain_text("1 stale")
    expect(window.memories.filter(has_text="Stale")).to_have_count(1)
    expect(window.toasts).to_have_count(0)
    gallery.take(window, "untrusted")
    assert not newcomer.betrayed.exists()
    window.revert_all()


def test_f41_a_closed_window_leaves_no_process(newcomer: Newcomer) -> None:
    server = newcomer.server
    (language_server,) = server.language_servers()
    assert len(server.extension_hosts()) == 1
    newcomer.window.close()
    until(lambda: not server.extension_hosts(), "the window's extension host ends")
    until(lambda: language_server not in server.processes(), "its language server ends")
    assert [command for command in server.processes().values() if "code-server" not in command] == []
