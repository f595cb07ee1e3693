"""What was retrieved, what was used of it, and what relations learned from that.

Apart from the tables of memories (B51): whoever drops all of these loses the feedback and nothing else.
Deleting a repository takes its rows along, so that a program that does not know them can purge.
"""

from __future__ import annotations

from alembic import op
from sqlalchemy import CheckConstraint, Column, Float, ForeignKey, Integer, Text, UniqueConstraint

revision = "0005"
down_revision = "0004"

_EDGE = ("source", "target", "kind")


def _text(name: str, *, null: bool = False) -> Column[str]:
    return Column(name, Text, nullable=null)


def _owned_text(name: str, owner: str, *, key: bool = False) -> Column[str]:
    return Column(name, Text, ForeignKey(owner, ondelete="CASCADE"), nullable=False, primary_key=key)


def _owned(name: str, owner: str, *, key: bool = False) -> Column[int]:
    return Column(name, Integer, ForeignKey(owner, ondelete="CASCADE"), nullable=False, primary_key=key)


def upgrade() -> None:
    _what_was_retrieved()
    _what_was_used()
    _what_relations_learned()


def _what_was_retrieved() -> None:
    op.create_table(
        "traces",
        Column("number", Integer, primary_key=True),
        _text("id"),
        _text("principal"),
        _owned_text("repository", "repositories.uid"),
        *map(_text, ("at", "mode", "request", "settings")),
        CheckConstraint("length(at) = 24"),
        UniqueConstraint("id"),
        sqlite_autoincrement=True,
    )
    op.create_index("traces_of_owner", "traces", ["principal", "repository", "number"])
    op.create_table(
        "source_identities",
        Column("number", Integer, primary_key=True),
        _text("id"),
        _owned_text("repository", "repositories.uid"),
        _text("provenance"),
        *(_text(name, null=True) for name in ("type", "identity")),
        UniqueConstraint("id"),
        sqlite_autoincrement=True,
    )
    op.create_index("source_identities_by_name", "source_identities", ["repository", "type", "identity"])
    op.create_table(
        "trace_sources",
        _owned("trace", "traces.number", key=True),
        _owned("source", "source_identities.number", key=True),
        Column("position", Integer, nullable=False),
        _text("location"),
        _text("path", null=True),
        _text("stored_at", null=True),
        sqlite_with_rowid=False,
    )
    op.create_index("trace_sources_of_source", "trace_sources", ["source", "trace"])
    op.create_table(
        "activations",
        Column("principal", Text, primary_key=True, nullable=False),
        _owned("source", "source_identities.number", key=True),
        Column("retrieved", Float, nullable=False),
        Column("usage", Float, nullable=False),
        _text("updated_at"),
        CheckConstraint("retrieved BETWEEN 0 AND 10 AND usage BETWEEN 0 AND 10 AND length(updated_at) = 24"),
        sqlite_with_rowid=False,
    )
    op.create_index("activations_of_source", "activations", ["source"])


def _what_was_used() -> None:
    op.create_table(
        "feedback_receipts",
        Column("number", Integer, primary_key=True),
        *map(_text, ("id", "principal", "key")),
        _owned("trace", "traces.number"),
        *map(_text, ("tool", "outcome", "payload_digest", "receipt", "at")),
        CheckConstraint("length(at) = 24"),
        UniqueConstraint("id"),
        UniqueConstraint("principal", "key"),
        sqlite_autoincrement=True,
    )
    op.create_index("feedback_receipts_of_trace", "feedback_receipts", ["trace", "number"])
    op.create_table(
        "usage",
        _owned("trace", "traces.number", key=True),
        _owned("source", "source_identities.number", key=True),
        Column("stage", Integer, primary_key=True, nullable=False),
        _owned("receipt", "feedback_receipts.number"),
        CheckConstraint("stage IN (1, 2, 3)"),
        sqlite_with_rowid=False,
    )
    op.create_index("usage_of_source", "usage", ["source"])
    op.create_index("usage_of_receipt", "usage", ["receipt"])


def _what_relations_learned() -> None:
    op.create_table(
        "mention_graphs",
        _owned_text("repository", "repositories.uid", key=True),
        Column("store_revision", Integer, nullable=False),
    )
    op.create_table(
        "mention_edges",
        _owned_text("repository", "repositories.uid", key=True),
        *(Column(name, Text, primary_key=True, nullable=False) for name in _EDGE),
        sqlite_with_rowid=False,
    )
    op.create_index("mention_edges_by_target", "mention_edges", ["repository", "target", "source"])
    op.create_table(
        "edge_strengths",
        _owned_text("repository", "repositories.uid", key=True),
        *(Column(name, Text, primary_key=True, nullable=False) for name in _EDGE),
        Column("value", Float, nullable=False),
        _text("updated_at"),
        CheckConstraint("value BETWEEN 0 AND 5 AND length(updated_at) = 24"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "credits",
        Column("number", Integer, primary_key=True),
        _owned("receipt", "feedback_receipts.number"),
        _owned("trace", "traces.number"),
        _owned_text("repository", "repositories.uid"),
        *map(_text, _EDGE),
        _text("via"),
        Column("delta", Float, nullable=False),
        _text("at"),
        _text("reason", null=True),
        Column("active", Integer, nullable=False),
        _text("reversed_at", null=True),
        CheckConstraint("delta BETWEEN 0 AND 0.25 AND length(at) = 24 AND active IN (0, 1)"),
        CheckConstraint("(active = 1) = (reversed_at IS NULL)"),
        UniqueConstraint("trace", *_EDGE),
        sqlite_autoincrement=True,
    )
    op.create_index("credits_of_receipt", "credits", ["receipt", "number"])
    op.create_index("credits_of_edge", "credits", ["repository", *_EDGE, "active"])
