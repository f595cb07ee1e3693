"""The real command line: in this process for the many small questions, as a process where that matters."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from stilltrue.cli.main import run


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
        """Run it in this process: whatever `main` does, but for the process's own end."""
        streams = CliRunner(env=self.own_environment).isolation(input=given)
        with contextlib.chdir(cwd or self.folder), streams as (out, err, _):
            code = run([os.fsdecode(each) for each in arguments])
            return Answer(code, _text(out.getvalue()), _text(err.getvalue()))

    def process(self, *arguments: str | bytes, given: str | bytes = b"", cwd: Path | None = None) -> Answer:
        """Run it as a process of its own."""
        done = subprocess.run(
            self.command(*arguments),
            cwd=cwd or self.folder,
            env=self.full_environment,
            input=given.encode() if isinstance(given, str) else given,
            capture_output=True,
            check=False,
            timeout=60,
        )
        return Answer(done.returncode, _text(done.stdout), _text(done.stderr))

    def start(self, *arguments: str | bytes) -> subprocess.Popen[bytes]:
        """Start it and go on."""
        return subprocess.Popen(
            self.command(*arguments),
            cwd=self.folder,
            env=self.full_environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def command(self, *arguments: str | bytes) -> list[str | bytes]:
        return [sys.executable, "-m", "stilltrue", *arguments]

    @property
    def own_environment(self) -> dict[str, str]:
        """The test's own homes, so that nothing of the user's is read or written."""
        home = self.database.parent / "home"
        names = ("CONFIG", "DATA", "STATE", "CACHE")
        homes = {f"XDG_{name}_HOME": str(home / name.lower()) for name in names}
        return {**homes, "STILLTRUE_DB": str(self.database), "NO_COLOR": "1", **self.environment}

    @property
    def full_environment(self) -> dict[str, str]:
        """The same over this process's environment."""
        return {**os.environ, **self.own_environment}


def _text(data: bytes) -> str:
    return data.decode("utf-8").replace("\r\n", "\n")
