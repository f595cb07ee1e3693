"""Places that cannot be cited (D16, D17, D19, D23), and citations whose place turns into one."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from stilltrue.errors import CitationError
from stilltrue.model.verdict import Freshness, Reason, Verdict
from stilltrue.services.check import check
from stilltrue.services.recording import parse_spec
from stilltrue.services.remember import Remembered, Request, remember
from stilltrue.services.workspace import Workspace
from stilltrue.source.files import FileText, Texts
from support.cases import CASES
from support.repo import Repo

Keep = Callable[..., Remembered]
LIMIT = 5 * 1024 * 1024


def only(workspace: Workspace, texts: Texts | None = None) -> tuple[Verdict, Reason]:
    (one,) = check(workspace, texts=texts).memories
    verdict = one.citations[0].verdict
    return verdict.verdict, verdict.reason


def link_outside(file: Path) -> None:
    outside = file.parents[2] / "outside.py"
    outside.write_bytes(file.read_bytes())
    file.unlink()
    file.symlink_to(outside)


def folder_outside(file: Path) -> None:
    moved = file.parents[2] / "repo-evil"
    file.parent.rename(moved)
    file.parent.symlink_to(moved)


def loop(file: Path) -> None:
    file.unlink()
    file.symlink_to(file)


def pipe(file: Path) -> None:
    file.unlink()
    os.mkfifo(file)


def folder(file: Path) -> None:
    file.unlink()
    file.mkdir()


def too_large(file: Path) -> None:
    with file.open("r+b") as opened:
        opened.truncate(50 * 1024 * 1024)


def device(file: Path) -> None:
    file.unlink()
    file.symlink_to("/dev/zero")


@pytest.mark.parametrize(
    ("become", "reason"),
    [
        (link_outside, Reason.OUTSIDE_ROOT),
        (folder_outside, Reason.OUTSIDE_ROOT),
        (loop, Reason.UNREADABLE),
        (pipe, Reason.NOT_A_FILE),
        (folder, Reason.NOT_A_FILE),
        (too_large, Reason.TOO_LARGE),
        (device, Reason.OUTSIDE_ROOT),
    ],
)
def test_a_place_that_turned_into_something_else_is_unknown_at_once(
    workspace: Workspace, repo: Repo, keep: Keep, become: Callable[[Path], None], reason: Reason
) -> None:
    """Never fresh, never stale, and nothing hangs; and such a place is refused when recorded."""
    keep("retries stop after 5", "src/client.py:4-6")
    become(repo.root / "src/client.py")

    assert only(workspace) == (Verdict.UNKNOWN, reason)
    with pytest.raises(CitationError) as caught:
        keep("another", "src/client.py:4-6")
    assert caught.value.hint
    assert len(check(workspace).memories) == 1


def test_links_that_stay_inside_are_followed(workspace: Workspace, repo: Repo, keep: Keep) -> None:
    (repo.root / "link.py").symlink_to("src/client.py")
    (repo.root / "linked").symlink_to(repo.root / "src", target_is_directory=True)
    repo.write("..foo/a.py", "x = 1\n")
    keep("by a file's link", "link.py:4-6")
    keep("by a folder's link", "linked/client.py:4-6")
    keep("a folder with dots", "..foo/a.py:1")

    assert {one.verdict.freshness for one in check(workspace).memories} == {Freshness.FRESH}


def test_a_root_that_is_reached_through_a_link_is_the_same_repository(
    repo: Repo, open_at: Callable[[Path], Workspace], keep: Keep
) -> None:
    keep("retries stop after 5", "src/client.py:4-6")
    alias = repo.root.with_name("alias")
    alias.symlink_to(repo.root)

    assert only(open_at(alias)) == (Verdict.FRESH, Reason.SAME_BYTES)
    assert only(open_at(alias / "src")) == (Verdict.FRESH, Reason.SAME_BYTES)


@pytest.mark.parametrize("spec", ["src/client.py:0", "src/client.py:3-2", "src/client.py:9-10", "empty.py:1"])
def test_lines_that_are_not_there_are_refused(repo: Repo, keep: Keep, spec: str, database: Path) -> None:
    """D19."""
    repo.write("empty.py", "")

    with pytest.raises(CitationError) as caught:
        keep("text", spec)

    assert caught.value.hint
    assert not database.exists()


def test_a_file_cut_short_sends_the_citation_searching(workspace: Workspace, repo: Repo, keep: Keep) -> None:
    """D19 at read: a hint past the end is no error."""
    keep("retries stop after 5", "src/client.py:4-6")
    repo.write("src/client.py", "import os\n")

    verdict, _ = only(workspace)

    assert verdict is Verdict.STALE


def test_one_bad_citation_stops_no_other(workspace: Workspace, repo: Repo, keep: Keep) -> None:
    """D22, E2: a memory's citations are judged one by one."""
    keep("both", "src/client.py:4-6", "docs/api.md:3")
    pipe(repo.root / "src/client.py")

    (one,) = check(workspace).memories

    assert [each.verdict.verdict for each in one.citations] == [Verdict.UNKNOWN, Verdict.FRESH]
    assert one.verdict.freshness is Freshness.UNKNOWN


@dataclass
class Counting:
    """Counts how often each path is read."""

    below: Texts
    counts: dict[str, int]

    def read(self, path: str) -> FileText:
        self.counts[path] = self.counts.get(path, 0) + 1
        return self.below.read(path)


def test_a_pass_reads_each_file_once(workspace: Workspace, keep: Keep) -> None:
    """D23, however many citations and memories point into it."""
    for number in range(20):
        keep(f"memory {number}", "src/client.py:4-6", "src/client.py:9", "docs/api.md:3")
    counting = Counting(workspace.fresh_tree(), {})

    check(workspace, texts=counting)

    assert counting.counts == {"src/client.py": 1, "docs/api.md": 1}


@dataclass
class Locked:
    """Some files cannot be opened, whoever runs the test."""

    below: Texts
    locked: tuple[str, ...]

    def read(self, path: str) -> FileText:
        return FileText(obstacle=Reason.UNREADABLE) if path in self.locked else self.below.read(path)


def test_c133_what_may_not_be_read_is_unknown_and_the_rest_is_judged(
    tmp_path: Path, open_at: Callable[[Path], Workspace]
) -> None:
    """The case that the command line cannot put on stage while tests run as root."""
    case = next(each for each in CASES if each.id == "C133")
    repo = Repo.git(tmp_path / "case")
    workspace = open_at(repo.root)
    names: Mapping[str, str] = {}
    for citation in case.citations:
        data = case.file("before", citation.path)
        assert data is not None
        repo.write(citation.path, data)
        spec = parse_spec(f"{citation.path}:{citation.span.start}-{citation.span.end}")
        kept = remember(workspace, Request(text=citation.id, citations=(spec,)))
        names = {**names, kept.memory.uid: citation.id}

    report = check(workspace, texts=Locked(workspace.fresh_tree(), case.unreadable))

    found = {names[one.memory.uid]: one.citations[0].verdict for one in report.memories}
    for expected in case.expectations:
        verdict = found[expected.citation]
        assert (verdict.verdict, verdict.reason) == (expected.verdict, expected.reason)
