"""Results as text that a person likes to read. Other people's text is shown harmless (F43)."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

import click

from stilltrue.ide.wording import harmless, sentence, shortened
from stilltrue.model.citation import CitationKind, Place
from stilltrue.model.verdict import Freshness, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator

    from stilltrue.cli.context import Context
    from stilltrue.model.citation import Citation
    from stilltrue.services.check import CheckReport
    from stilltrue.services.judging import JudgedCitation, JudgedMemory

DIFF_ROWS = 14
LINE_WIDTH = 160
COLOURS = {"fresh": "green", "stale": "yellow", "unknown": "cyan", "uncited": None}


def report(context: Context, checked: CheckReport) -> Iterator[str]:
    """What `check` found: everything but the fresh ones, then one line of figures."""
    for one in checked.memories:
        if one.verdict.freshness is not Freshness.FRESH or any(map(_is_noteworthy, one.citations)):
            yield from memory(context, one)
            yield ""
    yield _figures(checked)
    for skipped in checked.skipped:
        yield f"not checked: {skipped.count} {skipped.what} ({skipped.why})"


def memory(context: Context, one: JudgedMemory) -> Iterator[str]:
    """One memory: its text, each cited place, what changed, and the commands that would settle it."""
    freshness = one.verdict.freshness
    label = click.style(one.verdict.label, fg=COLOURS[freshness], bold=True)
    yield f"{click.style(one.memory.id, bold=True)}  {label}  {shortened(one.memory.text, LINE_WIDTH)}"
    for each in one.citations:
        yield f"    {place_of(context, each.citation)}  {_said(context, each)}"
        yield from (f"        {row}" for row in _diff(context, each))
    if freshness in {Freshness.STALE, Freshness.UNKNOWN}:
        yield from (f"    $ {command}" for command in _settling(one))


def place_of(context: Context, citation: Citation) -> str:
    """Where a citation points, clickable in terminals: `src/a.py:10-20`, with its short name."""
    if citation.kind is CitationKind.COMMIT:
        place = f"@{citation.commit}" + (f":{citation.path}" if citation.path else "")
    else:
        lines = f":{citation.span.start}-{citation.span.end}" if citation.span else ""
        symbol = f"#{harmless(citation.symbol)}" if citation.symbol else ""
        place = f"{harmless(context.path_from_here(citation.path or ''))}{lines}{symbol}"
    return f"{click.style(citation.id, dim=True)} {place}"


def _said(context: Context, one: JudgedCitation) -> str:
    verdict = one.verdict
    if "commit-only" in verdict.notes:
        return "cites a commit; the git axis is not checked yet"
    text = sentence(verdict)
    recorded = Place(one.citation.path or "", one.citation.span) if one.citation.span else None
    if verdict.verdict is Verdict.STALE and verdict.nearest and verdict.nearest != recorded:
        text += f", now at {_place(context, verdict.nearest)}"
    return text


def _place(context: Context, place: Place) -> str:
    return f"{harmless(context.path_from_here(place.path))}:{place.span.start}-{place.span.end}"


def _diff(context: Context, one: JudgedCitation) -> Iterator[str]:
    baseline, nearest = one.citation.baseline, one.verdict.nearest
    if one.verdict.verdict is not Verdict.STALE or baseline is None or baseline.excerpt is None:
        return
    now = context.workspace.lines_now(nearest) if nearest and not one.verdict.is_broken else b""
    before, after = (_text_rows(data) for data in (baseline.excerpt, now))
    rows = list(difflib.unified_diff(before, after, lineterm="", n=1))[3:]
    for row in rows[:DIFF_ROWS]:
        colour = {"-": "red", "+": "green", "@": "cyan"}.get(row[:1])
        yield click.style(shortened_row(row), fg=colour)
    if len(rows) > DIFF_ROWS:
        yield click.style(f"… {len(rows) - DIFF_ROWS} more lines", dim=True)


def shortened_row(row: str) -> str:
    """One line of code, harmless and not endless."""
    shown = harmless(row).replace("\n", " ")
    return shown if len(shown) <= LINE_WIDTH else shown[:LINE_WIDTH] + "…"


def _text_rows(data: bytes) -> list[str]:
    text = data.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")
    return text.split("\n") if text else []


def _settling(one: JudgedMemory) -> Iterator[str]:
    name = one.memory.id
    stale = [each for each in one.citations if each.verdict.verdict is Verdict.STALE]
    if stale and not any(each.verdict.is_broken for each in stale):
        yield f"stilltrue reverify {name}"
    yield f'stilltrue supersede {name} "…"'
    for each in one.citations:
        for place in each.verdict.candidates[:3]:
            yield f"stilltrue repoint {each.citation.id} {place.path}:{place.span.start}-{place.span.end}"
        if each.verdict.is_broken and not each.verdict.candidates:
            yield f"stilltrue repoint {each.citation.id} PATH:START-END"
    yield f"stilltrue retract {name}"


def _is_noteworthy(one: JudgedCitation) -> bool:
    return one.verdict.verdict is not Verdict.FRESH


def _figures(checked: CheckReport) -> str:
    counts = checked.counts
    total = counts.pop("memories")
    if not total:
        return 'nothing is remembered here yet: stilltrue remember "…" --cite PATH:START-END'
    parts = ", ".join(f"{count} {label}" for label, count in counts.items())
    return f"{total} {'memory' if total == 1 else 'memories'} checked: {parts}"
