"""`stilltrue doctor`."""

from __future__ import annotations

import dataclasses

import click

from stilltrue.cli.context import Context, json_option, say, say_json
from stilltrue.ide.wording import harmless
from stilltrue.services.doctor import examine


@click.command("doctor", short_help="Look whether everything StillTrue needs is in order.")
@json_option
@click.pass_obj
def command(context: Context, *, as_json: bool) -> int:
    """Look whether everything StillTrue needs is in order. Creates and mends nothing.

    \b
    stilltrue doctor

    Exits with 1 when something is wrong.
    """
    found = examine(context.workspace)
    if as_json:
        say_json({"findings": [dataclasses.asdict(each) for each in found]})
    else:
        for each in found:
            mark = click.style("!", fg="yellow", bold=True) if each.problem else click.style("✓", fg="green")
            say(f"{mark} {harmless(f'{each.what}: {each.value}')}")
            if each.problem:
                say(harmless(f"    {each.problem}" + (f"\n    {each.hint}" if each.hint else "")))
    return 1 if any(each.problem for each in found) else 0
