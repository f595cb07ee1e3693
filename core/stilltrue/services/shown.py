"""Note that memories were shown (A13): after the read, in a transaction of its own."""

from __future__ import annotations

from stilltrue.errors import StillTrueError
from stilltrue.services.queries import Source
from stilltrue.services.recalled import Recalled
from stilltrue.services.workspace import Workspace
from stilltrue.store import overview


def note_shown(workspace: Workspace, answer: Recalled) -> bool:
    """Refresh the access times of exactly the memories of an answer; whether anything was written.

    A replay writes nothing (A13, C4). Stale ones count like others unless `reinforce_stale` is off (A55,
    K22). Where the store cannot be written now, the answer stands all the same.
    """
    settings = workspace.settings
    if answer.query.is_replay or not settings.reinforce:
        return False
    shown = [hit.memory for hit in answer.hits if settings.reinforce_stale or hit.source is not Source.STALE]
    store = workspace.store_if_any() if shown else None
    if store is None or store.read_only:
        return False
    try:
        with store.writing() as connection:
            overview.note_access(connection, shown, workspace.clock.now())
    except StillTrueError:
        return False
    return True
