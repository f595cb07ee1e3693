"""What people call the sources of a trace: ids, beginnings of ids, and memories."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterable

from stilltrue.errors import InputError, NotFoundError
from stilltrue.recall.refusals import refusal
from stilltrue.services.workspace import Connection, Workspace
from stilltrue.store import memories, traces
from stilltrue.store.traces import TraceSource

SHORTEST = 8
FULL = 66


def fresh_key() -> str:
    """An idempotency key for an act that nobody will repeat."""
    return f"once-{uuid.uuid4()}"


def named_sources(workspace: Workspace, trace_id: str, names: Iterable[str]) -> dict[str, str]:
    """The source id that each name stands for in that trace; whole ids stand for themselves, unlooked at.

    Raises:
        NotFoundError: `unknown_trace`; `unknown_source` where a name means none of its sources, or several.
    """
    wanted = list(dict.fromkeys(names))
    short = [name for name in wanted if not (name.startswith("s:") and len(name) == FULL)]
    found = {name: name for name in wanted if name not in short}
    if not short:
        return found
    with workspace.reading() as reading:
        trace = None
        if reading is not None:
            connection, repository = reading
            trace = traces.find_trace(connection, trace_id, workspace.actor, repository)
        if reading is None or trace is None:
            raise refusal("unknown_trace")
        sources = traces.sources_of(connection, trace)
        return found | {name: _meant(connection, repository, sources, name) for name in short}


def _meant(connection: Connection, repository: str, sources: list[TraceSource], name: str) -> str:
    matching = [each.id for each in sources if len(name) >= SHORTEST and each.id.startswith(name)]
    if not matching:
        try:
            memory = memories.resolve_memory(connection, name, repository)
        except (NotFoundError, InputError) as error:
            raise refusal("unknown_source") from error
        own = [(each, json.loads(each.provenance)) for each in sources]
        matching = [
            each.id
            for each, told in own
            if told["type"] == "memory"
            and told["identity"] == memory.chain
            and told["version"].startswith(memory.uid)
        ]
    if len(matching) != 1:
        raise refusal("unknown_source")
    return matching[0]
