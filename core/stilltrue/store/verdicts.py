"""What checks found, per working tree: never exported, always droppable (design 6)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Connection, delete, insert, select

from stilltrue.errors import NotFoundError
from stilltrue.model.citation import Place, Span
from stilltrue.model.time import Instant
from stilltrue.model.verdict import CitationVerdict, Grade, Reason, Verdict
from stilltrue.store.batches import batches
from stilltrue.store.engine import bump_revision
from stilltrue.store.schema import citations, file_cache, memory_sources, verdicts

UNCHECKED_VALUES = {"verdict": Verdict.UNKNOWN.value, "reason": "unchecked"}
"""The content columns of a row about the git axis alone; neither axis implies the other (K1)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictRow:
    """The latest verdicts on a citation in one working tree, one for each axis (K1).

    Attributes:
        citation: uid.
        generation: The generation that was judged.
        verdict: Of which verdict, reason, grade and new place are kept; None where git alone was asked.
        commit_state: `current`, `stale` or `unresolved` for a pinned citation (A14), else None.
        checked_at: When; where there is a commit state, when git was asked for it (A25).
        checked_head: The commit checked out then.
    """

    citation: str
    generation: int
    verdict: CitationVerdict | None
    checked_at: Instant
    commit_state: str | None = None
    checked_head: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FileCacheRow:
    """What a warm check needs to know of one file.

    Attributes:
        path: Relative to the repository root.
        stamp: Its stat signature when it was judged.
        store_revision: The store's revision then.
        summary: The file's verdicts in short, as the checker writes them.
        moved: Moved lines, as the checker writes them (K12).
    """

    path: str
    stamp: str
    store_revision: int
    summary: str
    moved: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class MemorySource:
    """The reference designs' columns of a memory (A1, A14), read from a view; None means never."""

    memory: str
    valid_to: Instant | None
    superseded_by: str | None
    retracted_at: Instant | None
    last_accessed_at: Instant | None
    source_commit: str | None
    source_path: str | None
    freshness: str | None
    checked_at: Instant | None
    checked_head: str | None


def write_verdicts(conn: Connection, checkout: int, rows: Sequence[VerdictRow]) -> None:
    """Keeps these verdicts in place of former ones on the same citations.

    A row without a commit state leaves a former one of the same generation as it is, with its dates.
    """
    if not rows:
        return
    numbers = _numbers(conn, [row.citation for row in rows])
    newest = {row.citation: row for row in rows}
    former = verdicts_of(conn, checkout, [uid for uid, row in newest.items() if row.commit_state is None])
    for uid, kept in former.items():
        if kept.commit_state is not None and kept.generation == newest[uid].generation:
            newest[uid] = replace(
                newest[uid],
                commit_state=kept.commit_state,
                checked_at=kept.checked_at,
                checked_head=kept.checked_head,
            )
    for some in batches(list(newest)):
        held = [numbers[uid] for uid in some]
        conn.execute(delete(verdicts).where(verdicts.c.checkout == checkout, verdicts.c.citation.in_(held)))
    values = [_values(checkout, numbers[uid], row) for uid, row in newest.items()]
    conn.execute(insert(verdicts), values)
    bump_revision(conn)


def verdicts_of(conn: Connection, checkout: int, citation_uids: Iterable[str]) -> dict[str, VerdictRow]:
    """The latest verdicts on those of these citations that were judged in that working tree."""
    found: dict[str, VerdictRow] = {}
    joined = verdicts.join(citations, citations.c.number == verdicts.c.citation)
    for some in batches(list(dict.fromkeys(citation_uids))):
        statement = select(citations.c.uid, verdicts).select_from(joined)
        for row in conn.execute(statement.where(verdicts.c.checkout == checkout, citations.c.uid.in_(some))):
            found[row.uid] = VerdictRow(
                citation=row.uid,
                generation=row.generation,
                verdict=_verdict_from(row),
                checked_at=row.checked_at,
                commit_state=row.commit_state,
                checked_head=row.checked_head,
            )
    return found


def sources_of(conn: Connection, memory_uids: Iterable[str]) -> dict[str, MemorySource]:
    """The view on these memories that mirrors the reference designs' columns."""
    names = MemorySource.__dataclass_fields__
    columns = [memory_sources.c[name] for name in names]
    found: dict[str, MemorySource] = {}
    for some in batches(list(dict.fromkeys(memory_uids))):
        for row in conn.execute(select(*columns).where(memory_sources.c.memory.in_(some))):
            found[row.memory] = MemorySource(**dict(zip(names, row, strict=True)))
    return found


def write_file_cache(conn: Connection, checkout: int, rows: Sequence[FileCacheRow]) -> None:
    """Keeps these summaries in place of former ones; the store revision stays."""
    drop_file_cache(conn, checkout, [row.path for row in rows])
    values = [
        {
            "checkout": checkout,
            "path": row.path,
            "stamp": row.stamp,
            "store_revision": row.store_revision,
            "summary": row.summary,
            "moved": row.moved,
        }
        for row in rows
    ]
    if values:
        conn.execute(insert(file_cache), values)


def read_file_cache(
    conn: Connection, checkout: int, paths: Collection[str] | None = None
) -> dict[str, FileCacheRow]:
    """The summaries of these files (None: of all) in that working tree."""
    statement = select(file_cache).where(file_cache.c.checkout == checkout)
    portions = [None] if paths is None else list(batches(sorted(set(paths))))
    found: dict[str, FileCacheRow] = {}
    for some in portions:
        wanted = statement if some is None else statement.where(file_cache.c.path.in_(some))
        for _, path, stamp, revision, summary, moved in conn.execute(wanted):
            found[path] = FileCacheRow(
                path=path, stamp=stamp, store_revision=revision, summary=summary, moved=moved
            )
    return found


def drop_file_cache(conn: Connection, checkout: int, paths: Collection[str] | None = None) -> None:
    """Forgets the summaries of these files (None: of all)."""
    statement = delete(file_cache).where(file_cache.c.checkout == checkout)
    if paths is None:
        conn.execute(statement)
        return
    for some in batches(list(paths)):
        conn.execute(statement.where(file_cache.c.path.in_(some)))


def _numbers(conn: Connection, uids: Sequence[str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for some in batches(list(dict.fromkeys(uids))):
        statement = select(citations.c.uid, citations.c.number).where(citations.c.uid.in_(some))
        found |= {row.uid: row.number for row in conn.execute(statement)}
    for uid in uids:
        if uid not in found:
            raise NotFoundError(f"no such citation: {uid}")
    return found


def _verdict_from(row: Any) -> CitationVerdict | None:  # noqa: ANN401 - a row
    if row.reason == UNCHECKED_VALUES["reason"]:
        return None
    new = None
    if row.new_path is not None:
        new = Place(row.new_path, Span(row.new_start, row.new_end))
    return CitationVerdict(
        verdict=Verdict(row.verdict),
        reason=Reason(row.reason),
        grade=Grade(row.grade) if row.grade else None,
        new=new,
    )


def _content_values(verdict: CitationVerdict | None) -> dict[str, object]:
    new = verdict.new if verdict else None
    place = {
        "new_path": new.path if new else None,
        "new_start": new.span.start if new else None,
        "new_end": new.span.end if new else None,
    }
    if verdict is None:
        return {**UNCHECKED_VALUES, "grade": None, **place}
    grade = verdict.grade.value if verdict.grade else None
    return {"verdict": verdict.verdict.value, "reason": verdict.reason.value, "grade": grade, **place}


def _values(checkout: int, number: int, row: VerdictRow) -> dict[str, object]:
    return {
        "checkout": checkout,
        "citation": number,
        "generation": row.generation,
        **_content_values(row.verdict),
        "commit_state": row.commit_state,
        "checked_at": row.checked_at,
        "checked_head": row.checked_head,
    }
