"""A snapshot to the marks that stand at cited lines, whatever an editor calls them."""

from __future__ import annotations

from dataclasses import dataclass

from stilltrue.ide.diagnostics import code_of
from stilltrue.ide.snapshot import Cited, Snapshot
from stilltrue.ide.wording import harmless, seen_sentence, shortened

PER_LINE = 3
TITLE_LIMIT = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """One mark.

    Attributes:
        line: Where it stands, 1-based.
        title: What is read at a glance.
        tooltip: The memory in full, and what was seen of its lines.
        cited: What it is about.
    """

    line: int
    title: str
    tooltip: str
    cited: Cited


def marks(snapshot: Snapshot) -> list[Mark]:
    """One mark a citation, by line; a line that many memories cite gets `PER_LINE` of them."""
    found: list[Mark] = []
    at_line: dict[int, int] = {}
    for each in snapshot.cited:
        line = each.lines.start
        at_line[line] = at_line.get(line, 0) + 1
        if at_line[line] <= PER_LINE:
            found.append(_mark(each, line))
    return found


def _mark(cited: Cited, line: int) -> Mark:
    code = code_of(cited)
    state = f" ({code.replace('-', ', ')})" if code else ""
    return Mark(
        line=line,
        title=f"{cited.memory.id}{state}: {_without_icons(shortened(cited.memory.text, TITLE_LIMIT))}",
        tooltip=f"{harmless(cited.memory.text)}\n\n{seen_sentence(cited.citation, cited.verdict, cited.pin)}",
        cited=cited,
    )


def _without_icons(text: str) -> str:
    """Other people's text as a title in which no editor finds an icon's name, such as `$(error)` (F43)."""
    return text.replace("$(", "$ (")
