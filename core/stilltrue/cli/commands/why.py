"""`stilltrue why`."""

from __future__ import annotations

import click

from stilltrue.cli import as_json as jsonable
from stilltrue.cli.context import Context, json_option, say, say_json
from stilltrue.ide.wording import snooze_text
from stilltrue.services import history, snoozing
from stilltrue.services.kept_pins import kept_pins


@click.command("why", short_help="Tell how a memory came to be.")
@click.argument("memory")
@json_option
@click.pass_obj
def command(context: Context, memory: str, *, as_json: bool) -> int:
    """Tell how a memory came to be: what it replaced, what replaced it, and who looked at its lines when.

    \b
    stilltrue why m3
    """
    one, _ = history.show(context.workspace, memory)
    asleep = snoozing.asleep(context.workspace, [one]).get(one.memory.uid)
    snoozed = snooze_text(asleep) if asleep else None
    if not as_json:
        say(history.history_text(context.workspace, memory).rstrip("\n"))
        if snoozed:
            say(f"\n{one.memory.id} is snoozed {snoozed}")
        return 0
    told = history.why(context.workspace, memory)
    cited = {each.uid: each for each in told.generations}  # the present ones, which come last
    kept = kept_pins(context.workspace, cited.values())
    say_json(
        {
            "memory": jsonable.memory_fields(told.memory),
            "ancestors": [jsonable.memory_fields(each) for each in told.ancestors],
            "descendants": [jsonable.memory_fields(each) for each in told.descendants],
            "heads": [each.uid for each in told.heads],
            "closings": [jsonable.closing(each) for ends in told.closings.values() for each in ends],
            "generations": [
                {
                    **jsonable.citation(each),
                    "recorded_at": each.recorded_at,
                    "actor": each.actor,
                    "origin": each.origin,
                    "pin": jsonable.pin(each, kept if cited[each.uid] is each else {}),
                }
                for each in told.generations
            ],
            "events": [jsonable.event(each) for each in told.events],
            "snoozed": snoozed,
        }
    )
    return 0
