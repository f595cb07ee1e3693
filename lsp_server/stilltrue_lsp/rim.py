"""The rim around pygls: what it does not do right for a product is done here.

Changes of text go straight from JSON to the document, because that is what happens at
every keystroke. Buffers, shutdown, commands and the report of errors are ours; the rest
is pygls's.
"""

from __future__ import annotations

import inspect
import logging
import sys
import uuid
from functools import partial
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.exceptions import FeatureRequestError, JsonRpcInternalError, JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer
from pygls.protocol import lsp_method

from stilltrue_lsp.documents import UNITS, Change, DocumentTable
from stilltrue_lsp.lenient import lenient_converter
from stilltrue_lsp.wire import VERSION, MessageId, WireProtocol

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping, Sequence

    from cattrs import Converter
    from pygls.server import ServerErrors

    from stilltrue.ide.edits import Edit
    from stilltrue_lsp.documents import Document

    Steps = Generator[Any, Any, Any]

logger = logging.getLogger(__name__)


class RimProtocol(WireProtocol):
    """The protocol with its own buffers and without loose ends.

    The callbacks are called in the order of the messages, on the loop's thread, after
    `documents` is up to date and before a feature registered for the same message.

    Attributes:
        documents: The open buffers.
        on_open: Called with a document that was opened.
        on_change: Called with a document and what was done to its lines, in order.
        on_save: Called with a document that was saved.
        on_close: Called with a document that is no longer in `documents`.
        on_parent: Called at `initialize` with the process id of the editor, if it told one.
        on_capabilities: Called with what is about to be answered to `initialize`, which it may change.
    """

    def __init__(self, server: LanguageServer, converter: Converter) -> None:
        self.documents = DocumentTable()
        self.on_open: Callable[[Document], None] | None = None
        self.on_change: Callable[[Document, list[Edit]], None] | None = None
        self.on_save: Callable[[Document], None] | None = None
        self.on_close: Callable[[Document], None] | None = None
        self.on_parent: Callable[[int], object] | None = None
        self.on_capabilities: Callable[[types.ServerCapabilities], object] | None = None
        super().__init__(server, converter)
        self.raw_notifications[types.TEXT_DOCUMENT_DID_CHANGE] = self._take_change

    def publish_diagnostics_raw(
        self, uri: str, version: int | None, diagnostics: Sequence[Mapping[str, Any]]
    ) -> None:
        """Sends the diagnostics of a document, given as JSON, at a fraction of the usual cost."""
        params: dict[str, Any] = {"uri": uri, "diagnostics": diagnostics}
        if version is not None:
            params["version"] = version
        self.send_json(
            {"jsonrpc": VERSION, "method": types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS, "params": params}
        )

    def _take_change(self, message: dict[str, Any]) -> None:
        method = types.TEXT_DOCUMENT_DID_CHANGE
        if self._change(message.get("params")) and (handler := self.fm.features.get(method)) is not None:
            params = self._converter.structure(message["params"], types.DidChangeTextDocumentParams)
            self._execute_handler(str(uuid.uuid4()), handler, self._check_handler_result, args=(params,))

    def _change(self, params: object) -> bool:
        """Applies a `didChange` as it came; all of it or nothing."""
        try:
            uri, version, changes = _read_did_change(params)
        except ValueError:
            logger.exception("a change could not be read: the buffer is out of step until it is reopened")
            return False
        document = self.documents.get(uri)
        if document is None:
            logger.warning("ignored a change of a document that is not open")
            return False
        edits = [document.apply(change) for change in changes]
        if version is not None:
            document.version = version
        self._tell(self.on_change, document, edits)
        return True

    def _tell(self, callback: Callable[..., object] | None, *args: object) -> None:
        if callback is None:
            return
        try:
            callback(*args)
        except Exception:
            logger.exception("a callback failed")

    def _user_step(self, method: str, params: object) -> Steps:
        if (handler := self.fm.features.get(method)) is not None:
            yield handler, (params,), None

    @lsp_method(types.INITIALIZE)
    def lsp_initialize(self, params: types.InitializeParams) -> Steps:
        """Answers as pygls does, and sets what columns are counted in."""
        result = yield from super().lsp_initialize(params)
        encoding = self.workspace.position_encoding
        self.documents.unit = UNITS.get(getattr(encoding, "value", encoding) or "", "utf-16")
        if params.process_id is not None:
            self._tell(self.on_parent, params.process_id)
        self._tell(self.on_capabilities, result.capabilities)
        return result

    @lsp_method(types.SHUTDOWN)
    def lsp_shutdown(self, *args: Any) -> Steps:  # noqa: ANN401 - pygls's signature
        """Cancels what is in flight, each of which is answered, and takes no more."""
        yield from self._user_step(types.SHUTDOWN, args[0] if args else None)
        own = self.msg_id
        # Cancelling calls back into the table, so a copy is walked.
        for msg_id, future in list(self._request_futures.items()):
            if msg_id != own:
                future.cancel()
        self._shutdown = True

    @lsp_method(types.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(self, params: types.DidOpenTextDocumentParams) -> Steps:
        """Takes a document in."""
        item = params.text_document
        language = getattr(item.language_id, "value", item.language_id)
        self._tell(self.on_open, self.documents.open(item.uri, item.text, item.version, language))
        yield from self._user_step(types.TEXT_DOCUMENT_DID_OPEN, params)

    @lsp_method(types.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: types.DidChangeTextDocumentParams) -> Steps:
        """Changes a document where the message did not come through `receive`."""
        if self._change(self._converter.unstructure(params)):
            yield from self._user_step(types.TEXT_DOCUMENT_DID_CHANGE, params)

    @lsp_method(types.TEXT_DOCUMENT_DID_SAVE)
    def lsp_text_document__did_save(self, params: types.DidSaveTextDocumentParams) -> Steps:
        """Tells that a document was saved."""
        if (document := self.documents.get(params.text_document.uri)) is not None:
            self._tell(self.on_save, document)
        yield from self._user_step(types.TEXT_DOCUMENT_DID_SAVE, params)

    @lsp_method(types.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(self, params: types.DidCloseTextDocumentParams) -> Steps:
        """Lets a document go."""
        if (document := self.documents.close(params.text_document.uri)) is not None:
            self._tell(self.on_close, document)
        yield from self._user_step(types.TEXT_DOCUMENT_DID_CLOSE, params)

    def _handle_request(self, msg_id: MessageId, method_name: str, params: Any) -> None:  # noqa: ANN401
        if method_name != types.WORKSPACE_EXECUTE_COMMAND:
            super()._handle_request(msg_id, method_name, params)
            return
        # A command is the request itself, not a step of it: cancelling the request then
        # cancels the command, and one that is no coroutine keeps its place in the order.
        try:
            handler, arguments = self._command(params)
        except JsonRpcInvalidParams as error:
            self.refuse(msg_id, error)
            return
        self._ctx_msg_id.set(msg_id)
        self._execute_handler(
            msg_id, handler, partial(self._send_handler_result, msg_id=msg_id), args=arguments
        )

    def _command(self, params: types.ExecuteCommandParams) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        """The handler of a command, and its arguments as plain JSON values."""
        handler = self.fm.commands.get(params.command)
        if handler is None:
            raise JsonRpcInvalidParams(f"there is no command {params.command!r}")
        arguments = tuple(params.arguments or ())
        _check_arguments(self._server, handler, arguments)
        return handler, arguments


class RimServer(LanguageServer):
    """A pygls server on `RimProtocol`, which logs its errors and shows none."""

    protocol: RimProtocol

    def __init__(self, name: str, version: str) -> None:
        super().__init__(name, version, protocol_cls=RimProtocol, converter_factory=lenient_converter)

    def report_server_error(self, error: Exception, source: ServerErrors) -> None:
        """Logs what went wrong; a popup would come once a keystroke."""
        if source is FeatureRequestError and not isinstance(error, JsonRpcInternalError):
            logger.info("request refused: %s", error)
        else:
            # Called while the handler's own error is dealt with; `error` has no traceback.
            logger.error("a handler failed", exc_info=sys.exc_info()[1] or error)


def _read_did_change(params: object) -> tuple[str, int | None, list[Change]]:
    match params:
        case {"textDocument": {"uri": str(uri), **rest}, "contentChanges": list(raw)}:
            version = rest.get("version")
            return uri, version if isinstance(version, int) else None, [Change.from_json(one) for one in raw]
    raise ValueError("not the parameters of a change")


def _check_arguments(
    server: LanguageServer, handler: Callable[..., object], arguments: Sequence[Any]
) -> None:
    """Raises `JsonRpcInvalidParams` if a command does not take so many arguments."""
    # Where a handler takes the server pygls wraps it and leaves the original in `func`.
    wrapped = getattr(handler, "func", None)
    given = (server, *arguments) if wrapped else tuple(arguments)
    try:
        inspect.signature(wrapped or handler).bind(*given)
    except TypeError as error:
        raise JsonRpcInvalidParams(f"{JsonRpcInvalidParams.MESSAGE}: {error}") from error
