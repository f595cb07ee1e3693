"""`stilltrue snooze`, and how the other commands mark and count what sleeps or is ignored."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.cli import Stilltrue
from support.repo import Repo

RETRIES = ("remember", "Retries stop after 5 attempts", "--cite", "src/client.py:4-6")


@pytest.fixture
def stale(run: Stilltrue, repo: Repo) -> Stilltrue:
    """m1, whose lines changed."""
    run(*RETRIES)
    change(repo, "range(5)", "range(7)")
    assert run("check").code == 1
    return run


def change(repo: Repo, old: str, new: str) -> None:
    file = repo.root / "src/client.py"
    file.write_bytes(file.read_bytes().replace(old.encode(), new.encode()))


def test_a_snooze_there_and_back_again(stale: Stilltrue, repo: Repo) -> None:
    """Design 7: until the lines change again, unless said otherwise."""
    answer = stale("snooze", "m1")
    assert answer.out == "snoozed until its lines change: m1  Retries stop after 5 attempts\n"
    checked = stale("check")
    assert checked.code == 0
    assert checked.out == (
        "nothing to check: all of it is snoozed or ignored\n"
        "not checked: 1 memory (snoozed until their lines change)\n"
    )
    change(repo, "range(7)", "range(8)")
    assert stale("check", "--strict").code == 1
    change(repo, "range(8)", "range(7)")
    assert stale("snooze", "m1", "--off").out == "awake m1  Retries stop after 5 attempts\n"
    assert stale("check").code == 1


def test_what_sleeps_is_marked(stale: Stilltrue) -> None:
    stale("snooze", "m1", "--until", "2999-12-24")

    assert stale("list").out.rstrip().endswith("(snoozed until 2999-12-24)")
    assert "stale/content" in stale("list").out
    assert "    snoozed until 2999-12-24 (said " in stale("show", "m1").out
    assert "m1 is snoozed until 2999-12-24" in stale("why", "m1").out
    for command in (("show", "m1"), ("why", "m1")):
        assert stale(*command, "--json").json["snoozed"] == "until 2999-12-24"
    assert [each["snoozed"] for each in stale("list", "--json").json["memories"]] == ["until 2999-12-24"]
    stale("snooze", "m1", "--off")
    assert [each["snoozed"] for each in stale("list", "--json").json["memories"]] == [None]
    assert "snoozed" not in stale("list").out + stale("show", "m1").out + stale("why", "m1").out


def test_the_answer_for_programs(stale: Stilltrue) -> None:
    (told,) = stale("snooze", "m1", "--json").json["memories"]
    assert set(told) == {"id", "uid", "snoozed", "until"}
    assert (told["id"], told["snoozed"], told["until"]) == ("m1", "until its lines change", None)
    (told,) = stale("snooze", "m1", "--until", "2999-12-24", "--json").json["memories"]
    assert (told["snoozed"], told["until"]) == ("until 2999-12-24", "2999-12-24T00:00:00.000Z")
    (told,) = stale("snooze", "m1", "--off", "--json").json["memories"]
    assert told["snoozed"] is None
    skipped = stale("snooze", "m1", "--days", "3"), stale("check", "--json").json["skipped"]
    (counted,) = skipped[1]
    assert (counted["what"], counted["count"]) == ("memories", 1)
    assert counted["why"].startswith("snoozed until 2")


def test_b28_a_repeated_snooze_is_answered_and_not_said_again(stale: Stilltrue) -> None:
    first = stale("snooze", "m1", "--days", "3", "--key", "k", "--json")
    stale("snooze", "m1", "--off")

    assert stale("snooze", "m1", "--days", "3", "--key", "k", "--json").json == first.json
    assert stale("check").code == 1
    refused = stale("snooze", "m1", "--days", "4", "--key", "k", "--json")
    assert (refused.code, refused.error["code"]) == (2, "idempotency_conflict")


@pytest.mark.parametrize(
    "wrong",
    [
        (),
        ("m9",),
        ("m1", "m9"),
        ("m1", "--days", "0"),
        ("m1", "--days", "many"),
        ("m1", "--days", "99999999999"),
        ("m1", "--until", "2020-01-01"),
        ("m1", "--until", "tomorrow"),
        ("m1", "--off", "--days", "3"),
        ("m1", "--until-changed", "--off"),
    ],
    ids=" ".join,
)
def test_wrong_use_says_what_is_wrong_and_snoozes_nothing(stale: Stilltrue, wrong: tuple[str, ...]) -> None:
    answer = stale("snooze", *wrong, "--json")

    assert answer.code == 2
    assert answer.error["message"]
    assert answer.error["hint"]
    assert stale("check").code == 1


def test_the_help_teaches_by_example(run: Stilltrue) -> None:
    told = run("snooze", "--help").out
    for example in ("stilltrue snooze m3 --off", "--days 14", "--until 2027-01-07"):
        assert example in told


def test_undo_takes_back_acts_on_memories_and_no_snooze(stale: Stilltrue) -> None:
    stale("snooze", "m1")
    assert stale("undo", "--json").json["undone"] == "remember"


def configure(run: Stilltrue, line: str) -> None:
    file = Path(run.own_environment["XDG_CONFIG_HOME"]) / "stilltrue" / "config.toml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(line + "\n", encoding="utf-8")


def test_f40_the_users_file_says_what_is_ignored(stale: Stilltrue) -> None:
    configure(stale, 'ignore = ["src/"]')
    checked = stale("check", "--strict")
    assert checked.code == 0
    assert checked.out == (
        "nothing to check: all of it is snoozed or ignored\n"
        "not checked: 1 citation (ignored by the setting `ignore`)\n"
        "not checked: 1 memory (all that they cite is ignored)\n"
    )
    assert "stale/content" in stale("list").out
    configure(stale, 'ignore = ["src/", "!src/client.py"]')
    assert stale("check").code == 1


@pytest.mark.parametrize("line", ['ignore = "src/"', "ignore = [1]", 'ignore = ["!"]', 'display = "banner"'])
def test_f40_what_cannot_be_a_setting_is_refused(stale: Stilltrue, line: str) -> None:
    configure(stale, line)
    answer = stale("check", "--json")
    assert (answer.code, answer.error["code"]) == (2, "bad_input")
    assert answer.error["hint"]
