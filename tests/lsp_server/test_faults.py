"""The server under abuse, with a plain client: ends, floods, odd files, and no write of its own accord."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from stilltrue.services import settle
from support.lspclient import LspClient, ServerError
from support.repo import Repo
from support.server import Home, quiet

SOURCE = "import os\n\n\ndef retry(call):\n    for attempt in range(5):\n        call(attempt)\n"
Json = dict[str, Any]

asynchronous = pytest.mark.asyncio


@pytest.fixture
def repo(home: Home) -> Repo:
    made = home.repo()
    made.write("a.py", SOURCE)
    return made


@pytest.fixture
def known(home: Home, repo: Repo) -> Repo:
    """The repository with one memory."""
    home.remember(repo.root, "Retries stop after 5 attempts", "a.py:4-6")
    return repo


class Client(LspClient):
    """The plain client with the words of these tests."""

    def open(self, file: Path, text: str = SOURCE) -> str:
        item = {"uri": file.as_uri(), "languageId": "python", "version": 1, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": item})
        return file.as_uri()

    def change(self, uri: str, version: int, text: str, where: Json | None = None) -> None:
        change = {"text": text, **({"range": where} if where else {})}
        document = {"uri": uri, "version": version}
        self.notify("textDocument/didChange", {"textDocument": document, "contentChanges": [change]})

    def tell(self, what: str, uri: str) -> None:
        self.notify(f"textDocument/{what}", {"textDocument": {"uri": uri}})

    async def hover(self, uri: str, line: int) -> Any:  # noqa: ANN401 - whatever the server answers
        at = {"line": line - 1, "character": 0}
        return await self.request("textDocument/hover", {"textDocument": {"uri": uri}, "position": at})

    async def actions(self, uri: str, line: int) -> list[Json]:
        at = {"line": line - 1, "character": 0}
        params = {
            "textDocument": {"uri": uri},
            "range": {"start": at, "end": at},
            "context": {"diagnostics": []},
        }
        found: list[Json] = await self.request("textDocument/codeAction", params)
        return found

    async def looked(self, uri: str, line: int = 4) -> None:
        async with asyncio.timeout(10):
            while await self.hover(uri, line) is None:  # noqa: ASYNC110 - the server tells nothing of it
                await asyncio.sleep(0.01)

    async def located(self, uri: str) -> None:
        """Wait until the server knows the repository of a file of which nothing is remembered."""
        async with asyncio.timeout(10):
            # only what lies in no repository is refused with a message of its own
            while (await self.run("stilltrue.undo", {"uri": uri})).get("message"):  # noqa: ASYNC110 - likewise
                await asyncio.sleep(0.01)

    def published(self, uri: str) -> list[Json]:
        return [
            params for method, params in self.notifications if "publish" in method and params["uri"] == uri
        ]

    def codes(self, uri: str) -> list[tuple[int, str]]:
        found = self.published(uri)
        return (
            [(each["range"]["start"]["line"] + 1, each["code"]) for each in found[-1]["diagnostics"]]
            if found
            else []
        )

    def messages(self) -> list[str]:
        return [params["message"] for method, params in self.notifications if method == "window/showMessage"]

    async def end(self) -> int:
        await self.request("shutdown")
        self.notify("exit")
        return await self.exit_code(2)


@asynccontextmanager
async def server(home: Home, **options: object) -> AsyncIterator[Client]:
    async with Client(home.command, home.folder / "stderr") as client:
        params = {
            "processId": os.getpid(),
            "rootUri": None,
            "capabilities": {},
            "initializationOptions": {"settings": options},
        }
        await client.request("initialize", params)
        client.notify("initialized", {})
        yield client
        assert client.garbage == []


def log(home: Home) -> str:
    return (home.folder / "stderr").read_text("utf-8")


# How it ends


@asynchronous
async def test_shutdown_with_looks_under_way_ends_with_zero(home: Home, known: Repo) -> None:
    async with server(home) as client:
        for number in range(20):
            client.open(known.write(f"b{number}.py", SOURCE))
        assert await client.end() == 0
    assert "Traceback" not in log(home)


@asynchronous
async def test_end_of_input_with_commands_in_flight(home: Home, known: Repo) -> None:
    """The store is whole afterwards: an act is done or not."""
    known.write("a.py", SOURCE.replace("5", "7"))
    async with server(home) as client:
        uri = client.open(known.root / "a.py", SOURCE.replace("5", "7"))
        await client.until(lambda: bool(client.codes(uri)))
        command = (await client.actions(uri, 4))[0]["command"]
        client.begin("workspace/executeCommand", {k: command[k] for k in ("command", "arguments")})
        for version in range(2, 50):
            client.change(uri, version, SOURCE + "#\n" * version)
        client.stdin.close()
        assert await client.exit_code(3) == 1
    workspace = home.workspace(known.root)
    assert settle.find_citations(workspace, "m1")[1][0].generation in {1, 2}
    workspace.close()


@asynchronous
async def test_a_save_right_before_the_end_keeps_what_was_reverified(home: Home, known: Repo) -> None:
    """`:wq` of the last file: the editor is gone before the server could answer anything."""
    text = SOURCE.replace("5", "7")
    async with server(home) as client:
        uri = client.open(known.root / "a.py")
        await client.looked(uri)
        client.change(uri, 2, text)
        await client.until(lambda: bool(client.codes(uri)))
        command = (await client.actions(uri, 4))[0]["command"]
        assert (await client.run(command["command"], *command["arguments"]))["provisional"]
        known.write("a.py", text)
        client.tell("didSave", uri)
        client.tell("didClose", uri)
        client.stdin.close()
        await client.exit_code(3)
    workspace = home.workspace(known.root)
    assert settle.find_citations(workspace, "m1")[1][0].generation == 2
    workspace.close()


@asynchronous
async def test_the_server_ends_when_its_client_is_killed(home: Home, known: Repo) -> None:
    """Within a second of SIGKILL, with looks under way."""
    script = home.folder / "client.py"
    script.write_text(CLIENT_THAT_IS_KILLED, "utf-8")
    with subprocess.Popen(  # noqa: ASYNC220 - nothing else runs meanwhile
        [sys.executable, script, (known.root / "a.py").as_uri(), *home.command],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as client:
        assert client.stdout is not None
        pid = int(client.stdout.readline())
        client.send_signal(signal.SIGKILL)
    async with asyncio.timeout(3):
        while alive(pid):  # noqa: ASYNC110 - a process of another parent tells nothing of its end
            await asyncio.sleep(0.02)


CLIENT_THAT_IS_KILLED = """
import json, os, subprocess, sys, time
uri, *command = sys.argv[1:]
server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
def send(**message):
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    server.stdin.write(b"Content-Length: %d\\r\\n\\r\\n%b" % (len(body), body))
    server.stdin.flush()
send(id=1, method="initialize", params={"processId": os.getpid(), "rootUri": None, "capabilities": {}})
server.stdout.readline()
send(method="initialized", params={})
text = "x\\n" * 50000
for number in range(20):
    item = {"uri": f"{uri}{number}", "languageId": "python", "version": 1, "text": text}
    send(method="textDocument/didOpen", params={"textDocument": item})
print(server.pid, flush=True)
time.sleep(60)
"""


def alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def shared(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Client]:
    """One server for tests that leave no trace in it."""
    home = Home(tmp_path_factory.mktemp("shared"))
    async with server(home) as client:
        yield client
    assert "Traceback" not in log(home)


# Floods and odd input


@asynchronous
async def test_a_flood_of_changes_ends_in_the_last_text(home: Home, known: Repo) -> None:
    async with server(home) as client:
        uri = client.open(known.root / "a.py")
        await client.looked(uri)
        at = {"line": 4, "character": 25}
        where = {"start": at, "end": {"line": 4, "character": 26}}
        for number in range(5000):
            client.change(uri, 2 + number, str(number % 10), where)
            if not number % 500:
                await client.stdin.drain()
        hovered = await client.hover(uri, 5)
        await client.until(lambda: client.codes(uri) == [(4, "stale")])
        assert "range\\(9\\)" in hovered["contents"]["value"] or "range(9)" in hovered["contents"]["value"]
        assert client.published(uri)[-1]["version"] == 5001
        assert len(client.published(uri)) < 1100
        assert await client.end() == 0


@pytest.mark.parametrize(
    "argument",
    [
        None,
        1,
        "text",
        [],
        {},
        {"uri": 1},
        {"uri": "file:///x", "citations": 1},
        {"uri": "file:///x", "citations": [1]},
        {"uri": "file:///x", "citations": [{"uid": 1, "generation": 1}]},
        {"uri": "file:///x", "citations": [{"uid": "a", "generation": True}]},
        {"uri": "file:///x", "startLine": 0},
        {"uri": "file:///x", "startLine": 1.5},
        {"uri": "file:///x", "startLine": 5, "endLine": 2},
        {"uri": "file:///x", "text": 1},
        {"uri": "file:///x", "key": []},
    ],
    ids=json.dumps,
)
@pytest.mark.asyncio(loop_scope="module")
async def test_malformed_arguments_are_refused(shared: Client, argument: object) -> None:
    about_folders = ("undo", "list", "check") if argument not in (None, {}) else ()
    about_files = ("reverify", "supersede", "remember", "retract", "repoint", "showChange")
    for command in (*about_files, *about_folders):
        with pytest.raises(ServerError) as caught:
            await shared.run(f"stilltrue.{command}", argument)
        assert caught.value.code == -32602


@pytest.mark.parametrize(
    ("command", "more"),
    [
        ("remember", {"startLine": 1, "endLine": 999, "text": "beyond the end"}),
        ("remember", {"startLine": 1, "text": "\ud800 half"}),
        ("remember", {"startLine": 1, "text": "x" * 100_001}),
        ("remember", {"startLine": 1, "text": "x", "key": "k" * 500}),
        ("remember", {"text": "where?"}),
        ("supersede", {"text": "of what?"}),
        ("supersede", {"text": "x", "citations": [{"uid": "no such", "generation": 1}]}),
        ("reverify", {}),
        ("reverify", {"citations": [{"uid": "no such", "generation": 1}]}),
        ("retract", {"citations": []}),
        ("repoint", {"citations": [], "startLine": 1, "path": "../../etc/passwd"}),
        ("showHistory", {"memory": "m99"}),
        ("showHistory", {"memory": "../../x"}),
        ("showChange", {"citations": [{"uid": "no such", "generation": 1}]}),
    ],
)
@pytest.mark.asyncio(loop_scope="module")
async def test_what_cannot_be_done_is_told_and_changes_nothing(
    shared: Client, tmp_path_factory: pytest.TempPathFactory, command: str, more: Json
) -> None:
    file = Repo.git(tmp_path_factory.mktemp("plain") / "repo").write("a.py", SOURCE)
    uri = shared.open(file)
    await shared.located(uri)
    told = len(shared.messages())
    answer = await shared.run(f"stilltrue.{command}", {"uri": uri, **more})
    assert answer["ok"] is False
    await shared.until(lambda: len(shared.messages()) > told)
    assert await shared.hover(uri, 1) is None


@asynchronous
async def test_fifty_megabytes_on_one_line(home: Home, known: Repo) -> None:
    async with server(home) as client:
        text = "x" * (50 * 2**20)
        uri = client.open(known.write("big.js", text), text)
        client.change(uri, 2, "y", {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 1}})
        small = client.open(known.root / "a.py")
        await client.looked(small)
        client.change(small, 2, SOURCE.replace("5", "7"))
        await client.until(lambda: client.codes(small) == [(4, "stale")])
        assert await client.hover(uri, 1) is None
        client.tell("didClose", uri)
        assert await client.end() == 0


@asynchronous
async def test_half_typed_text_breaks_nothing(home: Home, known: Repo) -> None:
    async with server(home) as client:
        uri = client.open(known.root / "a.py")
        await client.looked(uri)
        for version, end in enumerate(range(len(SOURCE), -1, -3), start=2):
            client.change(uri, version, SOURCE[:end])
            await client.hover(uri, 1)
            await client.actions(uri, 1)
        client.change(uri, 1000, "")
        client.change(uri, 1001, SOURCE)
        await client.until(lambda: client.codes(uri) == [])
        await client.looked(uri)
        await quiet()
        assert client.codes(uri) == []
    assert "Traceback" not in log(home)


@asynchronous
async def test_a_file_that_is_no_utf8_on_disk(home: Home, repo: Repo) -> None:
    """F8: the buffer is text; where it decodes exactly it is compared, else nothing is claimed."""
    repo.write("latin.txt", "# café\nx = 1\n".encode("latin-1"))
    repo.write("broken.py", b"\xff\xfe\x00 x = 1\n\x80\n")
    home.remember(repo.root, "Coffee is served", "latin.txt:1")
    home.remember(repo.root, "Broken but cited", "broken.py:1")
    async with server(home) as client:
        latin = client.open(repo.root / "latin.txt", "# café\nx = 1\n")
        broken = client.open(repo.root / "broken.py", "\ufffd\ufffd\0 x = 1\n\ufffd\n")
        await client.looked(latin, 1)
        await client.looked(broken, 1)
        await quiet()
        assert (client.codes(latin), client.codes(broken)) == ([], [])
        client.change(latin, 2, "# cafés\nx = 1\n")
        await client.until(lambda: client.codes(latin) == [(1, "stale")])
        client.change(broken, 2, "new\n")
        await quiet()
        assert client.codes(broken) == []


@asynchronous
async def test_line_ends_that_the_editor_unified_are_no_change(home: Home, repo: Repo) -> None:
    """F7: not at open, and not after an edit elsewhere; what is re-verified then is the buffer's text."""
    mixed = SOURCE.replace("call):\n", "call):\r\n").encode()
    repo.write("a.py", mixed)
    home.remember(repo.root, "Retries stop after 5 attempts", "a.py:4-6")
    home.remember(repo.root, "The module is needed", "a.py:1")
    async with server(home) as client:
        uri = client.open(repo.root / "a.py", SOURCE)
        await client.looked(uri)
        start = {"line": 1, "character": 0}
        client.change(uri, 2, "# above\n# above\n", {"start": start, "end": start})
        name = {"start": {"line": 0, "character": 7}, "end": {"line": 0, "character": 9}}
        client.change(uri, 3, "sys", name)
        await client.until(lambda: client.codes(uri) == [(1, "stale")])
        await quiet()
        assert client.codes(uri) == [(1, "stale")]
        command = (await client.actions(uri, 1))[0]["command"]
        assert (await client.run(command["command"], *command["arguments"])).get("provisional")
        await client.until(lambda: client.codes(uri) == [])
        bound = {"start": {"line": 6, "character": 25}, "end": {"line": 6, "character": 26}}
        client.change(uri, 4, "7", bound)
        await client.until(lambda: client.codes(uri) == [(6, "stale")])


@asynchronous
async def test_a_file_deleted_while_open_is_judged_by_its_buffer(home: Home, known: Repo) -> None:
    async with server(home) as client:
        uri = client.open(known.root / "a.py")
        await client.looked(uri)
        (known.root / "a.py").unlink()
        client.change(uri, 2, SOURCE + "# more\n")
        client.tell("didSave", uri)
        await quiet()
        assert client.codes(uri) == []
        client.change(uri, 3, SOURCE.replace("5", "7"))
        await client.until(lambda: client.codes(uri) == [(4, "stale")])
        client.tell("didClose", uri)
        await client.until(lambda: client.codes(uri) == [])


@pytest.mark.parametrize(("setting", "kept"), [("keep", [(4, "stale")]), ("clear", [])])
@asynchronous
async def test_close_keeps_or_clears(
    home: Home, known: Repo, setting: str, kept: list[tuple[int, str]]
) -> None:
    known.write("a.py", SOURCE.replace("5", "7"))
    async with server(home, diagnostics_on_close=setting) as client:
        uri = client.open(known.root / "a.py", SOURCE.replace("5", "8"))
        await client.until(lambda: client.codes(uri) == [(4, "stale")])
        client.tell("didClose", uri)
        await quiet()
        assert client.codes(uri) == kept


@asynchronous
async def test_a_wrong_setting_is_told_and_the_rest_goes_on(home: Home, known: Repo) -> None:
    """F40: refused, with the old value kept."""
    async with server(home, severity_stale="loud") as client:
        await client.until(lambda: bool(client.messages()))
        assert "severity_stale may not be 'loud'" in client.messages()[0]
        uri = client.open(known.root / "a.py", SOURCE.replace("5", "8"))
        await client.until(lambda: client.codes(uri) == [(4, "stale")])


# The store


@asynchronous
async def test_without_a_store_nothing_is_made_and_all_is_answered(home: Home, repo: Repo) -> None:
    """F5."""
    async with server(home) as client:
        uri = client.open(repo.root / "a.py")
        client.change(uri, 2, SOURCE.replace("5", "7"))
        client.tell("didSave", uri)
        assert await client.hover(uri, 4) is None
        assert await client.actions(uri, 4) == []
        await quiet()
        client.tell("didClose", uri)
        assert await client.end() == 0
    assert list(home.folder.glob("memories*")) == []
    assert not (home.folder / "state").exists()
    assert client.messages() == []


@asynchronous
async def test_a_store_that_another_process_makes_shows_up(home: Home, repo: Repo) -> None:
    """F23: the first memory, within two seconds."""
    async with server(home) as client:
        uri = client.open(repo.root / "a.py")
        assert await client.hover(uri, 4) is None
        home.remember(repo.root, "Retries stop after 5 attempts", "a.py:4-6")
        async with asyncio.timeout(2.5):
            await client.looked(uri)


@asynchronous
async def test_editing_writes_nothing_and_starts_no_process(home: Home, known: Repo) -> None:
    """F15: a hundred changes, looks and hovers leave the store's bytes and the process table as they are."""
    before = data_of(home)
    async with server(home) as client:
        uri = client.open(known.root / "a.py")
        await client.looked(uri)
        seen: set[int] = set()
        for version in range(2, 102):
            client.change(uri, version, SOURCE.replace("5", str(version)))
            await client.hover(uri, 4)
            seen |= children(client.process.pid)
        client.tell("didSave", uri)
        await client.until(lambda: client.codes(uri) == [(4, "stale")])
        await quiet()
        assert seen | children(client.process.pid) == set()
        assert data_of(home) == before
        assert await client.end() == 0
    assert data_of(home) == before


def data_of(home: Home) -> tuple[bytes, float, bytes]:
    """The store's bytes and date, and the bytes of its log where there is one."""
    log_file = Path(f"{home.database}-wal")
    logged = log_file.read_bytes() if log_file.exists() else b""
    return home.database.read_bytes(), home.database.stat().st_mtime, logged


def children(pid: int) -> set[int]:
    found: set[int] = set()
    for task in _tasks(pid):
        with contextlib.suppress(OSError):
            found |= set(map(int, (task / "children").read_text("utf-8").split()))
    return found


def _tasks(pid: int) -> Iterator[Path]:
    return Path(f"/proc/{pid}/task").glob("*")
