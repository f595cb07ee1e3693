"""Whether another commit may be checked out by now: told from some small files, without a process (F25)."""

from __future__ import annotations

from pathlib import Path

from stilltrue.source.files import signature

_REFERENCE = b"ref: "
_TABLES = ("packed-refs", "reftable/tables.list")
_LONGEST = 4096


def head_state(root: Path, common: Path) -> str:
    """What differs once HEAD moved, be it by a commit, a checkout, a rebase or a fetch into its branch.

    Args:
        root: The working tree.
        common: The git folder that its linked working trees share.
    """
    head = _begins(_private_folder(root) / "HEAD")
    parts = [head.hex()]
    if head.startswith(_REFERENCE):
        name = head.removeprefix(_REFERENCE).strip().decode("utf-8", "surrogateescape")
        parts.append(_begins(common / name).hex())
        parts += [_signature(common / table) for table in _TABLES]
    return " ".join(parts)


def _private_folder(root: Path) -> Path:
    """Where the HEAD of this very working tree lies; in a linked one or a submodule `.git` is a file."""
    marker = root / ".git"
    if marker.is_dir():
        return marker
    named = _begins(marker).strip().removeprefix(b"gitdir:").strip()
    return root / named.decode("utf-8", "surrogateescape")


def _begins(file: Path) -> bytes:
    """The beginning of a file, empty where there is none that can be read."""
    try:
        with file.open("rb") as opened:
            return opened.read(_LONGEST)
    except (OSError, ValueError):
        return b""


def _signature(file: Path) -> str:
    try:
        return signature(file.stat())
    except OSError:
        return "-"
