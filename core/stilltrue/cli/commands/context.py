"""`stilltrue context`."""

from __future__ import annotations

from contextlib import suppress

import click

from stilltrue.cli.context import Context, QuietCommand, say


@click.command(
    "context", cls=QuietCommand, short_help="A text for agents: what is remembered and still backed."
)
@click.argument("query", required=False, default="")
@click.option(
    "--max-tokens", type=int, default=1500, show_default=True, metavar="N", help="How long at most."
)
@click.pass_obj
def command(context: Context, query: str, *, max_tokens: int) -> int:
    """Print what an agent should know at the start of a session, or about QUERY.

    \b
    stilltrue context                       for a session-start hook
    stilltrue context "how are calls retried"

    At a session's start stale memories are left out and counted; for a QUERY they stand below, as in need of
    re-verification. Whatever goes wrong, nothing is printed and the exit code is 0; no store is made.
    """
    text = ""
    with suppress(Exception):
        from stilltrue.services.packet import packet  # noqa: PLC0415 - a hook must not fail to import

        text = packet(context.workspace, query, max_tokens=max_tokens)
    with suppress(Exception):
        if text:
            say(text.rstrip("\n"))
    with suppress(Exception):
        context.workspace.close()
        del context.workspace  # whose notices would be told at the end of the run
    return 0
