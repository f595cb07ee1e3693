"""Another process at a store; started by tests as `python child.py WHAT PATH [COUNT]`."""

from __future__ import annotations

import sqlite3
import sys
import time

from stilltrue.clock import SystemClock
from stilltrue.model.memory import MemoryDraft
from stilltrue.store import memories, repositories
from stilltrue.store.engine import Store, StoreLocation, open_store
from store.writing import uid


def write(store: Store, count: int) -> None:
    """Writes memories; names each on the output only when it is acknowledged."""
    for number in range(count):
        with store.writing() as conn:
            now = store.now(conn)
            repository = repositories.ensure_repository(conn, [("path", "/srv/app")], "app", now)
            draft = MemoryDraft(text=f"memory {number}", subject="app")
            memory = memories.insert_memory(conn, draft, repository=repository, uid=uid(now), tx_at=now)
        print(memory.uid, flush=True)  # noqa: T201 - this is how it acknowledges


def hold(path: str) -> None:
    """Locks the whole file until it is killed."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("BEGIN EXCLUSIVE")
    print("held", flush=True)  # noqa: T201 - likewise
    time.sleep(60)


def main() -> None:
    what, path, *rest = sys.argv[1:]
    if what == "hold":
        hold(path)
        return
    store = open_store(StoreLocation.from_path(path), clock=SystemClock(), create=True)
    assert store is not None
    write(store, int(rest[0]))
    store.close()


if __name__ == "__main__":
    main()
