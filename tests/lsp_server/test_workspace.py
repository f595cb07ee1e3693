"""The whole workspace: list, counts, check, pulls, pages, lenses, renames, settings (F23 to F40)."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from lsprotocol import types

from stilltrue.services import history, settle
from stilltrue.services.recording import parse_spec
from stilltrue.services.remember import Request, remember_many
from support.repo import Repo
from support.server import NEOVIM, Editor, Home, quiet

SOURCE = """import os


def retry(call):
    for attempt in range(5):
        call(attempt)


API_VERSION = "v2.1.4"
"""
CHANGED = SOURCE.replace("range(5)", "range(7)")
RETRY = (4, "stale")
Json = dict[str, Any]

pytestmark = pytest.mark.asyncio


@pytest.fixture
def repo(home: Home) -> Repo:
    made = home.repo()
    made.write("a.py", SOURCE)
    made.write("b.py", "LIMIT = 'thirty seconds in all'\n")
    home.remember(made.root, "Retries stop after 5 attempts", "a.py:4-6")
    home.remember(made.root, "The limit is 30 s", "b.py:1")
    return made


@pytest_asyncio.fixture
async def editor(home: Home, repo: Repo) -> AsyncIterator[Editor]:
    async with Editor(home, repo.root, options={"status": True}) as started:
        yield started


async def listed(editor: Editor) -> dict[str, Json]:
    answer = await editor.execute("stilltrue.list", {})
    assert answer["ok"]
    return {each["id"]: each for each in answer["memories"]}


async def until_listed(editor: Editor, memory: str, **wanted: object) -> Json:
    """Wait until the list says that of a memory."""
    for _ in range(400):
        found = (await listed(editor)).get(memory, {})
        if all(found.get(name) == value for name, value in wanted.items()):
            return found
        await quiet_moment()
    raise AssertionError(f"never listed as {wanted}: {await listed(editor)}")


async def quiet_moment() -> None:
    await asyncio.sleep(0.02)


# The list and the counts


async def test_the_list_has_what_is_on_disk_and_what_is_in_buffers(editor: Editor, repo: Repo) -> None:
    """F6: an open buffer counts as it is, a closed file as it lies on disk."""
    repo.write("b.py", "LIMIT = 'sixty seconds in all'\n")
    found = await until_listed(editor, "m2", freshness="stale")
    assert found["citations"][0]["view"] == "disk"
    assert found["citations"][0]["canReverify"]
    buffer = editor.open(repo.root / "a.py")
    await editor.looked(buffer, 4)
    editor.edit(buffer, "range(5)", "range(7)")
    found = await until_listed(editor, "m1", freshness="stale", kind="content")
    (cited,) = found["citations"]
    assert (cited["view"], cited["startLine"], cited["endLine"], cited["code"]) == ("buffer", 4, 6, "stale")
    assert cited["uri"] == buffer.uri
    editor.edit(buffer, "range(7)", "range(5)")
    await until_listed(editor, "m1", freshness="fresh")


async def test_counts_follow_other_processes_within_moments(home: Home, editor: Editor, repo: Repo) -> None:
    """F23: nothing is open, and yet the client is told of a new memory and of a changed file."""
    await editor.until(lambda: editor.status and editor.status[-1]["fresh"] == 2, "two are fresh")
    home.remember(repo.root, "os is imported", "a.py:1")
    await editor.until(lambda: editor.status and editor.status[-1]["memories"] == 3, "a third is counted")
    repo.write("a.py", CHANGED)
    await editor.until(lambda: editor.status and editor.status[-1]["stale"] == 1, "one is stale")
    assert editor.status[-1]["problem"] is None
    assert not editor.messages


async def test_a_client_that_asks_for_no_counts_is_told_none(home: Home, repo: Repo) -> None:
    async with Editor(home, repo.root) as editor:
        await listed(editor)
        await quiet()
        assert not editor.status


async def test_check_judges_all_and_tells_the_counts(editor: Editor, repo: Repo) -> None:
    repo.write("a.py", CHANGED)
    answer = await editor.execute("stilltrue.check", {})
    assert answer["ok"]
    assert not answer["cancelled"]
    assert (answer["counts"]["stale"], answer["counts"]["fresh"]) == (1, 1)


async def test_a_check_can_be_cancelled(home: Home, repo: Repo) -> None:
    """The person cancels as soon as progress is shown; nothing is judged further."""
    requests = []
    for number in range(3000):
        repo.write(f"many/{number}.py", f"VALUE = 'the value of number {number}'\n")
        requests.append(Request(text=f"n{number}", citations=(parse_spec(f"many/{number}.py:1"),)))
    workspace = home.workspace(repo.root)
    assert len(list(remember_many(workspace, requests))) == 3000
    workspace.close()
    async with Editor(home, repo.root) as editor:
        editor.cancels = True
        answer = await editor.execute("stilltrue.check", {})
        assert answer["cancelled"]
        assert editor.progress[-1] == "cancelled"
        editor.cancels = False
        answer = await editor.execute("stilltrue.check", {})
        assert (answer["cancelled"], answer["counts"]["fresh"]) == (False, 3002)
        assert editor.progress[-1] == "3002 memories: all still true"


async def test_a_folder_without_memories_costs_nothing_visible(home: Home, tmp_path: Path) -> None:
    """F5: no store, no message, no diagnostic."""
    bare = Repo.git(tmp_path / "bare")
    file = bare.write("a.py", SOURCE)
    async with Editor(home, bare.root, options={"status": True}) as editor:
        buffer = editor.open(file)
        editor.edit(buffer, "5", "6")
        answer = await editor.execute("stilltrue.list", {})
        assert (answer["memories"], answer["counts"]["memories"]) == ([], 0)
        assert not buffer.published
        assert not editor.messages
    assert not home.database.exists()


async def test_nothing_is_written_into_the_workspace(editor: Editor, repo: Repo) -> None:
    """A workspace on a read-only disk is as good as any: memories, drafts and views lie elsewhere."""
    repo.write("b.py", "LIMIT = 'sixty seconds in all'\n")
    before = _tree(repo.root)
    buffer = editor.open(repo.root / "a.py")
    await editor.looked(buffer, 4)
    editor.edit(buffer, "range(5)", "range(7)")
    await editor.shows(buffer, RETRY)
    await editor.choose(buffer, 4, "Show what changed")
    await editor.choose(buffer, 4, "Supersede")
    assert (await editor.choose(buffer, 4, "Supersede", text="Retries stop after 7 attempts"))["ok"]
    second = await until_listed(editor, "m2", freshness="stale")
    assert (await editor.execute("stilltrue.reverify", _about(second)))["ok"]
    assert (await editor.execute("stilltrue.check", {}))["ok"]
    await until_listed(editor, "m2", freshness="fresh")
    assert _tree(repo.root) == before


# Settling what is not open


async def test_a_closed_file_is_settled_from_the_list(editor: Editor, repo: Repo, home: Home) -> None:
    """F26, F27: on the text as it lies on disk."""
    repo.write("a.py", CHANGED)
    repo.write("b.py", "LIMIT = 'sixty seconds in all'\n")
    first = await until_listed(editor, "m1", freshness="stale")
    second = await until_listed(editor, "m2", freshness="stale")
    assert (await editor.execute("stilltrue.reverify", _about(first)))["ok"]
    assert (await editor.execute("stilltrue.supersede", {**_about(second), "text": "The limit is 60 s"}))[
        "ok"
    ]
    await until_listed(editor, "m1", freshness="fresh")
    await until_listed(editor, "m3", freshness="fresh", text="The limit is 60 s")
    store = home.workspace(repo.root)
    assert [each.memory.id for each in history.live(store)] == ["m1", "m3"]
    citation = settle.find_citations(store, "m1")[1][0]
    assert (citation.generation, citation.origin) == (2, "disk")


async def test_what_is_gone_is_not_called_still_true(editor: Editor, repo: Repo) -> None:
    (repo.root / "b.py").unlink()
    found = await until_listed(editor, "m2", freshness="stale", kind="structural")
    assert not found["citations"][0]["canReverify"]
    assert not (await editor.execute("stilltrue.reverify", _about(found)))["ok"]
    assert "is gone" in editor.messages[-1]
    assert (await editor.execute("stilltrue.retract", _about(found)))["ok"]
    assert set(await listed(editor)) == {"m1"}


async def test_undo_needs_no_open_file(editor: Editor, repo: Repo) -> None:
    """F33."""
    repo.write("a.py", CHANGED)
    found = await until_listed(editor, "m1", freshness="stale")
    await editor.execute("stilltrue.reverify", _about(found))
    await until_listed(editor, "m1", freshness="fresh")
    assert (await editor.execute("stilltrue.undo", {}))["undone"] == "reverify"
    await until_listed(editor, "m1", freshness="stale")


# Noise control


async def test_a_snooze_silences_until_the_lines_change_again(editor: Editor, repo: Repo) -> None:
    buffer = editor.open(repo.write("a.py", CHANGED))
    await editor.shows(buffer, RETRY)
    assert (await editor.choose(buffer, 4, "Snooze until these lines change again"))["ok"]
    await editor.shows(buffer)
    found = await until_listed(editor, "m1", snoozed="until its lines change")
    assert found["freshness"] == "stale"
    await editor.until(
        lambda: editor.status and editor.status[-1]["snoozed"] == 1, "it is counted as snoozed"
    )
    editor.edit(buffer, "range(7)", "range(8)")
    await editor.shows(buffer, RETRY)
    await until_listed(editor, "m1", snoozed=None)


async def test_a_snooze_for_days_holds_through_edits_and_can_be_ended(editor: Editor, repo: Repo) -> None:
    buffer = editor.open(repo.write("a.py", CHANGED))
    (shown,) = await editor.shows(buffer, RETRY)
    about = {"uri": buffer.uri, "citations": shown.data["citations"]}  # type: ignore[index]
    assert (await editor.execute("stilltrue.snooze", {**about, "days": 7}))["ok"]
    await editor.shows(buffer)
    editor.edit(buffer, "range(7)", "range(8)")
    await quiet()
    assert buffer.codes == []
    assert (await editor.execute("stilltrue.snooze", {**about, "days": 0}))["ok"]
    await editor.shows(buffer, RETRY)


async def test_ignored_files_are_silent_at_run_time(editor: Editor, repo: Repo) -> None:
    """F40: the next publish uses the new setting, in either spelling."""
    buffer = editor.open(repo.write("a.py", CHANGED))
    await editor.shows(buffer, RETRY)
    change(editor, {"ignore": ["a.*"]})
    await editor.shows(buffer)
    await until_listed(editor, "m1", snoozed="by the setting `ignore`")
    change(editor, {"severityStale": "error"})
    (shown,) = await editor.shows(buffer, RETRY)
    assert shown.severity is types.DiagnosticSeverity.Error
    change(editor, {"severity_stale": "off"})
    await editor.shows(buffer)


async def test_refused_settings_leave_the_old_ones(editor: Editor, repo: Repo) -> None:
    """F40: an unknown value is refused with a message, and so is an unknown name; all or none."""
    buffer = editor.open(repo.write("a.py", CHANGED))
    change(editor, {"severityStale": "error"})
    await editor.shows(buffer, RETRY)
    for bad in ({"severityStale": "loud"}, {"noSuch": 1, "severityStale": "hint"}, {"ignore": "a.*"}):
        told = len(editor.messages)
        change(editor, bad)
        await editor.until(partial(_more_than, editor, told), "refused")
        assert "not taken over" in editor.messages[-1]
    await quiet()
    assert buffer.diagnostics[0].severity is types.DiagnosticSeverity.Error


async def test_a_client_that_is_asked_for_its_settings_answers(home: Home, repo: Repo) -> None:
    """F40: where none came at `initialize`, and again where a change comes without them."""
    async with Editor(home, repo.root, answers={"stilltrue": {"severityStale": "error"}}) as editor:
        buffer = editor.open(repo.write("a.py", CHANGED))
        await editor.until(
            lambda: [each.severity for each in buffer.diagnostics] == [types.DiagnosticSeverity.Error],
            "asked",
        )
        editor.answers["stilltrue"] = {"severityStale": "hint"}
        editor.client.workspace_did_change_configuration(types.DidChangeConfigurationParams(settings=None))
        await editor.until(
            lambda: buffer.diagnostics[0].severity is types.DiagnosticSeverity.Hint, "asked again"
        )


# Pull diagnostics


async def test_pulled_diagnostics_are_the_pushed_ones(home: Home, repo: Repo) -> None:
    """F24: the same rows, and nothing is pushed."""
    file = repo.write("a.py", CHANGED)
    async with Editor(home, repo.root) as pushed:
        buffer = pushed.open(file)
        (shown,) = await pushed.shows(buffer, RETRY)
    async with Editor(home, repo.root, pulls=True) as pulling:
        buffer = pulling.open(file)
        report = await pulled(pulling, buffer.uri)
        assert not buffer.published
        (row,) = report["items"]
        assert row["range"] == {
            "start": {"line": shown.range.start.line, "character": shown.range.start.character},
            "end": {"line": shown.range.end.line, "character": shown.range.end.character},
        }
        assert (row["message"], row["code"], row["data"]) == (shown.message, shown.code, shown.data)
        again = await pulling.ask(
            "textDocument/diagnostic",
            {"textDocument": {"uri": buffer.uri}, "previousResultId": report["resultId"]},
        )
        assert again == {"kind": "unchanged", "resultId": report["resultId"]}


async def test_who_cannot_be_asked_to_pull_again_is_pushed_to(home: Home, repo: Repo) -> None:
    """F24: one channel a client."""
    for profile in (NEOVIM,):
        async with Editor(home, repo.root, profile=profile, pulls=True) as editor:
            assert editor.capabilities.diagnostic_provider is None
    async with Editor(home, repo.root, pulls=True) as editor:
        assert editor.capabilities.diagnostic_provider is not None


async def test_closed_files_are_in_the_workspace_report(home: Home, repo: Repo) -> None:
    """F24: at the lines of the disk; a change is answered once there is one."""
    file = repo.write("a.py", "# above\n" + CHANGED)
    async with Editor(home, repo.root, pulls=True) as editor:
        report = await workspace_report(editor, {})
        (found,) = report["items"]
        assert found["uri"] == file.as_uri()
        assert [(row["code"], row["range"]["start"]["line"]) for row in found["items"]] == [("stale", 4)]
        waiting = editor.later("workspace/diagnostic", _previous({file.as_uri(): found["resultId"]}))
        repo.write("a.py", SOURCE)
        report = await waiting
        assert [(item["uri"], item["items"]) for item in report["items"]] == [(file.as_uri(), [])]


@pytest.mark.parametrize("reverted", [True, False], ids=["reverted and closed", "closed"])
async def test_the_rows_of_a_discarded_edit_go(home: Home, repo: Repo, *, reverted: bool) -> None:
    """F24: a client that closes a document drops the last answer about it, and names it no more."""
    repo.write("b.py", "LIMIT = 'sixty seconds in all'\n")
    async with Editor(home, repo.root, pulls=True) as editor:
        report = await workspace_report(editor, {})
        known = {item["uri"]: item["resultId"] for item in report["items"]}
        buffer = editor.open(repo.root / "a.py")
        await editor.looked(buffer, 4)
        editor.edit(buffer, "range(5)", "range(7)")
        await pulled(editor, buffer.uri)
        if reverted:
            editor.edit(buffer, "range(7)", "range(5)")
            await until_listed(editor, "m1", freshness="fresh")
        about = {"textDocument": {"uri": buffer.uri}}
        dropped = await editor.ask("textDocument/diagnostic", about)
        assert len(dropped["items"]) == (0 if reverted else 1)
        editor.close(buffer)
        while True:  # a client goes on asking; what it forgot it does not name
            report = await editor.ask("workspace/diagnostic", _previous(known))
            if {item["uri"]: item["items"] for item in report["items"]}.get(buffer.uri) == []:
                break
            known |= {item["uri"]: item["resultId"] for item in report["items"] if item["uri"] != buffer.uri}
        assert (await editor.ask("textDocument/diagnostic", about))["items"] == []


async def test_a_missing_file_is_in_the_workspace_report(home: Home, repo: Repo) -> None:
    (repo.root / "b.py").unlink()
    async with Editor(home, repo.root, pulls=True) as editor:
        report = await workspace_report(editor, {})
        assert [row["code"] for item in report["items"] for row in item["items"]] == ["missing"]


# From a memory to its lines and back


async def test_a_page_leads_to_its_lines_and_back(editor: Editor, repo: Repo) -> None:
    """F33: the read-only view; definition and references."""
    found = (await listed(editor))["m1"]
    view = f"memory:/{found['uid']}/m1.md"
    text = (await editor.ask("workspace/textDocumentContent", {"uri": view}))["text"]
    assert "Retries stop after 5 attempts" in text
    line = next(index for index, row in enumerate(text.split("\n")) if "a.py:4-6" in row)
    at = {"textDocument": {"uri": view}, "position": {"line": line, "character": 3}}
    lines = {"start": {"line": 3, "character": 0}, "end": {"line": 6, "character": 0}}
    target = {"uri": (repo.root / "a.py").as_uri(), "range": lines}
    assert await editor.ask("textDocument/definition", at) == [target]
    assert await editor.ask("textDocument/references", {**at, "context": {"includeDeclaration": True}}) == [
        target
    ]
    buffer = editor.open(repo.root / "a.py")
    await editor.looked(buffer, 4)
    here = {"textDocument": {"uri": buffer.uri}, "position": {"line": 4, "character": 0}}
    back = await editor.ask("textDocument/references", {**here, "context": {"includeDeclaration": True}})
    assert [each["uri"] for each in back] == [view]
    assert await editor.ask("textDocument/definition", here) == []


async def test_a_page_of_nothing_is_refused(editor: Editor) -> None:
    for uri in ("memory:/no-such/m9.md", "memory:", "memory:/", "file:///etc/passwd"):
        answer = await editor.refused("workspace/textDocumentContent", {"uri": uri})
        assert answer["code"] == -32602


async def test_the_code_of_a_diagnostic_leads_to_its_page(editor: Editor, repo: Repo) -> None:
    """Only where the client can open it."""
    file = repo.write("a.py", CHANGED)
    (shown,) = await editor.shows(editor.open(file), RETRY)
    assert shown.code_description is not None
    page = await editor.ask("workspace/textDocumentContent", {"uri": shown.code_description.href})
    assert page["text"].startswith("# The cited lines changed (`stale`)")
    answer = await editor.refused("workspace/textDocumentContent", {"uri": "memory:/help/no-such.md"})
    assert answer["code"] == -32602


async def test_a_client_without_pages_gets_no_link(home: Home, repo: Repo) -> None:
    async with Editor(home, repo.root, profile=NEOVIM) as editor:
        (shown,) = await editor.shows(editor.open(repo.write("a.py", CHANGED)), RETRY)
        assert shown.code_description is None


async def test_memories_are_found_by_their_words(editor: Editor) -> None:
    await listed(editor)
    found = await editor.ask("workspace/symbol", {"query": "after retries"})
    assert [each["name"] for each in found] == ["m1: Retries stop after 5 attempts"]
    assert found[0]["location"]["range"]["start"]["line"] == 3
    assert await editor.ask("workspace/symbol", {"query": "nothing like it"}) == []
    assert len(await editor.ask("workspace/symbol", {"query": ""})) == 2


@pytest.mark.parametrize(("display", "lenses", "hints"), [("lens", 1, 0), ("hint", 0, 1), ("none", 0, 0)])
async def test_cited_lines_are_marked_as_the_settings_say(
    home: Home, repo: Repo, display: str, lenses: int, hints: int
) -> None:
    """F35."""
    async with Editor(home, repo.root, options={"settings": {"display": display}}) as editor:
        buffer = editor.open(repo.write("a.py", CHANGED))
        await editor.shows(buffer, RETRY)
        named = {"textDocument": {"uri": buffer.uri}}
        found = await editor.ask("textDocument/codeLens", named)
        assert [each["command"]["title"] for each in found] == [
            "m1 (stale): Retries stop after 5 attempts"
        ] * lenses
        everywhere = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}
        found = await editor.ask("textDocument/inlayHint", {**named, "range": everywhere})
        assert [(each["label"], each["position"]) for each in found] == [
            ("m1 (stale): Retries stop after 5 attempts", {"line": 3, "character": 16})
        ] * hints


# Renames


async def test_a_renamed_file_is_offered_and_repointed(editor: Editor, repo: Repo, home: Home) -> None:
    """F38: both citations follow to where the very bytes stand."""
    home.remember(repo.root, "The API version is v2.1.4", "a.py:9")
    await until_listed(editor, "m3", freshness="fresh")
    rename(editor, repo, "a.py", "core.py")
    await editor.until(lambda: editor.asked, "the person is asked")
    assert editor.asked[-1].message == "StillTrue: 2 memories cited a.py. Re-point to core.py?"
    await editor.until(lambda: editor.messages, "the person is told")
    assert editor.messages[-1] == "StillTrue: re-pointed 2 citations to core.py"
    found = await until_listed(editor, "m1", freshness="fresh")
    assert found["citations"][0]["path"] == "core.py"
    assert found["citations"][0]["generation"] == 2
    await until_listed(editor, "m3", freshness="fresh")


async def test_a_renamed_folder_is_one_question(editor: Editor, repo: Repo, home: Home) -> None:
    repo.write("pkg/one.py", "ONE = 'a line to be cited'\n")
    repo.write("pkg/two.py", "TWO = 'another line to be cited'\n")
    home.remember(repo.root, "Two files", "pkg/one.py:1", "pkg/two.py:1")
    await until_listed(editor, "m3", freshness="fresh")
    rename(editor, repo, "pkg", "package")
    await editor.until(lambda: editor.messages, "the person is told")
    found = await until_listed(editor, "m3", freshness="fresh")
    assert [each["path"] for each in found["citations"]] == ["package/one.py", "package/two.py"]
    assert len(editor.asked) == 1


async def test_what_changed_in_the_rename_stays_to_be_settled(editor: Editor, repo: Repo) -> None:
    """F38: a re-point never calls other bytes true."""
    await listed(editor)
    (repo.root / "a.py").write_text(CHANGED)
    rename(editor, repo, "a.py", "core.py")
    await editor.until(lambda: editor.messages, "the person is told")
    assert "the lines are not in core.py" in editor.messages[-1]
    await until_listed(editor, "m1", freshness="stale", kind="structural")


async def test_a_person_who_declines_is_left_alone(editor: Editor, repo: Repo) -> None:
    editor.picks = "Not now"
    await listed(editor)
    rename(editor, repo, "a.py", "core.py")
    await editor.until(lambda: editor.asked, "the person is asked")
    editor.open(repo.root / "core.py")
    await until_listed(editor, "m1", freshness="unknown")
    await quiet()
    assert len(editor.asked) == 1


async def test_a_client_that_tells_of_no_renames_is_asked_on_open(home: Home, repo: Repo) -> None:
    """F38: Neovim, git mv and others: the opened file holds all that a missing one is cited for."""
    async with Editor(home, repo.root, profile=NEOVIM) as editor:
        await listed(editor)
        (repo.root / "a.py").rename(repo.root / "core.py")
        await until_listed(editor, "m1", freshness="unknown")
        editor.open(repo.root / "core.py")
        await editor.until(lambda: editor.asked, "the person is asked")
        await until_listed(editor, "m1", freshness="fresh")
        assert not editor.messages or "re-pointed 1" in editor.messages[-1]


async def test_a_deleted_file_is_noticed(editor: Editor, repo: Repo) -> None:
    buffer = editor.open(repo.root / "b.py")
    await editor.looked(buffer, 1)
    editor.close(buffer)
    (repo.root / "b.py").unlink()
    deleted = types.DeleteFilesParams(files=[types.FileDelete(uri=buffer.uri)])
    editor.client.workspace_did_delete_files(deleted)
    await until_listed(editor, "m2", kind="structural")


# Import and report


async def test_import_tells_first_and_then_does(editor: Editor, repo: Repo) -> None:
    repo.write("AGENTS.md", "# Rules\n\n- Retries are counted in `a.py:5`.\n- See src/gone.py:3.\n")
    told = await editor.execute("stilltrue.import", {"dryRun": True})
    assert (told["imported"], [each["source"] for each in told["found"]]) == (0, ["AGENTS.md"])
    assert len(told["refused"]) == 1
    assert set(await listed(editor)) == {"m1", "m2"}
    done = await editor.execute("stilltrue.import", {"files": [(repo.root / "AGENTS.md").as_uri()]})
    assert done["imported"] == 1
    await until_listed(editor, "m3", freshness="fresh")
    again = await editor.execute("stilltrue.import", {})
    assert (again["imported"], again["known"]) == (0, 1)


async def test_the_report_names_no_memory(editor: Editor) -> None:
    answer = await editor.execute("stilltrue.doctor", {})
    assert "store" in answer["text"]
    assert "Retries" not in json.dumps(answer)


def change(editor: Editor, settings: Json) -> None:
    """The person changed their settings."""
    editor.client.workspace_did_change_configuration(
        types.DidChangeConfigurationParams(settings={"stilltrue": settings})
    )


def rename(editor: Editor, repo: Repo, old: str, new: str) -> None:
    """Rename a file or folder as an editor does, which tells of it."""
    before, after = repo.root / old, repo.root / new
    before.rename(after)
    renamed = types.FileRename(old_uri=before.as_uri(), new_uri=after.as_uri())
    editor.client.workspace_did_rename_files(types.RenameFilesParams(files=[renamed]))


async def pulled(editor: Editor, uri: str) -> Json:
    """What a client that pulls until something is shown gets."""
    for _ in range(400):
        report = await editor.ask("textDocument/diagnostic", {"textDocument": {"uri": uri}})
        if report["items"]:
            return report  # type: ignore[no-any-return]
        await quiet_moment()
    raise AssertionError("nothing was shown")


async def workspace_report(editor: Editor, previous: dict[str, str]) -> Json:
    """The workspace's report once it has anything."""
    for _ in range(400):
        report = await editor.ask("workspace/diagnostic", _previous(previous))
        if report["items"]:
            return report  # type: ignore[no-any-return]
        await quiet_moment()
    raise AssertionError("nothing was shown")


def _more_than(editor: Editor, count: int) -> bool:
    return len(editor.messages) > count


def _tree(root: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}


def _previous(known: dict[str, str]) -> Json:
    return {"previousResultIds": [{"uri": uri, "value": value} for uri, value in known.items()]}


def _about(memory: Json) -> Json:
    """The argument of a command about a listed memory."""
    (cited,) = memory["citations"]
    return {
        "uri": cited["uri"],
        "memory": memory["uid"],
        "citations": [{"uid": cited["uid"], "generation": cited["generation"]}],
    }
