"""What is known of whole repositories: every memory with its verdict, kept up to date off the edit path.

The disk is judged on a thread of its own; open buffers are laid over it as the session has them.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeVar

from stilltrue.errors import StillTrueError
from stilltrue.ide.snapshot import Cited
from stilltrue.model.citation import Citation
from stilltrue.services import overview
from stilltrue.services.background import Background
from stilltrue.services.memory_rows import MemoryRow, counts, row_of
from stilltrue.services.moves import FoundBefore
from stilltrue.services.workspace import Workspace
from stilltrue_lsp.messages import told
from stilltrue_lsp.open_files import OpenFile

logger = logging.getLogger(__name__)

Result = TypeVar("Result")
SURVEY_PAUSE_SECONDS = 0.1
STATUS_PAUSE_SECONDS = 0.1
SWEEP_SECONDS = 1.5
SWEEP_SHARE = 50
"""A sweep over the files' states rests at least so many times as long as it took."""


@dataclass(frozen=True, slots=True)
class Known:
    """A repository as it was last judged on disk.

    Attributes:
        workspace: The repository.
        found: What was found on disk.
        rows: Its memories as rows, by number.
        citing: Which of the rows cite a file, by path.
        missing: The citations of files that are gone, by path.
        head: What was checked out before the files were read; see `Workspace.head_state`.
    """

    workspace: Workspace
    found: overview.Surveyed
    rows: tuple[MemoryRow, ...]
    citing: Mapping[str, Sequence[int]]
    missing: Mapping[str, Sequence[Citation]]
    head: str | None

    def is_outdated(self) -> bool:
        """A file that counts was changed since, or another commit was checked out (F25)."""
        if self.found.memories and self.workspace.head_state() != self.head:
            return True
        return overview.file_states(self.workspace, self.found.states) != self.found.states

    def row(self, index: int, shown: Mapping[str, Cited]) -> MemoryRow:
        """One of the rows with what open buffers cite, by citation uid, laid over it."""
        judged = self.found.memories[index]
        return row_of(judged, shown, self.found.silenced.get(judged.memory.uid), self.found.pins)


class Survey:
    """All repositories of the session.

    Attributes:
        known: What was found, by the repository's root.
        busy: A survey is under way.
        problem: Why the store cannot be used, or None.
        news: Set, and replaced, when `on_news` are called.
        on_moves: Called for each open file that other files now say something else about.
        on_news: What is called after something that is shown may have changed, once for many changes.
    """

    def __init__(
        self, workspaces: Callable[[], Iterable[Workspace]], files: Callable[[], Iterable[OpenFile]]
    ) -> None:
        self.known: dict[Path, Known] = {}
        self.busy = False
        self.problem: str | None = None
        self.on_moves: Callable[[OpenFile], object] = lambda _: None
        self.on_news: list[Callable[[], object]] = []
        self.news = asyncio.Event()
        self._settled = asyncio.Event()
        self._workspaces = workspaces
        self._files = files
        self._again = False
        self._timer: asyncio.TimerHandle | None = None
        self._telling: asyncio.TimerHandle | None = None
        self._task: asyncio.Task[None] | None = None
        self._background = Background()
        self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="stilltrue-survey")

    async def work(self, job: Callable[[], Result]) -> Result:
        """Run a job on the survey's thread."""
        return await asyncio.get_running_loop().run_in_executor(self._worker, job)

    async def settled(self) -> None:
        """Come back once no survey is due."""
        await self._settled.wait()

    def soon(self) -> None:
        """Judge everything again, a moment from now, once for many changes."""
        self._settled.clear()
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(SURVEY_PAUSE_SECONDS, self._start)

    def touch(self) -> None:
        """What is shown changed."""
        if self._telling is None:
            self._telling = asyncio.get_running_loop().call_later(STATUS_PAUSE_SECONDS, self._tell)

    async def now(self, progress: Callable[[int], None] | None = None) -> None:
        """Judge everything and come back when it is done.

        Args:
            progress: Told on another thread how many files were read; it may raise `Cancelled`.

        Raises:
            Cancelled: It was.
        """
        for workspace in list(self._workspaces()):
            try:
                known = await self.work(partial(_surveyed, workspace, progress))
                former = self.known.get(workspace.root)
                self.known[workspace.root] = known
                self._tell_moves(known, former.found if former else overview.Surveyed())
                self.problem = None
            except StillTrueError as error:
                self.problem = told(error)
        self.touch()

    async def sweep(self) -> None:
        """Notice for ever what other programs change, files and HEAD: no client need watch files."""
        loop = asyncio.get_running_loop()
        pause = SWEEP_SECONDS
        while True:
            await asyncio.sleep(pause)
            began = loop.time()
            try:
                if await self.work(partial(_any_outdated, list(self.known.values()))):
                    self.soon()
            except Exception:
                logger.exception("the files could not be looked at")  # the next time they may
            pause = max(SWEEP_SECONDS, SWEEP_SHARE * (loop.time() - began))

    def rows(self) -> list[tuple[Workspace, MemoryRow]]:
        """Every memory as it is now, open buffers as they are."""
        shown = self._shown()
        found: list[tuple[Workspace, MemoryRow]] = []
        for root, known in self.known.items():
            rows = list(known.rows)
            here = shown.get(root, {})
            cited = {each.citation.uid: each for snapshot in here.values() for each in snapshot}
            for index in {index for path in here for index in known.citing.get(path, ())}:
                rows[index] = known.row(index, cited)
            found += [(known.workspace, row) for row in rows]
        return found

    def row(self, uid: str) -> tuple[Workspace, MemoryRow] | None:
        """One memory as it is now."""
        return next((each for each in self.rows() if each[1].memory.uid == uid), None)

    def counts(self) -> dict[str, int]:
        """How many memories there are of each kind."""
        return counts(row for _, row in self.rows())

    def moves(self, workspace: Workspace) -> FoundBefore:
        """What other files were last found to say of text that is gone from its own."""
        known = self.known.get(workspace.root)
        return known.found.moves if known else FoundBefore({})

    def close(self) -> None:
        """Stop."""
        for timer in (self._timer, self._telling):
            if timer is not None:
                timer.cancel()

    def _shown(self) -> Mapping[Path, Mapping[str, Sequence[Cited]]]:
        """What the open buffers cite, by root and path."""
        shown: dict[Path, dict[str, Sequence[Cited]]] = {}
        for file in self._files():
            if file.is_open and file.tracker is not None:
                shown.setdefault(file.workspace.root, {})[file.path] = file.snapshot().cited
        return shown

    def _tell_moves(self, known: Known, former: overview.Surveyed) -> None:
        uids = known.found.moves.differing(former.moves)
        cited = [[each.citation for each in memory.citations] for memory in known.found.memories if uids]
        concerned = {
            each.path for memory in cited if any(one.uid in uids for one in memory) for each in memory
        }
        for file in list(self._files() if concerned else ()):
            if file.workspace.root == known.workspace.root and file.path in concerned:
                self.on_moves(file)

    def _start(self) -> None:
        self._timer = None
        if self._task is not None and not self._task.done():
            self._again = True
            return
        self._task = asyncio.get_running_loop().create_task(self._run())

    async def _run(self) -> None:
        self.busy = True
        self.touch()
        try:
            await self.now()
            for known in list(self.known.values()):
                await self.work(partial(self._background.after, known.workspace, known.found))
        except Exception:
            logger.exception("the memories could not be judged")
        self.busy = False
        self.touch()
        if self._again:
            self._again = False
            self.soon()
        elif self._timer is None:
            self._settled.set()

    def _tell(self) -> None:
        self._telling = None
        self.news.set()
        self.news = asyncio.Event()
        for tell in self.on_news:
            tell()


def _surveyed(workspace: Workspace, progress: Callable[[int], None] | None) -> Known:
    head = workspace.head_state()
    found = overview.survey(workspace, progress=progress)
    citing: dict[str, list[int]] = {}
    for index, memory in enumerate(found.memories):
        for path in {each.citation.path for each in memory.citations if each.citation.path}:
            citing.setdefault(path, []).append(index)
    return Known(
        workspace,
        found,
        rows=tuple(
            row_of(memory, {}, found.silenced.get(memory.memory.uid), found.pins) for memory in found.memories
        ),
        citing=citing,
        missing=overview.missing_files(found.memories, workspace),
        head=head,
    )


def _any_outdated(known: Sequence[Known]) -> bool:
    return any(each.is_outdated() for each in known)
