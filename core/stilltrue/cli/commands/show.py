"""`stilltrue show`."""

from __future__ import annotations

from typing import Any

import click

from stilltrue.cli import as_json as jsonable
from stilltrue.cli import as_text
from stilltrue.cli.context import Context, json_option, say, say_json
from stilltrue.ide.wording import harmless, snooze_text
from stilltrue.services import history, snoozing
from stilltrue.services.feedback import Recording
from stilltrue.services.fetching import folded_place, record_fetch
from stilltrue.services.judging import JudgedMemory
from stilltrue.services.kept_pins import kept_for


@click.command("show", short_help="Show one memory, what it cites and what changed.")
@click.argument("memory")
@json_option
@click.pass_obj
def command(context: Context, memory: str, *, as_json: bool) -> int:
    """Show one memory whole: its text, what it cites, and what changed there.

    \b
    stilltrue show m3
    """
    one, ends = history.show(context.workspace, memory)
    recording = record_fetch(context.workspace, context.workspace.actor, [memory], [one])
    asleep = snoozing.asleep(context.workspace, [one]).get(one.memory.uid)
    snoozed = snooze_text(asleep) if asleep else None
    kept = kept_for(context.workspace, [one])
    if as_json:
        closings = [jsonable.closing(each) for each in ends]
        fields = jsonable.memory_fields(one.memory)
        told = {**jsonable.judged(one, kept), **fields, "closings": closings, "snoozed": snoozed}
        _add_sources(told, one, recording)
        say_json(told)
        return 0
    about = one.memory
    say("(redacted)" if about.redacted else harmless(about.text))
    kind = f"{about.kind}, importance {about.importance}, trust {about.trust}"
    say(f"    about {harmless(about.subject) or 'nothing any more'}, {kind}")
    say(f"    recorded {about.tx_at}" + (f", from {harmless(about.source_ref)}" if about.source_ref else ""))
    for each in ends:
        taken_back = f" (taken back {each.undone_at})" if each.undone_at else ""
        say(f"    {each.kind} {each.at} by {each.actor}{taken_back}")
    if asleep:
        say(f"    snoozed {snoozed} (said {asleep.at})")
    say()
    for row in as_text.memory(context, one, kept, ended=any(each.undone_at is None for each in ends)):
        say(row)
    return 0


def _add_sources(told: dict[str, Any], one: JudgedMemory, recording: Recording) -> None:
    """The trace, and the source ids of the memory and of the code it cites (B1)."""
    told |= recording.to_json() | recording.row_json("results[0]")
    for shown in told["citations"]:
        place = folded_place(one, shown["uid"])
        shown.update(recording.row_json(place) if place is not None else {})
