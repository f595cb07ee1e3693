"""`stilltrue lsp`: starts the server package by name, so that the command line never imports it."""

from __future__ import annotations

import runpy
import sys

import click

from stilltrue.cli.context import Context


@click.command(
    "lsp",
    short_help="Start the language server for an editor.",
    context_settings={"ignore_unknown_options": True, "allow_extra_args": True, "help_option_names": []},
)
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
@click.pass_obj
def command(context: Context, arguments: tuple[str, ...]) -> None:
    """Start the language server over standard input and output; an editor does this for you."""
    given = ["--db", context.database] if context.database else []
    sys.argv = ["stilltrue lsp", *given, *arguments]
    runpy.run_module("stilltrue_lsp", run_name="__main__", alter_sys=True)
