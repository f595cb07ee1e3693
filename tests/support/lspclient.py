"""A language client of our own on plain asyncio: sends exactly what a test says.

It has no library of the protocol under it, so it can send what no library would.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path
    from types import TracebackType

Json = dict[str, Any]
PATIENCE = 20.0
"""Seconds after which a test that waits for something gives up."""


class ServerError(Exception):
    """An error the server answered a request with."""

    def __init__(self, error: Json) -> None:
        super().__init__(f"{error['code']}: {error['message']}")
        self.code: int = error["code"]
        self.data = error.get("data")


class LspClient:
    """One server process and what it said.

    Attributes:
        notifications: Method and parameters of what the server sent, in order.
        answers: Messages that answer no request of ours, such as errors without an id.
        garbage: Lines of the server's output that are not of the protocol.
        answer: What to answer the server's own requests with, by method.
    """

    def __init__(self, command: Sequence[str], stderr: Path) -> None:
        self.command = command
        self.notifications: list[tuple[str, Any]] = []
        self.answers: list[Json] = []
        self.garbage: list[bytes] = []
        self.answer: dict[str, Callable[[Any], Any]] = {}
        self._stderr = stderr
        self._next_id = 0
        self._pending: dict[int, asyncio.Future[Json]] = {}
        self._news = asyncio.Condition()

    async def __aenter__(self) -> Self:
        with self._stderr.open("ab") as log:
            self.process = await asyncio.create_subprocess_exec(
                *self.command,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=log,
                limit=2**26,
            )
        self._reading = asyncio.create_task(self._read())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process.returncode is None:
            self.process.kill()
        await self.process.wait()
        await self._reading
        self.stdin.close()

    @property
    def stdin(self) -> asyncio.StreamWriter:
        """The server's input."""
        assert self.process.stdin is not None
        return self.process.stdin

    @property
    def log(self) -> str:
        """What the server wrote to standard error."""
        return self._stderr.read_text(encoding="utf-8")

    def send(self, message: object) -> None:
        """Sends any JSON value as a message."""
        self.send_body(json.dumps(message).encode())

    def send_body(self, body: bytes, header: bytes = b"Content-Length: %d\r\n\r\n") -> None:
        """Sends any bytes as a message; `%d` in the header stands for their number."""
        self.stdin.write((header % len(body) if b"%d" in header else header) + body)

    def notify(self, method: str, params: object = None) -> None:
        """Sends a notification."""
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    def begin(self, method: str, params: object = None) -> tuple[int, asyncio.Future[Json]]:
        """Sends a request; the future is its whole answer."""
        self._next_id += 1
        future: asyncio.Future[Json] = asyncio.get_running_loop().create_future()
        self._pending[self._next_id] = future
        message: Json = {"jsonrpc": "2.0", "id": self._next_id, "method": method}
        self.send(message if params is None else {**message, "params": params})
        return self._next_id, future

    async def request(self, method: str, params: object = None) -> Any:  # noqa: ANN401
        """Sends a request and returns its result, or raises `ServerError`."""
        answer = await asyncio.wait_for(self.begin(method, params)[1], PATIENCE)
        if "error" in answer:
            raise ServerError(answer["error"])
        return answer["result"]

    async def run(self, command: str, *arguments: object) -> Any:  # noqa: ANN401
        """Runs a command of the server's."""
        return await self.request("workspace/executeCommand", {"command": command, "arguments": arguments})

    async def initialize(self, *, process_id: int | None = None, **capabilities: object) -> Json:
        """Shakes hands, as an editor without a folder."""
        params = {
            "processId": os.getpid() if process_id is None else process_id,
            "rootUri": None,
            "capabilities": capabilities,
        }
        result: Json = await self.request("initialize", params)
        self.notify("initialized", {})
        return result

    async def until(self, condition: Callable[[], bool]) -> None:
        """Waits until something that depends on received messages holds."""
        async with self._news:
            await asyncio.wait_for(self._news.wait_for(condition), PATIENCE)

    async def exit_code(self, within: float) -> int:
        """The server's exit code, once it has ended; fails if that takes longer (seconds)."""
        return await asyncio.wait_for(self.process.wait(), within)

    async def _read(self) -> None:
        assert self.process.stdout is not None
        length = 0
        try:
            while line := await self.process.stdout.readline():
                name, _, value = line.partition(b":")
                if name == b"Content-Length":
                    length = int(value)
                elif line == b"\r\n":
                    await self._take(json.loads(await self.process.stdout.readexactly(length)))
                else:
                    self.garbage.append(line)
        except asyncio.IncompleteReadError:
            pass
        finally:
            for future in self._pending.values():
                future.cancel()

    async def _take(self, message: Json) -> None:
        async with self._news:
            if "method" not in message:
                future = self._pending.pop(message["id"], None) if message["id"] is not None else None
                if future is None:
                    self.answers.append(message)
                else:
                    future.set_result(message)
            elif "id" in message:
                result = self.answer[message["method"]](message.get("params"))
                self.send({"jsonrpc": "2.0", "id": message["id"], "result": result})
            else:
                self.notifications.append((message["method"], message.get("params")))
            self._news.notify_all()


def python_server(script: Path) -> list[str]:
    """The command that runs a script with this interpreter."""
    return [sys.executable, str(script)]
