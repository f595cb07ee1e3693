"""A floor: our rim around pygls, without a single citation."""

from __future__ import annotations

import sys

from stilltrue.ide.edits import Edit
from stilltrue_lsp.documents import Document
from stilltrue_lsp.rim import RimServer
from stilltrue_lsp.stdio import start_stdio

server = RimServer("floor", "0")


def publish(document: Document, edits: list[Edit] | None = None) -> None:
    """One diagnostic that names the version."""
    del edits
    where = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 1}}
    row = {"range": where, "message": f"v{document.version}", "source": "floor", "code": "floor"}
    server.protocol.publish_diagnostics_raw(document.uri, document.version, [row])


server.protocol.on_open = publish
server.protocol.on_change = publish

if __name__ == "__main__":
    sys.exit(start_stdio(server))
