"""*I used this*, *this was right*, *this was wrong*, said of a memory; looking records nothing (K17)."""

from __future__ import annotations

from functools import partial
from typing import Any

from stilltrue.services.editor import BufferMapping, BufferText
from stilltrue.services.editor_feedback import Said, say_used, say_wrong
from stilltrue.services.workspace import Workspace
from stilltrue_lsp.requests import Arguments
from stilltrue_lsp.session import Session

Answer = dict[str, Any]


async def used(session: Session, arguments: Arguments) -> Answer:
    """The memory was used."""
    return await _say(session, arguments, right=False)


async def right(session: Session, arguments: Arguments) -> Answer:
    """The memory was used and was right."""
    return await _say(session, arguments, right=True)


async def wrong(session: Session, arguments: Arguments) -> Answer:
    """What this person last confirmed about the memory was wrong: the credit for it is taken back."""
    workspace = await _workspace(session, arguments)
    if workspace is None or arguments.memory is None:
        return _refused(session)
    return _answer(
        await session.ask(
            partial(say_wrong, workspace, arguments.memory, reason=arguments.text, key=arguments.key)
        )
    )


async def _say(session: Session, arguments: Arguments, *, right: bool) -> Answer:
    workspace = await _workspace(session, arguments)
    if workspace is None or arguments.memory is None:
        return _refused(session)
    buffer = await _buffer(session, arguments)
    return _answer(
        await session.ask(
            partial(say_used, workspace, arguments.memory, right=right, buffer=buffer, key=arguments.key)
        )
    )


async def _buffer(session: Session, arguments: Arguments) -> BufferText | None:
    """The open buffer it was said in: if it is not saved, its text was what was used."""
    file = await session.file_or_disk(arguments.uri) if arguments.uri else None
    if file is None or not file.is_open:
        return None
    mapping = file.tracker.mapping if file.tracker else BufferMapping()
    return BufferText(path=file.path, text=file.document.text, mapping=mapping)


async def _workspace(session: Session, arguments: Arguments) -> Workspace | None:
    return await session.workspace_of(arguments.uri)


def _answer(said: Said | None) -> Answer:
    if said is None:
        return {"ok": False}
    return {"ok": True, "traceId": said.trace_id, "receiptId": said.receipt["receipt_id"]}


def _refused(session: Session) -> Answer:
    message = "name a memory of the open folder"
    session.messages.say(message)
    return {"ok": False, "message": message}
