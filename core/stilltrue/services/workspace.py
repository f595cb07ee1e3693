"""The composition root: one repository, its store, its files, its clock and who is acting."""

from __future__ import annotations

import getpass
import os
import platform
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from threading import Lock

import platformdirs

from stilltrue.citations.lines import Lines
from stilltrue.clock import Clock, SystemClock
from stilltrue.errors import InputError, NotFoundError
from stilltrue.model.citation import Place
from stilltrue.model.time import AsOf, Instant
from stilltrue.settings import Settings, read_user_file, resolve
from stilltrue.source.files import WorkingTree, signature
from stilltrue.source.git import Git, find_git_folder
from stilltrue.source.git_head import head_state
from stilltrue.store import repositories
from stilltrue.store.engine import Connection, Store, open_store
from stilltrue.store.location import StoreLocation

__all__ = ["Connection", "Surroundings", "Workspace", "user_config_file"]

DATABASE_VARIABLE = "STILLTRUE_DB"
LONGEST_AGENT = 64


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a surface was started with.

    Attributes:
        environment: The process's environment variables, read by the surface.
        database: What the command line names as the database, if anything.
        options: Settings given by the surface; they win over the user's file.
        agent: The name an agent gave itself at start-up, or empty.
    """

    environment: Mapping[str, str]
    database: str | None = None
    options: Mapping[str, object] = field(default_factory=dict)
    agent: str = ""

    @property
    def location(self) -> StoreLocation:
        """The database: command line, environment, the user's file, else the user's data folder."""
        named = self.database or self.environment.get(DATABASE_VARIABLE) or self._user_file.get("db")
        if named:
            return StoreLocation.from_text(str(named))
        return StoreLocation.from_path(
            platformdirs.user_data_path("stilltrue", appauthor=False) / "memories.db"
        )

    @property
    def state_folder(self) -> Path:
        """Where drafts and views that belong to no repository lie, for this user alone."""
        return platformdirs.user_state_path("stilltrue", appauthor=False)

    @property
    def settings(self) -> Settings:
        """The user's file, then what the surface was given."""
        from_file = {name: value for name, value in self._user_file.items() if name != "db"}
        return resolve(from_file, self.options)

    @property
    def principal(self) -> str:
        """Who acts, as the operating system says (B8); an agent's name follows.

        Raises:
            InputError: The agent's name is too long, or not one line of printable text.
        """
        if len(self.agent) > LONGEST_AGENT or not self.agent.isprintable():
            raise InputError(
                f"an agent's name is at most {LONGEST_AGENT} printable characters",
                hint="shorten STILLTRUE_AGENT",
            )
        try:
            user = getpass.getuser()
        except (KeyError, OSError):
            user = "unknown"
        return f"os:{user}/{self.agent}" if self.agent else f"os:{user}"

    @property
    def _user_file(self) -> dict[str, object]:
        return read_user_file(user_config_file())


def user_config_file() -> Path:
    """The user's own configuration file; it need not exist."""
    return platformdirs.user_config_path("stilltrue", appauthor=False) / "config.toml"


class Workspace:
    """One repository as one surface sees it. Opening it reads no database and runs no process."""

    def __init__(
        self,
        start: Path,
        surroundings: Surroundings,
        *,
        clock: Clock | None = None,
        store: Store | None = None,
    ) -> None:
        """Find the repository that holds `start`; `store` shares one that is already open.

        Raises:
            InputError: `start` is no folder.
        """
        if not start.is_dir():
            raise InputError(f"{start} is no folder", hint="name the repository with --repo DIR")
        real = Path(os.path.realpath(start))
        found = find_git_folder(real)
        self.root: Path = found[0] if found else real
        self._git_folder: Path | None = found[1] if found else None
        self.surroundings = surroundings
        self.settings = surroundings.settings
        self.clock: Clock = clock or SystemClock()
        self.tree = WorkingTree(self.root, max_bytes=self.settings.max_file_bytes)
        self.git = Git(self.root, surroundings.environment)
        self._opening = Lock()
        self._store = store
        self._borrowed = store is not None

    @property
    def actor(self) -> str:
        """Who acts."""
        return self.surroundings.principal

    @property
    def in_git(self) -> bool:
        """Whether a git working tree was found."""
        return self._git_folder is not None

    def fresh_tree(self) -> WorkingTree:
        """A reader for one pass, which asks anew where symlinks lead."""
        return WorkingTree(self.root, max_bytes=self.settings.max_file_bytes)

    def lines_now(self, place: Place) -> bytes:
        """The bytes that stand at a place now, for showing; empty where it cannot be read."""
        lines = Lines(self.tree.read(place.path).data or b"")
        return lines.span_bytes(place.span) if lines.holds(place.span) else b""

    def stands(self, path: str) -> bool:
        """Whether anything stands at a path of the repository, be it a file, a folder or a broken link."""
        return os.path.lexists(self.root / path)

    def file_state(self, path: str) -> str | None:
        """What differs once the file was written, made or deleted; it is not read."""
        try:
            return signature((self.root / path).stat())
        except (OSError, ValueError):
            return None

    def head_state(self) -> str | None:
        """What differs once another commit is checked out (F25); git is not asked, and None without one."""
        return head_state(self.root, self._git_folder) if self._git_folder is not None else None

    def use(self, surroundings: Surroundings) -> None:
        """Take over other settings; the store stays the one that was opened.

        Raises:
            InputError: A setting is refused; nothing is taken over then.
        """
        self.settings = surroundings.settings
        self.surroundings = surroundings
        self.tree = WorkingTree(self.root, max_bytes=self.settings.max_file_bytes)

    def store_if_any(self) -> Store | None:
        """The store, or None where none was made yet; reading never makes one (F5)."""
        return self._opened(create=False)

    def store(self) -> Store:
        """The store, made if there is none."""
        store = self._opened(create=True)
        if store is None:
            raise NotFoundError("the store could not be made")
        return store

    def close(self) -> None:
        """Let go of a store that was opened here."""
        with self._opening:
            if self._store is not None and not self._borrowed:
                self._store.close()
                self._store = None

    def _opened(self, *, create: bool) -> Store | None:
        with self._opening:  # an editor looks and surveys on two threads
            if self._store is None:
                self._store = open_store(self.surroundings.location, clock=self.clock, create=create)
            return self._store

    @property
    def notice(self) -> str | None:
        """Why the store that was opened can only be read, in one sentence."""
        return self._store.notice if self._store is not None else None

    def present(self, connection: Connection) -> AsOf:
        """This moment on both axes, never earlier than the newest thing stored (A6)."""
        return self.store().present(connection)

    @cached_property
    def keys(self) -> list[tuple[str, str]]:
        """By what the repository may be known, without asking git."""
        machine = platform.node() or "localhost"
        keys = [("path", f"{machine}:{_folded(self.root)}")]
        if self._git_folder is not None:
            keys.insert(0, ("git-dir", f"{machine}:{_folded(self._git_folder)}"))
        return keys

    @property
    def checkout(self) -> tuple[str, str]:
        """What verdicts and stamps belong to: this machine and the real root, as keys write it (design 6)."""
        return platform.node() or "localhost", _folded(self.root)

    @contextmanager
    def reading(self) -> Iterator[tuple[Connection, str] | None]:
        """A consistent view of the store and this repository's uid; None where nothing is known of it."""
        store = self.store_if_any()
        if store is None:
            yield None
            return
        with store.reading() as connection:
            repository = repositories.find_repository(connection, self.keys)
            yield (connection, repository) if repository else None

    @contextmanager
    def writing(self) -> Iterator[tuple[Connection, str, Instant]]:
        """One transaction with this repository's uid, which is made known if need be, and its moment."""
        extra = self._root_commit_keys()
        store = self.store()
        with store.writing() as connection:
            now = store.now(connection)
            repository = repositories.ensure_repository(
                connection, [*self.keys, *extra], name=_written(self.root.name) or "/", now=now
            )
            yield connection, repository, now

    def known(self, reading: tuple[Connection, str] | None) -> tuple[Connection, str]:
        """`reading`, where an act needs a repository that is known.

        Raises:
            NotFoundError: Nothing is remembered about this repository yet.
        """
        if reading is None:
            raise NotFoundError(
                f"nothing is remembered about {self.root} yet",
                hint='start with: stilltrue remember "…" --cite PATH:START-END',
            )
        return reading

    def _root_commit_keys(self) -> Sequence[tuple[str, str]]:
        """The root commits, only where no other key is known yet: the walk to them is long."""
        if not self.in_git:
            return []
        with self.reading() as reading:
            if reading is not None:
                return []
        return [("root-commit", commit) for commit in self.git.root_commits()]


def _folded(path: Path) -> str:
    """A path as a key: with `/`, and in one case where the file system does not tell cases apart."""
    return _written(os.path.normcase(path).replace("\\", "/"))


def _written(name: str) -> str:
    """A file's name as text that can be kept, also where its bytes are no UTF-8."""
    return name.encode("utf-8", "backslashreplace").decode("utf-8")
