"""`stilltrue context`: what an agent is told at the start of a session (A53, D5 to D8, E19)."""

from __future__ import annotations

import logging
import os

import pytest

from support.cli import Stilltrue
from support.repo import Repo


@pytest.fixture
def mixed(run: Stilltrue, repo: Repo) -> Stilltrue:
    """Three memories: m1 is stale, m2 holds, m3 cannot be told."""
    repo.write("odd.txt", "a line of its own\n")
    run("remember", "Retries stop after 5 attempts", "--cite", "src/client.py:4-6")
    run("remember", "Calls are retried, says the page", "--cite", "docs/api.md:3")
    run("remember", "Odd things are retried", "--cite", "odd.txt:1")
    repo.write("src/client.py", (repo.root / "src/client.py").read_bytes().replace(b"range(5)", b"range(7)"))
    (repo.root / "odd.txt").unlink()
    (repo.root / "odd.txt").mkdir()
    return run


def test_d6_a53_stale_ones_are_left_out_counted_and_logged(
    mixed: Stilltrue, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO, "stilltrue"):
        told = mixed("context")
    assert told.code == 0
    assert "- m2: Calls are retried, says the page — docs/api.md:3\n" in told.out
    assert "Retries stop" not in told.out
    assert "1 memory left out as stale" in told.out
    assert "left out m1: src/client.py:4-6: the cited lines changed" in caplog.text


def test_moved_lines_are_named_where_they_are_now(run: Stilltrue, repo: Repo) -> None:
    run("remember", "Retries stop after 5 attempts", "--cite", "src/client.py:4-6")
    code = repo.root / "src/client.py"
    repo.write("src/client.py", b"# one line more\n" + code.read_bytes())
    assert "- m1: Retries stop after 5 attempts — src/client.py:5-7\n" in run("context").out


def test_a_symbol_is_named_not_its_lines(run: Stilltrue, repo: Repo) -> None:
    run("remember", "Retries stop after 5 attempts", "--cite", "src/client.py#retry")
    code = repo.root / "src/client.py"
    repo.write("src/client.py", b"# one line more\n" + code.read_bytes())
    assert "- m1: Retries stop after 5 attempts — src/client.py#retry\n" in run("context").out


def test_e6_what_cannot_be_told_carries_a_caveat(mixed: Stilltrue) -> None:
    assert "- m3: Odd things are retried — odd.txt:1 (unverifiable: its code could not be checked)" in (
        mixed("context").out
    )


def test_e19_for_a_question_stale_ones_stand_apart_with_the_reason(mixed: Stilltrue) -> None:
    told = mixed("context", "retried retries").out
    best, _, again = told.partition("## Needs re-verification")
    assert "- m2:" in best
    assert "- m3:" in best
    assert "- m1 [stale/content]: Retries stop after 5 attempts — src/client.py:4-6" in again
    assert "  - src/client.py:4-6: the cited lines changed" in again
    assert "stilltrue reverify" in again


def test_e19_without_stale_ones_there_is_no_such_section(run: Stilltrue) -> None:
    run("remember", "Retries stop after 5 attempts", "--cite", "src/client.py:4-6")
    for arguments in (["context"], ["context", "retries"]):
        told = run(*arguments).out
        assert "Retries stop" in told
        assert "Needs" not in told
        assert "left out" not in told


def test_d8_d18_nothing_is_written(mixed: Stilltrue) -> None:
    before = mixed.database.read_bytes()
    mixed("context")
    mixed("context", "retried")
    assert mixed.database.read_bytes() == before


def test_a10_the_budget_counts_what_is_left(mixed: Stilltrue) -> None:
    told = mixed("context", "--max-tokens", "1").out
    assert "- m" not in told
    assert "2 memories more" in told


@pytest.mark.parametrize("trouble", ["no store", "corrupt", "a folder", "not a repository"])
def test_a53_whatever_goes_wrong_it_prints_nothing_and_ends_with_0(run: Stilltrue, trouble: str) -> None:
    arguments = ["context"]
    if trouble == "corrupt":
        run.database.write_bytes(b"this is no database at all, and long enough to see")
    elif trouble == "a folder":
        run.database.mkdir()
    elif trouble == "not a repository":
        arguments = ["--repo", str(run.folder / "nowhere"), "context"]
    told = run(*arguments)
    assert (told.code, told.out, told.err) == (0, "", "")
    assert run.database.exists() == (trouble in {"corrupt", "a folder"})


def test_a22_as_a_process_with_an_empty_path(mixed: Stilltrue) -> None:
    mixed.environment["PATH"] = ""
    told = mixed.process("context")
    assert (told.code, told.err) == (0, "")
    assert "- m2:" in told.out
    assert os.environ["PATH"]
