"""Any history with branches, merges and wrong clocks: the answers are those of git asked pin by pin."""

from __future__ import annotations

import os
import random
import subprocess
from pathlib import Path

import pytest

from stilltrue.source.git import Git
from stilltrue.source.git_batch import CommitState, Pin, judge_pins
from support.repo import Repo

PATHS = ("a", "b c", "d/a", "d/e/a", "d/e/é", "d/f", "g", "g/h", "*.py", "x.py", "Ünder/l\ni/z")
COMMITS = 45
PINS = 90


def history(repo: Repo, dice: random.Random) -> list[str]:
    """A history in which anything is changed, deleted, made a folder or a file, or merged; all commits."""
    stream: list[bytes] = []
    for number in range(1, COMMITS + 1):
        parents = dice.sample(range(max(1, number - 6), number), min(number - 1, dice.choice((1, 1, 1, 2))))
        date = dice.choice((1_700_000_000 + 60 * number, dice.randint(1_000_000_000, 1_800_000_000)))
        stream += [
            f"commit refs/heads/b{number}\nmark :{number}\n".encode(),
            f"committer t <t@localhost> {date} +0000\ndata 2\nok\n".encode(),
        ]
        named = ("from", "merge")
        stream += [f"{word} :{parent}\n".encode() for word, parent in zip(named, parents, strict=False)]
        for path in dice.sample(PATHS, dice.randint(0, 3)):
            stream.append(_change(dice, path))
    done = subprocess.run(
        ["git", "-C", str(repo.root), "fast-import", "--quiet", "--force", "--export-marks=marks"],
        input=b"".join(stream),
        check=True,
    )
    assert done.returncode == 0
    return [line.split()[1] for line in (repo.root / "marks").read_text().rstrip("\n").split("\n")]


def _change(dice: random.Random, path: str) -> bytes:
    escaped = path.replace("\n", "\\n")
    name = f'"{escaped}"'.encode()
    kind = dice.choice(("file", "file", "file", "delete", "program", "link", "submodule"))
    if kind == "delete":
        return b"D " + name + b"\n"
    if kind == "submodule":
        return b"M 160000 " + dice.choice(("1", "2")).encode() * 40 + b" " + name + b"\n"
    mode = {"file": b"100644", "program": b"100755", "link": b"120000"}[kind]
    return b"M " + mode + b" inline " + name + b"\ndata 2\n" + dice.choice((b"1\n", b"2\n")) + b"\n"


def one_by_one(repo: Repo, head: str, pin: Pin) -> CommitState:
    """What git says of one pin, with some processes of its own; by the letter of A31 to A37."""

    def ask(*arguments: str) -> int:
        git = ["git", "-C", str(repo.root), "--literal-pathspecs", *arguments]
        return subprocess.run(git, check=False, capture_output=True).returncode

    def resolve(name: str) -> str | None:
        git = ["git", "-C", str(repo.root), "rev-parse", "--verify", "--quiet", name]
        return subprocess.run(git, check=False, capture_output=True, text=True).stdout.strip() or None

    commit = resolve(f"{pin.commit}^{{commit}}")
    if commit is None or ask("merge-base", "--is-ancestor", commit, head) != 0:
        return CommitState.UNRESOLVED
    if pin.path is None:
        return CommitState.CURRENT if commit == head else CommitState.STALE
    if resolve(f"{commit}:{pin.path}") is None and resolve(f"{head}:{pin.path}") is None:
        return CommitState.UNRESOLVED
    differs = ask("diff", "--quiet", "--ignore-submodules=none", commit, head, "--", pin.path)
    return {0: CommitState.CURRENT, 1: CommitState.STALE}.get(differs, CommitState.UNRESOLVED)


@pytest.mark.parametrize("seed", range(6))
def test_a31_a32_a36_the_answers_are_those_of_git_asked_pin_by_pin(tmp_path: Path, seed: int) -> None:
    dice = random.Random(seed)  # noqa: S311 - a repeatable history
    repo = Repo.git(tmp_path / "repo")
    commits = history(repo, dice)
    head = dice.choice(commits[-8:])
    asked = [*PATHS, "d", "d/e", "Ünder", "none", "d/none/x", "a/b/c", "g/h/i", None]
    pins = [Pin(dice.choice(commits), dice.choice(asked)) for _ in range(PINS)]
    pins += [Pin(head, path) for path in ("a", "none", None)] + [Pin("3" * 40, "a")]
    pins += [Pin(pin.commit[: dice.randint(7, 20)], pin.path) for pin in pins[:10]]

    verdicts = judge_pins(Git(repo.root, os.environ), head, set(pins))

    told = {pin: verdicts[pin].state for pin in pins}
    assert told == {pin: one_by_one(repo, head, pin) for pin in pins}
    assert set(told.values()) == set(CommitState)
