"""Which paths a citation may name (D16, D17): text only; symlinks are `source`'s matter."""

from __future__ import annotations

import re

from stilltrue.errors import CitationError

_DRIVE = re.compile(r"[A-Za-z]:")
_HINT = "write the path relative to the repository root, with /, such as src/app.py"


def check_path(path: str) -> str:
    """A path as a citation keeps it: relative to the repository root, with `/`, nothing superfluous.

    Raises:
        CitationError: Empty, absolute, with a drive letter, a home or parent component, or a NUL.
    """
    kept = "/".join(part for part in path.split("/") if part not in {"", "."})
    # as it is kept, too: `./C:/x` and `./~/x` would hide what they are
    problem = _problem(path) or _problem(kept)
    if problem:
        raise CitationError(f"the path {path!r} {problem}", hint=_HINT)
    return kept


def _problem(path: str) -> str:
    checks = (
        (not {*path.split("/")} - {"", "."}, "names no file"),
        ("\0" in path, "holds a NUL character"),
        (path.startswith(("/", "\\")), "is absolute"),
        (_DRIVE.match(path) is not None, "starts with a drive letter"),
        (path == "~" or path.startswith(("~/", "~\\")), "points at a home folder"),
        (".." in re.split(r"[/\\]", path), "leaves its folder with .."),
        (path.endswith("/"), "names a folder"),
    )
    # `..` first: it is the more telling word for "../x" and for ".." alone
    return next((word for found, word in (checks[5], *checks) if found), "")


def is_within(path_parts: tuple[str, ...], root_parts: tuple[str, ...]) -> bool:
    """Whether a real path lies under a real root, part by part: `repo-evil` is not in `repo` (D17)."""
    return len(path_parts) > len(root_parts) and path_parts[: len(root_parts)] == root_parts
