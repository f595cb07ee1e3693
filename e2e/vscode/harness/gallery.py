"""Screenshots of what the tests see; some of them are shown in the extension's gallery."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

from e2e.vscode.harness.window import Window

SHOWN = frozenset({"squiggle", "quickfix", "memories", "diff", "hover"})


@dataclass(frozen=True)
class Gallery:
    """Where screenshots go.

    Attributes:
        folder: All of them.
        images: Those that the extension's page shows; None where they are to stay as they are.
    """

    folder: Path
    images: Path | None

    def take(self, window: Window, name: str) -> None:
        """Save what a window shows, by name."""
        file = self.folder / f"{name}.png"
        window.shot(file)
        if self.images and name in SHOWN:
            self.images.mkdir(exist_ok=True)
            shutil.copyfile(file, self.images / file.name)
