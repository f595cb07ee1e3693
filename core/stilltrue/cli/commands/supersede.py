"""`stilltrue supersede`."""

from __future__ import annotations

import click

from stilltrue.cli import as_json as jsonable
from stilltrue.cli import as_text
from stilltrue.cli.context import Context, json_option, key_option, say, say_json
from stilltrue.ide.wording import shortened
from stilltrue.services import settle
from stilltrue.services.recording import parse_spec


@click.command("supersede", short_help="Replace a memory by a new one.")
@click.argument("memory")
@click.argument("text")
@click.option(
    "--cite", "-c", multiple=True, metavar="SPEC", help="What backs it.  [default: the present lines]"
)
@click.option("--importance", type=int, help="1 to 10.  [default: as before]")
@click.option("--confidence", type=float, help="0 to 1.  [default: 1]")
@click.option("--kind", help="semantic, episodic or procedural.  [default: as before]")
@click.option("--valid-from", metavar="TIME", help="From when on the new one holds.  [default: now]")
@click.option("--ref", "source_ref", help="Where it came from, in your words.")
@key_option
@json_option
@click.pass_obj
def command(
    context: Context,
    /,
    memory: str,
    text: str,
    cite: tuple[str, ...],
    key: str | None,
    *,
    as_json: bool,
    **given: object,
) -> int:
    """Put TEXT in the place of MEMORY, which is kept behind it.

    \b
    stilltrue supersede m3 "Retries stop after 7 attempts"
    stilltrue supersede m3 "The limit moved to settings" --cite src/settings.py:8
    """
    workspace = context.workspace
    old, _ = settle.find_citations(workspace, memory)
    specs = tuple(context.cited(each, parse_spec) for each in cite)
    request = settle.inheriting(old, text, citations=specs or None, **given)
    kept = settle.supersede(workspace, old.uid, request, key=key)
    if as_json:
        say_json(jsonable.remembered(kept.memory, kept.citations))
        return 0
    say(f"{kept.memory.id}  supersedes {old.id}  {shortened(kept.memory.text)}")
    for citation in kept.citations:
        say(f"    {as_text.place_of(context, citation)}")
    return 0
