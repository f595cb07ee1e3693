"""The text every server is given, the places cited in it, and the edits made to it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from enum import Enum, auto
from pathlib import Path
from typing import Any

from stilltrue.model.citation import CitationKind, Span
from stilltrue.services.recording import CitationSpec
from stilltrue.services.remember import Request, remember_many
from stilltrue.services.workspace import Surroundings, Workspace

CITATIONS = 50
FUNCTION_LINES = 5
DIGITS = 8
NAME = "buffer.py"


class Edits(Enum):
    """What is typed. Each version but those of `OUTSIDE` is due other diagnostics than the one before.

    Attributes:
        COUNT: A number that grows, in a name that is not defined.
        TOGGLE: That number inside a cited span: changed, then as it was cited, and again.
        SHIFT: An empty line comes and goes above half of the citations.
        OUTSIDE: A number that grows, on a line that nothing cites.
    """

    COUNT = auto()
    TOGGLE = auto()
    SHIFT = auto()
    OUTSIDE = auto()


@dataclass(frozen=True)
class Buffer:
    """A text of functions, fifty of them cited. Lines are 0-based.

    Attributes:
        lines: The text.
        cited: The first lines of the cited functions.
        middle: The first line of the cited function that is edited; half of the citations are above it.
    """

    lines: tuple[str, ...]
    cited: tuple[int, ...]
    middle: int

    @property
    def text(self) -> str:
        """The text as it is cited."""
        return "\n".join(self.lines) + "\n"

    @property
    def text_all_stale(self) -> str:
        """The text with one line changed in each cited function but the one that is edited."""
        changed = {first + 1 for first in self.cited if first != self.middle}
        return "\n".join(f"{row}!" if n in changed else row for n, row in enumerate(self.lines)) + "\n"

    @property
    def hover_position(self) -> dict[str, int]:
        """Inside the citation that is edited."""
        return {"line": self.middle + 1, "character": 8}

    def change(self, kind: Edits, version: int) -> dict[str, Any]:
        """The change that leads to a version, as the protocol has it."""
        if kind is Edits.SHIFT:
            above = self.middle - 1
            return _replacing(above, 0, above + version % 2, 0, "\n" if version % 2 == 0 else "")
        line = self.middle + 2 + (FUNCTION_LINES if kind is Edits.OUTSIDE else 0)
        number = 0 if kind is Edits.TOGGLE and version % 2 else version
        end = len(self.lines[line])
        return _replacing(line, end - DIGITS, line, end, f"{number:0{DIGITS}d}")


def python_source(count: int) -> Buffer:
    """`count` lines of Python; the name that is not defined stands in the middle, in a cited function."""
    lines: list[str] = []
    for number in range(count // FUNCTION_LINES):
        lines += [
            f"def function_{number:06d}(alpha, beta, gamma=0, delta=1):  # a signature of usual length",
            f"    value = alpha + beta * {number} + gamma * delta  # arithmetic and some words beside it",
            "    return value  # some words so that the line is as long as usual 00000000",
            "",
            "",
        ]
    step = len(lines) // FUNCTION_LINES // CITATIONS * FUNCTION_LINES
    cited = tuple(range(0, step * CITATIONS, step))
    middle = cited[CITATIONS // 2]
    lines[middle + 2] = "    return undefined_00000000"
    return Buffer(tuple(lines), cited, middle)


def record(folder: Path, buffer: Buffer, *, all_stale: bool) -> dict[str, str]:
    """Write the buffer's file, cite it fifty times, and change it if asked to; the environment to use."""
    environment = {
        **os.environ,
        "STILLTRUE_DB": str(folder.parent / f"{folder.name}.db"),
        "XDG_STATE_HOME": str(folder.parent),
    }
    file = folder / NAME
    file.write_text(buffer.text)
    workspace = Workspace(folder, Surroundings(environment))
    requests = [
        Request(
            text=f"What the function at line {first + 1} returns is what the caller adds up.",
            citations=(CitationSpec(kind=CitationKind.SPAN, path=NAME, span=Span(first + 1, first + 3)),),
        )
        for first in buffer.cited
    ]
    for answer in remember_many(workspace, requests):
        if isinstance(answer, Exception):
            raise answer
    workspace.close()
    if all_stale:
        file.write_text(buffer.text_all_stale)
    return environment


def _replacing(line: int, column: int, end_line: int, end_column: int, text: str) -> dict[str, Any]:
    start = {"line": line, "character": column}
    return {"range": {"start": start, "end": {"line": end_line, "character": end_column}}, "text": text}
