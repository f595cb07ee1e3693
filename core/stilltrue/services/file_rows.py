"""What the store says of one file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from stilltrue.model.citation import Citation
from stilltrue.model.memory import Memory
from stilltrue.model.pin import KeptPin
from stilltrue.model.snooze import Snooze
from stilltrue.services import snoozing
from stilltrue.services.kept_pins import pins_of
from stilltrue.services.workspace import Connection, Workspace
from stilltrue.store import citations as citation_rows
from stilltrue.store import cited as cited_rows


class FileRows(NamedTuple):
    """What the store says of a file: what is cited there, all else its memories cite, snoozes and pins."""

    here: list[tuple[Memory, Citation]]
    siblings: Mapping[str, Sequence[Citation]]
    said: Mapping[str, Snooze]
    pins: Mapping[str, KeptPin]


def file_rows(workspace: Workspace, connection: Connection, repository: str, path: str) -> FileRows:
    """Everything at once, in one view of the store."""
    here = cited_rows.live_citations(connection, repository, workspace.present(connection), {path})
    return FileRows(
        here,
        citation_rows.citations_of(connection, list({memory.uid for memory, _ in here})),
        snoozing.said_by(workspace, connection, repository),
        pins_of(workspace, connection, repository, (cited for _, cited in here)),
    )
