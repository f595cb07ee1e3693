"""Snoozes, beside what there was.

Deleting a memory takes its snoozes along, so that a program that does not know them can purge.
"""

from __future__ import annotations

from alembic import op
from sqlalchemy import CheckConstraint, Column, ForeignKey, Integer, Text

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.create_table(
        "snoozes",
        Column("id", Integer, primary_key=True),
        Column("repository", Text, ForeignKey("repositories.uid", ondelete="CASCADE"), nullable=False),
        Column("memory", Text, ForeignKey("memories.uid", ondelete="CASCADE"), nullable=False),
        Column("actor", Text, nullable=False),
        Column("until", Text),
        Column("seen", Text),
        Column("at", Text, nullable=False),
        CheckConstraint("length(at) = 24 AND (until IS NULL OR (length(until) = 24 AND until >= at))"),
        CheckConstraint("(until IS NULL) = (seen IS NOT NULL)"),
        sqlite_autoincrement=True,
    )
    op.create_index("snoozes_of_actor", "snoozes", ["repository", "actor", "memory"])
    op.create_index("snoozes_of_memory", "snoozes", ["memory"])
