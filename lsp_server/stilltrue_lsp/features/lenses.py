"""What stands above cited lines, or at their end: code lenses or inlay hints, as the settings have it."""

from __future__ import annotations

from lsprotocol import types

from stilltrue.ide.lenses import Mark, marks
from stilltrue_lsp.convert import end_of_line, line_range, position_to_line
from stilltrue_lsp.open_files import OpenFile
from stilltrue_lsp.requests import Arguments, Command
from stilltrue_lsp.session import Session


async def on_code_lens(session: Session, params: types.CodeLensParams) -> list[types.CodeLens]:
    """One lens a memory above the lines it cites; a click shows the memory."""
    file = await _shown_as(session, "lens", params.text_document.uri)
    if file is None:
        return []
    return [
        types.CodeLens(range=line_range(file.document, mark.line, mark.line), command=_command(file, mark))
        for mark in marks(file.snapshot())
    ]


async def on_inlay_hint(session: Session, params: types.InlayHintParams) -> list[types.InlayHint]:
    """One hint a memory at the end of the first line it cites."""
    file = await _shown_as(session, "hint", params.text_document.uri)
    if file is None:
        return []
    first, last = position_to_line(params.range.start), position_to_line(params.range.end)
    return [
        types.InlayHint(
            position=end_of_line(file.document, mark.line),
            label=mark.title,
            tooltip=mark.tooltip,
            padding_left=True,
        )
        for mark in marks(file.snapshot())
        if first <= mark.line <= last
    ]


async def _shown_as(session: Session, display: str, uri: str) -> OpenFile | None:
    return await session.file_soon(uri) if session.settings.display == display else None


def _command(file: OpenFile, mark: Mark) -> types.Command:
    argument = Arguments(uri=file.uri, memory=mark.cited.memory.uid)
    return types.Command(title=mark.title, command=Command.SHOW_HISTORY.value, arguments=[argument.to_json()])
