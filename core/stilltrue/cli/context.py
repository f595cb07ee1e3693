"""What every command is given, and how it answers."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

import click

from stilltrue.errors import InputError
from stilltrue.ide.wording import harmless

if TYPE_CHECKING:
    from stilltrue.services.recording import CitationSpec
    from stilltrue.services.workspace import Surroundings, Workspace

json_option = click.option("--json", "as_json", is_flag=True, help="Answer in JSON.")
key_option = click.option(
    "--key", metavar="KEY", help="An idempotency key: done once, however often repeated."
)


class HookCommand(click.Command):
    """A command that hooks run: with `--hook` even wrong use neither fails nor talks (A53)."""

    def is_quiet(self, args: Sequence[str]) -> bool:
        """Whether these arguments ask for silence."""
        return "--hook" in args

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: Any,  # noqa: ANN401 - handed on
    ) -> click.Context:
        """Parse the arguments; ends with 0 where a hook was written for another version."""
        quiet = self.is_quiet(args)
        try:
            return super().make_context(info_name, args, parent, **extra)
        except click.UsageError:
            if quiet:
                raise click.exceptions.Exit(0) from None
            raise


class QuietCommand(HookCommand):
    """A command that is for hooks alone."""

    def is_quiet(self, args: Sequence[str]) -> bool:
        """Always."""
        del args
        return True


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

        agent = self.environment.get("STILLTRUE_AGENT", "")
        return Surroundings(self.environment, database=self.database, agent=agent)

    @cached_property
    def workspace(self) -> Workspace:
        """The repository."""
        from stilltrue.services.workspace import Workspace  # noqa: PLC0415 - keeps `--help` fast

        return Workspace(self.start, self.surroundings)

    def close(self) -> None:
        """Let go of the store, and tell where it could only be read."""
        if "workspace" in self.__dict__:
            if self.workspace.notice:
                note(self.workspace.notice)
            self.workspace.close()

    def path_from_here(self, path: str) -> str:
        """A path of the repository as written from the current folder, so that terminals open it."""
        written = os.path.relpath(self.workspace.root / path)
        return path if written.startswith("..") else written.replace(os.sep, "/")

    def path_in_repository(self, path: str) -> str:
        """A path that a person wrote for a citation, relative to the repository's root.

        Paths are first taken from the current folder where that lies in the repository, as in any
        other tool; what cannot be mapped is left as it is, for the rules on paths to refuse.
        """
        if os.sep != "/":
            path = path.replace(os.sep, "/")
        here = Path.cwd().resolve()
        root = self.workspace.root
        if not path or PurePosixPath(path).is_absolute() or (here != root and root not in here.parents):
            return path
        prefix = here.relative_to(root).as_posix()
        if prefix == ".":
            return path
        joined = os.path.normpath(f"{prefix}/{path}").replace(os.sep, "/")
        return path if joined.startswith("..") else joined

    def place_in_repository(self, path: str) -> str:
        """A file or folder to look at, relative to the root: `.` and paths from the root of the disk will do.

        Raises:
            InputError: It lies outside the repository.
        """
        root = self.workspace.root
        named = Path(path) if Path(path).is_absolute() else root / self.path_in_repository(path)
        # the folder may be reached through a symlink; what is named in it may be one, or be gone
        real = Path(os.path.realpath(named.parent)) / named.name if named.name != ".." else named.resolve()
        if real == root or (named.exists() and root.samefile(named)):
            return "."
        if root not in real.parents:
            raise InputError(f"{path} lies outside {root}", hint="name files or folders of the repository")
        return real.relative_to(root).as_posix()

    def cited(self, written: str, parse: Callable[[str], CitationSpec]) -> CitationSpec:
        """What a person cites from the current folder, with its path relative to the repository's root.

        `../` climbs no further than the root: beyond it the rules on paths refuse it, as any other `..`.
        """
        if written.startswith((f"..{os.sep}", "../")):
            return parse(self.path_in_repository(written))
        spec = parse(written)
        return replace(spec, path=self.path_in_repository(spec.path)) if spec.path else spec


def say_json(value: Any) -> None:  # noqa: ANN401 - any JSON value
    """Print one JSON value on a line of its own: in UTF-8, or escaped where the output cannot have that."""
    text = json.dumps(value, ensure_ascii=False)
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        text = json.dumps(value)
    click.echo(text)


def say(text: str = "") -> None:
    """Print text for people; in colour only on a terminal that wants it (NO_COLOR)."""
    plain = False if os.environ.get("NO_COLOR") else None  # noqa: TID251 - a surface
    click.echo(text, color=plain)


def note(text: str) -> None:
    """Tell something beside the answer, on standard error."""
    click.echo(harmless(text), err=True)
