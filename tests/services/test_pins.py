"""A pass over the pins of a repository: what is asked, kept, revised and left alone (A27 to A54)."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from stilltrue.errors import InputError
from stilltrue.model.memory import MemoryKind
from stilltrue.services import history, pins, settle
from stilltrue.services.pins import CommitState, PinReason, Wanted, check_pins
from stilltrue.services.recording import parse_spec
from stilltrue.services.remember import Remembered, Request, remember, remember_many
from stilltrue.services.workspace import Surroundings, Workspace
from support.gitshim import GitShim
from support.repo import Repo

Keep = Callable[..., Remembered]
Open = Callable[[Path], Workspace]


@pytest.fixture
def first(repo: Repo) -> str:
    return repo.run("rev-parse", "HEAD").strip()


def rows(database: Path) -> list[str]:
    """Everything the store holds."""
    with sqlite3.connect(database) as connection:
        told = list(connection.iterdump())
    connection.close()
    return told


def states(report: pins.PinReport) -> dict[str, CommitState]:
    return {each.pinned.memory_id: each.verdict.state for each in report.pins}


def move_on(repo: Repo) -> str:
    """A commit that changes the client and nothing else."""
    repo.write("src/client.py", "retries = 7\n")
    return repo.commit("second")


def test_a18_a_pin_is_kept_as_written_and_not_judged(keep: Keep, database: Path) -> None:
    keep("It is so", "@1234567:no/such/file")

    with sqlite3.connect(database) as connection:
        found = connection.execute(
            "SELECT source_commit, source_path, freshness FROM memory_sources"
        ).fetchall()
    connection.close()

    assert found == [("1234567", "no/such/file", None)]


def test_a20_a_successor_has_no_pin_but_the_importance(workspace: Workspace, first: str) -> None:
    remember(workspace, Request(text="x", citations=(parse_spec(f"@{first}"),), importance=9))
    old = history.show(workspace, "m1")[0].memory
    new = settle.supersede(workspace, "m1", settle.inheriting(old, "y"))

    assert (new.citations, new.memory.importance) == ((), 9)
    assert check_pins(workspace).pins == ()


def test_a21_a27_a_pass_writes_verdicts_and_nothing_else(
    workspace: Workspace, repo: Repo, keep: Keep, first: str, database: Path
) -> None:
    keep("Pinned", f"@{first}:src/client.py")
    keep("Cited", "docs/api.md:1-3")
    move_on(repo)
    before = rows(database)

    check_pins(workspace)

    changed = set(before) ^ set(rows(database))
    tables = {row.split('"')[1] for row in changed if row.startswith("INSERT")}
    assert tables == {"verdicts", "checkouts", "store_meta"}


def test_a28_live_pins_alone_the_longest_unchecked_first(
    workspace: Workspace, keep: Keep, first: str
) -> None:
    keep("unpinned")
    keep("retracted", f"@{first}")
    keep("superseded", f"@{first}")
    for text in ("one", "two", "three"):
        keep(text, f"@{first}")
    settle.retract(workspace, ["m2"])
    settle.supersede(workspace, "m3", Request(text="successor"))
    kinds = remember(workspace, Request(text="Later", citations=(parse_spec(f"@{first}"),), kind="episodic"))

    assert [each.pinned.text for each in check_pins(workspace, Wanted(limit=2)).pins] == ["one", "two"]
    assert [each.pinned.text for each in check_pins(workspace, Wanted(limit=3)).pins] == [
        "three",
        "Later",
        "one",
    ]
    by_kind = check_pins(workspace, Wanted(kind=MemoryKind.EPISODIC))
    assert [each.pinned.memory_uid for each in by_kind.pins] == [kinds.memory.uid]
    assert check_pins(workspace, Wanted(subject="nothing")).pins == ()


@pytest.mark.parametrize("wanted", [Wanted(limit=0), Wanted(limit=-1), Wanted(page=0)])
def test_a27_limits_below_one_are_refused(
    workspace: Workspace, keep: Keep, first: str, wanted: Wanted
) -> None:
    keep("x", f"@{first}")
    with pytest.raises(InputError):
        check_pins(workspace, wanted)


def test_a27_limits_below_one_are_refused_where_nothing_is_remembered(workspace: Workspace) -> None:
    with pytest.raises(InputError):
        check_pins(workspace, Wanted(limit=0))


def test_a29_check_tells_the_same_and_writes_nothing(
    workspace: Workspace, repo: Repo, keep: Keep, first: str, database: Path
) -> None:
    keep("x", f"@{first}:src/client.py")
    move_on(repo)
    before = rows(database)

    told = check_pins(workspace, write=False)

    assert rows(database) == before
    assert told.checked_at is None
    assert told.pins == check_pins(workspace).pins


def test_a30_one_head_and_one_date_for_the_whole_pass(
    workspace: Workspace, repo: Repo, keep: Keep, first: str
) -> None:
    for number in range(5):
        keep(f"It is so: {number}", f"@{first}")
    second = move_on(repo)

    report = check_pins(workspace, Wanted(page=2))

    again = check_pins(workspace, write=False)
    assert {each.pinned.checked_head for each in again.pins} == {second} == {report.head}
    assert {each.pinned.checked_at for each in again.pins} == {report.checked_at}


def test_a30_without_a_commit_nothing_is_written(tmp_path: Path, open_at: Open, database: Path) -> None:
    empty = open_at(Repo.git(tmp_path / "empty").root)
    remember(empty, Request(text="x", citations=(parse_spec("@1234567"),)))
    before = rows(database)
    with pytest.raises(InputError, match="no commit"):
        check_pins(empty)
    assert rows(database) == before
    (tmp_path / "plain").mkdir()
    with pytest.raises(InputError, match="no git working tree"):
        check_pins(open_at(tmp_path / "plain"))


def test_a38_as_many_processes_for_one_memory_as_for_hundreds(
    repo: Repo, first: str, tmp_path: Path, database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    second = move_on(repo)
    counted = []
    for size in (1, 300):
        shim = GitShim.made(tmp_path / f"shim{size}")
        workspace = Workspace(repo.root, Surroundings(shim.environment, database=str(database)))
        paths = ("src/client.py", "docs/api.md", "src")
        cited = [f"@{(first, second)[n % 2]}:{paths[n % 3]}" for n in range(size)]
        requests = (Request(text=f"{n}", citations=(parse_spec(each),)) for n, each in enumerate(cited))
        assert not [each for each in remember_many(workspace, requests) if isinstance(each, Exception)]
        begun = len(shim.starts)
        check_pins(workspace)
        counted.append(len(shim.starts) - begun)
        workspace.close()

    assert counted[0] == counted[1] <= 7


def test_a40_450_pins_in_pages_of_200_are_checked_once_each(
    workspace: Workspace, repo: Repo, first: str, database: Path
) -> None:
    spec = parse_spec(f"@{first}:src/client.py")
    requests = (Request(text=f"It is so: {number}", citations=(spec,)) for number in range(450))
    assert not [each for each in remember_many(workspace, requests) if isinstance(each, Exception)]
    move_on(repo)

    report = check_pins(workspace, Wanted(page=200))

    assert report.counts == {"checked": 450, "current": 0, "stale": 450, "unresolved": 0}
    assert len({each.pinned.uid for each in report.pins}) == 450
    with sqlite3.connect(database) as connection:
        kept = connection.execute("SELECT commit_state, count(*) FROM verdicts GROUP BY 1").fetchall()
    connection.close()
    assert kept == [("stale", 450)]


def test_a40_a_limit_reaches_all_of_them_in_the_end(workspace: Workspace, keep: Keep, first: str) -> None:
    for number in range(5):
        keep(f"It is so: {number}", f"@{first}")

    passes = [check_pins(workspace, Wanted(limit=2)) for _ in range(3)]

    assert [each.is_cut for each in passes] == [True, True, True]
    assert len({pin.pinned.uid for each in passes for pin in each.pins}) == 5
    assert not check_pins(workspace, Wanted(limit=5)).is_cut


def test_a41_a_verdict_goes_back_with_the_checkout(
    workspace: Workspace, repo: Repo, keep: Keep, first: str
) -> None:
    keep("x", f"@{first}:src/client.py")
    keep("y", f"@{first}:docs/api.md")
    move_on(repo)
    assert states(check_pins(workspace)) == {"m1": CommitState.STALE, "m2": CommitState.CURRENT}

    repo.run("checkout", "-q", first)

    assert set(states(check_pins(workspace)).values()) == {CommitState.CURRENT}


def test_k1_where_lines_were_recorded_they_decide(
    workspace: Workspace, repo: Repo, keep: Keep, first: str
) -> None:
    keep("Calls are retried", "src/client.py:4-6")
    repo.write("src/client.py", "# a new first line\n" + (repo.root / "src/client.py").read_text())
    repo.commit("second")

    report = check_pins(workspace)

    (pin,) = report.pins
    assert (pin.pinned.commit, pin.verdict.reason) == (first, PinReason.PATH_CHANGED)
    assert (pin.decides, report.stale) == (False, [])


def test_a5_verdicts_take_no_part_in_what_is_live(
    workspace: Workspace, repo: Repo, keep: Keep, first: str
) -> None:
    keep("x", f"@{first}")
    keep("y", "docs/api.md:1")
    before = [each.memory.uid for each in history.live(workspace)]
    move_on(repo)
    check_pins(workspace)

    assert [each.memory.uid for each in history.live(workspace)] == before


def test_a54_a_pass_covers_one_repository(
    workspace: Workspace, keep: Keep, first: str, tmp_path: Path, open_at: Open
) -> None:
    """The other one's pins are unknown here and yet not overwritten as unresolved."""
    other = Repo.git(tmp_path / "other")
    other.write("a", "a\n")
    elsewhere = open_at(other.root)
    head = other.commit("other's first")
    remember(elsewhere, Request(text="There", citations=(parse_spec(f"@{head}:a"),)))
    keep("Here", f"@{first}")
    keep("Of the other", f"@{head}")
    check_pins(elsewhere)

    assert states(check_pins(workspace)) == {"m2": CommitState.CURRENT, "m3": CommitState.UNRESOLVED}

    (pin,) = check_pins(elsewhere, write=False).pins
    assert (pin.pinned.state, pin.pinned.checked_head) == (CommitState.CURRENT, head)


def test_a54_each_working_tree_keeps_its_own_verdicts(
    workspace: Workspace, repo: Repo, keep: Keep, first: str, tmp_path: Path, open_at: Open
) -> None:
    keep("x", f"@{first}:src/client.py")
    move_on(repo)
    repo.run("worktree", "add", "-q", "--detach", str(tmp_path / "tree"), first)
    linked = open_at(tmp_path / "tree")
    check_pins(workspace)
    check_pins(linked)

    kept = [check_pins(each, write=False).pins[0].pinned.state for each in (workspace, linked)]

    assert kept == [CommitState.STALE, CommitState.CURRENT]


def test_a_pin_moved_meanwhile_is_not_given_the_old_verdict(
    workspace: Workspace, repo: Repo, keep: Keep
) -> None:
    """The next generation is another citation of other bytes."""
    keep("Calls are retried", "docs/api.md:3")
    check_pins(workspace)
    repo.write("docs/api.md", "# API\n\nCalls are retried, often.\n")
    repo.commit("second")
    _, cited = settle.find_citations(workspace, "m1")
    settle.reverify(workspace, cited)

    (pin,) = check_pins(workspace, write=False).pins

    assert (pin.pinned.generation, pin.pinned.state, pin.verdict.reason) == (2, None, PinReason.AT_HEAD)


class TestRevising:
    """A52: confidence is lowered through the chain, once."""

    @pytest.fixture
    def stale(self, workspace: Workspace, repo: Repo, first: str) -> Remembered:
        cited = (parse_spec(f"@{first}:src/client.py"), parse_spec(f"@{first}"))
        made = remember(
            workspace,
            Request(text="Five attempts", citations=cited, confidence=0.8, importance=8, source_ref="PR 4"),
        )
        move_on(repo)
        return made

    def test_a_stale_memory_gets_one_successor_however_many_passes(
        self, workspace: Workspace, stale: Remembered
    ) -> None:
        reports = [check_pins(workspace, lower=True) for _ in range(3)]

        assert [len(each.revised) for each in reports] == [1, 0, 0]
        (new,) = reports[0].revised
        assert (new.confidence, new.importance, new.source_ref) == (0.4, 8, "PR 4")
        assert new.text.startswith("Five attempts [pinned to ")
        told = history.why(workspace, new.uid)
        assert [each.uid for each in told.ancestors] == [stale.memory.uid]
        assert [each.kind for each in told.closings[stale.memory.uid]] == ["superseded"]
        assert len(history.everything(workspace)) == 2

    def test_the_successor_goes_on_being_checked(self, workspace: Workspace, stale: Remembered) -> None:
        """It has the pins and their verdicts."""
        (new,) = check_pins(workspace, lower=True).revised

        report = check_pins(workspace, write=False)

        by_commit = next(each for each in report.pins if each.decides)
        assert (by_commit.pinned.memory_uid, by_commit.pinned.state) == (new.uid, CommitState.STALE)
        assert by_commit.pinned.checked_head == report.head
        old = [(each.path, each.span, each.commit, each.baseline) for each in stale.citations]
        cited = [each.citation for each in history.show(workspace, new.uid)[0].citations]
        assert [(each.path, each.span, each.commit, each.baseline) for each in cited] == old

    def test_it_is_one_act_that_can_be_undone(self, workspace: Workspace, stale: Remembered) -> None:
        check_pins(workspace, lower=True)
        settle.undo(workspace)
        assert [each.memory for each in history.live(workspace)] == [stale.memory]

    @pytest.mark.usefixtures("stale")
    def test_nothing_is_revised_unless_asked_or_in_a_changed_tree(
        self, workspace: Workspace, repo: Repo
    ) -> None:
        assert check_pins(workspace).revised == ()
        repo.write("docs/api.md", "not committed\n")
        with pytest.raises(InputError, match="clean working tree"):
            check_pins(workspace, lower=True)
        assert len(history.everything(workspace)) == 1

    def test_what_git_cannot_tell_or_lines_decide_is_not_lowered(
        self, workspace: Workspace, repo: Repo, keep: Keep
    ) -> None:
        keep("Unknown", "@1234567")
        keep("By its lines", "src/client.py:4-6")
        move_on(repo)
        assert check_pins(workspace, lower=True).revised == ()


def test_k1_of_a_memory_with_recorded_lines_no_pin_decides(
    workspace: Workspace, keep: Keep, repo: Repo, first: str
) -> None:
    """Its lines are fresh, so that a moved commit beside them is only information, and is never revised."""
    keep("It is so", f"@{first}", "docs/api.md:1")
    keep("So is this", f"@{first}")
    move_on(repo)

    report = check_pins(workspace, lower=True)

    assert {each.pinned.text: each.decides for each in report.pins} == {"It is so": False, "So is this": True}
    assert [each.pinned.text for each in report.stale] == ["So is this"]
    assert len(report.revised) == 1
