"""Messages in and out: each request gets exactly one answer, whatever it looks like.

`WireProtocol.receive` takes one message as bytes, checks it, and hands it on to pygls.
"""

from __future__ import annotations

import json
import logging
from typing import TYPE_CHECKING, Any, Final

from lsprotocol import types
from pygls.exceptions import (
    JsonRpcException,
    JsonRpcInternalError,
    JsonRpcInvalidParams,
    JsonRpcInvalidRequest,
    JsonRpcMethodNotFound,
    JsonRpcParseError,
    JsonRpcServerNotInitialized,
)
from pygls.protocol import LanguageServerProtocol

if TYPE_CHECKING:
    from collections.abc import Callable

    from cattrs import Converter
    from pygls.lsp.server import LanguageServer

logger = logging.getLogger(__name__)

MessageId = str | int
VERSION: Final = "2.0"


class WireProtocol(LanguageServerProtocol):
    """The protocol without messages that go unanswered.

    Attributes:
        raw_notifications: Notifications that are taken as JSON, past lsprotocol's classes,
            by method.
    """

    def __init__(self, server: LanguageServer, converter: Converter) -> None:
        self.raw_notifications: dict[str, Callable[[dict[str, Any]], None]] = {}
        super().__init__(server, converter)

    @property
    def is_shut_down(self) -> bool:
        """Whether `shutdown` was answered."""
        return self._shutdown

    def receive(self, body: bytes | None) -> None:
        """Takes one message; to be called on the loop's thread.

        Args:
            body: The message, or None for one whose header could not be understood.

        Raises:
            SystemExit: At `exit`.
        """
        try:
            if body is None:
                raise ValueError("the header cannot be understood")  # noqa: TRY301 - one answer for both
            message = json.loads(body)
        except (ValueError, RecursionError) as error:
            logger.warning("unreadable message: %s", error)
            self.refuse(None, JsonRpcParseError())
            return
        try:
            self._route(message)
        except JsonRpcException as error:
            logger.warning("ignored a notification that is not what the protocol says: %s", error)
        except Exception:
            logger.exception("message not handled")

    def send_json(self, message: object) -> None:
        """Sends a message made of JSON values, with lsprotocol's classes in it if need be."""
        if self.writer is None:
            logger.error("nothing to write to")
            return
        body = json.dumps(message, default=self._serialize_message, separators=(",", ":")).encode("ascii")
        self.writer.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))

    def _route(self, message: object) -> None:
        if not isinstance(message, dict):
            logger.warning("ignored a message that is not an object")
            return
        method = message.get("method")
        if not isinstance(method, str):
            self._take_response(message)
        elif "id" in message:
            self._take_request(message, method)
        else:
            self._take_notification(message, method)

    def _take_notification(self, message: dict[str, Any], method: str) -> None:
        if method != types.EXIT and (self._shutdown or self._workspace is None):
            return
        if (take := self.raw_notifications.get(method)) is not None:
            take(message)
        elif self._knows(method):
            self._hand_on(message)

    def _take_request(self, message: dict[str, Any], method: str) -> None:
        msg_id = message["id"]
        refusal = self._refusal(message, method)
        if refusal is None:
            try:
                self._hand_on(message)
            except JsonRpcException as error:
                logger.warning("the parameters of %s are not what the protocol says", method)
                refusal = JsonRpcInvalidParams(f"{JsonRpcInvalidParams.MESSAGE}: {error.message}")
        if refusal is not None:
            self.refuse(msg_id if isinstance(msg_id, MessageId) else None, refusal)

    def _refusal(self, message: dict[str, Any], method: str) -> JsonRpcException | None:
        """Why a request is not even looked into, if it is not."""
        if not isinstance(message["id"], MessageId) or message.get("jsonrpc") != VERSION:
            return JsonRpcInvalidRequest()
        if self._shutdown:
            return JsonRpcInvalidRequest("the server was shut down")
        if (method == types.INITIALIZE) != (self._workspace is None):
            ready = self._workspace is not None
            return JsonRpcInvalidRequest("initialized already") if ready else JsonRpcServerNotInitialized()
        return None if self._knows(method) else JsonRpcMethodNotFound.of(method)

    def _take_response(self, message: dict[str, Any]) -> None:
        msg_id = message.get("id")
        future = self._request_futures.get(msg_id) if isinstance(msg_id, MessageId) else None
        if msg_id is None or future is None:
            logger.warning("ignored a message that is no request and answers none")
        elif future.done():  # cancelled on our side before the client answered
            del self._request_futures[msg_id]
        else:
            try:
                self._hand_on(message)
            except JsonRpcException as error:
                del self._request_futures[msg_id]
                future.set_exception(error)

    def _hand_on(self, message: dict[str, Any]) -> None:
        message.setdefault("jsonrpc", VERSION)
        self.handle_message(self.structure_message(message))

    def _knows(self, method: str) -> bool:
        return (
            method in self.fm.builtin_features or method in self.fm.features or method == types.CANCEL_REQUEST
        )

    def refuse(self, msg_id: MessageId | None, error: JsonRpcException) -> None:
        """Answers a request with an error, without any data of ours."""
        self.send_json(
            {"jsonrpc": VERSION, "id": msg_id, "error": {"code": error.code, "message": error.message}}
        )

    def _send_response(
        self, msg_id: MessageId, result: object = None, error: types.ResponseError | None = None
    ) -> None:
        if error is not None:
            self._result_types.pop(msg_id, None)
            if error.code == JsonRpcInternalError.CODE:
                error.data = None  # pygls puts the traceback here, and paths of this machine with it
        super()._send_response(msg_id, result, error)

    def _send_data(self, data: object) -> None:
        # What cannot be written is raised, not logged: the caller then answers with an error.
        self.send_json(data)
