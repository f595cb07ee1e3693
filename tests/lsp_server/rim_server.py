"""A server that does as little as can be on the real rim, for test_rim.py to torment."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
from typing import TYPE_CHECKING

from lsprotocol import types

from stilltrue_lsp.convert import line_range_json
from stilltrue_lsp.rim import RimServer
from stilltrue_lsp.stdio import log_to_stderr, start_stdio

if TYPE_CHECKING:
    from stilltrue.ide.edits import Edit
    from stilltrue_lsp.documents import Document

VERSION = "0-test"
server = RimServer("rim", VERSION)
protocol = server.protocol
fates: list[str] = []
edits: list[tuple[int, int, int]] = []


def publish(document: Document) -> None:
    diagnostic = {"range": line_range_json(document, 1, 1), "message": f"v{document.version}"}
    protocol.publish_diagnostics_raw(document.uri, document.version, [diagnostic])


def changed(document: Document, done: list[Edit]) -> None:
    edits.extend((edit.first, edit.removed, edit.inserted) for edit in done)
    if document.language_id == "trap":
        raise RuntimeError("the callback fell into the trap")
    publish(document)


protocol.on_open = publish
protocol.on_change = changed
protocol.on_save = lambda document: fates.append(f"saved {document.uri}")
protocol.on_close = lambda document: protocol.publish_diagnostics_raw(document.uri, None, [])


@server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
def after_change(params: types.DidChangeTextDocumentParams) -> None:
    document = protocol.documents.get(params.text_document.uri)
    fates.append(f"feature at {document.version if document else None}")


@server.feature(types.TEXT_DOCUMENT_CODE_ACTION)
def code_action(params: types.CodeActionParams) -> list[types.CodeAction]:
    context = params.context
    return [types.CodeAction(title=f"{len(context.diagnostics)} {context.only} {context.trigger_kind}")]


@server.feature(types.TEXT_DOCUMENT_HOVER)
def hover(_: types.HoverParams) -> types.Hover:
    raise ValueError("no hover today")


@server.command("text")
def text(uri: str) -> str | None:
    document = protocol.documents.get(uri)
    return document.text if document else None


@server.command("lines")
def lines(uri: str) -> list[str]:
    document = protocol.documents.get(uri)
    return document.lines if document else []


@server.command("echo")
def echo(value: str | int | dict[str, object]) -> object:
    return value


@server.command("server name")
def server_name(ls: RimServer, suffix: str) -> str:
    return ls.name + suffix


@server.command("fates")
def get_fates() -> list[str]:
    return fates


@server.command("edits")
def get_edits() -> list[tuple[int, int, int]]:
    return edits


@server.command("sleep")
async def sleep(seconds: float) -> None:
    fates.append("begun")
    try:
        await asyncio.sleep(seconds)
    except asyncio.CancelledError:
        fates.append("cancelled")
        raise
    fates.append("finished")


@server.command("block")
async def block(seconds: float) -> None:
    fates.append("begun")
    await asyncio.to_thread(time.sleep, seconds)


@server.command("noise")
def noise() -> int:
    print("print() in a handler", flush=True)  # noqa: T201 - the noise
    os.write(1, b"a C library writes\n")
    child = [sys.executable, "-c", "import sys; print('a child'); sys.exit(len(sys.stdin.read()))"]
    return subprocess.run(child, check=False, timeout=60).returncode


@server.command("unserialisable")
def unserialisable() -> object:
    return {1, 2}


@server.command("configuration")
async def configuration() -> object:
    item = types.ConfigurationItem(section="x")
    return await server.workspace_configuration_async(types.ConfigurationParams(items=[item]))


if __name__ == "__main__":
    log_to_stderr(VERSION)
    sys.exit(start_stdio(server, parent_poll=0.2))
