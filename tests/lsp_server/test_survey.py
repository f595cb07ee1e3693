"""When what is known of a repository on disk no longer holds."""

from __future__ import annotations

from pathlib import Path

from stilltrue_lsp.survey import _surveyed
from support.server import Home


def test_f25_another_head_has_everything_judged_anew(tmp_path: Path) -> None:
    """No cited file changes with it, and no client tells of it."""
    home = Home(tmp_path)
    repo = home.repo()
    repo.write("a.py", "retries = 5\n")
    first = repo.commit("first")
    home.remember(repo.root, "Five retries", f"@{first}", "a.py:1")
    workspace = home.workspace(repo.root)
    known = _surveyed(workspace, None)
    assert not known.is_outdated()

    repo.commit("second, of nothing")

    assert known.is_outdated()
    assert not _surveyed(workspace, None).is_outdated()
    workspace.close()


def test_f25_where_nothing_is_remembered_head_may_move(tmp_path: Path) -> None:
    home = Home(tmp_path)
    repo = home.repo()
    repo.commit("first")
    workspace = home.workspace(repo.root)
    known = _surveyed(workspace, None)
    repo.commit("second")
    assert not known.is_outdated()
    workspace.close()
