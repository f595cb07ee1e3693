"""The `stilltrue` command: global options, lazily loaded commands, errors and exit codes.

Exit codes: 0 fine, 1 something needs attention, 2 wrong use or unusable input.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
from pathlib import Path
from typing import Any, NoReturn

import click

from stilltrue import __version__
from stilltrue.cli.context import Context
from stilltrue.errors import StillTrueError

COMMANDS = {
    "remember": "Remember something about code, with the lines that back it.",
    "check": "Say which memories the code no longer backs.",
    "list": "List what is remembered about this repository.",
    "show": "Show one memory, what it cites and what changed.",
    "why": "Tell how a memory came to be.",
    "reverify": "Still true: take the cited lines as they are now.",
    "supersede": "Replace a memory by a new one.",
    "repoint": "Let a citation point at other lines.",
    "retract": "End memories that are not worth keeping.",
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
        module = importlib.import_module(f"stilltrue.cli.commands.{cmd_name}")
        command: click.Command = module.command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands from the table above, without importing them."""
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.command(
    cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}
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
    environment = dict(os.environ)  # noqa: TID251 - a surface
    ctx.obj = Context(Path(repo), db, environment)


def main() -> NoReturn:
    """Run the command line and end the process with its exit code."""
    arguments = sys.argv[1:]
    as_json = "--json" in arguments or ("--format" in arguments and "json" in arguments)
    try:
        sys.exit(group.main(arguments, prog_name="stilltrue", standalone_mode=False) or 0)
    except StillTrueError as error:
        fail(error.to_json(), as_json=as_json)
    except click.ClickException as error:
        hint = (
            f"see: {error.ctx.command_path} --help"
            if isinstance(error, click.UsageError) and error.ctx
            else ""
        )
        fail({"code": "usage", "message": error.format_message(), "hint": hint}, as_json=as_json)
    except (KeyboardInterrupt, click.Abort):
        sys.exit(130)
    except BrokenPipeError:
        # whoever read our output has seen enough; keep Python from complaining while it flushes
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except Exception as error:
        if os.environ.get("STILLTRUE_DEBUG"):  # noqa: TID251 - a surface
            raise
        hint = "this is a bug; STILLTRUE_DEBUG=1 shows where it happened"
        fail({"code": "bug", "message": f"{type(error).__name__}: {error}", "hint": hint}, as_json=as_json)


def fail(error: dict[str, Any], *, as_json: bool) -> NoReturn:
    """Tell of an error, for people on standard error or for programs on standard output, and exit with 2."""
    if as_json:
        sys.stdout.write(json.dumps({"error": error}, ensure_ascii=False) + "\n")
    else:
        hint = f"\n  hint: {error['hint']}" if error.get("hint") else ""
        sys.stderr.write(f"error: {error['message']}{hint}\n")
    sys.exit(2)
