"""Files that were renamed or deleted: what cites the old path is offered the new one (F38)."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from lsprotocol import types

from stilltrue.services import renaming
from stilltrue.services.renaming import Followed
from stilltrue.services.workspace import Workspace
from stilltrue_lsp.open_files import OpenFile
from stilltrue_lsp.session import Session
from stilltrue_lsp.uris import uri_to_path

REPOINT = "Re-point"
NOT_NOW = "Not now"


class Renames:
    """The renames of a session; each is asked about once."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._asked: set[tuple[str, str, str]] = set()
        self._missing: dict[Path, frozenset[str]] = {}

    async def renamed(self, params: types.RenameFilesParams) -> None:
        """The client renamed files or folders."""
        for file in params.files:
            old, new = uri_to_path(file.old_uri), uri_to_path(file.new_uri)
            before = await self._session.ask(partial(self._session.repositories.locate, old)) if old else None
            after = await self._session.ask(partial(self._session.repositories.locate, new)) if new else None
            if before and after and before[0] is after[0]:
                await self._offer(before[0], before[1], after[1])
        self._session.renew()

    def deleted(self) -> None:
        """The client deleted files or folders."""
        self._session.renew()

    def opened(self, file: OpenFile) -> None:
        """A file was opened; it may hold what a missing one is cited for, if the client told of no rename."""
        known = self._session.survey.known.get(file.workspace.root)
        for missing in known.missing if known else ():
            self._session.spawn(self._offer(file.workspace, missing, file.path, whole=True))

    def noticed(self) -> None:
        """A survey came back: what is newly missing may stand in a file that is open already."""
        for root, known in self._session.survey.known.items():
            missing = frozenset(known.missing)
            gone = missing - self._missing.get(root, frozenset())
            self._missing[root] = missing
            for file in self._session.files.values() if gone else ():
                if file.workspace.root == root and file.is_open:
                    for path in gone:
                        self._session.spawn(self._offer(file.workspace, path, file.path, whole=True))

    async def _offer(self, workspace: Workspace, old: str, new: str, *, whole: bool = False) -> None:
        session = self._session
        if (str(workspace.root), old, new) in self._asked:
            return
        found = await session.ask(partial(renaming.followed, workspace, old, new))
        if not found or (whole and not renaming.is_all(found)):
            return
        if (str(workspace.root), old, new) in self._asked:
            return  # meanwhile
        self._asked.add((str(workspace.root), old, new))
        again = [each for each in found if each.place]
        if not again:
            session.messages.say(f"{_memories(found)} cited {old}, and the lines are not in {new}")
            return
        question = f"{_memories(again)} cited {old}. Re-point to {new}?"
        if await session.messages.ask(question, [REPOINT, NOT_NOW]) != REPOINT:
            return
        done = await session.ask(partial(renaming.repoint, workspace, again))
        left = len(found) - len(again)
        rest = f"; {left} changed as well and stay to be settled" if left else ""
        if done is not None:
            session.messages.say(f"re-pointed {len(again)} citations to {new}{rest}")
        session.renew()


def _memories(found: list[Followed]) -> str:
    count = len({each.citation.memory for each in found})
    return "1 memory" if count == 1 else f"{count} memories"
