"""A real Vim with ALE on a real terminal, configured as docs/editors.md says."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from support.terminal import ROOT, Project, Terminal, configuration

MISSING = "Vim with ALE is not installed (Debian: vim, vim-ale)"
MENU_END = "Type number and <Enter>"
REDRAW = "\x0c"
NOTHING_YET = "No code actions received"


def is_installed() -> bool:
    """Whether there is a Vim with Debian's ALE."""
    return shutil.which("vim") is not None and Path("/usr/share/vim-ale").is_dir()


class Vim(Terminal):
    """Vim with the cited file open, and nothing of it the user's own."""

    def __init__(self, project: Project) -> None:
        before = (ROOT / "tests/editors/vim/before.vim").read_text("utf-8")
        vimrc = before + configuration("Vim with ALE", "vim")
        (project.home / ".vimrc").write_text(vimrc, "utf-8")
        super().__init__(["vim", "src/client.py"], project.repo.root, project.environment)

    def run(self, command: str) -> None:
        """Type a command of the command line."""
        self.press(f":{command}\r")

    def choose(self, title: str, *, selected: bool = False) -> None:
        """Choose the code action that begins so, in the menu that ALE shows.

        Args:
            title: How the action's title begins.
            selected: Ask for the lines that were selected last, not for the cursor's.
        """
        asked = f"{'gv' if selected else ''}:ALECodeAction\r"
        self.press(asked)
        menu = self.shows(lambda text: MENU_END in text or NOTHING_YET in text, "the menu")
        while NOTHING_YET in menu:
            self.press(REDRAW)
            self.shows(lambda text: NOTHING_YET not in text, "the message goes")
            self.press(asked)
            menu = self.shows(lambda text: MENU_END in text or NOTHING_YET in text, "the menu")
        number = re.search(rf"^(\d+)\) {re.escape(title)}", menu, re.MULTILINE)
        assert number, menu
        self.press(f"{number[1]}\r")

    def quit(self) -> None:
        self.run("qall!")
        self.ended()
