"""What every command is given, and how it answers."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from stilltrue.services.workspace import Surroundings, Workspace

json_option = click.option("--json", "as_json", is_flag=True, help="Answer in JSON.")
key_option = click.option(
    "--key", metavar="KEY", help="An idempotency key: done once, however often repeated."
)


@dataclass
class Context:
    """The global options of one run.

    Attributes:
        start: Where to look for the repository.
        database: What `--db` names, if anything.
        environment: The process's environment.
    """

    start: Path
    database: str | None
    environment: Mapping[str, str]

    @cached_property
    def surroundings(self) -> Surroundings:
        """What services are told of this run."""
        from stilltrue.services.workspace import Surroundings  # noqa: PLC0415 - keeps `--help` fast

        return Surroundings(self.environment, database=self.database)

    @cached_property
    def workspace(self) -> Workspace:
        """The repository."""
        from stilltrue.services.workspace import Workspace  # noqa: PLC0415 - keeps `--help` fast

        return Workspace(self.start, self.surroundings)

    def path_from_here(self, path: str) -> str:
        """A path of the repository as written from the current folder, so that terminals open it."""
        written = os.path.relpath(self.workspace.root / path)
        return path if written.startswith("..") else written.replace(os.sep, "/")

    def path_in_repository(self, path: str) -> str:
        """A path that a person wrote, relative to the repository's root.

        Paths are first taken from the current folder where that lies in the repository, as in any
        other tool; what cannot be mapped is left as it is, for the rules on paths to refuse.
        """
        if os.sep != "/":
            path = path.replace(os.sep, "/")
        here = Path.cwd().resolve()
        root = self.workspace.root
        if PurePosixPath(path).is_absolute() or (here != root and root not in here.parents):
            return path
        prefix = here.relative_to(root).as_posix()
        if prefix == ".":
            return path
        joined = os.path.normpath(f"{prefix}/{path}").replace(os.sep, "/")
        return path if joined.startswith("..") else joined


def say_json(value: Any) -> None:  # noqa: ANN401 - any JSON value
    """Print one JSON value on a line of its own."""
    click.echo(json.dumps(value, ensure_ascii=False))


def say(text: str = "") -> None:
    """Print text for people; in colour only on a terminal that wants it (NO_COLOR)."""
    plain = False if os.environ.get("NO_COLOR") else None  # noqa: TID251 - a surface
    click.echo(text.encode("utf-8", "replace").decode("utf-8"), color=plain)


def note(text: str) -> None:
    """Tell something beside the answer, on standard error."""
    click.echo(text, err=True)
