"""`stilltrue check`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from stilltrue.cli import as_json, as_text
from stilltrue.cli.context import Context, say, say_json
from stilltrue.cli.progress import Progress
from stilltrue.errors import InputError
from stilltrue.services.check import CheckReport, check

if TYPE_CHECKING:
    from stilltrue.services.warm import Summary

FORMATS = ("text", "json", "sarif", "github")
FINDINGS = {"sarif", "github"}


@click.command("check", short_help="Say which memories the code no longer backs.")
@click.argument("paths", nargs=-1)
@click.option(
    "--format",
    "output",
    type=click.Choice(FORMATS),
    default="text",
    show_default=True,
    help="How to tell it.",
)
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
    stilltrue check --format sarif  for code hosts; github annotates the lines of a pull request

    Exits with 0 when nothing needs attention, 1 when a memory is stale, 2 when it could not be checked.
    Nothing is written but, with --summary, what makes the next one fast.
    """
    output = "json" if json_too else output
    if summary and output in FINDINGS:
        raise InputError(f"--summary has no findings for {output}", hint="leave out one of the two")
    wanted = [context.place_in_repository(path) for path in paths]
    progress = Progress()
    if summary and not wanted:
        from stilltrue.services.warm import summarise  # noqa: PLC0415 - an ordinary check keeps no figures

        checked: CheckReport | Summary = summarise(context.workspace, progress=progress.tell)
    else:
        checked = check(context.workspace, wanted, progress=progress.tell, whole=output == "json")
    progress.clear()
    _show(context, checked, output, summary=summary)
    return 1 if checked.needs_attention(strict=strict) else 0


def _show(context: Context, checked: CheckReport | Summary, output: str, *, summary: bool) -> None:
    if output == "json":
        found = as_json.report(checked)
        say_json({**found, "memories": []} if summary else found)
    elif output in FINDINGS and isinstance(checked, CheckReport):
        _show_findings(checked, output)
    else:
        for row in as_text.report(context, checked, summary=summary):
            say(row)


def _show_findings(checked: CheckReport, output: str) -> None:
    from stilltrue.cli import as_findings  # noqa: PLC0415 - an ordinary check need not wait for them
    from stilltrue.services.findings import findings  # noqa: PLC0415 - likewise

    if output == "sarif":
        say_json(as_findings.sarif(findings(checked)))
        return
    for row in as_findings.github(findings(checked)):
        say(row)
