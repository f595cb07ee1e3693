"""Snoozed memories and ignored files: silenced, counted, and awake again when they should be (design 7)."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from stilltrue.errors import ConflictError, InputError, NotFoundError
from stilltrue.ide.snapshot import Cited
from stilltrue.model.citation import Citation
from stilltrue.model.time import Instant
from stilltrue.services import editor, history, settle, snoozing
from stilltrue.services.check import CheckReport, check
from stilltrue.services.remember import Remembered
from stilltrue.services.workspace import Surroundings, Workspace
from stilltrue.settings import Settings
from support.clock import FakeClock
from support.repo import Repo

Keep = Callable[..., Remembered]
DAY = 24 * 60 * 60 * 1000
CLIENT = "src/client.py"


def edit(repo: Repo, old: str, new: str, path: str = CLIENT) -> str:
    """Edit a file on disk; its text afterwards."""
    file = repo.root / path
    text = file.read_bytes().decode().replace(old, new)
    file.write_bytes(text.encode())
    return text


def judged(report: CheckReport) -> dict[str, str]:
    return {one.memory.id: one.verdict.label for one in report.memories}


def skipped(report: CheckReport) -> list[tuple[int, str, str]]:
    return [(each.count, each.what, each.why) for each in report.skipped]


def asleep(workspace: Workspace) -> list[str]:
    """The ids of what sleeps, as list and show mark it."""
    memories = history.live(workspace)
    found = snoozing.asleep(workspace, memories)
    return [one.memory.id for one in memories if one.memory.uid in found]


def looked(workspace: Workspace, text: str | None = None, path: str = CLIENT) -> Cited:
    (one,) = editor.look_at(workspace, path, text).cited
    return one


@pytest.fixture
def stale(workspace: Workspace, repo: Repo, keep: Keep) -> Citation:
    """m1, whose lines changed."""
    kept = keep("retries stop after 5", f"{CLIENT}:4-6").citations[0]
    edit(repo, "range(5)", "range(7)")
    assert judged(check(workspace)) == {"m1": "stale/content"}
    return kept


UNTIL_CHANGED = [(1, "memories", "snoozed until their lines change")]


@pytest.mark.usefixtures("stale")
def test_a_snoozed_memory_needs_no_attention_and_is_counted(workspace: Workspace) -> None:
    snoozing.snooze(workspace, ["m1"])

    report = check(workspace)

    assert not report.needs_attention(strict=True)
    assert (judged(report), skipped(report)) == ({}, UNTIL_CHANGED)
    assert asleep(workspace) == ["m1"]


@pytest.mark.usefixtures("stale")
def test_it_wakes_when_its_lines_change_again_and_sleeps_when_that_is_taken_back(
    workspace: Workspace, repo: Repo
) -> None:
    snoozing.snooze(workspace, ["m1"])
    edit(repo, "range(7)", "range(8)")
    assert judged(check(workspace)) == {"m1": "stale/content"}
    assert asleep(workspace) == []

    edit(repo, "range(8)", "range(7)")

    assert skipped(check(workspace)) == UNTIL_CHANGED


@pytest.mark.parametrize(
    ("old", "new"), [("import os", "import os\nimport sys"), ("v2.1.4", "v3"), ("\n", "\r\n")]
)
@pytest.mark.usefixtures("stale")
def test_it_sleeps_on_while_other_lines_change_or_its_own_move(
    workspace: Workspace, repo: Repo, old: str, new: str
) -> None:
    snoozing.snooze(workspace, ["m1"])
    edit(repo, old, new)
    assert skipped(check(workspace)) == UNTIL_CHANGED


@pytest.mark.usefixtures("stale")
def test_it_wakes_when_its_file_goes_and_again_when_it_comes_back(workspace: Workspace, repo: Repo) -> None:
    snoozing.snooze(workspace, ["m1"])
    text = (repo.root / CLIENT).read_bytes()
    (repo.root / CLIENT).unlink()
    assert judged(check(workspace)) == {"m1": "stale/structural"}
    snoozing.snooze(workspace, ["m1"])
    assert skipped(check(workspace)) == UNTIL_CHANGED

    (repo.root / CLIENT).write_bytes(text)

    assert judged(check(workspace)) == {"m1": "stale/content"}


def test_any_of_its_citations_wakes_a_memory(workspace: Workspace, repo: Repo, keep: Keep) -> None:
    keep("retries stop after 5", f"{CLIENT}:4-6", "docs/api.md:3", "docs/api.md")
    edit(repo, "range(5)", "range(7)")
    snoozing.snooze(workspace, ["m1"])
    assert skipped(check(workspace)) == UNTIL_CHANGED
    edit(repo, "retried", "never retried", "docs/api.md")
    assert judged(check(workspace)) == {"m1": "stale/content"}


@pytest.mark.usefixtures("stale")
def test_until_a_day_it_sleeps_whatever_happens_and_wakes_by_itself(
    workspace: Workspace, repo: Repo, clock: FakeClock
) -> None:
    snoozing.snooze(workspace, ["m1"], days=2)
    edit(repo, "range(7)", "range(8)")
    assert skipped(check(workspace)) == [(1, "memories", "snoozed until 2026-06-03")]
    clock.advance(2 * DAY)
    assert judged(check(workspace)) == {"m1": "stale/content"}


@pytest.mark.usefixtures("stale")
def test_a_later_snooze_replaces_an_earlier_one_and_zero_days_wake(workspace: Workspace, repo: Repo) -> None:
    snoozing.snooze(workspace, ["m1"])
    snoozing.snooze(workspace, ["m1"], until=Instant("2026-12-24T00:00:00.000Z"))
    edit(repo, "range(7)", "range(8)")
    assert skipped(check(workspace)) == [(1, "memories", "snoozed until 2026-12-24")]

    (said,) = snoozing.snooze(workspace, ["m1"], days=0)

    assert said.snooze.wakes
    assert judged(check(workspace)) == {"m1": "stale/content"}


def test_settling_ends_a_snooze_and_its_undo_brings_it_back(
    workspace: Workspace, repo: Repo, stale: Citation
) -> None:
    snoozing.snooze(workspace, ["m1"], days=30)
    settle.reverify(workspace, [stale])
    assert judged(check(workspace)) == {"m1": "fresh"}
    edit(repo, "range(7)", "range(8)")
    assert judged(check(workspace)) == {"m1": "stale/content"}
    settle.undo(workspace)
    assert skipped(check(workspace)) == [(1, "memories", "snoozed until 2026-07-01")]


@pytest.mark.usefixtures("stale")
def test_a_successor_is_awake(workspace: Workspace, repo: Repo) -> None:
    snoozing.snooze(workspace, ["m1"], days=30)
    old = settle.find_citations(workspace, "m1")[0]
    settle.supersede(workspace, "m1", settle.inheriting(old, "retries stop after 7"))
    edit(repo, "range(7)", "range(8)")
    assert judged(check(workspace)) == {"m2": "stale/content"}
    with pytest.raises(InputError, match="m1 ended"):
        snoozing.snooze(workspace, ["m2", "m1"])
    assert judged(check(workspace)) == {"m2": "stale/content"}


@pytest.mark.usefixtures("stale")
def test_a_snooze_is_personal(workspace: Workspace, repo: Repo, database: Path) -> None:
    snoozing.snooze(workspace, ["m1"])
    agent = Workspace(repo.root, Surroundings(os.environ, database=str(database), agent="reviewer"))
    try:
        assert judged(check(agent)) == {"m1": "stale/content"}
    finally:
        agent.close()


@pytest.mark.usefixtures("stale")
def test_b28_a_repeated_snooze_is_answered_and_another_under_its_key_refused(workspace: Workspace) -> None:
    first = snoozing.snooze(workspace, ["m1"], days=3, key="k")
    snoozing.snooze(workspace, ["m1"], days=0)

    assert snoozing.snooze(workspace, ["m1"], days=3, key="k") == first
    assert asleep(workspace) == []
    with pytest.raises(ConflictError):
        snoozing.snooze(workspace, ["m1"], days=4, key="k")


@pytest.mark.usefixtures("stale")
def test_bad_input_changes_nothing(workspace: Workspace) -> None:
    past, day = Instant("2020-01-01T00:00:00.000Z"), Instant("2027-01-01T00:00:00.000Z")
    bad: list[tuple[list[str], dict[str, object]]] = [
        (["m1"], {"until": past}),
        (["m1"], {"days": -1}),
        (["m1"], {"days": 10**9}),
        (["m1"], {"days": 3, "until": day}),
        (["m1"], {"key": ""}),
        (["m1", "m9"], {}),
    ]
    for names, given in bad:
        with pytest.raises((InputError, NotFoundError)):
            snoozing.snooze(workspace, names, **given)  # type: ignore[arg-type]
    assert asleep(workspace) == []


def test_nothing_is_snoozed_where_nothing_is_remembered(workspace: Workspace, database: Path) -> None:
    with pytest.raises(NotFoundError):
        snoozing.snooze(workspace, ["m1"])
    assert snoozing.asleep(workspace, []) == {}
    assert not database.exists()


def test_a_citation_names_its_memory(workspace: Workspace, keep: Keep) -> None:
    keep("two", f"{CLIENT}:4-6", "docs/api.md:3")
    (said,) = snoozing.snooze(workspace, ["c2", "c1"])
    assert (said.memory.id, len(said.snooze.seen)) == ("m1", 2)


@pytest.mark.usefixtures("stale")
def test_in_an_editor_what_was_seen_is_what_the_buffer_held(workspace: Workspace, repo: Repo) -> None:
    """The disk, the buffer and a buffer with other line ends are one text to a snooze."""
    text = edit(repo, "range(7)", "range(7)")
    unsaved = text.replace("range(7)", "range(9)")
    view = editor.look_at(workspace, CLIENT, unsaved)
    texts = editor.buffer_texts(workspace, CLIENT, unsaved, view.mapping)

    (said,) = snoozing.snooze(workspace, [view.cited[0].memory.uid], texts=texts)

    assert looked(workspace, unsaved).snoozed == said.snooze
    assert looked(workspace, unsaved.replace("\n", "\r\n")).snoozed == said.snooze
    assert looked(workspace, "# above\n" + unsaved).snoozed == said.snooze
    assert looked(workspace, text).snoozed is None
    assert looked(workspace, unsaved.replace("range(9)", "range(6)")).snoozed is None
    assert judged(check(workspace)) == {"m1": "stale/content"}  # until it is saved
    (repo.root / CLIENT).write_bytes(unsaved.encode())
    assert skipped(check(workspace)) == UNTIL_CHANGED
    assert looked(workspace).snoozed == said.snooze


def ignoring(workspace: Workspace, *globs: str) -> Workspace:
    workspace.settings = replace(Settings(), ignore=globs)
    return workspace


def test_f40_an_ignored_file_is_not_judged_and_counted(workspace: Workspace, repo: Repo, keep: Keep) -> None:
    """Design 7: ignore patterns may only silence."""
    keep("retries stop after 5", f"{CLIENT}:4-6", "docs/api.md:3")
    keep("the page has a title", "docs/api.md:1")
    keep("no code")
    edit(repo, "# API", "# The API", "docs/api.md")
    edit(repo, "retried", "never retried", "docs/api.md")
    assert judged(check(workspace)) == {"m1": "stale/content", "m2": "stale/content"}

    report = check(ignoring(workspace, "docs/"))

    assert judged(report) == {"m1": "fresh"}
    assert [each.citation.path for each in report.memories[0].citations] == [CLIENT]
    assert skipped(report) == [
        (1, "memories", "nothing cited"),
        (2, "citations", "ignored by the setting `ignore`"),
        (1, "memories", "all that they cite is ignored"),
    ]
    assert not report.needs_attention(strict=True)
    assert skipped(check(workspace, ["docs"]))[-1] == (1, "memories", "all that they cite is ignored")


def test_f40_an_ignored_file_wakes_nobody(workspace: Workspace, repo: Repo, keep: Keep) -> None:
    keep("retries stop after 5", f"{CLIENT}:4-6", "docs/api.md:3")
    edit(repo, "range(5)", "range(7)")
    snoozing.snooze(ignoring(workspace, "docs/"), ["m1"])
    edit(repo, "retried", "never retried", "docs/api.md")

    assert skipped(check(workspace))[-1:] == UNTIL_CHANGED
    assert asleep(workspace) == ["m1"]
    assert looked(workspace).snoozed
    assert looked(ignoring(workspace)).snoozed is None
    assert asleep(workspace) == []


def test_f40_ignoring_calls_nothing_fresh(workspace: Workspace, keep: Keep, repo: Repo) -> None:
    keep("retries stop after 5", f"{CLIENT}:4-6")
    edit(repo, "range(5)", "range(7)")
    report = check(ignoring(workspace, "**"))
    assert report.counts == {"memories": 0}
    assert history.live(workspace)[0].verdict.label == "stale/content"
