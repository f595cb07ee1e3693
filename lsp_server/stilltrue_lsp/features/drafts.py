"""Draft documents: how a client without prompts is asked for a text (design 7).

A draft is a file that the editor shows like any other. It is applied once, on the first save that changed
it; emptied it is cancelled. What it is for lies beside it, so that drafts outlive the server.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from stilltrue.model.citation import Span
from stilltrue.model.memory import Memory
from stilltrue.services import editor
from stilltrue_lsp.open_files import OpenFile
from stilltrue_lsp.private_files import write_private
from stilltrue_lsp.requests import Arguments, Command, parse_arguments
from stilltrue_lsp.session import Session

logger = logging.getLogger(__name__)

POLL_SECONDS = 0.5
NAME_LIMIT = 40
SCISSORS = "------ everything below this line is ignored ------"
_HELP = {
    Command.SUPERSEDE: "Write above what is true now, then save: it takes the place of the old memory.",
    Command.REMEMBER: "Write above what to remember about the selected lines, then save.",
}

Answer = dict[str, Any]
Handler = Callable[[Session, Arguments], Awaitable[Answer]]
Apply = Callable[[Command, Arguments], Awaitable[Answer]]


@dataclass(frozen=True, slots=True)
class Draft:
    """One draft that waits.

    Attributes:
        path: The file the editor shows; what it is for lies beside it, with `.json` at the end.
        command: What is done with its text.
        arguments: With everything but the text.
        offered: The text it began with.
        selected: The lines that a new memory is to cite, as they were when they were selected.
    """

    path: Path
    command: Command
    arguments: Arguments
    offered: str
    selected: str = ""

    @property
    def purpose(self) -> Path:
        """The file that says what the draft is for."""
        return self.path.with_name(self.path.name + ".json")


class Desk:
    """The drafts of this user."""

    def __init__(self, session: Session, state_folder: Path, *, apply: Apply) -> None:
        self._session = session
        self._folder = state_folder / "drafts"
        self._apply = apply
        self._seen: dict[Path, float] = {}
        self._wake = asyncio.Event()

    def or_draft(self, handler: Handler) -> Handler:
        """`handler`, or a draft where its text is missing."""

        async def run(session: Session, arguments: Arguments) -> Answer:
            if arguments.text is not None:
                return await handler(session, arguments)
            command = Command.SUPERSEDE if arguments.citations else Command.REMEMBER
            return await self._open(command, arguments)

        return run

    def look_soon(self) -> None:
        """Something was saved; it may have been a draft."""
        self._wake.set()

    async def watch(self) -> None:
        """Apply drafts as they are saved, for as long as the server lives."""
        while True:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._wake.wait(), POLL_SECONDS)
            self._wake.clear()
            try:
                for draft, text in await self._session.work(self._changed):
                    await self._take(draft, text)
            except Exception:
                logger.exception("a draft could not be applied")  # the others still can

    async def _open(self, command: Command, arguments: Arguments) -> Answer:
        file = self._session.file(arguments.uri)
        if file is None:
            self._session.messages.say("open a file of a repository first")
            return {"ok": False}
        memory = self._memory(file, arguments.citations[0].uid) if arguments.citations else None
        if arguments.citations and memory is None:
            self._session.messages.say("that memory is gone, or was settled meanwhile")
            return {"ok": False}
        about = memory.id if memory else f"{Path(file.path).name[:NAME_LIMIT]}-{arguments.start_line}"
        path = self._folder / f"{command.value.rsplit('.', 1)[-1]}-{about}-{_stamp(arguments)}.md"
        # the draft outlives this version of the text: its lines are found again when it is saved
        arguments = replace(arguments, version=None)
        selected = _selected(file, arguments)
        if command is Command.REMEMBER and selected is None:
            self._session.messages.say("select lines of the file first")
            return {"ok": False}
        draft = Draft(path, command, arguments, memory.text if memory else "", selected or "")
        try:
            await self._session.work(partial(_write, draft))
        except OSError as error:
            self._session.messages.say(f"no draft could be written: {error}", failed=True)
            return {"ok": False}
        await self._session.messages.show_file(path, "write the text here and save")
        return {"ok": True, "draft": str(path)}

    def _memory(self, file: OpenFile, citation: str) -> Memory | None:
        """Whose citation that is; the survey may know of it before the open file does."""
        if (cited := file.cited(citation)) is not None:
            return cited.memory
        rows = (row for _, row in self._session.survey.rows())
        return next(
            (row.memory for row in rows if any(each.citation.uid == citation for each in row.citations)), None
        )

    def _changed(self) -> list[tuple[Draft, str]]:
        """The drafts whose text is another than the one they began with; runs on the worker."""
        found = []
        for purpose in sorted(self._folder.glob("*.md.json")) if self._folder.is_dir() else ():
            path = purpose.with_name(purpose.name.removesuffix(".json"))
            try:
                saved_at = path.stat().st_mtime_ns
                if self._seen.get(path) == saved_at:
                    continue
                self._seen[path] = saved_at
                draft = _read(path, purpose)
                text = _text_of(path.read_text("utf-8"))
            except (OSError, ValueError, KeyError, TypeError) as error:
                logger.warning("a draft cannot be read: %s", error)
                continue
            if _shape(text) != _shape(_text_of(_with_help(draft))):
                found.append((draft, text))
        return found

    async def _take(self, draft: Draft, text: str) -> None:
        file = self._session.file(draft.arguments.uri)
        if file is None or file.tracker is None:
            self._seen.pop(draft.path, None)  # another server has the file open, or none has yet
            return
        claimed = draft.purpose.with_suffix(".taken")
        try:
            draft.purpose.rename(claimed)
        except OSError:
            return  # another server took it
        if not text:
            self._session.messages.say("cancelled: the draft was emptied")
        else:
            arguments = _present(draft, file)
            if arguments is None:
                self._session.messages.say(f"the selected lines changed; your text is kept in {draft.path}")
                claimed.rename(draft.purpose)
                return
            answer = await self._apply(draft.command, replace(arguments, text=text))
            if not answer.get("ok"):
                claimed.rename(draft.purpose)
                return
            self._session.messages.say("kept" if draft.command is Command.REMEMBER else "superseded")
        claimed.unlink(missing_ok=True)
        for left in (draft.path, draft.path.with_name(draft.path.name + "~")):  # with the editor's own copy
            left.unlink(missing_ok=True)


def _selected(file: OpenFile, arguments: Arguments) -> str | None:
    """The text of the selected lines, None where there are none."""
    start, document = arguments.start_line, file.document
    end = arguments.end_line or start
    if start is None or end is None or end > document.line_count:
        return None
    return document.lines_text(start, end)


def _present(draft: Draft, file: OpenFile) -> Arguments | None:
    """The draft's arguments with its lines as they are now; None where they cannot be told any more."""
    start = draft.arguments.start_line
    if draft.command is not Command.REMEMBER or start is None:
        return draft.arguments
    span = Span(start, draft.arguments.end_line or start)
    now = editor.lines_now(file.document.text, draft.selected, span)
    return replace(draft.arguments, start_line=now.start, end_line=now.end) if now else None


def _stamp(arguments: Arguments) -> str:
    """A few characters that tell one offer from the next, whatever a client takes for a key."""
    return hashlib.sha256((arguments.key or "").encode("utf-8", "surrogatepass")).hexdigest()[:8]


def _write(draft: Draft) -> None:
    """Write the draft and what it is for; one that waits already is left as the person has it."""
    if draft.purpose.exists():
        return
    purpose = {
        "command": draft.command.value,
        "arguments": draft.arguments.to_json(),
        "offered": draft.offered,
        "selected": draft.selected,
    }
    write_private(draft.path, _with_help(draft))
    write_private(draft.purpose, json.dumps(purpose))


def _with_help(draft: Draft) -> str:
    """The draft's file as it begins."""
    help_text = f"{SCISSORS}\n{_HELP[draft.command]}\nEmpty the text above and save to cancel.\n"
    return f"{draft.offered}\n\n{help_text}"


def _read(path: Path, purpose: Path) -> Draft:
    told = json.loads(purpose.read_text("utf-8"))
    arguments = parse_arguments(told["arguments"])
    return Draft(path, Command(told["command"]), arguments, str(told["offered"]), str(told["selected"]))


def _text_of(written: str) -> str:
    """What stands above the last line of scissors: a memory's own text may hold such a line, too."""
    above, scissors, below = written.rpartition(SCISSORS)
    return (above if scissors else below).removeprefix("\ufeff").strip()


def _shape(text: str) -> list[str]:
    """The text without what editors change by themselves on save: line ends, blanks at the ends of lines."""
    return [line.rstrip() for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n")]
