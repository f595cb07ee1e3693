"""What the files of a repository were at a commit, and what became of them: asked of git for all at once."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from stilltrue.source.git import Git

Asked = tuple[str, str]
"""A commit, by its full hash, and a path relative to the root with `/`."""

_RENAMES = ("-M", "-l400", "-z", "--name-status", "--diff-filter=DR", "--no-ext-diff")
_HEADER = re.compile(rb"([0-9a-f]{40,64}) [0-9a-f]{40,64}\n")
_ENTRY = re.compile(rb"(?:D|R\d+\0(?P<old>[^\0]+))\0(?P<name>[^\0]+)\0")


@dataclass(frozen=True, slots=True)
class Since:
    """What became of a commit's files.

    Attributes:
        renamed: New path by old path, where git tells of a rename, committed or staged.
        gone: Paths that were deleted since.
    """

    renamed: Mapping[str, str] = field(default_factory=dict)
    gone: frozenset[str] = frozenset()

    def then(self, later: Since) -> Since:
        """What became of the files after both."""
        renamed = {old: later.renamed.get(new, new) for old, new in self.renamed.items()}
        gone = self.gone | later.gone | {old for old, new in self.renamed.items() if new in later.gone}
        first = {old: new for old, new in later.renamed.items() if old not in self.renamed.values()}
        return Since({**first, **renamed}, gone)


def since(git: Git, commits: Iterable[str]) -> dict[str, Since]:
    """What became of the files of each commit up to the index, with three processes for all commits.

    A commit that git does not have, or cannot compare, is left out.
    """
    names = list(dict.fromkeys(commits))
    offline = _offline(git)
    asked = ["HEAD^{tree}", *(f"{name}^{{tree}}" for name in names)]
    answer = offline.run("cat-file", "--batch-check", "--buffer", given=_given(asked))
    told = [row.split(b" ") for row in answer.output.split(b"\n") if row] if answer.ok else []
    head, *rows = told or [[b""]]
    trees = {
        name: row[0].decode("ascii")
        for name, row in zip(names, rows, strict=False)
        if row[1:2] == [b"tree"] and head[1:2] == [b"tree"]
    }
    if not trees:
        return {}
    pairs = "".join(f"{tree} {head[0].decode('ascii')}\n" for tree in dict.fromkeys(trees.values()))
    compared = offline.run("diff-tree", "--stdin", "-r", *_RENAMES, given=pairs.encode())
    staged = offline.run("diff", "--cached", *_RENAMES, "HEAD")
    if not (compared.ok and staged.ok):
        return {}
    later = _parsed(staged.output)[""]
    by_tree = _parsed(compared.output)
    return {name: by_tree[tree].then(later) for name, tree in trees.items() if tree in by_tree}


def _parsed(output: bytes) -> dict[str, Since]:
    """The answers by the first of the compared trees; by the empty text what stands before any."""
    renamed: dict[str, dict[str, str]] = {"": {}}
    gone: dict[str, set[str]] = {"": set()}
    position, tree = 0, ""
    while position < len(output):
        if entry := _ENTRY.match(output, position):
            name = os.fsdecode(entry["name"])
            if entry["old"] is None:
                gone[tree].add(name)
            else:
                renamed[tree][os.fsdecode(entry["old"])] = name
        elif entry := _HEADER.match(output, position):
            tree = entry[1].decode("ascii")
            renamed[tree], gone[tree] = {}, set()
        else:
            break
        position = entry.end()
    return {key: Since(renamed[key], frozenset(gone[key])) for key in renamed}


def held_at(git: Git, asked: Sequence[Asked], *, max_bytes: int) -> dict[Asked, bytes | None]:
    """What files held at commits, with two processes for all; never fetches.

    What cannot be told is left out: git does not answer, the commit is not there, a file is too large. A
    file that the commit does not have is None.

    Args:
        git: Git in the repository.
        asked: Commits and paths.
        max_bytes: Most that is read of one file.
    """
    commits = dict.fromkeys(commit for commit, _ in asked)
    names = [f"{commit}^{{commit}}" for commit in commits]
    pairs = [pair for pair in dict.fromkeys(asked) if "\n" not in pair[1]]
    offline = _offline(git)
    answer = offline.run(
        "cat-file", "--batch-check", "--buffer", given=_given([*names, *(":".join(pair) for pair in pairs)])
    )
    rows = answer.output.split(b"\n") if answer.ok else []
    there = {commit for commit, row in zip(commits, rows, strict=False) if b" commit " in row}
    found: dict[Asked, bytes | None] = {}
    blobs: dict[str, list[Asked]] = {}
    for pair, row in zip(pairs, rows[len(names) :], strict=False):
        if pair[0] not in there:
            continue
        match row.rsplit(b" ", 2):
            case [name, b"blob", size]:
                if int(size) <= max_bytes:
                    blobs.setdefault(name.decode("ascii"), []).append(pair)
            case _ if row.endswith(b" missing"):
                found[pair] = None
    for oid, data in _contents(offline, list(blobs)):
        found.update(dict.fromkeys(blobs[oid], data))
    return found


def _contents(git: Git, oids: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    output = git.run("cat-file", "--batch", "--buffer", given=_given(oids)).output if oids else b""
    position = 0
    for oid in oids:
        end = output.find(b"\n", position)
        header = output[position:end].split(b" ")
        if end < 0 or header[0].decode("ascii", "replace") != oid:
            return
        if len(header) != 3:  # noqa: PLR2004 - id, type, size; else it is missing
            position = end + 1
            continue
        size = int(header[2])
        yield oid, output[end + 1 : end + 1 + size]
        position = end + 1 + size + 1


def _given(names: Iterable[str]) -> bytes:
    return b"".join(os.fsencode(name) + b"\n" for name in names)


def _offline(git: Git) -> Git:
    """Git that does not ask a remote for what a partial clone left out."""
    return replace(
        git, environment={**git.environment, "GIT_NO_LAZY_FETCH": "1", "GIT_ALLOW_PROTOCOL": "none"}
    )
