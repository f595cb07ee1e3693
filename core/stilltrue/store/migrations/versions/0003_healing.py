"""What a background pass keeps: where it stopped, who is at it, and what it did to memories.

Deleting a memory or a checkout takes its rows along, so that a program that does not know them can purge.
"""

from __future__ import annotations

from alembic import op
from sqlalchemy import CheckConstraint, Column, ForeignKey, Integer, Text

revision = "0003"
down_revision = "0002"

_BROKEN = "'missing_file', 'missing_symbol', 'missing_span', 'ambiguous_symbol'"


def _text(name: str, *, null: bool = False) -> Column[str]:
    return Column(name, Text, nullable=null)


def _of_checkout() -> Column[int]:
    place = ForeignKey("checkouts.id", ondelete="CASCADE")
    return Column("checkout", Integer, place, primary_key=True)


def _owned(name: str, owner: str) -> Column[str]:
    return Column(name, Text, ForeignKey(owner, ondelete="CASCADE"), nullable=False)


def upgrade() -> None:
    op.create_table(
        "heal_checkpoints",
        _of_checkout(),
        _text("head", null=True),
        *map(_text, ("uncommitted", "judged_with", "at")),
        CheckConstraint("length(at) = 24"),
    )
    op.create_table(
        "heal_locks",
        _of_checkout(),
        *map(_text, ("owner", "machine")),
        Column("process", Integer, nullable=False),
        *map(_text, ("token", "since", "expires_at")),
        CheckConstraint("length(since) = 24 AND length(expires_at) = 24 AND expires_at >= since"),
    )
    op.create_table(
        "heal_events",
        Column("id", Integer, primary_key=True),
        _owned("repository", "repositories.uid"),
        _text("kind"),
        _owned("original", "memories.uid"),
        _owned("superseding", "memories.uid"),
        *map(_text, ("reason", "citation", "resolver_state", "code_state")),
        _text("commit_sha", null=True),
        *map(_text, ("actor", "at")),
        CheckConstraint("length(at) = 24 AND original <> superseding"),
        CheckConstraint("kind IN ('demoted', 'lowered')"),
        CheckConstraint("reason IN ('anchor_drift', 'content_drift')"),
        CheckConstraint(f"resolver_state IN ({_BROKEN}, 'resolved', 'file_only')"),
        CheckConstraint(f"(reason = 'anchor_drift') = (resolver_state IN ({_BROKEN}))"),
        sqlite_autoincrement=True,
    )
    op.create_index("heal_events_of_repository", "heal_events", ["repository", "id"])
    op.create_index("heal_events_of_original", "heal_events", ["original"])
    op.create_index("heal_events_of_superseding", "heal_events", ["superseding"], unique=True)
