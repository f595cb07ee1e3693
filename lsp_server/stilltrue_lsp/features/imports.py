"""Memories out of Markdown: what AGENTS.md and the like say about explicit places."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

from stilltrue.services import importing
from stilltrue.services.importing import ImportReport
from stilltrue.services.workspace import Workspace
from stilltrue_lsp.requests import Arguments
from stilltrue_lsp.session import Session
from stilltrue_lsp.uris import uri_to_path


async def import_memories(session: Session, arguments: Arguments) -> dict[str, Any]:
    """Take what the named files say, or the usual ones at the root; with `dryRun` only tell it."""
    files = [uri_to_path(each) for each in arguments.files]
    named = [Path(each) for each in files if each]
    workspace = await session.workspace_of(arguments.uri or next(iter(arguments.files), ""))
    if workspace is None or len(named) < len(files):
        message = "open a folder of a repository first" if workspace is None else "not a file on this machine"
        session.messages.say(message)
        return {"ok": False, "message": message}
    report = await session.ask(partial(_imported, workspace, named, dry_run=arguments.dry_run))
    if report is None:
        return {"ok": False}
    if report.imported:
        session.renew()
    return {"ok": True, **report.to_json()}


def _imported(workspace: Workspace, named: list[Path], *, dry_run: bool) -> ImportReport:
    files = named or importing.default_files(workspace)
    return importing.import_files(workspace, files, dry_run=dry_run)
