"""A `git` that notes each of its starts and then is the real one, for counting processes."""

from __future__ import annotations

import os
import shlex
import shutil
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class GitShim:
    """A folder to put first on PATH."""

    folder: Path

    @classmethod
    def made(cls, folder: Path, *, instead: str = "") -> GitShim:
        """A shim in that folder; `instead` is what shell runs in place of git."""
        folder.mkdir(parents=True)
        shim = cls(folder)
        act = instead or f'exec {shlex.quote(shutil.which("git") or "git")} "$@"'
        program = folder / "git"
        program.write_text(f'#!/bin/sh\necho "$*" >> {shlex.quote(str(shim.log))}\n{act}\n')
        program.chmod(0o755)
        return shim

    @property
    def log(self) -> Path:
        return self.folder / "starts.txt"

    @property
    def environment(self) -> dict[str, str]:
        """This process's environment with the shim first on PATH."""
        return {**os.environ, "PATH": f"{self.folder}{os.pathsep}{os.environ['PATH']}"}

    @property
    def starts(self) -> list[str]:
        """The arguments of each start, in order."""
        return self.log.read_text("utf-8", "surrogateescape").splitlines() if self.log.exists() else []
