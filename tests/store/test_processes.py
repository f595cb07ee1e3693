from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from stilltrue.clock import SystemClock
from stilltrue.errors import StoreError
from stilltrue.store import memories
from stilltrue.store.engine import StoreLocation, open_store
from store.writing import Writer
from support.clock import FakeClock

CHILD = Path(__file__).parent / "child.py"
ROOT = CHILD.parents[2]
KILLS = 15


def start(*arguments: object) -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "core"), str(ROOT / "tests")])}
    command = [sys.executable, str(CHILD), *map(str, arguments)]
    return subprocess.Popen(
        command, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )


def held(location: StoreLocation) -> set[str]:
    store = open_store(location, clock=SystemClock(), create=False)
    assert store is not None
    with store, store.reading() as conn:
        return {memory.uid for memory in memories.live_memories(conn, None, store.present(conn))}


def test_a16_processes_opening_a_fresh_path_together_all_succeed(location: StoreLocation) -> None:
    for attempt in range(3):
        fresh = StoreLocation.from_path(location.path.with_name(f"{attempt}.db"))
        children = [start("write", fresh.path, 1) for _ in range(3)]
        told = [child.communicate(timeout=60) for child in children]
        assert [child.returncode for child in children] == [0, 0, 0], told
        assert held(fresh) == {out.strip() for out, _ in told}


def test_four_processes_write_at_once_and_nothing_is_lost(location: StoreLocation) -> None:
    children = [start("write", location.path, 50) for _ in range(4)]
    told = [child.communicate(timeout=100) for child in children]
    assert [child.returncode for child in children] == [0] * 4, told
    acknowledged = {line for out, _ in told for line in out.split()}
    assert len(acknowledged) == 200
    assert held(location) == acknowledged


def test_whatever_was_acknowledged_survives_a_kill(location: StoreLocation) -> None:
    acknowledged: set[str] = set()
    chance = random.Random(7)  # noqa: S311 - no secret
    for _ in range(KILLS):
        child = start("write", location.path, 10_000)
        assert child.stdout is not None
        acknowledged.add(child.stdout.readline().strip())
        time.sleep(chance.random() / 20)
        child.kill()
        out, _ = child.communicate(timeout=30)
        acknowledged |= {line.strip() for line in out.splitlines(keepends=True) if line.endswith("\n")}
        assert acknowledged <= held(location)
    assert len(acknowledged) > KILLS


def test_a_locked_store_is_told_after_the_wait(location: StoreLocation) -> None:
    store = open_store(location, clock=FakeClock(), create=True, busy_ms=200)
    assert store is not None
    with store:
        writer = Writer(store)
        writer.remember()
        child = start("hold", location.path)
        assert child.stdout is not None
        assert child.stdout.readline() == "held\n"
        try:
            assert writer.visible() == ["m1"]
            with pytest.raises(StoreError) as caught:
                writer.remember()
            assert caught.value.code == "store_locked"
            with pytest.raises(StoreError), store.writing(busy_ms=0):
                pass
        finally:
            child.kill()
            child.communicate()
        writer.remember()


def test_a_store_locked_without_a_write_ahead_log_cannot_be_opened(
    location: StoreLocation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("stilltrue.store.connect.use_wal", lambda *_: False)
    store = open_store(location, clock=FakeClock(), create=True)
    assert store is not None
    store.close()
    child = start("hold", location.path)
    assert child.stdout is not None
    assert child.stdout.readline() == "held\n"
    try:
        with pytest.raises(StoreError) as caught:
            open_store(location, clock=FakeClock(), create=True, busy_ms=100)
        assert caught.value.code == "store_locked"
    finally:
        child.kill()
        child.communicate()


def asked(location: StoreLocation, query: str) -> str:
    """What another process is told, whose connection comes and goes."""
    program = "import sqlite3, sys; print(*sqlite3.connect(sys.argv[1]).execute(sys.argv[2]).fetchone())"
    command = [sys.executable, "-c", program, str(location.path), query]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def test_a_store_opened_again_beside_a_writer_takes_no_lock_from_it(location: StoreLocation) -> None:
    """Closing any handle on a file ends a process's locks on it; another then removes the writer's log."""
    count = "SELECT count(*) FROM memories"
    store = open_store(location, clock=SystemClock(), create=True)
    assert store is not None
    with store:
        writer = Writer(store)
        writer.remember("before")
        held(location)
        assert asked(location, count) == "1"
        writer.remember("after")
        assert asked(location, count) == "2"
