"""Words of memories can be searched: an index over text and subject, and one over cited symbols.

Triggers keep the index, so that it is right whatever program writes. The words of redacted and purged
memories leave its pages, too: `optimize` merges away what was only marked as deleted. A SQLite without FTS5
gets no index; recall then looks for parts of words.
"""

from __future__ import annotations

from alembic import op
from sqlalchemy import text

from stilltrue.store.indexing import INDEX, TRIGGERS

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.create_index(
        "present_symbols",
        "citation_generations",
        ["repository", "symbol", "memory"],
        sqlite_where=text("present = 1 AND symbol IS NOT NULL"),
    )
    connection = op.get_bind()
    known = connection.execute(text("SELECT 1 FROM pragma_module_list WHERE name = 'fts5'")).first()
    if known is None:
        return
    for statement in (INDEX, *TRIGGERS):
        connection.exec_driver_sql(statement)
    connection.exec_driver_sql("INSERT INTO memory_search (memory_search) VALUES ('rebuild')")
