"""`stilltrue check`."""

from __future__ import annotations

import click

from stilltrue.cli import as_json, as_text
from stilltrue.cli.context import Context, say, say_json
from stilltrue.cli.progress import Progress
from stilltrue.errors import InputError
from stilltrue.services.check import CheckReport, check
from stilltrue.services.warm import Summary, summarise


@click.command("check", short_help="Say which memories the code no longer backs.")
@click.argument("paths", nargs=-1)
@click.option("--format", "output", default="text", metavar="FORMAT", help="text or json.  [default: text]")
@click.option("--json", "json_too", is_flag=True, help="The same as --format json.")
@click.option(
    "--strict", is_flag=True, help="Exit with 1 on any doubt: cosmetic, ambiguous, unknown, unbaselined."
)
@click.option("--summary", is_flag=True, help="Only the figures, and fast.")
@click.pass_obj
def command(
    context: Context, paths: tuple[str, ...], output: str, *, json_too: bool, strict: bool, summary: bool
) -> int:
    """Judge every memory against the working tree, or only those that cite PATHS.

    \b
    stilltrue check                 everything
    stilltrue check src docs/api.md only what cites these
    stilltrue check --strict        for CI: any doubt fails
    stilltrue check --summary       only the figures; files that did not change are not read again

    Exits with 0 when nothing needs attention, 1 when a memory is stale, 2 when it could not be checked.
    Nothing is written but, with --summary, what makes the next one fast.
    """
    if output not in {"text", "json"}:
        raise InputError(f"there is no format {output!r} yet", hint="use --format text or --format json")
    wanted = [context.place_in_repository(path) for path in paths]
    progress = Progress()
    if summary and not wanted:
        checked: CheckReport | Summary = summarise(context.workspace, progress=progress.tell)
    else:
        whole = json_too or output == "json"
        checked = check(context.workspace, wanted, progress=progress.tell, whole=whole)
    progress.clear()
    if json_too or output == "json":
        found = as_json.report(checked)
        say_json({**found, "memories": []} if summary else found)
    else:
        for row in as_text.report(context, checked, summary=summary):
            say(row)
    return 1 if checked.needs_attention(strict=strict) else 0
