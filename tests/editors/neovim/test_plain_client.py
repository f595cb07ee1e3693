"""A plain configuration without the plugin in a real Neovim: the main job (F17, F26, F41)."""

from __future__ import annotations

from pathlib import Path
from typing import Self

import pytest

from stilltrue.model.citation import Span
from stilltrue.services import history, settle
from stilltrue.services.check import check
from stilltrue.services.workspace import Workspace
from support.nvim import SOURCE, Neovim, servers
from support.waiting import until

pytestmark = pytest.mark.xdist_group("neovim")


def neovim(tmp_path: Path, workspace: Workspace, encoding: str = "utf-16") -> Started:
    return Started(
        tmp_path / "home", workspace.root, {"STILLTRUE_DB": str(tmp_path / "memories.db")}, encoding
    )


class Started(Neovim):
    """A Neovim without the plugin, the server started by hand."""

    def __init__(self, folder: Path, workspace: Path, environment: dict[str, str], encoding: str) -> None:
        super().__init__(folder, workspace, environment)
        self.encoding = encoding

    def __enter__(self) -> Self:
        super().__enter__()
        self.start_plain(self.encoding)
        return self


def test_unsaved_edit_is_seen_reverified_and_kept_on_save(tmp_path: Path, workspace: Workspace) -> None:
    """F6, F26, F32: the diagnostic comes while typing, goes with re-verify, and is stored on save."""
    file = workspace.root / "src/client.py"
    with neovim(tmp_path, workspace) as editor:
        editor.edit(file)
        until(lambda: editor.lua("return #vim.lsp.get_clients()"), "the server attaches")
        editor.go_to(5, 25)
        editor.type("r7<Esc>")

        found = until(editor.diagnostics, "the diagnostic of the edited lines")
        assert [(line, code) for line, code, _ in found] == [(4, "stale")]
        assert "Retries stop after 5 attempts" in found[0][2]
        assert file.read_text("utf-8") == SOURCE

        editor.lua("vim.lsp.buf.hover()")
        hovered = until(editor.floats, "the hover")[0]
        assert "range(5)" in hovered
        assert "range(7)" in hovered
        assert "Still true: re-verify" in editor.action_titles()

        editor.apply("Still true: re-verify")
        until(lambda: not editor.diagnostics(), "the diagnostic goes")
        assert "kept when you save" in editor.messages()
        assert _generation(workspace, "m1") == 1
        assert check(workspace).counts == {"memories": 3, "fresh": 3}

        editor.type(":w<CR>")
        until(lambda: "range(7)" in file.read_text("utf-8"), "the file is saved")
        until(lambda: _generation(workspace, "m1") == 2, "the re-verify is stored")
        assert check(workspace).counts == {"memories": 3, "fresh": 3}


def test_supersede_through_a_draft_document(tmp_path: Path, workspace: Workspace) -> None:
    """F27, F28: a client without prompts is asked for the text by a draft that is applied when saved."""
    file = workspace.root / "src/client.py"
    with neovim(tmp_path, workspace) as editor:
        editor.edit(file)
        until(lambda: editor.lua("return #vim.lsp.get_clients()"), "the server attaches")
        editor.go_to(9, 20)
        editor.type("r3<Esc>")
        until(editor.diagnostics, "the diagnostic")
        editor.apply("Supersede")
        until(lambda: "supersede-m2" in editor.name(), "the draft opens")
        until(lambda: editor.lines()[0] == "The API version is v2.1.4", "the draft holds the text")

        editor.type("ggccThe API version is v2.1.3<Esc>:w<CR>")
        until(lambda: len(history.everything(workspace)) == 4, "the successor is stored")
        new = history.show(workspace, "m4")[0]
        assert new.memory.text == "The API version is v2.1.3"
        assert new.memory.supersedes == history.show(workspace, "m2")[0].memory.uid
        draft = Path(editor.name())
        until(lambda: not draft.exists(), "the draft file goes")
        editor.edit(file)
        until(lambda: not editor.diagnostics(), "the diagnostic of the old memory goes")


def test_remember_the_selected_lines(tmp_path: Path, workspace: Workspace) -> None:
    """F33: lines selected by hand, the stock key for actions, a draft, a save."""
    with neovim(tmp_path, workspace) as editor:
        editor.edit(workspace.root / "src/client.py")
        until(lambda: editor.lua("return #vim.lsp.get_clients()"), "the server attaches")
        editor.go_to(13)
        until(lambda: _is_looked_at(editor), "the server has looked at the file")
        editor.lua("vim.ui.select = function(items, _, choose) choose(items[#items], #items) end")
        editor.type("kVjgra")
        until(lambda: "remember" in editor.name() and len(editor.lines()) > 1, "the draft opens")
        until(lambda: editor.api.api.get_mode()["mode"] == "n", "the selection is over")
        editor.type("ggiThe greeting is said once<Esc>:w<CR>")
        until(lambda: len(history.everything(workspace)) == 4, "it is stored")

    citation = settle.find_citations(workspace, "m4")[1][0]
    assert (citation.path, citation.span) == ("src/client.py", Span(12, 13))


def test_undo_clears_and_lines_above_are_followed_in_silence(tmp_path: Path, workspace: Workspace) -> None:
    """F6, F20: what is as cited again is fresh again; moved within the file is no news."""
    with neovim(tmp_path, workspace) as editor:
        editor.edit(workspace.root / "src/client.py")
        until(lambda: editor.lua("return #vim.lsp.get_clients()"), "the server attaches")
        editor.go_to(5, 25)
        editor.type("r7<Esc>")
        until(editor.diagnostics, "the diagnostic")
        editor.type("ggO# one<CR># two<Esc>")
        until(lambda: [line for line, *_ in editor.diagnostics()] == [6], "the diagnostic moves along")
        editor.type("jjjjj0f7r5<Esc>")
        until(lambda: not editor.diagnostics(), "the diagnostic goes with the old text")


def test_reverify_is_kept_by_the_last_thing_a_person_types(tmp_path: Path, workspace: Workspace) -> None:
    """F32: `:wq` saves, closes and ends the server, all at once."""
    with neovim(tmp_path, workspace) as editor:
        editor.edit(workspace.root / "src/client.py")
        until(lambda: editor.lua("return #vim.lsp.get_clients()"), "the server attaches")
        editor.go_to(5, 25)
        editor.type("r7<Esc>")
        until(editor.diagnostics, "the diagnostic")
        editor.apply("Still true: re-verify")
        until(lambda: not editor.diagnostics(), "the diagnostic goes")
        editor.type(":wq<CR>")
        until(lambda: _generation(workspace, "m1") == 2, "the re-verify is stored")


def test_another_process_reaches_the_editor(tmp_path: Path, workspace: Workspace) -> None:
    """F23: a memory settled on the command line clears its diagnostic without an edit."""
    file = workspace.root / "src/client.py"
    file.write_text(SOURCE.replace("range(5)", "range(9)"), "utf-8")
    with neovim(tmp_path, workspace) as editor:
        editor.edit(file)
        until(editor.diagnostics, "the diagnostic at open")
        settle.reverify(workspace, settle.find_citations(workspace, "m1")[1])
        until(lambda: not editor.diagnostics(), "the diagnostic goes")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
def test_columns_in_every_encoding(tmp_path: Path, workspace: Workspace, encoding: str) -> None:
    """F11: Neovim turns the columns it was told into bytes; whatever the unit, they are the same."""
    with neovim(tmp_path, workspace, encoding) as editor:
        editor.edit(workspace.root / "src/client.py")
        until(lambda: editor.lua("return #vim.lsp.get_clients()"), "the server attaches")
        assert editor.lua("return vim.lsp.get_clients()[1].offset_encoding") == encoding
        editor.go_to(13)
        editor.type("A  # soon<Esc>")
        until(editor.diagnostics, "the diagnostic")
        line = "    return '😀é漢 hello'  # soon"
        assert editor.columns() == [(4, len(line.encode()))]


def test_no_process_is_left_behind(tmp_path: Path, workspace: Workspace) -> None:
    with neovim(tmp_path, workspace) as editor:
        editor.edit(workspace.root / "src/client.py")
        until(lambda: editor.lua("return #vim.lsp.get_clients()"), "the server attaches")
        marker = str(tmp_path / "memories.db")
        assert until(lambda: servers(marker), "the server runs")
    until(lambda: not servers(marker), "the server ends with its editor")


def _is_looked_at(editor: Neovim) -> bool:
    """Whether the server tells of the memory on the cursor's line."""
    return bool(
        editor.lua(
            """local parameters = vim.lsp.util.make_position_params(0, 'utf-16')
            local answers = vim.lsp.buf_request_sync(0, 'textDocument/hover', parameters, 2000)
            for _, answer in pairs(answers or {}) do if answer.result then return true end end
            return false"""
        )
    )


def _generation(workspace: Workspace, memory: str) -> int:
    return settle.find_citations(workspace, memory)[1][0].generation
