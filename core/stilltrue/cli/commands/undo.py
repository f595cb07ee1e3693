"""`stilltrue undo`."""

from __future__ import annotations

import click

from stilltrue.cli.context import Context, json_option, say, say_json
from stilltrue.services import settle


@click.command("undo", short_help="Take back the last act on this repository.")
@json_option
@click.pass_obj
def command(context: Context, *, as_json: bool) -> int:
    """Take back the last act on this repository, whatever it was; again to go further back.

    \b
    stilltrue retract m3
    stilltrue undo
    """
    act = settle.undo(context.workspace)
    if as_json:
        say_json({"undone": act.kind, "at": act.at, "actor": act.actor})
    else:
        say(f"took back: {act.kind} of {act.at} by {act.actor}")
    return 0
