"""A real repository, click's own source, with memories recorded through the command line."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from support.repo import Repo


@dataclass(frozen=True)
class Line:
    """A line that a memory is about, found by its text: click may change.

    Attributes:
        path: The file, below the root.
        number: 1-based.
        text: Without its indentation.
    """

    path: str
    number: int
    text: str

    @property
    def place(self) -> str:
        return f"{self.path}:{self.number}"


@dataclass(frozen=True)
class Project:
    """A repository and the store that its memories are in.

    Attributes:
        root: The repository.
        environment: What the command line gets, the store's place above all.
    """

    root: Path
    environment: Mapping[str, str]

    @classmethod
    def of_click(cls, root: Path, environment: Mapping[str, str]) -> Project:
        """Click's source in a git repository, without memories."""
        repo = Repo.git(root)
        package = Path(click.__file__).parent
        shutil.copytree(package, root / "src/click", ignore=shutil.ignore_patterns("__pycache__"))
        repo.commit("click")
        return cls(root, environment)

    def line(self, path: str, pattern: str) -> Line:
        """The first line of a file that holds a pattern."""
        lines = (self.root / path).read_text("utf-8").split("\n")
        number = next(number for number, text in enumerate(lines, 1) if re.search(pattern, text))
        return Line(path, number, lines[number - 1].strip())

    def cli(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run `stilltrue` here as from a terminal."""
        return subprocess.run(
            [sys.executable, "-m", "stilltrue", *arguments],
            cwd=self.root,
            env=dict(self.environment),
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    def ask(self, *arguments: str) -> Any:  # noqa: ANN401 - any JSON value
        """What `stilltrue … --json` answers."""
        done = self.cli(*arguments, "--json")
        assert done.stdout, done.stderr
        return json.loads(done.stdout)

    def remember(self, text: str, place: str) -> str:
        """Record a memory; its short id."""
        identity: str = self.ask("remember", text, "--cite", place)["id"]
        return identity
