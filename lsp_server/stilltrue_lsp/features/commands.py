"""Commands: settle and remember, over the text the person sees (F26 to F34)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from stilltrue.ide.snapshot import Cited
from stilltrue.ide.wording import shortened
from stilltrue.model.citation import CitationKind, Place, Span
from stilltrue.model.memory import Origin
from stilltrue.services import editor, settle, snoozing
from stilltrue.services.history import why
from stilltrue.services.recording import CitationSpec
from stilltrue.services.remember import Remembered, Request, remember
from stilltrue.services.settle import inheriting
from stilltrue.services.workspace import Workspace
from stilltrue_lsp.open_files import OpenFile
from stilltrue_lsp.requests import Arguments
from stilltrue_lsp.session import Session

KEPT_ON_SAVE = "kept when you save"
Answer = dict[str, Any]


async def reverify(session: Session, arguments: Arguments) -> Answer:
    """*Still true*, of saved text at once, of unsaved text for this buffer until the save (F26, F32)."""
    file, cited = await _looked_up(session, arguments)
    if file is None or cited is None:
        return await _moved_on(session, file, arguments)
    if not cited:
        return _refused(session, "there is nothing to re-verify here")
    if any(each.verdict.is_broken for each in cited):
        return _refused(session, "what was cited is gone: re-point, supersede or retract")
    text, tracker = file.document.text, file.tracker
    if (
        file.is_open
        and tracker is not None
        and await session.ask(partial(editor.is_unsaved, file.workspace, file.path, text, tracker.mapping))
    ):
        return await _reverify_unsaved(session, file, cited, text)
    places = {each.citation.uid: Place(file.path, each.span) for each in cited if each.span}
    done = await session.ask(
        partial(
            settle.reverify, file.workspace, [each.citation for each in cited], at=places, key=arguments.key
        )
    )
    session.renew()
    return {"ok": done is not None}


async def _reverify_unsaved(session: Session, file: OpenFile, cited: list[Cited], text: str) -> Answer:
    mapping = file.tracker.mapping if file.tracker else None
    for each in cited:
        if each.span is None or mapping is None:
            return _refused(session, "save the file first: it is cited as a whole")
        taken = await session.ask(partial(editor.take_provisional, file.workspace, text, mapping, each.span))
        if taken is None:
            return {"ok": False}
        file.provisional[each.citation.uid] = taken
    session.look(file)
    session.messages.say(f"re-verified, {KEPT_ON_SAVE}")
    return {"ok": True, "provisional": True}


async def supersede(session: Session, arguments: Arguments) -> Answer:
    """A new memory takes the place of the old one and cites the lines as they are now (F27)."""
    if _is_without_place(arguments) and arguments.text is not None:
        return await _settled_by_name(session, arguments, partial(_superseded, arguments))
    file, cited = await _looked_up(session, arguments)
    if file is None or not cited or arguments.text is None:
        return await _moved_on(session, file, arguments)
    old = cited[0].memory
    if not arguments.text.strip():
        return _refused(session, "the text is blank; nothing was changed")
    request = inheriting(old, arguments.text, origin=_origin(file))
    if file.is_open:
        here = _current(file, old.uid)
        job = partial(editor.supersede_here, file.workspace, _buffer(file), request, here, key=arguments.key)
    else:
        job = partial(settle.supersede, file.workspace, old.uid, request, key=arguments.key)
    done = await session.ask(job)
    session.renew()
    return {"ok": done is not None, "id": done.memory.id if done else None}


async def repoint(session: Session, arguments: Arguments) -> Answer:
    """The citation points at the offered lines from now on."""
    file, cited = await _looked_up(session, arguments)
    if file is None or not cited or arguments.start_line is None:
        return await _moved_on(session, file, arguments)
    span = Span(arguments.start_line, arguments.end_line or arguments.start_line)
    citation = cited[0].citation
    is_file = citation.kind is CitationKind.FILE
    target = CitationSpec(
        kind=CitationKind.FILE if is_file else CitationKind.SPAN,
        path=arguments.path or file.path,
        span=None if is_file else span,
        symbol=citation.symbol,
    )
    done = await session.ask(
        partial(
            settle.repoint,
            file.workspace,
            citation,
            target,
            texts=_texts(file),
            origin=_origin(file),
            key=arguments.key,
        )
    )
    session.renew()
    return {"ok": done is not None}


async def retract(session: Session, arguments: Arguments) -> Answer:
    """The memory ends without a successor."""
    if _is_without_place(arguments):
        return await _settled_by_name(
            session, arguments, lambda workspace, uid: settle.retract(workspace, [uid], key=arguments.key)
        )
    file, cited = await _looked_up(session, arguments)
    if file is None or not cited:
        return await _moved_on(session, file, arguments)
    uid = cited[0].memory.uid
    done = await session.ask(partial(settle.retract, file.workspace, [uid], key=arguments.key))
    session.renew()
    return {"ok": done is not None}


async def snooze(session: Session, arguments: Arguments) -> Answer:
    """Nobody is told of the memory for some days, or until its lines change again (design 7)."""
    file, cited = await _looked_up(session, arguments)
    if file is None or not cited:
        return await _moved_on(session, file, arguments)
    names = list(dict.fromkeys(each.memory.uid for each in cited))
    job = partial(
        snoozing.snooze, file.workspace, names, days=arguments.days, texts=_texts(file), key=arguments.key
    )
    done = await session.ask(job)
    session.renew()
    return {"ok": done is not None}


async def remember_lines(session: Session, arguments: Arguments) -> Answer:
    """A new memory about the selected lines, as the buffer has them."""
    file = await session.file_or_disk(arguments.uri)
    if file is None or arguments.start_line is None or arguments.text is None:
        return _refused(session, "select lines of a file in a repository first")
    if _text_moved_on(file, arguments):
        return _refused(session, "the text changed since this was offered; nothing was done")
    span = Span(arguments.start_line, arguments.end_line or arguments.start_line)
    request = Request(
        text=arguments.text,
        citations=(CitationSpec(kind=CitationKind.SPAN, path=file.path, span=span),),
        origin=_origin(file),
    )
    done = await session.ask(
        partial(remember, file.workspace, request, texts=_texts(file), key=arguments.key)
    )
    session.renew()
    return {"ok": done is not None, "id": done.memory.id if done else None}


async def undo(session: Session, arguments: Arguments) -> Answer:
    """The last act on this repository is taken back (F33)."""
    workspace = await session.workspace_of(arguments.uri)
    if workspace is None:
        return _refused(session, "open a file or folder of the repository first")
    done = await session.ask(partial(settle.undo, workspace))
    session.renew()
    return {"ok": done is not None, "undone": done.kind if done else None}


def _is_without_place(arguments: Arguments) -> bool:
    """A memory is named that stands at no lines: it cites a commit alone, or nothing."""
    return arguments.memory is not None and not arguments.citations


async def _settled_by_name(
    session: Session, arguments: Arguments, act: Callable[[Workspace, str], object]
) -> Answer:
    workspace, memory = await session.workspace_of(arguments.uri), arguments.memory
    if workspace is None or memory is None:
        return _refused(session, "name a memory of the open folder")
    done = await session.ask(partial(act, workspace, memory))
    session.renew()
    found = done.memory.id if isinstance(done, Remembered) else None
    return {"ok": done is not None, "id": found}


def _superseded(arguments: Arguments, workspace: Workspace, uid: str) -> Remembered:
    old, _ = settle.find_citations(workspace, uid)
    request = inheriting(old, arguments.text or "")
    return settle.supersede(workspace, uid, request, key=arguments.key)


async def _looked_up(session: Session, arguments: Arguments) -> tuple[OpenFile | None, list[Cited] | None]:
    """The file and citations meant; None for citations that moved on since the offer (F30)."""
    file = await session.file_or_disk(arguments.uri)
    if file is None:
        return None, None
    if _text_moved_on(file, arguments):
        return file, None
    found = [file.cited(each.uid) for each in arguments.citations]
    wanted = [each.generation for each in arguments.citations]
    present = [each for each in found if each is not None]
    if [each.citation.generation for each in present] != wanted:
        return file, None
    return file, present


def _text_moved_on(file: OpenFile, arguments: Arguments) -> bool:
    """Whether the lines may be others than those the person saw when it was offered (F30)."""
    return file.is_open and arguments.version not in {None, file.document.version}


async def _moved_on(session: Session, file: OpenFile | None, arguments: Arguments) -> Answer:
    """Do nothing, say so, name what took the memory's place, and look anew (F30)."""
    if file is None:
        return _refused(session, "the file lies in no repository")
    if file.is_open:
        session.look(file)
    session.survey.soon()
    told = await session.ask(partial(why, file.workspace, arguments.memory)) if arguments.memory else None
    heads = [head for head in told.heads if head.uid != told.memory.uid] if told else []
    if heads:
        names = " and ".join(f"{head.id} ({shortened(head.text)})" for head in heads)
        return _refused(session, f"the memory was superseded by {names}; nothing was done")
    return _refused(session, "the memory or the text changed since this was offered; nothing was done")


def _refused(session: Session, message: str) -> Answer:
    session.messages.say(message)
    return {"ok": False, "message": message}


def _origin(file: OpenFile) -> Origin:
    return Origin.BUFFER if file.unsaved else Origin.DISK


def _mapping(file: OpenFile) -> editor.BufferMapping:
    return file.tracker.mapping if file.tracker else editor.BufferMapping()


def _texts(file: OpenFile) -> editor.Texts | None:
    """The working tree with the buffer over it; the disk alone for a file that is not open."""
    if not file.is_open:
        return None
    return editor.buffer_texts(file.workspace, file.path, file.document.text, _mapping(file))


def _buffer(file: OpenFile) -> editor.BufferText:
    return editor.BufferText(path=file.path, text=file.document.text, mapping=_mapping(file))


def _current(file: OpenFile, memory: str) -> list[Cited]:
    return [each for each in file.snapshot().cited if each.memory.uid == memory]
