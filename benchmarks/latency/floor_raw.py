"""A floor: no framework at all, one diagnostic for each change; the least a server in Python can take."""

from __future__ import annotations

import json
import sys
from typing import Any


def receive() -> dict[str, Any] | None:
    """The next message, or None at the end of the input."""
    length = 0
    while (line := sys.stdin.buffer.readline()) not in {b"", b"\r\n"}:
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            length = int(value)
    body = sys.stdin.buffer.read(length) if line else b""
    return dict(json.loads(body)) if body else None


def send(message: dict[str, Any]) -> None:
    """Write one message."""
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    sys.stdout.buffer.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
    sys.stdout.buffer.flush()


def publish(uri: str, version: int) -> None:
    """One diagnostic that names the version."""
    where = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 1}}
    row = {"range": where, "message": f"v{version}", "source": "floor", "code": "floor"}
    params = {"uri": uri, "version": version, "diagnostics": [row]}
    send({"method": "textDocument/publishDiagnostics", "params": params})


def main() -> None:
    """Serve until the input ends."""
    while (message := receive()) is not None:
        method = message.get("method")
        if method == "initialize":
            capabilities = {"textDocumentSync": {"openClose": True, "change": 2}}
            send({"id": message["id"], "result": {"capabilities": capabilities}})
        elif method in {"textDocument/didOpen", "textDocument/didChange"}:
            document = message["params"]["textDocument"]
            publish(document["uri"], document["version"])
        elif "id" in message:
            send({"id": message["id"], "error": {"code": -32601, "message": "no such method"}})


if __name__ == "__main__":
    main()
