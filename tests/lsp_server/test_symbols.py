"""A symbol citation in an open buffer: followed, and stale while it is typed in (F6, F14)."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.server import Editor, Home

SOURCE = """import os


def retry(call):
    for attempt in range(5):
        call(attempt)


API_VERSION = "v2.1.4"
"""

pytestmark = pytest.mark.asyncio


async def test_a_symbol_is_followed_and_goes_stale_with_its_body(tmp_path: Path) -> None:
    home = Home(tmp_path)
    repo = home.repo()
    file = repo.write("a.py", SOURCE)
    home.remember(repo.root, "Retries stop after 5 attempts", "a.py#retry")
    async with Editor(home, repo.root) as editor:
        buffer = editor.open(file)
        await editor.looked(buffer, 5)
        editor.edit(buffer, "import os\n", "import os\nimport sys\nimport re\n")
        editor.edit(buffer, "v2.1.4", "v2.1.5")
        await editor.looked(buffer, 7)
        assert buffer.codes == []
        editor.edit(buffer, "range(5)", "range(7)")
        (shown,) = await editor.shows(buffer, (6, "stale"))
        assert shown.range.end.line == 7
        editor.edit(buffer, "range(7)", "range(5)")
        await editor.shows(buffer)
        editor.edit(buffer, "def retry", "def again")
        await editor.shows(buffer, (6, "missing"))
        editor.edit(buffer, "def again", "def retry")
        await editor.shows(buffer)
