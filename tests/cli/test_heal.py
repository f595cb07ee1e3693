"""`stilltrue heal`: what it says, writes and exits with."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.cli import Stilltrue
from support.repo import Repo

RETRIES = ("remember", "Retries stop after 5 attempts", "--cite", "src/client.py:4-6")


@pytest.fixture
def edited(run: Stilltrue, repo: Repo) -> Stilltrue:
    """m1, judged once while it held, whose lines were edited since and not committed."""
    run(*RETRIES)
    assert run("heal").code == 0
    file = repo.root / "src/client.py"
    file.write_bytes(file.read_bytes().replace(b"range(5)", b"range(7)"))
    return run


def test_a_pass_for_people(edited: Stilltrue, repo: Repo) -> None:
    """F36: 1 while something is stale; judging it twice keeps one verdict."""
    answer = edited("heal")
    assert answer.code == 1
    assert "m1  stale/content  Retries stop after 5 attempts" in answer.out
    assert answer.out.endswith("1 memory judged: 1 stale/content\n1 verdict kept anew\n")
    assert edited("heal").out.endswith("\n0 verdicts kept anew\n")
    repo.run("checkout", "-q", ".")
    assert edited("heal").code == 0
    assert edited("heal").out == ("0 memories judged; nothing changed for 1 more\n0 verdicts kept anew\n")


def test_a_pass_for_programs(edited: Stilltrue, repo: Repo) -> None:
    told = edited("heal", "--json").json
    assert set(told) == {
        *("version", "mode", "dry_run", "whole", "summary", "memories"),
        *("drifts", "healed", "failed", "checkpoint"),
    }
    assert told["summary"] == {"memories": 1, "stale/content": 1, "left_out": 0, "verdicts": 1}
    assert (told["mode"], told["whole"], told["failed"]) == ("verdict", None, [])
    assert told["checkpoint"] == repo.run("rev-parse", "HEAD").strip()
    assert edited("heal", "--full", "--json").json["whole"] == "it was asked for"


def test_a_mode_that_writes_memories_says_why_it_does_not(edited: Stilltrue, repo: Repo) -> None:
    """K6, design 6: exit 2, and a hint."""
    answer = edited("heal", "--mode", "demote", "--json")
    assert answer.code == 2
    assert answer.error["code"] == "tree_not_clean"
    assert "not committed yet is src/client.py" in answer.error["message"]
    assert "commit or stash" in answer.error["hint"]
    repo.commit("edit")
    answer = edited("heal", "--mode", "demote", "--dry-run", "--json")
    assert [(each["id"], each["reason"]) for each in answer.json["drifts"]] == [("m1", "content_drift")]
    assert "would be demoted: m1 (content_drift)" in edited("heal", "--mode", "demote", "--dry-run").out
    assert [each["id"] for each in edited("list", "--json").json["memories"]] == ["m1"]


def test_a_demotion_is_told_and_can_be_taken_back(edited: Stilltrue, repo: Repo) -> None:
    """E27, E28, design 5."""
    head = repo.commit("edit")
    answer = edited("heal", "--mode", "demote")
    assert answer.code == 1
    assert (
        "m1 is superseded by m2, demoted: its trust is unknown now (content_drift at src/client.py:4-6)"
        in answer.out
    )
    assert "reverify m1" not in answer.out
    assert edited("undo").out.startswith("took back: demote of ")
    assert [each["id"] for each in edited("list", "--json").json["memories"]] == ["m1"]
    told = edited("audit", "--json").json["issues"]
    assert [(each["id"], each["drift"]) for each in told] == [("m1", "content_drift")]
    edited("reverify", "m1")
    file = repo.root / "src/client.py"
    file.write_bytes(file.read_bytes().replace(b"range(7)", b"range(9)"))
    head = repo.commit("edit again")
    (healed,) = edited("heal", "--mode", "demote", "--json").json["healed"]
    assert (healed["id"], healed["superseded_by"], healed["event"]["commit"]) == ("m1", "m3", head)
    assert set(healed["event"]) == {
        *("kind", "original", "superseding", "reason", "citation", "resolver_state", "commit", "actor", "at"),
    }


def test_a_lowered_confidence_is_told(edited: Stilltrue, repo: Repo) -> None:
    """A52."""
    repo.commit("edit")
    assert "m1 is superseded by m2, its confidence is 0.5 now" in edited("heal", "--mode", "confidence").out
    assert "superseded by" not in edited("heal", "--mode", "confidence").out


def test_e34_a_setting_turns_passes_off_and_an_option_turns_one_on(edited: Stilltrue) -> None:
    folder = edited.database.parent / "home" / "config" / "stilltrue"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.toml").write_text('heal_mode = "off"\n')
    answer = edited("heal")
    assert (answer.code, "heal_mode is off" in answer.out) == (0, True)
    assert edited("heal", "--mode", "verdict").code == 1


def test_e34_several_repositories_each_once_and_one_that_fails_stops_no_other(
    edited: Stilltrue, repo: Repo, tmp_path: Path
) -> None:
    other = Repo.git(tmp_path / "other")
    other.write("a.py", "LIMIT = 'thirty seconds in all'\n")
    other.commit("first")
    assert edited("remember", "The limit is 30 s", "--cite", "a.py:1", cwd=other.root).code == 0
    folders = (str(repo.root), str(repo.root / "src"), str(other.root))
    answer = edited("heal", *folders, "--mode", "demote", "--json")
    assert answer.code == 2
    refused, done = answer.json["repositories"]
    assert (refused["root"], refused["error"]["code"]) == (str(repo.root), "tree_not_clean")
    assert (done["root"], done["summary"]["fresh"]) == (str(other.root), 1)
    answer = edited("heal", *folders)
    assert answer.code == 1
    assert answer.out.count("judged") == 2
    assert edited("heal", str(other.root)).code == 0
    assert edited("heal", str(tmp_path / "nowhere")).code == 2


def test_where_nothing_is_remembered_nothing_is_made(run: Stilltrue) -> None:
    assert run("heal").code == 0
    assert run("worklist").out == "nothing waits\n"
    assert run("audit").code == 0
    assert not run.database.exists()


@pytest.mark.parametrize("command", ["heal", "audit", "worklist"])
def test_help_teaches(run: Stilltrue, command: str) -> None:
    """F43: examples and exit codes stand in it."""
    told = run(command, "--help").out
    assert f"stilltrue {command}" in told
    assert "Exits with 0" in told


def test_a_wrong_mode_is_wrong_use(run: Stilltrue) -> None:
    assert run("heal", "--mode", "delete").code == 2
