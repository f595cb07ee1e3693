"""Kill writing processes at random moments; nothing they acknowledged may be lost.

    python benchmarks/faults/kill_writers.py [--kills 300]

After each kill: the store opens as it does for everybody, its integrity check passes, no row points nowhere,
and every memory that any process acknowledged before it died is there. The victims take turns:

one by one   writes single memories and supersedes some, each acknowledged on its own; two on one store
a batch      the command line with --stdin, which answers a few hundred at a time
a server     the language server with remember commands in flight

One store in five is new, so that kills hit its making, too.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import select
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from stilltrue.clock import SystemClock
from stilltrue.model.citation import CitationKind, Span
from stilltrue.services import settle
from stilltrue.services.history import why
from stilltrue.services.recording import CitationSpec
from stilltrue.services.remember import Request, remember
from stilltrue.services.workspace import Surroundings, Workspace

NEW_STORE_EVERY = 5
BATCH = 260
COMMANDS = 200
CITED = "a.txt"
PATIENCE = 20.0


@dataclass
class Scene:
    """A repository, its store, and what was acknowledged of it."""

    folder: Path
    dice: random.Random
    number: int = 0
    acknowledged: set[str] = field(default_factory=set)

    @property
    def database(self) -> Path:
        """The store of now."""
        return self.folder / f"memories-{self.number}.db"

    @property
    def surroundings(self) -> Surroundings:
        """How a process finds the store of now."""
        return Surroundings(self.environment)

    @property
    def environment(self) -> dict[str, str]:
        """What a process is started with."""
        return {
            **os.environ,
            "STILLTRUE_DB": str(self.database),
            "XDG_STATE_HOME": str(self.folder),
            "PYTHONUNBUFFERED": "1",
        }

    def new_store(self) -> None:
        """From now on another store, which is not there yet."""
        self.number += 1
        self.acknowledged.clear()

    def workspace(self) -> Workspace:
        """The repository with the store of now."""
        return Workspace(self.folder, self.surroundings, clock=SystemClock())


# -- the victims; each answers with what was acknowledged -------------------------------------------------


def one_by_one(scene: Scene) -> set[str]:
    """Two processes that write on and on, killed at the same moment."""
    command = [sys.executable, __file__, "--write", str(scene.folder)]
    writers = [_started(command, scene) for _ in range(2)]
    for each in writers:
        _first_line(each)
    time.sleep(scene.dice.uniform(0.0, 0.2))
    for each in writers:
        each.kill()
    return {uid for each in writers for uid in _whole_lines(each) if uid}


def a_batch(scene: Scene) -> set[str]:
    """The command line, killed anywhere from its start to after its last answer."""
    process = _started([sys.executable, "-m", "stilltrue", "remember", "--stdin"], scene)
    row = json.dumps({"text": "kept", "citations": [{"path": CITED, "start_line": 1}]}).encode() + b"\n"
    _feed(process, row * BATCH)
    time.sleep(scene.dice.uniform(0.2, 0.9))
    process.kill()
    return {json.loads(line)["uid"] for line in _whole_lines(process)}


def a_server(scene: Scene) -> set[str]:
    """The language server, killed while commands run; a command answers with the memory's number."""
    process = _started([sys.executable, "-m", "stilltrue_lsp"], scene)
    uri = (scene.folder / CITED).as_uri()
    root = {"uri": scene.folder.as_uri(), "name": "faults"}
    _feed(process, _message("initialize", {"capabilities": {}, "workspaceFolders": [root]}, 1))
    _feed(process, _message("initialized", {}))
    item = {"uri": uri, "languageId": "plaintext", "version": 1, "text": "one\ntwo\n"}
    _feed(process, _message("textDocument/didOpen", {"textDocument": item}))
    answers: list[dict[str, Any]] = [_answer(process)]
    time.sleep(0.1)  # the file is looked up meanwhile; commands before that are refused
    for number in range(COMMANDS):
        argument = {"uri": uri, "startLine": 1, "endLine": 2, "text": f"kept {number}"}
        called = {"command": "stilltrue.remember", "arguments": [argument]}
        _feed(process, _message("workspace/executeCommand", called, number + 2))
    time.sleep(scene.dice.uniform(0.02, 0.5))
    process.kill()
    while answer := _answer(process):
        answers.append(answer)
    _reap(process)
    results = [each.get("result") or {} for each in answers]
    return {result["id"] for result in results if result.get("ok") and result.get("id")}


VICTIMS: dict[str, Callable[[Scene], set[str]]] = {
    "one by one": one_by_one,
    "a batch": a_batch,
    "a server": a_server,
}


def write_on(folder: Path) -> None:
    """Write single memories, and settle some, naming each once it is kept; never ends by itself."""
    workspace = Workspace(folder, Surroundings(dict(os.environ)))
    spec = CitationSpec(kind=CitationKind.SPAN, path=CITED, span=Span(1, 1))
    number = 0
    print(flush=True)  # begun: kills may come from here on
    while True:
        number += 1
        request = Request(text=f"kept {number}", citations=(spec,))
        made = remember(workspace, request)
        print(made.memory.uid, flush=True)
        if number % 2:
            print(settle.supersede(workspace, made.memory.uid, request).memory.uid, flush=True)


# -- what must hold afterwards ----------------------------------------------------------------------------


def trouble(scene: Scene) -> str | None:
    """What is wrong with the store, if anything."""
    if not scene.database.exists():
        return f"no store, but {len(scene.acknowledged)} acknowledged" if scene.acknowledged else None
    workspace = scene.workspace()
    try:
        with workspace.reading() as reading:  # as everybody opens it: raises where it cannot be used
            known = reading is not None
        if known and scene.acknowledged:
            why(workspace, max(scene.acknowledged))
    finally:
        workspace.close()
    connection = sqlite3.connect(scene.database)
    try:
        return _trouble_in(connection, scene.acknowledged)
    finally:
        connection.close()


def _trouble_in(connection: sqlite3.Connection, acknowledged: set[str]) -> str | None:
    sound = connection.execute("PRAGMA integrity_check").fetchone()[0]
    if sound != "ok":
        return f"integrity check: {sound}"
    if dangling := connection.execute("PRAGMA foreign_key_check").fetchall():
        return f"{len(dangling)} rows point nowhere"
    made = connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'memories'").fetchone()
    rows = connection.execute("SELECT uid, number FROM memories").fetchall() if made else []
    kept = {name for uid, number in rows for name in (uid, f"m{number}")}
    lost = acknowledged - kept
    return f"{len(lost)} acknowledged memories are lost, {min(lost)} for one" if lost else None


# -- processes --------------------------------------------------------------------------------------------


def _started(command: list[str], scene: Scene) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        command,
        cwd=scene.folder,
        env=scene.environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        bufsize=0,
    )


def _feed(process: subprocess.Popen[bytes], data: bytes) -> None:
    assert process.stdin is not None
    process.stdin.write(data)


def _first_line(process: subprocess.Popen[bytes]) -> None:
    """Wait until there is something to read, and leave it there."""
    assert process.stdout is not None
    select.select([process.stdout], [], [], PATIENCE)


def _whole_lines(process: subprocess.Popen[bytes]) -> list[str]:
    """All a killed process wrote; a line it did not finish acknowledges nothing."""
    assert process.stdout is not None
    written = process.stdout.read() or b""
    _reap(process)
    return written[: written.rfind(b"\n") + 1].decode().split("\n")[:-1]


def _reap(process: subprocess.Popen[bytes]) -> None:
    process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            pipe.close()


def _message(method: str, params: dict[str, Any], number: int | None = None) -> bytes:
    message = {"jsonrpc": "2.0", "method": method, "params": params}
    body = json.dumps(message if number is None else {**message, "id": number}).encode()
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


def _answer(process: subprocess.Popen[bytes]) -> dict[str, Any]:
    """The next message of the server; empty at the end, and for one that was cut off."""
    assert process.stdout is not None
    header = b""
    while not header.endswith(b"\r\n\r\n"):
        if not (byte := process.stdout.read(1)):
            return {}
        header += byte
    length = int(header.split(b"Content-Length:")[1].split(b"\r\n")[0])
    body = b""
    while len(body) < length:
        if not (part := process.stdout.read(length - len(body))):
            return {}
        body += part
    return dict(json.loads(body))


def main() -> int:
    """Kill again and again; 1 if anything acknowledged was lost or a store does not open."""
    parser = argparse.ArgumentParser(description="Kill writers; nothing acknowledged may be lost.")
    parser.add_argument("--kills", type=int, default=300)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--write", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.write:
        write_on(given.write)
    kills: Counter[str] = Counter()
    acknowledged: Counter[str] = Counter()
    with tempfile.TemporaryDirectory(prefix="kills-") as name:
        dice = random.Random(given.seed)  # noqa: S311 - a repeatable spread, not a secret
        scene = Scene(Path(name), dice)
        (scene.folder / CITED).write_text("one\ntwo\n")
        for number in range(given.kills):
            if number % NEW_STORE_EVERY == 0:
                scene.new_store()
            victim = list(VICTIMS)[number % len(VICTIMS)]
            told = VICTIMS[victim](scene)
            scene.acknowledged |= told
            kills[victim] += 1
            acknowledged[victim] += len(told)
            if found := trouble(scene):
                print(f"FAILED after kill {number + 1}, {victim}: {found}")
                return 1
    print("| killed | kills | acknowledged before | lost |\n|---|---|---|---|")
    for victim in VICTIMS:
        print(f"| {victim} | {kills[victim]} | {acknowledged[victim]} | 0 |")
    print(f"{kills.total()} kills: every store opened, every integrity check passed, nothing was lost")
    return 0


if __name__ == "__main__":
    sys.exit(main())
