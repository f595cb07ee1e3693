"""Show what changed and a memory's history, as documents that every client can show."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

from stilltrue.ide.hover import change_diff
from stilltrue.ide.wording import harmless, place_text, sentence
from stilltrue.model.citation import Place
from stilltrue.services.history import history_text
from stilltrue_lsp.private_files import write_private
from stilltrue_lsp.requests import Arguments
from stilltrue_lsp.session import Session


async def show_change(session: Session, arguments: Arguments) -> dict[str, Any]:
    """A unified diff from the text as cited to the text as it is now in the buffer."""
    file = session.file(arguments.uri)
    cited = file.cited(arguments.citations[0].uid) if file and arguments.citations else None
    if file is None or cited is None:
        session.say("the memory is not cited here any more")
        return {"ok": False}
    now = file.document.lines_text(cited.span.start, cited.span.end) if cited.span else ""
    diff = change_diff(cited, now)
    where = place_text(Place(file.path, cited.lines))
    text = " ".join(harmless(cited.memory.text).split())
    head = f"# {cited.memory.id}: {text}\n# {where}: {sentence(cited.verdict)}\n"
    body = diff or "# the text as cited was not kept; see the history of the repository"
    path = session.views / f"{cited.memory.id}-{cited.citation.id}.diff"
    await _show(session, path, f"{head}{body}\n", "what changed")
    excerpt = cited.citation.baseline.excerpt if cited.citation.baseline else None
    return {"ok": True, "diff": diff, "now": now, "cited": (excerpt or b"").decode("utf-8", "replace")}


async def show_history(session: Session, arguments: Arguments) -> dict[str, Any]:
    """How the memory came to be: its chain, its citations' generations, who and when."""
    file = session.file(arguments.uri)
    if file is None or arguments.memory is None:
        session.say("open a file of the repository first")
        return {"ok": False}
    text = await session.ask(partial(history_text, file.workspace, arguments.memory))
    if text is None:
        return {"ok": False}
    path = session.views / f"history-{arguments.memory}.md"
    await _show(session, path, text, "history")
    return {"ok": True, "text": text}


async def _show(session: Session, path: Path, text: str, what: str) -> None:
    try:
        await session.work(partial(write_private, path, text))
    except OSError as error:
        session.say(f"{what} could not be written: {error}", failed=True)
    else:
        await session.show_file(path, what)
