"""`stilltrue repoint`."""

from __future__ import annotations

import click

from stilltrue.cli import as_json as jsonable
from stilltrue.cli import as_text
from stilltrue.cli.context import Context, json_option, key_option, note, say, say_json
from stilltrue.errors import InputError
from stilltrue.services import settle
from stilltrue.services.recording import parse_spec


@click.command("repoint", short_help="Let a citation point at other lines.")
@click.argument("citation", required=False)
@click.argument("spec", required=False)
@click.option("--all-moved", is_flag=True, help="Write down the new place of everything that clearly moved.")
@key_option
@json_option
@click.pass_obj
def command(
    context: Context,
    citation: str | None,
    spec: str | None,
    key: str | None,
    *,
    all_moved: bool,
    as_json: bool,
) -> int:
    """Let CITATION point at SPEC from now on.

    \b
    stilltrue repoint c7 src/http.py:40-42
    stilltrue repoint --all-moved
    """
    workspace = context.workspace
    if all_moved:
        settled = settle.repoint_all_moved(workspace, key=key)
    elif citation is None or spec is None:
        raise InputError(
            "name a citation and where it should point", hint="stilltrue repoint c7 src/a.py:40-42"
        )
    else:
        target = context.cited(spec, parse_spec)
        _, found = settle.find_citations(workspace, citation)
        if len(found) != 1:
            names = ", ".join(each.id for each in found) or "none"
            raise InputError(f"{citation} has several citations or none: {names}", hint="name one of them")
        settled = [settle.repoint(workspace, found[0], target, key=key)]
    after = [each.after for each in settled if each.after]
    if as_json:
        say_json({"citations": [jsonable.citation(each) for each in after]})
        return 0
    for each in after:
        say(f"points at {as_text.place_of(context, each)}")
    if not after:
        note("nothing has moved")
    return 0
