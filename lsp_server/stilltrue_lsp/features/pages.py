"""The read-only pages of memories, and the ways between a memory and its lines."""

from __future__ import annotations

from functools import partial

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams

from stilltrue.errors import StillTrueError
from stilltrue.ide.help import help_text
from stilltrue.model.citation import Place
from stilltrue.services.pages import Page, page_of
from stilltrue.services.workspace import Workspace
from stilltrue_lsp.convert import place_range, position_to_line, start_of_text
from stilltrue_lsp.session import Session
from stilltrue_lsp.uris import help_code, page_uid, page_uri, path_to_uri


async def on_content(
    session: Session, params: types.TextDocumentContentParams
) -> types.TextDocumentContentResult:
    """The text of a `memory:` document: of a memory, or about a code of diagnostics."""
    if (told := help_text(help_code(params.uri) or "")) is not None:
        return types.TextDocumentContentResult(text=told)
    found = await _page(session, params.uri)
    if found is None:
        raise JsonRpcInvalidParams("there is no such memory")
    return types.TextDocumentContentResult(text=found[1].text)


async def on_definition(session: Session, params: types.DefinitionParams) -> list[types.Location]:
    """From a citation on a page to its lines; code has definitions of its own, which are left alone."""
    found = await _page(session, params.text_document.uri)
    if found is None:
        return []
    workspace, page = found
    place = page.places.get(position_to_line(params.position))
    return [_location(workspace, place)] if place else []


async def on_references(session: Session, params: types.ReferenceParams) -> list[types.Location]:
    """From a page to all its lines; from a cited line to the pages, or to what else they cite."""
    found = await _page(session, params.text_document.uri)
    if found is not None:
        return [_location(found[0], place) for place in found[1].places.values()]
    file = session.file(params.text_document.uri)
    if file is None:
        return []
    line = position_to_line(params.position)
    here = {each.memory.uid: each.memory for each in file.snapshot().touching(line, line)}
    if session.opens_pages:
        return [
            types.Location(uri=page_uri(each.uid, each.id), range=start_of_text()) for each in here.values()
        ]
    return [
        _location(workspace, Place(row.citation.path, row.span))
        for uid in here
        for workspace, memory in [session.survey.row(uid) or (None, None)]
        if workspace is not None and memory is not None
        for row in memory.citations
        if row.citation.path and row.span
    ]


async def _page(session: Session, uri: str) -> tuple[Workspace, Page] | None:
    uid = page_uid(uri)
    if uid is None:
        return None
    for workspace in session.repositories.known():
        try:
            return workspace, await session.work(partial(page_of, workspace, uid))
        except StillTrueError:
            continue  # it may be of another repository
    return None


def _location(workspace: Workspace, place: Place) -> types.Location:
    return types.Location(uri=path_to_uri(str(workspace.root / place.path)), range=place_range(place.span))
