"""A client that costs every server the same: JSON over two pipes, arrivals timed before they are parsed."""

from __future__ import annotations

import asyncio
import json
import os
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

PATIENCE = 180.0
Json = dict[str, Any]


class Client:
    """One server process.

    Attributes:
        publishes: How many sets of diagnostics came.
        start_ms: From starting the process to the answer to `initialize`.
    """

    def __init__(self, command: Sequence[str], environment: Mapping[str, str]) -> None:
        self.publishes = 0
        self.start_ms = 0.0
        self.on_publish: Callable[[float, Json], None] = lambda _arrived, _params: None
        self._command = command
        self._environment = environment
        self._answers: dict[int, asyncio.Future[Json]] = {}

    async def start(self, folder: Path, options: Mapping[str, object]) -> None:
        """Start the server and shake hands."""
        begun = time.perf_counter()
        self.process = await asyncio.create_subprocess_exec(
            *self._command,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            limit=2**26,
            env=self._environment,
        )
        self._reading = asyncio.create_task(self._read())
        root = folder.as_uri()
        await self.request(
            "initialize",
            {
                "processId": os.getpid(),
                "rootUri": root,
                "workspaceFolders": [{"uri": root, "name": folder.name}],
                "capabilities": {"textDocument": {"publishDiagnostics": {"versionSupport": True}}},
                "initializationOptions": options,
            },
        )
        self.start_ms = (time.perf_counter() - begun) * 1e3
        self.notify("initialized", {})

    def notify(self, method: str, params: Json) -> float:
        """Send a notification; the moment it was handed to the pipe."""
        return self._send({"jsonrpc": "2.0", "method": method, "params": params})

    async def request(self, method: str, params: Json) -> Json:
        """Send a request and wait for its whole answer, be it a result or an error."""
        number = len(self._answers) + 1
        answer: asyncio.Future[Json] = asyncio.get_running_loop().create_future()
        self._answers[number] = answer
        self._send({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        return await asyncio.wait_for(answer, PATIENCE)

    async def stop(self) -> None:
        """End the server that was started here."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        try:
            await asyncio.wait_for(self.process.wait(), 5)
        except TimeoutError:
            self.process.kill()
            await self.process.wait()
        await self._reading

    @property
    def cpu_seconds(self) -> float:
        """CPU time the server has used so far, its children left out (Linux)."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    @property
    def rss_mib(self) -> float:
        """Resident memory of the server (Linux)."""
        rows = Path(f"/proc/{self.process.pid}/status").read_text().split("\n")
        return next((int(row.split()[1]) / 1024 for row in rows if row.startswith("VmRSS:")), 0.0)

    def _send(self, message: Json) -> float:
        body = json.dumps(message, separators=(",", ":")).encode()
        assert self.process.stdin is not None
        sent = time.perf_counter()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        return sent

    async def _read(self) -> None:
        stream = self.process.stdout
        assert stream is not None
        try:
            while header := await stream.readuntil(b"\r\n\r\n"):
                lengths = [row for row in header.split(b"\r\n") if row.lower().startswith(b"content-length:")]
                body = await stream.readexactly(int(lengths[0].partition(b":")[2]))
                self._take(time.perf_counter(), json.loads(body))
        except (asyncio.IncompleteReadError, ConnectionError):
            for answer in self._answers.values():
                answer.cancel()

    def _take(self, arrived: float, message: Json) -> None:
        method = message.get("method")
        if method is None:
            self._answers[message["id"]].set_result(message)
        elif method == "textDocument/publishDiagnostics":
            self.publishes += 1
            self.on_publish(arrived, message["params"])
        elif "id" in message:
            nothing = [None] * len(message["params"].get("items", [])) or None
            self._send({"jsonrpc": "2.0", "id": message["id"], "result": nothing})
