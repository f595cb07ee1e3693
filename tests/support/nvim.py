"""A real Neovim, headless, driven over its own API; nothing of the user's, nothing left behind."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import pynvim  # type: ignore[import-untyped]

from support.waiting import PATIENCE, until

BINARY = Path(sys.executable).with_name("nvim")


class Neovim:
    """One Neovim with StillTrue as its language server.

    Attributes:
        folder: Its own home: configuration, data, state and cache.
        server: The command that starts the language server.
    """

    def __init__(
        self, folder: Path, workspace: Path, environment: dict[str, str], encodings: list[str]
    ) -> None:
        self.folder = folder
        self.workspace = workspace
        self.environment = environment
        self.encodings = encodings

    def __enter__(self) -> Self:
        environment = {**os.environ, **self.environment}
        environment.pop("NVIM", None)
        for name in ("CONFIG", "DATA", "STATE", "CACHE"):
            home = self.folder / name.lower()
            home.mkdir(parents=True, exist_ok=True)
            environment[f"XDG_{name}_HOME"] = str(home)
        # a socket's path may have about a hundred characters, fewer than pytest's folders
        self._sockets = tempfile.TemporaryDirectory(prefix="nv")
        socket = Path(self._sockets.name) / "s"
        self._process = subprocess.Popen(
            [str(BINARY), "--headless", "--clean", "-n", "--listen", str(socket)],
            cwd=self.workspace,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        until(socket.exists, "Neovim listens")
        self.api = pynvim.attach("socket", path=str(socket))
        self.lua("vim.o.swapfile = false; vim.cmd('filetype plugin on')")
        self.lua(
            """
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
            """,
            [sys.executable, "-m", "stilltrue", "lsp"],
            self.encodings,
        )
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with contextlib.suppress(OSError, EOFError, pynvim.NvimError):
            self.api.command("qall!", async_=True)
        self._process.wait(PATIENCE)
        self.api.close()
        self._sockets.cleanup()

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
