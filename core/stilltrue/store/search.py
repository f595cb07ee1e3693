"""Which memories answer a question: candidates by words, by score, by age and by place (A10).

Every question keeps the filters on time, repository, subject, kind and path. Words are looked for as words:
what a person types is never taken for the syntax of the index.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    and_,
    bindparam,
    func,
    literal_column,
    or_,
    select,
    text,
)

from stilltrue.model.memory import Memory
from stilltrue.model.time import AsOf, Instant
from stilltrue.recall.ranking import SourceWeights
from stilltrue.recall.words import pieces, words
from stilltrue.store.batches import batches
from stilltrue.store.rows import MEMORY_COLUMNS, memory_from
from stilltrue.store.schema import generations, memories, memory_access, memory_search
from stilltrue.store.scoring import kept_source, score_expression
from stilltrue.store.temporal import unexpired, visible

CANDIDATE_CAP = 256
"""Most candidates of one list (A11)."""

TEXTS_CAP = 20_000
"""Most texts that are compared by meaning."""

_SEARCHED = memory_search.join(memories, memories.c.number == memory_search.c.rowid)


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """What every list keeps to.

    Attributes:
        repository: Whose memories.
        at: Which of them were known then to hold then.
        now: What had expired then is left out (C18).
        subject: Only about exactly that.
        kind: Only of that kind.
        path: Only what cites that file or folder; `.` is everything that cites a file.
    """

    repository: str
    at: AsOf
    now: Instant
    subject: str | None = None
    kind: str | None = None
    path: str | None = None

    def conditions(self) -> list[ColumnElement[bool]]:
        """For the WHERE of a statement over memories."""
        found = [memories.c.repository == self.repository, visible(self.at), unexpired(self.now)]
        found += [] if self.subject is None else [memories.c.subject == self.subject]
        found += [] if self.kind is None else [memories.c.kind == self.kind]
        if self.path is not None:
            citing = select(generations.c.memory).where(
                generations.c.repository == self.repository,
                generations.c.present == literal_column("1"),
                _is_under(self.path),
            )
            found.append(memories.c.number.in_(citing))
        return found


class Candidate(NamedTuple):
    """What ranking needs to know of a memory."""

    number: int
    tx_at: Instant
    kind: str
    importance: int
    confidence: float
    trust: str
    expires_at: Instant | None
    accessed_at: Instant | None
    source: str | None


def has_index(conn: Connection) -> bool:
    """Whether words can be looked up; else parts of words are looked for in every memory."""
    kept = text(
        "SELECT 1 FROM sqlite_master, pragma_module_list AS modules WHERE sqlite_master.type = 'trigger' "
        "AND sqlite_master.name = 'memory_search_insert' AND modules.name = 'fts5'"
    )
    return conn.execute(kept).first() is not None


def by_words(conn: Connection, filters: Filters, query: str, *, enough: int) -> list[int]:
    """The numbers of memories that hold the words, best first, at most 256.

    First those with all of them; while that are fewer than `enough`, those with any; if there is none, those
    that hold the whole text as a part.
    """
    asked, found = pieces(query), []
    if asked and has_index(conn):
        found = _matching(conn, filters, _all_of(asked))
        if len(found) < enough:
            more = _matching(conn, filters, _any_of(words(query)))
            found += [number for number in more if number not in set(found)]
    return found[:CANDIDATE_CAP] or _holding(conn, filters, query.strip())


def by_score(
    conn: Connection,
    filters: Filters,
    weights: SourceWeights,
    checkout: int | None,
    *,
    aged: bool,
    limit: int = CANDIDATE_CAP,
) -> list[int]:
    """The numbers of the memories with the highest score, where nothing is asked for (A11, A12)."""
    score = score_expression(filters.now, weights, checkout, aged=aged)
    statement = (
        select(memories.c.number)
        .select_from(memories.outerjoin(memory_access, memory_access.c.memory == memories.c.number))
        .where(*filters.conditions())
        .order_by(score.desc(), memories.c.tx_at.desc(), memories.c.number.desc())
        .limit(limit)
    )
    return list(conn.execute(statement).scalars())


def newest(conn: Connection, filters: Filters) -> list[int]:
    """The numbers of the memories that were recorded last, newest first, at most 256."""
    statement = select(memories.c.number).where(*filters.conditions())
    statement = statement.order_by(memories.c.tx_at.desc(), memories.c.number.desc()).limit(CANDIDATE_CAP)
    return list(conn.execute(statement).scalars())


def near(conn: Connection, filters: Filters, path: str | None, names: Sequence[str]) -> list[int]:
    """The numbers of memories that cite what is named, then that file, then its folder; at most 256."""
    found: dict[int, None] = {}
    present = (
        generations.c.repository == filters.repository,
        generations.c.present == literal_column("1"),
    )
    for condition in _places(path, names):
        if len(found) >= CANDIDATE_CAP:
            break
        citing = select(generations.c.memory).where(*present, condition)
        statement = select(memories.c.number).where(*filters.conditions(), memories.c.number.in_(citing))
        statement = statement.order_by(memories.c.number.desc()).limit(CANDIDATE_CAP)
        found.update(dict.fromkeys(conn.execute(statement).scalars()))
    return list(found)[:CANDIDATE_CAP]


def candidates(
    conn: Connection, numbers: Sequence[int], checkout: int | None, *, with_source: bool
) -> dict[int, Candidate]:
    """What ranking needs to know of these memories; what is kept of their code only where it counts."""
    source = kept_source(checkout) if with_source else literal_column("NULL")
    columns = (
        memories.c.number,
        memories.c.tx_at,
        memories.c.kind,
        memories.c.importance,
        memories.c.confidence,
        memories.c.trust,
        memories.c.expires_at,
        memory_access.c.last_accessed_at,
        source,
    )
    statement = select(*columns).select_from(
        memories.outerjoin(memory_access, memory_access.c.memory == memories.c.number)
    )
    found: dict[int, Candidate] = {}
    for some in batches(numbers):
        for row in conn.execute(statement.where(memories.c.number.in_(some))):
            found[row[0]] = Candidate._make(row)
    return found


def memories_by_number(conn: Connection, numbers: Sequence[int]) -> dict[int, Memory]:
    """These memories, by number."""
    found: dict[int, Memory] = {}
    for some in batches(numbers):
        for row in conn.execute(select(*MEMORY_COLUMNS).where(memories.c.number.in_(some))):
            found[row.number] = memory_from(row)
    return found


def texts(conn: Connection, filters: Filters) -> dict[int, str]:
    """What every memory says, by number, the newest 20,000 of them."""
    statement = select(memories.c.number, memories.c.text).where(*filters.conditions())
    statement = statement.order_by(memories.c.number.desc()).limit(TEXTS_CAP)
    return {number: said for number, said in conn.execute(statement)}  # noqa: C416 - rows are not pairs to mypy


def matching_statement(filters: Filters) -> Select[Any]:
    """The statement behind `by_words`, for its plan; `words` is what it looks for."""
    return (
        select(memories.c.number)
        .select_from(_SEARCHED)
        .where(text("memory_search MATCH :words").bindparams(bindparam("words", "")), *filters.conditions())
        .order_by(memory_search.c.rank)
        .limit(CANDIDATE_CAP)
    )


def _matching(conn: Connection, filters: Filters, expression: str) -> list[int]:
    if not expression:
        return []
    return list(conn.execute(matching_statement(filters), {"words": expression}).scalars())


def _holding(conn: Connection, filters: Filters, part: str) -> list[int]:
    """Those that hold the very text somewhere, newest first; letters of ASCII in either case."""
    if not part:
        return []
    sought = func.lower(part)
    holds = or_(
        func.instr(func.lower(memories.c.text), sought) > 0,
        func.instr(func.lower(memories.c.subject), sought) > 0,
    )
    statement = select(memories.c.number).where(*filters.conditions(), holds)
    statement = statement.order_by(memories.c.tx_at.desc(), memories.c.number.desc()).limit(CANDIDATE_CAP)
    return list(conn.execute(statement).scalars())


def _all_of(asked: Sequence[str]) -> str:
    return " AND ".join(map(_quoted, asked))


def _any_of(asked: Sequence[str]) -> str:
    return " OR ".join(map(_quoted, asked))


def _quoted(piece: str) -> str:
    """As a string of the index's own syntax, in which nothing means anything."""
    doubled = piece.replace('"', '""')
    return f'"{doubled}"'


def _is_under(path: str) -> ColumnElement[bool]:
    if path == ".":
        return generations.c.path.is_not(None)
    return or_(generations.c.path == path, _in_folder(path))


def _in_folder(folder: str) -> ColumnElement[bool]:
    return and_(generations.c.path > f"{folder}/", generations.c.path < f"{folder}0")  # 0 follows /


def _places(path: str | None, names: Sequence[str]) -> list[ColumnElement[bool]]:
    found: list[ColumnElement[bool]] = []
    if names:
        ends = [column.endswith(mark + name, autoescape=True) for name in names for column, mark in _ENDS]
        found.append(or_(generations.c.symbol.in_(names), generations.c.path.in_(names), *ends))
    if path is not None:
        found.append(generations.c.path == path)
        folder = path.rpartition("/")[0]
        if folder:
            found.append(_in_folder(folder))
    return found


_ENDS = ((generations.c.symbol, "."), (generations.c.symbol, "::"), (generations.c.path, "/"))
