"""Editors on a real terminal: keys go in, the screen comes out, and a repository with memories is open."""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import pexpect
import pyte
from markdown_it import MarkdownIt

from support.cli import Stilltrue
from support.repo import Repo
from support.waiting import PATIENCE

ROOT = Path(__file__).parents[2]
ROWS, COLUMNS = 40, 140

SOURCE = """import os


def retry(call):
    for attempt in range(5):
        call(attempt)


API_VERSION = "v2.1.4"


def greet():
    return '😀é漢 hello'
"""


@dataclass(frozen=True)
class Project:
    """A repository with three memories, and the user it belongs to.

    Attributes:
        repo: The repository; `src/client.py` is cited.
        stilltrue: The command line, run as that user.
    """

    repo: Repo
    stilltrue: Stilltrue

    @classmethod
    def made_in(cls, folder: Path) -> Self:
        """The repository of the tests below `folder`, its memories recorded through the command line."""
        repo = Repo.git(folder / "repo")
        repo.write("src/client.py", SOURCE)
        repo.commit("first")
        (folder / "user").mkdir()
        stilltrue = Stilltrue(repo.root, folder / "user" / "memories.db", {"HOME": str(folder / "user")})
        for text, place in (
            ("Retries stop after 5 attempts", "src/client.py:4-6"),
            ("The API version is v2.1.4", "src/client.py:9"),
            ("The greeting is friendly", "src/client.py:13"),
        ):
            assert stilltrue("remember", text, "--cite", place).code == 0
        return cls(repo, stilltrue)

    @property
    def home(self) -> Path:
        return self.stilltrue.database.parent

    @property
    def file(self) -> Path:
        return self.repo.root / "src/client.py"

    @property
    def environment(self) -> dict[str, str]:
        """The environment of an editor: the user's own folders, and `stilltrue` on the path."""
        path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
        return {
            **self.stilltrue.full_environment,
            "HOME": str(self.home),
            "PATH": path,
            "TERM": "linux",
            "LC_ALL": "C.UTF-8",
        }

    def memory(self, name: str) -> Any:  # noqa: ANN401 - whatever the command line answers
        """What `stilltrue show` says of a memory."""
        return self.stilltrue("show", name, "--json").json

    def verdicts(self) -> dict[str, str]:
        """Freshness of each live memory, by name, as the file lies on disk."""
        told = self.stilltrue("list", "--json").json["memories"]
        return {each["id"]: each["freshness"] for each in told}

    def servers(self) -> list[int]:
        """The language servers of this user that run."""
        found = []
        for process in Path("/proc").glob("[0-9]*"):
            try:
                environment = (process / "environ").read_bytes()
                command = (process / "cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            if os.fsencode(self.stilltrue.database) in environment and b"lsp" in command:
                found.append(int(process.name))
        return found


class Terminal:
    """One program on a terminal of its own.

    Attributes:
        command: The program and its arguments.
        folder: Where it runs.
        environment: Its whole environment.
    """

    def __init__(self, command: list[str], folder: Path, environment: dict[str, str]) -> None:
        self.command = command
        self.folder = folder
        self.environment = environment

    def __enter__(self) -> Self:
        self._screen = pyte.Screen(COLUMNS, ROWS)
        self._stream = pyte.ByteStream(self._screen)
        self._child: pexpect.spawn[bytes] = pexpect.spawn(
            self.command[0],
            self.command[1:],
            cwd=str(self.folder),
            env=self.environment,
            dimensions=(ROWS, COLUMNS),
        )
        self._child.delaybeforesend = None
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._child.close(force=True)

    @property
    def text(self) -> str:
        """What the screen shows."""
        return "\n".join(line.rstrip() for line in self._screen.display)

    def press(self, keys: str) -> None:
        """Press keys, as a person would."""
        self._child.send(keys)

    def shows(
        self, wanted: str | Callable[[str], object], what: str = "", *, patience: float = PATIENCE
    ) -> str:
        """The screen once it shows `wanted`.

        Args:
            wanted: A text, or whatever tells of the screen's text whether it is the one.
            what: How to name it where it does not come.
            patience: For how many seconds it may not come.
        """
        look = wanted if callable(wanted) else lambda text: wanted in text
        end = time.monotonic() + patience
        while not look(self.text):
            alive = self._read()
            assert alive, f"ended before it showed: {what or wanted}\n{self.text}"
            assert time.monotonic() < end, f"never shown: {what or wanted}\n{self.text}"
        return self.text

    def until(self, look: Callable[[], object], what: str, *, patience: float = PATIENCE) -> None:
        """Wait for something outside the screen while the program goes on drawing."""
        end = time.monotonic() + patience
        while not look():
            if not self._read():
                time.sleep(0.02)  # it draws no more
            assert time.monotonic() < end, f"timed out: {what}\n{self.text}"

    def ended(self) -> None:
        """Wait until the program is over."""
        end = time.monotonic() + PATIENCE
        while self._read():
            assert time.monotonic() < end, f"still running\n{self.text}"
        self._child.wait()

    def _read(self) -> bool:
        """Take in what the program drew; False once it is over."""
        try:
            drawn = self._child.read_nonblocking(65536, timeout=0.05)
        except pexpect.TIMEOUT:
            return True
        except pexpect.EOF:
            return False
        self._stream.feed(drawn)
        return True


def configuration(heading: str, language: str) -> str:
    """The first snippet under a heading of docs/editors.md: what the docs say is what is tried."""
    tokens = MarkdownIt().parse((ROOT / "docs/editors.md").read_text("utf-8"))
    under = ""
    for token, following in zip(tokens, [*tokens[1:], None], strict=True):
        if token.type == "heading_open" and following is not None:
            under = following.content
        if token.type == "fence" and token.info == language and under == heading:
            return token.content
    raise LookupError(f"no {language} under {heading!r} in docs/editors.md")


def draft_path(screen: str) -> str:
    """The path of a draft in a message on the screen, which may be broken at the screen's edge."""
    joined = screen.replace("\\\n", "").replace("\n", "")
    found = re.search(r"write the text here and save: (\S+?\.md)", joined)
    assert found, screen
    return found[1]
