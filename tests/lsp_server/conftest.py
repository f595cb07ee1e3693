"""A home of its own for each server, and an editor that opens a test's repository in it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from support.repo import Repo
from support.server import Editor, Home


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


@pytest_asyncio.fixture
async def editor(home: Home, repo: Repo) -> AsyncIterator[Editor]:
    async with Editor(home, repo.root) as started:
        yield started
