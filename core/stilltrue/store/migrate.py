"""Brings a store's tables up to date, inside a transaction that the caller owns."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from alembic.config import Config
from alembic.runtime.environment import EnvironmentContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

from stilltrue.store.schema import HEAD

FOLDER = Path(__file__).parent / "migrations"


def migrate(connection: Connection, *, folder: Path = FOLDER, target: str = HEAD) -> None:
    """Runs every pending migration up to `target`; all of them or none."""
    script = ScriptDirectory(str(folder))

    def pending(revision: Any, _context: Any) -> Any:  # noqa: ANN401 - as Alembic hands them over
        return script._upgrade_revs(target, revision)  # noqa: SLF001 - as Alembic's own cookbook does

    with EnvironmentContext(Config(), script, fn=pending, destination_rev=target) as environment:
        environment.configure(connection=connection, transactional_ddl=False)
        environment.run_migrations()
