"""A pass judges what may have changed and keeps what it found; it writes nothing else (E21 to E32)."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from stilltrue.model.healing import HealMode
from stilltrue.model.verdict import Reason, Verdict
from stilltrue.services import settle
from stilltrue.services.heal import Pass, heal, heal_each
from stilltrue.services.recording import parse_spec
from stilltrue.services.remember import Remembered, Request, remember_many
from stilltrue.services.snoozing import snooze
from stilltrue.services.warm import summarise
from stilltrue.services.workspace import Surroundings, Workspace
from stilltrue.source.files import FileText
from support.healing import changed_tables, dump, kept_verdict, run_sql
from support.repo import Repo

Keep = Callable[..., Remembered]
Open = Callable[[Path], Workspace]
LONG_AGO = 1_600_000_000
CLIENT = "src/client.py"


def judged(done: Pass) -> set[str]:
    return {each.memory.id for each in done.judged}


@pytest.fixture
def three(repo: Repo, keep: Keep) -> list[Remembered]:
    """Three committed files with a memory each."""
    for name in "abc":
        repo.write(f"src/{name}.py", f"the file {name} holds this very line\n")
    repo.commit("three files")
    return [keep(f"{name} holds", f"src/{name}.py:1") for name in "abc"]


def test_e22_the_first_pass_judges_everything(workspace: Workspace, three: list[Remembered]) -> None:
    done = heal(workspace)
    assert done.whole == "there was no pass before"
    assert judged(done) == {each.memory.id for each in three}
    assert done.reached == workspace.git.head()


def test_e21_only_what_a_commit_or_the_tree_changed_is_judged(
    workspace: Workspace, repo: Repo, three: list[Remembered]
) -> None:
    heal(workspace)
    repo.write("src/b.py", "another line, which is committed\n")
    repo.commit("b")
    repo.write("src/a.py", "another line, which is not\n")
    done = heal(workspace)
    assert judged(done) == {three[0].memory.id, three[1].memory.id}
    assert (done.whole, done.left_out) == ("", 1)
    assert done.verdicts == 2


def test_e22_a_clean_tree_at_the_checkpoint_judges_nothing(
    workspace: Workspace, three: list[Remembered]
) -> None:
    heal(workspace)
    done = heal(workspace)
    assert (judged(done), done.left_out) == (set(), len(three))


def test_e22_a_checkpoint_that_vanished_is_no_empty_set(
    workspace: Workspace, repo: Repo, database: Path, three: list[Remembered]
) -> None:
    """Drift is found all the same."""
    heal(workspace)
    repo.write("src/b.py", "another line, which is committed\n")
    repo.commit("b")
    run_sql(database, "UPDATE heal_checkpoints SET head = '0000000000000000000000000000000000000000'")
    done = heal(workspace)
    assert done.whole == "git does not tell what changed since the last pass"
    assert kept_verdict(workspace, three[1].citations[0].uid) == (Verdict.STALE, Reason.TEXT_CHANGED)
    assert heal(workspace).whole == ""


def test_e22_a_folder_without_git_is_always_judged_whole(tmp_path: Path, open_at: Open) -> None:
    folder = tmp_path / "plain"
    folder.mkdir()
    (folder / "a.txt").write_text("a line that is long enough\n")
    workspace = open_at(folder)
    list(remember_many(workspace, [Request(text="it holds", citations=(parse_spec("a.txt:1"),))]))
    heal(workspace)
    (folder / "a.txt").write_text("another line in its place\n")
    done = heal(workspace)
    assert done.whole == "there is no git to ask what changed"
    assert done.report.counts == {"memories": 1, "stale/content": 1}


@pytest.mark.parametrize("name", ["ünï.py", "sp ace.py", "nd/z.py", "git-ignored.log"])
def test_e23_a_cited_file_with_any_name_is_found(
    workspace: Workspace, repo: Repo, keep: Keep, name: str
) -> None:
    repo.write(".gitignore", "*.log\n")
    repo.commit("ignoring")
    repo.write(name, "a line that is long enough\n")
    keep("it holds", f"{name}:1")
    assert heal(workspace).report.counts == {"memories": 1, "fresh": 1}
    repo.write(name, "another line in its place\n")
    assert heal(workspace).report.counts == {"memories": 1, "stale/content": 1}


def test_e23_both_names_of_a_rename_are_judged(workspace: Workspace, repo: Repo, keep: Keep) -> None:
    repo.write("a.py", "a line that is long enough\n" * 3)
    repo.commit("a")
    kept = keep("it holds", "a.py")
    heal(workspace)
    repo.rename("a.py", "b.py")
    assert judged(heal(workspace)) == {kept.memory.id}
    assert kept_verdict(workspace, kept.citations[0].uid) == (Verdict.MOVED, Reason.OTHER_FILE)


def test_e24_of_a_thousand_memories_two_are_judged(
    workspace: Workspace, repo: Repo, tmp_path: Path, open_at: Open
) -> None:
    """And none of another repository that has a file of that name."""
    for number in range(500):
        repo.write(f"many/{number}.txt", f"line one of {number}\nline two of {number}\n")
    repo.commit("many")
    requests = [
        Request(text=f"{number} {line}", citations=(parse_spec(f"many/{number}.txt:{line}"),))
        for number in range(500)
        for line in (1, 2)
    ]
    other = open_at(Repo.git(tmp_path / "other").root)
    Repo(other.root).write("many/7.txt", "line one of 7\nline two of 7\n")
    Repo(other.root).commit("first")
    assert len(list(remember_many(workspace, requests))) == 1000
    elsewhere = list(remember_many(other, [requests[14]]))
    heal(workspace)
    repo.write("many/7.txt", "line one of 7\nline two is another now\n")
    done = heal(workspace)

    assert {each.memory.text for each in done.judged} == {"7 1", "7 2"}
    assert done.left_out == 998
    assert isinstance(elsewhere[0], Remembered)
    assert elsewhere[0].memory.uid not in {each.memory.uid for each in done.judged}


def test_e25_an_edit_that_was_seen_and_discarded_is_fresh_again(
    workspace: Workspace, repo: Repo, three: list[Remembered]
) -> None:
    heal(workspace)
    repo.write("src/a.py", "an edit\n")
    heal(workspace)
    assert kept_verdict(workspace, three[0].citations[0].uid) == (Verdict.STALE, Reason.TEXT_CHANGED)
    repo.run("checkout", "-q", "src/a.py")
    heal(workspace)
    assert kept_verdict(workspace, three[0].citations[0].uid) == (Verdict.FRESH, Reason.SAME_BYTES)
    assert judged(heal(workspace)) == set()


@pytest.mark.parametrize("passes_between", [0, 1])
def test_e25_what_was_remembered_of_an_edit_that_is_discarded_is_stale(
    workspace: Workspace, repo: Repo, keep: Keep, passes_between: int
) -> None:
    """The file is in neither diff nor status, and the memory was fresh whenever anybody looked."""
    repo.write("src/a.py", "what is committed\n")
    repo.commit("a")
    keep("it is committed", "src/a.py:1")
    heal(workspace)
    repo.write("src/a.py", "an edit that somebody remembers\n")
    kept = keep("the edit holds", "src/a.py:1")
    for _ in range(passes_between):
        assert kept.memory.id in judged(heal(workspace))
    repo.run("checkout", "-q", "src/a.py")
    heal(workspace)
    assert kept_verdict(workspace, kept.citations[0].uid) == (Verdict.STALE, Reason.TEXT_CHANGED)


def test_e25_what_came_back_by_an_undo_is_judged(
    workspace: Workspace, repo: Repo, three: list[Remembered]
) -> None:
    settle.retract(workspace, [three[0].memory.id])
    repo.write("src/a.py", "an edit\n")
    repo.commit("while it was retracted")
    heal(workspace)
    settle.undo(workspace)
    assert judged(heal(workspace)) == {three[0].memory.id}
    assert kept_verdict(workspace, three[0].citations[0].uid) == (Verdict.STALE, Reason.TEXT_CHANGED)


def test_e25_what_was_reverified_is_fresh_in_the_next_pass(
    workspace: Workspace, repo: Repo, three: list[Remembered]
) -> None:
    repo.write("src/a.py", "an edit\n")
    repo.commit("edit")
    heal(workspace)
    settle.reverify(workspace, three[0].citations)
    heal(workspace)
    assert kept_verdict(workspace, three[0].citations[0].uid) == (Verdict.FRESH, Reason.SAME_BYTES)


def test_a_setting_that_verdicts_hang_on_asks_for_everything_anew(
    workspace: Workspace, three: list[Remembered]
) -> None:
    heal(workspace)
    told = workspace.surroundings
    workspace.use(Surroundings(told.environment, told.database, options={"max_file_bytes": 8}))
    done = heal(workspace)
    assert done.whole == "StillTrue or its settings changed since the last pass"
    assert done.report.counts == {"memories": len(three), "unknown": len(three)}


def test_e26_nothing_drifted_so_only_the_checkpoint_is_written(
    workspace: Workspace, repo: Repo, database: Path
) -> None:
    for number in range(50):
        repo.write(f"many/{number}.txt", f"line one of {number}\n")
    repo.commit("many")
    requests = [Request(text="x", citations=(parse_spec(f"many/{number}.txt:1"),)) for number in range(50)]
    list(remember_many(workspace, requests))
    heal(workspace)
    before = dump(database)
    done = heal(workspace, full=True)
    assert len(done.judged) == 50
    assert changed_tables(before, dump(database)) == {"heal_checkpoints"}


def test_e26_the_first_pass_over_fresh_memories_writes_no_verdict(
    workspace: Workspace, database: Path, three: list[Remembered]
) -> None:
    before = dump(database)
    assert heal(workspace).verdicts == 0
    assert three
    assert changed_tables(before, dump(database)) <= {"heal_checkpoints", "checkouts"}


def test_e26_a_verdict_is_written_once(workspace: Workspace, repo: Repo, database: Path, keep: Keep) -> None:
    keep("five attempts", f"{CLIENT}:4-6")
    repo.write(CLIENT, "import os\n")
    assert heal(workspace).verdicts == 1
    before = dump(database)
    assert heal(workspace).verdicts == 0
    assert changed_tables(before, dump(database)) == {"heal_checkpoints"}


def test_a_dry_run_writes_nothing(workspace: Workspace, repo: Repo, database: Path, keep: Keep) -> None:
    keep("five attempts", f"{CLIENT}:4-6")
    repo.write(CLIENT, "import os\n")
    before = dump(database)
    done = heal(workspace, dry_run=True)
    assert (done.verdicts, done.report.counts) == (1, {"memories": 1, "stale/structural": 1})
    assert dump(database) == before


def test_no_store_is_made_by_a_pass(workspace: Workspace, database: Path) -> None:
    assert heal(workspace).judged == ()
    assert not database.exists()


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root reads everything")
def test_e31_e32_what_cannot_be_read_is_unknown_and_looked_at_again(
    workspace: Workspace, repo: Repo, keep: Keep
) -> None:
    keep("five attempts", f"{CLIENT}:4-6")
    heal(workspace)
    (repo.root / CLIENT).chmod(0)
    try:
        done = heal(workspace, full=True)
    finally:
        (repo.root / CLIENT).chmod(0o644)
    assert (done.report.counts, done.reached) == ({"memories": 1, "unknown": 1}, None)


class Flaky:
    """Reads the working tree, but for one path once."""

    def __init__(self, workspace: Workspace, path: str, answer: FileText | Exception) -> None:
        self.tree, self.path, self.answer, self.reads = workspace.fresh_tree(), path, answer, 0

    def read(self, path: str) -> FileText:
        if path != self.path:
            return self.tree.read(path)
        self.reads += 1
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


@pytest.mark.parametrize("answer", [FileText(obstacle=Reason.UNREADABLE), RuntimeError("a fault of ours")])
def test_e32_the_checkpoint_stays_where_one_could_not_be_judged(
    workspace: Workspace, repo: Repo, three: list[Remembered], answer: FileText | Exception
) -> None:
    """The others are judged and kept; the next pass looks at the file again."""
    heal(workspace)
    for name in "ab":
        repo.write(f"src/{name}.py", "another line, which is committed\n")
    repo.commit("a and b")
    done = heal(workspace, texts=Flaky(workspace, "src/a.py", answer))
    assert ({each.id for each in done.failed}, done.reached) == ({three[0].memory.id}, None)
    assert kept_verdict(workspace, three[1].citations[0].uid) == (Verdict.STALE, Reason.TEXT_CHANGED)

    again = heal(workspace)
    assert three[0].memory.id in judged(again)
    assert again.reached == workspace.git.head()
    assert kept_verdict(workspace, three[0].citations[0].uid) == (Verdict.STALE, Reason.TEXT_CHANGED)


def test_e15_files_that_the_last_check_left_settled_are_not_read(
    workspace: Workspace, repo: Repo, three: list[Remembered]
) -> None:
    """A pass over everything asks `stat` first; a touched file and a same-size rewrite are read."""
    for name in "abc":
        os.utime(repo.root / f"src/{name}.py", (LONG_AGO, LONG_AGO))
    assert summarise(workspace).files_read == 3
    assert judged(heal(workspace)) == set()
    same_size = (repo.root / "src/b.py").read_text().replace("very", "VERY")
    repo.write("src/b.py", same_size)
    os.utime(repo.root / "src/b.py", (LONG_AGO, LONG_AGO))
    done = heal(workspace)
    assert judged(done) == {three[1].memory.id}
    assert done.report.counts == {"memories": 1, "stale/content": 1}
    assert len(heal(workspace, full=True).judged) == 3


def test_e34_off_runs_nothing_and_each_tree_is_healed_once(
    workspace: Workspace, repo: Repo, tmp_path: Path, open_at: Open
) -> None:
    """Roots r1, r1, r2: two calls; r1 raising stops r2 in nothing."""
    second = open_at(Repo.git(tmp_path / "r2").root)
    called: list[Path] = []

    def run(one: Workspace, mode: HealMode) -> Pass:
        called.append(one.root)
        if one.root == repo.root:
            raise RuntimeError("a fault of ours")
        return Pass(mode=mode)

    found = heal_each([workspace, open_at(repo.root / "src"), second], run=run)
    assert called == [workspace.root, second.root]
    assert isinstance(found[second.root], Pass)
    assert str(found[workspace.root]) == "RuntimeError: a fault of ours"

    for one in (workspace, second):
        one.use(Surroundings(os.environ, options={"heal_mode": "off"}))
    called.clear()
    assert heal_each([workspace, second], run=run) == {}
    assert called == []
    assert heal(workspace).judged == ()


def test_two_worktrees_keep_their_own_verdicts_and_checkpoints(
    workspace: Workspace, repo: Repo, tmp_path: Path, open_at: Open, three: list[Remembered]
) -> None:
    """Design 6: a colleague's checkout says nothing of this one."""
    repo.run("worktree", "add", "-q", str(tmp_path / "tree"), "-b", "side")
    side = open_at(tmp_path / "tree")
    heal(workspace)
    Repo(side.root).write("src/a.py", "another line, on the side\n")
    done = heal(side)
    assert done.whole == "there was no pass before"
    uid = three[0].citations[0].uid
    assert kept_verdict(side, uid) == (Verdict.STALE, Reason.TEXT_CHANGED)
    assert kept_verdict(workspace, uid) is None
    assert judged(heal(workspace)) == set()


def test_a_snoozed_memory_is_judged_and_not_told(workspace: Workspace, repo: Repo, keep: Keep) -> None:
    kept = keep("five attempts", f"{CLIENT}:4-6")
    repo.write(CLIENT, "import os\n")
    snooze(workspace, [kept.memory.id])
    done = heal(workspace)
    assert (done.verdicts, done.report.counts) == (1, {"memories": 0})
