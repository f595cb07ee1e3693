"""Which repository a file lies in; each is opened once. Used on the worker thread alone."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from stilltrue.clock import Clock
from stilltrue.errors import StillTrueError
from stilltrue.services import editor
from stilltrue.services.workspace import Surroundings, Workspace


class Repositories:
    """The repositories of a session.

    Attributes:
        surroundings: What repositories are opened with from now on.
        folders: The client's workspace folders, for files that lie in no git repository.
    """

    def __init__(self, surroundings: Surroundings, clock: Clock) -> None:
        self.surroundings = surroundings
        self.folders: Sequence[Path] = ()
        self._clock = clock
        self._by_root: dict[Path, Workspace] = {}
        self._state: dict[Path, object] = {}

    def locate(self, file: str) -> tuple[Workspace, str] | None:
        """The repository of a file and its path there, None for a file in neither repository nor folder.

        The nearest git repository wins, so that nested ones and worktrees are told apart (F37). The file
        need not be there.
        """
        workspace = self.holding(str(Path(file).parent))
        path = editor.relative_path(workspace, Path(file)) if workspace else None
        return (workspace, path) if workspace and path else None

    def holding(self, path: str) -> Workspace | None:
        """The repository of a file or folder, which need not be there."""
        folder = next(each for each in (Path(path), *Path(path).parents) if each.is_dir())
        return self.of_folder(folder)

    def of_folder(self, folder: Path) -> Workspace | None:
        """The repository that holds a folder, or the client's own folder that does."""
        workspace = Workspace(folder, self.surroundings, clock=self._clock)
        if not workspace.in_git:
            root = self._folder_of(folder)
            if root is None:
                return None
            workspace = Workspace(root, self.surroundings, clock=self._clock)
        if workspace.root not in self._by_root:
            self._by_root[workspace.root] = workspace
            # before the first look, so that no write can fall between that and the first question
            self._state[workspace.root] = self._store_state(workspace)
        return self._by_root[workspace.root]

    def open_folders(self) -> None:
        """Open the repositories of the client's folders; a folder that is gone is left alone."""
        for folder in self.folders:
            if folder.is_dir():
                self.of_folder(folder)

    def known(self) -> list[Workspace]:
        """Every repository that was opened."""
        return list(self._by_root.values())

    def use(self, surroundings: Surroundings) -> None:
        """Take over settings, for the repositories that are open, too."""
        self.surroundings = surroundings
        for workspace in self.known():
            workspace.use(surroundings)

    def store_changed(self) -> bool:
        """Whether the store was written to, made or replaced since this was last asked."""
        changed = False
        for root, workspace in list(self._by_root.items()):
            state = self._store_state(workspace, self._state.get(root))
            changed |= self._state.get(root) != state
            self._state[root] = state
        return changed

    def _store_state(self, workspace: Workspace, before: object = None) -> object:
        """Something that differs once anybody wrote to the store, made or replaced it; costs little."""
        try:
            path = workspace.surroundings.location.path
            identity = (path.stat().st_dev, path.stat().st_ino) if path.exists() else None
            if before is not None and not (isinstance(before, tuple) and before[0] == identity):
                workspace.close()  # another file took its place
            store = workspace.store_if_any()
            return identity, store.data_version() if store else None
        except OSError as error:
            return str(error)
        except StillTrueError as error:
            return error.code  # the look that follows tells the person

    def _folder_of(self, folder: Path) -> Path | None:
        real = Path(os.path.realpath(folder))
        roots = [Path(os.path.realpath(each)) for each in self.folders]
        holding = [root for root in roots if root == real or root in real.parents]
        return max(holding, key=lambda root: len(root.parts), default=None)
