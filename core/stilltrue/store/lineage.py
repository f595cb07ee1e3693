"""How versions of a memory follow each other: chains, heads and forks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sqlalchemy import Connection, select

from stilltrue.model.memory import Closing, ClosingKind, Memory
from stilltrue.store.batches import batches
from stilltrue.store.memories import memories_by_uid
from stilltrue.store.rows import CLOSING_COLUMNS, MEMORY_COLUMNS, closing_from, memory_from
from stilltrue.store.schema import closings, memories


def closings_of(conn: Connection, uids: Iterable[str]) -> dict[str, list[Closing]]:
    """Every closing of these memories, undone ones included, in the order they were said."""
    found: dict[str, list[Closing]] = {}
    for some in batches(list(dict.fromkeys(uids))):
        statement = select(*CLOSING_COLUMNS).where(closings.c.memory.in_(some)).order_by(closings.c.id)
        for row in conn.execute(statement):
            found.setdefault(row.memory, []).append(closing_from(row))
    return found


def standing_closing(conn: Connection, memory: Memory, kind: ClosingKind) -> Closing | None:
    """The newest closing of that kind that was not taken back, or None."""
    return _newest_standing(closings_of(conn, [memory.uid]).get(memory.uid, ()), kind)


def chain_of(conn: Connection, memory: Memory) -> list[Memory]:
    """Every version of the memory's chain, in the order they were recorded."""
    of_chain = select(*MEMORY_COLUMNS).where(memories.c.chain == memory.chain)
    rows = conn.execute(of_chain.order_by(memories.c.tx_at, memories.c.number))
    return [memory_from(row) for row in rows]


def ancestors_of(conn: Connection, memory: Memory) -> list[Memory]:
    """What the memory replaced, nearest first (A9)."""
    versions = {version.uid: version for version in chain_of(conn, memory)}
    found: list[Memory] = []
    before = versions.get(memory.supersedes or "")
    while before is not None and before not in found:
        found.append(before)
        before = versions.get(before.supersedes or "")
    return found


def descendants_of(conn: Connection, memory: Memory) -> list[Memory]:
    """What replaced the memory, nearest first (A9); branches of a fork are interleaved."""
    followers = _followers(conn, memory)
    found: list[str] = []
    level = followers.get(memory.uid, [])
    while level:
        found += level
        level = [uid for one in level for uid in followers.get(one, []) if uid not in found]
    versions = memories_by_uid(conn, found)
    return [versions[uid] for uid in dict.fromkeys(found)]


def live_successors(conn: Connection, memory: Memory) -> list[Memory]:
    """Where the memory leads to now: one head usually, two for a fork, none where all are retracted."""
    later = descendants_of(conn, memory)
    ends = closings_of(conn, [version.uid for version in later])
    return [
        version for version in later if not any(_stands(closing) for closing in ends.get(version.uid, ()))
    ]


def chain_head(conn: Connection, memory: Memory) -> Memory:
    """The version that the memory was last replaced by, or itself; of a fork, the newest."""
    later = descendants_of(conn, memory)
    followers = _followers(conn, memory)
    heads = [version for version in later if not followers.get(version.uid)]
    return max(heads, key=lambda version: (version.tx_at, version.number), default=memory)


def _followers(conn: Connection, memory: Memory) -> dict[str, list[str]]:
    """Of each version of the chain, the versions that replaced it by a standing supersession."""
    ends = closings_of(conn, [version.uid for version in chain_of(conn, memory)])
    return {
        uid: [closing.successor for closing in said if closing.successor and _stands(closing)]
        for uid, said in ends.items()
    }


def _newest_standing(said: Sequence[Closing], kind: ClosingKind) -> Closing | None:
    return next((one for one in reversed(said) if one.kind is kind and _stands(one)), None)


def _stands(closing: Closing) -> bool:
    return closing.undone_at is None
