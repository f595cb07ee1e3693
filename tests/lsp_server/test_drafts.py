"""Drafts: how any editor is asked for a text, whatever happens meanwhile (design 7; F28)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from stilltrue.model.citation import Span
from stilltrue.services import history, settle
from support.repo import Repo
from support.server import Editor, Home, Json, quiet

SOURCE = "import os\n\n\ndef retry(call):\n    for attempt in range(7):\n        call(attempt)\n"
TEXT = "Retries stop after 5 attempts"
STALE = (4, "stale")

pytestmark = pytest.mark.asyncio


@pytest.fixture
def repo(home: Home) -> Repo:
    """A repository whose memory `m1` is stale."""
    made = home.repo()
    made.write("a.py", SOURCE.replace("7", "5"))
    home.remember(made.root, TEXT, "a.py:4-6")
    made.write("a.py", SOURCE)
    return made


@pytest.fixture
def texts(home: Home, repo: Repo) -> Callable[[], list[str]]:
    """The texts of all memories there ever were."""
    workspace = home.workspace(repo.root)
    return lambda: [memory.text for memory, _ in history.everything(workspace)]


async def begin(editor: Editor, repo: Repo) -> Path:
    """Ask to supersede `m1`; the draft that opens."""
    buffer = editor.open(repo.root / "a.py")
    await editor.shows(buffer, STALE)
    answer = await editor.choose(buffer, 5, "Supersede")
    return Path(answer["draft"])


def write(draft: Path, text: str) -> None:
    """Save a draft with another text above the line of scissors."""
    _, scissors, rest = draft.read_text("utf-8").rpartition("------ everything")
    draft.write_text(f"{text}\n\n{scissors}{rest}", "utf-8")


def read(draft: Path) -> str:
    return draft.read_text("utf-8")


async def test_a_saved_draft_is_applied_once_and_goes(
    editor: Editor, home: Home, repo: Repo, texts: Callable[[], list[str]]
) -> None:
    draft = await begin(editor, repo)
    assert editor.shown == [draft]
    assert draft.parent == home.drafts
    assert draft.read_text("utf-8").startswith(TEXT + "\n")
    modes = {path.stat().st_mode & 0o777 for path in home.drafts.iterdir()}
    assert (modes, home.drafts.stat().st_mode & 0o777) == ({0o600}, 0o700)
    await quiet()
    assert texts() == [TEXT]

    write(draft, "Retries stop after 7 attempts")
    await editor.until(lambda: texts() == [TEXT, "Retries stop after 7 attempts"], "superseded")
    await editor.until(lambda: list(home.drafts.iterdir()) == [], "the draft goes")
    await editor.shows(editor.buffers[(repo.root / "a.py").as_uri()])
    await editor.until(lambda: editor.messages == ["StillTrue: superseded"], "told")


async def test_a_draft_saved_as_it_was_waits(
    editor: Editor, repo: Repo, texts: Callable[[], list[str]]
) -> None:
    """What editors do by themselves on save is no text of the person's."""
    draft = await begin(editor, repo)
    untouched = draft.read_text("utf-8")
    for saved in (untouched, untouched.replace("\n", "\r\n"), "\ufeff" + untouched, untouched.rstrip("\n")):
        draft.write_bytes(saved.encode())
        await quiet()
    await quiet()
    assert texts() == [TEXT]
    assert draft.exists()


@pytest.mark.parametrize("blank", ["", "  \n \t\n"])
async def test_an_emptied_draft_is_cancelled(
    editor: Editor, home: Home, repo: Repo, texts: Callable[[], list[str]], blank: str
) -> None:
    draft = await begin(editor, repo)
    write(draft, blank)
    await editor.until(lambda: list(home.drafts.iterdir()) == [], "the draft goes")
    assert texts() == [TEXT]
    await editor.until(lambda: editor.messages == ["StillTrue: cancelled: the draft was emptied"], "told")


async def test_a_draft_emptied_with_its_help_is_cancelled_too(
    editor: Editor, home: Home, repo: Repo, texts: Callable[[], list[str]]
) -> None:
    draft = await begin(editor, repo)
    draft.write_bytes(b"")
    await editor.until(lambda: list(home.drafts.iterdir()) == [], "the draft goes")
    assert texts() == [TEXT]


async def test_a_draft_outlives_the_server(home: Home, repo: Repo, texts: Callable[[], list[str]]) -> None:
    """Saved while no server runs, applied once its file is open again."""
    async with Editor(home, repo.root) as editor:
        draft = await begin(editor, repo)
    write(draft, "Retries stop after 7 attempts")
    async with Editor(home, repo.root) as editor:
        await quiet()
        await quiet()
        assert texts() == [TEXT]
        editor.open(repo.root / "a.py")
        await editor.until(lambda: texts() == [TEXT, "Retries stop after 7 attempts"], "superseded")
        await editor.until(lambda: list(home.drafts.iterdir()) == [], "the draft goes")


async def test_of_two_servers_one_applies(
    editor: Editor, home: Home, repo: Repo, texts: Callable[[], list[str]]
) -> None:
    async with Editor(home, repo.root) as other:
        await other.shows(other.open(repo.root / "a.py"), STALE)
        draft = await begin(editor, repo)
        write(draft, "Retries stop after 7 attempts")
        await editor.until(lambda: len(texts()) > 1, "superseded")
        await editor.until(lambda: list(home.drafts.iterdir()) == [], "the draft goes")
        await quiet()
        await quiet()
        assert texts() == [TEXT, "Retries stop after 7 attempts"]
        assert editor.messages + other.messages == ["StillTrue: superseded"]


async def test_a_memory_changed_meanwhile_keeps_the_draft(
    editor: Editor, home: Home, repo: Repo, texts: Callable[[], list[str]]
) -> None:
    """F30: what the person wrote is not lost, and they are told why it was not used."""
    draft = await begin(editor, repo)
    workspace = home.workspace(repo.root)
    settle.reverify(workspace, settle.find_citations(workspace, "m1")[1])
    workspace.close()
    await editor.shows(editor.buffers[(repo.root / "a.py").as_uri()])
    write(draft, "Retries stop after 7 attempts")
    await editor.until(lambda: any("nothing was done" in message for message in editor.messages), "told")
    await quiet()
    await quiet()
    assert texts() == [TEXT]
    assert "Retries stop after 7 attempts" in draft.read_text("utf-8")
    assert len(editor.messages) == 1


@pytest.mark.parametrize(
    "hostile",
    [
        "first\n------ everything below this line is ignored ------\nlast",
        "with\rcarriage\r\nreturns",
        "trailing  \n\n\nblanks",
        "\u202eturned \x1b[31mred\x07",
        "'; DROP TABLE memories; -- \u2028 line",
    ],
)
async def test_a_hostile_memory_is_no_reason_to_apply_its_draft(
    editor: Editor, home: Home, repo: Repo, texts: Callable[[], list[str]], hostile: str
) -> None:
    """Nothing is applied before a person saved something; then it is what they wrote, whole."""
    settle.retract(home.workspace(repo.root), ["m1"])
    repo.write("a.py", SOURCE.replace("7", "5"))
    home.remember(repo.root, hostile, "a.py:4-6")
    repo.write("a.py", SOURCE)
    draft = await begin(editor, repo)
    await quiet()
    await quiet()
    assert texts() == [TEXT, hostile]
    write(draft, f"{hostile}!")
    await editor.until(lambda: len(texts()) == 3, "superseded")
    assert "".join(texts()[2].split()) == "".join(f"{hostile}!".split())


async def test_a_draft_asked_for_twice_keeps_what_was_written(
    editor: Editor, repo: Repo, texts: Callable[[], list[str]]
) -> None:
    buffer = editor.open(repo.root / "a.py")
    await editor.shows(buffer, STALE)
    action = next(each for each in await editor.actions(buffer, 5) if "Supersede" in each["title"])
    first = await editor.run(action)
    draft = Path(first["draft"])
    write(draft, f"{TEXT}  ")
    assert await editor.run(action) == first
    assert read(draft).startswith(f"{TEXT}  \n")
    assert texts() == [TEXT]


async def test_remember_this_opens_a_draft_too(
    editor: Editor, repo: Repo, texts: Callable[[], list[str]]
) -> None:
    buffer = editor.open(repo.root / "a.py")
    await editor.shows(buffer, STALE)
    (action,) = await editor.actions(buffer, 1, 1, only=["refactor"])
    draft = Path((await editor.run(action))["draft"])
    write(draft, "The module is needed")
    await editor.until(lambda: texts() == [TEXT, "The module is needed"], "remembered")
    await editor.until(lambda: editor.messages == ["StillTrue: kept"], "told")


async def test_a_draft_about_lines_that_moved_cites_them_where_they_stand(
    editor: Editor, home: Home, repo: Repo, texts: Callable[[], list[str]]
) -> None:
    buffer = editor.open(repo.root / "a.py")
    await editor.shows(buffer, STALE)
    (action,) = await editor.actions(buffer, 1, 1, only=["refactor"])
    draft = Path((await editor.run(action))["draft"])
    editor.edit(buffer, "import os", "# one\n# two\nimport os")
    write(draft, "The module is needed")
    await editor.until(lambda: texts() == [TEXT, "The module is needed"], "remembered")
    workspace = home.workspace(repo.root)
    (citation,) = settle.find_citations(workspace, "m2")[1]
    workspace.close()
    assert citation.span == Span(3, 3)


async def test_a_draft_about_lines_that_changed_is_kept_and_told(
    editor: Editor, repo: Repo, texts: Callable[[], list[str]]
) -> None:
    """Nothing is lost, and nothing is tied to lines that nobody selected."""
    buffer = editor.open(repo.root / "a.py")
    await editor.shows(buffer, STALE)
    (action,) = await editor.actions(buffer, 1, 1, only=["refactor"])
    draft = Path((await editor.run(action))["draft"])
    editor.edit(buffer, "import os", "import sys")
    write(draft, "The module is needed")
    await editor.until(lambda: any("selected lines changed" in each for each in editor.messages), "told")
    assert texts() == [TEXT]
    assert "The module is needed" in await asyncio.to_thread(draft.read_text, "utf-8")


async def test_damaged_drafts_do_not_stop_the_others(
    editor: Editor, home: Home, repo: Repo, texts: Callable[[], list[str]]
) -> None:
    home.drafts.mkdir(parents=True)
    for number, purpose in enumerate(("", "[]", "{}", '{"command": "rm", "arguments": {}, "offered": ""}')):
        (home.drafts / f"a{number}.md").write_bytes(b"\xff text")
        (home.drafts / f"a{number}.md.json").write_text(purpose, "utf-8")
        (home.drafts / f"b{number}.md").write_text("text", "utf-8")
        (home.drafts / f"b{number}.md.json").write_text(purpose, "utf-8")
    draft = await begin(editor, repo)
    write(draft, "Retries stop after 7 attempts")
    await editor.until(lambda: len(texts()) == 2, "superseded")


async def test_a_client_that_cannot_show_documents_is_told_the_path(home: Home, repo: Repo) -> None:
    async with Editor(home, repo.root, shows_documents=False) as editor:
        draft = await begin(editor, repo)
        await editor.until(
            lambda: editor.messages == [f"StillTrue: write the text here and save: {draft}"], "told"
        )


async def test_no_draft_can_be_written(home: Home, repo: Repo) -> None:
    (home.folder / "state").write_text("a file stands in the folder's place", "utf-8")
    async with Editor(home, repo.root) as editor:
        buffer = editor.open(repo.root / "a.py")
        await editor.shows(buffer, STALE)
        assert await editor.choose(buffer, 5, "Supersede") == {"ok": False}
        assert "no draft could be written" in editor.messages[0]


async def test_what_the_buffer_does_not_cite_is_asked_of_the_survey(
    editor: Editor, home: Home, repo: Repo
) -> None:
    """F28: a list knows of a memory before the open file does; its draft holds the old text all the same."""
    repo.write("b.py", "import sys\n")
    home.remember(repo.root, "One import is enough", "b.py:1")
    buffer = editor.open(repo.root / "a.py")
    await editor.shows(buffer, STALE)
    listed: list[Json] = []
    while len(listed) < 2:
        listed = (await editor.execute("stilltrue.list", {}))["memories"]
    (cited,) = listed[1]["citations"]
    asked = {"uri": buffer.uri, "citations": [{"uid": cited["uid"], "generation": cited["generation"]}]}

    answer = await editor.execute("stilltrue.supersede", asked)

    draft = Path(answer["draft"])
    assert draft.name.startswith("supersede-m2-")
    assert read(draft).startswith("One import is enough\n")


async def test_what_nobody_cites_any_more_opens_no_draft(editor: Editor, home: Home, repo: Repo) -> None:
    buffer = editor.open(repo.root / "a.py")
    await editor.shows(buffer, STALE)
    asked = {"uri": buffer.uri, "citations": [{"uid": "none-such", "generation": 1}]}

    assert await editor.execute("stilltrue.supersede", asked) == {"ok": False}

    assert not home.drafts.exists()
    assert editor.messages
