"""`stilltrue stats`."""

from __future__ import annotations

import dataclasses

import click

from stilltrue.cli.context import Context, json_option, note, say, say_json
from stilltrue.ide.wording import harmless
from stilltrue.services import history


@click.command("stats", short_help="Figures about what is remembered.")
@json_option
@click.pass_obj
def command(context: Context, *, as_json: bool) -> int:
    """Show how much is remembered about this repository, and about what.

    \b
    stilltrue stats
    """
    figures = history.stats(context.workspace)
    if as_json:
        say_json(dataclasses.asdict(figures) if figures else None)
        return 0
    if figures is None:
        note("nothing is remembered about this repository yet")
        return 0
    for name, value in dataclasses.asdict(figures).items():
        if isinstance(value, (list, tuple)):
            say(f"{name.replace('_', ' ')}:")
            for subject, count in value:
                say(f"  {count:>6}  {harmless(str(subject))}")
        else:
            say(f"{name.replace('_', ' ')}: {value}")
    return 0
