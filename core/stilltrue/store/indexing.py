"""The full-text index over memories: how it is made, and whether it can be used.

Statements here are those of migration 0004. Triggers keep the index, so that older programs, imports and
redaction cannot leave it behind.
"""

from __future__ import annotations

import sqlite3

INDEX = """
CREATE VIRTUAL TABLE memory_search USING fts5(
    text, subject, content = 'memories', content_rowid = 'number',
    tokenize = 'porter unicode61 remove_diacritics 2')
"""

_WORDS = "memory_search (memory_search, rowid, text, subject)"
_TAKE_OUT = f"INSERT INTO {_WORDS} VALUES ('delete', old.number, old.text, old.subject);"  # noqa: S608 - no values
_PUT_IN = "INSERT INTO memory_search (rowid, text, subject) VALUES (new.number, new.text, new.subject);"
_MERGE = "INSERT INTO memory_search (memory_search) VALUES ('optimize');"

_REPLACE = f"{_TAKE_OUT} {_PUT_IN} {_MERGE}"

TRIGGERS = (
    f"CREATE TRIGGER memory_search_insert AFTER INSERT ON memories BEGIN {_PUT_IN} END",
    f"CREATE TRIGGER memory_search_update AFTER UPDATE OF text, subject ON memories BEGIN {_REPLACE} END",
    f"CREATE TRIGGER memory_search_delete AFTER DELETE ON memories BEGIN {_TAKE_OUT} END",
    f"CREATE TRIGGER memory_search_purge AFTER DELETE ON repositories BEGIN {_MERGE} END",
)
"""Only redaction changes words, and only a purge deletes them; both then merge them out of the pages."""

_TRIGGER_NAMES = tuple(statement.split()[2] for statement in TRIGGERS)


def has_full_text(raw: sqlite3.Connection) -> bool:
    """Whether this SQLite was built with FTS5."""
    return bool(raw.execute("SELECT 1 FROM pragma_module_list WHERE name = 'fts5'").fetchone())


def is_settled(raw: sqlite3.Connection) -> bool:
    """Whether what the store holds of the index agrees with what this SQLite can do; reads only."""
    kept = "SELECT count(*) FROM sqlite_master WHERE type = 'trigger' AND name LIKE 'memory_search_%'"
    count = int(raw.execute(kept).fetchone()[0])
    return count == (len(TRIGGERS) if has_full_text(raw) else 0)


def settle_index(raw: sqlite3.Connection) -> None:
    """Makes what this SQLite can do of the index agree with what the store holds of it.

    Without FTS5 the triggers would stop every write: they are dropped, and recall looks for parts of words.
    The next program that has FTS5 builds the index anew and puts them back.
    """
    if is_settled(raw):
        return
    able = has_full_text(raw)
    raw.execute("BEGIN IMMEDIATE")
    try:
        for name in _TRIGGER_NAMES:
            raw.execute(f"DROP TRIGGER IF EXISTS {name}")
        if able:
            _build(raw)
        raw.execute("COMMIT")
    except BaseException:
        raw.execute("ROLLBACK")
        raw.execute("PRAGMA foreign_keys = ON")
        raise


def _build(raw: sqlite3.Connection) -> None:
    raw.execute("DROP TABLE IF EXISTS memory_search")
    for statement in (INDEX, *TRIGGERS):
        raw.execute(statement)
    raw.execute("INSERT INTO memory_search (memory_search) VALUES ('rebuild')")
