"""A real Neovim, headless, driven over its own API; nothing of the user's, nothing left behind."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys
import tempfile
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import pynvim  # type: ignore[import-untyped]

from support.waiting import PATIENCE, until

BINARY = Path(sys.executable).with_name("nvim")
PLUGIN = Path(__file__).parents[2] / "nvim-client"

SOURCE = """import os


def retry(call):
    for attempt in range(5):
        call(attempt)


API_VERSION = "v2.1.4"


def greet():
    return '😀é漢 hello'
"""
"""The file that is cited, `src/client.py`."""

PLAIN = """
local command, encodings = ...
local capabilities = vim.lsp.protocol.make_client_capabilities()
capabilities.general.positionEncodings = encodings
vim.lsp.config('stilltrue', {
  cmd = command,
  root_markers = { '.git' },
  workspace_required = true,
  capabilities = capabilities,
})
vim.lsp.enable('stilltrue')
"""
"""What a person writes who has no plugin."""

WITH_PLUGIN = f"vim.opt.runtimepath:append([[{PLUGIN}]])\nvim.lsp.enable('stilltrue')\n"
"""What a person writes who has cloned the repository."""


class Neovim:
    """One Neovim with a home of its own.

    Attributes:
        folder: Its home: configuration, data, state and cache.
        workspace: Where it is started.
        environment: What is added to the environment.
        init: Its init.lua; without one it reads no configuration and loads no plugin.
    """

    def __init__(
        self, folder: Path, workspace: Path, environment: dict[str, str], *, init: str | None = None
    ) -> None:
        self.folder = folder
        self.workspace = workspace
        self.environment = environment
        self.init = init

    def __enter__(self) -> Self:
        # a socket's path may have about a hundred characters, fewer than pytest's folders
        self._sockets = tempfile.TemporaryDirectory(prefix="nv")
        address = Path(self._sockets.name) / "s"
        clean = ["--clean"] if self.init is None else []
        self._process = subprocess.Popen(
            [str(BINARY), "--headless", *clean, "-n", "--listen", str(address)],
            cwd=self.workspace,
            env=self._surroundings(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            until(lambda: _listens(address), "Neovim listens")
            self.api = pynvim.attach("socket", path=str(address))
        except BaseException:
            self._end()
            raise
        self.lua("vim.o.swapfile = false; vim.cmd('filetype plugin on')")
        return self

    def _surroundings(self) -> dict[str, str]:
        environment = {**os.environ, **self.environment}
        environment.pop("NVIM", None)
        for name in ("CONFIG", "DATA", "STATE", "CACHE"):
            home = self.folder / name.lower()
            home.mkdir(parents=True, exist_ok=True)
            environment[f"XDG_{name}_HOME"] = str(home)
        if self.init is not None:
            config = self.folder / "config/nvim/init.lua"
            config.parent.mkdir(exist_ok=True)
            config.write_text(self.init, "utf-8")
        return environment

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with contextlib.suppress(OSError, EOFError, pynvim.NvimError):
            self.api.command("qall!", async_=True)
        try:
            self._process.wait(PATIENCE)
        finally:
            self.api.close()
            self._end()

    def _end(self) -> None:
        self._process.kill()
        self._process.wait()
        self._sockets.cleanup()

    @property
    def has_ended(self) -> bool:
        return self._process.poll() is not None

    def start_plain(self, encoding: str) -> None:
        """Start the server as a person without the plugin would, with one unit for columns."""
        self.lua(PLAIN, [sys.executable, "-m", "stilltrue", "lsp"], [encoding])

    def lua(self, code: str, *arguments: Any) -> Any:  # noqa: ANN401 - whatever Lua answers
        return self.api.exec_lua(code, *arguments)

    def type(self, keys: str) -> None:
        """Press keys, as a person would."""
        self.api.input(keys)

    def edit(self, path: Path) -> None:
        self.api.command(f"edit {path}")

    def go_to(self, line: int, column: int = 0) -> None:
        """Put the cursor on a line (1-based) and byte column (0-based)."""
        self.api.current.window.cursor = (line, column)

    def lines(self) -> list[str]:
        return list(self.api.current.buffer[:])

    def name(self) -> str:
        """The file in the current window."""
        return str(self.api.current.buffer.name)

    def diagnostics(self) -> list[tuple[int, str, str]]:
        """First line (1-based), code and message of each diagnostic in the current buffer."""
        found = self.lua(
            "return vim.tbl_map(function(d) return { d.lnum, d.code, d.message } end, vim.diagnostic.get(0))"
        )
        return [(line + 1, code, message) for line, code, message in found]

    def columns(self) -> list[tuple[int, int]]:
        """Start and end byte column of each diagnostic."""
        found = self.lua(
            "return vim.tbl_map(function(d) return { d.col, d.end_col } end, vim.diagnostic.get(0))"
        )
        return [(start, end) for start, end in found]

    def floats(self) -> list[str]:
        """The text of each floating window."""
        return list(
            self.lua(
                """local texts = {}
                for _, window in ipairs(vim.api.nvim_list_wins()) do
                  if vim.api.nvim_win_get_config(window).relative ~= '' then
                    local buffer = vim.api.nvim_win_get_buf(window)
                    table.insert(texts, table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), '\\n'))
                  end
                end
                return texts"""
            )
        )

    def action_titles(self) -> list[str]:
        """What the code action menu offers under the cursor; nothing is chosen."""
        self.lua(
            """_G.titles = nil
            vim.ui.select = function(items)
              _G.titles = vim.tbl_map(function(item) return item.action.title end, items)
            end
            vim.lsp.buf.code_action()"""
        )
        return list(
            self.lua("vim.wait(10000, function() return _G.titles ~= nil end, 20); return _G.titles or {}")
        )

    def apply(self, title: str) -> None:
        """Choose the code action that begins with `title`, as a person would in the menu."""
        self.lua(
            """local title = ...
            vim.ui.select = function(items, _, choose)
              for index, item in ipairs(items) do
                if vim.startswith(item.action.title, title) then return choose(item, index) end
              end
              error('no such action: ' .. title)
            end
            vim.lsp.buf.code_action()""",
            title,
        )

    def messages(self) -> str:
        return str(self.api.command_output("messages"))

    def clients(self) -> int:
        """How many servers have answered `initialize`."""
        return int(
            self.lua(
                """return #vim.tbl_filter(function(client) return client.initialized end,
                  vim.lsp.get_clients({ name = 'stilltrue' }))"""
            )
        )

    def notices(self) -> list[str]:
        """What was shown by `vim.notify` since `listen_to_notices`."""
        return list(self.lua("return _G.notices or {}"))

    def listen_to_notices(self) -> None:
        self.lua(
            """_G.notices = {}
            vim.notify = function(message) table.insert(_G.notices, message) end"""
        )

    def windows(self) -> list[str]:
        """The text of each window of the current tab."""
        return list(
            self.lua(
                """return vim.tbl_map(function(window)
                  local buffer = vim.api.nvim_win_get_buf(window)
                  return table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), '\\n')
                end, vim.api.nvim_tabpage_list_wins(0))"""
            )
        )

    def quickfix(self) -> list[dict[str, Any]]:
        """The quickfix list; `file` is the name of the entry's buffer."""
        return list(
            self.lua(
                """return vim.tbl_map(function(entry)
                  return { text = entry.text, lnum = entry.lnum, valid = entry.valid, type = entry.type,
                           file = entry.bufnr > 0 and vim.api.nvim_buf_get_name(entry.bufnr) or '' }
                end, vim.fn.getqflist())"""
            )
        )

    def choose(self, title: str) -> None:
        """From now on, what begins with `title` is chosen wherever something is to be chosen."""
        self.lua(
            """local title = ...
            _G.offered = {}
            vim.ui.select = function(items, options, choose)
              local shown = vim.tbl_map(function(item)
                return options.format_item and options.format_item(item) or tostring(item)
              end, items)
              _G.offered = shown
              for index, text in ipairs(shown) do
                if vim.startswith(text, title) then return choose(items[index], index) end
              end
              choose(nil)
            end""",
            title,
        )

    def offered(self) -> list[str]:
        """What the last choice offered."""
        return list(self.lua("return _G.offered or {}"))

    def answer(self, text: str) -> None:
        """From now on, `text` is answered wherever a text is asked for."""
        self.lua(
            """local text = ...
            vim.ui.input = function(options, done)
              _G.asked = options
              done(text)
            end""",
            text,
        )

    def mode(self) -> str:
        return str(self.api.api.get_mode()["mode"])


def _listens(path: Path) -> bool:
    """Whether somebody answers at a socket: its file is there a moment before."""
    with socket.socket(socket.AF_UNIX) as probe:
        return probe.connect_ex(str(path)) == 0


def servers(marker: str) -> list[int]:
    """The language servers that have `marker`, such as the test's database, in their environment."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            environment = (process / "environ").read_bytes()
            command = (process / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if marker.encode() in environment and b"lsp" in command:
            found.append(int(process.name))
    return found
