"""Keystroke to diagnostics, several servers in one interleaved run, as ratios to stock pygls.

    python benchmarks/latency/bench.py [--lines 1000 10000 100000] [--edits 300] [--out FILE]

Closed loop: one edit is sent, and the next when the diagnostics of its version came. Servers take turns in
blocks, so that a noisy machine hits them alike. Open loop: 60 edits at 30 Hz; how long after the last one its
diagnostics come, and how often the server published. Figures are milliseconds of wall time as the client sees
them.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import statistics
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from servers import TOKEN, Buffer, Contestant, contestants, python_source, workspace_with_citations

BLOCK, WARM_UP, PATIENCE = 25, 20, 120.0
BURST, GAP = 60, 1 / 30
TARGETS = {1_000: 0.7, 10_000: 0.25, 100_000: 0.03}
CAPABILITIES = {"textDocument": {"publishDiagnostics": {"versionSupport": True}}}


@dataclass
class Session:
    """One server at work on one buffer."""

    contestant: Contestant
    buffer: Buffer
    folder: Path
    samples: list[float] = field(default_factory=list)
    bursts: list[tuple[float, int]] = field(default_factory=list)
    cpu: float = 0.0
    version: int = 1
    published: int = 0

    async def start(self) -> None:
        """Start the server, open the buffer and wait for its first diagnostics, if any are due."""
        file = self.folder / "buffer.py"
        self.folder.mkdir()
        file.write_text(self.buffer.text)
        environment = dict(os.environ)
        if self.contestant.cites:
            environment = workspace_with_citations(self.folder, self.buffer)
        self.uri = file.as_uri()
        self.expected: asyncio.Future[float] = asyncio.get_running_loop().create_future()
        self.process = await asyncio.create_subprocess_exec(
            *self.contestant.command,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            limit=2**26,
            env=environment,
        )
        self.reading = asyncio.create_task(self._read())
        self.initialized = asyncio.get_running_loop().create_future()
        root = self.folder.as_uri()
        begun = time.perf_counter()
        self._send(
            "initialize",
            {
                "processId": os.getpid(),
                "rootUri": root,
                "workspaceFolders": [{"uri": root, "name": "bench"}],
                "capabilities": CAPABILITIES,
                "initializationOptions": self.contestant.options,
            },
            request=1,
        )
        await asyncio.wait_for(self.initialized, PATIENCE)
        self.start_ms = (time.perf_counter() - begun) * 1e3
        self._send("initialized", {})
        item = {"uri": self.uri, "languageId": "python", "version": 1, "text": self.buffer.text}
        self._send("textDocument/didOpen", {"textDocument": item})
        if self.contestant.cites:  # all is fresh, so nothing is published: wait until the look is over
            await asyncio.sleep(1.0)
        else:
            await asyncio.wait_for(self.expected, PATIENCE)

    async def one(self) -> float:
        """One edit and its diagnostics, in milliseconds."""
        self.expected = asyncio.get_running_loop().create_future()
        sent = self._edit()
        arrived = await asyncio.wait_for(self.expected, PATIENCE)
        return (arrived - sent) * 1e3

    async def block(self, count: int) -> None:
        """Several edits, counted."""
        before = cpu_seconds(self.process.pid)
        for _ in range(count):
            self.samples.append(await self.one())
        self.cpu += cpu_seconds(self.process.pid) - before

    async def burst(self) -> None:
        """Typing: edits at a fixed pace, without waiting."""
        published = self.published
        due = time.perf_counter()
        for index in range(BURST):
            if index == BURST - 1:
                self.expected = asyncio.get_running_loop().create_future()
            sent = self._edit()
            due += GAP
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
        arrived = await asyncio.wait_for(self.expected, PATIENCE)
        self.bursts.append(((arrived - sent) * 1e3, self.published - published))

    async def stop(self) -> None:
        """End the server, which this session started."""
        self.rss = rss_mib(self.process.pid)
        if self.process.stdin is not None:
            self.process.stdin.close()
        try:
            await asyncio.wait_for(self.process.wait(), 5)
        except TimeoutError:
            self.process.kill()
            await self.process.wait()
        await self.reading

    def _edit(self) -> float:
        self.version += 1
        # citations: back to the cited text in every other version, so that each has other diagnostics
        toggled = 0 if self.contestant.cites and self.version % 2 else self.version
        start = {"line": self.buffer.line, "character": self.buffer.column - TOKEN}
        end = {"line": self.buffer.line, "character": self.buffer.column}
        change = {"range": {"start": start, "end": end}, "text": f"{toggled:0{TOKEN}d}"}
        document = {"uri": self.uri, "version": self.version}
        sent = time.perf_counter()
        self._send("textDocument/didChange", {"textDocument": document, "contentChanges": [change]})
        return sent

    def _send(self, method: str, params: Any, request: int | None = None) -> None:  # noqa: ANN401 - JSON
        message = {"jsonrpc": "2.0", "method": method, "params": params}
        body = json.dumps(message if request is None else {**message, "id": request}).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))

    async def _read(self) -> None:
        stream = self.process.stdout
        assert stream is not None
        try:
            while header := await stream.readuntil(b"\r\n\r\n"):
                lengths = [row for row in header.split(b"\r\n") if row.lower().startswith(b"content-length:")]
                body = await stream.readexactly(int(lengths[0].partition(b":")[2]))
                self._take(json.loads(body), time.perf_counter())
        except (asyncio.IncompleteReadError, ConnectionError):
            return

    def _take(self, message: dict[str, Any], arrived: float) -> None:
        if message.get("id") == 1 and "result" in message:
            self.initialized.set_result(None)
        if message.get("method") != "textDocument/publishDiagnostics":
            return
        self.published += 1
        version = message["params"].get("version")
        if not self.expected.done() and (version is None or version >= self.version):
            self.expected.set_result(arrived)


def cpu_seconds(pid: int) -> float:
    """CPU time a process has used, children left out (Linux)."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def rss_mib(pid: int) -> float:
    """Resident memory of a process in MiB (Linux)."""
    rows = Path(f"/proc/{pid}/status").read_text().split("\n")
    return next((int(row.split()[1]) / 1024 for row in rows if row.startswith("VmRSS:")), 0.0)


async def measure(lines: int, edits: int, folder: Path) -> list[dict[str, Any]]:
    """Every contestant on a buffer of `lines` lines."""
    buffer = python_source(lines)
    sessions = [Session(each, buffer, folder / f"{lines}-{n}") for n, each in enumerate(contestants())]
    for session in sessions:
        await session.start()
        for _ in range(WARM_UP):
            await session.one()
    while any(len(session.samples) < goal(session, edits) for session in sessions):
        for session in sessions:
            await session.block(min(BLOCK, goal(session, edits) - len(session.samples)))
    for session in sessions:
        await session.burst()
        await session.stop()
    floor = statistics.median(sessions[0].samples)
    return [row(session, lines, floor) for session in sessions]


def goal(session: Session, edits: int) -> int:
    """How many edits are counted; fewer where each waits by design."""
    return min(edits, BLOCK) if session.contestant.wait else edits


def row(session: Session, lines: int, floor: float) -> dict[str, Any]:
    """One line of the table. A pause by design is taken off the median."""
    samples = sorted(session.samples)
    median = statistics.median(samples) - session.contestant.wait
    return {
        "server": session.contestant.name,
        "lines": lines,
        "edits": len(samples),
        "median_ms": median,
        "x_floor": median / floor,
        "p99_ms": samples[round(0.99 * (len(samples) - 1))] - session.contestant.wait,
        "cpu_ms": 1e3 * session.cpu / len(samples),
        "start_ms": session.start_ms,
        "rss_mib": session.rss,
        "last_key_ms": session.bursts[0][0],
        "published_of_60": session.bursts[0][1],
    }


def show(rows: list[dict[str, Any]]) -> None:
    """The table, and what became of the targets."""
    heads = list(rows[0])
    print("| " + " | ".join(heads) + " |\n|" + "---|" * len(heads))
    for each in rows:
        print("| " + " | ".join(f"{v:.2f}" if isinstance(v, float) else str(v) for v in each.values()) + " |")
    by_name = {(each["server"], each["lines"]): each for each in rows}
    for lines, target in TARGETS.items():
        if ours := by_name.get(("stilltrue", lines)):
            ruff = by_name.get(("ruff server", lines))
            beside = f", ruff {ruff['median_ms'] / ours['median_ms']:.0f} x ours" if ruff else ""
            met = "met" if ours["x_floor"] <= target else "NOT met"
            print(f"{lines} lines: {ours['x_floor']:.3f} x the floor, target {target}: {met}{beside}")


async def main() -> None:
    """Run it."""
    parser = argparse.ArgumentParser(description="Keystroke to diagnostics, beside floors and peers.")
    parser.add_argument("--lines", nargs="+", type=int, default=list(TARGETS))
    parser.add_argument("--edits", type=int, default=300)
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    rows: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory(prefix="latency-") as folder:
        for lines in given.lines:
            rows += await measure(lines, given.edits, Path(folder))
    show(rows)
    if given.out:
        given.out.write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    asyncio.run(main())
