"""Workspace symbols: find a memory by its words."""

from __future__ import annotations

from lsprotocol import types

from stilltrue.ide.wording import shortened
from stilltrue.services.memory_rows import MemoryRow
from stilltrue.services.workspace import Workspace
from stilltrue_lsp.convert import place_range, start_of_text
from stilltrue_lsp.session import Session
from stilltrue_lsp.uris import page_uri, path_to_uri

LIMIT = 100


def on_workspace_symbol(session: Session, params: types.WorkspaceSymbolParams) -> list[types.WorkspaceSymbol]:
    """The memories that hold every word of the query, at the first lines they cite."""
    words = params.query.casefold().split()
    found = [
        (workspace, row)
        for workspace, row in session.survey.rows()
        if all(word in f"{row.memory.id} {row.memory.text}".casefold() for word in words)
    ]
    symbols = (_symbol(session, workspace, row) for workspace, row in found)
    return [symbol for symbol in symbols if symbol is not None][:LIMIT]


def _symbol(session: Session, workspace: Workspace, row: MemoryRow) -> types.WorkspaceSymbol | None:
    cited = next((each for each in row.citations if each.citation.path), None)
    path = cited.citation.path if cited else None
    if cited is not None and path is not None and workspace.stands(path):
        where = place_range(cited.span) if cited.span else start_of_text()
        location = types.Location(uri=path_to_uri(str(workspace.root / path)), range=where)
    elif session.opens_pages:
        location = types.Location(uri=page_uri(row.memory.uid, row.memory.id), range=start_of_text())
    else:
        return None
    return types.WorkspaceSymbol(
        location=location,
        name=f"{row.memory.id}: {shortened(row.memory.text)}",
        kind=types.SymbolKind.String,
        container_name=f"{row.counted_as} · {path}" if path else row.counted_as,
    )
