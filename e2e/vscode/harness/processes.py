"""The processes that a test started, found by a mark in their environment (Linux only, as the suite is)."""

from __future__ import annotations

import os
import signal
from pathlib import Path

MARK = "STILLTRUE_E2E_MARK"
SERVER_WORDS = ("launch.py", "stilltrue_lsp", "stilltrue lsp")


def marked(mark: str) -> dict[int, str]:
    """The command lines of all living processes that inherited `MARK` with this value, by process id."""
    wanted = f"{MARK}={mark}".encode()
    found = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit() and (command := _command(folder, wanted)):
            found[int(folder.name)] = command
    return found


def language_servers(mark: str) -> list[int]:
    """The ids of StillTrue's servers among them."""
    return [
        process
        for process, command in marked(mark).items()
        if "python" in command.split(" ", 1)[0] and any(word in command for word in SERVER_WORDS)
    ]


def kill(process: int) -> None:
    """End one process as a crash would."""
    os.kill(process, signal.SIGKILL)


def _command(folder: Path, wanted: bytes) -> str | None:
    try:
        if wanted not in (folder / "environ").read_bytes().split(b"\0"):
            return None
        return (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace").strip() or None
    except OSError:
        return None
