"""How the plugin comes up, what it says when something is wrong, and how it ends (F41)."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from stilltrue.services.workspace import Workspace
from support.cli import Stilltrue
from support.nvim import PLUGIN, SOURCE, WITH_PLUGIN, Neovim, servers
from support.repo import Repo
from support.waiting import until

pytestmark = pytest.mark.xdist_group("neovim")

HOSTILE = (
    "**bold** <b onclick=x> [run](command:evil) %{system('x')} %#Error# \\ `a` \x1b[31mred\x07 \u202eltr"
)


@pytest.fixture
def fresh(tmp_path: Path, repo: Repo, environment: dict[str, str]) -> Iterator[Neovim]:
    """A Neovim with the plugin in a repository without memories, the file open."""
    with Neovim(tmp_path / "home", repo.root, environment, init=WITH_PLUGIN) as made:
        made.listen_to_notices()
        made.edit(repo.root / "src/client.py")
        until(made.clients, "the server attaches")
        yield made


def health(editor: Neovim) -> str:
    editor.api.command("checkhealth stilltrue")
    until(lambda: "StillTrue" in "\n".join(editor.lines()), "the report")
    return "\n".join(editor.lines())


def without_program(environment: dict[str, str]) -> dict[str, str]:
    """The same, but the program is nowhere."""
    inside = str(Path(sys.executable).parent)
    rest = [each for each in environment["PATH"].split(os.pathsep) if each != inside]
    rest = [each for each in rest if not (Path(each) / "stilltrue").exists()]
    return {**environment, "PATH": os.pathsep.join(rest)}


def program(folder: Path, text: str) -> dict[str, str]:
    """A program named stilltrue that runs a shell script."""
    folder.mkdir()
    script = folder / "stilltrue"
    script.write_text(f"#!/bin/sh\n{text}\n", "utf-8")
    script.chmod(0o755)
    return {"PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"}


def test_a_folder_without_memories_stays_as_it_is(fresh: Neovim, tmp_path: Path) -> None:
    """No diagnostic, no message, no store; the first memory makes one."""
    until(lambda: fresh.lua("return require('stilltrue').counts() ~= nil"), "the server tells its counts")
    assert fresh.lua("return require('stilltrue').status()") == ""
    assert fresh.diagnostics() == []
    assert fresh.notices() == []
    assert not fresh.messages().strip()
    assert not (tmp_path / "memories.db").exists()
    assert "nothing is remembered here yet" in health(fresh)
    assert not (tmp_path / "memories.db").exists()


def test_a_folder_without_a_repository_is_left_alone(tmp_path: Path, environment: dict[str, str]) -> None:
    """No server for it, and no message either."""
    file = tmp_path / "plain" / "notes.py"
    file.parent.mkdir()
    file.write_text(SOURCE, "utf-8")
    with Neovim(tmp_path / "home", file.parent, environment, init=WITH_PLUGIN) as editor:
        editor.listen_to_notices()
        editor.edit(file)
        assert "it does not run" in health(editor)
        assert editor.notices() == []
        assert editor.clients() == 0


def test_a_file_without_a_filetype_is_looked_at(
    tmp_path: Path, repo: Repo, terminal: Stilltrue, environment: dict[str, str]
) -> None:
    """`vim.lsp.enable` waits for a filetype; memories can cite files that have none."""
    repo.write("LIMITS", "attempts 5\n")
    assert terminal.process("remember", "Five attempts", "--cite", "LIMITS:1").code == 0
    repo.write("LIMITS", "attempts 6\n")
    with Neovim(tmp_path / "home", repo.root, environment, init=WITH_PLUGIN) as editor:
        editor.edit(repo.root / "LIMITS")
        assert not editor.lua("return vim.bo.filetype")
        until(editor.diagnostics, "the diagnostic")


def test_nothing_is_loaded_before_a_file_needs_it(tmp_path: Path, environment: dict[str, str]) -> None:
    folder = tmp_path / "empty"
    folder.mkdir()
    with Neovim(tmp_path / "home", folder, environment, init=WITH_PLUGIN) as editor:
        assert editor.lua("return vim.g.loaded_stilltrue") is True
        assert not editor.lua(
            """return vim.tbl_filter(function(name)
              return vim.startswith(name, 'stilltrue') end, vim.tbl_keys(package.loaded))"""
        )


def test_a_killed_server_is_told_once_and_starts_again(editor: Neovim, tmp_path: Path) -> None:
    """Diagnostics and count go with it; the restart command brings both back."""
    marker = str(tmp_path / "memories.db")
    editor.go_to(5, 25)
    editor.type("r7<Esc>")
    until(editor.diagnostics, "the diagnostic")
    (running,) = servers(marker)
    os.kill(running, signal.SIGKILL)
    until(lambda: not editor.clients(), "the server is missed")
    until(editor.notices, "the message")
    until(lambda: not editor.diagnostics(), "its diagnostics go")
    assert [each for each in editor.notices() if "signal 9" in each] == editor.notices()
    assert len(editor.notices()) == 1
    assert editor.lua("return require('stilltrue').status()") == ""

    editor.type(":LspStillTrueRestart<CR>")
    until(editor.diagnostics, "the diagnostic comes back")
    assert len(editor.notices()) == 1
    assert editor.lua("return vim.fn.exists(':LspStillTrueCheck')") == 2


def test_a_running_server_is_started_anew(editor: Neovim, tmp_path: Path) -> None:
    marker = str(tmp_path / "memories.db")
    (before,) = servers(marker)
    editor.type(":LspStillTrueRestart<CR>")
    until(lambda: before not in servers(marker) and servers(marker), "another server")
    until(editor.clients, "it attaches")
    assert editor.notices() == []


def test_nothing_is_left_when_the_editor_ends(
    tmp_path: Path, workspace: Workspace, environment: dict[str, str]
) -> None:
    marker = str(tmp_path / "memories.db")
    with Neovim(tmp_path / "home", workspace.root, environment, init=WITH_PLUGIN) as editor:
        editor.edit(workspace.root / "src/client.py")
        until(editor.clients, "the server attaches")
        assert len(servers(marker)) == 1
    until(lambda: not servers(marker), "the server ends with its editor")


def test_a_program_that_is_not_there_is_told_once(
    tmp_path: Path, repo: Repo, environment: dict[str, str]
) -> None:
    """Neovim itself says nothing; the health report says how to mend it."""
    repo.write("src/other.py", "x = 1\n")
    with Neovim(tmp_path / "home", repo.root, without_program(environment), init=WITH_PLUGIN) as editor:
        editor.listen_to_notices()
        editor.edit(repo.root / "src/client.py")
        until(editor.notices, "the message")
        editor.edit(repo.root / "src/other.py")
        report = health(editor)
        assert editor.notices() == ["StillTrue: stilltrue was not found; see :checkhealth stilltrue"]
        assert "the program stilltrue was not found" in report
        assert "pip install" in report


def test_a_server_that_crashes_at_start_is_given_up(
    tmp_path: Path, repo: Repo, environment: dict[str, str]
) -> None:
    """Neovim tells of each; after the third it is not started again, and the editor goes on."""
    broken = {**environment, **program(tmp_path / "bin", "echo 'no module named stilltrue' >&2; exit 1")}
    with Neovim(tmp_path / "home", repo.root, broken, init=WITH_PLUGIN) as editor:
        editor.listen_to_notices()
        for number in range(5):
            repo.write(f"src/f{number}.py", "x = 1\n")
            editor.edit(repo.root / f"src/f{number}.py")
            until(lambda: len(editor.notices()) >= min(number + 1, 3), "the message")  # noqa: B023
        until(lambda: len(editor.notices()) == 4, "the last message")
        report = health(editor)
        assert len([each for each in editor.notices() if "exit code 1" in each]) == 3
        assert len([each for each in editor.notices() if "not started again" in each]) == 1
        assert "no module named stilltrue" in report
        assert "not enabled" in report
        editor.edit(repo.root / "src/client.py")
        editor.type("ix<Esc>")
        until(lambda: editor.lines()[0] == "ximport os", "the editor goes on")


def test_a_program_that_is_too_old_is_named(tmp_path: Path, repo: Repo, environment: dict[str, str]) -> None:
    old = {**environment, **program(tmp_path / "bin", "echo 'stilltrue, version 0.0.9'")}
    with Neovim(tmp_path / "home", repo.root, old, init=WITH_PLUGIN) as editor:
        assert "StillTrue 0.0.9, too old for this plugin" in health(editor)


def test_a_store_that_does_not_open_is_told_once(
    tmp_path: Path, repo: Repo, environment: dict[str, str]
) -> None:
    """F39: one message, a statusline that says so without its words, and the editor goes on."""
    repo.write("src/other.py", "x = 1\n")
    (tmp_path / "memories.db").write_text("this is no database\n" * 100, "utf-8")
    with Neovim(tmp_path / "home", repo.root, environment, init=WITH_PLUGIN) as editor:
        editor.edit(repo.root / "src/client.py")
        until(editor.clients, "the server attaches")
        until(
            lambda: editor.lua("return require('stilltrue').status()") == "StillTrue: no store", "the count"
        )
        editor.edit(repo.root / "src/other.py")
        report = health(editor)
        assert editor.messages().count("StillTrue:") == 1
        assert "ERROR" in report
        assert (tmp_path / "memories.db").read_text("utf-8") == "this is no database\n" * 100


def test_the_health_report_of_a_sound_installation(editor: Neovim) -> None:
    report = health(editor)
    assert "ERROR" not in report
    assert "WARNING" not in report
    assert "is StillTrue 0." in report
    assert "3 memories: 3 fresh" in report
    assert "store: " in report


def test_other_peoples_text_is_harmless_everywhere(
    tmp_path: Path, repo: Repo, terminal: Stilltrue, environment: dict[str, str]
) -> None:
    """F43: in the hover, the quickfix list, the winbar, menus and the statusline."""
    assert terminal.process("remember", HOSTILE, "--cite", "src/client.py:4-6").code == 0
    with Neovim(tmp_path / "home", repo.root, environment, init=WITH_PLUGIN) as editor:
        editor.listen_to_notices()
        editor.edit(repo.root / "src/client.py")
        until(editor.clients, "the server attaches")
        editor.go_to(5, 25)
        editor.type("r7<Esc>")
        until(editor.diagnostics, "the diagnostic")
        shown = [message for *_, message in editor.diagnostics()]

        editor.type("K")
        shown += until(editor.floats, "the hover")
        assert "[run](command:evil)" not in shown[-1]
        editor.type("<Esc>:LspStillTrueQuickfix<CR>")
        shown += [each["text"] for each in until(editor.quickfix, "the list")]
        assert "[run](command:evil) %{system('x')} %#Error# \\ `a`" in shown[-1]
        editor.type(":cclose<CR>")

        editor.choose("Show what changed")
        editor.type("gra")
        until(lambda: len(editor.windows()) == 2, "the diff")
        bar = editor.lua(
            """local window = vim.api.nvim_tabpage_list_wins(0)[1]
            local options = { winid = window, maxwidth = 500 }
            return vim.api.nvim_eval_statusline(vim.wo[window].winbar, options).str"""
        )
        assert "%{system('x')} %#Error#" in bar
        shown.append(bar)
        assert not [text for text in shown if any(each in text for each in "\x1b\x07\u202e")]
        assert editor.notices() == []
        assert not (repo.root / "x").exists()


def test_the_statusline_holds_no_word_of_others(editor: Neovim) -> None:
    """A problem's sentence may name a path with any characters."""
    editor.lua(
        """local client = vim.lsp.get_clients({ name = 'stilltrue' })[1]
        local counts = { memories = 1, fresh = 0, stale = 1, cosmetic = 0, unknown = 0, snoozed = 0,
          busy = false, problem = "%{execute('let g:evil = 1')} %#Error#" }
        client.handlers['stilltrue/status'](nil, counts, { client_id = client.id })
        vim.o.statusline = "%!v:lua.require'stilltrue'.status()" """
    )
    assert (
        editor.lua("return vim.api.nvim_eval_statusline(vim.o.statusline, {}).str") == "StillTrue: no store"
    )
    assert editor.lua("return vim.g.evil") is None


@pytest.mark.parametrize("way", ["packpath", "runtimepath", "by a manager", "configuration overridden"])
def test_the_ways_to_install_it(
    way: str, tmp_path: Path, workspace: Workspace, environment: dict[str, str]
) -> None:
    """As the README has them; a person's own settings win over ours and keep the rest."""
    init = "vim.lsp.enable('stilltrue')\n"
    if way == "packpath":
        start = tmp_path / "home/data/nvim/site/pack/stilltrue/start"
        start.mkdir(parents=True)
        (start / "stilltrue").symlink_to(PLUGIN)
    elif way == "by a manager":
        # what managers do, late: runtimepath first, then the plugin's own files
        late = f"vim.opt.runtimepath:append([[{PLUGIN}]]); vim.cmd.runtime('plugin/stilltrue.lua')"
        init = f"vim.api.nvim_create_autocmd('VimEnter', {{ callback = function() {late} {init} end }})"
    else:
        init = WITH_PLUGIN
    if way == "configuration overridden":
        init += "vim.lsp.config('stilltrue', { settings = { stilltrue = { severity_stale = 'error' } } })\n"
    with Neovim(tmp_path / "home", workspace.root, environment, init=init) as editor:
        until(lambda: editor.lua("return vim.v.vim_did_enter"), "the start is over")
        editor.edit(workspace.root / "src/client.py")
        until(editor.clients, "the server attaches")
        editor.go_to(5, 25)
        editor.type("r7<Esc>")
        until(editor.diagnostics, "the diagnostic")
        assert editor.lua("return vim.fn.exists(':LspStillTrueCheck')") == 2
        assert editor.lua("return vim.lsp.config.stilltrue.init_options.prompts") is True
        wanted = 1 if way == "configuration overridden" else 2
        until(lambda: editor.lua("return vim.diagnostic.get(0)[1].severity") == wanted, "the severity")


def test_lenses_and_hints_are_shown_where_asked_for(
    tmp_path: Path, workspace: Workspace, environment: dict[str, str]
) -> None:
    """Off unless a switch says so; then kept fresh."""
    init = "vim.g.stilltrue_codelens = true\n" + WITH_PLUGIN
    with Neovim(tmp_path / "home", workspace.root, environment, init=init) as editor:
        editor.edit(workspace.root / "src/client.py")
        until(editor.clients, "the server attaches")
        until(lambda: editor.lua("return #vim.lsp.codelens.get(0)"), "the lenses")

    hints = "vim.g.stilltrue_inlay_hints = true\n" + WITH_PLUGIN
    hints += "vim.lsp.config('stilltrue', { settings = { stilltrue = { display = 'hint' } } })\n"
    with Neovim(tmp_path / "home", workspace.root, environment, init=hints) as editor:
        editor.edit(workspace.root / "src/client.py")
        until(editor.clients, "the server attaches")
        until(lambda: editor.lua("return #vim.lsp.inlay_hint.get({ bufnr = 0 })"), "the hints")


def test_help_is_found_by_its_tags(tmp_path: Path) -> None:
    """`:help` in a copy, since tags are generated beside the page."""
    copied = tmp_path / "plugin" / "doc"
    copied.mkdir(parents=True)
    page = (PLUGIN / "doc/stilltrue.txt").read_text("utf-8")
    (copied / "stilltrue.txt").write_text(page, "utf-8")
    with Neovim(tmp_path / "home", tmp_path, {}, init=f"vim.opt.rtp:append([[{copied.parent}]])") as editor:
        editor.api.command(f"helptags {copied}")
        for subject in ("stilltrue", ":LspStillTrueQuickfix", "stilltrue-settings", "stilltrue.status()"):
            editor.api.command(f"help {subject}")
            assert editor.name().endswith("doc/stilltrue.txt")
        assert not [line for line in page.split("\n") if len(line) > 78]


def test_every_lua_file_compiles_and_is_documented(fresh: Neovim) -> None:
    """Each command that exists is told in the help, and each that is told exists."""
    for file in sorted(PLUGIN.rglob("*.lua")):
        assert fresh.lua("local _, problem = loadfile(...); return problem", str(file)) is None
    page = (PLUGIN / "doc/stilltrue.txt").read_text("utf-8")
    made = fresh.lua(
        """local found = vim.tbl_keys(vim.api.nvim_buf_get_commands(0, {}))
        vim.list_extend(found, vim.tbl_keys(vim.api.nvim_get_commands({})))
        return vim.tbl_filter(function(name) return vim.startswith(name, 'LspStillTrue') end, found)"""
    )
    told = {word[2:-1] for word in page.split() if word.startswith("*:LspStillTrue")}
    assert set(made) == told
