"""Every act of settling, there and back again: what it writes, what it leaves alone, what undo restores."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from stilltrue.errors import ConflictError, InputError, NotFoundError, StillTrueError
from stilltrue.model.citation import Citation
from stilltrue.model.verdict import Grade, Reason
from stilltrue.services import history, housekeeping, settle
from stilltrue.services.check import check
from stilltrue.services.recording import parse_spec
from stilltrue.services.remember import Remembered, Request, remember
from stilltrue.services.workspace import Workspace
from support.repo import Repo

Keep = Callable[..., Remembered]


def edit(repo: Repo, old: str, new: str) -> None:
    file = repo.root / "src/client.py"
    file.write_bytes(file.read_bytes().replace(old.encode(), new.encode()))


def labels(workspace: Workspace) -> dict[str, str]:
    return {one.memory.id: one.verdict.label for one in check(workspace).memories}


def cited(workspace: Workspace, name: str) -> Citation:
    _, found = settle.find_citations(workspace, name)
    return found[0]


def test_reverify_adds_a_generation_and_keeps_the_first(workspace: Workspace, repo: Repo, keep: Keep) -> None:
    first = keep("retries stop after 5", "src/client.py:4-6").citations[0]
    edit(repo, "range(5)", "range(7)")
    assert labels(workspace) == {"m1": "stale/content"}

    settle.reverify(workspace, [cited(workspace, "m1")])

    assert labels(workspace) == {"m1": "fresh"}
    told = history.why(workspace, "m1").generations
    assert [each.generation for each in told] == [1, 2]
    assert told[0] == first
    assert told[1].baseline != first.baseline
    settle.undo(workspace)
    assert labels(workspace) == {"m1": "stale/content"}
    assert cited(workspace, "m1") == first


def test_reverify_takes_the_lines_to_where_they_moved(workspace: Workspace, repo: Repo, keep: Keep) -> None:
    keep("retries stop after 5", "src/client.py:4-6")
    edit(repo, "import os", "import os\nimport sys")

    settled = settle.reverify(workspace, [cited(workspace, "m1")])

    after = settled[0].after
    assert after is not None
    assert after.span is not None
    assert (after.span.start, after.span.end) == (5, 7)
    assert labels(workspace) == {"m1": "fresh"}


def test_reverify_of_what_is_fresh_writes_nothing(workspace: Workspace, keep: Keep) -> None:
    """F31."""
    keep("retries stop after 5", "src/client.py:4-6")
    before = workspace.store().store_revision()

    settled = settle.reverify(workspace, [cited(workspace, "m1")])

    assert [(each.after, each.note) for each in settled] == [(None, "already fresh")]
    assert workspace.store().store_revision() == before


def test_a_citation_named_twice_is_settled_once(workspace: Workspace, repo: Repo, keep: Keep) -> None:
    keep("retries stop after 5", "src/client.py:4-6")
    edit(repo, "range(5)", "range(7)")
    citation = cited(workspace, "m1")

    assert len(settle.reverify(workspace, [citation, citation])) == 1


def test_what_moved_on_meanwhile_is_refused(workspace: Workspace, repo: Repo, keep: Keep) -> None:
    """F30."""
    keep("retries stop after 5", "src/client.py:4-6")
    seen = cited(workspace, "m1")
    edit(repo, "range(5)", "range(7)")
    settle.reverify(workspace, [seen])
    edit(repo, "range(7)", "range(9)")

    with pytest.raises(ConflictError):
        settle.reverify(workspace, [seen])
    with pytest.raises(ConflictError):
        settle.repoint(workspace, seen, parse_spec("docs/api.md:1"))
    settle.retract(workspace, ["m1"])
    with pytest.raises(ConflictError):
        settle.reverify(workspace, [cited(workspace, "m1")])


@pytest.mark.parametrize("state", ["gone", "folder", "twice"])
def test_what_cannot_be_told_is_not_verified(
    workspace: Workspace, repo: Repo, keep: Keep, state: str
) -> None:
    keep("retries stop after 5", "src/client.py:4-6")
    file = repo.root / "src/client.py"
    text = file.read_bytes()
    file.unlink()
    if state == "folder":
        file.mkdir()
    if state == "twice":
        lines = text.split(b"\n")
        repo.write("src/client.py", b"\n".join([*lines[3:6], b"x = 1", *lines[3:6], b""]))

    with pytest.raises(StillTrueError) as caught:
        settle.reverify(workspace, [cited(workspace, "m1")])

    assert caught.value.code == "cannot_verify"
    assert "stilltrue repoint c1" in caught.value.hint
    assert cited(workspace, "m1").generation == 1


def test_only_one_grade_is_settled_where_asked(workspace: Workspace, repo: Repo, keep: Keep) -> None:
    keep("retries stop after 5", "src/client.py:4-6")
    keep("calls are retried", "docs/api.md:3")
    edit(repo, "\n", "\r\n")
    repo.write("docs/api.md", "# API\n\nCalls are never retried.\n")
    citations = [each.citation for one in history.live(workspace) for each in one.citations]

    settled = settle.reverify(workspace, citations, only_grade=Grade.COSMETIC)

    assert [each.before.id for each in settled if each.after] == ["c1"]
    assert labels(workspace) == {"m1": "fresh", "m2": "stale/content"}


def test_supersede_inherits_and_undo_brings_the_old_one_back(workspace: Workspace, repo: Repo) -> None:
    """A7: subject, kind and importance are kept; the new one cites the present lines."""
    old = remember(
        workspace,
        Request(
            text="retries stop after 5",
            subject="retries",
            kind="procedural",
            importance=9,
            confidence=0.5,
            citations=(parse_spec("src/client.py:4-6"),),
        ),
    ).memory
    edit(repo, "range(5)", "range(7)")

    kept = settle.supersede(workspace, "m1", settle.inheriting(old, "retries stop after 7"))

    new = kept.memory
    assert (new.subject, new.kind, new.importance, new.confidence) == ("retries", "procedural", 9, 1.0)
    assert (new.chain, new.supersedes) == (old.chain, old.uid)
    assert labels(workspace) == {"m2": "fresh"}
    told = history.why(workspace, "m1")
    assert [each.id for each in told.descendants] == ["m2"]
    assert [each.id for each in told.heads] == ["m2"]
    settle.undo(workspace)
    assert labels(workspace) == {"m1": "stale/content"}
    assert history.why(workspace, "m1").descendants == ()


def test_superseding_what_was_superseded_names_the_head(workspace: Workspace, keep: Keep) -> None:
    old = keep("one", "src/client.py:4-6").memory
    settle.supersede(workspace, "m1", settle.inheriting(old, "two"))

    with pytest.raises(InputError) as caught:
        settle.supersede(workspace, "m1", settle.inheriting(old, "three"))

    assert "m2" in caught.value.message + caught.value.hint
    assert "two" in caught.value.message + caught.value.hint


def test_a_successor_that_cannot_be_cited_leaves_everything_as_it_was(
    workspace: Workspace, keep: Keep
) -> None:
    old = keep("one", "src/client.py:4-6").memory
    before = workspace.store().store_revision()
    request = settle.inheriting(old, "two", citations=(parse_spec("src/none.py:1"),))

    with pytest.raises(InputError):
        settle.supersede(workspace, "m1", request)

    assert workspace.store().store_revision() == before


def test_why_tells_a_chain_from_its_middle(workspace: Workspace, keep: Keep) -> None:
    """A9."""
    a = keep("a", "src/client.py:4-6").memory
    b = settle.supersede(workspace, "m1", settle.inheriting(a, "b")).memory
    settle.supersede(workspace, "m2", settle.inheriting(b, "c"))

    told = history.why(workspace, "m2")

    assert [each.text for each in told.ancestors] == ["a"]
    assert [each.text for each in told.descendants] == ["c"]
    with pytest.raises(NotFoundError):
        history.why(workspace, "m999")


def test_repoint_and_back(workspace: Workspace, repo: Repo, keep: Keep) -> None:
    keep("retries stop after 5", "src/client.py:4-6")
    (repo.root / "src/client.py").unlink()
    repo.write("src/http.py", "def retry(call):\n    return call(7)\n")
    assert labels(workspace) == {"m1": "stale/structural"}

    settle.repoint(workspace, cited(workspace, "c1"), parse_spec("src/http.py:1-2"))

    assert labels(workspace) == {"m1": "fresh"}
    settle.undo(workspace)
    assert labels(workspace) == {"m1": "stale/structural"}


def test_everything_that_moved_is_written_down_at_once(workspace: Workspace, repo: Repo, keep: Keep) -> None:
    keep("retries stop after 5", "src/client.py:4-6")
    keep("the version is the second", "src/client.py:9")
    keep("calls are retried", "docs/api.md:3")
    edit(repo, "import os", "import os\nimport sys")

    settled = settle.repoint_all_moved(workspace)

    assert [each.before.id for each in settled] == ["c1", "c2"]
    reasons = {one.citations[0].verdict.reason for one in check(workspace).memories}
    assert reasons == {Reason.SAME_BYTES}
    assert settle.repoint_all_moved(workspace) == []


def test_retract_twice_keeps_the_first_date_and_never_touches_validity(
    workspace: Workspace, keep: Keep
) -> None:
    """A8."""
    memory = keep("one", "src/client.py:4-6").memory

    assert [each.uid for each in settle.retract(workspace, ["m1"])] == [memory.uid]
    at = history.why(workspace, "m1").closings[memory.uid][0].at
    assert settle.retract(workspace, ["m1"]) == []

    closings = history.why(workspace, "m1").closings[memory.uid]
    assert [each.at for each in closings] == [at]
    assert history.show(workspace, "m1")[0].memory.valid_to == memory.valid_to
    assert labels(workspace) == {}
    settle.undo(workspace)
    assert labels(workspace) == {"m1": "fresh"}


def test_undo_goes_back_to_nothing_and_then_says_so(workspace: Workspace, keep: Keep) -> None:
    keep("one", "src/client.py:4-6")
    settle.undo(workspace)

    assert history.live(workspace) == []
    with pytest.raises(InputError):
        settle.undo(workspace)


def test_redact_leaves_the_tombstone_alone(
    workspace: Workspace, database: Path, repo: Repo, keep: Keep
) -> None:
    keep("The password is hunter2", "src/client.py:9")
    keep("calls are retried", "docs/api.md:3")

    redacted = housekeeping.redact(workspace, "m1")

    assert (redacted.text, redacted.redacted) == ("", True)
    assert labels(workspace)["m2"] == "fresh"
    edit(repo, "v2.1.4", "v3")
    assert labels(workspace) == {"m1": "stale/content", "m2": "fresh"}
    workspace.close()
    files = [file.read_bytes() for file in database.parent.glob("memories.db*")]
    assert not any(word in data for data in files for word in (b"hunter2", b"v2.1.4"))


def test_purge_takes_one_repository_and_spares_the_others(
    workspace: Workspace, open_at: Callable[[Path], Workspace], tmp_path: Path, keep: Keep
) -> None:
    keep("one", "src/client.py:4-6")
    other = Repo.git(tmp_path / "other")
    other.write("a.txt", "one\n")
    elsewhere = open_at(other.root)
    remember(elsewhere, Request(text="two", citations=(parse_spec("a.txt:1"),)))

    with pytest.raises(InputError):
        housekeeping.purge(workspace, confirmed_name="other")
    housekeeping.purge(workspace, confirmed_name="repo")

    assert history.live(workspace) == []
    assert len(history.live(elsewhere)) == 1
    with pytest.raises(NotFoundError):
        housekeeping.purge(workspace, confirmed_name="repo")


def test_reading_writes_nothing(workspace: Workspace, repo: Repo, database: Path, keep: Keep) -> None:
    """Law 5: looking at memories changes no byte of the store."""
    keep("retries stop after 5", "src/client.py:4-6")
    edit(repo, "range(5)", "range(7)")
    workspace.close()
    before = database.read_bytes()

    check(workspace)
    history.live(workspace)
    history.show(workspace, "m1")
    history.why(workspace, "m1")
    history.stats(workspace)
    housekeeping.look(workspace)
    workspace.close()

    assert database.read_bytes() == before
