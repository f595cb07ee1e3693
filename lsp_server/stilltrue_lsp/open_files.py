"""One file as the session holds it: its buffer, its citations on their way through edits, what is shown."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from stilltrue.ide.buffer import BufferMapping
from stilltrue.ide.edits import Edit
from stilltrue.ide.snapshot import Cited, Snapshot
from stilltrue.ide.tracking import Tracker
from stilltrue.model.citation import Span
from stilltrue.services import editor
from stilltrue.services.editor import FileView, Provisional
from stilltrue.services.moves import FoundBefore
from stilltrue.services.workspace import Workspace
from stilltrue_lsp.documents import Document, Unit
from stilltrue_lsp.publishing import Key


@dataclass(slots=True, eq=False)
class OpenFile:
    """An open buffer in a repository, or a closed file whose diagnostics are kept.

    Attributes:
        document: The buffer; for a closed file, its text on disk.
        workspace: The repository it lies in.
        path: Its path there, with `/`.
        is_open: The editor has it open.
        tracker: Its citations; None until they were first looked up.
        edit_count: How many changes were made; tells versions apart where the editor's numbers jump.
        pending_edits: Changes made since the look that is under way began, with their number.
        provisional: Re-verifies of unsaved text that wait for the save, by citation uid.
        shown: The keys of the diagnostics that the editor shows, and the diagnostics themselves.
        timer: The pause before additions are shown.
        first_look: Set once a first look came back, whatever it found.
        looking: A look at the store and the disk is under way; `look_again` asks for one more.
        unsaved: The buffer may hold something else than the disk.
    """

    document: Document
    workspace: Workspace
    path: str
    is_open: bool = True
    tracker: Tracker | None = None
    edit_count: int = 0
    pending_edits: deque[tuple[int, Sequence[Edit]]] = field(default_factory=deque)
    provisional: dict[str, Provisional] = field(default_factory=dict)
    shown: list[Key] = field(default_factory=list)
    shown_json: list[dict[str, object]] = field(default_factory=list)
    timer: asyncio.TimerHandle | None = None
    first_look: asyncio.Event = field(default_factory=asyncio.Event)
    looking: bool = False
    look_again: bool = False
    unsaved: bool = False

    @property
    def uri(self) -> str:
        """The uri as the editor spells it."""
        return self.document.uri

    @property
    def mapping(self) -> BufferMapping | None:
        """How its text becomes bytes, once that was found out."""
        return self.tracker.mapping if self.tracker else None

    @property
    def needs_search(self) -> bool:
        """A look at the whole text could change a verdict."""
        return self.tracker is not None and self.tracker.needs_search

    def take_edits(self, edits: Sequence[Edit]) -> bool:
        """Carry the citations along; whether anything that is shown could differ."""
        self.edit_count += 1
        self.unsaved = True
        if self.looking:
            self.pending_edits.append((self.edit_count, edits))
        if self.tracker is None:
            return False
        self.tracker.carry(edits)
        return self.tracker.judge_touched(self.document)

    def take_view(self, view: FileView, *, seen: int) -> None:
        """Take in what a look found in the text after change number `seen`, and the changes since."""
        self.tracker = Tracker(view.cited, view.mapping)
        since = [edit for number, edits in self.pending_edits if number > seen for edit in edits]
        self.tracker.carry(since)
        self.tracker.judge_touched(self.document)
        self.pending_edits.clear()
        self.unsaved = view.unsaved or bool(since)

    def look(self, moves: FoundBefore) -> Callable[[], FileView]:
        """The job of looking at the file as it is at this moment, for another thread."""
        text, known = self.document.snapshot() if self.is_open else None, self.mapping
        where, provisional = (self.workspace, self.path), self.carried_provisional()
        return lambda: editor.look_at(
            *where, text.text if text else None, provisional, known=known, moves=moves
        )

    def snapshot(self) -> Snapshot:
        """The file as it is now."""
        version = self.document.version if self.is_open else None
        if self.tracker is None:
            return Snapshot(path=self.path, version=version, cited=())
        return self.tracker.snapshot(self.path, version, self.document.line_count)

    def cited(self, uid: str) -> Cited | None:
        """The citation with that uid, where it stands now."""
        return next((each for each in self.snapshot().cited if each.citation.uid == uid), None)

    def carried_provisional(self) -> dict[str, Provisional]:
        """The waiting re-verifies with their lines as they are now."""
        spans = {each.citation.uid: each.span for each in self.snapshot().cited if each.span is not None}
        return {
            uid: Provisional(taken.baseline, _as_long_as(taken.span, spans.get(uid, taken.span)))
            for uid, taken in self.provisional.items()
        }

    def cancel_timer(self) -> None:
        """No addition is waiting any more."""
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None


def _as_long_as(taken: Span, now: Span) -> Span:
    """The verified lines where they begin now: typing may have stretched what is shown of them."""
    return Span(now.start, now.start + taken.line_count - 1)


def on_disk(
    uri: str, workspace: Workspace, path: str, unit: Unit, moves: FoundBefore | None = None
) -> OpenFile:
    """A file that no editor has open, as it lies on disk; empty where it is gone."""
    text = editor.disk_text(workspace, path) or ""
    file = OpenFile(Document(uri, text, 0, "", unit), workspace, path, is_open=False)
    file.take_view(editor.look_at(workspace, path, None, moves=moves), seen=0)
    return file
