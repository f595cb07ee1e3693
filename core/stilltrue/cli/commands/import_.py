"""`stilltrue import`."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from itertools import groupby

import click

from stilltrue.cli.context import Context, json_option, say, say_json
from stilltrue.ide.wording import harmless, place_text, shortened
from stilltrue.model.citation import Place, Span
from stilltrue.services.importing import DEFAULT_NAMES, Found, ImportReport, default_files, import_files

INDENT = 10
LEFT_OUT = "left out"
HOW_A_PLACE_IS_WRITTEN = """\
A place is a file and lines of it, written together with what holds there: in a paragraph, a list item
or a table row.

    - Retries stop after 5 attempts (`src/client.py:12-14`).
    - The API version stands in [client.py](src/client.py#L9)."""


@click.command("import", short_help="Take memories out of Markdown that names lines.")
@click.argument("files", metavar="[FILE]...", nargs=-1)
@click.option("--dry-run", is_flag=True, help="Only show what would be remembered; nothing is written.")
@json_option
@click.pass_obj
def command(context: Context, files: tuple[str, ...], *, dry_run: bool, as_json: bool) -> int:
    """Remember each paragraph, list item and table row of FILE that names lines of code.

    \b
    stilltrue import --dry-run           look first: what would be remembered, what not and why
    stilltrue import                     AGENTS.md, CLAUDE.md and the like
    stilltrue import docs/retries.md     another file

    Without FILE: AGENTS.md, CLAUDE.md, GEMINI.md, .github/copilot-instructions.md, .cursor/rules/*.md and
    *.mdc, CONTRIBUTING.md and README.md at the root of the repository, as far as they are there.

    Only explicit places count: src/a.py:12, src/a.py:12-14, src/a.py#L12 and src/a.py#L12-L14, also as
    inline code or the target of a link, from the root or from the file's own folder. Code blocks, HTML,
    comments and front matter are passed over. The memory is what a person reads there, its subject the
    heading above.

    Doing it again doubles nothing, and what you superseded or retracted since stays away. If you rewrite a
    block in FILE, it is a new memory; better say so with: stilltrue supersede m1 "…".
    stilltrue undo takes a whole import back.
    """
    workspace = context.workspace
    named = [workspace.root / context.place_in_repository(file) for file in files]
    report = import_files(workspace, named or default_files(workspace), dry_run=dry_run)
    if as_json:
        say_json(report.to_json())
        return 0
    again = shlex.join(["stilltrue", "import", *files]) if dry_run else ""
    for row in _rows(context, report, again):
        say(row)
    return 0


def _rows(context: Context, report: ImportReport, again: str) -> Iterator[str]:
    for found in report.found:
        yield from _found(context, found)
    for (source, line, text), refused in groupby(
        report.refused, key=lambda each: (each.source, each.line, each.text)
    ):
        whys = "; ".join(harmless(each.why) for each in refused)
        yield f"{click.style(LEFT_OUT.ljust(INDENT), fg='yellow')}{shortened(text)}"
        yield f"{'':{INDENT}}{whys}  {click.style(f'from {_at(context, source, line)}', dim=True)}"
    if report.found or report.refused:
        yield ""
    yield from _end(report, again)


def _found(context: Context, found: Found) -> Iterator[str]:
    name = found.memory.id if found.memory else "new"
    note = ""
    if found.is_known:
        note = ", imported before and ended since" if found.has_ended else ", imported before"
    label = click.style(f"{name:<{INDENT}}", bold=True, dim=found.is_known)
    yield f"{label}{shortened(found.text)}"
    places = ", ".join(_place(context, place) for place in found.places)
    source = click.style(f"from {_at(context, found.source, found.line)}{note}", dim=True)
    yield f"{'':{INDENT}}{places}  {source}"


def _end(report: ImportReport, again: str) -> Iterator[str]:
    if not report.sources:
        yield f"none of these is here: {', '.join(DEFAULT_NAMES)}"
        yield "Name a file that tells about the code: stilltrue import FILE"
    elif not report.found and not report.refused:
        yield f"no place in the code is named in {harmless(', '.join(report.sources))}"
    else:
        yield _figures(report, dry_run=bool(again))
    if not report.found:
        yield ""
        yield HOW_A_PLACE_IS_WRITTEN
    elif again and len(report.found) > report.known:
        yield f"    $ {harmless(again)}"
    elif report.imported:
        yield "    $ stilltrue check    says when their lines change"
        yield "    $ stilltrue undo     takes all of them back"


def _figures(report: ImportReport, *, dry_run: bool) -> str:
    new = len(report.found) - report.known
    parts = [f"{_counted(new, 'memory', 'memories')} {'would be remembered' if dry_run else 'remembered'}"]
    if report.known:
        parts.append(f"{report.known} imported before")
    if report.refused:
        parts.append(f"{_counted(len(report.refused), 'place', 'places')} left out")
    return ", ".join(parts) + ("; nothing was written" if dry_run else "")


def _place(context: Context, place: Place) -> str:
    return place_text(Place(context.path_from_here(place.path), place.span))


def _at(context: Context, path: str, line: int) -> str:
    return _place(context, Place(path, Span(line, line)))


def _counted(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"
