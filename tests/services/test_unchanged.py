"""What is only counted, since it stands where it was recorded, is what a whole judgement calls fresh (E1)."""

from __future__ import annotations

import os
from pathlib import Path
from random import Random

import pytest

from stilltrue.model.verdict import Reason
from stilltrue.services.check import CheckReport, check
from stilltrue.services.judging import JudgedMemory
from stilltrue.services.recording import parse_spec
from stilltrue.services.remember import Request, remember
from stilltrue.services.snoozing import snooze
from stilltrue.services.workspace import Surroundings, Workspace
from stilltrue.source.files import FileText, Texts
from support.repo import Repo

FILES = ("a.py", "b.py", "src/c.go", "src/d.md")
SOURCES = {
    "py": "import os\n\n\ndef first(call):\n    return call(1)\n\n\ndef second(call):\n    return call(2)\n",
    "go": "package main\n\nfunc first() int {\n\treturn 1\n}\n\nfunc second() int {\n\treturn 2\n}\n",
    "md": "# One\n\nThe first part.\n\n## Two\n\nThe second part.\n\n## Three\n\nThe third part.\n",
}
PLACES = (":1", ":3-5", ":4-5", ":2-8", ":8-9", "", "#first", "#second")


def source(path: str) -> str:
    return SOURCES[path.rpartition(".")[2]]


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    made = Repo.git(tmp_path / "repo")
    for path in FILES:
        made.write(path, source(path))
    made.commit("first")
    return made


@pytest.fixture
def workspace(repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return Workspace(repo.root, Surroundings(os.environ, database=str(tmp_path / "memories.db")))


def compared(workspace: Workspace, texts: Texts | None = None) -> CheckReport:
    """The quick report, after it was found to say what the whole one says."""
    whole, quick = check(workspace, texts=texts), check(workspace, texts=texts, whole=False)
    assert (quick.counts, quick.skipped) == (whole.counts, whole.skipped)
    said = {each.memory.uid: each for each in whole.memories}
    assert {each.memory.uid: each for each in quick.memories} == {
        uid: each for uid, each in said.items() if uid not in quick.unchanged
    }
    assert all(is_same_bytes(said[uid]) for uid in quick.unchanged)
    for strict in (False, True):
        assert quick.needs_attention(strict=strict) == whole.needs_attention(strict=strict)
    return quick


def is_same_bytes(judged: JudgedMemory) -> bool:
    return judged.verdict.label == "fresh" and all(
        each.verdict.reason is Reason.SAME_BYTES for each in judged.citations
    )


def recorded(workspace: Workspace, dice: Random) -> None:
    for number in range(dice.randint(4, 12)):
        places = [f"{dice.choice(FILES)}{dice.choice(PLACES)}" for _ in range(dice.randint(1, 3))]
        specs = [
            parse_spec(place) for place in dict.fromkeys(places) if "#" not in place or "d.md" not in place
        ]
        head = "0123456789ab" if dice.random() < 0.2 else ""
        commits = [parse_spec(f"@{head}:a.py")] if head else []
        remember(workspace, Request(text=f"It is so: {number}", citations=(*specs, *commits)))


def edited(dice: Random, text: str) -> str:
    lines = text.splitlines(keepends=True)
    at = dice.randrange(len(lines))
    match dice.randrange(5):
        case 0:
            lines[at] = lines[at].replace("1", "9").replace("second", "other")
        case 1:
            lines.insert(at, "\n")
        case 2:
            del lines[at : at + 3]
        case 3:
            lines[at:at] = lines[-2:]
        case _:
            lines = [line.replace("\n", "\r\n") for line in lines]
    return "".join(lines)


@pytest.mark.parametrize("seed", range(15))
def test_a_quick_check_says_what_a_whole_one_says(workspace: Workspace, repo: Repo, seed: int) -> None:
    dice = Random(seed)  # noqa: S311 - repeatable
    recorded(workspace, dice)
    assert compared(workspace).counts["memories"] > 0
    for _ in range(3):
        path = dice.choice(FILES)
        if dice.random() < 0.2:
            (repo.root / path).unlink(missing_ok=True)
        else:
            repo.write(path, edited(dice, source(path)))
        compared(workspace)


def test_what_stands_is_only_counted(workspace: Workspace, repo: Repo) -> None:
    for place in ("a.py:4-5", "b.py:1", "b.py:8-9"):
        remember(workspace, Request(text=f"It is so: {place}", citations=(parse_spec(place),)))
    repo.write("b.py", source("b.py").replace("call(2)", "call(3)"))

    quick = compared(workspace)

    assert [each.memory.text for each in quick.memories] == ["It is so: b.py:8-9"]
    assert quick.counts == {"memories": 3, "fresh": 2, "stale/content": 1}


def test_what_is_snoozed_or_ignored_is_told_all_the_same(
    workspace: Workspace, repo: Repo, tmp_path: Path
) -> None:
    for place in ("a.py:4-5", "b.py:1", "src/c.go:3"):
        remember(workspace, Request(text=f"It is so: {place}", citations=(parse_spec(place),)))
    repo.write("a.py", source("a.py").replace("call(1)", "call(3)"))
    snooze(workspace, ["m1"])
    assert compared(workspace).skipped
    surroundings = Surroundings(
        os.environ, database=str(tmp_path / "memories.db"), options={"ignore": ["src/**"]}
    )
    assert len(compared(Workspace(repo.root, surroundings)).skipped) > len(compared(workspace).skipped)


class Locked:
    """A tree in which one file cannot be read now."""

    def __init__(self, texts: Texts, path: str) -> None:
        self._texts, self._path = texts, path

    def read(self, path: str) -> FileText:
        return FileText(obstacle=Reason.UNREADABLE) if path == self._path else self._texts.read(path)


def test_what_cannot_be_read_is_not_called_unchanged(workspace: Workspace) -> None:
    """E6."""
    remember(workspace, Request(text="It is so", citations=(parse_spec("a.py:4-5"),)))
    quick = compared(workspace, Locked(workspace.fresh_tree(), "a.py"))
    assert quick.counts == {"memories": 1, "unknown": 1}
