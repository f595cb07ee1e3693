"""What git says of many pinned commits and paths at once: a fixed number of processes, however many pins.

HEAD apart, a pass asks at most six times: which commits the pins name, which of them lie in HEAD's history
(twice where some seem not to), which trees their folders are, which trees hold those that seem to be missing,
and what differs between the trees (A31 to A38). Folders with line ends in their names cost two more.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from io import BytesIO
from typing import NamedTuple

from stilltrue.source.git import Git
from stilltrue.source.git_objects import look_up
from stilltrue.source.git_trees import Difference, Trees, split_path

SHORTEST_PIN = 4
_HEX = re.compile(r"[0-9a-f]+")
_MISLEADING = (
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_GRAFT_FILE",
    "GIT_REPLACE_REF_BASE",
    "GIT_SHALLOW_FILE",
)


class CommitState(StrEnum):
    """What git says of a pin: section A's words, stored as they are."""

    CURRENT = "current"
    STALE = "stale"
    UNRESOLVED = "unresolved"


class PinReason(StrEnum):
    """Why."""

    AT_HEAD = "at_head"
    PATH_UNCHANGED = "path_unchanged"
    PATH_CHANGED = "path_changed"
    HEAD_MOVED = "head_moved"
    NOT_A_COMMIT_ID = "not_a_commit_id"
    UNKNOWN_COMMIT = "unknown_commit"
    AMBIGUOUS_COMMIT = "ambiguous_commit"
    DIVERGED = "diverged"
    PATH_NOT_AT_PIN = "path_not_at_pin"
    BAD_PATH = "bad_path"
    OBJECTS_MISSING = "objects_missing"
    GIT_FAILED = "git_failed"


_STATES = {
    PinReason.AT_HEAD: CommitState.CURRENT,
    PinReason.PATH_UNCHANGED: CommitState.CURRENT,
    PinReason.PATH_CHANGED: CommitState.STALE,
    PinReason.HEAD_MOVED: CommitState.STALE,
}
_CHANGES = {
    Difference.CHANGED: PinReason.PATH_CHANGED,
    Difference.IN_NEITHER: PinReason.PATH_NOT_AT_PIN,
    Difference.OBJECTS_MISSING: PinReason.OBJECTS_MISSING,
}


class Pin(NamedTuple):
    """A commit as it was written down, and the path it is about; without one, the whole repository."""

    commit: str
    path: str | None = None


@dataclass(frozen=True, slots=True)
class PinVerdict:
    """The answer about one pin. Whatever could not be verified is unresolved, never current."""

    reason: PinReason

    @property
    def state(self) -> CommitState:
        """Current, stale or unresolved."""
        return _STATES.get(self.reason, CommitState.UNRESOLVED)


def judge_pins(git: Git, head: str, pins: Collection[Pin]) -> dict[Pin, PinVerdict]:
    """The verdict on each pin against the commit that is checked out.

    Args:
        git: In the working tree; nothing is fetched, whatever is missing.
        head: The full hash of HEAD, asked once for the pass (A30).
        pins: Commits in 4 to 40 hexadecimal digits (64 in a SHA-256 repository), paths relative to the
            repository's root with `/`, taken literally (A35, A37).
    """
    offline = _offline(git)
    commits = _resolve(offline, head, {pin.commit for pin in pins})
    known = {found for found in commits.values() if not isinstance(found, PinReason)}
    outside = _outside_history(offline, head, known - {head})
    judged: dict[Pin, PinVerdict] = {}
    at: dict[Pin, str] = {}
    for pin in pins:
        commit = commits[pin.commit]
        if isinstance(commit, PinReason):
            judged[pin] = PinVerdict(commit)
        elif reason := outside.get(commit) or _without_diff(pin, commit, head):
            judged[pin] = PinVerdict(reason)
        else:
            at[pin] = commit
    return judged | _by_paths(offline, head, at)


def is_commit_id(written: str, hex_length: int) -> bool:
    """Whether git may be asked about it: 4 to 40 hexadecimal digits, 64 where hashes are that long (A37)."""
    return SHORTEST_PIN <= len(written) <= hex_length and _HEX.fullmatch(written) is not None


def _offline(git: Git) -> Git:
    """The same git, which fetches nothing and is told nothing about history by the environment."""
    kept = {name: value for name, value in git.environment.items() if name not in _MISLEADING}
    return replace(git, environment={**kept, "GIT_NO_LAZY_FETCH": "1", "GIT_ALLOW_PROTOCOL": "none"})


def _without_diff(pin: Pin, commit: str, head: str) -> PinReason | None:
    """What is told of a commit in HEAD's history; None where what its path holds decides."""
    if pin.path is None:
        return PinReason.AT_HEAD if commit == head else PinReason.HEAD_MOVED
    parts = pin.path.split("/")
    return PinReason.BAD_PATH if "\0" in pin.path or {"", ".", ".."} & set(parts) else None


def _resolve(git: Git, head: str, written: Collection[str]) -> dict[str, str | PinReason]:
    """The full hash of each commit as written, or why there is none.

    Abbreviations are asked for as commits and as they stand: only the latter tells that several objects
    begin so.
    """
    usable = [commit for commit in sorted(written) if is_commit_id(commit, len(head))]
    found: dict[str, str | PinReason] = dict.fromkeys(written, PinReason.NOT_A_COMMIT_ID)
    short = [commit for commit in usable if len(commit) < len(head)]
    names = [f"{commit}^{{commit}}" for commit in usable] + short
    answers = look_up(git, [name.encode() for name in names])
    if answers is None:
        return {**found, **dict.fromkeys(usable, PinReason.GIT_FAILED)}
    bare = dict(zip(short, answers[len(usable) :], strict=True))
    for commit, answer in zip(usable, answers, strict=False):
        if answer.kind == "commit" and (len(commit) == len(head) or answer.oid.startswith(commit)):
            found[commit] = answer.oid
        elif "ambiguous" in {answer.kind, bare.get(commit, answer).kind}:
            found[commit] = PinReason.AMBIGUOUS_COMMIT
        else:  # missing, no commit, or a branch that is called like an abbreviation
            found[commit] = PinReason.UNKNOWN_COMMIT
    return found


def _outside_history(git: Git, head: str, commits: Collection[str]) -> dict[str, PinReason]:
    """Those of these commits that HEAD does not descend from, as far as git can tell, and why.

    The walk down to the oldest of them may call an ancestor none where clocks were wrong, so that what
    seems to be outside is looked for in the whole history.
    """
    if not commits:
        return {}
    given = "".join(f"{commit}\n" for commit in [f"^{head}", *sorted(commits)]).encode()
    walked = git.run("rev-list", "--stdin", given=given)
    if not walked.ok:
        return dict.fromkeys(commits, PinReason.GIT_FAILED)
    outside = _listed(walked.output, commits)
    if not outside:
        return {}
    whole = git.run("rev-list", head)
    if not whole.ok:
        return dict.fromkeys(outside, PinReason.GIT_FAILED)
    return dict.fromkeys(outside - _listed(whole.output, outside), PinReason.DIVERGED)


def _listed(output: bytes, commits: Collection[str]) -> set[str]:
    wanted = {commit.encode(): commit for commit in commits}
    return {wanted[line[:-1]] for line in BytesIO(output) if line[:-1] in wanted}


def _by_paths(git: Git, head: str, at: Mapping[Pin, str]) -> dict[Pin, PinVerdict]:
    if not at:
        return {}
    paths = {pin: (pin.path or "").encode("utf-8", "surrogateescape") for pin in at}
    places = {pin: (commit, *split_path(paths[pin])) for pin, commit in at.items()}
    folders = {folder for commit, name, _ in places.values() for folder in ((commit, name), (head, name))}
    trees = Trees.read(git, head, folders)
    if trees is None:
        return dict.fromkeys(at, PinVerdict(PinReason.GIT_FAILED))
    unchanged = dict.fromkeys(at.values(), PinReason.PATH_UNCHANGED) | {head: PinReason.AT_HEAD}
    return {
        pin: PinVerdict(_CHANGES.get(trees.compare(*place), unchanged[place[0]]))
        for pin, place in places.items()
    }
