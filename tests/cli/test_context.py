"""`stilltrue context`: what an agent is told at the start of a session (A53, D5 to D8, E19, K4)."""

from __future__ import annotations

import logging
import os
import shlex
import sqlite3
import subprocess
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from stilltrue.source.files import WorkingTree
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


def raw(database: Path, statement: str) -> None:
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute(statement)


def configure(run: Stilltrue, content: str) -> None:
    config = Path(run.own_environment["XDG_CONFIG_HOME"]) / "stilltrue/config.toml"
    config.parent.mkdir(parents=True)
    config.write_text(content, "utf-8")


def half_of_it(database: Path) -> None:
    whole = database.read_bytes()
    database.write_bytes(whole[: len(whole) // 2])


def noise_after_the_first_page(database: Path) -> None:
    whole = database.read_bytes()
    database.write_bytes(whole[:4096] + b"\xff" * (len(whole) - 4096))


def folder_instead(database: Path) -> None:
    database.unlink()
    database.mkdir()


STORES: dict[str, Callable[[Path], object]] = {
    "no store": lambda path: path.unlink(),
    "an empty file": lambda path: path.write_bytes(b""),
    "no database": lambda path: path.write_bytes(b"this is no database at all, and long enough to see" * 99),
    "half a database": half_of_it,
    "noise after the first page": noise_after_the_first_page,
    "a folder": folder_instead,
    "a newer version": lambda path: raw(path, "UPDATE store_meta SET min_reader = 999"),
    "no table": lambda path: raw(path, "DROP TABLE memories"),
}


def everything_below(folder: Path) -> dict[str, bytes]:
    files = (file for file in folder.rglob("*") if file.is_file())
    return {str(file): file.read_bytes() for file in files if not file.name.endswith(("-shm", "-wal"))}


@pytest.mark.parametrize("words", [("context",), ("context", "retries")])
@pytest.mark.parametrize("trouble", STORES)
def test_a53_d6_whatever_the_store_is_nothing_is_said_and_nothing_made(
    run: Stilltrue, trouble: str, words: tuple[str, ...]
) -> None:
    run("remember", "Retries stop after 5 attempts", "--cite", "src/client.py:4-6")
    assert "Retries stop" in run(*words).out
    for left in run.database.parent.glob("memories.db-*"):
        left.unlink()
    STORES[trouble](run.database)
    before = everything_below(run.database.parent)
    told = run.process(*words)
    assert (told.code, told.out, told.err) == (0, "", "")
    assert everything_below(run.database.parent) == before


@pytest.mark.parametrize(
    "content",
    ["max_file_bytes = ", "no_such_setting = 1", 'stale_policy_context = "hide"', "reinforce = 1", "\0"],
)
def test_a53_malformed_settings_are_a_silence(mixed: Stilltrue, content: str) -> None:
    configure(mixed, content)
    assert mixed("list").code == 2
    told = mixed.process("context")
    assert (told.code, told.out, told.err) == (0, "", "")


@pytest.mark.parametrize(
    "arguments",
    [
        ("--repo", "nowhere", "context"),
        ("--db", "postgresql://ada:secret@localhost/x", "context"),
        ("--db", "no/such/folder/memories.db", "context"),
        ("context", "--max-tokens", "many"),
        ("context", "--from-another-version"),
        ("context", "one", "two"),
        ("context", b"\xff"),
        ("--repo", b"\xff", "context"),
        ("context", "x" * 100_000),
    ],
)
def test_a53_wrong_use_is_a_silence_too(mixed: Stilltrue, arguments: tuple[str | bytes, ...]) -> None:
    """A hook that another version of the program was told of must not stop anybody's session."""
    told = mixed.process(*arguments)
    assert (told.code, told.out, told.err) == (0, "", "")
    assert not (mixed.folder / "no").exists()


@pytest.mark.parametrize(
    "arguments", [("--from-another-version",), ("--limit", "many"), ("--subject", b"\xff")]
)
def test_a53_the_hook_of_pins_is_as_silent(mixed: Stilltrue, arguments: tuple[str | bytes, ...]) -> None:
    for order in (("pins", "--hook", *arguments), ("pins", *arguments, "--hook")):
        told = mixed.process(*order)
        assert (told.code, told.out, told.err) == (0, "", "")
    assert mixed("pins", *arguments).code == 2


@pytest.mark.parametrize("told_of", [PermissionError(13, "Permission denied"), OSError(5, "I/O error")])
def test_d6_a_folder_that_cannot_be_read_makes_memories_unverifiable(
    run: Stilltrue, monkeypatch: pytest.MonkeyPatch, told_of: OSError
) -> None:
    """Tests may run as root, who can read everywhere: what the operating system says is put in its mouth."""
    run("remember", "Retries stop after 5 attempts", "--cite", "src/client.py:4-6")
    run("remember", "Calls are retried", "--cite", "docs/api.md:3")
    honest = os.open

    def refusing(path: str | Path, flags: int, *others: int, **more: int) -> int:
        if Path(path).parent.name == "src":
            raise told_of
        return honest(path, flags, *others, **more)

    monkeypatch.setattr(os, "open", refusing)
    told = run("context")
    assert told.code == 0
    assert "- m1: Retries stop after 5 attempts — src/client.py:4-6 (unverifiable" in told.out
    assert "- m2: Calls are retried — docs/api.md:3\n" in told.out


def test_a53_a_reader_that_fails_as_no_reader_may_is_a_silence(
    mixed: Stilltrue, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(WorkingTree, "read", broken)
    for words in (("context",), ("context", "retries")):
        told = mixed(*words)
        assert (told.code, told.out, told.err) == (0, "", "")


@pytest.mark.skipif(os.name == "nt", reason="redirections of a POSIX shell")
@pytest.mark.parametrize("output", [">&-", "> /dev/null", "| true"])
def test_a53_whoever_does_not_listen_is_no_failure(mixed: Stilltrue, output: str) -> None:
    command = shlex.join(map(str, mixed.command("context")))
    shell = ["bash", "-c", f"{command} {output}; exit ${{PIPESTATUS[0]}}"]
    done = subprocess.run(
        shell, cwd=mixed.folder, env=mixed.full_environment, capture_output=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_d5_each_cited_file_is_read_once_a_session(run: Stilltrue, monkeypatch: pytest.MonkeyPatch) -> None:
    for index in range(5):
        run("remember", f"Retries {index}", "--cite", "src/client.py:4-6", "--cite", "docs/api.md:3")
    read: list[str] = []
    honest = WorkingTree.read

    def counted(tree: WorkingTree, path: str) -> object:
        read.append(path)
        return honest(tree, path)

    monkeypatch.setattr(WorkingTree, "read", counted)
    assert run("context").out.count("- m") == 5
    assert sorted(read) == ["docs/api.md", "src/client.py"]


@pytest.mark.parametrize(
    ("policy", "shown", "apart"), [("skip", False, False), ("quarantine", True, True), ("tag", True, False)]
)
def test_k4_stale_policies_of_a_session_s_start(
    mixed: Stilltrue, policy: str, *, shown: bool, apart: bool
) -> None:
    configure(mixed, f'stale_policy_context = "{policy}"')
    told = mixed("context").out
    assert ("- m1 [stale/content]: Retries stop" in told) is shown
    assert ("## Needs re-verification" in told) is apart
    assert ("left out as stale" in told) is (policy == "skip")
    assert "- m2: " in told


def test_a22_as_a_process_with_an_empty_path(mixed: Stilltrue) -> None:
    mixed.environment["PATH"] = ""
    told = mixed.process("context")
    assert (told.code, told.err) == (0, "")
    assert "- m2:" in told.out
    assert os.environ["PATH"]
