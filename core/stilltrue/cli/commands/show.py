"""`stilltrue show`."""

from __future__ import annotations

import click

from stilltrue.cli import as_json as jsonable
from stilltrue.cli import as_text
from stilltrue.cli.context import Context, json_option, say, say_json
from stilltrue.ide.wording import harmless, snooze_text
from stilltrue.services import history, snoozing
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
    asleep = snoozing.asleep(context.workspace, [one]).get(one.memory.uid)
    snoozed = snooze_text(asleep) if asleep else None
    kept = kept_for(context.workspace, [one])
    if as_json:
        closings = [jsonable.closing(each) for each in ends]
        fields = jsonable.memory_fields(one.memory)
        say_json({**jsonable.judged(one, kept), **fields, "closings": closings, "snoozed": snoozed})
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
