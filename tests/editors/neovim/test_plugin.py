"""The plugin in a real Neovim: what a person sees and settles (F26, F27, F33, F41)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from stilltrue.model.citation import Span
from stilltrue.services import history, settle
from stilltrue.services.check import check
from stilltrue.services.workspace import Workspace
from support.cli import Stilltrue
from support.nvim import SOURCE, Neovim
from support.repo import Repo
from support.waiting import until

pytestmark = pytest.mark.xdist_group("neovim")

STALE_RETRIES = [(4, "stale")]


def edit_retries(editor: Neovim) -> None:
    """Seven attempts in the place of five, not saved."""
    editor.go_to(5, 25)
    editor.type("r7<Esc>")
    found = until(editor.diagnostics, "the diagnostic of the edited lines")
    assert [(line, code) for line, code, _ in found] == STALE_RETRIES


def live(workspace: Workspace) -> list[str]:
    return [each.memory.id for each in history.live(workspace)]


def status(editor: Neovim) -> str:
    return str(editor.lua("return require('stilltrue').status()"))


def test_one_line_of_configuration_is_enough(editor: Neovim, workspace: Workspace) -> None:
    """F41: activation, the diagnostic of an unsaved edit, hover, the stock menu, re-verify."""
    edit_retries(editor)
    assert (workspace.root / "src/client.py").read_text("utf-8") == SOURCE

    editor.type("K")
    hovered = until(editor.floats, "the hover")[0]
    assert "range(5)" in hovered
    assert "range(7)" in hovered
    editor.type("<Esc>")

    editor.choose("Still true: re-verify")
    editor.type("gra")
    until(lambda: not editor.diagnostics(), "the diagnostic goes")
    assert "Supersede…" in " ".join(editor.offered())


def test_the_status_line_follows_the_count(editor: Neovim) -> None:
    """Only our own words, and an event for those who draw their own."""
    editor.lua(
        """vim.o.statusline = "%{v:lua.require'stilltrue'.status()}"
        vim.api.nvim_create_autocmd('User', { pattern = 'StillTrueStatus', callback = function(event)
          _G.heard = event.data.counts
        end })"""
    )
    assert not status(editor)
    edit_retries(editor)
    until(lambda: status(editor) == "StillTrue: 1 stale", "the count of stale memories")
    shown = editor.lua("return vim.api.nvim_eval_statusline(vim.o.statusline, {}).str")
    assert shown == "StillTrue: 1 stale"
    assert editor.lua("return _G.heard.stale") == 1
    editor.type("u")
    until(lambda: not status(editor), "nothing is stale any more")


def test_supersede_asks_for_the_text_and_changes_the_store(
    editor: Neovim, workspace: Workspace, terminal: Stilltrue
) -> None:
    """F27, F28: through the real prompt, prefilled; what the command line reads back is what was typed."""
    edit_retries(editor)
    editor.choose("Supersede")
    editor.api.input("gra")
    until(lambda: editor.mode().startswith("c"), "the prompt opens")
    editor.type("<C-u>Retries stop after 7 attempts<CR>")
    until(lambda: len(history.everything(workspace)) == 4, "the successor is stored")
    until(lambda: not editor.diagnostics(), "the diagnostic goes")

    told = terminal.process("why", "m4").out
    assert "Retries stop after 7 attempts" in told
    assert "Retries stop after 5 attempts" in told
    until(lambda: "StillTrue: superseded by m4" in editor.notices(), "the person is told")


def test_supersede_works_with_any_input_and_can_be_left(editor: Neovim, workspace: Workspace) -> None:
    """The old text is what one begins with; leaving it as it is, or leaving, changes nothing."""
    edit_retries(editor)
    editor.choose("Supersede")
    editor.answer("Retries stop after 5 attempts")
    editor.type("gra")
    until(lambda: any("the text is the same" in each for each in editor.notices()), "it says so")
    assert editor.lua("return _G.asked.default") == "Retries stop after 5 attempts"

    editor.lua("vim.ui.input = function(_, done) done(nil); _G.left = true end")
    editor.type("gra")
    until(lambda: editor.lua("return _G.left == true"), "the prompt was left")
    assert len(history.everything(workspace)) == 3

    editor.answer("Retries stop after 7 attempts")
    editor.type("gra")
    until(lambda: len(history.everything(workspace)) == 4, "the successor is stored")


def test_a_text_of_several_lines_is_written_in_a_draft(
    editor: Neovim, workspace: Workspace, terminal: Stilltrue
) -> None:
    """F28: no one-line prompt would do; the server's draft document opens instead."""
    settle.retract(workspace, [settle.find_citations(workspace, "m1")[0].uid])
    told = terminal.process("remember", "Retries stop\nafter 5 attempts", "--cite", "src/client.py:4-6")
    assert told.code == 0
    names = "return vim.fn.getcompletion('LspStillTrueSettle m', 'cmdline')"
    until(lambda: editor.lua(names) == ["m2", "m3", "m4"], "the editor knows of it")
    editor.choose("Supersede")
    editor.type(":LspStillTrueSettle m4<CR>")
    until(lambda: "supersede" in editor.name(), "the draft opens")
    until(lambda: editor.lines()[:2] == ["Retries stop", "after 5 attempts"], "the draft holds the text")


def test_remember_takes_lines_and_text(editor: Neovim, workspace: Workspace) -> None:
    """F33: with a range and a text in one go, or asked for; the menu does the same for a selection."""
    editor.type(":12,13LspStillTrueRemember The greeting is said once<CR>")
    until(lambda: len(history.everything(workspace)) == 4, "it is stored")
    citation = settle.find_citations(workspace, "m4")[1][0]
    assert (citation.path, citation.span) == ("src/client.py", Span(12, 13))

    editor.answer("One import is enough")
    editor.go_to(1)
    editor.type(":LspStillTrueRemember<CR>")
    until(lambda: len(history.everything(workspace)) == 5, "it is stored")
    assert settle.find_citations(workspace, "m5")[1][0].span == Span(1, 1)

    editor.answer("Two lines")
    editor.choose("Remember this")
    editor.type("4ggVjgra")
    until(lambda: len(history.everything(workspace)) == 6, "it is stored")
    assert settle.find_citations(workspace, "m6")[1][0].span == Span(4, 5)


def test_show_what_changed_is_a_diff_split(editor: Neovim) -> None:
    """As cited beside now, in diff mode; q closes both and nothing is left."""
    edit_retries(editor)
    editor.choose("Show what changed")
    editor.type("gra")
    until(lambda: len(editor.windows()) == 2, "two windows")
    cited, now = editor.windows()
    assert "range(5)" in cited
    assert "range(7)" in now
    assert editor.lua(
        "return vim.tbl_map(function(w) return vim.wo[w].diff end, vim.api.nvim_tabpage_list_wins(0))"
    ) == [True, True]
    bars = editor.lua(
        "return vim.tbl_map(function(w) return vim.wo[w].winbar end, vim.api.nvim_tabpage_list_wins(0))"
    )
    assert bars[0].startswith("as cited · m1: Retries stop after 5 attempts")
    assert bars[1] == "now · src/client.py:4-6"

    editor.type("q")
    until(lambda: editor.lua("return #vim.api.nvim_list_tabpages()") == 1, "the tab closes")
    assert editor.name().endswith("src/client.py")
    assert not editor.lua(
        """return vim.tbl_filter(function(b)
          return vim.api.nvim_buf_get_name(b):match('^stilltrue://') ~= nil end, vim.api.nvim_list_bufs())"""
    )
    editor.type("gra")
    until(lambda: len(editor.windows()) == 2, "it opens again")


def test_history_is_shown_and_leads_to_the_lines(editor: Neovim) -> None:
    """F33, F35: the memory's page, which `gd` leaves for the lines that are cited."""
    editor.go_to(9)
    editor.type(":LspStillTrueHistory<CR>")
    until(lambda: editor.name().startswith("memory:/"), "the page opens")
    until(lambda: "The API version is v2.1.4" in "\n".join(editor.lines()), "the memory's text")
    assert not editor.lua("return vim.bo.modifiable")
    line = next(number for number, each in enumerate(editor.lines(), 1) if "src/client.py:9" in each)
    editor.go_to(line, editor.lines()[line - 1].index("src/client.py"))
    editor.type("gd")
    until(lambda: editor.name().endswith("src/client.py"), "the file is shown")
    assert editor.api.current.window.cursor[0] == 9


def test_the_quickfix_list_knows_closed_files_and_follows(
    editor: Neovim, repo: Repo, workspace: Workspace, terminal: Stilltrue
) -> None:
    """Stale memories of the workspace, open or not; settled ones leave the list while it is looked at."""
    repo.write("src/other.py", "LIMIT = 10\n")
    terminal.process("remember", "The limit is 10", "--cite", "src/other.py:1")
    repo.write("src/other.py", "LIMIT = 20\n")
    edit_retries(editor)
    until(lambda: status(editor) == "StillTrue: 2 stale", "both are counted")
    editor.type(":LspStillTrueQuickfix<CR>")
    found = until(editor.quickfix, "the list")
    assert sorted((Path(each["file"]).name, each["lnum"], each["type"]) for each in found) == [
        ("client.py", 4, "W"),
        ("other.py", 1, "W"),
    ]
    assert any("m4: The limit is 10 — the cited lines changed" in each["text"] for each in found)

    settle.reverify(workspace, settle.find_citations(workspace, "m4")[1])
    until(lambda: [each["lnum"] for each in editor.quickfix()] == [4], "the settled one leaves the list")


def test_a_memory_of_a_closed_file_is_settled(
    editor: Neovim, repo: Repo, workspace: Workspace, terminal: Stilltrue
) -> None:
    """Where no code action can be: by name, from anywhere in the workspace."""
    repo.write("src/other.py", "LIMIT = 10\n")
    terminal.process("remember", "The limit is 10", "--cite", "src/other.py:1")
    repo.write("src/other.py", "LIMIT = 20\n")
    until(lambda: status(editor) == "StillTrue: 1 stale", "it is counted")
    editor.choose("Still true: re-verify src/other.py:1")
    editor.type(":LspStillTrueSettle m4<CR>")
    until(lambda: not status(editor), "nothing is stale any more")
    assert check(workspace).counts["fresh"] == 4
    assert "Supersede…" in editor.offered()


def test_what_rests_on_a_commit_or_on_nothing_is_listed_and_settled(
    editor: Neovim, repo: Repo, workspace: Workspace, terminal: Stilltrue
) -> None:
    """F25: such a memory has no lines to go to, which breaks neither the list nor the menu."""
    first = repo.run("rev-parse", "HEAD").strip()
    terminal.process("remember", "Written for the first release", "--cite", f"@{first}")
    terminal.process("remember", "Nothing backs this")
    repo.commit("second")
    until(lambda: "stale" in (status(editor) or ""), "git was asked")
    editor.type(":LspStillTrueQuickfix!<CR>")
    found = until(editor.quickfix, "the list")
    assert any("the repository changed since commit" in each["text"] for each in found)
    editor.type(":cclose<CR>")
    editor.choose("Retract")
    editor.type(":LspStillTrueSettle m4<CR>")
    until(lambda: "m4" not in live(workspace), "it is retracted")
    editor.type(":LspStillTrueSettle m5<CR>")
    until(lambda: "m5" not in live(workspace), "it is retracted, too")


def test_b40_b46_a_memory_is_said_to_be_right_and_then_wrong(editor: Neovim, terminal: Stilltrue) -> None:
    """What the menu says is what the command line shows."""
    editor.choose("This was right")
    editor.type(":LspStillTrueSettle m1<CR>")
    until(lambda: "noted: m1 was right" in " ".join(editor.notices()), "it is noted")
    editor.choose("This was wrong")
    editor.type(":LspStillTrueSettle m1<CR>")
    until(lambda: "taken back: m1 was not right" in " ".join(editor.notices()), "it is taken back")
    traces = json.loads(terminal.process("history", "--json").out)["traces"]
    told = json.loads(terminal.process("history", traces[0]["trace_id"], "--json").out)
    assert [each["receipt"].get("outcome") for each in told["receipts"]] == [None, "confirmed", "corrected"]


def test_undo_takes_the_last_act_back(editor: Neovim, workspace: Workspace) -> None:
    """F33: also what was done by the menu."""
    settle.retract(workspace, [settle.find_citations(workspace, "m2")[0].uid])
    until(lambda: editor.lua("return require('stilltrue').counts().memories") == 2, "it is gone")
    editor.type(":LspStillTrueUndo<CR>")
    until(lambda: editor.lua("return require('stilltrue').counts().memories") == 3, "it is back")
    until(lambda: any("taken back" in each for each in editor.notices()), "the person is told")


def test_check_tells_its_progress_and_the_counts(editor: Neovim) -> None:
    editor.lua(
        """_G.progress = {}
        vim.api.nvim_create_autocmd('LspProgress', { callback = function(event)
          table.insert(_G.progress, event.data.params.value.kind)
        end })"""
    )
    editor.type(":LspStillTrueCheck<CR>")
    until(lambda: "StillTrue: 3 memories: 3 fresh" in editor.notices(), "the counts")
    told = editor.lua("return _G.progress")
    assert (told[0], told[-1]) == ("begin", "end")


@pytest.mark.parametrize("saved", [True, False], ids=["saved", "unsaved"])
def test_snoozed_memories_are_silent_until_they_wake(editor: Neovim, *, saved: bool) -> None:
    """Noise control: for this change, and back again."""
    edit_retries(editor)
    if saved:
        editor.api.command("write")
    editor.type(":LspStillTrueSnooze<CR>")
    until(lambda: not editor.diagnostics(), "the diagnostic goes")
    until(lambda: editor.lua("return require('stilltrue').counts().snoozed") == 1, "it is counted as snoozed")
    editor.type(":LspStillTrueSnooze 0<CR>")
    until(editor.diagnostics, "the diagnostic comes back")


def test_import_shows_what_it_found_before_it_writes(
    editor: Neovim, repo: Repo, workspace: Workspace
) -> None:
    """A newcomer's first memories: nothing is written before a person says so."""
    repo.write("AGENTS.md", "# Rules\n\n- Retries are few, see src/client.py:4-6\n- Gone, see src/old.py:3\n")
    editor.choose("Cancel")
    editor.type(":LspStillTrueImport<CR>")
    assert until(editor.offered, "the question")[0] == "Import 1 memory"
    assert len(history.everything(workspace)) == 3

    editor.choose("Import 1 memory")
    editor.type(":LspStillTrueImport AGENTS.md<CR>")
    until(lambda: len(history.everything(workspace)) == 4, "it is imported")
    until(lambda: any("imported 1 memory" in each for each in editor.notices()), "the person is told")

    editor.type(":LspStillTrueImport<CR>")
    until(lambda: any("src/old.py" in text for text in editor.windows()), "what was refused is shown")


def test_a_memory_settled_in_a_terminal_reaches_the_editor(editor: Neovim, terminal: Stilltrue) -> None:
    """F23: within the two seconds that are promised, and some for a busy machine."""
    edit_retries(editor)
    terminal.process("retract", "m1")
    until(lambda: not editor.diagnostics(), "the diagnostic goes")
    until(lambda: not status(editor), "the count follows")


def cited_paths(workspace: Workspace) -> set[str | None]:
    names = ("m1", "m2", "m3")
    return {each.path for name in names for each in settle.find_citations(workspace, name)[1]}


@pytest.mark.parametrize("at_once", [False, True], ids=["later", "at once"])
def test_a_renamed_file_is_offered_to_be_repointed(
    editor: Neovim, repo: Repo, workspace: Workspace, *, at_once: bool
) -> None:
    """F38: Neovim tells of no rename; the file that holds the cited lines is asked about when opened."""
    editor.choose("Re-point")
    repo.rename("src/client.py", "src/http.py")
    if not at_once:
        editor.type(":bdelete<CR>")
    editor.edit(workspace.root / "src/http.py")
    if at_once:
        editor.type(":bdelete client.py<CR>")
    until(lambda: cited_paths(workspace) == {"src/http.py"}, "the citations follow")
    assert editor.offered() == ["Re-point", "Not now"]


def test_settings_change_while_it_runs(editor: Neovim) -> None:
    """F40: as the help says it; a value that is refused is told and changes nothing."""
    edit_retries(editor)
    change = """vim.lsp.get_clients({ name = 'stilltrue' })[1]:notify(
      'workspace/didChangeConfiguration', { settings = { stilltrue = { severity_stale = ... } } })"""
    severity = "return vim.diagnostic.get(0)[1].severity"
    editor.lua(change, "error")
    until(lambda: editor.lua(severity) == 1, "the new severity")
    editor.lua(change, "loud")
    until(lambda: "severity_stale" in editor.messages() or editor.notices(), "the refusal is told")
    assert editor.lua(severity) == 1


@pytest.mark.parametrize("command", ["Settle", "History"])
def test_a_name_that_is_no_memory_is_told(editor: Neovim, command: str) -> None:
    editor.type(f":LspStillTrue{command} m99<CR>")
    until(lambda: "StillTrue: there is no memory m99 here" in editor.notices(), "it says so")
