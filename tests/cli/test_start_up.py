"""What a check loads: where all is fresh, nothing that only stale citations need (design 10)."""

from __future__ import annotations

import subprocess
import sys

import pytest

from support.cli import Stilltrue
from support.repo import Repo

TELL = """
import sys
from stilltrue.cli.main import run
code = run(["check"])
print(*sorted(sys.modules), sep="\\n", file=sys.stderr)
sys.exit(code)
"""
LATE = {
    "difflib",
    "stilltrue.citations.cosmetic_rules",
    "stilltrue.citations.elsewhere",
    "stilltrue.citations.grading",
    "stilltrue.citations.meaning",
    "stilltrue.citations.symbols",
    "stilltrue.services.moves",
    "stilltrue.services.settle",
    "stilltrue.services.warm",
    "tree_sitter",
}


def loaded(run: Stilltrue) -> tuple[int, set[str]]:
    """The exit code of a check in a process of its own, and every module that it loaded."""
    done = subprocess.run(
        [sys.executable, "-c", TELL],
        cwd=run.folder,
        env=run.full_environment,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, set(done.stderr.split())


@pytest.fixture(autouse=True)
def _remembered(run: Stilltrue) -> None:
    assert run("remember", "Retries stop after 5 attempts", "--cite", "src/client.py:4-6").code == 0
    assert (
        run("remember", "The API is at 2.1.4", "--cite", "src/client.py:9", "--cite", "docs/api.md").code == 0
    )


def test_a_fresh_check_loads_nothing_that_stale_citations_need(run: Stilltrue) -> None:
    code, modules = loaded(run)
    assert code == 0
    assert "stilltrue.services.check" in modules
    assert modules & LATE == set()


def test_a_stale_check_does_load_it(run: Stilltrue, repo: Repo) -> None:
    """Or the names above would be those of modules that are no more."""
    repo.write("src/client.py", "API_VERSION = 'v3'\n")
    code, modules = loaded(run)
    assert code == 1
    assert {
        "stilltrue.citations.elsewhere",
        "stilltrue.citations.grading",
        "stilltrue.services.moves",
    } <= modules
