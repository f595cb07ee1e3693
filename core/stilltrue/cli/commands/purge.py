"""`stilltrue purge`."""

from __future__ import annotations

import click

from stilltrue.cli.context import Context, json_option, say, say_json
from stilltrue.errors import InputError
from stilltrue.services import housekeeping


@click.command("purge", short_help="Delete everything remembered about this repository.")
@click.option("--repo", "whole", is_flag=True, help="Say that the whole repository is meant.")
@click.option("--yes", metavar="NAME", help="The repository's name, instead of being asked for it.")
@json_option
@click.pass_obj
def command(context: Context, yes: str | None, *, whole: bool, as_json: bool) -> int:
    """Delete everything remembered about this repository. This cannot be undone.

    \b
    stilltrue purge --repo
    """
    if not whole:
        raise InputError("nothing was deleted", hint="say what is meant: stilltrue purge --repo")
    state = housekeeping.look(context.workspace)
    name = yes
    if name is None and state.known:
        name = click.prompt(f"Everything about {state.known.name} will be deleted. Type its name", err=True)
    gone = housekeeping.purge(context.workspace, confirmed_name=name or "")
    if as_json:
        say_json({"deleted": gone})
    else:
        say("deleted: " + ", ".join(f"{count} {what}" for what, count in gone.items() if count))
    return 0
