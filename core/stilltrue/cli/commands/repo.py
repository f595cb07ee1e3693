"""`stilltrue repo`."""

from __future__ import annotations

from typing import Any

import click

from stilltrue.cli.context import Context, json_option, note, say, say_json
from stilltrue.ide.wording import harmless
from stilltrue.services import housekeeping
from stilltrue.services.feedback_history import repair_identities


@click.group(
    "repo", short_help="Show, list or link the repositories that are known.", invoke_without_command=True
)
@json_option
@click.pass_context
def command(ctx: click.Context, *, as_json: bool) -> int:
    """Show what is known of this repository.

    \b
    stilltrue repo               what is known of the one you stand in
    stilltrue repo list          all that are known
    stilltrue repo link NAME     this checkout is a clone of a known one
    stilltrue repo repair-identities   make old retrieval history findable by memory
    """
    if ctx.invoked_subcommand:
        return 0
    context: Context = ctx.obj
    state = housekeeping.look(context.workspace)
    if as_json:
        offered = [_told(each) for each in state.offered]
        known = _told(state.known) if state.known else None
        say_json({"root": state.root, "known": known, "offered": offered})
        return 0
    say(harmless(state.root))
    if state.known:
        say(f"    {harmless(state.known.name)}  {state.known.uid}")
        for kind, value in state.known.keys:
            say(f"    {kind}: {harmless(value)}")
        return 0
    note("nothing is remembered about it yet")
    for each in state.offered:
        note(
            f"it has the same first commit as {each.name}; if it is the same: stilltrue repo link {each.name}"
        )
    return 0


@command.command("list")
@json_option
@click.pass_obj
def list_all(context: Context, *, as_json: bool) -> int:
    """List every repository that something is remembered about."""
    found = housekeeping.known_repositories(context.workspace)
    if as_json:
        say_json({"repositories": [_told(each) for each in found]})
        return 0
    for each in found:
        places = ", ".join(value for kind, value in each.keys if kind == "path")
        say(harmless(f"{each.name}  {each.uid}  {places}"))
    return 0


@command.command("link")
@click.argument("name")
@json_option
@click.pass_obj
def link(context: Context, name: str, *, as_json: bool) -> int:
    """Let this checkout be the known repository NAME, so that it shares its memories."""
    linked = housekeeping.link(context.workspace, name)
    if as_json:
        say_json(_told(linked))
    else:
        say(harmless(f"this checkout is {linked.name} now"))
    return 0


@command.command("repair-identities")
@click.option("--limit", type=int, default=100, show_default=True, help="Look at 1 to 100 sources.")
@click.option("--cursor", metavar="CURSOR", help="Where the page before ended.")
@json_option
@click.pass_obj
def repair(context: Context, limit: int, cursor: str | None, *, as_json: bool) -> int:
    """Fill in what sources of old retrievals lack to be found by name, one page at a time.

    Neither traces nor credits are changed. It may be stopped and repeated.
    """
    told = repair_identities(context.workspace, {"limit": limit, "cursor": cursor})
    if as_json:
        say_json(told)
        return 0
    say(f"{told['updated']} filled in" + ("" if told["done"] else f"; more with: --cursor {told['cursor']}"))
    return 0


def _told(repository: Any) -> dict[str, Any]:  # noqa: ANN401 - a row of the store, which surfaces do not import
    keys = [{"kind": kind, "value": value} for kind, value in repository.keys]
    return {"uid": repository.uid, "name": repository.name, "keys": keys}
