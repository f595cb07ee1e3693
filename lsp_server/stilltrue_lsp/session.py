"""The only mutable state: repositories, open files, and when each is looked at and shown.

The keystroke path (`changed`) runs no git, no SQL, no process and reads no file (law 5, F15). Everything
that does runs on one worker thread, in order.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from typing import TypeVar

from stilltrue.clock import SystemClock
from stilltrue.errors import StillTrueError
from stilltrue.ide.edits import Edit
from stilltrue.services import editor
from stilltrue.services.editor import FileView
from stilltrue.services.workspace import Surroundings, Workspace
from stilltrue_lsp.display import Display
from stilltrue_lsp.documents import Document
from stilltrue_lsp.jobs import Jobs
from stilltrue_lsp.messages import Messages, told
from stilltrue_lsp.open_files import OpenFile, on_disk
from stilltrue_lsp.repositories import Repositories
from stilltrue_lsp.rim import RimServer
from stilltrue_lsp.survey import Survey
from stilltrue_lsp.uris import canonical_key, uri_to_path

logger = logging.getLogger(__name__)

Result = TypeVar("Result")
STORE_POLL_SECONDS = 1.0
FIRST_LOOK_SECONDS = 2.0


class Session(Jobs):
    """One client's session.

    Attributes:
        messages: The way to the person.
        display: What is shown of files.
        survey: What is known of whole repositories.
        repositories: Those that were opened.
        files: What is open or kept, by the canonical key of its uri.
        prompts: The client asks for texts itself.
        own_views: The client shows changes and histories itself.
        opens_pages: The client can open `memory:` documents.
        views: The folder of files that are made to be shown.
    """

    def __init__(self, server: RimServer, surroundings: Surroundings) -> None:
        super().__init__()
        self.server = server
        self.messages = Messages(server)
        self.display = Display(server)
        self.repositories = Repositories(surroundings, SystemClock())
        self.files: dict[tuple[str, ...], OpenFile] = {}
        self.survey = Survey(self.repositories.known, self.files.values)
        self.prompts = self.own_views = self.opens_pages = False
        self.views = surroundings.state_folder / "views"
        self.on_opened: Callable[[OpenFile], None] = lambda _: None
        self._opening: dict[tuple[str, ...], asyncio.Task[None]] = {}
        self.display.on_pause = self._after_pause
        self.display.on_change = self._shown
        self.survey.on_moves = self.look
        self.use(surroundings)

    def use(self, surroundings: Surroundings) -> None:
        """Take over settings; everything shown afterwards follows them.

        Raises:
            InputError: A setting is refused; nothing is taken over then.
        """
        self.settings = surroundings.settings
        self.repositories.use(surroundings)
        self.display.use(self.settings)

    # -- what the editor tells ------------------------------------------------

    def opened(self, document: Document) -> None:
        """A buffer was opened. What is no file in a repository is left alone, silently (F16)."""
        key = canonical_key(document.uri)
        self._opening[key] = task = self.spawn(self._open(document))
        task.add_done_callback(lambda _: self._opening.pop(key, None))

    def changed(self, document: Document, edits: list[Edit]) -> None:
        """A buffer was changed: the keystroke path."""
        file = self.files.get(canonical_key(document.uri))
        if file is None or file.document is not document:
            return  # it is being opened; the first look sees the text with this change
        if file.take_edits(edits):
            self.display.show_soon(file)
        elif file.needs_search:
            self.display.restart_timer(file)

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
        if self.display.pulls or self.settings.diagnostics_on_close == "clear":
            self._forget(file)
            self._shown()
        else:
            self.look(file)

    def file(self, uri: str) -> OpenFile | None:
        """The open file that a uri means, if it lies in a repository."""
        file = self.files.get(canonical_key(uri))
        return file if file is not None and file.is_open else None

    async def file_soon(self, uri: str) -> OpenFile | None:
        """`file`, once it was looked at for the first time: a person may ask as soon as it is open."""
        with suppress(TimeoutError):
            async with asyncio.timeout(FIRST_LOOK_SECONDS):
                if (opening := self._opening.get(canonical_key(uri))) is not None:
                    await asyncio.shield(opening)
                if (file := self.file(uri)) is not None:
                    await file.first_look.wait()
        return self.file(uri)

    async def file_or_disk(self, uri: str) -> OpenFile | None:
        """The open file that a uri means, else the file as it lies on disk, which is not kept.

        None for what lies in no repository. Trouble is told to the person.
        """
        if (file := self.file(uri)) is not None:
            return file
        path = uri_to_path(uri)
        found = await self.ask(partial(self.repositories.locate, path)) if path else None
        if found is None:
            return None
        unit, moves = self.server.protocol.documents.unit, self.survey.moves(found[0])
        return await self.ask(partial(on_disk, uri, *found, unit, moves))

    async def open_folders(self) -> None:
        """Open what the client's folders hold, and see what is remembered there."""
        try:
            await self.work(self.repositories.open_folders)
        except StillTrueError as error:
            self.messages.say_once(error)
        self.survey.soon()

    async def workspace_of(self, uri: str) -> Workspace | None:
        """The repository of a file or folder; without a uri the first folder's, else any that is open."""
        path = uri_to_path(uri) if uri else next(map(str, self.repositories.folders), None)
        if path is None:
            return next(iter(self.repositories.known()), None)
        return await self.ask(partial(self.repositories.holding, path))

    # -- looks ------------------------------------------------------------------

    def renew(self) -> None:
        """Look at everything again after something was settled or the store changed."""
        for file in list(self.files.values()):
            self.look(file)
        self.survey.soon()

    def look(self, file: OpenFile) -> None:
        """Ask the store and the disk about a file, on the worker; then show at once."""
        if file.looking:
            file.look_again = True
            return
        file.looking = True
        self.spawn(self._look(file))

    async def _open(self, document: Document) -> None:
        try:
            found = await self.work(
                lambda: self.repositories.locate(document.path) if document.path else None
            )
        except StillTrueError as error:
            self.messages.say_once(error)
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
        seen, is_open, view, disk = file.edit_count, file.is_open, None, None
        try:
            view = await self.work(file.look(self.survey.moves(file.workspace)))
            where = (file.workspace, file.path)
            disk = None if is_open else await self.work(partial(editor.disk_text, *where))
        except StillTrueError as error:
            self.messages.say_once(error)
        finally:
            file.looking = False
            self._looked(file, view, disk, is_open=is_open, seen=seen)

    def _looked(
        self, file: OpenFile, view: FileView | None, disk: str | None, *, is_open: bool, seen: int
    ) -> None:
        """Show what a look found; None where it failed, so that what the edits left has to do."""
        file.first_look.set()
        if self.files.get(canonical_key(file.uri)) is not file:
            return
        again, file.look_again = file.look_again, False
        first = file.tracker is None
        if file.is_open == is_open:
            if view is not None:
                file.take_view(view, seen=seen)
            if is_open:
                self._show(file)
            elif view is None or disk is None:
                self._forget(file)  # what is gone from disk has no lines to show anything at
            else:
                file.document = Document(file.uri, disk, 0, "", file.document.unit)
                self._show(file)
            self._shown()
            if first and is_open:
                self.on_opened(file)
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
            self.messages.say(message, failed=True)
        self.look(file)
        self.survey.soon()

    # -- showing ------------------------------------------------------------------

    def show_all(self) -> None:
        """Show everything as the present settings have it."""
        for file in list(self.files.values()):
            self._show(file)
        self._shown()

    def _show(self, file: OpenFile) -> None:
        self.display.show(file)
        if not file.is_open and not file.shown:
            self._forget(file)

    def _after_pause(self, file: OpenFile) -> None:
        file.timer = None
        if not file.is_open:
            return
        if file.needs_search:
            self.look(file)
        else:
            self._show(file)

    def _forget(self, file: OpenFile) -> None:
        self.display.clear(file)
        self.files.pop(canonical_key(file.uri), None)

    def _shown(self) -> None:
        self.survey.touch()
        self.display.refresh_soon()

    # -- work, and telling ----------------------------------------------------------

    async def ask(self, job: Callable[[], Result]) -> Result | None:
        """`work`, with an error told to the person; None then."""
        try:
            return await self.work(job)
        except StillTrueError as error:
            self.messages.say(told(error), failed=True)
            return None

    async def watch_store(self) -> None:
        """Look at everything again within two seconds after another process changed the store (F23)."""
        while True:
            await asyncio.sleep(STORE_POLL_SECONDS)
            try:
                if await self.work(self.repositories.store_changed):
                    self.renew()
            except Exception:
                logger.exception("the store could not be watched")  # the next time it may
