"""What is cited where: the questions of editors and checks, fast for large stores."""

from __future__ import annotations

from collections.abc import Collection, Generator, Iterable, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, Select, func, literal_column, select

from stilltrue.collecting import uncollected
from stilltrue.model.citation import Citation
from stilltrue.model.memory import Memory
from stilltrue.model.time import AsOf
from stilltrue.store.batches import batches
from stilltrue.store.citations import CITED
from stilltrue.store.rows import CITATION_COLUMNS, MEMORY_COLUMNS, citation_from, memory_from
from stilltrue.store.schema import citations, generations, memories
from stilltrue.store.temporal import unexpired, visible

_PRESENT = generations.c.present == literal_column("1")  # literal, so that partial indexes serve
_WIDTH = len(MEMORY_COLUMNS)


def live_citations(
    conn: Connection, repository: str, at: AsOf, paths: Collection[str] | None = None
) -> list[tuple[Memory, Citation]]:
    """Present generations of the unexpired memories visible then, by path, start line and number (F21).

    Args:
        conn: A transaction.
        repository: Whose.
        at: Decides which memories; generations are the present ones.
        paths: Only in these files; None for all, those without a path first.
    """
    with uncollected():
        return _pairs(_live_rows(conn, repository, at, paths))


def live_citations_of(
    conn: Connection, repository: str, at: AsOf, memory_uids: Collection[str]
) -> list[tuple[Memory, Citation]]:
    """Likewise of those of these memories that are live, every citation of each."""
    found = []
    for some in batches(sorted(set(memory_uids))):
        # through the citations of the memories: by the repository, the index by place would be read whole
        owned = select(citations.c.number).where(
            citations.c.memory.in_(select(memories.c.number).where(memories.c.uid.in_(some)))
        )
        theirs = (generations.c.citation.in_(owned), memories.c.repository == repository)
        found += _pairs(conn.execute(_live(at).where(*theirs)))
    return found


class CitedLines(NamedTuple):
    """What tells whether a citation still stands on its recorded lines; `memory` is its memory's uid.

    Lines are 1-based and inclusive; None where it has none, as `byte_length` and `sha256` without baseline.
    """

    memory: str
    kind: str
    path: str | None
    start: int | None
    end: int | None
    byte_length: int | None
    sha256: str | None


def cited_lines(conn: Connection, repository: str, at: AsOf) -> list[CitedLines]:
    """Of what `live_citations` answers, no more than that, by path."""
    statement = (
        select(
            memories.c.uid,
            generations.c.kind,
            generations.c.path,
            generations.c.span_start,
            generations.c.span_end,
            generations.c.byte_length,
            generations.c.sha256,
        )
        .select_from(generations.join(memories, memories.c.number == generations.c.memory))
        .where(generations.c.repository == repository, _PRESENT, visible(at), unexpired(at.valid))
        .order_by(generations.c.path)
    )
    with uncollected():
        return [CitedLines._make(row) for row in conn.execute(statement)]


def cited_paths(conn: Connection, repository: str, at: AsOf) -> dict[str, int]:
    """How many live citations each file has, without reading them."""
    statement = (
        select(generations.c.path, func.count())
        .select_from(generations.join(memories, memories.c.number == generations.c.memory))
        .where(generations.c.repository == repository, _PRESENT, generations.c.path.is_not(None))
        .where(visible(at))
        .group_by(generations.c.path)
        .order_by(generations.c.path)
    )
    return {path: count for path, count in conn.execute(statement)}  # noqa: C416 - rows are not pairs to mypy


def live_statement(repository: str, at: AsOf) -> Select[Any]:
    """The statement behind `live_citations`; the partial index `present_by_place` serves it."""
    return _live(at).where(generations.c.repository == repository)


def _live(at: AsOf) -> Select[Any]:
    return (
        select(*MEMORY_COLUMNS, *CITATION_COLUMNS)
        .select_from(CITED)
        .where(_PRESENT, visible(at), unexpired(at.valid))
        .order_by(generations.c.path, generations.c.span_start, citations.c.number)
    )


def _pairs(rows: Iterable[Sequence[Any]]) -> list[tuple[Memory, Citation]]:
    """Memory and citation of each row; a memory that cites several times is made once."""
    seen: dict[int, Memory] = {}
    found = []
    for row in rows:
        memory = seen.get(row[0])
        if memory is None:
            memory = seen[row[0]] = memory_from(row)
        found.append((memory, citation_from(row[_WIDTH:])))
    return found


def _live_rows(
    conn: Connection, repository: str, at: AsOf, paths: Collection[str] | None
) -> Generator[Sequence[Any]]:
    statement = live_statement(repository, at)
    if paths is None:
        yield from conn.execute(statement)
        return
    for some in batches(sorted(set(paths))):
        yield from conn.execute(statement.where(generations.c.path.in_(some)))
