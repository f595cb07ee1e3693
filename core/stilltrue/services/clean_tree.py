"""A machine rewrites memories only for committed code: half-typed code must demote nothing (K6)."""

from __future__ import annotations

from collections.abc import Iterable

from stilltrue.errors import InputError
from stilltrue.services.workspace import Workspace
from stilltrue.source.git_changes import why_unsettled


def refuse_unsettled(workspace: Workspace, cited: Iterable[str | None], *, otherwise: str) -> None:
    """Go on only if the working tree is clean; see `why_unsettled`.

    Args:
        workspace: The repository.
        cited: The files that count though they are untracked, relative to the root with `/`.
        otherwise: What to do instead, as the end of the hint.

    Raises:
        InputError: The working tree is not clean (`tree_not_clean`); the message says why not.
    """
    paths = {path for path in cited if path}
    why = why_unsettled(workspace.git, paths) if workspace.in_git else "it is no git repository"
    if why is not None:
        raise InputError(
            f"memories are rewritten only for a clean working tree: {why}",
            hint=f"commit or stash first, or {otherwise}",
            code="tree_not_clean",
        )
