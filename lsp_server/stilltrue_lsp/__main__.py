"""The server's command line: `python -m stilltrue_lsp`, which `stilltrue lsp` runs."""

from __future__ import annotations

import argparse
import logging
import os
import sys

from stilltrue import __version__
from stilltrue.errors import StillTrueError
from stilltrue.services.workspace import Surroundings
from stilltrue_lsp.server import build_server
from stilltrue_lsp.stdio import log_to_stderr, start_stdio

LEVELS = ("error", "warning", "info", "debug")


def main() -> int:
    """Serve one client over standard input and output; returns the exit code of the protocol."""
    parser = argparse.ArgumentParser(
        prog="stilltrue lsp", description="The StillTrue language server, over standard input and output."
    )
    parser.add_argument("--db", metavar="URL", help="the database: a file, as for every command")
    parser.add_argument("--log-level", choices=LEVELS, default="warning", help="what goes to standard error")
    parser.add_argument("--stdio", action="store_true", help="taken for granted; some clients add it")
    parser.add_argument("--version", action="version", version=__version__)
    given = parser.parse_args()
    log_to_stderr(__version__, getattr(logging, given.log_level.upper()))
    try:
        environment = dict(os.environ)  # noqa: TID251 - a surface
        server = build_server(
            Surroundings(environment, database=given.db, agent=environment.get("STILLTRUE_AGENT", ""))
        )
    except StillTrueError as error:
        # before initialize is answered one plain line is all a person gets to see
        sys.stderr.write(f"stilltrue: {error.message}. {error.hint}\n")
        return 1
    return start_stdio(server)


if __name__ == "__main__":
    sys.exit(main())
