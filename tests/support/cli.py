"""The real command line: in this process for the many small questions, as a process where that matters."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Answer:
    """What a run of the command line left."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:  # noqa: ANN401 - any JSON value
        return json.loads(self.out)

    @property
    def error(self) -> dict[str, str]:
        """The error of a run with --json."""
        told: dict[str, str] = self.json["error"]
        return told


@dataclass
class Stilltrue:
    """`stilltrue`, run in one folder with one store."""

    folder: Path
    database: Path
    environment: dict[str, str] = field(default_factory=dict)

    def __call__(self, *arguments: str | bytes, given: str | bytes = b"", cwd: Path | None = None) -> Answer:
        done = subprocess.run(
            self.command(*arguments),
            cwd=cwd or self.folder,
            env=self.full_environment,
            input=given.encode() if isinstance(given, str) else given,
            capture_output=True,
            check=False,
            timeout=60,
        )
        return Answer(done.returncode, done.stdout.decode(), done.stderr.decode())

    def command(self, *arguments: str | bytes) -> list[str | bytes]:
        return [sys.executable, "-m", "stilltrue", *arguments]

    @property
    def full_environment(self) -> dict[str, str]:
        """The test's own homes, so that nothing of the user's is read or written."""
        home = self.database.parent / "home"
        names = ("CONFIG", "DATA", "STATE", "CACHE")
        homes = {f"XDG_{name}_HOME": str(home / name.lower()) for name in names}
        own = {"STILLTRUE_DB": str(self.database), "NO_COLOR": "1"}
        return {**os.environ, **homes, **own, **self.environment}
