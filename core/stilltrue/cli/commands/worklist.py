"""`stilltrue worklist`."""

from __future__ import annotations

import click

from stilltrue.cli import as_json, as_text
from stilltrue.cli.context import Context, json_option, say, say_json
from stilltrue.services.handoff import handoff
from stilltrue.services.worklist import Waiting, worklist


@click.command("worklist", short_help="What was demoted and waits to be verified again.")
@click.option("--handoff", "as_handoff", is_flag=True, help="As a text for an agent who is to settle it.")
@json_option
@click.pass_obj
def command(context: Context, *, as_handoff: bool, as_json: bool) -> int:
    """List the memories that were demoted because their code was gone or changed, with what changed.

    \b
    stilltrue worklist
    stilltrue worklist --handoff | YOUR-AGENT
    stilltrue supersede m2 "…"      settle one: it leaves the list; so do reverify, repoint and retract

    Exits with 0 when nothing waits, 1 when something does.
    """
    waiting = worklist(context.workspace)
    if as_json:
        text = handoff(context.workspace, waiting) if as_handoff else None
        say_json({"version": 1, "memories": [_as_json(each) for each in waiting], "handoff": text})
    elif as_handoff:
        say(handoff(context.workspace, waiting).rstrip("\n"))
    else:
        _say(context, waiting)
    return 1 if waiting else 0


def _say(context: Context, waiting: list[Waiting]) -> None:
    for each in waiting:
        for row in as_text.memory(context, each.judged):
            say(row)
        say(f"    demoted {each.event.at[:10]}: {each.event.reason}")
        say()
    say(f"{as_text.counted(len(waiting), 'memories')} to be verified again" if waiting else "nothing waits")


def _as_json(each: Waiting) -> dict[str, object]:
    return {**as_json.judged(each.judged), "event": as_json.event(each.event)}
