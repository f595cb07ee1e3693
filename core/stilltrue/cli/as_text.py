"""Results as text that a person likes to read. Other people's text is shown harmless (F43)."""

from __future__ import annotations

import shlex
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from stilltrue.ide.wording import TEXT_LIMIT, harmless, place_text, sentence, shortened
from stilltrue.model.citation import CitationKind, Place, Span
from stilltrue.model.healing import HealKind
from stilltrue.model.verdict import CitationVerdict, Freshness, Verdict
from stilltrue.services.kept_pins import label_with_pins, pin_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from stilltrue.cli.context import Context
    from stilltrue.model.citation import Citation
    from stilltrue.model.memory import Memory
    from stilltrue.model.pin import KeptPin
    from stilltrue.services.check import CheckReport
    from stilltrue.services.judging import JudgedCitation, JudgedMemory
    from stilltrue.services.lowering import Healed
    from stilltrue.services.warm import Summary

DIFF_ROWS = 14
LINE_WIDTH = 160
COLOURS = {"fresh": "green", "stale": "yellow", "unknown": "cyan", "uncited": None}
PIN_COLOURS = {"current": "green", "stale/commit": "yellow", "unverifiable": "magenta"}


def report(context: Context, checked: CheckReport | Summary, *, summary: bool) -> Iterator[str]:
    """What `check` found: everything but the fresh ones, then the figures, or those alone."""
    for one in () if summary else checked.memories:
        if one.verdict.freshness is not Freshness.FRESH or any(map(_is_noteworthy, one.citations)):
            yield from memory(context, one)
            yield ""
    yield _figures(checked)
    for skipped in checked.skipped:
        yield f"not checked: {counted(skipped.count, skipped.what)} ({skipped.why})"


def memory(
    context: Context, one: JudgedMemory, kept: Mapping[str, KeptPin] | None = None, *, ended: bool = False
) -> Iterator[str]:
    """One memory: its text, each cited place, what changed, and the commands that would settle it.

    One that has ended is not settled any more. `kept` is what git last said of its pins.
    """
    freshness = one.verdict.freshness
    label = label_of(one, kept, bold=True)
    yield f"{click.style(one.memory.id, bold=True)}  {label}  {text_of(one.memory, LINE_WIDTH)}"
    for each in one.citations:
        yield f"    {place_of(context, each.citation, kept)}  {_said(context, each, kept)}"
        yield from (f"        {row}" for row in _diff(context, each))
    if freshness in {Freshness.STALE, Freshness.UNKNOWN} and not ended:
        yield from (f"    $ {command}" for command in _settling(context, one))


def text_of(memory: Memory, limit: int = TEXT_LIMIT) -> str:
    """A memory's text on one line."""
    return "(redacted)" if memory.redacted else shortened(memory.text, limit)


def label_of(
    one: JudgedMemory, kept: Mapping[str, KeptPin] | None = None, *, bold: bool = False, width: int = 0
) -> str:
    """A memory's verdict on both axes, in its colour."""
    label = label_with_pins(one, kept or {})
    colour = COLOURS[one.verdict.freshness] if label == one.verdict.label else PIN_COLOURS[label]
    return click.style(f"{label:<{width}}", fg=colour, bold=bold)


def place_of(context: Context, citation: Citation, kept: Mapping[str, KeptPin] | None = None) -> str:
    """Where a citation points, clickable in terminals: `src/a.py:10-20`, with its short name.

    Where a commit decides it is shown as a pin, with what git last said of it (A23).
    """
    if citation.commit and citation.rests_on_commit:
        said = (kept or {}).get(citation.uid)
        place = harmless(pin_text(citation.path, citation.commit, said.state if said else None))
    else:
        symbol = f"#{harmless(citation.symbol)}" if citation.symbol else ""
        place = _written(context, citation.path or "", citation.span) + symbol
    return f"{click.style(citation.id, dim=True)} {place}"


def moved_to(context: Context, one: JudgedCitation) -> str:
    """Where the cited lines stand now, if that is another place: `  now at src/a.py:12-14`; else nothing."""
    new = one.verdict.new
    return f"  now at {_written(context, new.path, new.span)}" if new else ""


def _said(context: Context, one: JudgedCitation, kept: Mapping[str, KeptPin] | None) -> str:
    verdict = one.verdict
    if "commit-only" in verdict.notes:
        said = (kept or {}).get(one.citation.uid)
        return said.age_text if said else "cites a commit: `stilltrue pins` asks git about it"
    text = harmless(sentence(_seen_from_here(context, verdict)))
    recorded = Place(one.citation.path or "", one.citation.span) if one.citation.span else None
    if verdict.verdict is Verdict.STALE and verdict.nearest and verdict.nearest != recorded:
        text += f", now at {_written(context, verdict.nearest.path, verdict.nearest.span)}"
    return text


def _seen_from_here(context: Context, verdict: CitationVerdict) -> CitationVerdict:
    """The verdict with its places as paths that a terminal opens from the current folder."""

    def here(place: Place) -> Place:
        return Place(context.path_from_here(place.path), place.span)

    new = here(verdict.new) if verdict.new else None
    return replace(verdict, new=new, candidates=tuple(map(here, verdict.candidates)))


def _written(context: Context, path: str, span: Span | None) -> str:
    here = context.path_from_here(path)
    return harmless(place_text(Place(here, span)) if span else here)


def _diff(context: Context, one: JudgedCitation) -> Iterator[str]:
    baseline, nearest = one.citation.baseline, one.verdict.nearest
    if one.verdict.verdict is not Verdict.STALE or baseline is None or baseline.excerpt is None:
        return
    now = context.workspace.lines_now(nearest) if nearest and not one.verdict.is_broken else b""
    before, after = (_text_rows(data) for data in (baseline.excerpt, now))
    import difflib  # noqa: PLC0415 - for what is stale alone

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


def _settling(context: Context, one: JudgedMemory) -> Iterator[str]:
    name = one.memory.id
    stale = [each for each in one.citations if each.verdict.verdict is Verdict.STALE]
    if stale and not any(each.verdict.is_broken for each in stale):
        yield f"stilltrue reverify {name}"
    yield f'stilltrue supersede {name} "…"'
    for each in one.citations:
        for place in each.verdict.candidates[:3]:
            span = None if each.citation.kind is CitationKind.FILE else place.span
            where = shlex.quote(_written(context, place.path, span))
            yield f"stilltrue repoint {each.citation.id} {where}"
        if each.verdict.is_broken and not each.verdict.candidates:
            yield f"stilltrue repoint {each.citation.id} PATH:START-END"
    yield f"stilltrue retract {name}"


def _is_noteworthy(one: JudgedCitation) -> bool:
    return one.verdict.verdict is not Verdict.FRESH


def _figures(checked: CheckReport | Summary) -> str:
    counts = dict(checked.counts)
    total = counts.pop("memories")
    if not total and checked.is_silenced:
        return "nothing to check: all of it is snoozed or ignored"
    if not total and (checked.narrowed or checked.skipped):
        return "nothing to check: no memory cites " + ("these paths" if checked.narrowed else "any code")
    if not total:
        return 'nothing is remembered here yet: stilltrue remember "…" --cite PATH:START-END'
    parts = ", ".join(f"{count} {label}" for label, count in counts.items())
    return f"{counted(total, 'memories')} checked: {parts}"


def counted(count: int, what: str) -> str:
    """`1 memory`, `2 memories`."""
    one = {"memories": "memory", "citations": "citation", "verdicts": "verdict"}
    return f"{count} {one.get(what, what) if count == 1 else what}"


def healed(one: Healed) -> str:
    """What a pass did to a memory, on one line."""
    how = (
        "demoted: its trust is unknown now"
        if one.event.kind is HealKind.DEMOTED
        else f"its confidence is {one.successor.confidence:g} now"
    )
    where = f"{one.event.reason} at {harmless(one.event.citation)}"
    return f"{one.original.id} is superseded by {one.successor.id}, {how} ({where})"
