"""The tables of retrieval history and feedback, as statements see them; apart from memories (B51)."""

from __future__ import annotations

from sqlalchemy import Column, Float, Integer, MetaData, Table, Text

metadata = MetaData()


def _text(name: str, *, key: bool = False, null: bool = False) -> Column[str]:
    return Column(name, Text, primary_key=key, nullable=null)


def _int(name: str, *, key: bool = False) -> Column[int]:
    return Column(name, Integer, primary_key=key, nullable=False)


def _number() -> Column[int]:
    return Column("number", Integer, primary_key=True)


def _edge(*, key: bool) -> list[Column[str]]:
    return [_text(name, key=key) for name in ("repository", "source", "target", "kind")]


traces = Table(
    "traces",
    metadata,
    _number(),
    *map(_text, ("id", "principal", "repository", "at", "mode", "request", "settings")),
    sqlite_autoincrement=True,
)

source_identities = Table(
    "source_identities",
    metadata,
    _number(),
    *map(_text, ("id", "repository", "provenance")),
    _text("type", null=True),
    _text("identity", null=True),
    sqlite_autoincrement=True,
)

trace_sources = Table(
    "trace_sources",
    metadata,
    _int("trace", key=True),
    _int("source", key=True),
    _int("position"),
    _text("location"),
    _text("path", null=True),
    _text("stored_at", null=True),
)

activations = Table(
    "activations",
    metadata,
    _text("principal", key=True),
    _int("source", key=True),
    Column("retrieved", Float, nullable=False),
    Column("usage", Float, nullable=False),
    _text("updated_at"),
)

feedback_receipts = Table(
    "feedback_receipts",
    metadata,
    _number(),
    *map(_text, ("id", "principal", "key")),
    _int("trace"),
    *map(_text, ("tool", "outcome", "payload_digest", "receipt", "at")),
    sqlite_autoincrement=True,
)

usage = Table(
    "usage",
    metadata,
    _int("trace", key=True),
    _int("source", key=True),
    _int("stage", key=True),
    _int("receipt"),
)

mention_graphs = Table("mention_graphs", metadata, _text("repository", key=True), _int("store_revision"))

mention_edges = Table("mention_edges", metadata, *_edge(key=True))

edge_strengths = Table(
    "edge_strengths",
    metadata,
    *_edge(key=True),
    Column("value", Float, nullable=False),
    _text("updated_at"),
)

credits_lent = Table(
    "credits",
    metadata,
    _number(),
    _int("receipt"),
    _int("trace"),
    *_edge(key=False),
    _text("via"),
    Column("delta", Float, nullable=False),
    _text("at"),
    _text("reason", null=True),
    _int("active"),
    _text("reversed_at", null=True),
    sqlite_autoincrement=True,
)
