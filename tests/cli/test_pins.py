"""`stilltrue pins`: what it prints and with what it ends, and where pins are shown (A23 to A54)."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from support.cli import Stilltrue
from support.repo import IDENTITY, Repo


@pytest.fixture
def first(repo: Repo) -> str:
    return repo.run("rev-parse", "HEAD").strip()


@pytest.fixture
def second(repo: Repo, first: str) -> str:
    """HEAD now: the client changed, the documents did not."""
    assert first
    repo.write("src/client.py", "retries = 7\n")
    return repo.commit("second")


@pytest.fixture
def pinned(run: Stilltrue, first: str, second: str) -> Stilltrue:
    """Four memories: stale, current, unresolved, and one whose lines decide."""
    cites = (f"@{first}:src/client.py", f"@{first}:docs/api.md", "@1234567", "docs/api.md:3")
    for cite in cites:
        assert run("remember", f"It cites {cite}", "--cite", cite).code == 0
    assert second
    return run


def test_a29_a39_flag_is_the_default_and_tells_figures_on_stderr(pinned: Stilltrue, second: str) -> None:
    answer = pinned("pins")

    assert answer.code == 1
    assert f"4 checked: 2 current, 1 stale, 1 unresolved (HEAD {second[:7]})" in answer.err
    assert "stale: m1" in answer.err
    shown = [row.split()[:2] for row in answer.out.split("\n") if row.startswith("m")]
    assert shown == [["m1", "stale"], ["m3", "unresolved"]]


def test_a29_check_shows_each_pin_and_keeps_nothing(pinned: Stilltrue) -> None:
    answer = pinned("pins", "--check")

    assert answer.code == 1
    shown = [row.split()[:2] for row in answer.out.split("\n") if row.startswith("m")]
    assert shown == [["m1", "stale"], ["m2", "current"], ["m3", "unresolved"]]
    assert "pin=src/client.py@" in answer.out
    assert verdicts(pinned.database) == []


def verdicts(database: Path) -> list[str]:
    with sqlite3.connect(database) as connection:
        rows = connection.execute("SELECT commit_state FROM verdicts ORDER BY citation").fetchall()
    connection.close()
    return [state for (state,) in rows]


def test_the_end_says_whether_a_pin_that_decides_is_stale(run: Stilltrue, repo: Repo, first: str) -> None:
    run("remember", "By its lines", "--cite", "src/client.py:4-6")
    run("remember", "By its commit", "--cite", f"@{first}:docs/api.md")
    repo.write("src/client.py", "retries = 7\n")
    repo.commit("second")

    answer = run("pins")

    assert answer.code == 0
    assert "1 of them only inform: their cited lines decide" in answer.err
    assert answer.out == ""
    assert "only information" in run("pins", "--all").out


def test_json_has_it_all_and_nothing_else_is_printed(pinned: Stilltrue, first: str, second: str) -> None:
    answer = pinned("pins", "--json")

    assert (answer.code, answer.err) == (1, "")
    told = answer.json
    assert (told["version"], told["head"], told["mode"], told["is_cut"]) == (1, second, "flag", False)
    assert told["summary"] == {"checked": 4, "current": 2, "stale": 1, "unresolved": 1}
    assert told["stale"] == ["m1"]
    one = told["pins"][0]
    assert (one["memory"], one["commit"], one["path"]) == ("m1", first, "src/client.py")
    assert (one["freshness"], one["reason"], one["decides"]) == ("stale", "path_changed", True)
    assert one["before"] == {"freshness": None, "checked_at": None, "checked_head": None}
    before = pinned("pins", "--json").json["pins"][0]["before"]
    assert before == {"freshness": "stale", "checked_at": told["checked_at"], "checked_head": second}


def test_pins_are_narrowed_by_what_is_asked_for(pinned: Stilltrue, first: str) -> None:
    pinned(
        "remember", "How", "--cite", f"@{first}:src/client.py", "--kind", "procedural", "--subject", "retries"
    )

    def asked(*options: str) -> list[str]:
        return [each["memory"] for each in pinned("pins", "--check", "--json", *options).json["pins"]]

    assert asked() == ["m1", "m2", "m3", "m4", "m5"]
    assert asked("--kind", "procedural") == asked("--subject", "retries") == ["m5"]
    assert asked("--stale") == ["m1", "m5"]
    assert asked("--stale", "--kind", "semantic") == ["m1"]
    assert asked("--state", "unresolved") == ["m3"]
    assert asked("--limit", "2") == ["m1", "m2"]


def test_a40_what_the_limit_left_out_is_told(pinned: Stilltrue) -> None:
    answer = pinned("pins", "--limit", "1", "--page-size", "1")

    assert "1 checked" in answer.err
    assert "there are more pins" in answer.err


@pytest.mark.parametrize(
    "options",
    [
        ("--nonsense",),
        ("--state", "fresh"),
        ("--limit", "0"),
        ("--page-size", "0"),
        ("--check", "--backfill"),
        ("--stale", "--state", "current"),
    ],
)
def test_a29_wrong_use_is_refused(pinned: Stilltrue, options: tuple[str, ...]) -> None:
    assert pinned("pins", *options).code == 2
    assert verdicts(pinned.database) == []


def test_a30_without_a_commit_there_is_one_sentence(tmp_path: Path) -> None:
    empty = Repo.git(tmp_path / "empty")
    plain = tmp_path / "plain"
    plain.mkdir()
    for folder, code in ((empty.root, "no_head"), (plain, "no_repository")):
        run = Stilltrue(folder, tmp_path / "memories.db")
        answer = run("pins")
        assert (answer.code, answer.out) == (2, "")
        assert len(answer.err.rstrip("\n").split("\n")) <= 2
        assert run("pins", "--json").error["code"] == code
    assert not (tmp_path / "memories.db").exists()


def test_a35_the_folder_it_is_started_in_changes_nothing(pinned: Stilltrue) -> None:
    here = pinned("pins", "--check", "--json").json["pins"]
    below = pinned("pins", "--check", "--json", cwd=pinned.folder / "docs").json["pins"]
    assert here == below


def test_a43_backfill_is_told_and_can_be_left_out(run: Stilltrue, first: str) -> None:
    run("remember", "From a reference", "--ref", f"m@{first}:docs/api.md")

    assert run("pins", "--no-backfill", "--json").json["pins"] == []
    answer = run("pins")

    assert "1 pinned from what they say of their source" in answer.err
    assert "pin=docs/api.md@" in run("show", "m1").out
    assert run("pins", "--json").json["backfilled"] == []


def test_a52_revise_tells_what_it_did_and_can_be_undone(pinned: Stilltrue) -> None:
    answer = pinned("pins", "--revise")

    assert "1 revised to half the confidence" in answer.err
    assert "m5" in pinned("why", "m1").out
    assert "0 revised" in pinned("pins", "--revise").err
    assert pinned("undo").code == 0
    assert [each["id"] for each in pinned("list", "--json").json["memories"]] == ["m1", "m2", "m3", "m4"]


class TestHook:
    """A53: silent, never failing, making nothing."""

    def test_without_a_store_it_makes_none(self, run: Stilltrue) -> None:
        answer = run.process("pins", "--hook")
        assert (answer.code, answer.out, answer.err) == (0, "", "")
        assert not run.database.exists()
        assert not run.database.parent.joinpath("home").exists()

    def test_it_keeps_what_it_finds(self, pinned: Stilltrue) -> None:
        answer = pinned.process("pins", "--hook")
        assert (answer.code, answer.out, answer.err) == (0, "", "")
        assert verdicts(pinned.database) == ["stale", "current", "unresolved", "current"]

    def test_it_is_silent_in_every_mode(self, pinned: Stilltrue) -> None:
        for mode in ("--revise", "--check", "--flag"):
            for words in (("--hook", mode), (mode, "--hook")):
                answer = pinned.process("pins", *words)
                assert (answer.code, answer.out, answer.err) == (0, "", "")

    def test_nothing_goes_wrong_loudly(self, run: Stilltrue, tmp_path: Path) -> None:
        run.database.write_bytes(b"no database at all, and long enough to be looked at" * 40)
        (tmp_path / "plain").mkdir()
        for folder in (run.folder, tmp_path / "plain"):
            answer = Stilltrue(folder, run.database).process("pins", "--hook")
            assert (answer.code, answer.out, answer.err) == (0, "", "")
        answer = run.process("--repo", str(tmp_path / "none"), "pins", "--hook")
        assert (answer.code, answer.out, answer.err) == (0, "", "")

    def test_a_store_that_can_only_be_read_is_left_in_silence(self, pinned: Stilltrue) -> None:
        with sqlite3.connect(pinned.database) as connection:
            connection.execute("UPDATE store_meta SET min_writer = 9999")
        connection.close()
        answer = pinned.process("pins", "--hook")
        assert (answer.code, answer.out, answer.err) == (0, "", "")

    def test_git_runs_it_after_a_merge(self, pinned: Stilltrue, repo: Repo, first: str) -> None:
        """git tells a hook where the repository lies; that must not lead it astray."""
        command = " ".join(f"'{each}'" for each in map(str, pinned.command("pins", "--hook")))
        exports = "\n".join(f"export {name}='{value}'" for name, value in pinned.own_environment.items())
        hook = repo.write(".git/hooks/post-merge", f"#!/bin/sh\n{exports}\n{command}\n")
        hook.chmod(0o755)
        repo.run("checkout", "-q", "-b", "side", first)
        repo.write("docs/api.md", "# Anew\n")
        repo.commit("side")
        repo.run("checkout", "-q", "main")

        repo.run(*IDENTITY, "merge", "-q", "--no-edit", "side")

        assert verdicts(pinned.database)[:3] == ["stale", "stale", "unresolved"]


def rows_of(run: Stilltrue) -> dict[str, str]:
    answer = run("list")
    return {row.split()[0]: row for row in answer.out.split("\n") if row}


def test_a23_list_shows_pins_that_decide_with_their_mark(pinned: Stilltrue, first: str) -> None:
    """Nothing follows what is current or was never checked."""
    short = first[:7]
    assert all("STALE" not in row and "stale?" not in row for row in rows_of(pinned).values())
    pinned("pins")

    rows = rows_of(pinned)

    assert rows["m1"].endswith(f"pin=src/client.py@{short} STALE")
    assert rows["m2"].endswith(f"pin=docs/api.md@{short}")
    assert rows["m3"].endswith("pin=1234567 stale?")
    assert "pin=" not in rows["m4"]
    labels = [rows[name].split()[1] for name in ("m1", "m2", "m3", "m4")]
    assert labels == ["stale/commit", "current", "unverifiable", "fresh"]
    listed = [each["id"] for each in pinned("list", "--stale", "--json").json["memories"]]
    assert listed == ["m1", "m3"]


def test_a24_one_footer_however_many_drifted(run: Stilltrue, first: str, second: str) -> None:
    footer = "pinned memories may have drifted"
    assert second
    counted = []
    for number in range(3):
        run("remember", f"It is so: {number}", "--cite", f"@{first}")
        counted.append(run("list").err.count(footer))
        run("pins")
        counted.append(run("list").err.count(footer))
    assert counted == [0, 1, 1, 1, 1, 1]
    run("retract", "m1", "m2", "m3")
    assert run("list").err.count(footer) == 0


def test_a25_why_and_show_tell_how_old_the_check_is(pinned: Stilltrue, repo: Repo, second: str) -> None:
    assert "checked" not in pinned("why", "m1").out
    checked_at = pinned("pins", "--json").json["checked_at"]
    repo.write("docs/more.md", "more\n")
    third = repo.commit("third")

    for command in ("why", "show"):
        told = pinned(command, "m1").out
        assert f"checked {checked_at} at HEAD {second[:7]}" in told
        assert third[:7] not in told
    kept = {"freshness": "stale", "checked_at": checked_at, "checked_head": second}
    assert pinned("show", "m1", "--json").json["citations"][0]["pin"].items() >= kept.items()
    assert pinned("why", "m1", "--json").json["generations"][0]["pin"].items() >= kept.items()


def test_a25_only_the_present_generation_was_checked(pinned: Stilltrue, repo: Repo) -> None:
    repo.write("docs/api.md", "# API\n\nCalls are retried, often.\n")
    repo.commit("third")
    assert pinned("reverify", "m4").code == 0
    pinned("pins")

    told = pinned("why", "m4", "--json").json["generations"]

    assert [each["pin"]["freshness"] for each in told] == [None, "current"]


def test_a22_showing_starts_no_process(pinned: Stilltrue, tmp_path: Path) -> None:
    pinned("pins")
    bare = Stilltrue(pinned.folder, pinned.database, {"PATH": str(tmp_path / "nothing")})
    for command in (("list",), ("show", "m1"), ("why", "m1")):
        assert bare(*command).code == 0
    assert "STALE" in bare("list").out


def test_a_hostile_path_is_shown_harmless(run: Stilltrue, first: str) -> None:
    run("remember", "x", "--cite", f"@{first}:a\x1b[31mb")
    for command in (("pins", "--check"), ("list",), ("show", "m1"), ("why", "m1")):
        assert "\x1b" not in run(*command).out
