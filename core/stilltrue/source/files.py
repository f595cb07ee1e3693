"""Read cited files, and only those a repository really holds (D16, D17, D20, D23)."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from stilltrue.citations.paths import is_within
from stilltrue.model.verdict import Reason

LFS_POINTER = b"version https://git-lfs.github.com/spec/"
LFS_POINTER_LIMIT = 1024


@dataclass(frozen=True, slots=True)
class FileText:
    """What was found at a path.

    Attributes:
        data: The file's bytes, or None where they could not be had.
        obstacle: Why not; None with `data` None means that nothing stands at the path.
        signature: What `stat` said, for caches; empty where it said nothing.
    """

    data: bytes | None = None
    obstacle: Reason | None = None
    signature: str = ""

    @property
    def missing(self) -> bool:
        """Nothing stands at the path."""
        return self.data is None and self.obstacle is None

    @property
    def is_lfs_pointer(self) -> bool:
        """It is the stand-in that git-lfs leaves for content that was not fetched."""
        return self.data is not None and (
            len(self.data) < LFS_POINTER_LIMIT and self.data.startswith(LFS_POINTER)
        )


class Texts(Protocol):
    """One way to read the text of a path, whatever stands behind it."""

    def read(self, path: str) -> FileText:
        """The bytes at `path`, relative to the root with `/`. Never raises."""
        ...  # pragma: no cover


class WorkingTree:
    """The files below a repository's root, as they are on disk now."""

    def __init__(self, root: Path, *, max_bytes: int) -> None:
        """`max_bytes` is the largest file that is read; above it the answer is `too-large`."""
        self.root = Path(os.path.realpath(root))
        self._max_bytes = max_bytes
        self._safe_folders: dict[str, bool] = {}

    def read(self, path: str) -> FileText:
        """The bytes at `path`. Folders, FIFOs and devices are never opened, nothing outside the root is."""
        target = self.root / path
        try:
            if not self._is_inside(path):
                return FileText(obstacle=Reason.OUTSIDE_ROOT)
            found = target.stat()
            if not stat.S_ISREG(found.st_mode):
                return FileText(obstacle=Reason.NOT_A_FILE)
            if found.st_size > self._max_bytes:
                return FileText(obstacle=Reason.TOO_LARGE)
            return FileText(data=self._read_bytes(target), signature=signature(found))
        except (FileNotFoundError, NotADirectoryError):
            return FileText()
        except (OSError, ValueError):
            return FileText(obstacle=Reason.UNREADABLE)

    def _read_bytes(self, target: Path) -> bytes:
        # O_NONBLOCK: a FIFO that takes the file's place between stat and open must not hang us (D23)
        descriptor = os.open(target, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        with os.fdopen(descriptor, "rb") as file:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise OSError("no longer a regular file")
            return file.read()

    def _is_inside(self, path: str) -> bool:
        """Whether the real path lies under the real root; each folder is asked once per pass."""
        folder, _, name = path.rpartition("/")
        if folder not in self._safe_folders:
            real = Path(os.path.realpath(self.root / folder))
            self._safe_folders[folder] = real == self.root or is_within(real.parts, self.root.parts)
        if not self._safe_folders[folder]:
            return False
        target = self.root / folder / name
        if not target.is_symlink():
            return True
        real = Path(os.path.realpath(target, strict=False))
        return is_within(real.parts, self.root.parts)


@dataclass(frozen=True, slots=True)
class Overlay:
    """Some texts laid over others, such as open buffers over the working tree.

    Attributes:
        below: What is asked for every other path.
        above: The texts that win, by path.
    """

    below: Texts
    above: Mapping[str, FileText]

    def read(self, path: str) -> FileText:
        """The bytes at `path`; see `Texts`."""
        return self.above[path] if path in self.above else self.below.read(path)


def signature(found: os.stat_result) -> str:
    """What tells one state of a file from another without reading it (E15)."""
    return f"{found.st_mtime_ns}:{found.st_ctime_ns}:{found.st_size}:{found.st_ino}:{found.st_mode}"


def find_encoding(data: bytes) -> str:
    """The name of the encoding a text is in: UTF-8 where it decodes, else `unknown-8bit`."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return "unknown-8bit"
    return "utf-8"
