"""The rim over real pipes: whatever a client does, the server answers or ends as it should."""

from __future__ import annotations

import asyncio
import io
import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import pytest_asyncio

from stilltrue_lsp.stdio import Writer, frames, is_alive, watch_parent
from support.lspclient import LspClient, ServerError, python_server

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from contextlib import AbstractAsyncContextManager

SERVER = python_server(Path(__file__).with_name("rim_server.py"))
URI = "file:///w/a%20b.py"
POINT = {"line": 0, "character": 0}
RANGE = {"start": POINT, "end": {"line": 0, "character": 1}}

asynchronous = pytest.mark.asyncio


def insertion(text: str, line: int = 0, character: int = 0) -> dict[str, object]:
    at = {"line": line, "character": character}
    return {"range": {"start": at, "end": at}, "text": text}


def open_document(client: LspClient, text: str = "one\n", uri: str = URI, language: str = "python") -> None:
    document = {"uri": uri, "languageId": language, "version": 1, "text": text}
    client.notify("textDocument/didOpen", {"textDocument": document})


def change(client: LspClient, version: int, *changes: object, uri: str = URI) -> None:
    document = {"uri": uri, "version": version}
    client.notify("textDocument/didChange", {"textDocument": document, "contentChanges": changes})


def published(client: LspClient) -> list[int | None]:
    return [params.get("version") for method, params in client.notifications if "publish" in method]


async def poll(client: LspClient, fate: str) -> None:
    for _ in range(2000):
        if fate in await client.run("fates"):
            return
        await asyncio.sleep(0.01)
    pytest.fail(f"never {fate}")


@pytest.fixture
def unstarted(tmp_path: Path) -> Callable[[], AbstractAsyncContextManager[LspClient]]:
    return lambda: LspClient(SERVER, tmp_path / "stderr")


@pytest_asyncio.fixture
async def client(tmp_path: Path) -> AsyncIterator[LspClient]:
    async with LspClient(SERVER, tmp_path / "stderr") as started:
        await started.initialize()
        yield started
        assert started.garbage == []


# Buffers


@asynchronous
async def test_changes_reach_the_buffer_and_the_callbacks_before_the_feature(client: LspClient) -> None:
    open_document(client, "a\x0cb\nc\n")
    change(client, 5, insertion("X", 1), insertion("1\n2\n"))
    assert await client.run("text", URI) == "1\n2\na\x0cb\nXc\n"
    assert await client.run("edits") == [[1, 1, 1], [0, 1, 3]]
    assert await client.run("fates") == ["feature at 5"]
    assert published(client) == [1, 5]


@asynchronous
async def test_pitfall_10_a_buffer_is_found_under_any_spelling_and_answered_in_the_clients(
    client: LspClient,
) -> None:
    open_document(client, uri="file:///w/%C3%A9.py")
    change(client, 2, insertion("x"), uri="file:///w/%c3%a9.py")
    await client.until(lambda: len(client.notifications) == 2)
    assert [params["uri"] for _, params in client.notifications] == ["file:///w/%C3%A9.py"] * 2


@asynchronous
async def test_save_and_close_are_told(client: LspClient) -> None:
    open_document(client)
    client.notify("textDocument/didSave", {"textDocument": {"uri": URI}})
    client.notify("textDocument/didClose", {"textDocument": {"uri": URI}})
    assert await client.run("fates") == [f"saved {URI}"]
    assert await client.run("text", URI) is None
    assert client.notifications[-1][1] == {"uri": URI, "diagnostics": []}


@asynchronous
async def test_a_malformed_change_is_logged_and_applied_not_at_all(client: LspClient) -> None:
    open_document(client)
    change(client, 2, insertion("lost"), {"range": {"start": None}, "text": "x"})
    change(client, 3, insertion("y"), uri="file:///never-opened")
    client.notify("textDocument/didChange", [1])
    change(client, 4, insertion("z"))
    assert await client.run("text", URI) == "zone\n"
    assert "out of step" in client.log
    assert not any("Message" in method for method, _ in client.notifications)


@asynchronous
async def test_a_callback_that_fails_is_logged_with_version_and_pid_and_not_shown(client: LspClient) -> None:
    open_document(client, language="trap")
    change(client, 2, insertion("x"))
    assert await client.run("text", URI) == "xone\n"
    assert "fell into the trap" in client.log
    assert f"stilltrue 0-test [{client.process.pid}] ERROR" in client.log
    assert [method for method, _ in client.notifications] == ["textDocument/publishDiagnostics"]


@asynchronous
async def test_a_flood_of_changes_ends_in_step_and_in_order(client: LspClient) -> None:
    open_document(client, "")
    for version in range(2, 2002):
        change(client, version, insertion(chr(97 + version % 26)))
    expected = "".join(chr(97 + version % 26) for version in range(2001, 1, -1))
    assert await client.run("text", URI) == expected
    await client.until(lambda: len(published(client)) == 2001)
    assert published(client) == list(range(1, 2002))


@asynchronous
async def test_a_command_sees_the_text_of_its_place_in_the_order(client: LspClient) -> None:
    open_document(client, "")
    answers = []
    for version in range(2, 52):
        change(client, version, insertion("x"))
        answers.append(client.begin("workspace/executeCommand", {"command": "text", "arguments": [URI]})[1])
    texts = [(await answer)["result"] for answer in answers]
    assert texts == ["x" * count for count in range(1, 51)]


@asynchronous
@pytest.mark.parametrize(("unit", "column"), [("utf-8", 7), ("utf-16", 4), ("utf-32", 3)])
async def test_pitfalls_2_and_4_the_negotiated_unit_holds_for_buffers_and_is_a_plain_string(
    unstarted: Callable[[], AbstractAsyncContextManager[LspClient]], unit: str, column: int
) -> None:
    async with unstarted() as client:
        result = await client.initialize(general={"positionEncodings": [unit, "utf-16"]})
        assert result["capabilities"]["positionEncoding"] == unit
        open_document(client, "aé😀b\n")
        change(client, 2, insertion("|", 0, column))
        assert await client.run("text", URI) == "aé😀|b\n"
        assert client.notifications[0][1]["diagnostics"][0]["range"]["end"]["character"] == column + 1


# Requests


@asynchronous
async def test_pitfall_27_odd_diagnostics_of_other_tools_do_not_cost_the_answer(client: LspClient) -> None:
    odd = [
        {"range": RANGE, "message": "fine"},
        {"range": {"start": {"line": None, "character": 0}, "end": POINT}, "message": "null line"},
        {"range": RANGE, "message": "unknown numbers", "tags": [1, 99], "severity": 0},
        "not even an object",
    ]
    context = {"diagnostics": odd, "triggerKind": 9, "only": ["quickfix"]}
    params = {"textDocument": {"uri": URI}, "range": RANGE, "context": context}
    [action] = await client.request("textDocument/codeAction", params)
    assert action["title"] == "2 ['quickfix'] 9"


@asynchronous
async def test_unknown_enum_values_do_not_cost_the_start(
    unstarted: Callable[[], AbstractAsyncContextManager[LspClient]],
) -> None:
    kinds = {"completion": {"completionItemKind": {"valueSet": [1, 118115]}}}
    async with unstarted() as client:
        assert (await client.initialize(textDocument=kinds))["capabilities"]


@asynchronous
@pytest.mark.parametrize("params", [{"range": {"start": 1}}, None, [], "x", {"textDocument": {"uri": 3}}])
async def test_malformed_params_are_answered_with_invalid_params(client: LspClient, params: object) -> None:
    with pytest.raises(ServerError, match="-32602"):
        await client.request("textDocument/codeAction", params)


@asynchronous
@pytest.mark.parametrize(
    ("method", "params", "code"),
    [
        ("no/such", None, -32601),
        ("initialize", {"processId": None, "rootUri": None, "capabilities": {}}, -32600),
        ("workspace/executeCommand", {"command": "no such"}, -32602),
        ("workspace/executeCommand", {"command": "echo", "arguments": []}, -32602),
        ("workspace/executeCommand", {"command": "server name", "arguments": [1, 2]}, -32602),
        ("workspace/executeCommand", {"command": "unserialisable"}, -32603),
    ],
)
async def test_what_cannot_be_done_is_refused(
    client: LspClient, method: str, params: object, code: int
) -> None:
    with pytest.raises(ServerError) as caught:
        await client.request(method, params)
    assert caught.value.code == code


@asynchronous
async def test_a_handler_that_fails_is_logged_and_its_traceback_stays_here(client: LspClient) -> None:
    with pytest.raises(ServerError, match="no hover today") as caught:
        await client.request("textDocument/hover", {"textDocument": {"uri": URI}, "position": POINT})
    assert (caught.value.code, caught.value.data) == (-32603, None)
    assert await client.run("echo", 1) == 1  # the answer is sent before the line is logged
    assert "in hover" in client.log


@asynchronous
async def test_requests_before_initialize_are_refused_and_notifications_ignored(
    unstarted: Callable[[], AbstractAsyncContextManager[LspClient]],
) -> None:
    async with unstarted() as client:
        open_document(client)
        with pytest.raises(ServerError, match="-32002"):
            await client.run("echo", 1)
        await client.initialize()
        assert await client.run("text", URI) is None


@asynchronous
async def test_commands_get_plain_json_and_the_server_where_they_ask_for_it(client: LspClient) -> None:
    value = {"jsonrpc": "2.0", "id": 1, "deep": [{"line": None}, "😀"]}
    assert await client.run("echo", value) == value
    assert await client.run("server name", "!") == "rim!"


@asynchronous
async def test_the_clients_answers_reach_the_server(client: LspClient) -> None:
    client.answer["workspace/configuration"] = lambda params: [{"asked": params["items"]}]
    assert await client.run("configuration") == [{"asked": [{"section": "x"}]}]


@asynchronous
async def test_a_cancelled_command_is_answered_and_really_cancelled(client: LspClient) -> None:
    number, answer = client.begin("workspace/executeCommand", {"command": "sleep", "arguments": [30.0]})
    await poll(client, "begun")
    client.notify("$/cancelRequest", {"id": number})
    assert (await answer)["error"]["code"] == -32800
    await poll(client, "cancelled")


@asynchronous
async def test_cancelling_what_is_unknown_is_silent(client: LspClient) -> None:
    client.notify("$/cancelRequest", {"id": 999})
    client.notify("$/cancelRequest", {"id": {"odd": True}})
    assert await client.run("echo", 1) == 1
    assert client.notifications == []
    assert "999" not in client.log


# Messages


@asynchronous
async def test_pitfall_33_noise_on_standard_output_and_input_stays_out_of_the_stream(
    client: LspClient,
) -> None:
    assert await client.run("noise") == 0
    assert client.garbage == []
    assert "a C library writes" in client.log


@asynchronous
@pytest.mark.parametrize(
    "header",
    [
        b"content-length: %d\r\n\r\n",
        b"CONTENT-LENGTH:%d\r\n\r\n",
        b"Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length: %d \r\n\r\n",
        b"Content-Length: %d\n\n",
        b"\r\n\r\nContent-Length: %d\r\n\r\n",
    ],
)
async def test_headers_are_read_in_any_case_and_form(client: LspClient, header: bytes) -> None:
    client.send_body(b'{"jsonrpc": "2.0", "id": "odd", "method": "no/such"}', header)
    await client.until(lambda: bool(client.answers))
    assert client.answers[0]["id"] == "odd"


@asynchronous
@pytest.mark.parametrize(
    ("body", "header"),
    [
        (b"this is not JSON", b"Content-Length: %d\r\n\r\n"),
        (b"", b"Content-Length: %d\r\n\r\n"),
        (b"\xff\xfe", b"Content-Length: %d\r\n\r\n"),
        (b"[" * 100_000, b"Content-Length: %d\r\n\r\n"),
        (b"{}", b"Content-Length: -5\r\n\r\n"),
        (b"{}", b"Content-Length: many\r\n\r\n"),
        (b"{}", b"Content-Length: 99999999999999999999\r\n\r\n"),
        (b"{}", b"Content-Type: x\r\n\r\n"),
        (b"{}" * 5000, b"noise without a colon\r\n\r\n"),
    ],
)
async def test_a_message_that_cannot_be_read_is_answered_and_the_next_one_served(
    client: LspClient, body: bytes, header: bytes
) -> None:
    client.send_body(body, header)
    await client.until(lambda: bool(client.answers))
    assert client.answers[0] == {
        "jsonrpc": "2.0",
        "id": None,
        "error": {"code": -32700, "message": "Parse Error"},
    }
    assert await client.run("echo", 1) == 1


@asynchronous
async def test_messages_that_are_no_objects_or_no_messages_are_ignored(client: LspClient) -> None:
    for odd in (
        [{"jsonrpc": "2.0", "id": 1, "method": "shutdown"}],
        3,
        None,
        "x",
        {},
        {"id": 77, "result": 1},
    ):
        client.send(odd)
    client.send({"jsonrpc": "2.0", "method": "$/unknown", "params": {}})
    client.send({"jsonrpc": "2.0", "method": 5})
    assert await client.run("echo", 1) == 1
    assert client.answers == []
    assert "not an object" in client.log


@asynchronous
@pytest.mark.parametrize(
    "extra", [{"jsonrpc": "2.0", "id": None}, {"jsonrpc": "2.0", "id": [1]}, {"id": "a"}]
)
async def test_requests_that_break_json_rpc_are_answered(client: LspClient, extra: dict[str, object]) -> None:
    client.send({"method": "shutdown", **extra})
    await client.until(lambda: bool(client.answers))
    assert client.answers[0]["error"]["code"] == -32600


def test_the_next_header_is_found_after_a_long_body_without_a_length() -> None:
    good = b"Content-Length: 2\r\n\r\n{}"
    stream = io.BytesIO(b"Content-Length: x\r\n\r\n" + b"y" * 50_001 + good + good)
    assert list(frames(stream)) == [None, b"{}", b"{}"]


def test_a_stream_that_ends_within_a_message_just_ends() -> None:
    assert list(frames(io.BytesIO(b"Content-Length: 5\r\n\r\nabc"))) == []
    assert list(frames(io.BytesIO(b"Content-Len"))) == [None]


# The end


@asynchronous
async def test_shutdown_cancels_and_answers_what_is_in_flight_and_refuses_the_rest(client: LspClient) -> None:
    params = {"command": "sleep", "arguments": [30.0]}
    running = [client.begin("workspace/executeCommand", params)[1] for _ in range(3)]
    await poll(client, "begun")
    assert await client.request("shutdown") is None
    assert [(await answer)["error"]["code"] for answer in running] == [-32800] * 3
    with pytest.raises(ServerError, match="-32600"):
        await client.run("echo", 1)
    client.notify("exit")
    assert await client.exit_code(within=5) == 0


@asynchronous
async def test_exit_without_shutdown_is_a_failure(client: LspClient) -> None:
    client.notify("exit")
    assert await client.exit_code(within=5) == 1


@asynchronous
@pytest.mark.parametrize("shut_down", [False, True])
async def test_pitfall_31_the_end_of_input_ends_the_process(client: LspClient, *, shut_down: bool) -> None:
    if shut_down:
        await client.request("shutdown")
    client.stdin.close()
    assert await client.exit_code(within=5) == (0 if shut_down else 1)


@asynchronous
@pytest.mark.parametrize("polite", [False, True])
async def test_a_busy_thread_does_not_keep_the_process(client: LspClient, *, polite: bool) -> None:
    client.begin("workspace/executeCommand", {"command": "block", "arguments": [100.0]})
    await poll(client, "begun")
    if polite:
        await client.request("shutdown")
        client.notify("exit")
    else:
        client.stdin.close()
    assert await client.exit_code(within=5) == (0 if polite else 1)


@asynchronous
async def test_the_process_ends_with_its_editor_although_the_pipe_is_open(
    unstarted: Callable[[], AbstractAsyncContextManager[LspClient]],
) -> None:
    editor = await asyncio.create_subprocess_exec(
        sys.executable, "-c", "input()", stdin=asyncio.subprocess.PIPE
    )
    async with unstarted() as client:
        await client.initialize(process_id=editor.pid)
        assert await client.run("echo", 1) == 1
        editor.kill()
        await editor.wait()
        assert await client.exit_code(within=5) == 1


@asynchronous
async def test_pitfall_32_an_editor_that_cannot_be_seen_is_not_watched(
    unstarted: Callable[[], AbstractAsyncContextManager[LspClient]],
) -> None:
    editor = await asyncio.create_subprocess_exec(sys.executable, "-c", "")
    await editor.wait()
    async with unstarted() as client:
        await client.initialize(process_id=editor.pid)
        # Longer than two looks of a watcher would take; sleeping in the server proves it lives.
        await client.run("sleep", 0.6)
        assert client.process.returncode is None


def test_no_watch_is_kept_for_numbers_that_name_no_process() -> None:
    assert is_alive(os.getpid())
    assert [watch_parent(pid) for pid in (0, -1, 2**70)] == [None] * 3


def test_a_writer_survives_a_pipe_without_a_reader() -> None:
    source, sink = os.pipe()
    os.close(source)
    stream = os.fdopen(sink, "wb", buffering=0)
    writer = Writer(stream)
    writer.write(b"x")
    writer.write(b"y")
    writer.close()
    writer.write(b"z")
    assert stream.closed


@asynchronous
async def test_log_lines_hold_no_text_of_the_buffer(client: LspClient) -> None:
    open_document(client, "a secret word\n")
    change(client, 2, insertion("another secret"))
    client.notify("textDocument/didOpen", {"textDocument": {"uri": URI, "text": "a third secret"}})
    assert await client.run("echo", 1) == 1
    assert not re.search("secret", client.log)
