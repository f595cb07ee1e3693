"""The figures of a warm check are those of a whole one, whatever happened in between (E15, design 6)."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest

from stilltrue.errors import StillTrueError
from stilltrue.model.time import instant_from_unix_ms, unix_ms
from stilltrue.services import settle
from stilltrue.services.check import check
from stilltrue.services.recording import parse_spec
from stilltrue.services.remember import Request, remember
from stilltrue.services.snoozing import snooze
from stilltrue.services.warm import RACY_MS, Summary, summarise
from stilltrue.services.workspace import Surroundings, Workspace
from support.clock import FakeClock
from support.repo import Repo

FILES = 8
LONG_AGO = 1_600_000_000


def written(repo: Repo, path: str, text: str, *, when: int = LONG_AGO) -> Path:
    """A file whose date is old enough to be trusted."""
    file = repo.write(path, text)
    os.utime(file, (when, when))
    return file


def source(number: int) -> str:
    return f"first line of file {number}\nthe value is {number} in all\nlast line of file {number}\n"


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    made = Repo.git(tmp_path / "repo")
    for number in range(FILES):
        written(made, f"src/{number}.txt", source(number))
    return made


@pytest.fixture
def workspace(repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    made = Workspace(repo.root, Surroundings(os.environ, database=str(tmp_path / "memories.db")))
    for number in range(FILES):
        cited = (parse_spec(f"src/{number}.txt:2"), parse_spec(f"src/{(number + 1) % FILES}.txt:1"))
        remember(made, Request(text=f"The value is {number}", citations=cited))
    return made


def same_as_whole(workspace: Workspace) -> Summary:
    found = summarise(workspace)
    whole = check(workspace)
    assert dict(found.counts) == whole.counts
    assert found.skipped == whole.skipped
    for strict in (False, True):
        assert found.needs_attention(strict=strict) == whole.needs_attention(strict=strict)
    return found


def test_files_that_did_not_change_are_not_read(workspace: Workspace) -> None:
    """E15: none the second time, one after it was touched."""
    assert same_as_whole(workspace).files_read == FILES
    assert same_as_whole(workspace).files_read == 0
    os.utime(workspace.root / "src/3.txt", (LONG_AGO + 5, LONG_AGO + 5))
    assert 0 < same_as_whole(workspace).files_read < FILES
    assert same_as_whole(workspace).files_read == 0


def test_a_change_of_the_same_size_and_date_is_seen(workspace: Workspace, repo: Repo) -> None:
    """E15 (c): the inode's own date tells, and what was written just before is not trusted at all."""
    same_as_whole(workspace)
    written(repo, "src/3.txt", source(3).replace("is 3", "is 9"))
    assert same_as_whole(workspace).counts["stale/content"] == 1


def test_a_file_written_just_before_it_was_judged_is_read_again(workspace: Workspace, repo: Repo) -> None:
    """E15 (c)."""
    repo.write("src/3.txt", source(3))
    same_as_whole(workspace)
    assert RACY_MS > 0
    assert same_as_whole(workspace).files_read > 0


def test_a_file_that_went_and_came_back_is_seen_each_time(workspace: Workspace, repo: Repo) -> None:
    """E15 (a): a failed stat is no stamp."""
    same_as_whole(workspace)
    (repo.root / "src/3.txt").unlink()
    gone = same_as_whole(workspace)
    assert gone.counts["fresh"] < FILES or gone.unsettled
    same_as_whole(workspace)
    written(repo, "src/3.txt", source(3))
    assert same_as_whole(workspace).counts == {"memories": FILES, "fresh": FILES}


def test_every_write_to_the_store_is_seen(workspace: Workspace, repo: Repo) -> None:
    same_as_whole(workspace)
    remember(workspace, Request(text="one more", citations=(parse_spec("src/0.txt:3"),)))
    assert same_as_whole(workspace).counts["memories"] == FILES + 1
    settle.retract(workspace, ["m1"])
    assert same_as_whole(workspace).counts["memories"] == FILES
    settle.undo(workspace)
    assert same_as_whole(workspace).counts["memories"] == FILES + 1
    written(repo, "src/3.txt", source(3).replace("is 3", "is 9"))
    snooze(workspace, ["m4"])
    assert same_as_whole(workspace).counts["memories"] == FILES
    written(repo, "src/3.txt", source(3).replace("is 3", "is 8"))
    assert same_as_whole(workspace).counts["memories"] == FILES + 1


def test_a_memory_that_expires_is_seen(repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """F21: time alone changes the figures."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    clock = FakeClock()
    surroundings = Surroundings(os.environ, database=str(tmp_path / "memories.db"))
    workspace = Workspace(repo.root, surroundings, clock=clock)
    ends = instant_from_unix_ms(unix_ms(clock.now()) + 3_600_000)
    cited = (parse_spec("src/0.txt:2"),)
    remember(workspace, Request(text="for an hour", citations=cited, expires_at=ends))
    assert same_as_whole(workspace).counts == {"memories": 1, "fresh": 1}
    assert same_as_whole(workspace).files_read == 0
    clock.advance(7_200_000)
    assert same_as_whole(workspace).counts == {"memories": 0}


@pytest.mark.parametrize("columns", ["summary = 'no json'", "summary = '{}'", "stamp = 'x'"])
def test_a_damaged_cache_costs_only_time(workspace: Workspace, tmp_path: Path, columns: str) -> None:
    same_as_whole(workspace)
    with closing(sqlite3.connect(tmp_path / "memories.db")) as connection, connection:
        connection.execute(f"UPDATE file_cache SET {columns}")  # noqa: S608 - the values stand above
    assert same_as_whole(workspace).files_read == FILES


def test_a_locked_store_is_no_reason_to_wait_or_fail(workspace: Workspace, tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "memories.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert same_as_whole(workspace).files_read == FILES
        assert same_as_whole(workspace).files_read == FILES
        other.execute("ROLLBACK")
    same_as_whole(workspace)
    assert same_as_whole(workspace).files_read == 0


@dataclass
class Course:
    """Things that happen to one of the files or to what is remembered of it."""

    workspace: Workspace
    repo: Repo
    when: int = LONG_AGO

    def edit(self, number: int) -> None:
        self._write(number, source(number).replace(" is ", f" is not {self.when} "))

    def add_above(self, number: int) -> None:
        self._write(number, f"one line above {self.when}\n" + source(number))

    def restore(self, number: int) -> None:
        self._write(number, source(number))

    def delete(self, number: int) -> None:
        (self.repo.root / f"src/{number}.txt").unlink(missing_ok=True)

    def copy(self, number: int) -> None:
        written(self.repo, f"src/copy{number}.txt", source(number), when=self.when)

    def remember(self, number: int) -> None:
        with suppress(StillTrueError):
            cited = (parse_spec(f"src/{number}.txt:1"),)
            remember(self.workspace, Request(text=f"at {self.when}", citations=cited))

    def reverify(self, number: int) -> None:
        _, cited = settle.find_citations(self.workspace, f"m{number + 1}")
        with suppress(StillTrueError):
            settle.reverify(self.workspace, cited)

    def _write(self, number: int, text: str) -> None:
        written(self.repo, f"src/{number}.txt", text, when=self.when)


@pytest.mark.parametrize("seed", range(6))
def test_any_course_of_events_gives_the_figures_of_a_whole_check(
    workspace: Workspace, repo: Repo, seed: int
) -> None:
    dice = Random(seed)  # noqa: S311 - the same course every time
    course = Course(workspace, repo)
    kinds = [course.edit, course.add_above, course.restore, course.delete]
    kinds += [course.copy, course.remember, course.reverify]
    for _ in range(25):
        course.when += 10
        dice.choice(kinds)(dice.randrange(FILES))
        same_as_whole(workspace)
