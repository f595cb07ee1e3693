"""Which of a few files need not be read, as the last check left them settled (E15, E16)."""

from __future__ import annotations

import json
import os
from collections.abc import Collection

from stilltrue.services.warm import SETTLED, settings_key, stamp_of
from stilltrue.services.workspace import Connection, Workspace
from stilltrue.store import stamps


def settled_files(
    workspace: Workspace, connection: Connection, checkout: int | None, paths: Collection[str]
) -> set[str]:
    """Those of the files in which the last check found every citation in place, if `stat` says the same.

    Files are not asked for one by one, and the view is open already.
    """
    if checkout is None or not paths:
        return set()
    asked = {*paths, stamps.WHOLE_TREE}
    rows = stamps.read_stamps(connection, checkout, stamps.revision(connection), only=asked)
    whole = rows.pop(stamps.WHOLE_TREE, None)
    if whole is None or whole[0] != settings_key(workspace):
        return set()
    try:
        until = json.loads(whole[1])["until"]
    except (ValueError, KeyError, TypeError):
        return set()  # damaged, or of another version
    if until is not None and until <= workspace.clock.now():
        return set()
    return {
        path
        for path, (stamp, summary) in rows.items()
        if summary == SETTLED and stamp and stamp == stamp_of(os.path.join(workspace.root, path))  # noqa: PTH118 - as there
    }
