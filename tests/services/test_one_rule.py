"""The editor, the command line and the pass say the same of the same bytes (E1, E7, E16, E17, E40)."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from sqlalchemy import Engine, event

from stilltrue.ide.snapshot import Cited
from stilltrue.model.healing import HealMode
from stilltrue.model.verdict import Freshness, Reason, Verdict
from stilltrue.services import editor, overview
from stilltrue.services.check import check
from stilltrue.services.heal import heal
from stilltrue.services.judging import judge_all
from stilltrue.services.recording import parse_spec
from stilltrue.services.remember import Remembered, Request, remember, remember_many
from stilltrue.services.workspace import Workspace
from stilltrue.source.files import FileText
from support.cli import Stilltrue
from support.healing import dump, kept_verdict
from support.repo import Repo

Keep = Callable[..., Remembered]
LINES = [f"statement number {number} stands here" for number in range(12)]
FILES = ("one.txt", "two.txt", "three.py")


def written(lines: list[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def disturb(repo: Repo, dice: Random) -> None:
    """Anything that happens to files: edits, moves, deletions, copies, line ends."""
    name = dice.choice(FILES)
    file = repo.root / name
    lines = file.read_text().split("\n")[:-1] if file.exists() else list(LINES)
    at = dice.randrange(len(lines) + 1)
    kind = dice.choice(["insert", "edit", "delete", "move", "gone", "copy", "crlf", "restore"])
    if kind == "gone":
        file.unlink(missing_ok=True)
        return
    changed = {
        "insert": [*lines[:at], f"a line that was added {dice.random()}", *lines[at:]],
        "edit": [*lines[:at], f"an edited line {dice.random()}", *lines[at + 1 :]],
        "delete": lines[:at] + lines[at + 3 :],
        "move": lines[at:] + lines[:at],
        "restore": LINES,
    }.get(kind, lines)
    ends = "\r\n" if kind == "crlf" else "\n"
    target = f"copy{dice.randrange(3)}.txt" if kind == "copy" else name
    repo.write(target, written(changed).replace("\n", ends))


def looked_at(workspace: Workspace, path: str) -> tuple[Cited, ...]:
    """What an editor shows of a file that is open and saved."""
    data = workspace.tree.read(path).data
    return () if data is None else editor.look_at(workspace, path, data.decode()).cited


def hangs_on_other_files(said: dict[str, Any]) -> bool:
    places = [place for place in (said["new"], *said["candidates"]) if place]
    elsewhere = any(place["path"] != said["path"] for place in places)
    return bool(said["verdict"] == "moved" and elsewhere)


@pytest.mark.parametrize("seed", range(3))
def test_e1_three_planes_say_the_same(
    workspace: Workspace, repo: Repo, database: Path, keep: Keep, seed: int
) -> None:
    """Through any course of edits and commits, citation by citation.

    The command line, the survey of an editor and what a pass keeps are compared whole. A look at one open
    file asks no other file, so that what hangs on others is stale there; all else is the same.
    """
    dice = Random(seed)  # noqa: S311 - the same course every time
    run = Stilltrue(repo.root, database)
    for name in FILES:
        repo.write(name, written(LINES))
    repo.commit("three files")
    for number in range(8):
        start = dice.randrange(1, 10)
        other = dice.choice(FILES)
        keep(f"memory {number}", f"{dice.choice(FILES)}:{start}-{start + 2}", f"{other}:{start}")
    for step in range(6):
        for _ in range(dice.randrange(1, 4)):
            disturb(repo, dice)
        if dice.random() < 0.3:
            repo.commit(f"step {step}")
        heal(workspace)
        checked = run("check", "--json").json["memories"]
        cited = {each["uid"]: each for memory in checked for each in memory["citations"]}
        surveyed = overview.survey(workspace).memories
        assert {memory["uid"]: memory["freshness"] for memory in checked} == {
            each.memory.uid: each.verdict.label for each in surveyed
        }
        same_in_open_files(workspace, cited)
        for uid, said in cited.items():
            kept = kept_verdict(workspace, uid) or ("fresh", "same-bytes")
            assert kept == (said["verdict"], said["reason"])


def same_in_open_files(workspace: Workspace, cited: dict[str, dict[str, Any]]) -> None:
    for shown in (each for name in FILES for each in looked_at(workspace, name)):
        said = cited[shown.citation.uid]
        if hangs_on_other_files(said):
            assert shown.verdict.verdict is Verdict.STALE
        else:
            assert (shown.verdict.verdict, shown.verdict.reason) == (said["verdict"], said["reason"])


def test_e7_the_same_files_give_the_same_verdicts(workspace: Workspace, repo: Repo, keep: Keep) -> None:
    """E38: no model and no network takes part."""
    keep("Retries stop after 5 attempts", "src/client.py:4-6")
    repo.write("src/client.py", "import os\n")
    assert heal(workspace, full=True, dry_run=True) == heal(workspace, full=True, dry_run=True)


def test_e16_the_number_of_statements_does_not_grow_with_the_memories(
    workspace: Workspace, repo: Repo
) -> None:
    """One batched read of the baselines, for one memory and for fifty; of a check and of a pass."""
    for number in range(50):
        repo.write(f"many/{number}.txt", f"line one of {number}\n")
    requests = [Request(text="x", citations=(parse_spec(f"many/{number}.txt:1"),)) for number in range(50)]
    counts = []
    for some in (requests[:1], requests[1:]):
        list(remember_many(workspace, some))
        statements: list[str] = []

        def count(*told: object, into: list[str] = statements) -> None:
            into.append(str(told[2]))

        event.listen(Engine, "before_cursor_execute", count)
        try:
            check(workspace)
            heal(workspace, full=True, dry_run=True)
        finally:
            event.remove(Engine, "before_cursor_execute", count)
        counts.append(len(statements))
    assert counts[0] == counts[1]


def test_e17_looking_writes_nothing_and_needs_no_right_to(
    repo: Repo, database: Path, keep: Keep, workspace: Workspace
) -> None:
    keep("Retries stop after 5 attempts", "src/client.py:4-6")
    repo.write("src/client.py", "import os\n")
    workspace.close()
    before = dump(database)
    run = Stilltrue(repo.root, database)
    for arguments in (["check"], ["audit"], ["worklist"], ["worklist", "--handoff"], ["heal", "--dry-run"]):
        assert run(*arguments, "--json").code in {0, 1}
    assert dump(database) == before
    database.chmod(0o444)
    assert run("heal", "--dry-run", "--json").json["summary"]["verdicts"] == 1
    assert run("audit", "--json").json["summary"]["gone"] == 1


class Tickets:
    """A source that is no code: tickets, each read as a text."""

    def __init__(self, states: dict[str, str]) -> None:
        self.states = states

    def read(self, path: str) -> FileText:
        number = path.removeprefix("tickets/")
        if number not in self.states:
            return FileText()
        if not self.states[number]:
            return FileText(obstacle=Reason.UNREADABLE)
        return FileText(data=json.dumps({"state": self.states[number]}).encode())


def test_e40_another_kind_of_source_stands_behind_the_same_rule(workspace: Workspace) -> None:
    tickets = Tickets({"7": "open, waiting for the vendor"})
    kept = remember(workspace, Request(text="7 is open", citations=(parse_spec("tickets/7"),)), texts=tickets)

    def now(state: str | None) -> Freshness:
        tickets.states = {} if state is None else {"7": state}
        pairs = [(kept.memory, each) for each in kept.citations]
        return judge_all(pairs, tickets)[0].verdict.freshness

    assert now("open, waiting for the vendor") is Freshness.FRESH
    assert now("closed as not planned") is Freshness.STALE
    assert now("") is Freshness.UNKNOWN
    assert now(None) is Freshness.STALE
    assert heal(workspace, HealMode.VERDICT, texts=tickets).report.counts == {
        "memories": 1,
        "stale/structural": 1,
    }
