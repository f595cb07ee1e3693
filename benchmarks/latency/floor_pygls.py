"""A floor: stock pygls that answers each change with one diagnostic and does nothing else."""

from __future__ import annotations

from lsprotocol import types
from pygls.lsp.server import LanguageServer

server = LanguageServer("floor", "0")


def publish(uri: str, version: int) -> None:
    """One diagnostic that names the version."""
    where = types.Range(
        start=types.Position(line=0, character=0),
        end=types.Position(line=0, character=1),
    )
    diagnostic = types.Diagnostic(range=where, message=f"v{version}", source="floor", code="floor")
    server.text_document_publish_diagnostics(
        types.PublishDiagnosticsParams(uri=uri, version=version, diagnostics=[diagnostic])
    )


@server.feature(types.TEXT_DOCUMENT_DID_OPEN)
def did_open(params: types.DidOpenTextDocumentParams) -> None:
    """Answer at once."""
    publish(params.text_document.uri, params.text_document.version)


@server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
def did_change(params: types.DidChangeTextDocumentParams) -> None:
    """Answer at once."""
    publish(params.text_document.uri, params.text_document.version)


if __name__ == "__main__":
    server.start_io()
