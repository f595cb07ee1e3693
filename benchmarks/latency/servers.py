"""The servers that are measured side by side."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from buffers import Edits

HERE = Path(__file__).parent
FLOOR = "floor: stock pygls"
RUFF = "ruff server"
OURS = "stilltrue"
OURS_PAUSING = "stilltrue, default pause"
PAUSE_MS = 150.0


@dataclass(frozen=True)
class Contestant:
    """One server and what is done to it.

    Attributes:
        name: As the table calls it.
        command: How it is started.
        options: Its initialization options.
        edits: What is typed.
        cites: The buffer's file is cited fifty times.
        all_stale: Every citation but the edited one is stale from the start.
        pause_ms: How long it holds additions back by design.
    """

    name: str
    command: tuple[str, ...]
    options: Mapping[str, object] = field(default_factory=dict)
    edits: Edits = Edits.COUNT
    cites: bool = False
    all_stale: bool = False
    pause_ms: float = 0.0


def contestants() -> list[Contestant]:
    """Everyone that can be started here."""
    python = sys.executable
    found = [
        Contestant(FLOOR, (python, str(HERE / "floor_pygls.py"))),
        Contestant("floor: our rim", (python, str(HERE / "floor_rim.py"))),
        Contestant("floor: no framework", (python, str(HERE / "floor_raw.py"))),
        _ours(OURS, Edits.TOGGLE),
        _ours("stilltrue, 49 others stale", Edits.TOGGLE, all_stale=True),
        _ours("stilltrue, 25 ranges shift", Edits.SHIFT, all_stale=True),
        _ours("stilltrue, outside of all", Edits.OUTSIDE),
        _ours(OURS_PAUSING, Edits.TOGGLE, pauses=True),
    ]
    path = f"{Path(python).parent}{os.pathsep}{os.environ.get('PATH', '')}"
    if ruff := shutil.which("ruff", path=path):
        found.append(Contestant(RUFF, (ruff, "server")))
    else:
        print("ruff server: skipped, there is no ruff on the PATH")
    return found


def _ours(name: str, edits: Edits, *, all_stale: bool = False, pauses: bool = False) -> Contestant:
    return Contestant(
        name,
        (sys.executable, "-m", "stilltrue_lsp"),
        {} if pauses else {"settings": {"diagnostics_delay": 0}},
        edits,
        cites=True,
        all_stale=all_stale,
        pause_ms=PAUSE_MS if pauses else 0.0,
    )
