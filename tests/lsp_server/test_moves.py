"""Cited lines that moved to another file, as an editor learns of it."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from support.server import Editor, Home

SOURCE = "def retry(call):\n    for attempt in range(5):\n        call(attempt)\n"

HEAD = "import time\n\n\n"
TAIL = "\n\nLIMIT = 5  # of something else altogether\nRETRIES = 3\nTIMEOUT = 10\n"

pytestmark = pytest.mark.asyncio


async def first_listed(editor: Editor, **wanted: object) -> dict[str, Any]:
    """The first memory, once its one citation is listed like that."""
    found: dict[str, Any] = {}
    for _ in range(400):
        answer = await editor.execute("stilltrue.list", {})
        found = next(iter(answer["memories"]), {})
        cited: dict[str, Any] = next(iter(found.get("citations", ())), {})
        if all(cited.get(name) == value for name, value in wanted.items()):
            return found
        await asyncio.sleep(0.02)
    raise AssertionError(f"never listed as {wanted}: {found}")


async def test_a_move_to_another_file_is_listed_and_can_be_written_down(tmp_path: Path) -> None:
    """D11, F20: the memory still holds, the new place is offered, and a re-point takes it."""
    home = Home(tmp_path)
    repo = home.repo()
    repo.write("a.py", SOURCE)
    repo.commit("first")
    home.remember(repo.root, "Retries stop after 5 attempts", "a.py:1-3")
    async with Editor(home, repo.root) as editor:
        await first_listed(editor, verdict="fresh")
        (repo.root / "a.py").unlink()
        repo.write("core.py", f"# moved here\n{SOURCE}")

        found = await first_listed(editor, verdict="moved")

        (cited,) = found["citations"]
        (target,) = cited["targets"]
        assert (found["freshness"], cited["code"]) == ("fresh", "moved")
        assert (target["path"], target["startLine"], target["endLine"]) == ("core.py", 2, 4)
        asked = {
            "uri": cited["uri"],
            "citations": [{"uid": cited["uid"], "generation": cited["generation"]}],
            "path": target["path"],
            "startLine": target["startLine"],
            "endLine": target["endLine"],
        }
        assert (await editor.execute("stilltrue.repoint", asked))["ok"]
        await first_listed(editor, verdict="fresh", path="core.py", startLine=2)


async def test_an_open_buffer_says_what_the_survey_says_of_a_move(tmp_path: Path) -> None:
    """E1, D11: the buffer that a function was moved away from calls it moved, not missing."""
    home = Home(tmp_path)
    repo = home.repo()
    repo.write("a.py", f"{HEAD}{SOURCE}{TAIL}")
    repo.commit("first")
    home.remember(repo.root, "Retries stop after 5 attempts", "a.py:4-6")
    async with Editor(home, repo.root) as editor:
        repo.write("a.py", f"{HEAD}{TAIL}")
        repo.write("core.py", f"# moved here\n{SOURCE}")

        buffer = editor.open(repo.root / "a.py")

        (shown,) = await editor.shows(buffer, (4, "moved"))
        assert "core.py" in shown.message
        editor.edit(buffer, "TIMEOUT = 10", "TIMEOUT = 20")
        (shown,) = await editor.shows(buffer, (4, "moved"))
        repo.write("core.py", "# gone again\n")
        await editor.shows(buffer, (1, "missing"))
