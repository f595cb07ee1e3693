"""What a test of the background pass looks at in the store."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from stilltrue.model.healing import HealEvent
from stilltrue.model.memory import Memory
from stilltrue.model.verdict import Reason, Verdict
from stilltrue.services.workspace import Workspace
from stilltrue.store import healing, memories, repositories
from stilltrue.store.verdicts import verdicts_of

Dump = dict[str, list[Any]]


def dump(database: Path) -> Dump:
    """Every row of every table."""
    with closing(sqlite3.connect(database)) as connection:
        names = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        rows = {}
        for (name,) in names:
            rows[name] = connection.execute(f'SELECT * FROM "{name}" ORDER BY 1').fetchall()  # noqa: S608 - a table
        return rows


def changed_tables(before: Dump, after: Dump) -> set[str]:
    return {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)}


def run_sql(database: Path, *statements: str) -> None:
    with closing(sqlite3.connect(database)) as connection, connection:
        for statement in statements:
            connection.execute(statement)


def kept_verdict(workspace: Workspace, citation: str) -> tuple[Verdict, Reason] | None:
    """What a pass kept of a citation in this working tree."""
    with workspace.reading() as reading:
        connection, repository = workspace.known(reading)
        checkout = repositories.find_checkout(connection, repository, *workspace.checkout)
        assert checkout is not None
        row = verdicts_of(connection, checkout, [citation]).get(citation)
    return (row.verdict.verdict, row.verdict.reason) if row and row.verdict else None


def events(workspace: Workspace) -> list[HealEvent]:
    with workspace.reading() as reading:
        connection, repository = workspace.known(reading)
        return healing.events(connection, repository)


def live(workspace: Workspace) -> list[Memory]:
    with workspace.reading() as reading:
        connection, repository = workspace.known(reading)
        return memories.live_memories(connection, repository, workspace.present(connection))
