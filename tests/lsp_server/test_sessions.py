"""Sessions of the real server with pytest-lsp, as today's VS Code and Neovim speak (F6 to F35, F42, F43)."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from stilltrue.services import settle
from stilltrue.services.check import check
from support.repo import Repo
from support.server import NEOVIM, VSCODE, Editor, Home, quiet, width

SOURCE = """import os


def retry(call):
    for attempt in range(5):
        call(attempt)


API_VERSION = "v2.1.4"


def greet():
    x = '😀é漢'; return 'hello'
"""
RETRY = (4, "stale")
VERSION = (9, "stale")

pytestmark = pytest.mark.asyncio


@pytest.fixture
def repo(home: Home) -> Repo:
    """A repository with three memories about one file."""
    made = home.repo()
    made.write("a.py", SOURCE)
    home.remember(made.root, "Retries stop after 5 attempts", "a.py:4-6")
    home.remember(made.root, "The API version is v2.1.4", "a.py:9")
    home.remember(made.root, "The greeting is friendly", "a.py:13")
    return made


@pytest_asyncio.fixture(params=[VSCODE, NEOVIM])
async def editor(request: pytest.FixtureRequest, home: Home, repo: Repo) -> AsyncIterator[Editor]:
    async with Editor(home, repo.root, profile=request.param) as started:
        yield started


@pytest_asyncio.fixture
async def vscode(home: Home, repo: Repo) -> AsyncIterator[Editor]:
    async with Editor(home, repo.root) as started:
        yield started


# The main job, in both editors' voices


async def test_open_change_publish_action_command_publish(editor: Editor, home: Home, repo: Repo) -> None:
    """F42, F6, F17, F18, F26, F32."""
    file = repo.root / "a.py"
    buffer = editor.open(file)
    await editor.looked(buffer, 4)
    editor.edit(buffer, "range(5)", "range(7)")
    (shown,) = await editor.shows(buffer, RETRY)
    assert buffer.published[-1].version == buffer.version
    assert shown.source == "stilltrue"
    assert shown.severity == 2
    assert shown.message.startswith("m1: Retries stop after 5 attempts — the cited lines changed.")
    assert file.read_bytes().decode() == SOURCE

    titles = [action["title"] for action in await editor.actions(buffer, 5)]
    assert titles[0] == "Still true: re-verify"
    answer = await editor.choose(buffer, 5, "Still true")
    assert answer == {"ok": True, "provisional": True}
    await editor.shows(buffer)
    assert any("kept when you save" in message for message in editor.messages)
    assert generation(home, repo, "m1") == 1

    editor.save(buffer)
    await editor.until(lambda: generation(home, repo, "m1") == 2, "the re-verify is stored")
    editor.edit(buffer, "range(7)", "range(8)")
    await editor.shows(buffer, RETRY)


async def test_a_burst_is_published_at_most_twice_and_clearing_does_not_wait(
    editor: Editor, repo: Repo
) -> None:
    """F13."""
    buffer = editor.open(repo.root / "a.py")
    await editor.looked(buffer, 4)
    before = len(buffer.published)
    for number in range(20):
        editor.edit(buffer, f"range({5 + number})", f"range({6 + number})")
    await editor.shows(buffer, RETRY)
    await quiet()
    assert len(buffer.published) - before <= 2
    assert buffer.published[-1].version == buffer.version

    editor.edit(buffer, "range(25)", "range(5)")
    await editor.until(
        lambda: any(each.version == buffer.version and not each.diagnostics for each in buffer.published),
        "cleared by the very version that made it fresh",
    )
    await quiet()
    assert buffer.codes == []


async def test_the_last_published_state_belongs_to_the_last_text(editor: Editor, repo: Repo) -> None:
    """F12: fifty changes, each before the server could answer the one before."""
    buffer = editor.open(repo.root / "a.py")
    for number in range(50):
        line = f"# {number}\n"
        editor.set(buffer, line * (number % 7) + SOURCE.replace("range(5)", f"range({number % 6})"))
    await editor.until(
        lambda: buffer.published and buffer.published[-1].version == buffer.version, "the last"
    )
    await quiet()
    assert buffer.published[-1].version == buffer.version
    assert buffer.codes == [(4 + 49 % 7, "stale")]
    versions = [each.version or 0 for each in buffer.published]
    assert versions == sorted(versions)


# Text and columns


@pytest.mark.parametrize("unit", ["utf-8", "utf-16", "utf-32"])
async def test_columns_are_counted_in_the_agreed_unit(home: Home, repo: Repo, unit: str) -> None:
    """F11: edits behind an emoji land where the editor made them, and ranges end where it ends the line."""
    async with Editor(home, repo.root, profile=NEOVIM, unit=unit) as editor:
        assert editor.unit == unit
        buffer = editor.open(repo.root / "a.py")
        await editor.looked(buffer, 4)
        editor.edit(buffer, "hello", "good 漢 day")
        (shown,) = await editor.shows(buffer, (13, "stale"))
        assert shown.range.start.character == 4
        assert shown.range.end.character == width("    x = '😀é漢'; return 'good 漢 day'", unit)
        hovered = await editor.hover(buffer, 13)
        assert hovered is not None
        assert "return 'good 漢 day'" in hovered
        editor.edit(buffer, "good 漢 day", "hello")
        await editor.shows(buffer)


async def test_the_first_encoding_a_client_names_is_taken(home: Home, repo: Repo) -> None:
    async with Editor(home, repo.root, profile=VSCODE) as vscode:
        assert vscode.unit == "utf-16"
    async with Editor(home, repo.root, profile=NEOVIM) as neovim:
        assert neovim.unit == "utf-8"


# What takes part


async def test_what_is_no_file_is_left_alone(vscode: Editor, repo: Repo) -> None:
    """F16: silent, answered, no error."""
    buffers = [
        vscode.open(uri, SOURCE)
        for uri in (
            "git:/repo/a.py?%7B%22path%22%3A%22a.py%22%7D",
            "untitled:Untitled-1",
            "vscode-notebook-cell:/repo/a.ipynb#W0sZmlsZQ%3D%3D",
            "file://",
            "fugitive:///repo/.git//0/a.py",
            "output:tasks",
            f"git:{repo.root}/a.py",
        )
    ]
    for buffer in buffers:
        vscode.edit(buffer, "range(5)", "range(7)")
        assert await vscode.hover(buffer, 4) is None
        assert await vscode.actions(buffer, 4) == []
    await vscode.looked(vscode.open(repo.root / "a.py"), 4)
    for buffer in buffers:
        vscode.save(buffer, write=False)
        vscode.close(buffer)
    await quiet()
    assert [buffer.published for buffer in buffers] == [[]] * len(buffers)
    assert vscode.messages == []


async def test_a_file_outside_every_repository_is_left_alone(home: Home, vscode: Editor) -> None:
    """F16."""
    outside = home.folder / "elsewhere"
    outside.mkdir()
    (outside / "a.py").write_text(SOURCE)
    buffer = vscode.open(outside / "a.py")
    vscode.edit(buffer, "range(5)", "range(7)")
    gone = vscode.open(home.folder / "no" / "such" / "folder.py", SOURCE)
    assert await vscode.hover(buffer, 4) is None
    assert await vscode.actions(buffer, 4, 5) == []
    await quiet()
    assert (buffer.published, gone.published, vscode.messages) == ([], [], [])


async def test_a_workspace_may_be_reached_through_a_symlink(home: Home, repo: Repo) -> None:
    """F16: published under the client's name for it."""
    link = home.folder / "link"
    link.symlink_to(repo.root, target_is_directory=True)
    async with Editor(home, link) as editor:
        buffer = editor.open(link / "a.py")
        editor.edit(buffer, "range(5)", "range(7)")
        await editor.shows(buffer, RETRY)


async def test_a_folder_without_git_takes_part_when_it_is_the_workspace(home: Home) -> None:
    plain = home.folder / "plain"
    plain.mkdir()
    (plain / "a.py").write_text(SOURCE)
    home.remember(plain, "Retries stop after 5 attempts", "a.py:4-6")
    async with Editor(home, plain) as editor:
        buffer = editor.open(plain / "a.py")
        editor.edit(buffer, "range(5)", "range(7)")
        await editor.shows(buffer, RETRY)


# Which diagnostics there are, where and for how long


async def test_lines_inserted_above_are_followed_in_silence(vscode: Editor, repo: Repo) -> None:
    """F20."""
    buffer = vscode.open(repo.root / "a.py")
    await vscode.looked(buffer, 4)
    vscode.edit(buffer, "import os\n", "# one\n# two\nimport os\n")
    await quiet()
    assert buffer.codes == []
    vscode.edit(buffer, "range(5)", "range(7)")
    await vscode.shows(buffer, (6, "stale"))
    vscode.edit(buffer, "# one\n", "")
    await vscode.shows(buffer, (5, "stale"))


async def test_what_moved_to_another_file_can_be_repointed(vscode: Editor, home: Home, repo: Repo) -> None:
    """F20, F33."""
    repo.write("b.py", "# new home\n" + "\n".join(SOURCE.split("\n")[3:6]) + "\n")
    (repo.root / "a.py").write_text(SOURCE.replace("\n".join(SOURCE.split("\n")[3:6]) + "\n", ""))
    buffer = vscode.open(repo.root / "a.py")
    await vscode.until(lambda: buffer.codes, "something is shown")
    titles = [action["title"] for action in await vscode.actions(buffer, buffer.codes[0][0])]
    if (buffer.codes[0][1]) == "moved":
        answer = await vscode.choose(buffer, buffer.codes[0][0], "Re-point to b.py:2-4")
        assert answer["ok"]
        await vscode.shows(buffer)
        assert settle.find_citations(home.workspace(repo.root), "m1")[1][0].path == "b.py"
    else:
        assert any(title.startswith("Supersede…") for title in titles)


async def test_only_live_memories_are_shown(vscode: Editor, home: Home, repo: Repo) -> None:
    """F21: superseded, retracted and another repository's memories are not."""
    workspace = home.workspace(repo.root)
    settle.retract(workspace, ["m1"])
    old, _ = settle.find_citations(workspace, "m2")
    settle.supersede(workspace, "m2", settle.inheriting(old, "The API version is the second"))
    workspace.close()
    other = home.repo("other")
    other.write("a.py", SOURCE)
    home.remember(other.root, "Elsewhere retries stop", "a.py:4-6")

    buffer = vscode.open(repo.root / "a.py")
    vscode.edit(buffer, "range(5)", "range(7)")
    vscode.edit(buffer, "v2.1.4", "v2.1.3")
    (shown,) = await vscode.shows(buffer, VERSION)
    assert shown.message.startswith("m4: The API version is the second")


async def test_many_memories_are_ordered_and_limited(home: Home, repo: Repo) -> None:
    """F22: one each, by line and memory; what is left out is counted."""
    for number in range(12):
        home.remember(repo.root, f"Memory {number}", "a.py:9")
    async with Editor(home, repo.root, options={"settings": {"diagnostics_per_file": 10}}) as editor:
        buffer = editor.open(repo.root / "a.py")
        editor.edit(buffer, "v2.1.4", "v2.1.3")
        shown = await editor.until(lambda: buffer.diagnostics, "shown")
        assert [str(each.message).split(":")[0] for each in shown[:10]] == [
            "m2",
            *(f"m{n}" for n in range(4, 13)),
        ]
        assert str(shown[10].message).startswith("3 more memories of this file need attention")


@pytest.mark.parametrize(("setting", "expected"), [("keep", [RETRY]), ("clear", [])])
async def test_closing_keeps_what_the_disk_deserves(
    home: Home, repo: Repo, setting: str, expected: list[tuple[int, str]]
) -> None:
    """F23: judged on disk, or cleared, by setting."""
    (repo.root / "a.py").write_text(SOURCE.replace("range(5)", "range(6)"))
    async with Editor(home, repo.root, options={"settings": {"diagnostics_on_close": setting}}) as editor:
        buffer = editor.open(repo.root / "a.py")
        editor.edit(buffer, "v2.1.4", "v2.1.3")
        await editor.shows(buffer, RETRY, VERSION)
        editor.close(buffer)
        await editor.shows(buffer, *expected)
        assert buffer.published[-1].version is None


async def test_closing_during_a_look_shows_nothing_of_the_buffer(vscode: Editor, repo: Repo) -> None:
    """F23: the buffer's diagnostics do not come back when a late look ends."""
    buffer = vscode.open(repo.root / "a.py")
    await vscode.looked(buffer, 4)
    for _ in range(5):
        vscode.edit(buffer, "range(5)", "range(7)")
        vscode.save(buffer, write=False)
        vscode.close(buffer)
        buffer = vscode.open(repo.root / "a.py")
        vscode.edit(buffer, "v2.1.4", "v2.1.3")
        vscode.save(buffer, write=False)
        vscode.close(buffer)
        buffer = vscode.open(repo.root / "a.py")
    await quiet()
    assert buffer.codes == []
    vscode.edit(buffer, "range(5)", "range(7)")
    await vscode.shows(buffer, RETRY)
    vscode.close(buffer)
    await vscode.shows(buffer)


async def test_a_file_deleted_while_closed_has_no_diagnostics(vscode: Editor, repo: Repo) -> None:
    """F23."""
    buffer = vscode.open(repo.root / "a.py")
    vscode.edit(buffer, "range(5)", "range(7)")
    await vscode.shows(buffer, RETRY)
    (repo.root / "a.py").unlink()
    vscode.close(buffer)
    await vscode.shows(buffer)


async def test_another_process_reaches_open_documents(vscode: Editor, home: Home, repo: Repo) -> None:
    """F23: within two seconds, without an edit."""
    (repo.root / "a.py").write_text(SOURCE.replace("range(5)", "range(6)"))
    buffer = vscode.open(repo.root / "a.py")
    await vscode.shows(buffer, RETRY)
    workspace = home.workspace(repo.root)
    settle.reverify(workspace, settle.find_citations(workspace, "m1")[1])
    workspace.close()
    await vscode.until(lambda: buffer.codes == [], "the diagnostic goes", patience=2.5)


async def test_nothing_flickers_while_stale_lines_are_typed_in(vscode: Editor, repo: Repo) -> None:
    """F13: what is shown stays until it is known to be gone."""
    buffer = vscode.open(repo.root / "a.py")
    vscode.edit(buffer, "range(5)", "range(55)")
    await vscode.shows(buffer, RETRY)
    before = len(buffer.published)
    for digit in "123456":
        vscode.edit(buffer, "55", f"{digit}55")
    await quiet()
    assert all(each.diagnostics for each in buffer.published[before:])
    assert buffer.codes == [RETRY]


# Where several repositories meet


async def test_two_folders_with_the_same_relative_path(home: Home, repo: Repo) -> None:
    """F37: each memory belongs to its own repository."""
    other = home.repo("other")
    other.write("a.py", SOURCE)
    home.remember(other.root, "Only here", "a.py:9")
    async with Editor(home, repo.root, other.root) as editor:
        here, there = editor.open(repo.root / "a.py"), editor.open(other.root / "a.py")
        for buffer in (here, there):
            editor.edit(buffer, "range(5)", "range(7)")
            editor.edit(buffer, "v2.1.4", "v2.1.3")
        await editor.shows(here, RETRY, VERSION)
        (shown,) = await editor.shows(there, VERSION)
        assert "Only here" in shown.message
        assert (await editor.choose(there, 9, "Retract"))["ok"]
        await editor.shows(there)
        await quiet()
        assert here.codes == [RETRY, VERSION]


async def test_the_nearest_repository_wins(home: Home, repo: Repo) -> None:
    """F37: nested repositories."""
    inner = Repo.git(repo.root / "vendor" / "inner")
    inner.write("a.py", SOURCE)
    home.remember(inner.root, "Inner greeting", "a.py:13")
    async with Editor(home, repo.root) as editor:
        buffer = editor.open(inner.root / "a.py")
        editor.edit(buffer, "range(5)", "range(7)")
        editor.edit(buffer, "hello", "bye")
        (shown,) = await editor.shows(buffer, (13, "stale"))
        assert "Inner greeting" in shown.message


async def test_a_worktree_shares_the_memories_of_its_repository(home: Home, repo: Repo) -> None:
    """F37: judged on the worktree's own files."""
    repo.commit("first")
    tree = home.folder / "tree"
    repo.run("worktree", "add", "-q", "-b", "side", str(tree))
    async with Editor(home, repo.root, tree) as editor:
        main, side = editor.open(repo.root / "a.py"), editor.open(tree / "a.py")
        await editor.looked(main, 4)
        editor.edit(side, "range(5)", "range(7)")
        (shown,) = await editor.shows(side, RETRY)
        assert "m1" in shown.message
        await quiet()
        assert main.codes == []


# Other people's text


async def test_a_hostile_memory_is_shown_as_text(vscode: Editor, home: Home, repo: Repo) -> None:
    """F43: no links, no commands, no markup, no control characters."""
    hostile = "[x](command:workbench.action.quit) <img src=x> `a`\u202e\x1b[31m\n```\n# big"
    home.remember(repo.root, hostile, "a.py:1")
    buffer = vscode.open(repo.root / "a.py")
    await vscode.looked(buffer, 4)
    hovered = await vscode.hover(buffer, 1)
    assert hovered is not None
    assert "[x](" not in hovered
    assert "<img" not in hovered
    assert not {"\u202e", "\x1b"} & set(hovered)
    assert "\n# big" not in hovered
    vscode.edit(buffer, "import os", "import sys")
    (shown,) = await vscode.shows(buffer, (1, "stale"))
    assert not {"\u202e", "\x1b", "\n"} & set(str(shown.message))
    assert all("\x1b" not in action["title"] for action in await vscode.actions(buffer, 1))


async def test_a_check_of_the_saved_file_agrees_with_the_editor(
    vscode: Editor, home: Home, repo: Repo
) -> None:
    buffer = vscode.open(repo.root / "a.py")
    vscode.edit(buffer, "range(5)", "range(7)")
    vscode.edit(buffer, "import os", "import os\nimport sys")
    await vscode.shows(buffer, (5, "stale"))
    vscode.save(buffer)
    workspace = home.workspace(repo.root)
    report = check(workspace)
    workspace.close()
    stale = [judged.memory.id for judged in report.memories if judged.verdict.label != "fresh"]
    assert stale == ["m1"]
    assert buffer.codes == [(5, "stale")]


def generation(home: Home, repo: Repo, memory: str) -> int:
    workspace = home.workspace(repo.root)
    try:
        return settle.find_citations(workspace, memory)[1][0].generation
    finally:
        workspace.close()
