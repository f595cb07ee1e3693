"""Code actions: settle what is stale on these lines, or remember them (F26 to F33).

Never preferred and never part of a fix-all, so that no save re-verifies by itself (law 4).
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence

from lsprotocol import types

from stilltrue.ide.actions import Act, Offer, offers
from stilltrue.model.citation import Span
from stilltrue_lsp.convert import range_to_lines
from stilltrue_lsp.open_files import OpenFile
from stilltrue_lsp.requests import Arguments, CitedRef, ClientCommand, Command
from stilltrue_lsp.session import Session

QUICK_FIX = "quickfix"
REMEMBER = "refactor.stilltrue.remember"

_COMMANDS = {
    Act.REVERIFY: Command.REVERIFY,
    Act.REVERIFY_COSMETIC: Command.REVERIFY,
    Act.SUPERSEDE: Command.SUPERSEDE,
    Act.REPOINT: Command.REPOINT,
    Act.RETRACT: Command.RETRACT,
    Act.SNOOZE: Command.SNOOZE,
    Act.SHOW_CHANGE: Command.SHOW_CHANGE,
    Act.SHOW_HISTORY: Command.SHOW_HISTORY,
    Act.REMEMBER: Command.REMEMBER,
}
_ON_THESE_LINES = frozenset({Act.REVERIFY, Act.REVERIFY_COSMETIC, Act.REPOINT, Act.REMEMBER})
"""What is done to the very lines that were looked at when it was offered (F30)."""
_PROMPTS = {Act.SUPERSEDE: ClientCommand.SUPERSEDE, Act.REMEMBER: ClientCommand.REMEMBER}


async def on_code_action(session: Session, params: types.CodeActionParams) -> list[types.CodeAction]:
    """What may be done on the lines of the range; looked up by position, never by echoed data (F29)."""
    only = params.context.only or []
    if not (_asked_for(QUICK_FIX, only) or _asked_for(REMEMBER, only)):
        return []
    file = await session.file_soon(params.text_document.uri)
    if file is None:
        return []
    start, end = range_to_lines(params.range)
    made = offers(
        file.snapshot(),
        Span(start, max(start, end)),
        selected=params.range.start != params.range.end,
        mappable=file.tracker is not None and file.tracker.mapping.encoding is not None,
        config=session.display.config,
    )
    return [
        _action(session, file, offer, params.context.diagnostics)
        for offer in made
        if _asked_for(_kind(offer), only)
    ]


def _asked_for(kind: str, only: Sequence[str]) -> bool:
    """Whether a client that asked for the kinds `only` wants this one: a kind selects its sub-kinds."""
    return not only or any(kind == wanted or not wanted or kind.startswith(wanted + ".") for wanted in only)


def _kind(offer: Offer) -> str:
    return REMEMBER if offer.act is Act.REMEMBER else QUICK_FIX


def _action(
    session: Session, file: OpenFile, offer: Offer, shown: Sequence[types.Diagnostic]
) -> types.CodeAction:
    prompt = _PROMPTS.get(offer.act) if session.prompts else None
    arguments = _arguments(file, offer, with_text=prompt is not None)
    return types.CodeAction(
        title=offer.title,
        kind=_kind(offer),
        diagnostics=[each for each in shown if _is_about(each, offer)] or None,
        command=types.Command(
            title=offer.title,
            command=prompt or _COMMANDS[offer.act],
            arguments=[arguments.to_json()],
        ),
    )


def _arguments(file: OpenFile, offer: Offer, *, with_text: bool) -> Arguments:
    span = offer.target.span if offer.target else offer.span
    other_file = offer.target is not None and offer.target.path != file.path
    return Arguments(
        uri=file.uri,
        citations=tuple(CitedRef(each.citation.uid, each.citation.generation) for each in offer.cited),
        memory=offer.cited[0].memory.uid if offer.cited else None,
        start_line=span.start if span else None,
        end_line=span.end if span else None,
        path=offer.target.path if offer.target and other_file else None,
        text=offer.cited[0].memory.text if with_text and offer.cited else None,
        key=secrets.token_hex(16),
        version=file.document.version if offer.act in _ON_THESE_LINES else None,
    )


def _is_about(diagnostic: types.Diagnostic, offer: Offer) -> bool:
    data = diagnostic.data
    if diagnostic.source != "stilltrue" or not isinstance(data, dict):
        return False
    uids = {each.citation.uid for each in offer.cited}
    cited = data.get("citations")
    return isinstance(cited, list) and any(
        isinstance(each, dict) and each.get("uid") in uids for each in cited
    )
