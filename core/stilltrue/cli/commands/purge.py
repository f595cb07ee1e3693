"""`stilltrue purge`."""

from __future__ import annotations

import sys

import click

from stilltrue.cli.context import Context, json_option, note, say, say_json
from stilltrue.errors import InputError
from stilltrue.services import housekeeping


@click.command("purge", short_help="Delete everything remembered about this repository.")
@click.option("--repo", "whole", is_flag=True, help="Say that the whole repository is meant.")
@click.option("--yes", is_flag=True, help="Do not ask for the repository's name.")
@json_option
@click.pass_obj
def command(context: Context, *, whole: bool, yes: bool, as_json: bool) -> int:
    """Delete everything remembered about this repository. This cannot be undone.

    \b
    stilltrue purge --repo          asks for the repository's name
    """
    if not whole:
        raise InputError("nothing was deleted", hint="say what is meant: stilltrue purge --repo")
    state = housekeeping.look(context.workspace)
    name = state.known.name if state.known else ""
    if state.known and not yes:
        note(f"Everything about {name} will be deleted. Type its name to go on:")
        name = sys.stdin.readline().strip() if sys.stdin else ""
    gone = housekeeping.purge(context.workspace, confirmed_name=name)
    if as_json:
        say_json({"deleted": gone})
    else:
        say("deleted: " + ", ".join(f"{count} {what}" for what, count in gone.items() if count))
    return 0
