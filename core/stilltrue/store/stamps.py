"""What a warm check starts from: one row a file, and one for the whole working tree (design 6). Droppable."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from sqlalchemy import Connection, delete, func, insert, select

from stilltrue.model.time import Instant
from stilltrue.store.batches import batches
from stilltrue.store.schema import closings, file_cache, memories, store_meta

WHOLE_TREE = ""
"""The path of the row about the working tree as a whole; no citation has it."""


def revision(conn: Connection) -> int:
    """A number that moves with memory, citation and verdict writes only."""
    return int(conn.execute(select(store_meta.c.store_revision)).scalar_one())


def read_stamps(
    conn: Connection, checkout: int, at_revision: int, *, only: Collection[str] | None = None
) -> dict[str, tuple[str, str]]:
    """Stamp and summary of each file as they were written at that revision of the store, by path.

    `only` names a few paths; None asks for all.
    """
    columns = (file_cache.c.path, file_cache.c.stamp, file_cache.c.summary)
    wanted = select(*columns).where(
        file_cache.c.checkout == checkout, file_cache.c.store_revision == at_revision
    )
    parts = (
        [wanted]
        if only is None
        else [wanted.where(file_cache.c.path.in_(some)) for some in batches(sorted(only))]
    )
    return {path: (stamp, summary) for part in parts for path, stamp, summary in conn.execute(part)}


def replace_stamps(
    conn: Connection,
    checkout: int,
    at_revision: int,
    rows: Mapping[str, tuple[str, str]],
    *,
    only: Collection[str] | None = None,
) -> None:
    """Write stamp and summary of each file in place of those of the paths `only`, or of all there are."""
    statement = delete(file_cache).where(file_cache.c.checkout == checkout)
    if only is None:
        conn.execute(statement)
    else:
        for some in batches(list(only)):
            conn.execute(statement.where(file_cache.c.path.in_(some)))
    values = [
        {
            "checkout": checkout,
            "path": path,
            "stamp": stamp,
            "store_revision": at_revision,
            "summary": summary,
            "moved": "",
        }
        for path, (stamp, summary) in rows.items()
    ]
    if values:
        conn.execute(insert(file_cache), values)


def next_change(conn: Connection, repository: str, now: Instant) -> Instant | None:
    """When time alone next changes which memories are live: one begins, ends or expires."""
    dates = [
        select(func.min(column)).where(memories.c.repository == repository, column > now)
        for column in (memories.c.valid_from, memories.c.valid_to, memories.c.expires_at)
    ]
    dates.append(select(func.min(closings.c.valid_at)).where(closings.c.valid_at > now))
    found = [date for each in dates if (date := conn.execute(each).scalar_one_or_none()) is not None]
    return min(found, default=None)
