"""`stilltrue reverify`."""

from __future__ import annotations

import click

from stilltrue.cli import as_json as jsonable
from stilltrue.cli import as_text
from stilltrue.cli.context import Context, json_option, key_option, note, say, say_json
from stilltrue.errors import InputError
from stilltrue.model.citation import Citation, Place
from stilltrue.model.verdict import Grade
from stilltrue.services import history, settle
from stilltrue.services.recording import parse_spec


@click.command("reverify", short_help="Still true: take the cited lines as they are now.")
@click.argument("ids", nargs=-1, metavar="ID...")
@click.option("--all-cosmetic", is_flag=True, help="Every citation in which only cosmetic things changed.")
@click.option("--at", "place", metavar="PATH:START-END", help="The lines to take, for a single citation.")
@key_option
@json_option
@click.pass_obj
def command(
    context: Context,
    ids: tuple[str, ...],
    place: str | None,
    key: str | None,
    *,
    all_cosmetic: bool,
    as_json: bool,
) -> int:
    """Say that memories are still true: their cited lines are taken as they are now.

    \b
    stilltrue reverify m3              all citations of a memory
    stilltrue reverify c7 --at src/a.py:20-25
    stilltrue reverify --all-cosmetic
    """
    if bool(ids) == all_cosmetic:
        raise InputError("name memories or citations, or use --all-cosmetic", hint="stilltrue reverify m3")
    workspace = context.workspace
    if all_cosmetic:
        citations = [each.citation for one in history.live(workspace) for each in one.citations]
    else:
        citations = [each for name in ids for each in settle.find_citations(workspace, name)[1]]
    settled = settle.reverify(
        workspace,
        citations,
        at=_places(context, place, citations),
        only_grade=Grade.COSMETIC if all_cosmetic else None,
        key=key,
    )
    _tell(context, settled, as_json=as_json, quiet=all_cosmetic)
    return 0


def _tell(context: Context, settled: list[settle.Settled], *, as_json: bool, quiet: bool) -> None:
    done = [each.after for each in settled if each.after]
    if as_json:
        say_json({"citations": [jsonable.citation(each) for each in done]})
        return
    for after in done:
        say(f"still true: {as_text.place_of(context, after)}  generation {after.generation}")
    for each in settled:
        if not each.after and not quiet:
            note(f"{each.before.id}: {each.note}")
    if not done:
        note("nothing was left to re-verify")


def _places(context: Context, place: str | None, citations: list[Citation]) -> dict[str, Place]:
    if place is None:
        return {}
    if len(citations) != 1:
        raise InputError("--at needs a single citation", hint="name it by its own id, such as c7")
    spec = context.cited(place, parse_spec)
    if spec.path is None or spec.span is None:
        raise InputError("--at needs lines", hint="such as --at src/a.py:20-25")
    return {citations[0].uid: Place(spec.path, spec.span)}
