"""The stage of the demo: real code that others wrote, and what a colleague does to it."""

from __future__ import annotations

import importlib.util
import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from stilltrue.errors import StillTrueError
from stilltrue.source.git import Git

IDENTITY = (
    *("-c", "user.name=demo", "-c", "user.email=demo@localhost", "-c", "commit.gpgsign=false"),
    *("-c", f"core.hooksPath={os.devnull}"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """One memory of the demo and what happens to its code.

    Attributes:
        text: What is remembered.
        path: The file, relative to the repository.
        first: A text that begins the first cited line.
        lines: How many lines are cited.
        expected: The verdict that is right after the changes, such as `stale/text-changed`.
    """

    text: str
    path: str
    first: str
    lines: int
    expected: str


SCENES = (
    Scene(
        text="echo() writes bytes as they are, without encoding them",
        path="click/utils.py",
        first="def echo(",
        lines=12,
        expected="stale/text-changed",
    ),
    Scene(
        text="A prompt that is aborted raises Abort",
        path="click/termui.py",
        first="def prompt(",
        lines=10,
        expected="moved/same-file",
    ),
    Scene(
        text="progress bars are drawn by ProgressBar in _termui_impl",
        path="click/_termui_impl.py",
        first="class ProgressBar",
        lines=6,
        expected="stale/file-missing",
    ),
    Scene(
        text="UsageError carries the context it happened in",
        path="click/exceptions.py",
        first="class UsageError",
        lines=12,
        expected="stale/line-endings",
    ),
    Scene(
        text="Help is wrapped to the width of the terminal by HelpFormatter",
        path="click/formatting.py",
        first="class HelpFormatter",
        lines=8,
        expected="fresh/same-bytes",
    ),
)
SUCCESSOR = Scene(
    text="progressbar() in termui.py is where progress bars begin",
    path="click/termui.py",
    first="def progressbar(",
    lines=4,
    expected="fresh/same-bytes",
)


def build_repository(folder: Path, git: Git) -> None:
    """Copy the source of the installed click package into `folder` and commit it.

    Raises:
        StillTrueError: click's source is not there, or git is not.
    """
    found = importlib.util.find_spec("click")
    if found is None or found.origin is None:
        raise StillTrueError("the source of click is not installed", hint="pip install click")
    source = Path(found.origin).parent
    shutil.copytree(source, folder / "click", ignore=shutil.ignore_patterns("__pycache__", "*.pyc"))
    for arguments in (("init", "-q"), ("add", "-A"), (*IDENTITY, "commit", "-q", "-m", "click as released")):
        if not git.run(*arguments).ok:
            raise StillTrueError("git could not make the demo's repository", hint="is git installed?")


def cited_lines(folder: Path, scene: Scene) -> tuple[int, int]:
    """The lines a scene cites, 1-based and inclusive.

    Raises:
        StillTrueError: This release of click has no such line.
    """
    rows = (folder / scene.path).read_text("utf-8").split("\n")
    for number, row in enumerate(rows, start=1):
        if row.startswith(scene.first):
            return number, number + scene.lines - 1
    raise StillTrueError(f"this release of click has no line {scene.first!r} in {scene.path}")


def change_as_a_colleague(folder: Path) -> None:
    """A parameter added, lines inserted above others, a file deleted, line ends flipped, one left alone."""
    edited, shifted, deleted, flipped, _ = SCENES
    start, _ = cited_lines(folder, edited)
    rows = (folder / edited.path).read_text("utf-8").split("\n")
    rows.insert(start + 1, "    flush: bool = True,")
    _write(folder / edited.path, "\n".join(rows))
    text = (folder / shifted.path).read_text("utf-8")
    _write(folder / shifted.path, "# Terminal prompts.\n# Reviewed by the platform team.\n" + text)
    (folder / deleted.path).unlink()
    text = (folder / flipped.path).read_text("utf-8")
    _write(folder / flipped.path, text.replace("\n", "\r\n"))


def _write(path: Path, text: str) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        file.write(text)
