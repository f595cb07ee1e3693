"""The servers that are measured side by side, and the buffer each is given."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from stilltrue.model.citation import CitationKind, Span
from stilltrue.services.recording import CitationSpec
from stilltrue.services.remember import Request, remember_many
from stilltrue.services.workspace import Surroundings, Workspace

HERE = Path(__file__).parent
CITATIONS = 50
CITED_LINES = 5
TOKEN = 8


@dataclass(frozen=True)
class Contestant:
    """One server.

    Attributes:
        name: As the table calls it.
        command: How it is started.
        options: Its initialization options.
        cites: It judges citations; an edit toggles a digit inside one, so that every version differs.
        wait: Milliseconds it waits by design, taken off its figures.
    """

    name: str
    command: list[str]
    options: Mapping[str, object] = field(default_factory=dict)
    cites: bool = False
    wait: float = 0.0


def contestants() -> list[Contestant]:
    """Everyone that can be started here; the first is the floor of the ratios."""
    python = sys.executable
    ours = [python, "-m", "stilltrue_lsp"]
    found = [
        Contestant("floor: stock pygls", [python, str(HERE / "floor_pygls.py")]),
        Contestant("floor: our rim", [python, str(HERE / "floor_rim.py")]),
        Contestant("stilltrue", ours, {"settings": {"diagnostics_delay": 0}}, cites=True),
        Contestant("stilltrue, 150 ms pause", ours, cites=True, wait=150.0),
    ]
    ruff = shutil.which("ruff", path=f"{Path(python).parent}{os.pathsep}{os.environ.get('PATH', '')}")
    if ruff:
        found.append(Contestant("ruff server", [ruff, "server"]))
    return found


@dataclass(frozen=True)
class Buffer:
    """A text and the place in it that is edited: eight digits before `column` on `line` (0-based)."""

    text: str
    line: int
    column: int


def python_source(count: int) -> Buffer:
    """`count` lines of Python with an undefined name in the middle, which linters have to report."""
    lines: list[str] = []
    number = 0
    while len(lines) < count:
        lines += [
            f"def function_{number:06d}(alpha, beta, gamma=0, delta=1):  # a signature of usual length",
            f"    value = alpha + beta * {number} + gamma * delta  # arithmetic and some words beside it",
            "    return value  # some words so that the line is as long as usual",
            "",
            "",
        ]
        number += 1
    lines = lines[:count]
    middle = min(count // 2 // 5 * 5 + 3, count - 1)
    lines[middle] = "zz = undefined_00000000"
    return Buffer("\n".join(lines) + "\n", middle, len(lines[middle]))


def workspace_with_citations(folder: Path, buffer: Buffer) -> dict[str, str]:
    """Fifty citations spread over the buffer's file, one around the edited line; the environment to use."""
    database = folder.parent / f"{folder.name}.db"
    environment = {**os.environ, "STILLTRUE_DB": str(database), "XDG_STATE_HOME": str(folder.parent)}
    workspace = Workspace(folder, Surroundings(environment))
    count = buffer.text.count("\n")
    around = buffer.line + 1
    starts = {1 + index * (count - CITED_LINES) // CITATIONS for index in range(CITATIONS)}
    spans = [Span(start, start + CITED_LINES - 1) for start in starts]
    spans = [span for span in spans if not span.start <= around <= span.end][: CITATIONS - 1]
    spans.append(Span(around - 1, around + 1))
    requests = [
        Request(
            text=f"memory {n}", citations=(CitationSpec(kind=CitationKind.SPAN, path="buffer.py", span=span),)
        )
        for n, span in enumerate(spans)
    ]
    for answer in remember_many(workspace, requests):
        if isinstance(answer, Exception):
            raise answer
    workspace.close()
    return environment
