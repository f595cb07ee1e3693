"""Settling what is stale: each action, races for it, and stores that cannot be used (F26 to F34, F39)."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from stilltrue.model.citation import Citation
from stilltrue.model.memory import Memory
from stilltrue.services import history, settle
from stilltrue.services.workspace import Workspace
from support.repo import Repo
from support.server import NEOVIM, Editor, Home, quiet

SOURCE = """import os


def retry(call):
    for attempt in range(5):
        call(attempt)


API_VERSION = "v2.1.4"
"""
RETRY = (4, "stale")
VERSION = (9, "stale")

pytestmark = pytest.mark.asyncio


@pytest.fixture
def repo(home: Home) -> Repo:
    made = home.repo()
    made.write("a.py", SOURCE)
    home.remember(made.root, "Retries stop after 5 attempts", "a.py:4-6")
    home.remember(made.root, "The API version is v2.1.4", "a.py:9")
    return made


@pytest.fixture
def file(repo: Repo) -> Path:
    """The file that is cited, changed on disk so that `m1` is stale."""
    return repo.write("a.py", SOURCE.replace("range(5)", "range(7)"))


class Seen:
    """The store as another process sees it."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace

    def citation(self, memory: str) -> Citation:
        return settle.find_citations(self.workspace, memory)[1][0]

    def memories(self) -> list[Memory]:
        return [memory for memory, _ in history.everything(self.workspace)]

    def live(self) -> list[str]:
        return [judged.memory.id for judged in history.live(self.workspace)]

    def generations(self) -> int:
        """How many generations of the citations of `m1` and `m2` there are."""
        return self.citation("m1").generation + self.citation("m2").generation


@pytest.fixture
def store(home: Home, repo: Repo) -> Seen:
    return Seen(home.workspace(repo.root))


# What is offered


async def test_nothing_is_part_of_fix_all_or_preferred(editor: Editor, file: Path) -> None:
    """F29."""
    buffer = editor.open(file)
    await editor.shows(buffer, RETRY)
    for foreign in ("source", "source.fixAll", "source.organizeImports", "refactor.extract", "quickfixes"):
        assert await editor.actions(buffer, 4, 6, only=[foreign]) == []
    found = await editor.actions(buffer, 4, only=["quickfix"])
    assert {action["kind"] for action in found} == {"quickfix"}
    assert not any(action.get("isPreferred") for action in found)
    (remember,) = await editor.actions(buffer, 4, 6, only=["refactor"])
    assert remember["kind"] == "refactor.stilltrue.remember"


async def test_actions_need_no_diagnostics_and_bear_with_other_tools(editor: Editor, file: Path) -> None:
    """F29: looked up by position; another extension's odd diagnostics break nothing."""
    buffer = editor.open(file)
    (shown,) = await editor.shows(buffer, RETRY)
    assert isinstance(shown.data, dict)
    alone = [action["title"] for action in await editor.actions(buffer, 4)]
    odd = [
        {"range": {"start": {"line": None, "character": 0}, "end": {}}, "message": 1},
        {
            "range": {"start": {"line": 3, "character": 0}, "end": {"line": 3, "character": 1}},
            "message": "x",
            "severity": 0,
            "tags": [99],
            "source": "stilltrue",
            "data": "not ours",
        },
        "no diagnostic at all",
        None,
    ]
    offered = await editor.actions(buffer, 4, diagnostics=odd)  # type: ignore[arg-type]
    assert [action["title"] for action in offered] == alone
    ours = {
        "range": {"start": {"line": 3, "character": 0}, "end": {"line": 5, "character": 21}},
        "message": shown.message,
        "source": "stilltrue",
        "data": {"citations": [{"uid": shown.data["citations"][0]["uid"], "generation": 1}]},
    }
    offered = await editor.actions(buffer, 4, diagnostics=[*odd, ours])  # type: ignore[list-item]
    assert [each["message"] for each in offered[0]["diagnostics"]] == [shown.message]


async def test_the_cursor_may_stand_at_either_end(editor: Editor, file: Path) -> None:
    """F29."""
    buffer = editor.open(file)
    await editor.shows(buffer, RETRY)
    for line, column, offered in ((3, 0, True), (5, 21, True), (5, 999, True), (2, 0, False), (6, 0, False)):
        at = {"line": line, "character": column}
        found = await editor.actions_at(buffer, {"start": at, "end": at}, {"diagnostics": []})
        assert bool(found) is offered, (line, column)


# What they do


async def test_reverify_of_saved_text_is_stored_at_once(editor: Editor, file: Path, store: Seen) -> None:
    """F26: one new generation, the same memory row; edited again it is stale again."""
    before = store.memories()
    buffer = editor.open(file)
    await editor.shows(buffer, RETRY)
    assert await editor.choose(buffer, 5, "Still true") == {"ok": True}
    await editor.shows(buffer)
    assert store.citation("m1").generation == 2
    assert store.memories() == before
    editor.edit(buffer, "range(7)", "range(9)")
    await editor.shows(buffer, RETRY)


async def test_supersede_with_the_text_as_argument(editor: Editor, file: Path, store: Seen) -> None:
    """F27, F28: the chain, and a citation of the present lines."""
    buffer = editor.open(file)
    await editor.shows(buffer, RETRY)
    answer = await editor.choose(buffer, 5, "Supersede", text="Retries stop after 7 attempts")
    assert answer == {"ok": True, "id": "m3"}
    await editor.shows(buffer)
    old, new = store.memories()[0], store.memories()[2]
    assert (new.text, new.supersedes, new.origin) == ("Retries stop after 7 attempts", old.uid, "disk")
    assert store.live() == ["m2", "m3"]
    editor.edit(buffer, "range(7)", "range(9)")
    (shown,) = await editor.shows(buffer, RETRY)
    assert str(shown.message).startswith("m3: ")


async def test_supersede_of_unsaved_text_says_so(editor: Editor, file: Path, store: Seen) -> None:
    """An edit anywhere makes the text the buffer's, though no citation was touched by it."""
    buffer = editor.open(file)
    await editor.shows(buffer, RETRY)
    editor.edit(buffer, "import os", "import sys")
    await editor.choose(buffer, 5, "Supersede", text="Retries stop after 7 attempts")
    assert store.memories()[2].origin == "buffer"


@pytest.mark.parametrize("text", ["", "  \n\t"])
async def test_a_blank_text_changes_nothing(editor: Editor, file: Path, store: Seen, text: str) -> None:
    """F27."""
    buffer = editor.open(file)
    await editor.shows(buffer, RETRY)
    assert not (await editor.choose(buffer, 5, "Supersede", text=text))["ok"]
    assert any("blank" in message for message in editor.messages)
    assert store.live() == ["m1", "m2"]


async def test_retract_and_undo(editor: Editor, file: Path, store: Seen) -> None:
    """F33."""
    buffer = editor.open(file)
    await editor.shows(buffer, RETRY)
    assert (await editor.choose(buffer, 5, "Retract"))["ok"]
    await editor.shows(buffer)
    assert store.live() == ["m2"]
    assert await editor.execute("stilltrue.undo", {"uri": buffer.uri}) == {"ok": True, "undone": "retract"}
    await editor.shows(buffer, RETRY)
    assert store.live() == ["m1", "m2"]


async def test_a_reverify_can_be_undone(editor: Editor, file: Path, store: Seen) -> None:
    """F33."""
    buffer = editor.open(file)
    await editor.shows(buffer, RETRY)
    await editor.choose(buffer, 5, "Still true")
    await editor.shows(buffer)
    assert (await editor.execute("stilltrue.undo", {"uri": buffer.uri}))["undone"] == "reverify"
    await editor.shows(buffer, RETRY)
    assert "7" not in (store.citation("m1").baseline.excerpt or b"").decode()  # type: ignore[union-attr]


async def test_remember_the_selected_lines(editor: Editor, file: Path, store: Seen) -> None:
    """F33: as the buffer has them."""
    buffer = editor.open(file)
    await editor.shows(buffer, RETRY)
    editor.edit(buffer, "import os", "import sys")
    (action,) = await editor.actions(buffer, 1, 1, only=["refactor"])
    answer = await editor.run(action, text="The system module is needed")
    assert answer == {"ok": True, "id": "m3"}
    assert store.memories()[2].origin == "buffer"
    assert (store.citation("m3").baseline.excerpt or b"") == b"import sys"  # type: ignore[union-attr]


async def test_what_changed_and_the_history_are_shown_as_documents(
    home: Home, repo: Repo, file: Path
) -> None:
    """F33: private files; the answer carries the same."""
    async with Editor(home, repo.root, profile=NEOVIM) as editor:
        buffer = editor.open(file)
        await editor.shows(buffer, RETRY)
        answer = await editor.choose(buffer, 5, "Show what changed")
        assert "-    for attempt in range(5):" in answer["diff"]
        assert "+    for attempt in range(7):" in answer["diff"]
        answer = await editor.choose(buffer, 5, "Show history")
        assert "Retries stop after 5 attempts" in answer["text"]
        changed, told = editor.shown
        assert "+    for attempt in range(7):" in changed.read_text("utf-8")
        assert "Retries stop after 5 attempts" in told.read_text("utf-8")
        assert {path.stat().st_mode & 0o777 for path in editor.shown} == {0o600}


async def test_several_stale_memories_are_reverified_together(
    editor: Editor, repo: Repo, store: Seen
) -> None:
    """F31."""
    buffer = editor.open(repo.write("a.py", SOURCE.replace("range(5)", "range(7)").replace("v2.1.4", "v3")))
    await editor.shows(buffer, RETRY, VERSION)
    found = await editor.actions(buffer, 1, 9)
    assert found[0]["title"] == "Still true: re-verify all 2 memories here"
    assert (await editor.run(found[0]))["ok"]
    await editor.shows(buffer)
    assert store.generations() == 4


# Unsaved text


async def test_reverified_and_closed_without_saving_is_stale_again(
    editor: Editor, repo: Repo, store: Seen
) -> None:
    """F32."""
    buffer = editor.open(repo.root / "a.py")
    editor.edit(buffer, "range(5)", "range(7)")
    await editor.shows(buffer, RETRY)
    assert (await editor.choose(buffer, 5, "Still true"))["provisional"]
    await editor.shows(buffer)
    editor.close(buffer)
    again = editor.open(repo.root / "a.py", buffer.text)
    await editor.shows(again, RETRY)
    assert store.citation("m1").generation == 1


async def test_reverified_and_saved_otherwise_is_dropped_with_one_message(
    editor: Editor, repo: Repo, store: Seen
) -> None:
    """F32."""
    buffer = editor.open(repo.root / "a.py")
    editor.edit(buffer, "range(5)", "range(7)")
    await editor.shows(buffer, RETRY)
    await editor.choose(buffer, 5, "Still true")
    editor.edit(buffer, "range(7)", "range(8)")
    editor.save(buffer)
    await editor.shows(buffer, RETRY)
    await quiet()
    assert len([message for message in editor.messages if "not re-verified" in message]) == 1
    assert store.citation("m1").generation == 1


async def test_reverified_moved_and_saved_is_stored_where_it_stands(
    editor: Editor, repo: Repo, store: Seen
) -> None:
    buffer = editor.open(repo.root / "a.py")
    editor.edit(buffer, "range(5)", "range(7)")
    await editor.shows(buffer, RETRY)
    await editor.choose(buffer, 5, "Still true")
    editor.edit(buffer, "import os\n", "import os\nimport sys\n")
    editor.save(buffer)
    await editor.until(lambda: store.citation("m1").generation == 2, "stored")
    span = store.citation("m1").span
    assert span is not None
    assert (span.start, span.end) == (5, 7)


async def test_reverified_lines_may_be_more_than_were_cited(editor: Editor, repo: Repo, store: Seen) -> None:
    """F32: the unsaved baseline stands for its own lines, whatever else is edited before the save."""
    buffer = editor.open(repo.root / "a.py")
    editor.edit(buffer, 'API_VERSION = "v2.1.4"', 'API_VERSION = (\n    "v2.1.5"\n)')
    await editor.shows(buffer, VERSION)
    assert (await editor.choose(buffer, 9, "Still true"))["provisional"]
    await editor.shows(buffer)
    editor.edit(buffer, "range(5)", "range(7)")
    await editor.shows(buffer, RETRY)
    editor.save(buffer)
    await editor.until(lambda: store.citation("m2").generation == 2, "stored")
    await quiet()
    assert buffer.codes == [RETRY]


async def test_saved_and_closed_at_once_is_stored(editor: Editor, repo: Repo, store: Seen) -> None:
    """`:wq`: the close comes right behind the save."""
    buffer = editor.open(repo.root / "a.py")
    editor.edit(buffer, "range(5)", "range(7)")
    await editor.shows(buffer, RETRY)
    await editor.choose(buffer, 5, "Still true")
    editor.save(buffer)
    editor.close(buffer)
    await editor.until(lambda: store.citation("m1").generation == 2, "stored")
    await quiet()
    assert buffer.codes == []


# Races and repetitions


async def test_of_two_clients_one_wins_and_the_other_is_told(
    home: Home, editor: Editor, file: Path, repo: Repo, store: Seen
) -> None:
    """F30."""
    async with Editor(home, repo.root) as rival:
        mine, theirs = editor.open(file), rival.open(file)
        await editor.shows(mine, RETRY)
        await rival.shows(theirs, RETRY)
        (action, *_), (other, *_) = await editor.actions(mine, 5), await rival.actions(theirs, 5)
        assert (await editor.run(action))["ok"]
        assert not (await rival.run(other))["ok"]
        await rival.until(lambda: rival.messages, "the other is told")
        await rival.shows(theirs)
    assert store.citation("m1").generation == 2


@pytest.mark.parametrize("title", ["Still true: re-verify", "Remember this…"])
async def test_an_action_offered_for_other_text_does_nothing(
    editor: Editor, file: Path, store: Seen, title: str
) -> None:
    """F30: the document's version moved on, so the lines may be others than those that were looked at."""
    buffer = editor.open(file)
    await editor.shows(buffer, RETRY)
    offered = await editor.actions(buffer, 4, 6)
    action = next(each for each in offered if each["title"] == title)
    editor.edit(buffer, "import os", "import os\nimport sys")

    assert not (await editor.run(action, text="something"))["ok"]
    assert len(store.memories()) == 2
    assert store.citation("m1").generation == 1


async def test_superseded_meanwhile_names_the_successor(editor: Editor, file: Path, store: Seen) -> None:
    """F30, A7."""
    buffer = editor.open(file)
    await editor.shows(buffer, RETRY)
    action = next(each for each in await editor.actions(buffer, 5) if "Supersede" in each["title"])
    old, _ = settle.find_citations(store.workspace, "m1")
    settle.supersede(store.workspace, "m1", settle.inheriting(old, "Somebody was faster"))
    assert not (await editor.run(action, text="Retries stop after 7 attempts"))["ok"]
    await editor.until(lambda: "m3" in "".join(editor.messages), "told")
    await editor.shows(buffer)
    assert [memory.text for memory in store.memories()][2:] == ["Somebody was faster"]


async def test_a_double_click_does_nothing_twice(editor: Editor, file: Path, store: Seen) -> None:
    """F31, F34: the same command once more, at once and later."""
    buffer = editor.open(file)
    await editor.shows(buffer, RETRY)
    action = (await editor.actions(buffer, 5))[0]
    first = await editor.run(action)
    second = await editor.run(action)
    await editor.shows(buffer)
    third = await editor.run(action)
    assert first == second == third == {"ok": True}
    assert editor.messages == []
    assert store.citation("m1").generation == 2


async def test_one_key_is_one_receipt(editor: Editor, home: Home, file: Path, store: Seen) -> None:
    """F34: a supersede and a remember that are sent again store nothing again."""
    buffer = editor.open(file)
    await editor.shows(buffer, RETRY)
    action = next(each for each in await editor.actions(buffer, 5) if "Supersede" in each["title"])
    answers = [await editor.run(action, text="Retries stop after 7 attempts") for _ in range(2)]
    assert answers[0] == answers[1] == {"ok": True, "id": "m3"}
    (action,) = await editor.actions(buffer, 1, 1, only=["refactor"])
    answers = [await editor.run(action, text="The module is needed") for _ in range(2)]
    assert answers[0] == answers[1] == {"ok": True, "id": "m4"}
    assert len(store.memories()) == 4
    with closing(sqlite3.connect(home.database)) as raw:
        assert raw.execute("SELECT count(*) FROM receipts").fetchone()[0] == 2


# Stores that cannot be used


def corrupt(database: Path) -> None:
    for path in database.parent.glob("memories.db-*"):
        path.unlink()
    database.write_bytes(b"this is no database" * 500)


def made_by_a_newer_version(database: Path) -> None:
    with closing(sqlite3.connect(database)) as raw:
        raw.execute("UPDATE store_meta SET min_reader = 99, min_writer = 99")
        raw.commit()


@pytest.mark.parametrize(
    ("spoil", "word"), [(corrupt, "damaged"), (made_by_a_newer_version, "newer StillTrue")]
)
async def test_an_unusable_store_is_told_once_and_editing_goes_on(
    home: Home, repo: Repo, file: Path, spoil: Callable[[Path], None], word: str
) -> None:
    """F39."""
    spoil(home.database)
    async with Editor(home, repo.root) as editor:
        buffer = editor.open(file)
        await editor.until(lambda: editor.messages, "told")
        other = editor.open(repo.write("b.py", SOURCE))
        for number in range(5):
            editor.edit(buffer, "import os", f"import os  # {number}")
            editor.save(buffer)
        assert await editor.hover(other, 1) is None
        assert await editor.actions(buffer, 4) == []
        await quiet()
        assert len(editor.messages) == 1
        assert word in editor.messages[0]


async def test_a_store_that_is_mended_is_used_again(home: Home, repo: Repo, file: Path) -> None:
    """F39: no restart is needed."""
    good = home.folder / "backup.db"
    with closing(sqlite3.connect(home.database)) as raw, closing(sqlite3.connect(good)) as copy:
        raw.backup(copy)
    corrupt(home.database)
    async with Editor(home, repo.root) as editor:
        buffer = editor.open(file)
        await editor.until(lambda: editor.messages, "told")
        os.replace(good, home.database)  # noqa: PTH105 - as a person would with mv
        await editor.shows(buffer, RETRY)


async def test_a_store_that_is_replaced_is_noticed(editor: Editor, home: Home, file: Path) -> None:
    buffer = editor.open(file)
    await editor.shows(buffer, RETRY)
    for path in home.folder.glob("memories.db*"):
        path.unlink()
    home.remember(file.parent, "A new beginning", "a.py:9")
    await editor.shows(buffer)
    editor.edit(buffer, "v2.1.4", "v3")
    (shown,) = await editor.shows(buffer, VERSION)
    assert "A new beginning" in str(shown.message)


async def test_a_locked_store_refuses_the_act_and_not_the_editing(
    editor: Editor, home: Home, file: Path, store: Seen
) -> None:
    """F39: looks go on while another process writes."""
    buffer = editor.open(file)
    await editor.shows(buffer, RETRY)
    with closing(sqlite3.connect(home.database, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert await editor.choose(buffer, 5, "Retract") == {"ok": False}
        other.execute("ROLLBACK")
    assert [message for message in editor.messages if "locked" in message]
    assert (await editor.choose(buffer, 5, "Retract"))["ok"]
    assert store.live() == ["m2"]


async def test_a_store_of_a_newer_writer_is_read_and_not_written(
    home: Home, repo: Repo, file: Path, store: Seen
) -> None:
    """F39: read-only, as on a file system that cannot be written; root may write anything else."""
    with closing(sqlite3.connect(home.database)) as raw:
        raw.execute("UPDATE store_meta SET min_writer = 99")
        raw.commit()
    async with Editor(home, repo.root) as editor:
        buffer = editor.open(file)
        await editor.shows(buffer, RETRY)
        assert await editor.choose(buffer, 5, "Still true") == {"ok": False}
        assert len(editor.messages) == 1
        assert await editor.hover(buffer, 5) is not None
    assert store.citation("m1").generation == 1
