"""Which files of a repository are searched for text that left its own (D11).

What git ignores is not searched; without git the same patterns are read from `.gitignore` files on the way.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from stilltrue.source.git import Git

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

NEVER_SEARCHED = frozenset(
    {".git", ".hg", ".svn", ".jj", "node_modules", "__pycache__", ".venv", ".tox", ".nox"}
)
"""Folders that no ignore file need name."""
_LS_FILES = ("-c", "core.fsmonitor=false", "ls-files", "-z", "--cached", "--others", "--exclude-standard")


def listed(root: Path, git: Git | None) -> list[str]:
    """The paths that may be searched, relative to the root with `/`; some may be gone or no files.

    Args:
        root: The repository's root.
        git: Git there; None where there is none. If it cannot answer, the folders are walked.
    """
    answer = git.run(*_LS_FILES) if git else None
    if answer is None or not answer.ok:
        return sorted(_walked(root))
    # during a merge a path is listed once for each side
    return list(dict.fromkeys(os.fsdecode(name) for name in answer.output.split(b"\0") if name))


def size_of(root: Path, path: str) -> int | None:
    """How many bytes a regular file has; None for anything else, a symlink among them: it is no copy."""
    try:
        found = os.lstat(root / path)
    except (OSError, ValueError):
        return None
    return found.st_size if stat.S_ISREG(found.st_mode) else None


def nearest_first(paths: Iterable[str], near: Collection[str]) -> list[str]:
    """The paths, those in the same folders as `near` and of the same kind first, else as they come."""
    folders = {path.rpartition("/")[0] for path in near}
    kinds = {_kind(path) for path in near}
    return sorted(paths, key=lambda path: (path.rpartition("/")[0] not in folders, _kind(path) not in kinds))


def _kind(path: str) -> str:
    return os.path.splitext(path)[1]  # noqa: PTH122 - a path object for each file of a repository is slow


def _walked(root: Path) -> Iterator[str]:
    """Every file below the root that no `.gitignore` on the way to it names."""
    waiting: list[tuple[str, tuple[tuple[str, GitIgnoreSpec], ...]]] = [("", ())]
    while waiting:
        folder, patterns = waiting.pop()
        try:
            entries = list(os.scandir(root / folder))
        except OSError:
            continue
        patterns = (*patterns, *_ignore_file(root, folder, entries))
        for entry in entries:
            path = folder + entry.name
            is_folder = entry.is_dir(follow_symlinks=False)
            if (is_folder and entry.name in NEVER_SEARCHED) or _is_ignored(path + "/" * is_folder, patterns):
                continue
            if is_folder:
                waiting.append((path + "/", patterns))
            elif entry.is_file(follow_symlinks=False):
                yield path


def _ignore_file(
    root: Path, folder: str, entries: Iterable[os.DirEntry[str]]
) -> Iterator[tuple[str, GitIgnoreSpec]]:
    from pathspec import GitIgnoreSpec  # noqa: PLC0415 - its import takes longer than most commands

    if any(entry.name == ".gitignore" and entry.is_file(follow_symlinks=False) for entry in entries):
        try:
            text = (root / folder / ".gitignore").read_text("utf-8", errors="replace")
            yield folder, GitIgnoreSpec.from_lines(text.split("\n"))
        except (OSError, ValueError):
            return


def _is_ignored(path: str, patterns: Iterable[tuple[str, GitIgnoreSpec]]) -> bool:
    """The last ignore file on the way that says anything decides."""
    ignored = False
    for folder, spec in patterns:
        said = spec.check_file(path.removeprefix(folder)).include
        ignored = ignored if said is None else said
    return ignored
