"""What most tests work with: click's source with five memories, open in one window."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from playwright.sync_api import expect

from e2e.vscode.harness.code_server import CodeServer
from e2e.vscode.harness.project import Line, Project
from e2e.vscode.harness.window import Window

ERRORS = "src/click/exceptions.py"
FORMATTING = "src/click/formatting.py"
GLOBALS = "src/click/globals.py"

USAGE = "Usage errors exit with code 2"
OWN = "Click's own errors exit with code 1"
WRAP = "Text is wrapped at 78 characters"
THREAD = "Each thread has a context of its own"
HOSTILE = (
    "<b>fat</b> <img src=x onerror=alert(1)> **strong** [press me](command:workbench.action.closeWindow)"
)

CITED = {
    USAGE: (ERRORS, r"exit_code\b.* = 2$"),
    OWN: (ERRORS, r"exit_code\b.* = 1$"),
    WRAP: (FORMATTING, r"width: int = 78"),
    HOSTILE: (FORMATTING, r"^FORCED_WIDTH"),
    THREAD: (GLOBALS, r"^_local = local\(\)"),
}


@dataclass(frozen=True)
class Bench:
    """A code-server, a repository with memories, a window on it.

    Attributes:
        cited: The line that each of the memories was recorded about, by the memory's text.
    """

    server: CodeServer
    project: Project
    window: Window
    cited: dict[str, Line]

    def visit(self, memory: str) -> Line:
        """Open the file that a memory cites, as it is on disk, at the cited line."""
        line = self.cited[memory]
        self.window.editor.open(line.path)
        self.window.editor.go_to(line.number)
        return line

    def edit(self, memory: str, old: str, new: str) -> Line:
        """Change the cited line without saving; the line as it was. Its squiggle and its lens have come."""
        line = self.visit(memory)
        assert old in line.text
        self.window.editor.replace_line(line.number, line.text.replace(old, new))
        expect(self.window.editor.squiggles()).to_have_count(1)
        expect(self.window.editor.lenses.filter(has_text="(stale)")).to_have_count(1)
        return line

    def live(self, text: str) -> dict[str, Any]:
        """A live memory as the command line lists it, judged on disk; empty where there is none."""
        memories: list[dict[str, Any]] = self.project.ask("list")["memories"]
        return next((each for each in memories if each["text"] == text), {})

    def generation(self, text: str) -> int:
        """How often the citation of a memory was taken anew, as the command line tells."""
        told: list[dict[str, Any]] = self.project.ask("why", self.live(text)["id"])["generations"]
        return len(told)

    def reset(self) -> None:
        """Close what is open: editors without saving, panel, messages, menus."""
        window = self.window
        window.page.keyboard.press("Escape")
        window.dismiss_messages()
        window.revert_all()
        window.hide_panel()
        expect(window.status).not_to_contain_text("stale")
