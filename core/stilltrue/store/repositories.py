"""Repositories, the keys that find them, and their checkouts (design 6)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, insert, select, tuple_, update

from stilltrue.errors import ConflictError, NotFoundError
from stilltrue.model.time import Instant, unix_ms
from stilltrue.store.ids import new_uid
from stilltrue.store.schema import checkouts, repositories, repository_keys

RepositoryKey = tuple[str, str]
"""A kind (`git-dir`, `path` or `root-commit`) and a value."""

ROOT_COMMIT = "root-commit"


@dataclass(frozen=True, slots=True, kw_only=True)
class Repository:
    """A repository known to the store.

    Attributes:
        excerpts: Cited bytes are kept for it.
        keys: Everything that finds it.
    """

    uid: str
    name: str
    created_at: Instant
    excerpts: bool
    keys: tuple[RepositoryKey, ...]


def find_repository(conn: Connection, keys: Sequence[RepositoryKey]) -> str | None:
    """The repository that stands at one of these places; the first key that matches decides."""
    places = [key for key in keys if key[0] != ROOT_COMMIT]
    owners = _owners(conn, places)
    return next((owners[key][0] for key in places if key in owners), None)


def offer_repository(conn: Connection, keys: Sequence[RepositoryKey]) -> list[Repository]:
    """Repositories that share a root commit: a clone elsewhere or a fork, to be offered, not assumed."""
    commits = [key for key in keys if key[0] == ROOT_COMMIT]
    uids = {uid for found in _owners(conn, commits).values() for uid in found}
    return [repository for repository in list_repositories(conn) if repository.uid in uids]


def ensure_repository(conn: Connection, keys: Sequence[RepositoryKey], name: str, now: Instant) -> str:
    """The repository at these places, made where there is none; keys it lacked are added."""
    uid = find_repository(conn, keys)
    if uid is None:
        uid = new_uid(unix_ms(now))
        conn.execute(insert(repositories).values(uid=uid, name=name, created_at=now, excerpts=1))
    _add_keys(conn, uid, keys, now)
    return uid


def link_repository(conn: Connection, uid: str, keys: Sequence[RepositoryKey], now: Instant) -> None:
    """Says that these keys find that repository too.

    Raises:
        ConflictError: A place belongs to another repository already.
    """
    get_repository(conn, uid)
    owner = find_repository(conn, keys)
    if owner not in {None, uid}:
        raise ConflictError(f"this place belongs to another repository already: {owner}")
    _add_keys(conn, uid, keys, now)


def get_repository(conn: Connection, uid: str) -> Repository:
    """That repository.

    Raises:
        NotFoundError: There is none.
    """
    for repository in list_repositories(conn):
        if repository.uid == uid:
            return repository
    raise NotFoundError(f"no such repository: {uid}", hint="see `stilltrue repo list`")


def list_repositories(conn: Connection) -> list[Repository]:
    """Every repository, oldest first."""
    keys: dict[str, list[RepositoryKey]] = {}
    ordered = select(repository_keys).order_by(repository_keys.c.kind, repository_keys.c.value)
    for row in conn.execute(ordered):
        keys.setdefault(row.repository, []).append((row.kind, row.value))
    rows = conn.execute(select(repositories).order_by(repositories.c.created_at, repositories.c.uid))
    return [
        Repository(
            uid=row.uid,
            name=row.name,
            created_at=row.created_at,
            excerpts=bool(row.excerpts),
            keys=tuple(keys.get(row.uid, ())),
        )
        for row in rows
    ]


def keep_excerpts(conn: Connection, uid: str, *, keep: bool) -> None:
    """Says whether cited bytes are kept for that repository from now on."""
    conn.execute(update(repositories).where(repositories.c.uid == uid).values(excerpts=int(keep)))


def ensure_checkout(conn: Connection, repository: str, machine: str, root: str, now: Instant) -> int:
    """The number of that working tree, made where there is none."""
    found = find_checkout(conn, repository, machine, root)
    if found is not None:
        return found
    made = insert(checkouts).values(repository=repository, machine=machine, root=root, created_at=now)
    return int(conn.execute(made.returning(checkouts.c.id)).scalar_one())


def find_checkout(conn: Connection, repository: str, machine: str, root: str) -> int | None:
    """The number of that working tree, or None."""
    wanted = (
        checkouts.c.repository == repository,
        checkouts.c.machine == machine,
        checkouts.c.root == root,
    )
    return conn.execute(select(checkouts.c.id).where(*wanted)).scalar_one_or_none()


def _owners(conn: Connection, keys: Sequence[RepositoryKey]) -> dict[RepositoryKey, list[str]]:
    owners: dict[RepositoryKey, list[str]] = {}
    columns = tuple_(repository_keys.c.kind, repository_keys.c.value)
    for row in conn.execute(select(repository_keys).where(columns.in_(list(keys)))) if keys else ():
        owners.setdefault((row.kind, row.value), []).append(row.repository)
    return owners


def _add_keys(conn: Connection, uid: str, keys: Sequence[RepositoryKey], now: Instant) -> None:
    owners = _owners(conn, keys)
    missing = [
        {"kind": kind, "value": value, "repository": uid, "added_at": now}
        for kind, value in dict.fromkeys(keys)
        if uid not in owners.get((kind, value), ()) and (kind == ROOT_COMMIT or (kind, value) not in owners)
    ]
    if missing:
        conn.execute(insert(repository_keys), missing)
