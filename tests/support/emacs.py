"""A real Emacs with Eglot on a real terminal, configured as docs/editors.md says."""

from __future__ import annotations

import shutil
from pathlib import Path

from support.terminal import ROOT, Project, Terminal, configuration

MISSING = "Emacs 28 with Eglot is not installed (Debian: emacs-nox, elpa-eglot)"
HEADING = "Emacs with Eglot"
DRAFTS_HEADING = "Drafts that open by themselves"
MENU, NOTHING_YET = "Pick an action", "No code actions here"
META, DELETE, MARK, QUIT = "\x1b", "\x7f", "\x00", "\x07"


def is_installed() -> bool:
    """Whether there is an Emacs with Debian's Eglot."""
    folder = Path("/usr/share/emacs/site-lisp/elpa")
    return shutil.which("emacs") is not None and any(folder.glob("eglot-*"))


class Emacs(Terminal):
    """Emacs with the cited file open, and nothing of it the user's own."""

    def __init__(self, project: Project, *headings: str) -> None:
        folder = project.home / ".emacs.d"
        folder.mkdir()
        shutil.copy(ROOT / "tests/editors/emacs/early-init.el", folder)
        chosen = (HEADING, *headings)
        (folder / "init.el").write_text("\n".join(configuration(each, "elisp") for each in chosen), "utf-8")
        super().__init__(["emacs", "-nw", "src/client.py"], project.repo.root, project.environment)

    def run(self, command: str) -> None:
        """Run a command by its name."""
        self.press(f"{META}x{command}\r")

    def go_to(self, line: int) -> None:
        """Put the cursor at the start of a line (1-based)."""
        self.press(f"{META}g{META}g{line}\r")

    def connected(self) -> None:
        """Wait until Eglot manages the buffer."""
        self.shows("[eglot:repo", "Eglot in the mode line")

    def choose(self, title: str) -> None:
        """Choose the code action that begins with these letters, in the menu of the minibuffer."""
        self.run("eglot-code-actions")
        seen = self.shows(lambda text: MENU in text or NOTHING_YET in text, "the menu of actions")
        while MENU not in seen:
            self.press(QUIT)
            self.shows(lambda text: NOTHING_YET not in text, "the message goes")
            self.run("eglot-code-actions")
            seen = self.shows(lambda text: MENU in text or NOTHING_YET in text, "the menu of actions")
        self.press(title)
        self.shows(f"): {title}", "what was typed")
        self.press("\r")

    def visit(self, path: Path) -> None:
        """Open a file by its path."""
        self.press("\x18\x06")
        self.shows("Find file:")
        self.press(f"{path}\r")
        self.shows(path.name)

    def save(self) -> None:
        self.press("\x18\x13")

    def quit(self) -> None:
        """Leave, throwing away what was not saved."""
        self.run("kill-emacs")
        self.ended()
