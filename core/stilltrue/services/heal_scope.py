"""What a pass must judge: what changed since the last one, and whatever that cannot tell (E21 to E25)."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass

from stilltrue import __version__
from stilltrue.citations.ignoring import is_ignored
from stilltrue.model.citation import Citation
from stilltrue.model.healing import Checkpoint
from stilltrue.model.memory import Memory
from stilltrue.model.time import Instant
from stilltrue.services.warm import unchanged_files
from stilltrue.services.workspace import Workspace
from stilltrue.source.git_changes import Changes, changes_since
from stilltrue.store import checkpoints, healing, memories, repositories
from stilltrue.store import cited as cited_rows

Pairs = list[tuple[Memory, Citation]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Due:
    """What a pass has to judge.

    Attributes:
        at: When the store was looked at.
        pairs: Memories with every citation that is not ignored.
        whole: Why everything is judged, in words; empty where only what may have changed is.
        left_out: How many live memories are not judged, because nothing of theirs can have changed.
        head: The commit that was checked out before anything was read.
        uncommitted: The cited files that differ from it.
    """

    at: Instant
    pairs: Pairs
    whole: str = ""
    left_out: int = 0
    head: str | None = None
    uncommitted: tuple[str, ...] = ()

    def reached(self, workspace: Workspace) -> Checkpoint:
        """The checkpoint to set once all of it is judged."""
        return Checkpoint(
            head=self.head, uncommitted=self.uncommitted, judged_with=judged_with(workspace), at=self.at
        )


def judged_with(workspace: Workspace) -> str:
    """What verdicts hang on beside the files and the store."""
    settings = workspace.settings
    return json.dumps([__version__, settings.max_file_bytes, list(settings.ignore)])


def due(workspace: Workspace, *, full: bool = False) -> Due | None:
    """What to judge now; None where nothing is known of the repository.

    Args:
        workspace: The repository.
        full: Everything, whatever git and `stat` say.
    """
    with workspace.reading() as reading:
        if reading is None:
            return None
        connection, repository = reading
        present = workspace.present(connection)
        paths = cited_rows.cited_paths(connection, repository, present)
        checkout = repositories.find_checkout(connection, repository, *workspace.checkout)
        reached = checkpoints.read_checkpoint(connection, checkout) if checkout is not None else None
    # git is asked between the transactions: a slow answer must not hold on to a view of the store
    changes = _changes(workspace, reached, paths)
    whole = "it was asked for" if full else _why_whole(workspace, reached, changes)
    changes = changes or _changes(workspace, None, paths)
    wanted = set(paths) if whole else {path for path in paths if _may_differ(path, changes, reached)}
    if not full:
        wanted -= unchanged_files(workspace, wanted)
    with workspace.reading() as reading:
        connection, repository = workspace.known(reading)
        uids = healing.citing(connection, repository, wanted)
        if checkout is not None:
            uids |= healing.unsettled(connection, checkout)
        if reached is not None:
            uids |= healing.unjudged_since(connection, repository, reached.at)
        pairs = cited_rows.live_citations_of(connection, repository, present, uids)
        live, expired = memories.count_live(connection, repository, present)
    ignored = workspace.settings.ignore
    return Due(
        at=present.known,
        pairs=[pair for pair in pairs if not is_ignored(pair[1].path, ignored)],
        whole=whole,
        left_out=live - expired - len({memory.uid for memory, _ in pairs}),
        head=changes.head if changes else None,
        uncommitted=_uncommitted(changes, paths),
    )


def _changes(workspace: Workspace, reached: Checkpoint | None, paths: Collection[str]) -> Changes | None:
    """What git says changed since a checkpoint, or in the working tree alone where there is none."""
    if not workspace.in_git or (reached is not None and reached.head is None):
        return None
    return changes_since(workspace.git, reached.head if reached and reached.head else "HEAD", paths)


def _why_whole(workspace: Workspace, reached: Checkpoint | None, changes: Changes | None) -> str:
    if reached is None:
        return "there was no pass before"
    if not workspace.in_git:
        return "there is no git to ask what changed"
    if changes is None:
        return "git does not tell what changed since the last pass"
    if reached.judged_with != judged_with(workspace):
        return "StillTrue or its settings changed since the last pass"
    return ""


def _may_differ(path: str, changes: Changes | None, reached: Checkpoint | None) -> bool:
    """An edit that the last pass saw and that is undone since is in neither diff nor status (E25)."""
    return changes is None or reached is None or path in reached.uncommitted or changes.may_differ(path)


def _uncommitted(changes: Changes | None, paths: Collection[str]) -> tuple[str, ...]:
    if changes is None:
        return ()
    return tuple(sorted(path for path in paths if path in changes.uncommitted or path in changes.untracked))
