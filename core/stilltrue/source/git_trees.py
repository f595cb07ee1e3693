"""The folders that pinned paths lie in, at many commits, and what differs between them and HEAD's."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto

from stilltrue.source.git import Git
from stilltrue.source.git_objects import look_up

SHA1_HEX = 40
_DIFFERENCE = re.compile(rb":[0-7]+ ([0-7]+) [0-9a-f]+ [0-9a-f]+ [A-Z][0-9]*\0([^\0]*)\0")
_TOLD = re.compile(
    rb"([0-9a-f]{40,64}) ([0-9a-f]{40,64})\n((?::[0-7]+ [0-7]+ [0-9a-f]+ [0-9a-f]+ [A-Z][0-9]*\0[^\0]*\0)*+)"
)
_FOLDER_MODE = b"040000"

Folder = tuple[str, bytes]
"""A commit, and a folder of it; empty for the root."""


class Difference(Enum):
    """What became of a path between a commit and HEAD."""

    SAME = auto()
    CHANGED = auto()
    IN_NEITHER = auto()
    OBJECTS_MISSING = auto()


def split_path(path: bytes) -> tuple[bytes, bytes]:
    """Folder and name."""
    folder, _, name = path.rpartition(b"/")
    return folder, name


@dataclass(frozen=True, slots=True)
class Trees:
    """The folders that pins lie in, and what differs between them.

    Attributes:
        head: The commit compared with.
        trees: The tree of each folder; the empty one where there is no such folder.
        holders: For each folder without a tree, the tree nearest above it and the name that leads down.
        entries: What differs between two trees: the name with its mode in the second one.
        empty: The empty tree.
    """

    head: str
    trees: Mapping[Folder, str]
    holders: Mapping[Folder, tuple[str, bytes] | None]
    entries: Mapping[tuple[str, str], Mapping[bytes, bytes]]
    empty: str

    @classmethod
    def read(cls, git: Git, head: str, folders: Collection[Folder]) -> Trees | None:
        """Ask git for all of it; None where it cannot tell."""
        empty = _empty_tree(len(head))
        found = _trees_of(git, sorted(folders))
        if found is None:
            return None
        missing = [folder for folder, tree in found.items() if tree is None]
        above = _trees_of(git, sorted({up for folder in missing for up in _above(folder)})) if missing else {}
        if above is None:
            return None
        holders = {folder: _holder(folder, above) for folder in missing}
        trees = {folder: tree or empty for folder, tree in found.items()}
        pairs = {(tree, trees[head, name]) for (_, name), tree in trees.items()}
        pairs |= {(empty, trees[head, name]) for _, name in trees}
        pairs |= {(empty, holder[0]) for holder in holders.values() if holder}
        entries = _differences(git, sorted((one, two) for one, two in pairs if one != two))
        return None if entries is None else cls(head, trees, holders, entries, empty)

    def compare(self, commit: str, folder: bytes, name: bytes) -> Difference:
        """What became of an entry between that commit and HEAD: its mode and its content count (A32)."""
        if self._is_unsure((commit, folder)) or self._is_unsure((self.head, folder)):
            return Difference.OBJECTS_MISSING
        then, now = self.trees[commit, folder], self.trees[self.head, folder]
        if name in self.entries.get((then, now), ()):
            return Difference.CHANGED
        if name not in self.entries.get((self.empty, now), ()):
            return Difference.IN_NEITHER
        return Difference.SAME

    def _is_unsure(self, folder: Folder) -> bool:
        """The folder exists, but its tree is not in this clone."""
        if folder not in self.holders:
            return False
        holder = self.holders[folder]
        if holder is None:
            return True
        tree, name = holder
        return self.entries.get((self.empty, tree), {}).get(name) == _FOLDER_MODE


def _above(folder: Folder) -> list[Folder]:
    """The folders that hold it, the nearest first; the root, which nothing holds, has none."""
    commit, name = folder
    found = []
    while name:
        name = split_path(name)[0]
        found.append((commit, name))
    return found


def _holder(folder: Folder, above: Mapping[Folder, str | None]) -> tuple[str, bytes] | None:
    """The nearest tree above a folder, with the name in it that leads down; None: not even the root's."""
    down = folder[1]
    for up in _above(folder):
        if tree := above[up]:
            return tree, split_path(down)[1]
        down = up[1]
    return None


def _trees_of(git: Git, folders: Sequence[Folder]) -> dict[Folder, str | None] | None:
    answers = look_up(git, [commit.encode() + b":" + name for commit, name in folders])
    if answers is None:
        return None
    return {
        folder: answer.oid if answer.kind == "tree" else None
        for folder, answer in zip(folders, answers, strict=True)
    }


def _differences(
    git: Git, pairs: Sequence[tuple[str, str]]
) -> dict[tuple[str, str], dict[bytes, bytes]] | None:
    if not pairs:
        return {}
    given = "".join(f"{one} {two}\n" for one, two in pairs).encode()
    quiet = ("--no-renames", "--no-ext-diff", "--ignore-submodules=none")
    answer = git.run("diff-tree", "--stdin", "--raw", "-z", "--no-abbrev", *quiet, given=given)
    return _parsed_differences(answer.output) if answer.ok else None


def _parsed_differences(output: bytes) -> dict[tuple[str, str], dict[bytes, bytes]] | None:
    found: dict[tuple[str, str], dict[bytes, bytes]] = {}
    position = 0
    while position < len(output):
        told = _TOLD.match(output, position)
        if told is None:
            return None
        found[told[1].decode(), told[2].decode()] = {
            name: mode for mode, name in _DIFFERENCE.findall(output, told.start(3), told.end(3))
        }
        position = told.end()
    return found


def _empty_tree(hex_length: int) -> str:
    name = "sha1" if hex_length == SHA1_HEX else "sha256"
    return hashlib.new(name, b"tree 0\0", usedforsecurity=False).hexdigest()
