"""Carrying the protocol over standard input and output, from the first byte to the exit code.

The streams are moved to descriptors of their own, so that no print, no C library and no
child process can write into them. A thread of its own reads whole messages, so a message
costs one hop to the loop.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import os
import re
import signal
import sys
import threading
import time
from typing import TYPE_CHECKING, BinaryIO, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from stilltrue_lsp.rim import RimProtocol, RimServer

logger = logging.getLogger(__name__)

GRACE: Final = 0.8
"""Seconds that work still running gets after the last message; in all it must be within one."""

MAX_BODY: Final = 512 * 2**20
_MAX_HEADER_LINE: Final = 4096
_LENGTH_AT_END: Final = re.compile(rb"content-length[ \t]*:([ \t]*\d+[ \t]*)\r?\n\Z", re.IGNORECASE)


class _MalformedHeaderError(Exception):
    pass


def log_to_stderr(version: str, level: int = logging.WARNING) -> None:
    """Sends log lines to standard error, each with version and process id."""
    logging.basicConfig(
        stream=sys.stderr,
        level=level,
        format=f"%(asctime)s stilltrue {version} [%(process)d] %(levelname)s %(name)s: %(message)s",
        force=True,
    )
    # It logs every message with its text, and every failure that is logged here already.
    logging.getLogger("pygls").setLevel(logging.CRITICAL)


def start_stdio(server: RimServer, *, parent_poll: float = 2.0) -> int:
    """Serves until the client says `exit` or closes the stream.

    Args:
        server: The server, with all its features.
        parent_poll: Seconds between two looks at whether the editor still lives.

    Returns:
        The exit code for the process: 0 after `shutdown`, else 1.
    """
    protocol = server.protocol
    try:
        source, sink = _private_streams()
    except OSError as error:
        logger.critical("cannot use standard input and output: %s", error)
        return 1
    protocol.set_writer(Writer(sink))
    protocol.on_parent = lambda pid: watch_parent(pid, parent_poll)
    _outlive_signals(protocol)
    # What is imported stays; not walking through it again saves pauses between keystrokes.
    gc.freeze()
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(_serve(protocol, source))
        server.shutdown()  # type: ignore[no-untyped-call]
    return _exit_code(protocol)


async def _serve(protocol: RimProtocol, source: BinaryIO) -> None:
    loop = asyncio.get_running_loop()
    done = asyncio.Event()

    def deliver(body: bytes | None) -> None:
        try:
            protocol.receive(body)
        except SystemExit:
            done.set()

    def pump() -> None:
        with contextlib.suppress(RuntimeError):  # the loop is closed: the process is leaving
            try:
                for body in frames(source):
                    loop.call_soon_threadsafe(deliver, body)
            except OSError:
                logger.exception("standard input failed")
            loop.call_soon_threadsafe(done.set)
            _leave_after_grace(protocol)

    threading.Thread(target=pump, name="stdin", daemon=True).start()
    await done.wait()
    threading.Thread(target=_leave_after_grace, args=(protocol,), name="leave", daemon=True).start()


def _outlive_signals(protocol: RimProtocol) -> None:
    """Lets what was sent just before a signal still be done: editors end a server so after a save.

    Reading goes on until the stream ends, or the grace does.
    """

    def leave(*_: object) -> None:
        threading.Thread(target=_leave_after_grace, args=(protocol,), name="leave", daemon=True).start()

    for name in ("SIGTERM", "SIGHUP"):
        if (number := getattr(signal, name, None)) is not None:  # Windows has no SIGHUP
            signal.signal(number, leave)


def _leave_after_grace(protocol: RimProtocol) -> None:
    """Ends the process although something still runs in it.

    Called from a thread of its own, since the loop itself may be what is stuck.
    """
    time.sleep(GRACE)
    os._exit(_exit_code(protocol))


def _exit_code(protocol: RimProtocol) -> int:
    return 0 if protocol.is_shut_down else 1


def _private_streams() -> tuple[BinaryIO, BinaryIO]:
    """The protocol's streams; 1 becomes standard error, 0 the null device."""
    sys.stdout.flush()
    source, sink = os.dup(0), os.dup(1)  # not inherited by children, as Python has it
    os.dup2(2, 1)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    return os.fdopen(source, "rb"), os.fdopen(sink, "wb")


class Writer:
    """Writes messages whole, from any thread, and survives a client that is gone."""

    def __init__(self, sink: BinaryIO) -> None:
        self._sink = sink
        self._lock = threading.Lock()
        self._broken = False

    def write(self, data: bytes) -> None:
        """Writes and flushes; does nothing once the stream is broken or closed."""
        with self._lock:
            if self._broken:
                return
            try:
                self._sink.write(data)
                self._sink.flush()
            except (OSError, ValueError) as error:
                self._broken = True
                logger.warning("the client no longer reads: %s", error)

    def close(self) -> None:
        """Closes the stream; a later `write` does nothing."""
        with self._lock:
            self._broken = True
            with contextlib.suppress(OSError):
                self._sink.close()


def frames(stream: BinaryIO) -> Iterator[bytes | None]:
    """The bodies of the messages in a stream, until it ends.

    Yields None once for a header that cannot be understood, then goes on with the next
    `Content-Length` line, wherever it stands.
    """
    lost = False
    while True:
        try:
            length = _read_header(stream, _find_length(stream) if lost else None)
        except EOFError:
            return
        except _MalformedHeaderError:
            lost = True
            yield None
            continue
        lost = False
        body = stream.read(length)
        if len(body) < length:
            return
        yield body


def _read_header(stream: BinaryIO, length: int | None) -> int:
    """Reads to the empty line and returns the length told before or within it."""
    begun = length is not None
    while line := stream.readline(_MAX_HEADER_LINE):
        if line in {b"\r\n", b"\n"}:
            if length is not None:
                return length
            if begun:
                raise _MalformedHeaderError
            continue
        begun = True
        name, colon, value = line.partition(b":")
        if not colon or not line.endswith(b"\n"):
            raise _MalformedHeaderError
        if name.strip().lower() == b"content-length":
            length = _length(value)
    raise EOFError


def _find_length(stream: BinaryIO) -> int:
    """Skips to the end of the next line that ends in a length.

    The body of a lost message ends without a line end, so the header after it stands in
    the same line.
    """
    tail = b""
    while chunk := stream.readline(_MAX_HEADER_LINE):
        tail = (tail + chunk)[-_MAX_HEADER_LINE:]
        if match := _LENGTH_AT_END.search(tail):
            return _length(match[1])
        if chunk.endswith(b"\n"):
            tail = b""
    raise EOFError


def _length(value: bytes) -> int:
    digits = value.strip()
    if not digits.isdigit() or len(digits) > len(str(MAX_BODY)) or int(digits) > MAX_BODY:
        raise _MalformedHeaderError
    return int(digits)


def watch_parent(
    pid: int, every: float = 2.0, on_death: Callable[[], object] = lambda: os._exit(1)
) -> threading.Thread | None:
    """Acts when the editor's process is gone, even if its end of the stream is still open.

    Args:
        pid: The process the client named.
        every: Seconds between two looks.
        on_death: What to do then, in the watching thread.

    Returns:
        The thread that watches, or None if there is no such process now: the number of an
        editor outside of a container means nothing in it.
    """
    if not is_alive(pid):
        return None

    def watch() -> None:
        while is_alive(pid):
            time.sleep(every)
        on_death()

    thread = threading.Thread(target=watch, name="parent", daemon=True)
    thread.start()
    return thread


if sys.platform == "win32":
    import ctypes

    _SYNCHRONIZE: Final = 0x00100000
    _WAIT_TIMEOUT: Final = 0x102
    _ACCESS_DENIED: Final = 5

    def is_alive(pid: int) -> bool:
        """Whether there is such a process."""
        if not 0 < pid < 2**32:
            return False
        kernel = ctypes.WinDLL("kernel32", use_last_error=True)
        kernel.OpenProcess.restype = ctypes.c_void_p
        kernel.WaitForSingleObject.argtypes = (ctypes.c_void_p, ctypes.c_uint32)
        kernel.CloseHandle.argtypes = (ctypes.c_void_p,)
        handle = kernel.OpenProcess(_SYNCHRONIZE, False, pid)  # noqa: FBT003 - the C signature
        if not handle:
            return ctypes.get_last_error() == _ACCESS_DENIED
        try:
            return bool(kernel.WaitForSingleObject(handle, 0) == _WAIT_TIMEOUT)
        finally:
            kernel.CloseHandle(handle)

else:

    def is_alive(pid: int) -> bool:
        """Whether there is such a process."""
        if pid <= 0:  # 0 and below name groups of processes
            return False
        try:
            os.kill(pid, 0)
        except (ProcessLookupError, OverflowError):
            return False
        except OSError:  # it is another user's
            return True
        return True
