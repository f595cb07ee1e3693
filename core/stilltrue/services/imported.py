"""What imports made of blocks of Markdown before, and the recording of what is new."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count, islice

from stilltrue.model.citation import CitationDraft, Place
from stilltrue.model.memory import Memory, MemoryDraft, Origin
from stilltrue.model.time import Instant
from stilltrue.services.receipts import Keyed
from stilltrue.services.recording import Recorder
from stilltrue.services.remember import new_uid
from stilltrue.services.workspace import Connection, Workspace
from stilltrue.store import citations as citation_rows
from stilltrue.store import history, memories
from stilltrue.store.citations import NewCitation
from stilltrue.store.engine import bump_revision
from stilltrue.store.memories import NewMemory


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A block that can be remembered.

    Attributes:
        text: What is remembered: the block as a person reads it.
        subject: The nearest heading above it; empty means the first place's file.
        source: The Markdown file, relative to the repository root.
        line: Where the block begins there, 1-based.
        places: What backs it.
        memory: The memory it became, now or by an earlier import; None in a dry run.
        is_known: It was imported before.
        has_ended: That memory was superseded or retracted since; it stays away.
    """

    text: str
    subject: str
    source: str
    line: int
    places: tuple[Place, ...]
    memory: Memory | None = None
    is_known: bool = False
    has_ended: bool = False


@dataclass(slots=True)
class Item:
    """A block on its way into the store; one digest for each folder in which it stands."""

    found: Found
    draft: MemoryDraft
    citations: list[CitationDraft]
    digests: dict[str, None]


class _Receipts:
    """What this repository's imports made of a block, in one transaction.

    Keys belong to the repository and not to who imports: an editor and a terminal must not double each other.
    """

    def __init__(self, connection: Connection, repository: str) -> None:
        self._connection = connection
        self._repository = repository
        self._undone: dict[int, bool] = {}

    def uid_of(self, digest: str) -> str | None:
        """The memory that a block became, None if it became none or `undo` took it back."""
        for keyed in self._rounds(digest):
            if (receipt := keyed.replayed(self._connection)) is None:
                return None
            uid, act = receipt.split()
            if not self._is_undone(int(act)):
                return uid
        return None

    def store(self, digest: str, uid: str, act: int, now: Instant) -> None:
        for keyed in self._rounds(digest):
            if keyed.replayed(self._connection) is None:
                keyed.store(self._connection, f"{uid} {act}", now, self._repository)
                return

    def _rounds(self, digest: str) -> Iterator[Keyed]:
        """One key for each time that the block was imported after an `undo`."""
        principal = f"import:{self._repository}"
        return (Keyed(principal, f"{digest}.{number}", "import", digest) for number in count(1))

    def _is_undone(self, act: int) -> bool:
        if act not in self._undone:
            self._undone[act] = history.get_act(self._connection, act).undone_at is not None
        return self._undone[act]


def recognise(workspace: Workspace, items: Sequence[Item]) -> None:
    """Mark the items that were imported before."""
    with workspace.reading() as reading:
        if reading is not None:
            connection, repository = reading
            _mark_known(workspace, connection, _Receipts(connection, repository), items)


def _mark_known(
    workspace: Workspace, connection: Connection, receipts: _Receipts, items: Sequence[Item]
) -> None:
    uids = {at: uid for at, item in enumerate(items) if (uid := _first_uid(receipts, item))}
    kept = memories.memories_by_uid(connection, uids.values())
    live = memories.are_live(connection, kept, workspace.present(connection))
    for at, uid in uids.items():
        items[at].found = replace(
            items[at].found, memory=kept.get(uid), is_known=True, has_ended=uid not in live
        )


def _first_uid(receipts: _Receipts, item: Item) -> str | None:
    return next((uid for digest in item.digests if (uid := receipts.uid_of(digest))), None)


def record(workspace: Workspace, items: Sequence[Item], recorder: Recorder) -> None:
    """Record every item that nobody recorded meanwhile, as one act."""
    read = iter(recorder.with_commits([each for item in items for each in item.citations]))
    for item in items:
        item.citations = list(islice(read, len(item.citations)))
    with workspace.writing() as (connection, repository, now):
        receipts = _Receipts(connection, repository)
        _mark_known(workspace, connection, receipts, items)
        new = [item for item in items if not item.found.is_known]
        if not new:
            return
        rows = _insert(connection, new, repository=repository, now=now, actor=workspace.actor)
        act = history.record_act(
            connection,
            history.ActKind.IMPORT,
            repository=repository,
            actor=workspace.actor,
            at=now,
            memory_uids=[row.uid for row in rows],
        )
        for row, item in zip(rows, new, strict=True):
            item.found = replace(item.found, memory=row)
            for digest in item.digests:
                receipts.store(digest, row.uid, act, now)
        bump_revision(connection)


def _insert(
    connection: Connection, new: Sequence[Item], *, repository: str, now: Instant, actor: str
) -> list[Memory]:
    drafts = [NewMemory(uid=new_uid(now), draft=item.draft, tx_at=now) for item in new]
    rows = memories.insert_memories(connection, drafts, repository=repository)
    for origin in Origin:
        cited = [
            NewCitation(uid=new_uid(now), memory=row.uid, draft=draft)
            for row, item in zip(rows, new, strict=True)
            for draft in item.citations
            if row.origin is origin
        ]
        citation_rows.insert_citations(connection, cited, now=now, actor=actor, origin=origin)
    return rows
