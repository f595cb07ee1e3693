"""The `stilltrue` command: global options, lazily loaded commands, errors and exit codes.

Exit codes: 0 fine, 1 something needs attention, 2 wrong use or unusable input.
"""

from __future__ import annotations

import importlib
import io
import keyword
import os
import sys
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path
from typing import NoReturn

import click

from stilltrue import __version__
from stilltrue.cli.context import Context, HookCommand, say_json
from stilltrue.errors import InputError, StillTrueError
from stilltrue.ide.wording import harmless

NAME = "stilltrue"
USAGE = 2
INTERRUPTED = 130
BROKEN_PIPE = 141

COMMANDS = {
    "remember": "Remember something about code, with the lines that back it.",
    "import": "Take memories out of Markdown that names lines of code.",
    "recall": "Ask what is remembered, best first.",
    "context": "A text for agents: what is remembered and still backed.",
    "check": "Say which memories the code no longer backs.",
    "pins": "Ask git what changed since the commits that memories name.",
    "list": "List what is remembered about this repository.",
    "show": "Show one memory, what it cites and what changed.",
    "why": "Tell how a memory came to be.",
    "reverify": "Still true: take the cited lines as they are now.",
    "supersede": "Replace a memory by a new one.",
    "repoint": "Let a citation point at other lines.",
    "retract": "End memories that are not worth keeping.",
    "snooze": "Do not hear of a memory for a while.",
    "audit": "Say what lost its code, for CI; invalidate what is gone.",
    "heal": "A background pass: keep verdicts, or demote what is stale.",
    "history": "What was retrieved, what was used of it, and how it turned out.",
    "use": "Say what you used of what was retrieved.",
    "outcome": "Say whether what you used was right, or take that back.",
    "worklist": "What was demoted and waits to be verified again.",
    "undo": "Take back the last act on this repository.",
    "redact": "Blank a memory's text and cited code for good.",
    "purge": "Delete everything remembered about this repository.",
    "repo": "Show, list or link the repositories that are known.",
    "stats": "Figures about what is remembered.",
    "doctor": "Look whether everything StillTrue needs is in order.",
    "demo": "See a stale memory found and settled, on real code.",
    "lsp": "Start the language server for an editor.",
}


class LazyGroup(click.Group):
    """A group whose commands are imported when they are used; `--help` imports none of them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands in the order in which a newcomer meets them."""
        del ctx
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import one command."""
        del ctx
        if cmd_name not in COMMANDS:
            return None
        name = f"{cmd_name}_" if keyword.iskeyword(cmd_name) else cmd_name
        module = importlib.import_module(f"stilltrue.cli.commands.{name}")
        command: click.Command = module.command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command, and refuse what is no text before anything is done with it; hooks stay silent."""
        check_arguments(args[:1])
        name, command, others = super().resolve_command(ctx, args)
        if not (isinstance(command, HookCommand) and command.is_quiet(others)):
            check_arguments([*filter(None, ctx.params.values()), *others])
        return name, command, others

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands from the table above, without importing them."""
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.command(
    cls=LazyGroup,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.option("--repo", metavar="DIR", default=".", help="The repository, or any folder in it.  [default: .]")
@click.option("--db", metavar="URL", help="The database: a file. STILLTRUE_DB says the same.")
@click.version_option(__version__, message="%(prog)s %(version)s")
@click.pass_context
def group(ctx: click.Context, repo: str, db: str | None) -> None:
    """Memories about code, tied to the exact lines they came from.

    \b
    Remember:  stilltrue remember "Retries stop after 5 attempts" --cite src/client.py:12-14
    Ask:       stilltrue check
    Settle:    stilltrue reverify m1   |   stilltrue supersede m1 "Retries stop after 7 attempts"
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help(), err=True)
        ctx.exit(USAGE)
    ctx.obj = Context(Path(repo), db, dict(os.environ))  # noqa: TID251 - a surface
    ctx.call_on_close(ctx.obj.close)


def main() -> NoReturn:
    """Run the command line and end the process with its exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # a terminal or pipe that cannot show a character gets its escape, never a traceback
            stream.reconfigure(errors="backslashreplace")
    if "_STILLTRUE_COMPLETE" in os.environ:  # noqa: TID251 - how click is asked for shell completion
        group.main(prog_name=NAME)
    try:
        code = run(sys.argv[1:])
        if sys.stdout is not None:  # closed by whoever started this
            sys.stdout.flush()
    except BrokenPipeError:
        # whoever read our output has seen enough; keep Python from complaining while it flushes
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = BROKEN_PIPE
    sys.exit(code)


def run(arguments: list[str]) -> int:
    """Run one command line; the exit code, every error told."""
    as_json = wants_json(arguments)
    try:
        # not `group.main`: it ends with 1 for a reader that went away, which here says "stale found"
        with group.make_context(NAME, list(arguments)) as context:
            return int(group.invoke(context) or 0)
    except click.exceptions.Exit as ended:
        return ended.exit_code
    except StillTrueError as error:
        return fail(error.to_json(), as_json=as_json)
    except click.ClickException as error:
        used = error.ctx if isinstance(error, click.UsageError) else None
        hint = f"see: {used.command_path} --help" if used else ""
        return fail({"code": "usage", "message": error.format_message(), "hint": hint}, as_json=as_json)
    except (KeyboardInterrupt, click.Abort):
        return INTERRUPTED
    except BrokenPipeError:
        raise
    except Exception as error:
        if os.environ.get("STILLTRUE_DEBUG"):  # noqa: TID251 - a surface
            raise
        hint = "this is a bug; run with STILLTRUE_DEBUG=1 for the traceback"
        message = f"{type(error).__name__}: {error}"
        return fail({"code": "bug", "message": message, "hint": hint}, as_json=as_json)


def check_arguments(arguments: Iterable[str]) -> None:
    """Refuse what is no text.

    Raises:
        InputError: An argument holds bytes that are no UTF-8.
    """
    for argument in arguments:
        if any("\ud800" <= character <= "\udfff" for character in argument):
            shown = argument.encode("utf-8", "backslashreplace").decode()
            raise InputError(f"an argument is no UTF-8: {shown}", hint="write it in UTF-8")


def wants_json(arguments: list[str]) -> bool:
    """Whether errors are for programs, too; asked before the arguments are parsed."""
    by_format = "--format=json" in arguments or ("--format", "json") in pairwise(arguments)
    return by_format or "--json" in arguments


def fail(error: dict[str, str], *, as_json: bool) -> int:
    """Tell of an error, for people on standard error or for programs on standard output."""
    if as_json:
        say_json({"error": error})
    else:
        hint = f"\n  hint: {error['hint']}" if error.get("hint") else ""
        click.echo(harmless(f"error: {error['message']}{hint}"), err=True)
    return USAGE
