"""What rests on a commit alone, in an editor (F25, K1, design 7)."""

from __future__ import annotations

import pytest

from stilltrue.services import history, settle
from support.repo import Repo
from support.server import Editor, Home

pytestmark = pytest.mark.asyncio
SOURCE = "def retry():\n    return 5\n"
CHANGED = SOURCE.replace("5", "7")


@pytest.fixture
def repo(home: Home) -> Repo:
    made = home.repo()
    made.write("a.py", SOURCE)
    made.write("b.py", SOURCE)
    first = made.commit("first")
    home.remember(made.root, "Retries stop after 5 attempts", f"@{first}:a.py")
    home.remember(made.root, "The other file retries, too", f"@{first}:b.py")
    home.remember(made.root, "All of it is small", f"@{first}")
    return made


async def test_f25_a_commit_is_noticed_without_an_edit_and_can_be_undone(editor: Editor, repo: Repo) -> None:
    """A41: a verdict goes back with the commit."""
    buffer = editor.open(repo.root / "a.py")
    other = editor.open(repo.root / "b.py")
    await editor.looked(buffer, 1)
    first = repo.run("rev-parse", "HEAD").strip()

    repo.write("a.py", CHANGED)
    repo.commit("second")

    (shown,) = await editor.shows(buffer, (1, "commit-moved"))
    assert shown.message == (
        "m1: Retries stop after 5 attempts — the file changed since commit "
        f"{first[:7]}. Supersede or retract."
    )
    assert shown.severity == 3
    assert "**m1** · stale — the file changed since commit" in (await editor.hover(buffer, 1) or "")
    assert "at HEAD " in (await editor.hover(buffer, 1) or "")
    assert other.codes == []

    repo.run("checkout", "-q", first)

    await editor.shows(buffer)
    assert "**m1** · current — the file did not change since commit" in (await editor.hover(buffer, 1) or "")


async def test_f25_the_list_tells_it_too(editor: Editor, repo: Repo) -> None:
    repo.write("a.py", CHANGED)
    repo.commit("second")
    buffer = editor.open(repo.root / "a.py")
    await editor.shows(buffer, (1, "commit-moved"))
    answer = await editor.execute("stilltrue.check", {})
    assert answer["ok"]
    told = {each["id"]: each for each in (await editor.execute("stilltrue.list", {}))["memories"]}
    assert [(told[name]["freshness"], told[name]["kind"]) for name in ("m1", "m2", "m3")] == [
        ("stale", "commit"),
        ("fresh", None),
        ("stale", "commit"),
    ]
    assert told["m1"]["citations"][0]["code"] == "commit-moved"
    assert told["m3"]["reason"].startswith("the repository changed since commit")


async def test_f25_what_cites_lines_goes_by_its_lines_and_the_hover_tells_of_the_commit(
    editor: Editor, home: Home, repo: Repo
) -> None:
    """Design 7: where the content is fresh, the commit that moved is information in the hover."""
    home.remember(repo.root, "Retries are counted", "b.py:1")
    workspace = home.workspace(repo.root)
    repo.write("b.py", SOURCE + "\n\nAT_THE_END = 1\n")
    repo.commit("second")
    from stilltrue.services.pins import check_pins  # noqa: PLC0415 - for this alone

    check_pins(workspace)
    workspace.close()
    buffer = editor.open(repo.root / "b.py")
    await editor.shows(buffer, (1, "commit-moved"))
    hover = await editor.hover(buffer, 1) or ""
    assert "**m4** · fresh — the cited lines are unchanged" in hover
    assert "*the file changed since commit" in hover


async def test_a20_its_successor_has_no_pin(editor: Editor, home: Home, repo: Repo) -> None:
    buffer = editor.open(repo.root / "a.py")
    repo.write("a.py", CHANGED)
    repo.commit("second")
    await editor.shows(buffer, (1, "commit-moved"))
    offered = await editor.actions(buffer, 1)
    assert [each["title"] for each in offered] == ["Supersede…", "Retract", "Show history"]
    (supersede, _, _) = offered
    argument = {**supersede["command"]["arguments"][0], "text": "Retries stop after 7 attempts"}
    answer = await editor.execute(supersede["command"]["command"], argument)
    assert answer["ok"], answer
    await editor.shows(buffer)
    workspace = home.workspace(repo.root)
    try:
        memory, cited = settle.find_citations(workspace, answer["id"])
    finally:
        workspace.close()
    assert (memory.text, cited) == ("Retries stop after 7 attempts", [])


async def test_what_stands_at_no_lines_is_settled_by_name(editor: Editor, home: Home, repo: Repo) -> None:
    """One that cites a commit alone, and one that cites nothing: they have no file, but are in the list."""
    home.remember(repo.root, "Nothing backs this")
    where = {"uri": repo.root.as_uri(), "citations": []}
    answer = await editor.execute("stilltrue.check", {})
    told = {each["id"]: each for each in (await editor.execute("stilltrue.list", {}))["memories"]}
    assert (told["m3"]["citations"][0]["uri"], told["m4"]["citations"]) == (None, [])

    answer = await editor.execute(
        "stilltrue.supersede", {**where, "memory": told["m3"]["uid"], "text": "It has grown"}
    )
    assert answer == {"ok": True, "id": "m5"}
    assert (await editor.execute("stilltrue.retract", {**where, "memory": told["m4"]["uid"]}))["ok"]
    assert (await editor.execute("stilltrue.retract", {**where, "memory": "m99"}))["ok"] is False

    workspace = home.workspace(repo.root)
    try:
        assert [each.memory.id for each in history.live(workspace)] == ["m1", "m2", "m5"]
    finally:
        workspace.close()
