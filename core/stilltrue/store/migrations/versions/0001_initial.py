"""The first tables."""

from __future__ import annotations

from alembic import op
from sqlalchemy import (
    CheckConstraint,
    Column,
    Float,
    ForeignKey,
    ForeignKeyConstraint,
    Integer,
    LargeBinary,
    Text,
    UniqueConstraint,
    text,
)
from sqlalchemy import PrimaryKeyConstraint as Key

revision = "0001"
down_revision = None


def upgrade() -> None:
    _repositories()
    _memories()
    _citations()
    _acts()
    _checks()
    _indexes()
    op.execute(_MEMORY_SOURCES)
    op.execute("INSERT INTO store_meta (id, store_revision, min_reader, min_writer) VALUES (1, 0, 1, 1)")


def _text(name: str, *target: str, null: bool = False) -> Column[str]:
    return Column(name, Text, *map(ForeignKey, target), nullable=null)


def _int(name: str, *target: str, null: bool = False) -> Column[int]:
    return Column(name, Integer, *map(ForeignKey, target), nullable=null)


def _one_of(column: str, *words: str) -> CheckConstraint:
    return CheckConstraint(f"{column} IN ({', '.join(repr(word) for word in words)})")


def _repositories() -> None:
    op.create_table(
        "store_meta",
        Column("id", Integer, primary_key=True),
        _int("store_revision"),
        _int("min_reader"),
        _int("min_writer"),
        _text("newest_at", null=True),
        CheckConstraint("id = 1"),
    )
    op.create_table(
        "repositories",
        Column("uid", Text, primary_key=True),
        _text("name"),
        _text("created_at"),
        Column("excerpts", Integer, nullable=False, server_default="1"),
    )
    op.create_table(
        "repository_keys",
        _text("kind"),
        _text("value"),
        _text("repository", "repositories.uid"),
        _text("added_at"),
        Key("kind", "value", "repository"),
        _one_of("kind", "git-dir", "path", "root-commit"),
    )
    op.create_table(
        "checkouts",
        Column("id", Integer, primary_key=True),
        _text("repository", "repositories.uid"),
        _text("machine"),
        _text("root"),
        _text("created_at"),
        UniqueConstraint("repository", "machine", "root"),
    )


def _memories() -> None:
    op.create_table(
        "memories",
        Column("number", Integer, primary_key=True),
        _text("uid"),
        _text("repository", "repositories.uid"),
        _text("chain"),
        _text("supersedes", "memories.uid", null=True),
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
        Column("redacted", Integer, nullable=False, server_default="0"),
        UniqueConstraint("uid"),
        CheckConstraint("redacted IN (0, 1)"),
        CheckConstraint("redacted = 1 OR (trim(text) <> '' AND trim(subject) <> '')"),
        CheckConstraint("importance BETWEEN 1 AND 10 AND importance = CAST(importance AS INTEGER)"),
        CheckConstraint("confidence BETWEEN 0.0 AND 1.0"),
        _one_of("kind", "semantic", "episodic", "procedural"),
        _one_of(
            "trust", "verified", "corroborated", "candidate", "rejected", "defensively_recalled", "unknown"
        ),
        _one_of("origin", "disk", "buffer"),
        CheckConstraint("length(tx_at) = 24 AND length(valid_from) = 24"),
        CheckConstraint("valid_to IS NULL OR (length(valid_to) = 24 AND valid_to > valid_from)"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "memory_access",
        Column("memory", Integer, ForeignKey("memories.number"), primary_key=True),
        _text("last_accessed_at"),
    )
    op.create_table(
        "closings",
        Column("id", Integer, primary_key=True),
        _text("memory", "memories.uid"),
        _text("kind"),
        _text("at"),
        _text("valid_at"),
        _text("actor"),
        _text("successor", "memories.uid", null=True),
        _text("undone_at", null=True),
        _one_of("kind", "superseded", "retracted"),
        CheckConstraint("(kind = 'superseded') = (successor IS NOT NULL)"),
        CheckConstraint("length(at) = 24 AND length(valid_at) = 24"),
        CheckConstraint("undone_at IS NULL OR undone_at >= at"),
        sqlite_autoincrement=True,
    )


def _citations() -> None:
    op.create_table(
        "citations",
        Column("number", Integer, primary_key=True),
        _text("uid"),
        _int("memory", "memories.number"),
        UniqueConstraint("uid"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "citation_generations",
        _int("citation", "citations.number"),
        _int("generation"),
        _int("memory", "memories.number"),
        _text("repository", "repositories.uid"),
        _int("present"),
        _text("kind"),
        _text("path", null=True),
        _int("span_start", null=True),
        _int("span_end", null=True),
        *(_text(name, null=True) for name in ("symbol", "commit_sha", "sha256", "lf_sha256")),
        *(_int(name, null=True) for name in ("byte_length", "copies", "copy_index")),
        *(_text(name, null=True) for name in ("before_sha256", "after_sha256", "encoding")),
        *(Column("line_digests", LargeBinary), _int("conflict_markers", null=True)),
        _text("recorded_at"),
        _text("actor"),
        _text("origin"),
        _text("undone_at", null=True),
        Key("citation", "generation"),
        _one_of("kind", "span", "symbol", "file", "commit"),
        _one_of("origin", "disk", "buffer"),
        CheckConstraint("present IN (0, 1) AND (present = 0 OR undone_at IS NULL)"),
        CheckConstraint("(span_start IS NULL) = (span_end IS NULL) AND span_start >= 1"),
        CheckConstraint("path IS NOT NULL OR kind = 'commit'"),
    )
    op.create_table(
        "generation_texts",
        _int("citation"),
        _int("generation"),
        Column("excerpt", LargeBinary),
        Column("before_text", LargeBinary),
        Column("after_text", LargeBinary),
        Key("citation", "generation"),
        ForeignKeyConstraint(
            ["citation", "generation"], ["citation_generations.citation", "citation_generations.generation"]
        ),
    )


def _acts() -> None:
    op.create_table(
        "acts",
        Column("id", Integer, primary_key=True),
        _text("repository", "repositories.uid"),
        _text("kind"),
        _text("actor"),
        _text("at"),
        _text("undone_at", null=True),
        _text("undone_by", null=True),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "act_objects",
        _int("act", "acts.id"),
        _text("role"),
        _int("object"),
        _int("generation"),
        Key("act", "role", "object", "generation"),
        _one_of("role", "memory", "closing", "generation"),
    )
    op.create_table(
        "receipts",
        _text("principal"),
        _text("key"),
        _text("repository", "repositories.uid", null=True),
        _text("payload_digest"),
        _text("receipt"),
        _text("at"),
        Key("principal", "key"),
    )


def _checks() -> None:
    op.create_table(
        "verdicts",
        _int("checkout", "checkouts.id"),
        _int("citation", "citations.number"),
        _int("generation"),
        _text("verdict"),
        _text("reason"),
        *(_text(name, null=True) for name in ("grade", "new_path", "commit_state")),
        *(_int(name, null=True) for name in ("new_start", "new_end")),
        _text("checked_at"),
        _text("checked_head", null=True),
        Key("checkout", "citation"),
        _one_of("commit_state", "current", "stale", "unresolved"),
        _one_of("verdict", "fresh", "moved", "stale", "unknown"),
    )
    op.create_table(
        "file_cache",
        _int("checkout", "checkouts.id"),
        _text("path"),
        _text("stamp"),
        _int("store_revision"),
        _text("summary"),
        _text("moved"),
        Key("checkout", "path"),
    )


def _indexes() -> None:
    def index(name: str, table: str, columns: list[str], where: str = "", *, unique: bool = False) -> None:
        when = text(where) if where else None
        op.create_index(name, table, columns, unique=unique, sqlite_where=when, postgresql_where=when)

    place = "kind <> 'root-commit'"
    index("one_repository_per_place", "repository_keys", ["kind", "value"], place, unique=True)
    index("memories_of_repository", "memories", ["repository", "number"])
    index("memories_of_chain", "memories", ["chain"])
    index("memories_of_source", "memories", ["repository", "source_ref"], "source_ref IS NOT NULL")
    index("memories_replacing", "memories", ["supersedes"], "supersedes IS NOT NULL")
    index("closings_of_memory", "closings", ["memory"])
    index("closings_by_successor", "closings", ["successor"], "successor IS NOT NULL")
    retracted = "kind = 'retracted' AND undone_at IS NULL"
    index("one_retraction", "closings", ["memory"], retracted, unique=True)
    index("citations_of_memory", "citations", ["memory"])
    present, cited = "present = 1", "citation_generations"
    index("one_present_generation", cited, ["citation"], present, unique=True)
    index("present_by_place", cited, ["repository", "path", "span_start"], present)
    pinned = f"{present} AND commit_sha IS NOT NULL"
    index("pinned_present", cited, ["repository", "commit_sha", "path"], pinned)
    index("acts_of_repository", "acts", ["repository", "id"])
    index("acts_by_object", "act_objects", ["role", "object"])
    index("verdicts_of_citation", "verdicts", ["citation", "checked_at"])


_MEMORY_SOURCES = """
CREATE VIEW memory_sources AS
SELECT m.uid AS memory, m.number AS number, m.repository AS repository,
       CASE WHEN s.valid_at IS NULL OR m.valid_to < s.valid_at
            THEN m.valid_to ELSE s.valid_at END AS valid_to,
       s.successor AS superseded_by, r.at AS retracted_at, a.last_accessed_at AS last_accessed_at,
       g.commit_sha AS source_commit, g.path AS source_path,
       v.commit_state AS freshness, v.checked_at AS checked_at, v.checked_head AS checked_head
FROM memories m
LEFT JOIN memory_access a ON a.memory = m.number
LEFT JOIN closings s ON s.id = (
    SELECT max(id) FROM closings WHERE memory = m.uid AND kind = 'superseded' AND undone_at IS NULL)
LEFT JOIN closings r ON r.memory = m.uid AND r.kind = 'retracted' AND r.undone_at IS NULL
LEFT JOIN citation_generations g ON g.generation = 1 AND g.citation = (
    SELECT min(c.number) FROM citations c
    JOIN citation_generations p ON p.citation = c.number AND p.generation = 1
    WHERE c.memory = m.number AND p.commit_sha IS NOT NULL)
LEFT JOIN verdicts v ON v.citation = g.citation AND v.checkout = (
    SELECT checkout FROM verdicts WHERE citation = g.citation ORDER BY checked_at DESC, checkout DESC LIMIT 1)
"""
