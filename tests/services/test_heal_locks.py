"""One pass at a time over a working tree, whatever becomes of the one before (E34)."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from stilltrue.errors import ConflictError
from stilltrue.model.healing import HealMode
from stilltrue.services import leases
from stilltrue.services.heal import heal
from stilltrue.services.remember import Remembered
from stilltrue.services.workspace import Workspace
from stilltrue.source.files import FileText
from support.cli import Stilltrue
from support.clock import FakeClock
from support.healing import dump, events, run_sql
from support.repo import Repo
from support.waiting import until

Keep = Callable[..., Remembered]
SPAN = "src/client.py:4-6"

posix = pytest.mark.skipif(sys.platform == "win32", reason="a shell script stands in for a slow git")


@pytest.fixture
def run(repo: Repo, database: Path) -> Stilltrue:
    return Stilltrue(repo.root, database)


@contextmanager
def slow_pass(
    run: Stilltrue, database: Path, gate: Path, *arguments: str
) -> Iterator[subprocess.Popen[bytes]]:
    """A pass of another process that waits for git, which waits for `gate`."""
    folder = gate.parent / "slow"
    folder.mkdir()
    git = folder / "git"
    real = subprocess.run(["/bin/sh", "-c", "command -v git"], capture_output=True, text=True, check=True)
    git.write_text(
        f'#!/bin/sh\nwhile [ ! -e "{gate}" ]; do sleep 0.02; done\nexec "{real.stdout.strip()}" "$@"\n'
    )
    git.chmod(0o755)
    slow = Stilltrue(run.folder, database, {"PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"})
    with slow.start("heal", "--json", *arguments) as process:
        try:
            until(lambda: dump(database)["heal_locks"], "the pass holds the lock")
            yield process
        finally:
            gate.touch()


@posix
def test_of_two_passes_one_is_told_who_is_at_it(
    workspace: Workspace, keep: Keep, run: Stilltrue, database: Path, tmp_path: Path
) -> None:
    keep("Retries stop after 5 attempts", SPAN)
    gate = tmp_path / "gate"
    with slow_pass(run, database, gate) as first:
        second = run.process("heal", "--json")
        assert second.code == 2
        assert second.error["code"] == "heal_busy"
        assert f"process {first.pid}" in second.error["message"]
        assert workspace.actor in second.error["message"]
        gate.touch()
        out, err = first.communicate(timeout=60)
        assert first.returncode == 0, (out, err)
    assert dump(database)["heal_locks"] == []
    assert run("heal").code == 0


@posix
def test_a_pass_that_was_killed_is_taken_over(
    keep: Keep, run: Stilltrue, database: Path, tmp_path: Path
) -> None:
    keep("Retries stop after 5 attempts", SPAN)
    with slow_pass(run, database, tmp_path / "gate") as first:
        first.kill()
        first.wait(timeout=30)
        assert dump(database)["heal_locks"]
        assert run.process("heal").code == 0
    assert dump(database)["heal_locks"] == []


def test_of_an_owner_elsewhere_only_time_tells(
    workspace: Workspace, keep: Keep, clock: FakeClock, database: Path
) -> None:
    """A process number of another machine says nothing here."""
    keep("Retries stop after 5 attempts", SPAN)
    with leases.held(workspace):
        run_sql(database, "UPDATE heal_locks SET machine = 'another', process = 1, owner = 'os:ada'")
        with pytest.raises(ConflictError, match="os:ada, process 1 on another"):
            heal(workspace)
        clock.advance(leases.LEASE_MS + 1000)
        heal(workspace)


def test_a_pass_that_lost_its_lock_writes_nothing(
    workspace: Workspace, repo: Repo, keep: Keep, clock: FakeClock, database: Path
) -> None:
    """Another took over while it was judging."""
    keep("Retries stop after 5 attempts", SPAN)
    repo.write("src/client.py", "import os\n")
    repo.commit("edit")
    tree = workspace.fresh_tree()

    class TooSlow:
        def read(self, path: str) -> FileText:
            if not asked:
                asked.append(path)
                clock.advance(leases.LEASE_MS + 1000)
                run_sql(database, "UPDATE heal_locks SET machine = 'another'")
                assert len(heal(workspace, HealMode.DEMOTE).healed) == 1
                others.append(dump(database))
            return tree.read(path)

    asked: list[str] = []
    others: list[object] = []
    with pytest.raises(ConflictError, match="another took over"):
        heal(workspace, HealMode.DEMOTE, texts=TooSlow())
    assert dump(database) == others[0]
    assert len(events(workspace)) == 1
