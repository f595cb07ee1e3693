"""`stilltrue demo`."""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

import click

from stilltrue.cli import as_text
from stilltrue.cli.context import Context, note, say
from stilltrue.services import demo, history, settle
from stilltrue.services.check import CheckReport, check
from stilltrue.services.recording import parse_spec
from stilltrue.services.remember import Request, remember
from stilltrue.services.workspace import Surroundings, Workspace


@click.command("demo", short_help="See a stale memory found and settled, on real code.")
@click.option("--keep", is_flag=True, help="Leave the folder, to open it in an editor.")
@click.pass_obj
def command(context: Context, *, keep: bool) -> int:
    """Remember five things about real code, change it as a colleague would, and settle what went stale.

    \b
    stilltrue demo --keep

    Everything happens in a temporary folder with a store of its own; yours is not touched.
    """
    folder = Path(tempfile.mkdtemp(prefix="stilltrue-demo-")).resolve()
    try:
        wrong = _play(folder, context)
        _tell_how_to_open(folder, keep=keep)
    finally:
        if not keep:
            shutil.rmtree(folder, ignore_errors=True)
    for each in wrong:
        note(f"the demo went wrong: {each}")
    return 1 if wrong else 0


def _play(folder: Path, context: Context) -> list[str]:
    repository = folder / "repository"
    repository.mkdir()
    surroundings = Surroundings(context.environment, database=str(folder / "memories.db"))
    workspace = Workspace(repository, surroundings)
    demo.build_repository(repository, workspace.git)
    workspace = Workspace(repository, surroundings)
    stage = Context(repository, surroundings.database, context.environment)
    _title("Five memories about the source of click, which others wrote")
    for scene in demo.SCENES:
        start, end = demo.cited_lines(repository, scene)
        cited = f"{scene.path}:{start}-{end}"
        _shell(f'remember "{scene.text}" --cite {cited}')
        kept = remember(workspace, Request(text=scene.text, citations=(parse_spec(cited),)))
        say(f"{kept.memory.id}  {cited}")
    _title("A colleague's week: an edit, lines above, a file deleted, line ends flipped, one left alone")
    demo.change_as_a_colleague(repository)
    _shell("check")
    expected = {scene.text: scene.expected for scene in demo.SCENES}
    wrong = _differences(_check(stage, workspace), expected)
    wrong += _differences(_settle(stage, workspace), _settled(expected))
    workspace.close()
    stage.close()
    return wrong


def _settle(stage: Context, workspace: Workspace) -> CheckReport:
    _title("The edited lines still say what m1 says: re-verify it")
    _shell("reverify m1")
    for each in settle.reverify(workspace, settle.find_citations(workspace, "m1")[1]):
        if each.after:
            say(f"still true: {as_text.place_of(stage, each.after)}  generation {each.after.generation}")
    _title("The deleted file took m3's ground away: say what is true now")
    start, end = demo.cited_lines(workspace.root, demo.SUCCESSOR)
    cited = f"{demo.SUCCESSOR.path}:{start}-{end}"
    _shell(f'supersede m3 "{demo.SUCCESSOR.text}" --cite {cited}')
    old, _ = settle.find_citations(workspace, "m3")
    request = settle.inheriting(old, demo.SUCCESSOR.text, citations=(parse_spec(cited),))
    kept = settle.supersede(workspace, "m3", request)
    say(f"{kept.memory.id}  supersedes {old.id}")
    _shell(f"why {kept.memory.id}")
    say(history.history_text(workspace, kept.memory.id).rstrip("\n"))
    _title("What is left")
    _shell("check")
    return _check(stage, workspace)


def _check(stage: Context, workspace: Workspace) -> CheckReport:
    checked = check(workspace)
    for row in as_text.report(stage, checked, summary=False):
        say(row)
    return checked


def _settled(expected: dict[str, str]) -> dict[str, str]:
    """What is expected once m1 was re-verified and m3 superseded."""
    edited, _, deleted, *_ = demo.SCENES
    left = {text: verdict for text, verdict in expected.items() if text != deleted.text}
    return {**left, edited.text: "fresh/same-bytes", demo.SUCCESSOR.text: demo.SUCCESSOR.expected}


def _differences(checked: CheckReport, expected: dict[str, str]) -> list[str]:
    """The demo vouches for itself: verdicts other than the right ones, each in a sentence."""
    found = {
        one.memory.text: f"{one.citations[0].verdict.verdict}/{one.citations[0].verdict.reason}"
        for one in checked.memories
    }
    return [
        f"expected {expected.get(text, 'nothing')} of {text!r} and got {found.get(text, 'nothing')}"
        for text in sorted(found.keys() | expected.keys())
        if found.get(text) != expected.get(text)
    ]


def _tell_how_to_open(folder: Path, *, keep: bool) -> None:
    _title("See it in an editor")
    if not keep:
        say("stilltrue demo --keep leaves the folder, and says how to open it in Neovim and VS Code.")
        return
    repository, database = folder / "repository", folder / "memories.db"
    file = f"{repository}/{demo.SCENES[3].path}"
    serve = f"{{ '{sys.executable}', '-m', 'stilltrue', '--db', '{database}', 'lsp' }}"
    say(f"Neovim 0.11:  cd {repository} && nvim --clean \\")
    say(f"  --cmd \"lua vim.lsp.config('stilltrue', {{ cmd = {serve}, root_markers = {{ '.git' }} }})\" \\")
    say("  --cmd \"lua vim.lsp.enable('stilltrue'); vim.diagnostic.config({ virtual_text = true })\" \\")
    say(f"  {file}")
    say(f"VS Code:  STILLTRUE_DB={database} code {repository}")
    say("          with any extension that starts a language server for every file; ours: stilltrue lsp")
    say(f"Remove it with: rm -r {folder}")


def _title(text: str) -> None:
    say()
    say(click.style(text, bold=True))


def _shell(command_line: str) -> None:
    say(click.style(f"$ stilltrue {command_line}", fg="blue"))
