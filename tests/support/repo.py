"""A real repository for tests: a folder with git, or without."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Self

IDENTITY = ("-c", "user.name=test", "-c", "user.email=test@localhost", "-c", "commit.gpgsign=false")


@dataclass(frozen=True)
class Repo:
    """A repository's working tree."""

    root: Path

    @classmethod
    def git(cls, root: Path) -> Self:
        """An empty git repository."""
        root.mkdir(parents=True)
        repo = cls(root)
        repo.run("init", "-q", "-b", "main")
        return repo

    def write(self, path: str, text: str | bytes) -> Path:
        """Write a file as it is given, whatever its line ends."""
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
        return file

    def commit(self, message: str) -> str:
        """Commit everything; the commit's full hash."""
        self.run("add", "-A")
        self.run(*IDENTITY, "commit", "-q", "--allow-empty", "-m", message)
        return self.run("rev-parse", "HEAD").strip()

    def rename(self, old: str, new: str) -> None:
        (self.root / new).parent.mkdir(parents=True, exist_ok=True)
        self.run("mv", old, new)

    def run(self, *arguments: str) -> str:
        done = subprocess.run(
            ["git", "-C", str(self.root), *arguments], check=True, capture_output=True, text=True
        )
        return done.stdout
