"""What git says changed in a working tree since a commit, for passes that look at nothing else (E21 to E23).

Every name comes NUL separated and unquoted. An answer is complete, or it is None.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from stilltrue.source.git import Git

_STATUS = ("status", "--porcelain=v1", "-z", "--untracked-files=all", "--ignore-submodules=none")
_QUIET = ("-c", "core.fsmonitor=false")
"""A status that is asked in the background starts no program that a configuration names."""

_PLAIN_FILE = re.compile(rb"H 100(?:644|755) [0-9a-f]{40,64} 0\t(?P<name>[^\0]+)\0")
_UNTRACKED = b"??"
_UNDER_WAY = {
    "MERGE_HEAD": "a merge",
    "rebase-merge": "a rebase",
    "rebase-apply": "a rebase",
    "CHERRY_PICK_HEAD": "a cherry-pick",
    "REVERT_HEAD": "a revert",
    "BISECT_LOG": "a bisection",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """What differs in a working tree. Paths are relative to its root, with `/`.

    Attributes:
        head: The commit that is checked out, by its full hash.
        committed: What commits changed since the one that was asked about, under both names of a rename.
        uncommitted: Tracked files that differ from `head`, in the tree or the index, likewise.
        untracked: Files that git neither tracks nor ignores.
        vouched: Those of the files that were asked about of which git's silence says that nothing changed.
    """

    head: str
    committed: frozenset[str]
    uncommitted: frozenset[str]
    untracked: frozenset[str]
    vouched: frozenset[str]

    def may_differ(self, path: str) -> bool:
        """Whether the file may hold other bytes than at the commit that was asked about.

        What is ignored, reached by a symlink, in a repository of its own, marked as unchanged or written
        otherwise than git writes it is never vouched for.
        """
        return (
            path not in self.vouched
            or path in self.committed
            or path in self.uncommitted
            or path in self.untracked
        )


def changes_since(git: Git, commit: str, paths: Collection[str]) -> Changes | None:
    """What changed between `commit` and the working tree, with four processes for any number of `paths`.

    None where it cannot be told: no repository, no commit yet, a commit that is gone, git failed.
    """
    head = git.head()
    if head is None:
        return None
    compared = git.run("diff-tree", "-r", "-z", "--name-only", "--no-renames", "--no-ext-diff", commit, head)
    status = git.run(*_QUIET, *_STATUS)
    known = git.run("ls-files", "-s", "-v", "-z")
    if not (compared.ok and status.ok and known.ok):
        return None
    asked = {os.fsencode(path): path for path in paths}
    names = (found["name"] for found in _PLAIN_FILE.finditer(known.output))
    uncommitted, untracked = _status(status.output)
    return Changes(
        head=head,
        committed=frozenset(os.fsdecode(name) for name in compared.output.split(b"\0") if name),
        uncommitted=uncommitted,
        untracked=untracked,
        vouched=frozenset(asked[name] for name in names if name in asked),
    )


def why_unsettled(git: Git, cited: Collection[str]) -> str | None:
    """Why the tree is no basis for writing memories, in words; None where it is clean.

    Untracked files count only if they are `cited`.
    """
    status = git.run(*_QUIET, *_STATUS)
    folder = git.run("rev-parse", "--absolute-git-dir")
    if not (status.ok and folder.ok):
        return "git does not tell whether the working tree is clean"
    private = Path(os.fsdecode(folder.output.rstrip(b"\n")))
    for name, what in _UNDER_WAY.items():
        if (private / name).exists():
            return f"{what} is under way"
    uncommitted, untracked = _status(status.output)
    named = sorted(uncommitted) or sorted(untracked & set(cited))
    if not named:
        return None
    others = f" and {len(named) - 1} more" if len(named) > 1 else ""
    return f"not committed yet is {named[0]}{others}"


def _status(output: bytes) -> tuple[frozenset[str], frozenset[str]]:
    """What differs and what is untracked."""
    uncommitted, untracked = set[str](), set[str]()
    for code, name in _entries(output):
        (untracked if code == _UNTRACKED else uncommitted).add(os.fsdecode(name))
    return frozenset(uncommitted), frozenset(untracked)


def _entries(output: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Code and name of each entry; a rename or copy is followed by its former name."""
    fields = iter(output.split(b"\0"))
    for field in fields:
        if not field:
            continue
        code, name = field[:2], field[3:].rstrip(b"/")
        yield code, name
        if b"R" in code or b"C" in code:
            yield code, next(fields, name)
