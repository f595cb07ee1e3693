"""The tables, as statements see them; `migrations` makes them."""

from __future__ import annotations

from sqlalchemy import Column, Float, ForeignKey, Integer, LargeBinary, MetaData, Table, Text

HEAD = "0007"
"""The newest migration; an open compares it with the one stored revision."""

PROGRAM_LEVEL = 1
"""What a store's `min_reader` and `min_writer` are compared with."""

metadata = MetaData()


def _text(name: str, *, null: bool = False) -> Column[str]:
    return Column(name, Text, nullable=null)


def _int(name: str, *, null: bool = False) -> Column[int]:
    return Column(name, Integer, nullable=null)


store_meta = Table(
    "store_meta",
    metadata,
    Column("id", Integer, primary_key=True),
    _int("store_revision"),
    _int("min_reader"),
    _int("min_writer"),
    _text("newest_at", null=True),
)

repositories = Table(
    "repositories",
    metadata,
    Column("uid", Text, primary_key=True),
    _text("name"),
    _text("created_at"),
    _int("excerpts"),
)

repository_keys = Table(
    "repository_keys",
    metadata,
    Column("kind", Text, primary_key=True),
    Column("value", Text, primary_key=True),
    Column("repository", Text, ForeignKey("repositories.uid"), primary_key=True),
    _text("added_at"),
)

checkouts = Table(
    "checkouts",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("repository", Text, ForeignKey("repositories.uid"), nullable=False),
    _text("machine"),
    _text("root"),
    _text("created_at"),
)

memories = Table(
    "memories",
    metadata,
    Column("number", Integer, primary_key=True),
    _text("uid"),
    Column("repository", Text, ForeignKey("repositories.uid"), nullable=False),
    _text("chain"),
    Column("supersedes", Text, ForeignKey("memories.uid")),
    _text("text"),
    _text("subject"),
    _text("predicate"),
    _text("kind"),
    _int("importance"),
    Column("confidence", Float, nullable=False),
    _text("trust"),
    _text("source_ref", null=True),
    _text("source_agent", null=True),
    _text("valid_from"),
    _text("valid_to", null=True),
    _text("expires_at", null=True),
    _text("tx_at"),
    _text("origin"),
    _int("redacted"),
    sqlite_autoincrement=True,
)

memory_access = Table(
    "memory_access",
    metadata,
    Column("memory", Integer, ForeignKey("memories.number"), primary_key=True),
    _text("last_accessed_at"),
)

closings = Table(
    "closings",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("memory", Text, ForeignKey("memories.uid"), nullable=False),
    _text("kind"),
    _text("at"),
    _text("valid_at"),
    _text("actor"),
    Column("successor", Text, ForeignKey("memories.uid")),
    _text("undone_at", null=True),
    sqlite_autoincrement=True,
)

citations = Table(
    "citations",
    metadata,
    Column("number", Integer, primary_key=True),
    _text("uid"),
    Column("memory", Integer, ForeignKey("memories.number"), nullable=False),
    sqlite_autoincrement=True,
)

generations = Table(
    "citation_generations",
    metadata,
    Column("citation", Integer, ForeignKey("citations.number"), primary_key=True),
    Column("generation", Integer, primary_key=True),
    Column("memory", Integer, ForeignKey("memories.number"), nullable=False),
    Column("repository", Text, ForeignKey("repositories.uid"), nullable=False),
    _int("present"),
    _text("kind"),
    _text("path", null=True),
    _int("span_start", null=True),
    _int("span_end", null=True),
    _text("symbol", null=True),
    _text("commit_sha", null=True),
    _text("sha256", null=True),
    _text("lf_sha256", null=True),
    _int("byte_length", null=True),
    _int("copies", null=True),
    _int("copy_index", null=True),
    _text("before_sha256", null=True),
    _text("after_sha256", null=True),
    Column("line_digests", LargeBinary),
    _int("conflict_markers", null=True),
    _text("encoding", null=True),
    _text("recorded_at"),
    _text("actor"),
    _text("origin"),
    _text("undone_at", null=True),
)

generation_texts = Table(
    "generation_texts",
    metadata,
    Column("citation", Integer, ForeignKey("citations.number"), primary_key=True),
    Column("generation", Integer, primary_key=True),
    Column("excerpt", LargeBinary),
    Column("before_text", LargeBinary),
    Column("after_text", LargeBinary),
    _int("solid_copies", null=True),
    _int("solid_index", null=True),
    Column("solid_above", LargeBinary),
    Column("solid_below", LargeBinary),
)

acts = Table(
    "acts",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("repository", Text, ForeignKey("repositories.uid"), nullable=False),
    _text("kind"),
    _text("actor"),
    _text("at"),
    _text("undone_at", null=True),
    _text("undone_by", null=True),
    sqlite_autoincrement=True,
)

act_objects = Table(
    "act_objects",
    metadata,
    Column("act", Integer, ForeignKey("acts.id"), primary_key=True),
    Column("role", Text, primary_key=True),
    Column("object", Integer, primary_key=True),
    Column("generation", Integer, primary_key=True),
)

verdicts = Table(
    "verdicts",
    metadata,
    Column("checkout", Integer, ForeignKey("checkouts.id"), primary_key=True),
    Column("citation", Integer, ForeignKey("citations.number"), primary_key=True),
    _int("generation"),
    _text("verdict"),
    _text("reason"),
    _text("grade", null=True),
    _text("new_path", null=True),
    _int("new_start", null=True),
    _int("new_end", null=True),
    _text("commit_state", null=True),
    _text("checked_at"),
    _text("checked_head", null=True),
)

file_cache = Table(
    "file_cache",
    metadata,
    Column("checkout", Integer, ForeignKey("checkouts.id"), primary_key=True),
    Column("path", Text, primary_key=True),
    _text("stamp"),
    _int("store_revision"),
    _text("summary"),
    _text("moved"),
)

receipts = Table(
    "receipts",
    metadata,
    Column("principal", Text, primary_key=True),
    Column("key", Text, primary_key=True),
    Column("repository", Text, ForeignKey("repositories.uid")),
    _text("payload_digest"),
    _text("receipt"),
    _text("at"),
)

snoozes = Table(
    "snoozes",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("repository", Text, ForeignKey("repositories.uid"), nullable=False),
    Column("memory", Text, ForeignKey("memories.uid"), nullable=False),
    _text("actor"),
    _text("until", null=True),
    _text("seen", null=True),
    _text("at"),
    sqlite_autoincrement=True,
)

heal_checkpoints = Table(
    "heal_checkpoints",
    metadata,
    Column("checkout", Integer, ForeignKey("checkouts.id"), primary_key=True),
    _text("head", null=True),
    _text("uncommitted"),
    _text("judged_with"),
    _text("at"),
)

heal_locks = Table(
    "heal_locks",
    metadata,
    Column("checkout", Integer, ForeignKey("checkouts.id"), primary_key=True),
    _text("owner"),
    _text("machine"),
    _int("process"),
    _text("token"),
    _text("since"),
    _text("expires_at"),
)

heal_events = Table(
    "heal_events",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("repository", Text, ForeignKey("repositories.uid"), nullable=False),
    _text("kind"),
    Column("original", Text, ForeignKey("memories.uid"), nullable=False),
    Column("superseding", Text, ForeignKey("memories.uid"), nullable=False),
    _text("reason"),
    _text("citation"),
    _text("resolver_state"),
    _text("code_state"),
    _text("commit_sha", null=True),
    _text("actor"),
    _text("at"),
    sqlite_autoincrement=True,
)

memory_sources = Table(
    "memory_sources",
    MetaData(),  # a view: not made with the tables
    Column("memory", Text, primary_key=True),
    _int("number"),
    _text("repository"),
    _text("valid_to", null=True),
    _text("superseded_by", null=True),
    _text("retracted_at", null=True),
    _text("last_accessed_at", null=True),
    _text("source_commit", null=True),
    _text("source_path", null=True),
    _text("freshness", null=True),
    _text("checked_at", null=True),
    _text("checked_head", null=True),
)

memory_search = Table(
    "memory_search",
    MetaData(),  # a full-text index: made by its own statement, and not everywhere
    _int("rowid"),
    _text("memory_search"),
    Column("rank", Float),
)
