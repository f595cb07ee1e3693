"""What the person is told, and asked: plain messages, each trouble once."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path

from lsprotocol.types import (
    MessageActionItem,
    MessageType,
    ShowDocumentParams,
    ShowMessageParams,
    ShowMessageRequestParams,
)
from pygls.exceptions import JsonRpcException

from stilltrue.errors import StillTrueError
from stilltrue_lsp.rim import RimServer
from stilltrue_lsp.uris import path_to_uri

logger = logging.getLogger(__name__)


class Messages:
    """The way to the person.

    Attributes:
        shows_documents: The client can be asked to show a document.
    """

    def __init__(self, server: RimServer) -> None:
        self.shows_documents = False
        self._server = server
        self._said: set[str] = set()

    def say(self, message: str, *, failed: bool = False) -> None:
        """Show a message."""
        kind = MessageType.Error if failed else MessageType.Info
        self._server.window_show_message(ShowMessageParams(type=kind, message=f"StillTrue: {message}"))

    def say_once(self, error: StillTrueError) -> None:
        """Tell of a store or repository that cannot be used, once; editing goes on (F39)."""
        if (what := error.code + error.message) not in self._said:
            self._said.add(what)
            logger.error("%s (%s)", error.message, error.code)
            self.say(told(error), failed=True)

    async def ask(self, question: str, answers: Sequence[str]) -> str | None:
        """Which of `answers` the person picks; None where they or the client pick none."""
        params = ShowMessageRequestParams(
            type=MessageType.Info,
            message=f"StillTrue: {question}",
            actions=[MessageActionItem(title=each) for each in answers],
        )
        try:
            picked = await self._server.window_show_message_request_async(params)
        except JsonRpcException as error:
            logger.info("the client did not ask: %s", error)
            return None
        return picked.title if picked else None

    async def show_file(self, path: Path, what: str) -> None:
        """Show a file of ours in the editor; where it cannot, tell where it lies."""
        if not await self.show_uri(path_to_uri(str(path))):
            self.say(f"{what}: {path}")

    async def show_uri(self, uri: str) -> bool:
        """Show a document in the editor; whether it could."""
        if not self.shows_documents:
            return False
        try:
            shown = await self._server.window_show_document_async(
                ShowDocumentParams(uri=uri, take_focus=True)
            )
        except JsonRpcException as error:
            logger.warning("the client did not show %s: %s", uri, error)
            return False
        return shown is not None and shown.success


def told(error: StillTrueError) -> str:
    """An error in one or two sentences."""
    return f"{error.message}. {error.hint}" if error.hint else error.message
