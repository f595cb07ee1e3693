"""Hover: what is remembered about the line (F35)."""

from __future__ import annotations

from lsprotocol import types

from stilltrue.ide.hover import hover
from stilltrue.model.citation import Span
from stilltrue_lsp.convert import line_range, position_to_line
from stilltrue_lsp.session import Session


async def on_hover(session: Session, params: types.HoverParams) -> types.Hover | None:
    """The memories on the line that is pointed at, None where there are none."""
    file = await session.file_soon(params.text_document.uri)
    if file is None:
        return None
    document = file.document

    def text_of(span: Span) -> str:
        return document.lines_text(span.start, span.end)

    found = hover(file.snapshot(), position_to_line(params.position), text_of)
    if found is None:
        return None
    text, span = found
    return types.Hover(
        contents=types.MarkupContent(kind=types.MarkupKind.Markdown, value=text),
        range=line_range(document, span.start, span.end),
    )
