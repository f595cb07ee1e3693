"""What only a process of its own shows: signals, pipes, encodings, and what is imported when."""

from __future__ import annotations

import json
import signal
import subprocess
import sys

import pytest

from support.cli import Stilltrue
from support.repo import Repo

RETRIES = ("remember", "Retries stop after 5 attempts", "--cite", "src/client.py:4-6")
BATCH = 250


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGINT to send")
def test_an_interrupt_ends_with_130_and_loses_nothing_that_was_answered(run: Stilltrue) -> None:
    process = run.start("remember", "--stdin")
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(b'{"text": "kept", "citations": [{"path": "docs/api.md"}]}\n' * BATCH)
    process.stdin.flush()
    answered = [json.loads(process.stdout.readline())["uid"] for _ in range(BATCH)]
    process.send_signal(signal.SIGINT)
    _, error = process.communicate(timeout=60)

    assert process.returncode == 130
    assert error == b""
    assert {each["uid"] for each in run("list", "--json").json["memories"]} == set(answered)


@pytest.mark.parametrize("command", [("list",), ("list", "--json"), ("check", "--strict"), ("--help",)])
def test_a_reader_that_has_seen_enough_is_no_error(run: Stilltrue, command: tuple[str, ...]) -> None:
    lines = b'{"text": "a memory", "citations": [{"path": "docs/api.md"}]}\n' * BATCH
    run("remember", "--stdin", given=lines)
    with run.start(*command) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        error = process.stderr.read()

    assert process.returncode == 141
    assert error == b""


def test_an_output_that_cannot_show_a_character_gets_its_escape(run: Stilltrue) -> None:
    run.environment["PYTHONIOENCODING"] = "latin-1"
    run.process("remember", "size ≤ 5", "--cite", "src/client.py:4-6")

    shown = run.process("list")
    told = run.process("list", "--json")

    assert (shown.code, told.code) == (0, 0)
    assert "size \\u2264 5" in shown.out
    assert told.json["memories"][0]["text"] == "size ≤ 5"


@pytest.mark.parametrize(
    "command",
    [
        ("remember", b"caf\xe9", "--cite", "src/client.py:4-6"),
        ("remember", "text", "--cite", b"caf\xe9.py:1"),
        ("remember", "text", "--ref", b"\xff"),
        ("show", b"\xff"),
        ("check", b"\xff"),
        ("--db", b"\xff", "list"),
    ],
    ids=repr,
)
def test_an_argument_that_is_no_utf8_is_refused(run: Stilltrue, command: tuple[str | bytes, ...]) -> None:
    answer = run.process(*command, "--json")

    assert (answer.code, answer.error["code"]) == (2, "bad_input")
    assert answer.err == ""
    assert not run.database.exists()


@pytest.mark.skipif(sys.platform != "linux", reason="names are text there")
def test_a_repository_whose_name_is_no_utf8_works(run: Stilltrue, repo: Repo) -> None:
    odd = repo.root.rename(repo.root.with_name("caf\udce9"))

    assert run.process(*RETRIES, cwd=odd).code == 0
    assert run.process("check", cwd=odd).code == 0
    assert run.process("repo", cwd=odd).code == 0
    assert len(run.process("list", "--json", cwd=odd).json["memories"]) == 1
    assert run.process("check", "--summary", cwd=odd).code == 0
    assert run.process("heal", cwd=odd).code == 0


def test_closed_standard_input_is_told(run: Stilltrue) -> None:
    command = f"{sys.executable} -m stilltrue remember --stdin <&-"
    done = subprocess.run(
        ["sh", "-c", command], env=run.full_environment, cwd=run.folder, capture_output=True, check=False
    )

    assert done.returncode == 2
    assert done.stderr.startswith(b"error: standard input is closed")


def loaded(code: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", f"import sys\n{code}\nprint(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    )
    return {name.split(".")[0] for name in done.stdout.splitlines()[-1].split()}


def test_help_imports_no_command_and_no_database() -> None:
    code = "from stilltrue.cli.main import run\nrun(['--help'])"

    assert not loaded(code) & {"sqlalchemy", "platformdirs", "pygls", "lsprotocol"}


def test_a_check_imports_neither_the_server_nor_migrations(run: Stilltrue) -> None:
    """F3: a second of start-up that only `stilltrue lsp` pays."""
    run(*RETRIES)
    code = (
        "import os\n"
        f"os.environ.update({run.own_environment!r})\nos.chdir({str(run.folder)!r})\n"
        "from stilltrue.cli.main import run\nassert run(['check']) == 0"
    )

    assert not loaded(code) & {"pygls", "lsprotocol", "stilltrue_lsp", "alembic", "rich"}


def test_the_server_starts_by_name_and_ends_with_its_input(run: Stilltrue) -> None:
    answer = run.process("lsp")

    assert answer.code in {0, 1}
    assert "Traceback" not in answer.err
