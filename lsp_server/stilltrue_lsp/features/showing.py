"""Show what changed and a memory's history; a client with views of its own is told, others get documents."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

from stilltrue.ide.hover import change_diff
from stilltrue.ide.wording import harmless, place_text, sentence
from stilltrue.model.citation import Place
from stilltrue.services.pages import page_of
from stilltrue_lsp.private_files import write_private
from stilltrue_lsp.requests import Arguments
from stilltrue_lsp.session import Session
from stilltrue_lsp.uris import page_uri


async def show_change(session: Session, arguments: Arguments) -> dict[str, Any]:
    """A unified diff from the text as cited to the text as it is now in the buffer or on disk."""
    file = await session.file_or_disk(arguments.uri)
    cited = file.cited(arguments.citations[0].uid) if file and arguments.citations else None
    if file is None or cited is None:
        return _refused(session, "the memory is not cited here any more")
    whole = cited.span is None
    now = file.document.text if whole else file.document.lines_text(cited.lines.start, cited.lines.end)
    diff = change_diff(cited, now)
    where = place_text(Place(file.path, cited.lines))
    title = f"{cited.memory.id}: {' '.join(harmless(cited.memory.text).split())}"
    if not session.own_views:
        head = f"# {title}\n# {where}: {sentence(cited.verdict)}\n"
        body = diff or "# the text as cited was not kept; see the history of the repository"
        path = session.views / f"{cited.memory.id}-{cited.citation.id}.diff"
        await _show(session, path, f"{head}{body}\n", "what changed")
    excerpt = cited.citation.baseline.excerpt if cited.citation.baseline else None
    return {
        "ok": True,
        "title": title,
        "path": file.path,
        "startLine": cited.lines.start,
        "endLine": cited.lines.end,
        "diff": diff,
        "now": now,
        "cited": (excerpt or b"").decode("utf-8", "replace"),
    }


async def show_history(session: Session, arguments: Arguments) -> dict[str, Any]:
    """How the memory came to be: its chain, its citations' generations, who and when (F33)."""
    if arguments.memory is None:
        return _refused(session, "name the memory")
    workspace = await session.workspace_of(arguments.uri)
    made = await session.ask(partial(page_of, workspace, arguments.memory)) if workspace else None
    if made is None:
        return {"ok": False}
    view = page_uri(made.memory.uid, made.memory.id)
    opened = session.own_views or (session.opens_pages and await session.messages.show_uri(view))
    if not opened:
        await _show(session, session.views / f"history-{made.memory.uid}.md", made.text, "history")
    return {"ok": True, "title": made.title, "text": made.text, "view": view}


def _refused(session: Session, message: str) -> dict[str, Any]:
    session.messages.say(message)
    return {"ok": False, "message": message}


async def _show(session: Session, path: Path, text: str, what: str) -> None:
    try:
        await session.work(partial(write_private, path, text))
    except OSError as error:
        session.messages.say(f"{what} could not be written: {error}", failed=True)
    else:
        await session.messages.show_file(path, what)
