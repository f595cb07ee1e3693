"""The only mutable state: repositories, open files, and when each is looked at and shown.

The keystroke path (`changed`) runs no git, no SQL, no process and reads no file (law 5, F15). Everything
that does runs on one worker thread, in order.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

from lsprotocol.types import MessageType, ShowDocumentParams, ShowMessageParams
from pygls.exceptions import JsonRpcException

from stilltrue.clock import SystemClock
from stilltrue.errors import StillTrueError
from stilltrue.ide.diagnostics import Code, Diagnostic, DiagnosticsConfig, Severity, diagnostics
from stilltrue.ide.edits import Edit
from stilltrue.services import editor
from stilltrue.services.editor import FileView
from stilltrue.services.workspace import Surroundings
from stilltrue_lsp.documents import Document
from stilltrue_lsp.open_files import OpenFile
from stilltrue_lsp.publishing import held_back, key_of, to_json
from stilltrue_lsp.repositories import Repositories
from stilltrue_lsp.rim import RimServer
from stilltrue_lsp.uris import canonical_key, path_to_uri

logger = logging.getLogger(__name__)

Result = TypeVar("Result")
STORE_POLL_SECONDS = 1.0
SEARCH_PAUSE_SECONDS = 0.15


class Session:
    """One client's session."""

    def __init__(self, server: RimServer, surroundings: Surroundings) -> None:
        self.server = server
        self.repositories = Repositories(surroundings, SystemClock())
        self.files: dict[tuple[str, ...], OpenFile] = {}
        self.prompts = False
        self.shows_documents = False
        self.views = surroundings.state_folder / "views"
        self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="stilltrue")
        self._said: set[str] = set()
        self._tasks: set[asyncio.Task[Any]] = set()
        self.use(surroundings)

    def use(self, surroundings: Surroundings) -> None:
        """Take over settings; everything shown afterwards follows them."""
        self.settings = surroundings.settings
        self.config = DiagnosticsConfig(
            severities={
                code: Severity(getattr(self.settings, "severity_" + code.replace("-", "_"))) for code in Code
            },
            limit=self.settings.diagnostics_per_file,
        )
        self.repositories.surroundings = surroundings

    # -- what the editor tells ------------------------------------------------

    def opened(self, document: Document) -> None:
        """A buffer was opened. What is no file in a repository is left alone, silently (F16)."""
        self.spawn(self._open(document))

    def changed(self, document: Document, edits: list[Edit]) -> None:
        """A buffer was changed: the keystroke path."""
        file = self.files.get(canonical_key(document.uri))
        if file is None or file.document is not document:
            return  # it is being opened; the first look sees the text with this change
        if file.take_edits(edits):
            self._show_soon(file)
        elif file.needs_search:
            self._restart_timer(file)

    def saved(self, document: Document) -> None:
        """A buffer was saved: provisional re-verifies are decided, and all is looked at anew."""
        file = self.files.get(canonical_key(document.uri))
        if file is not None and file.document is document:
            self.spawn(self._saved(file, self._decide(file)))

    def closed(self, document: Document) -> None:
        """A buffer was closed: its diagnostics are cleared, or kept as judged on disk (F23)."""
        file = self.files.get(canonical_key(document.uri))
        if file is None or file.document is not document:
            return
        file.cancel_timer()
        file.is_open, file.provisional = False, {}
        if self.settings.diagnostics_on_close == "clear":
            self._forget(file)
        else:
            self.look(file)

    def file(self, uri: str) -> OpenFile | None:
        """The open file that a uri means, if it lies in a repository."""
        file = self.files.get(canonical_key(uri))
        return file if file is not None and file.is_open else None

    # -- looks ------------------------------------------------------------------

    def look(self, file: OpenFile) -> None:
        """Ask the store and the disk about a file, on the worker; then show at once."""
        if file.looking:
            file.look_again = True
            return
        file.looking = True
        self.spawn(self._look(file))

    def look_at_all(self) -> None:
        """Look at every file, after the store changed."""
        for file in list(self.files.values()):
            self.look(file)

    async def _open(self, document: Document) -> None:
        try:
            found = await self.work(
                lambda: self.repositories.locate(document.path) if document.path else None
            )
        except StillTrueError as error:
            self.say_once(error)
            return
        if found is None or self.server.protocol.documents.get(document.uri) is not document:
            return
        workspace, path = found
        before = self.files.get(canonical_key(document.uri))
        file = OpenFile(document, workspace, path)
        if before is not None:
            before.cancel_timer()
            file.shown, file.shown_json = before.shown, before.shown_json
        self.files[canonical_key(document.uri)] = file
        self.look(file)

    async def _look(self, file: OpenFile) -> None:
        seen, is_open = file.edit_count, file.is_open
        text = file.document.snapshot() if is_open else None
        provisional = file.carried_provisional()
        where, known, view, disk = (file.workspace, file.path), file.mapping, None, None
        try:
            view = await self.work(
                lambda: editor.look_at(*where, text.text if text else None, provisional, known=known)
            )
            disk = None if is_open else await self.work(lambda: editor.disk_text(*where))
        except StillTrueError as error:
            self.say_once(error)
        finally:
            file.looking = False
            self._looked(file, view, disk, is_open=is_open, seen=seen)

    def _looked(
        self, file: OpenFile, view: FileView | None, disk: str | None, *, is_open: bool, seen: int
    ) -> None:
        """Show what a look found; None where it failed, so that what the edits left has to do."""
        if self.files.get(canonical_key(file.uri)) is not file:
            return
        again, file.look_again = file.look_again, False
        if file.is_open == is_open:
            if view is not None:
                file.take_view(view, seen=seen)
            if is_open:
                self.show(file)
            elif view is None or disk is None:
                self._forget(file)  # what is gone from disk has no lines to show anything at
            else:
                file.document = Document(file.uri, disk, 0, "", file.document.unit)
                self.show(file)
        if again and self.files.get(canonical_key(file.uri)) is file:
            self.look(file)

    def _decide(self, file: OpenFile) -> Future[list[str]]:
        """Have the waiting re-verifies stored or dropped, at once: an editor may end right after a save."""
        waiting, file.provisional = file.carried_provisional(), {}
        asked = [
            (cited, waiting[cited.citation.uid])
            for cited in file.snapshot().cited
            if cited.citation.uid in waiting
        ]
        return self._worker.submit(editor.keep_saved, file.workspace, file.path, asked)

    async def _saved(self, file: OpenFile, decided: Future[list[str]]) -> None:
        for message in await asyncio.shield(asyncio.wrap_future(decided)):
            self.say(message, failed=True)
        self.look(file)

    # -- showing ------------------------------------------------------------------

    def show(self, file: OpenFile) -> None:
        """Show all there is to show, now."""
        file.cancel_timer()
        self._send(file, diagnostics(file.snapshot(), self.config))
        if not file.is_open and not file.shown:
            self._forget(file)

    def _show_soon(self, file: OpenFile) -> None:
        """Clear at once, add after the pause (F13); a search of the whole text follows the last edit."""
        delay = self.settings.diagnostics_delay
        wanted = diagnostics(file.snapshot(), self.config)
        if not delay or len(at_once := held_back(file.shown, wanted)) < len(file.shown):
            self._send(file, at_once if delay else wanted)
        if delay or file.needs_search:
            self._restart_timer(file)

    def _restart_timer(self, file: OpenFile) -> None:
        file.cancel_timer()
        delay = self.settings.diagnostics_delay / 1000 or SEARCH_PAUSE_SECONDS
        file.timer = asyncio.get_running_loop().call_later(delay, self._after_pause, file)

    def _after_pause(self, file: OpenFile) -> None:
        file.timer = None
        if not file.is_open:
            return
        if file.needs_search:
            self.look(file)
        else:
            self.show(file)

    def _send(self, file: OpenFile, wanted: Sequence[Diagnostic]) -> None:
        rows = [to_json(each, file.document, file.workspace.root) for each in wanted]
        file.shown = [key_of(each) for each in wanted]
        if rows == file.shown_json:
            return
        file.shown_json = rows
        version = file.document.version if file.is_open else None
        self.server.protocol.publish_diagnostics_raw(file.uri, version, rows)

    def _forget(self, file: OpenFile) -> None:
        self._send(file, [])
        self.files.pop(canonical_key(file.uri), None)

    # -- work, and telling ----------------------------------------------------------

    async def work(self, job: Callable[[], Result]) -> Result:
        """Run a job on the worker thread, after those asked for before."""
        return await asyncio.get_running_loop().run_in_executor(self._worker, job)

    async def ask(self, job: Callable[[], Result]) -> Result | None:
        """`work`, with an error told to the person; None then."""
        try:
            return await self.work(job)
        except StillTrueError as error:
            self.say(_told(error), failed=True)
            return None

    def say(self, message: str, *, failed: bool = False) -> None:
        """Show a message."""
        kind = MessageType.Error if failed else MessageType.Info
        self.server.window_show_message(ShowMessageParams(type=kind, message=f"StillTrue: {message}"))

    async def show_file(self, path: Path, what: str) -> None:
        """Show a file of ours in the editor; where it cannot, tell where it lies."""
        uri = path_to_uri(str(path))
        if self.shows_documents:
            try:
                shown = await self.server.window_show_document_async(
                    ShowDocumentParams(uri=uri, take_focus=True)
                )
            except JsonRpcException as error:
                logger.warning("the client did not show %s: %s", path, error)
            else:
                if shown is not None and shown.success:
                    return
        self.say(f"{what}: {path}")

    def say_once(self, error: StillTrueError) -> None:
        """Tell of a store or repository that cannot be used, once; editing goes on (F39)."""
        if (what := error.code + error.message) not in self._said:
            self._said.add(what)
            logger.error("%s (%s)", error.message, error.code)
            self.say(_told(error), failed=True)

    def spawn(self, coroutine: Any) -> None:  # noqa: ANN401 - any coroutine
        """Run a coroutine on its own; what goes wrong in it is logged."""
        task = asyncio.get_running_loop().create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._finished)

    def _finished(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            logger.error("a task failed", exc_info=error)

    async def watch_store(self) -> None:
        """Look at everything again within two seconds after another process changed the store (F23)."""
        while True:
            await asyncio.sleep(STORE_POLL_SECONDS)
            try:
                changed = bool(self.files) and await self.work(self.repositories.store_changed)
                if changed:
                    self.look_at_all()
            except Exception:
                logger.exception("the store could not be watched")  # the next time it may


def _told(error: StillTrueError) -> str:
    return f"{error.message}. {error.hint}" if error.hint else error.message
