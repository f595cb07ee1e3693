"""A memory as a page to read: its text, what it cites, and how it came to be. Writes nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from stilltrue.ide.wording import harmless, place_text, shortened
from stilltrue.model.citation import Place, Span
from stilltrue.model.memory import Memory
from stilltrue.services.history import history_text, show
from stilltrue.services.kept_pins import kept_for
from stilltrue.services.memory_rows import row_of
from stilltrue.services.workspace import Workspace


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A memory as a page to read.

    Attributes:
        memory: What it is about.
        title: One line.
        text: Markdown that clients may show as it is.
        places: Where the cited lines stand, by the page's line (1-based) that names them.
    """

    memory: Memory
    title: str
    text: str
    places: Mapping[int, Place]


def page_of(workspace: Workspace, reference: str) -> Page:
    """A memory with its citations as they are on disk, and its history.

    Raises:
        NotFoundError: Nothing has that name.
    """
    judged, _ = show(workspace, reference)
    pins = kept_for(workspace, [judged])
    row, memory = row_of(judged, {}, pins=pins), judged.memory
    title = f"{memory.id}: {shortened(memory.text)}"
    lines = [f"# {title}", "", *harmless(memory.text).split("\n"), "", f"## Cited: {row.label}", ""]
    places: dict[int, Place] = {}
    for each in row.citations:
        path = each.citation.path
        if path is None:
            lines.append(f"- commit {each.citation.commit} — {each.seen}")
            continue
        place = Place(path, each.span or Span(1, 1))
        lines.append(f"- {place_text(place) if each.span else harmless(path)} — {each.seen}")
        places[len(lines)] = place
    lines += ["", "## History", "", *history_text(workspace, memory.uid).rstrip("\n").split("\n")]
    return Page(memory=memory, title=title, text="\n".join(lines) + "\n", places=places)
