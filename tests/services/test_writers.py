"""Several writers at once, and writers that are killed: nothing that was acknowledged is lost."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from support.cli import Stilltrue
from support.repo import Repo

KILLS = 20
BATCH = 250
LINE = b'{"text": "calls are retried", "citations": [{"path": "docs/api.md", "start_line": 3}]}\n'


@pytest.fixture
def run(repo: Repo, database: Path) -> Stilltrue:
    return Stilltrue(repo.root, database)


def kept(run: Stilltrue) -> set[str]:
    return {each["uid"] for each in run("list", "--json").json["memories"]}


def test_four_processes_remember_at_once_on_a_store_that_is_not_there_yet(run: Stilltrue) -> None:
    processes = [run.start("remember", "--stdin") for _ in range(4)]
    for process in processes:
        assert process.stdin is not None
        process.stdin.write(LINE * 2 * BATCH)
        process.stdin.close()
        process.stdin = None
    told = [process.communicate(timeout=100) for process in processes]

    assert [process.returncode for process in processes] == [0] * 4, told
    answered = {json.loads(row)["uid"] for out, _ in told for row in out.splitlines()}
    assert len(answered) == 8 * BATCH
    assert kept(run) == answered
    numbers = [each["id"] for each in run("list", "--json").json["memories"]]
    assert len(set(numbers)) == len(numbers)


def test_four_processes_with_one_key_remember_one_thing(run: Stilltrue) -> None:
    processes = [run.start("remember", "one", "--key", "k", "--json") for _ in range(4)]
    told = [process.communicate(timeout=60) for process in processes]

    assert [process.returncode for process in processes] == [0] * 4, told
    assert len({json.loads(out)["uid"] for out, _ in told}) == 1
    assert len(kept(run)) == 1


@pytest.mark.skipif(sys.platform == "win32", reason="there is no kill -9")
@pytest.mark.timeout(240)
def test_whatever_was_answered_survives_a_kill(run: Stilltrue) -> None:
    """Killed while it is writing, at a moment left to chance."""
    answered: set[str] = set()
    chance = random.Random(11)  # noqa: S311 - no secret
    for _ in range(KILLS):
        with run.start("remember", "--stdin") as process:
            answered |= _kill_while_writing(process, chance.random() / 10)
        assert answered <= kept(run)

    assert run("doctor").code == 0
    assert run("check").code == 0
    assert len(answered) > KILLS


def _kill_while_writing(process: subprocess.Popen[bytes], seconds: float) -> set[str]:
    assert process.stdin is not None
    assert process.stdout is not None
    # as much as a pipe holds without a reader: the process is never waiting when the signal comes
    process.stdin.write(LINE * BATCH * 2)
    process.stdin.flush()
    rows = [process.stdout.readline()]
    until = time.monotonic() + seconds
    while time.monotonic() < until and len(rows) < BATCH:
        rows.append(process.stdout.readline())
    process.kill()
    rest = process.stdout.read()
    rows += [row for row in rest.splitlines(keepends=True) if row.endswith(b"\n")]
    return {json.loads(row)["uid"] for row in rows if row.endswith(b"\n")}
