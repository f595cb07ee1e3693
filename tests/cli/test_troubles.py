"""A store that cannot be used as it should: one clear message, and nothing is damaged (F39, F41)."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from support.cli import Stilltrue
from support.repo import Repo

RETRIES = ("remember", "Retries stop after 5 attempts", "--cite", "src/client.py:4-6")
READING = [("check",), ("list",), ("show", "m1"), ("why", "m1"), ("stats",), ("repo",), ("repo", "list")]
WRITING = [
    RETRIES,
    ("supersede", "m1", "Retries stop after 7 attempts"),
    ("retract", "m1"),
    ("undo",),
    ("redact", "m1"),
    ("purge", "--repo", "--yes"),
]


@pytest.mark.parametrize("command", READING + WRITING, ids=" ".join)
def test_a_newer_store_is_refused_untouched(run: Stilltrue, command: tuple[str, ...]) -> None:
    run(*RETRIES)
    with closing(sqlite3.connect(run.database)) as raw, raw:
        raw.execute("UPDATE store_meta SET min_reader = 999")
    before = run.database.read_bytes()

    answer = run(*command, "--json")

    assert (answer.code, answer.error["code"]) == (2, "schema_too_new")
    assert answer.error["hint"]
    assert run.database.read_bytes() == before


@pytest.mark.parametrize("command", WRITING, ids=" ".join)
def test_a_store_that_cannot_be_written_refuses_writing(
    run: Stilltrue, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    """Tests may run as root, who can write everywhere: what the operating system says is put in its mouth."""
    run(*RETRIES)
    monkeypatch.setattr("stilltrue.store.connect.is_writable", lambda _: False)

    answer = run(*command, "--json")

    assert (answer.code, answer.error["code"]) == (2, "store_read_only")
    assert len(run("list", "--json").json["memories"]) == 1


def test_a_store_that_cannot_be_written_is_read_with_one_note(
    run: Stilltrue, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(*RETRIES)
    monkeypatch.setattr("stilltrue.store.connect.is_writable", lambda _: False)

    for command in READING:
        answer = run(*command)
        assert answer.code == 0, answer.err
        assert answer.err.count("only read") == 1
    assert run("doctor").code == 1


def test_a_locked_store_is_read_and_writing_is_refused_after_the_wait(run: Stilltrue) -> None:
    run(*RETRIES)
    with closing(sqlite3.connect(run.database, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")

        assert run("check").code == 0
        answer = run(*RETRIES, "--json")

    assert (answer.code, answer.error["code"]) == (2, "store_locked")
    assert answer.error["hint"]
    assert len(run("list", "--json").json["memories"]) == 1


def test_a_folder_is_no_store(run: Stilltrue) -> None:
    run.database.mkdir()

    answer = run("list", "--json")

    assert answer.code == 2
    assert answer.error["hint"]


def test_a_store_that_is_a_server_is_refused_without_its_password(run: Stilltrue) -> None:
    answer = run("--db", "postgresql://ada:hunter2@localhost/memories", "list", "--json")

    assert answer.code == 2
    assert "hunter2" not in answer.out + answer.err


def test_the_command_line_names_the_store_before_the_environment(run: Stilltrue, tmp_path: Path) -> None:
    other = tmp_path / "other.db"

    assert run("--db", str(other), *RETRIES).code == 0

    assert other.exists()
    assert not run.database.exists()


def test_a_configuration_that_cannot_be_read_is_one_clear_error(run: Stilltrue) -> None:
    config = Path(run.own_environment["XDG_CONFIG_HOME"]) / "stilltrue/config.toml"
    config.parent.mkdir(parents=True)

    for content in ("max_file_bytes = ", "no_such_setting = 1", 'max_file_bytes = "big"'):
        config.write_text(content)
        answer = run("check", "--json")
        assert (answer.code, answer.error["code"]) == (2, "bad_input")


def test_a_bug_is_told_in_one_line(run: Stilltrue, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("boom")

    monkeypatch.setattr("stilltrue.services.history.stats", broken)

    answer = run("stats")

    assert answer.code == 2
    assert answer.err == (
        "error: RuntimeError: boom\n  hint: this is a bug; run with STILLTRUE_DEBUG=1 for the traceback\n"
    )
    assert run("stats", "--json").error["code"] == "bug"


def test_doctor_tells_that_git_refuses_the_repository(run: Stilltrue, repo: Repo) -> None:
    """As it does where another user owns it; memories are kept all the same, without commits."""
    assert "✓ repository" in run("doctor").out
    repo.run("config", "core.repositoryformatversion", "99")

    told = run("doctor")
    assert told.code == 1
    assert "! repository" in told.out
    assert "git refuses to read it, so commits are not recorded" in told.out

    assert run(*RETRIES).code == 0
    pinned = run("remember", "Written for the first release", "--cite", "@abcdef0")
    assert "Traceback" not in pinned.err
