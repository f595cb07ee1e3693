"""What is cited where: the questions of editors and checks, fast for large stores."""

from __future__ import annotations

from collections.abc import Collection, Generator, Sequence
from typing import Any

from sqlalchemy import Connection, Select, func, literal_column, select

from stilltrue.model.citation import Citation
from stilltrue.model.memory import Memory
from stilltrue.model.time import AsOf
from stilltrue.store.batches import batches
from stilltrue.store.citations import CITED
from stilltrue.store.rows import CITATION_COLUMNS, MEMORY_COLUMNS, citation_from, memory_from
from stilltrue.store.schema import citations, generations, memories
from stilltrue.store.temporal import unexpired, visible
from stilltrue.store.uncollected import uncollected

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
    seen: dict[int, Memory] = {}
    found = []
    with uncollected():
        for row in _live_rows(conn, repository, at, paths):
            memory = seen.get(row[0])
            if memory is None:
                memory = seen[row[0]] = memory_from(row)
            found.append((memory, citation_from(row[_WIDTH:])))
    return found


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
    return (
        select(*MEMORY_COLUMNS, *CITATION_COLUMNS)
        .select_from(CITED)
        .where(generations.c.repository == repository, _PRESENT, visible(at), unexpired(at.valid))
        .order_by(generations.c.path, generations.c.span_start, citations.c.number)
    )


def _live_rows(
    conn: Connection, repository: str, at: AsOf, paths: Collection[str] | None
) -> Generator[Sequence[Any]]:
    statement = live_statement(repository, at)
    if paths is None:
        yield from conn.execute(statement)
        return
    for some in batches(sorted(set(paths))):
        yield from conn.execute(statement.where(generations.c.path.in_(some)))
