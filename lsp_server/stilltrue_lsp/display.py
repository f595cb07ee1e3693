"""What is shown of a file, and when: clearing at once, adding after a pause, pushed or pulled (F13, F24)."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from typing import Any

from pygls.exceptions import JsonRpcException

from stilltrue.ide.diagnostics import Code, Diagnostic, DiagnosticsConfig, Severity, diagnostics
from stilltrue.settings import Settings
from stilltrue_lsp.open_files import OpenFile
from stilltrue_lsp.publishing import held_back, key_of, to_json
from stilltrue_lsp.rim import RimServer

logger = logging.getLogger(__name__)

SEARCH_PAUSE_SECONDS = 0.15
REFRESH_PAUSE_SECONDS = 0.03


class Display:
    """The diagnostics of the session's files.

    Attributes:
        pulls: The client pulls diagnostics and can be asked to pull again; then nothing is pushed.
        with_help: The client shows a link at the code and can open the page behind it.
        refreshes: What else the client is asked to ask for again, such as code lenses.
        on_pause: Called with a file once it was not changed for the pause.
        on_change: Called after what is shown of a file changed.
    """

    def __init__(self, server: RimServer) -> None:
        self.pulls = self.with_help = False
        self.refreshes: list[Callable[[], object]] = []
        self.on_pause: Callable[[OpenFile], None] = lambda _: None
        self.on_change: Callable[[], None] = lambda: None
        self._server = server
        self._refresh: asyncio.TimerHandle | None = None
        self._asking: set[asyncio.Task[object]] = set()
        self.use(Settings())

    def use(self, settings: Settings) -> None:
        """Take over settings; what is shown afterwards follows them."""
        self._delay = settings.diagnostics_delay
        self.config = DiagnosticsConfig(
            severities={
                code: Severity(getattr(settings, "severity_" + code.replace("-", "_"))) for code in Code
            },
            limit=settings.diagnostics_per_file,
            ignore=settings.ignore,
        )

    def show(self, file: OpenFile) -> None:
        """Show all there is to show, now."""
        file.cancel_timer()
        self._send(file, diagnostics(file.snapshot(), self.config))

    def show_soon(self, file: OpenFile) -> None:
        """Clear at once, add after the pause (F13); a search of the whole text follows the last edit."""
        wanted = diagnostics(file.snapshot(), self.config)
        if not self._delay or len(at_once := held_back(file.shown, wanted)) < len(file.shown):
            self._send(file, at_once if self._delay else wanted)
        if self._delay or file.needs_search:
            self.restart_timer(file)

    def restart_timer(self, file: OpenFile) -> None:
        """Wait for the pause after the last change."""
        file.cancel_timer()
        delay = self._delay / 1000 or SEARCH_PAUSE_SECONDS
        file.timer = asyncio.get_running_loop().call_later(delay, self.on_pause, file)

    def clear(self, file: OpenFile) -> None:
        """Show nothing of a file any more."""
        self._send(file, [])

    def rows(self, file: OpenFile, wanted: Sequence[Diagnostic]) -> list[dict[str, Any]]:
        """Diagnostics of a file as the client is told them."""
        root = file.workspace.root
        return [to_json(each, file.document, root, with_help=self.with_help) for each in wanted]

    def refresh_soon(self) -> None:
        """Have the client ask again for all that it asks for, once for many changes."""
        if self._refresh is None:
            loop = asyncio.get_running_loop()
            self._refresh = loop.call_later(REFRESH_PAUSE_SECONDS, self._refresh_now)

    def _send(self, file: OpenFile, wanted: Sequence[Diagnostic]) -> None:
        rows = self.rows(file, wanted)
        file.shown = [key_of(each) for each in wanted]
        if rows == file.shown_json:
            return
        file.shown_json = rows
        if not self.pulls:
            version = file.document.version if file.is_open else None
            self._server.protocol.publish_diagnostics_raw(file.uri, version, rows)
        self.on_change()

    def _refresh_now(self) -> None:
        self._refresh = None
        for ask in self.refreshes:
            task = asyncio.ensure_future(_asked(ask))
            self._asking.add(task)
            task.add_done_callback(self._asking.discard)


async def _asked(ask: Callable[[], object]) -> None:
    try:
        answer = ask()
        if asyncio.iscoroutine(answer) or isinstance(answer, asyncio.Future):
            await answer
    except JsonRpcException as error:
        logger.info("the client did not refresh: %s", error)
