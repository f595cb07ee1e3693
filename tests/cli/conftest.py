"""A repository with some code, and the command line in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.cli import Stilltrue
from support.repo import Repo

CLIENT = """import os


def retry(call):
    for attempt in range(5):
        call(attempt)


API_VERSION = "v2.1.4"
"""


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    made = Repo.git(tmp_path / "repo")
    made.write("src/client.py", CLIENT)
    made.write("docs/api.md", "# API\n\nCalls are retried.\n")
    made.commit("first")
    return made


@pytest.fixture
def run(repo: Repo, tmp_path: Path) -> Stilltrue:
    return Stilltrue(repo.root, tmp_path / "memories.db")
