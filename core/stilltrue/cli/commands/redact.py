"""`stilltrue redact`."""

from __future__ import annotations

import click

from stilltrue.cli.context import Context, json_option, say, say_json
from stilltrue.services import housekeeping


@click.command("redact", short_help="Blank a memory's text and cited code for good.")
@click.argument("memory")
@json_option
@click.pass_obj
def command(context: Context, memory: str, *, as_json: bool) -> int:
    """Blank the text of MEMORY and all that was kept of its cited code. This cannot be undone.

    \b
    stilltrue redact m3

    That it existed, and when, stays in the history.
    """
    redacted = housekeeping.redact(context.workspace, memory)
    if as_json:
        say_json({"id": redacted.id, "uid": redacted.uid, "redacted": True})
    else:
        say(f"{redacted.id} is blank now")
    return 0
