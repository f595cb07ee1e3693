"""`stilltrue retract`."""

from __future__ import annotations

import click

from stilltrue.cli.context import Context, json_option, key_option, note, say, say_json
from stilltrue.ide.wording import shortened
from stilltrue.services import settle


@click.command("retract", short_help="End memories that are not worth keeping.")
@click.argument("ids", nargs=-1, required=True, metavar="ID...")
@key_option
@json_option
@click.pass_obj
def command(context: Context, ids: tuple[str, ...], key: str | None, *, as_json: bool) -> int:
    """End memories without a successor. They are kept in the history, and undo brings them back.

    \b
    stilltrue retract m3 m4
    """
    ended = settle.retract(context.workspace, ids, key=key)
    if as_json:
        say_json({"count": len(ended), "memories": [{"id": each.id, "uid": each.uid} for each in ended]})
        return 0
    for memory in ended:
        say(f"retracted {memory.id}  {shortened(memory.text)}")
    if not ended:
        note("nothing changed: they had been retracted before")
    return 0
