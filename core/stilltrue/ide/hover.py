"""A snapshot and a line to the text of a hover (F35, F43)."""

from __future__ import annotations

import difflib
from collections.abc import Callable

from stilltrue.ide.snapshot import Cited, Snapshot
from stilltrue.ide.wording import (
    fenced,
    markdown_escaped,
    pin_sentence,
    place_text,
    seen_sentence,
    snooze_text,
)
from stilltrue.model.citation import Place, Span
from stilltrue.model.pin import STALE
from stilltrue.model.verdict import Verdict

DIFF_LIMIT = 40
MEMORY_LIMIT = 10


def hover(snapshot: Snapshot, line: int, text_of: Callable[[Span], str]) -> tuple[str, Span] | None:
    """Markdown about the memories that stand on `line` (1-based) and the lines it is about.

    Args:
        snapshot: The file as it is shown.
        line: Where the reader points.
        text_of: The present text of some lines.
    """
    found = snapshot.touching(line, line)
    if not found:
        return None
    parts = [_about(each, text_of) for each in found[:MEMORY_LIMIT]]
    if len(found) > MEMORY_LIMIT:
        parts.append(f"… and {len(found) - MEMORY_LIMIT} more memories")
    return "\n\n---\n\n".join(parts), found[0].lines


def change_diff(cited: Cited, now: str) -> str:
    """A unified diff from the text as cited to the text `now`; empty where nothing can be told."""
    baseline = cited.citation.baseline
    if baseline is None or baseline.excerpt is None:
        return ""
    before = baseline.excerpt.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")
    after = now.replace("\r\n", "\n").replace("\r", "\n")
    rows = difflib.unified_diff(before.split("\n"), after.split("\n"), "as cited", "now", lineterm="", n=2)
    return "\n".join(rows)


def _about(cited: Cited, text_of: Callable[[Span], str]) -> str:
    memory, citation = cited.memory, cited.citation
    place = f" · {place_text(Place(citation.path or '', citation.span))}" if citation.span else ""
    seen = seen_sentence(citation, cited.verdict, cited.pin)
    head = f"**{memory.id}** · {_state(cited)} — {markdown_escaped(seen)}"
    if cited.provisional:
        head += " · re-verified, kept when you save"
    if cited.snoozed:
        head += f" · snoozed {snooze_text(cited.snoozed)}"
    recorded = f"recorded {citation.recorded_at[:10]} by {citation.actor}, generation {citation.generation}"
    parts = [
        head,
        markdown_escaped(memory.text),
        f"*{markdown_escaped(citation.id + place)}*  ",
        markdown_escaped(recorded),
    ]
    if cited.pin and citation.rests_on_commit:
        parts.append(f"*{markdown_escaped(cited.pin.age_text)}*")
    elif cited.pin and cited.pin.state == STALE:
        told = f"{pin_sentence(citation, cited.pin)}, {cited.pin.age_text}"
        parts.append(f"*{markdown_escaped(told)}*")
    if cited.verdict.verdict is Verdict.STALE and cited.span:
        diff = change_diff(cited, text_of(cited.span))
        if diff:
            parts.append(fenced("\n".join(diff.split("\n")[2 : DIFF_LIMIT + 2]), "diff"))
    return "\n\n".join(parts)


def _state(cited: Cited) -> str:
    """One word for it: git's where it rests on a commit, else that of its lines."""
    if cited.pin and cited.citation.rests_on_commit and cited.verdict.verdict is Verdict.FRESH:
        return cited.pin.state
    return cited.verdict.verdict
