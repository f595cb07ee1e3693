"""Which objects names stand for, asked of git for many names at once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from stilltrue.source.git import Git

_FOUND = re.compile(rb"([0-9a-f]{40,64}) ([a-z]+)\n")


@dataclass(frozen=True, slots=True)
class Found:
    """A type of object, or `missing` or `ambiguous` without an id."""

    kind: str
    oid: str = ""


def look_up(git: Git, names: Sequence[bytes]) -> list[Found] | None:
    """Type and id of each named object; None where git cannot tell.

    One process for all names, and one more if some hold line ends: a git that cannot take those (before
    2.38) answers for the others, and what it was not asked is missing.
    """
    plain = [name for name in names if b"\n" not in name]
    odd = [name for name in names if b"\n" in name]
    found = _asked(git, plain, end=b"\n")
    if found is None:
        return None
    found |= _asked(git, odd, "-z", end=b"\0") or {}
    return [found.get(name, Found("missing")) for name in names]


def _asked(git: Git, names: Sequence[bytes], *options: str, end: bytes) -> dict[bytes, Found] | None:
    if not names:
        return {}
    form = "--batch-check=%(objectname) %(objecttype)"
    answer = git.run("cat-file", form, "--buffer", *options, given=b"".join(name + end for name in names))
    told = _parsed(names, answer.output) if answer.ok else None
    return None if told is None else dict(zip(names, told, strict=True))


def _parsed(names: Iterable[bytes], output: bytes) -> list[Found] | None:
    """The answers in the order of the questions; a name may hold line ends, so it is told where it begins."""
    answers, position = [], 0
    for name in names:
        if found := _FOUND.match(output, position):
            answers.append(Found(found[2].decode(), found[1].decode()))
            position = found.end()
            continue
        for kind in ("missing", "ambiguous"):
            told = name + f" {kind}\n".encode()
            if output.startswith(told, position):
                answers.append(Found(kind))
                position += len(told)
                break
        else:
            return None
    return answers
