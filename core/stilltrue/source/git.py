"""The only module that starts a process: git, asked about repositories (A42, K7).

Fixed argument lists, no shell, a cleaned environment, no prompts, no optional locks, a time limit.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha1, sha256
from pathlib import Path

TIMEOUT_SECONDS = 20.0
_REDIRECTING = (
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_NAMESPACE",
    "GIT_COMMON_DIR",
    "GIT_CEILING_DIRECTORIES",
    "GIT_PREFIX",
    "GIT_CONFIG_PARAMETERS",
)


@dataclass(frozen=True, slots=True)
class GitAnswer:
    """What git said: its exit code (None: it could not be run or ran out of time) and output."""

    code: int | None
    output: bytes = b""

    @property
    def ok(self) -> bool:
        """It exited with 0."""
        return self.code == 0


@dataclass(frozen=True, slots=True)
class Git:
    """Git in one working tree. `environment` is what the surface was started with."""

    root: Path
    environment: Mapping[str, str] = field(default_factory=dict)

    def run(self, *arguments: str, given: bytes = b"") -> GitAnswer:
        """Run one git command in the tree; never raises."""
        try:
            done = subprocess.run(  # noqa: S603 - a fixed program and an argument list, no shell
                ["git", "-C", str(self.root), *arguments],  # noqa: S607 - the user's own git
                input=given,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                timeout=TIMEOUT_SECONDS,
                check=False,
                env=clean_environment(self.environment),
            )
        except (OSError, subprocess.TimeoutExpired, ValueError):
            return GitAnswer(None)
        return GitAnswer(done.returncode, done.stdout)

    def head(self) -> str | None:
        """The full hash of HEAD, None where there is no repository or no commit."""
        answer = self.run("rev-parse", "--verify", "--quiet", "HEAD^{commit}")
        return answer.output.decode("ascii", "replace").strip() if answer.ok else None

    def root_commits(self) -> list[str]:
        """The first commits of HEAD's history; walks it, so asked only when nothing else told."""
        answer = self.run("rev-list", "--max-parents=0", "HEAD")
        return answer.output.decode("ascii", "replace").split() if answer.ok else []

    def blobs_at_head(self, paths: Sequence[str]) -> dict[str, str]:
        """The blob id at HEAD of each path that HEAD holds, with one process for all."""
        if not paths:
            return {}
        answer = self.run("--literal-pathspecs", "ls-tree", "-r", "-z", "--full-tree", "HEAD", "--", *paths)
        blobs: dict[str, str] = {}
        for entry in answer.output.split(b"\0") if answer.ok else ():
            meta, _, name = entry.partition(b"\t")
            fields = meta.split()
            if len(fields) == 3 and fields[1] == b"blob":  # noqa: PLR2004 - mode, type, id
                blobs[os.fsdecode(name)] = fields[2].decode("ascii")
        return blobs


def blob_id(data: bytes, *, hex_length: int = 40) -> str:
    """The id git gives these bytes; `hex_length` 64 for a SHA-256 repository."""
    framed = b"blob %d\0" % len(data) + data
    if hex_length == 64:  # noqa: PLR2004 - the length of a SHA-256 in hex
        return sha256(framed).hexdigest()
    return sha1(framed, usedforsecurity=False).hexdigest()


def clean_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """The environment without what would send git elsewhere, and without prompts."""
    kept = {name: value for name, value in environment.items() if name not in _REDIRECTING}
    return {**kept, "GIT_TERMINAL_PROMPT": "0", "GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C"}


def find_git_folder(start: Path) -> tuple[Path, Path] | None:
    """The working tree's root and the common git folder, found by walking up; no process.

    Understands worktrees and submodules, where `.git` is a file that names the real folder.
    """
    for folder in (start, *start.parents):
        marker = folder / ".git"
        if marker.is_dir():
            return folder, marker.resolve()
        if marker.is_file():
            return folder, _common_folder(folder, marker)
    return None


def _common_folder(folder: Path, marker: Path) -> Path:
    try:
        named = marker.read_text("utf-8", errors="surrogateescape").strip().removeprefix("gitdir:").strip()
        private = (folder / named).resolve()
        common = private / "commondir"
        if common.is_file():
            return (private / common.read_text("utf-8", errors="surrogateescape").strip()).resolve()
    except OSError:
        return marker.resolve()
    return private
