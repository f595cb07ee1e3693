"""The real language server in a folder of its own, and an editor that speaks to it through pytest-lsp."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar, cast

from lsprotocol import types
from lsprotocol.converters import get_converter
from pytest_lsp import ClientServerConfig, LanguageClient, LspSpecificationWarning, make_test_lsp_client

from stilltrue.services.recording import parse_spec
from stilltrue.services.remember import Remembered, Request, remember
from stilltrue.services.workspace import Surroundings, Workspace
from support.repo import Repo

PATIENCE = 20.0
"""Seconds: on a locked store an act may wait five for its turn and five for the lock before it is refused."""

Found = TypeVar("Found")
Json = dict[str, Any]

COMMAND = (sys.executable, "-m", "stilltrue_lsp")
PROFILES = Path(__file__).parents[1] / "lsp_server" / "profiles"
VSCODE = "vscode-languageclient-11.0.0"
NEOVIM = "neovim-0.11.4"
SILENCE = 0.4
"""Seconds in which something that must not come would have come."""


@dataclass(frozen=True)
class Home:
    """One user's folders and store, and the repositories in them."""

    folder: Path

    @property
    def database(self) -> Path:
        return self.folder / "memories.db"

    @property
    def drafts(self) -> Path:
        return self.folder / "state" / "stilltrue" / "drafts"

    @property
    def environment(self) -> dict[str, str]:
        """The whole environment of a server."""
        own = {f"XDG_{name}_HOME": str(self.folder / name.lower()) for name in ("STATE", "CONFIG", "DATA")}
        return {**os.environ, **own, "STILLTRUE_DB": str(self.database)}

    @property
    def command(self) -> list[str]:
        """A server's command line that brings its environment along."""
        changed = {name: value for name, value in self.environment.items() if os.environ.get(name) != value}
        return ["env", *(f"{name}={value}" for name, value in changed.items()), *COMMAND]

    def repo(self, name: str = "repo") -> Repo:
        """A new git repository."""
        return Repo.git(self.folder / name)

    def workspace(self, root: Path) -> Workspace:
        """The repository as another process of this user sees it."""
        return Workspace(root, Surroundings(self.environment, database=str(self.database)))

    def remember(self, root: Path, text: str, *places: str) -> Remembered:
        """Remember something, as the command line does."""
        workspace = self.workspace(root)
        try:
            return remember(workspace, Request(text=text, citations=tuple(map(parse_spec, places))))
        finally:
            workspace.close()


@dataclass
class Buffer:
    """What the editor holds of one document."""

    uri: str
    text: str
    version: int
    published: list[types.PublishDiagnosticsParams] = field(default_factory=list)

    @property
    def diagnostics(self) -> list[types.Diagnostic]:
        """What is shown: the last that was published."""
        return list(self.published[-1].diagnostics) if self.published else []

    @property
    def codes(self) -> list[tuple[int, str]]:
        """First line (1-based) and code of what is shown."""
        return [(each.range.start.line + 1, str(each.code)) for each in self.diagnostics]


class Editor:
    """One client with its server process.

    Attributes:
        client: pytest-lsp's client.
        buffers: What is or was open, by uri.
    """

    def __init__(
        self,
        home: Home,
        *folders: Path,
        profile: str = VSCODE,
        unit: str | None = None,
        options: Json | None = None,
        shows_documents: bool = True,
        pulls: bool = False,
        answers: Json | None = None,
    ) -> None:
        self.buffers: dict[str, Buffer] = {}
        self.status: list[Json] = []
        self.asked: list[types.ShowMessageRequestParams] = []
        self.picks = "Re-point"
        self.answers: Json = answers or {}
        self.cancels = False
        self._home = home
        self._folders = folders
        self._options = options
        capabilities = json.loads((PROFILES / f"{profile}.json").read_text("utf-8"))["capabilities"]
        if unit is not None:
            capabilities["general"]["positionEncodings"] = [unit]
        if not shows_documents:
            capabilities["window"]["showDocument"] = None
        if not pulls and capabilities["workspace"].get("diagnostics"):
            capabilities["workspace"]["diagnostics"]["refreshSupport"] = False
        self._capabilities = get_converter().structure(capabilities, types.ClientCapabilities)

    async def __aenter__(self) -> Self:
        config = ClientServerConfig(list(COMMAND), self._make_client, self._home.environment)
        self.client = cast("LanguageClient", await config.start())
        result = await self.client.initialize_session(
            types.InitializeParams(
                capabilities=self._capabilities,
                root_uri=self._folders[0].as_uri() if self._folders else None,
                workspace_folders=[types.WorkspaceFolder(each.as_uri(), each.name) for each in self._folders],
                initialization_options=self._options,
            )
        )
        self.capabilities = result.capabilities
        encoding = result.capabilities.position_encoding
        self.unit = str(getattr(encoding, "value", encoding) or "utf-16")
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await asyncio.wait_for(self.client.shutdown_session(), PATIENCE)
        await self.client.stop()  # type: ignore[no-untyped-call]

    @property
    def messages(self) -> list[str]:
        """What was told with `window/showMessage`."""
        return [each.message for each in self.client.messages]

    @property
    def shown(self) -> list[Path]:
        """The documents the server had the editor show."""
        return [Path(each.uri.removeprefix("file://")) for each in self.client.shown_documents]

    def open(self, file: Path | str, text: str | None = None, language: str = "python") -> Buffer:
        """Open a document; its text is the file's unless another is given."""
        uri = file if isinstance(file, str) else file.as_uri()
        if text is None:
            assert isinstance(file, Path)
            text = file.read_bytes().decode()
        known = self.buffers.get(uri)
        buffer = Buffer(uri, text, 1, known.published if known else [])
        self.buffers[uri] = buffer
        item = types.TextDocumentItem(uri=uri, language_id=language, version=buffer.version, text=text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        return buffer

    def edit(self, buffer: Buffer, old: str, new: str) -> None:
        """Replace the first `old` by `new`, as one change of a range."""
        at = buffer.text.index(old)
        where = types.Range(
            start=self._position(buffer.text, at), end=self._position(buffer.text, at + len(old))
        )
        buffer.text = buffer.text[:at] + new + buffer.text[at + len(old) :]
        self._send(buffer, types.TextDocumentContentChangePartial(range=where, text=new))

    def set(self, buffer: Buffer, text: str) -> None:
        """Replace the whole text."""
        buffer.text = text
        self._send(buffer, types.TextDocumentContentChangeWholeDocument(text=text))

    def save(self, buffer: Buffer, *, write: bool = True) -> None:
        """Write the buffer to its file and tell so."""
        if write:
            Path(buffer.uri.removeprefix("file://")).write_bytes(buffer.text.encode())
        named = types.TextDocumentIdentifier(buffer.uri)
        self.client.text_document_did_save(types.DidSaveTextDocumentParams(named))

    def close(self, buffer: Buffer) -> None:
        named = types.TextDocumentIdentifier(buffer.uri)
        self.client.text_document_did_close(types.DidCloseTextDocumentParams(named))

    async def until(self, look: Callable[[], Found], what: str, patience: float = PATIENCE) -> Found:
        """What `look` answers once that is true."""
        end = time.monotonic() + patience
        while not (found := look()):
            assert time.monotonic() < end, f"timed out: {what}; messages: {self.messages}"
            await asyncio.sleep(0.01)
        return found

    async def shows(self, buffer: Buffer, *codes: tuple[int, str]) -> list[types.Diagnostic]:
        """Wait until exactly these are shown, as lines and codes."""
        try:
            await self.until(lambda: buffer.codes == list(codes), f"shown: {codes}")
        except AssertionError as error:
            raise AssertionError(f"{error}; shown: {buffer.codes}") from None
        return buffer.diagnostics

    async def looked(self, buffer: Buffer, line: int) -> None:
        """Wait until the server knows what is remembered about a line; fresh ones publish nothing."""
        end = time.monotonic() + PATIENCE
        while await self.hover(buffer, line) is None:
            assert time.monotonic() < end, f"timed out: line {line} is known; messages: {self.messages}"
            await asyncio.sleep(0.01)

    async def hover(self, buffer: Buffer, line: int) -> str | None:
        """The text of a hover on a line (1-based)."""
        found = await self.client.text_document_hover_async(
            types.HoverParams(types.TextDocumentIdentifier(buffer.uri), types.Position(line - 1, 0))
        )
        if found is None:
            return None
        assert isinstance(found.contents, types.MarkupContent)
        return found.contents.value

    async def actions(
        self,
        buffer: Buffer,
        first: int,
        last: int | None = None,
        *,
        only: Sequence[str] | None = None,
        diagnostics: Sequence[Json] = (),
    ) -> list[Json]:
        """What the code action menu offers, as JSON; without `last` with just a cursor (lines 1-based)."""
        end = {"line": first - 1, "character": 0} if last is None else {"line": last, "character": 0}
        return await self.actions_at(
            buffer,
            {"start": {"line": first - 1, "character": 0}, "end": end},
            {"diagnostics": list(diagnostics), **({"only": list(only)} if only is not None else {})},
        )

    async def actions_at(self, buffer: Buffer, where: Json, context: Json) -> list[Json]:
        params = {"textDocument": {"uri": buffer.uri}, "range": where, "context": context}
        return cast("list[Json]", await self.ask("textDocument/codeAction", params))

    async def ask(self, method: str, params: Json) -> Any:  # noqa: ANN401 - whatever the server answers
        """A request in plain JSON: lsprotocol takes an action that carries a command for a command."""
        found = await self._exchange(method, params)
        assert "error" not in found, found
        return found["result"]

    async def refused(self, method: str, params: Json) -> Json:
        """The error that a request in plain JSON gets."""
        found = await self._exchange(method, params)
        assert "error" in found, found
        return cast("Json", found["error"])

    def later(self, method: str, params: Json) -> asyncio.Task[Any]:
        """A request whose answer may be long in coming."""
        return asyncio.get_running_loop().create_task(self.ask(method, params))

    async def _exchange(self, method: str, params: Json) -> Json:
        message = {"jsonrpc": "2.0", "id": f"raw-{len(self._raw)}", "method": method, "params": params}
        answer: asyncio.Future[Json] = asyncio.get_running_loop().create_future()
        self._raw[str(message["id"])] = answer
        writer = self.client.protocol.writer
        assert writer is not None
        body = json.dumps(message).encode()
        written = writer.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        if written is not None:
            await written
        return await asyncio.wait_for(answer, PATIENCE)

    async def choose(self, buffer: Buffer, line: int, title: str, **more: object) -> Json:
        """Run the action whose title begins so, with `more` in its argument; the server's answer."""
        action = next(each for each in await self.actions(buffer, line) if each["title"].startswith(title))
        return await self.run(action, **more)

    async def run(self, action: Json, **more: object) -> Json:
        """Run an action that was offered before."""
        command = action["command"]
        return await self.execute(command["command"], {**command["arguments"][0], **more})

    async def execute(self, command: str, argument: Json) -> Json:
        params = {"command": command, "arguments": [argument]}
        return cast("Json", await self.ask("workspace/executeCommand", params))

    def _send(self, buffer: Buffer, change: types.TextDocumentContentChangeEvent) -> None:
        buffer.version += 1
        named = types.VersionedTextDocumentIdentifier(version=buffer.version, uri=buffer.uri)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(named, [change]))

    def _position(self, text: str, at: int) -> types.Position:
        line = text.count("\n", 0, at)
        before = text[text.rfind("\n", 0, at) + 1 : at]
        return types.Position(line, width(before, self.unit))

    def _answer(self, client: LanguageClient) -> None:
        """What the person and the editor answer when the server asks."""
        feature = cast("Callable[[str], Callable[[Callable[..., object]], object]]", client.feature)
        del client.protocol.fm.features[types.WORKSPACE_CONFIGURATION]
        taken = client.protocol.fm.features.pop(types.PROGRESS)

        def configuration(params: types.ConfigurationParams) -> list[object]:
            return [self.answers.get(str(item.section)) for item in params.items]

        def status(params: Any) -> None:  # noqa: ANN401 - a notification of our own
            self.status.append(dict(params._asdict()))

        def ask(params: types.ShowMessageRequestParams) -> types.MessageActionItem:
            self.asked.append(params)
            return types.MessageActionItem(title=self.picks)

        def progress(params: types.ProgressParams) -> None:
            taken(params)
            if self.cancels and len(client.progress_reports[params.token]) == 1:
                client.window_work_done_progress_cancel(types.WorkDoneProgressCancelParams(params.token))

        feature(types.WORKSPACE_CONFIGURATION)(configuration)
        feature("stilltrue/status")(status)
        feature(types.WINDOW_SHOW_MESSAGE_REQUEST)(ask)
        feature(types.PROGRESS)(progress)
        for refresh in (types.WORKSPACE_CODE_LENS_REFRESH, types.WORKSPACE_INLAY_HINT_REFRESH):
            feature(refresh)(lambda _: None)

    @property
    def progress(self) -> list[str]:
        """The last message of everything whose progress was shown."""
        reports = self.client.progress_reports.values()
        return [str(getattr(each[-1], "message", "")) for each in reports if each]

    def _make_client(self) -> LanguageClient:
        warnings.simplefilter("error", LspSpecificationWarning)
        client = make_test_lsp_client()
        del client.protocol.fm.features[types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS]
        self._raw: dict[str, asyncio.Future[Json]] = {}
        structured, handled = client.protocol.structure_message, client.protocol.handle_message

        @client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)  # type: ignore[untyped-decorator]
        def publish(params: types.PublishDiagnosticsParams) -> None:
            self.buffers.setdefault(params.uri, Buffer(params.uri, "", 0)).published.append(params)

        self._answer(client)

        def structure(data: Json) -> Any:  # noqa: ANN401 - one of pygls's messages
            return data if "jsonrpc" not in data or str(data.get("id")) in self._raw else structured(data)

        def handle(message: Any) -> None:  # noqa: ANN401 - likewise
            if isinstance(message, dict):
                self._raw[str(message["id"])].set_result(message)
            else:
                handled(message)

        client.protocol.structure_message = structure  # type: ignore[method-assign]
        client.protocol.handle_message = handle  # type: ignore[method-assign]
        return client


def width(text: str, unit: str) -> int:
    """How wide a text is in the protocol's unit."""
    if unit == "utf-8":
        return len(text.encode())
    return len(text.encode("utf-16-le")) // 2 if unit == "utf-16" else len(text)


async def quiet() -> None:
    """Let pass the time in which something that must not come would come."""
    await asyncio.sleep(SILENCE)
