"""One server at work on one buffer: closed loop, typing, and floods of edits that no answer is due to."""

from __future__ import annotations

import asyncio
import os
import time
from dataclasses import dataclass, field
from pathlib import Path

from buffers import NAME, Buffer, Edits, record
from client import PATIENCE, Client, Json
from servers import Contestant

BURST, GAP = 60, 1 / 30
POLL = 0.02


@dataclass(frozen=True)
class Burst:
    """What came of typing at a fixed pace.

    Attributes:
        tail_ms: From the last key to the diagnostics of its version.
        publishes: How often the server published meanwhile.
        cpu_s: CPU seconds of the server.
    """

    tail_ms: float
    publishes: int
    cpu_s: float


@dataclass
class Sitting:
    """A server with the buffer open.

    Attributes:
        samples: Milliseconds from a change to the diagnostics of its version.
        clearing: Those of them, where a citation is toggled, that made it fresh again.
        open_ms: From `didOpen` to the first answer that depends on the text.
        cpu_s: CPU seconds of the server during the counted edits.
    """

    contestant: Contestant
    buffer: Buffer
    folder: Path
    samples: list[float] = field(default_factory=list)
    clearing: list[float] = field(default_factory=list)
    bursts: list[Burst] = field(default_factory=list)
    open_ms: float = 0.0
    cpu_s: float = 0.0
    version: int = 1

    async def start(self) -> None:
        """Start the server, open the buffer and wait until it is ready for edits."""
        self.folder.mkdir()
        file, stale = self.folder / NAME, self.contestant.all_stale
        if self.contestant.cites:
            environment = record(self.folder, self.buffer, all_stale=stale)
        else:
            environment = dict(os.environ)
            file.write_text(self.buffer.text)
        self.uri = file.as_uri()
        self.client = Client(self.contestant.command, environment)
        self.client.on_publish = self._published
        await self.client.start(self.folder, self.contestant.options)
        self.expected: asyncio.Future[float] = asyncio.get_running_loop().create_future()
        text = self.buffer.text_all_stale if stale else self.buffer.text
        item = {"uri": self.uri, "languageId": "python", "version": 1, "text": text}
        opened = self.client.notify("textDocument/didOpen", {"textDocument": item})
        if self.contestant.cites:
            await self._until_looked_at()
        else:
            await asyncio.wait_for(self.expected, PATIENCE)
        self.open_ms = (time.perf_counter() - opened) * 1e3

    async def block(self, count: int, *, counted: bool = True) -> None:
        """Some edits, each sent when the diagnostics of the one before came."""
        before = self.client.cpu_seconds
        for _ in range(count):
            taken = await self._one()
            if counted:
                self.samples.append(taken)
            if counted and self.contestant.edits is Edits.TOGGLE and self.version % 2:
                self.clearing.append(taken)
        if counted:
            self.cpu_s += self.client.cpu_seconds - before

    async def flood(self, count: int, *, counted: bool = True) -> None:
        """Some edits that no diagnostics are due to, sent at once; one sample, the mean."""
        before, begun = self.client.cpu_seconds, time.perf_counter()
        for _ in range(count):
            self._edit()
        await self.client.request("stilltrue/noSuchMethod", {})  # answered after all that came before
        if counted:
            self.samples += [(time.perf_counter() - begun) * 1e3 / count] * count
            self.cpu_s += self.client.cpu_seconds - before

    async def burst(self) -> None:
        """Typing at a fixed pace whatever comes back; a cited span is stale at the end."""
        toggles = self.contestant.edits is Edits.TOGGLE
        if toggles:
            await self._one()
        publishes, cpu = self.client.publishes, self.client.cpu_seconds
        due = sent = time.perf_counter()
        for _ in range(BURST):
            self.expected = asyncio.get_running_loop().create_future()
            sent = self._edit()
            due += GAP
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
        arrived = await asyncio.wait_for(self.expected, PATIENCE)
        self.bursts.append(
            Burst((arrived - sent) * 1e3, self.client.publishes - publishes, self.client.cpu_seconds - cpu)
        )
        if toggles:
            await self._one()

    async def _one(self) -> float:
        self.expected = asyncio.get_running_loop().create_future()
        sent = self._edit()
        return (await asyncio.wait_for(self.expected, PATIENCE) - sent) * 1e3

    async def _until_looked_at(self) -> None:
        """Nothing is published of what is fresh, but there is a hover once the citations are known."""
        asked = {"textDocument": {"uri": self.uri}, "position": self.buffer.hover_position}
        begun = time.perf_counter()
        while not (await self.client.request("textDocument/hover", asked)).get("result"):
            if time.perf_counter() - begun > PATIENCE:
                raise TimeoutError("the server never knew of the citations")
            await asyncio.sleep(POLL)

    def _edit(self) -> float:
        self.version += 1
        change = self.buffer.change(self.contestant.edits, self.version)
        document = {"uri": self.uri, "version": self.version}
        return self.client.notify(
            "textDocument/didChange", {"textDocument": document, "contentChanges": [change]}
        )

    def _published(self, arrived: float, params: Json) -> None:
        version = params.get("version")
        if not self.expected.done() and (version is None or version >= self.version):
            self.expected.set_result(arrived)
