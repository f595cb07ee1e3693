"""What a server keeps beside what it shows (K6, E34)."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from stilltrue.model.healing import HealMode
from stilltrue.model.verdict import Reason, Verdict
from stilltrue.services import leases, settle
from stilltrue.services.background import Background
from stilltrue.services.heal import heal
from stilltrue.services.kept_pins import kept_pins
from stilltrue.services.overview import survey
from stilltrue.services.remember import Remembered
from stilltrue.services.workspace import Surroundings, Workspace
from support.healing import changed_tables, dump, events, kept_verdict, run_sql
from support.repo import Repo

Keep = Callable[..., Remembered]
SPAN = "src/client.py:4-6"


@pytest.fixture
def stale(repo: Repo, keep: Keep) -> str:
    """The uid of a citation whose lines are changed and committed."""
    kept = keep("Retries stop after 5 attempts", SPAN)
    repo.write("src/client.py", (repo.root / "src/client.py").read_text().replace("range(5)", "range(7)"))
    repo.commit("edit")
    return kept.citations[0].uid


def after(background: Background, workspace: Workspace) -> None:
    background.after(workspace, survey(workspace))


def set_mode(workspace: Workspace, mode: str) -> None:
    told = workspace.surroundings
    workspace.use(Surroundings(told.environment, told.database, options={"heal_mode": mode}))


def test_k6_verdicts_are_kept_once(workspace: Workspace, stale: str, database: Path) -> None:
    background = Background()
    before = dump(database)
    after(background, workspace)
    assert kept_verdict(workspace, stale) == (Verdict.STALE, Reason.TEXT_CHANGED)
    assert changed_tables(before, dump(database)) == {"verdicts", "checkouts", "store_meta"}
    before = dump(database)
    after(background, workspace)
    after(Background(), workspace)
    assert dump(database) == before


def test_two_editors_that_judge_otherwise_do_not_write_over_each_other_for_ever(
    workspace: Workspace, repo: Repo, stale: str, database: Path
) -> None:
    """Each writes when what it finds changes, and not because the other found something else."""
    background = Background()
    after(background, workspace)
    run_sql(database, "UPDATE verdicts SET verdict = 'unknown', reason = 'too-large', grade = NULL")
    before = dump(database)
    after(background, workspace)
    assert dump(database) == before
    repo.write("src/client.py", "import os\n")
    after(background, workspace)
    assert kept_verdict(workspace, stale) == (Verdict.STALE, Reason.SPAN_MISSING)


def test_a_pass_of_another_process_is_not_disturbed(workspace: Workspace, stale: str, database: Path) -> None:
    """It is tried again the next time."""
    background = Background()
    with leases.held(workspace):
        before = dump(database)
        after(background, workspace)
        assert dump(database) == before
    after(background, workspace)
    assert kept_verdict(workspace, stale) == (Verdict.STALE, Reason.TEXT_CHANGED)


@pytest.mark.parametrize("mode", ["demote", "confidence"])
def test_memories_are_healed_once_and_an_undo_stays(workspace: Workspace, stale: str, mode: str) -> None:
    assert stale
    background = Background()
    set_mode(workspace, mode)
    for _ in range(2):
        after(background, workspace)
        assert len(events(workspace)) == 1
    settle.undo(workspace)
    for each in (background, Background()):
        after(each, workspace)
        assert len(events(workspace)) == 1


def test_a_pass_that_fails_is_not_repeated_for_ever(workspace: Workspace, stale: str, database: Path) -> None:
    """Or each would wake the servers that watch the store."""
    run_sql(
        database,
        "CREATE TRIGGER fault BEFORE INSERT ON heal_events BEGIN SELECT RAISE(ABORT, 'a fault'); END",
    )
    background = Background()
    set_mode(workspace, "demote")
    after(background, workspace)
    after(background, workspace)
    assert kept_verdict(workspace, stale) == (Verdict.STALE, Reason.TEXT_CHANGED)
    before = dump(database)
    after(background, workspace)
    assert dump(database) == before


def test_k6_off_and_where_nothing_is_remembered(workspace: Workspace, database: Path, keep: Keep) -> None:
    after(Background(), workspace)
    assert not database.exists()
    keep("Retries stop after 5 attempts", SPAN)
    (workspace.root / "src/client.py").unlink()
    set_mode(workspace, "off")
    before = dump(database)
    after(Background(), workspace)
    assert dump(database) == before


def test_a_commit_changes_the_state_of_the_files_that_are_watched(
    workspace: Workspace, repo: Repo, tmp_path: Path, open_at: Callable[[Path], Workspace]
) -> None:
    """In a linked worktree, too."""
    repo.run("worktree", "add", "-q", str(tmp_path / "tree"), "-b", "side")
    for one in (workspace, open_at(tmp_path / "tree")):
        before = one.head_state()
        assert before
        Repo(one.root).commit("nothing in it")
        assert one.head_state() != before


def test_a_pass_of_the_command_line_after_one_of_the_server_finds_nothing_new(
    workspace: Workspace, stale: str
) -> None:
    assert stale
    after(Background(), workspace)
    assert heal(workspace, HealMode.VERDICT).verdicts == 0


def test_f25_git_is_asked_once_for_each_commit_and_only_of_what_rests_on_one(
    workspace: Workspace, repo: Repo, keep: Keep, database: Path
) -> None:
    first = repo.run("rev-parse", "HEAD").strip()
    keep("Retries stop after 5 attempts", SPAN)
    background = Background()
    repo.commit("second")
    after(background, workspace)
    before = dump(database)
    repo.commit("third")
    after(background, workspace)
    assert dump(database) == before

    pinned = keep("Written for the first release", f"@{first}:src/client.py")
    after(background, workspace)
    assert kept_pins(workspace, pinned.citations)[pinned.citations[0].uid].state == "current"
    before = dump(database)
    after(background, workspace)
    after(Background(), workspace)
    assert dump(database) == before

    repo.write("src/client.py", "API_VERSION = 3\n")
    repo.commit("fourth")
    after(background, workspace)
    assert kept_pins(workspace, pinned.citations)[pinned.citations[0].uid].state == "stale"


def test_f25_with_heal_mode_off_git_is_not_asked(workspace: Workspace, repo: Repo, keep: Keep) -> None:
    pinned = keep("Written for the first release", f"@{repo.run('rev-parse', 'HEAD').strip()}")
    set_mode(workspace, "off")
    after(Background(), workspace)
    assert kept_pins(workspace, pinned.citations) == {}


def test_f25_a_store_that_was_locked_is_asked_again(
    workspace: Workspace, repo: Repo, keep: Keep, database: Path
) -> None:
    pinned = keep("Written for the first release", f"@{repo.run('rev-parse', 'HEAD').strip()}")
    background = Background()
    with closing(sqlite3.connect(database, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        after(background, workspace)
        other.execute("ROLLBACK")
    assert kept_pins(workspace, pinned.citations) == {}
    after(background, workspace)
    assert kept_pins(workspace, pinned.citations)[pinned.citations[0].uid].state == "current"
