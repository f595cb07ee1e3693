"""What the server keeps in the store of what it judged, and when (K6, E34, F15)."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from support.healing import dump, events
from support.repo import Repo
from support.server import Editor, Home, quiet

SOURCE = "def retry(call):\n    for attempt in range(5):\n        call(attempt)\n"
CHANGED = SOURCE.replace("range(5)", "range(7)")

pytestmark = pytest.mark.asyncio


@pytest.fixture
def repo(home: Home) -> Repo:
    made = home.repo()
    made.write("a.py", SOURCE)
    made.commit("first")
    home.remember(made.root, "Retries stop after 5 attempts", "a.py:1-3")
    return made


def verdicts(home: Home) -> list[Any]:
    """Verdict and reason of every row that is kept."""
    return [row[3:5] for row in dump(home.database)["verdicts"]]


async def kept(home: Home, *wanted: tuple[str, str]) -> None:
    for _ in range(400):
        if verdicts(home) == list(wanted):
            return
        await asyncio.sleep(0.02)
    raise AssertionError(f"never kept: {wanted}; {verdicts(home)}")


async def test_k6_what_is_on_disk_is_kept_and_no_memory_is_written(
    home: Home, repo: Repo, editor: Editor
) -> None:
    """After a save, and after another program's write; the buffer alone changes nothing (I13)."""
    buffer = editor.open(repo.root / "a.py")
    await editor.looked(buffer, 1)
    before = dump(home.database)
    editor.edit(buffer, "range(5)", "range(7)")
    await editor.shows(buffer, (1, "stale"))
    await quiet()
    assert dump(home.database) == before
    editor.save(buffer)
    await kept(home, ("stale", "text-changed"))
    repo.run("checkout", "-q", ".")
    await kept(home, ("fresh", "same-bytes"))
    after = dump(home.database)
    for table in ("memories", "citations", "citation_generations", "closings", "acts", "heal_events"):
        assert after[table] == before[table]


async def test_k6_off_keeps_nothing(home: Home, repo: Repo) -> None:
    async with Editor(home, repo.root, options={"settings": {"healMode": "off"}}) as editor:
        before = dump(home.database)
        repo.write("a.py", CHANGED)
        assert (await editor.execute("stilltrue.check", {}))["counts"]["stale"] == 1
        await quiet()
        assert dump(home.database) == before


async def test_k6_a_demotion_waits_for_the_commit(home: Home, repo: Repo) -> None:
    """Half-typed code demotes nothing; HEAD's change is noticed though no cited file changed with it."""
    async with Editor(home, repo.root, options={"settings": {"healMode": "demote"}}) as editor:
        buffer = editor.open(repo.root / "a.py")
        await editor.looked(buffer, 1)
        editor.edit(buffer, "range(5)", "range(7)")
        editor.save(buffer)
        await kept(home, ("stale", "text-changed"))
        await quiet()
        workspace = home.workspace(repo.root)
        assert events(workspace) == []
        head = repo.commit("edit")
        await editor.until(lambda: len(events(workspace)) == 1, "it is demoted")
        (event,) = events(workspace)
        workspace.close()
        assert (event.commit, event.citation) == (head, "a.py:1-3")
        for _ in range(3):
            await quiet()
        assert len(dump(home.database)["memories"]) == 2


async def test_a_store_that_cannot_be_written_is_left_alone_in_silence(home: Home, repo: Repo) -> None:
    """No pass and no message about it; everything is shown all the same."""
    other = home.workspace(repo.root)
    with other.store().writing():
        async with Editor(home, repo.root) as editor:
            repo.write("a.py", CHANGED)
            buffer = editor.open(repo.root / "a.py")
            await editor.shows(buffer, (1, "stale"))
            await quiet()
            assert not editor.messages
    other.close()
