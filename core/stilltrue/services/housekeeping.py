"""Repositories that are known, and forgetting for real."""

from __future__ import annotations

from dataclasses import dataclass

from stilltrue.errors import InputError, NotFoundError
from stilltrue.model.memory import Memory
from stilltrue.services.workspace import Workspace
from stilltrue.store import memories, privacy, repositories
from stilltrue.store.engine import bump_revision


@dataclass(frozen=True, slots=True, kw_only=True)
class RepositoryState:
    """What is known of the repository one stands in.

    Attributes:
        root: Its folder.
        known: The repository in the store, None where nothing is remembered of it.
        offered: Repositories with the same first commit, such as a clone elsewhere: offered, never assumed.
    """

    root: str
    known: repositories.Repository | None
    offered: tuple[repositories.Repository, ...]


def look(workspace: Workspace) -> RepositoryState:
    """What the store knows of this repository; walks to the first commits only when no other key is known."""
    store = workspace.store_if_any()
    if store is None:
        return RepositoryState(root=str(workspace.root), known=None, offered=())
    with store.reading() as connection:
        uid = repositories.find_repository(connection, workspace.keys)
        if uid:
            known = repositories.get_repository(connection, uid)
            return RepositoryState(root=str(workspace.root), known=known, offered=())
    keys = [("root-commit", commit) for commit in workspace.git.root_commits()] if workspace.in_git else []
    with store.reading() as connection:
        offered = tuple(repositories.offer_repository(connection, keys)) if keys else ()
    return RepositoryState(root=str(workspace.root), known=None, offered=offered)


def known_repositories(workspace: Workspace) -> list[repositories.Repository]:
    """Every repository that the store knows."""
    store = workspace.store_if_any()
    if store is None:
        return []
    with store.reading() as connection:
        return repositories.list_repositories(connection)


def link(workspace: Workspace, name: str) -> repositories.Repository:
    """Let this checkout be a known repository, named by its name or the beginning of its uid.

    Raises:
        NotFoundError: No repository, or more than one, has that name.
        InputError: This checkout is known as another one already.
    """
    known = known_repositories(workspace)
    found = [each for each in known if each.name == name] or [
        each for each in known if name and each.uid.startswith(name)
    ]
    if len(found) != 1:
        raise NotFoundError(
            f"{len(found) or 'no'} repositories are called {name!r}",
            hint="see them with: stilltrue repo list, and name one by its uid",
        )
    state = look(workspace)
    if state.known and state.known.uid != found[0].uid:
        raise InputError(
            f"this checkout is known as {state.known.name} already",
            hint="purge that first if it is a mistake",
        )
    store = workspace.store()
    with store.writing() as connection:
        repositories.link_repository(connection, found[0].uid, workspace.keys, store.now(connection))
    return found[0]


def redact(workspace: Workspace, reference: str) -> Memory:
    """Blank a memory's text and everything kept of its cited code; the tombstone stays (design 5).

    Raises:
        NotFoundError: No such memory.
    """
    with workspace.reading() as reading:
        connection, repository = workspace.known(reading)
        memory = memories.resolve_memory(connection, reference, repository)
    with workspace.writing() as (connection, _, now):
        redacted = privacy.redact_memory(connection, memory, now=now)
        bump_revision(connection)
    workspace.store().scrub()
    return redacted


def purge(workspace: Workspace, *, confirmed_name: str) -> dict[str, int]:
    """Delete everything remembered about this repository; how many rows of each kind went.

    Raises:
        InputError: `confirmed_name` is not the repository's name; nothing was deleted.
        NotFoundError: Nothing is remembered about it.
    """
    with workspace.reading() as reading:
        connection, uid = workspace.known(reading)
        name = repositories.get_repository(connection, uid).name
    if confirmed_name != name:
        raise InputError(
            f"{confirmed_name!r} is not the repository's name; nothing was deleted", hint=f"it is {name!r}"
        )
    store = workspace.store()
    with store.writing() as connection:
        gone = privacy.purge_repository(connection, uid)
    store.scrub()
    return gone
