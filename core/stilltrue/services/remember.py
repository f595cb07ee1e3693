"""Remember something about code: one memory, or thousands in one pass."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TypeVar

from stilltrue.citations.specs import CitationSpec
from stilltrue.errors import InputError, StillTrueError
from stilltrue.model.citation import Citation, CitationDraft
from stilltrue.model.memory import Memory, MemoryDraft, MemoryKind, Origin, Trust
from stilltrue.model.time import Instant, parse_instant, unix_ms
from stilltrue.services.receipts import Keyed
from stilltrue.services.recording import Recorder, SeenLines
from stilltrue.services.workspace import Connection, Workspace
from stilltrue.source.files import Texts
from stilltrue.store import citations as citation_rows
from stilltrue.store import history, ids, memories
from stilltrue.store.citations import NewCitation
from stilltrue.store.engine import bump_revision
from stilltrue.store.memories import NewMemory

Word = TypeVar("Word", MemoryKind, Trust)

BATCH = 250
TEXT_LIMIT = 100_000
FIELD_LIMIT = 1_000
IMPORTANCE_RANGE = range(1, 11)


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What a surface asks to be remembered, as given; checked by `remember`.

    Attributes:
        text: What to remember.
        citations: The places in code that back it.
        subject: What it is about; empty means the first cited path, or `general`.
        trust: Empty means `verified` with a content citation and `candidate` without (design 3).
        valid_from: ISO time or empty; likewise `valid_to` and `expires_at`.
    """

    text: str
    citations: tuple[CitationSpec, ...] = ()
    subject: str = ""
    predicate: str = ""
    kind: str = MemoryKind.SEMANTIC
    importance: int = 5
    confidence: float = 1.0
    trust: str = ""
    source_ref: str | None = None
    source_agent: str | None = None
    valid_from: str = ""
    valid_to: str = ""
    expires_at: str = ""
    origin: Origin = Origin.DISK


@dataclass(frozen=True, slots=True, kw_only=True)
class Remembered:
    """A stored memory with its citations."""

    memory: Memory
    citations: tuple[Citation, ...]


def remember(
    workspace: Workspace, request: Request, *, texts: Texts | None = None, key: str | None = None
) -> Remembered:
    """Store one memory and what its citations cite now.

    Args:
        workspace: The repository it is about.
        request: What to remember.
        texts: Where the cited text is read; an editor's buffers, or else the working tree.
        key: An idempotency key; the same key with the same request answers with what was stored (B28).

    Raises:
        InputError: A field is out of its limits (A1). Nothing was written.
        CitationError: A place cannot be cited. Nothing was written.
        ConflictError: `key` was used for another request.
    """
    keyed = Keyed(workspace.actor, key, "remember", request)
    if kept := answered_before(workspace, keyed):
        return kept
    draft = checked_draft(request)
    recorder = Recorder(workspace, texts or workspace.fresh_tree())
    drafts = recorder.drafts(request.citations)
    with workspace.writing() as (connection, repository, now):
        if (uid := keyed.replayed(connection)) is None:
            uid = insert(connection, draft, drafts, repository=repository, now=now, actor=workspace.actor).uid
            keyed.store(connection, uid, now, repository)
        return stored(connection, uid)


def answered_before(workspace: Workspace, keyed: Keyed) -> Remembered | None:
    """What a repeated request was answered with, asked before the state it found is looked at (B28)."""
    if (uid := keyed.answer(workspace)) is None:
        return None
    with workspace.reading() as reading:
        connection, _ = workspace.known(reading)
        return stored(connection, uid)


def remember_many(
    workspace: Workspace, requests: Iterable[Request | StillTrueError]
) -> Iterator[Remembered | StillTrueError]:
    """One answer for each request, in order; a bad one is answered with its error and stops no other.

    A few hundred share a transaction, so an answer comes once its transaction is kept.
    """
    iterator, seen = iter(requests), SeenLines()
    while batch := list(islice(iterator, BATCH)):
        recorder = Recorder(workspace, workspace.fresh_tree(), seen)
        read = [_read(recorder, request) for request in batch]
        good = [each for each in read if not isinstance(each, StillTrueError)]
        drafts = iter(recorder.with_commits([draft for _, cited in good for draft in cited]))
        good = [(memory, list(islice(drafts, len(cited)))) for memory, cited in good]
        kept = iter(_insert_batch(workspace, good))
        yield from (each if isinstance(each, StillTrueError) else next(kept) for each in read)


def insert(
    connection: Connection,
    draft: MemoryDraft,
    cited: Iterable[CitationDraft],
    *,
    repository: str,
    now: Instant,
    actor: str,
) -> Memory:
    """Insert one memory with its citations and the act that undo takes back."""
    memory = memories.insert_memory(connection, draft, repository=repository, uid=new_uid(now), tx_at=now)
    attach(connection, memory, cited, now=now, actor=actor)
    history.record_act(
        connection, "remember", repository=repository, actor=actor, at=now, memory_uids=[memory.uid]
    )
    bump_revision(connection)
    return memory


def attach(
    connection: Connection, memory: Memory, cited: Iterable[CitationDraft], *, now: Instant, actor: str
) -> None:
    """Give a memory its citations."""
    for draft in cited:
        citation_rows.insert_citation(
            connection, memory.uid, draft, uid=new_uid(now), now=now, actor=actor, origin=memory.origin
        )


def stored(connection: Connection, uid: str) -> Remembered:
    """A memory as it is stored, with the present generation of its citations."""
    found = citation_rows.citations_of(connection, [uid]).get(uid, [])
    return Remembered(memory=memories.get_memory(connection, uid), citations=tuple(found))


def new_uid(now: Instant) -> str:
    """A fresh UUIDv7 for `now`."""
    return ids.new_uid(unix_ms(now))


def checked_draft(request: Request) -> MemoryDraft:
    """The request as a draft, every field within its limits (A1).

    Raises:
        InputError: Naming the field and what it may be.
    """
    text = _checked_text("text", request.text, TEXT_LIMIT)
    if request.importance not in IMPORTANCE_RANGE or isinstance(request.importance, bool):
        raise InputError(f"importance must be a whole number from 1 to 10, not {request.importance!r}")
    confidence = request.confidence
    if not isinstance(confidence, (int, float)) or not math.isfinite(confidence) or not 0 <= confidence <= 1:
        raise InputError(f"confidence must be from 0 to 1, not {confidence!r}")
    draft = MemoryDraft(
        text=text,
        subject=_checked_text("subject", request.subject or _subject_of(request), FIELD_LIMIT),
        predicate=request.predicate,
        kind=_one_of(MemoryKind, "kind", request.kind),
        importance=int(request.importance),
        confidence=float(confidence),
        trust=_one_of(Trust, "trust", request.trust or _trust_of(request)),
        source_ref=request.source_ref,
        source_agent=request.source_agent,
        valid_from=parse_instant(request.valid_from) if request.valid_from else None,
        valid_to=parse_instant(request.valid_to) if request.valid_to else None,
        expires_at=parse_instant(request.expires_at) if request.expires_at else None,
        origin=request.origin,
    )
    if draft.valid_from and draft.valid_to and draft.valid_to <= draft.valid_from:
        raise InputError("valid_to must be later than valid_from")
    return draft


def _insert_batch(
    workspace: Workspace, good: list[tuple[MemoryDraft, list[CitationDraft]]]
) -> list[Remembered]:
    if not good:
        return []
    with workspace.writing() as (connection, repository, now):
        rows = memories.insert_memories(
            connection,
            [NewMemory(uid=new_uid(now), draft=draft, tx_at=now) for draft, _ in good],
            repository=repository,
        )
        citation_rows.insert_citations(
            connection,
            [
                NewCitation(uid=new_uid(now), memory=row.uid, draft=draft)
                for row, (_, drafts) in zip(rows, good, strict=True)
                for draft in drafts
            ],
            now=now,
            actor=workspace.actor,
        )
        uids = [row.uid for row in rows]
        history.record_act(
            connection, "remember", repository=repository, actor=workspace.actor, at=now, memory_uids=uids
        )
        bump_revision(connection)
        cited = citation_rows.citations_of(connection, uids)
    return [Remembered(memory=row, citations=tuple(cited.get(row.uid, ()))) for row in rows]


def _read(
    recorder: Recorder, request: Request | StillTrueError
) -> tuple[MemoryDraft, list[CitationDraft]] | StillTrueError:
    if isinstance(request, StillTrueError):
        return request
    try:
        return checked_draft(request), [recorder.draft(spec) for spec in request.citations]
    except StillTrueError as error:
        return error


def _subject_of(request: Request) -> str:
    return next((spec.path for spec in request.citations if spec.path), "general")


def _trust_of(request: Request) -> Trust:
    return (
        Trust.VERIFIED
        if any(spec.path and not spec.commit for spec in request.citations)
        else Trust.CANDIDATE
    )


def _checked_text(name: str, value: str, limit: int) -> str:
    if not isinstance(value, str) or not value.strip():
        raise InputError(f"{name} is blank", hint="say in one sentence what to remember")
    if len(value) > limit:
        raise InputError(f"{name} has {len(value)} characters, more than {limit}")
    if "\0" in value or any("\ud800" <= character <= "\udfff" for character in value):
        raise InputError(f"{name} holds characters that no text has (NUL or half a surrogate pair)")
    return value.strip()


def _one_of(words: type[Word], name: str, value: str) -> Word:
    try:
        return words(value)
    except ValueError:
        allowed = ", ".join(words)
        raise InputError(f"{name} may not be {value!r}", hint=f"allowed: {allowed}") from None
