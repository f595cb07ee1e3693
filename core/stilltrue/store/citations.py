"""Citations and their generations: appended, never changed (F26, K14)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Select, and_, func, insert, or_, select, update

from stilltrue.errors import ConflictError, InputError, NotFoundError
from stilltrue.model.citation import Citation, CitationDraft
from stilltrue.model.memory import Origin
from stilltrue.model.time import Instant
from stilltrue.store.batches import batches
from stilltrue.store.engine import bump_revision
from stilltrue.store.rows import CITATION_COLUMNS, citation_from, generation_values, text_values
from stilltrue.store.schema import citations, generation_texts, generations, memories

_NUMBER = re.compile(r"c?([0-9]{1,18})", re.IGNORECASE)
_UID_BEGINNING = re.compile(r"[0-9a-f-]{8,36}")

CITED = (
    generations.join(citations, citations.c.number == generations.c.citation)
    .join(memories, memories.c.number == generations.c.memory)
    .outerjoin(
        generation_texts,
        and_(
            generation_texts.c.citation == generations.c.citation,
            generation_texts.c.generation == generations.c.generation,
        ),
    )
)
"""Generations with all that belongs to them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewCitation:
    """A citation about to be recorded for a memory that is."""

    uid: str
    memory: str
    draft: CitationDraft


def insert_citation(
    conn: Connection,
    memory_uid: str,
    draft: CitationDraft,
    *,
    uid: str,
    now: Instant,
    actor: str,
    origin: Origin = Origin.DISK,
) -> Citation:
    """Records one citation, at its first generation."""
    new = NewCitation(uid=uid, memory=memory_uid, draft=draft)
    return insert_citations(conn, [new], now=now, actor=actor, origin=origin)[0]


def insert_citations(
    conn: Connection, new: Sequence[NewCitation], *, now: Instant, actor: str, origin: Origin = Origin.DISK
) -> list[Citation]:
    """Records many citations at once, in their order.

    Raises:
        NotFoundError: One of the memories does not exist; none is recorded.
    """
    if not new:
        return []
    owners = _owners(conn, [item.memory for item in new])
    conn.execute(insert(citations), [{"uid": item.uid, "memory": owners[item.memory][0]} for item in new])
    numbers = _numbers(conn, [item.uid for item in new])
    said = {"generation": 1, "recorded_at": now, "actor": actor, "origin": origin.value}
    rows = []
    for item in new:
        number, repository = owners[item.memory]
        place = {"citation": numbers[item.uid], "memory": number, "repository": repository}
        rows.append((item.draft, {**place, **said}))
    _append(conn, rows)
    bump_revision(conn, now)
    made = {citation.uid: citation for citation in _present(conn, list(numbers.values()))}
    return [made[item.uid] for item in new]


def add_generation(
    conn: Connection,
    citation: Citation,
    draft: CitationDraft,
    *,
    now: Instant,
    actor: str,
    origin: Origin = Origin.DISK,
) -> Citation:
    """Appends a generation to a citation and returns the citation at it.

    Raises:
        ConflictError: The citation moved on since it was looked at (F30).
    """
    of_citation = generations.c.citation == citation.number
    newest = conn.execute(select(func.max(generations.c.generation)).where(of_citation)).scalar_one()
    present = conn.execute(select(generations).where(of_citation, generations.c.present == 1)).first()
    if present is None:
        raise _not_found(citation.id)
    if present.generation != citation.generation:
        raise ConflictError(
            f"{citation.id} changed meanwhile: it is at generation {present.generation} now, "
            f"not {citation.generation}",
            hint="look at it again, and repeat the act if it is still wanted",
        )
    conn.execute(update(generations).where(of_citation, generations.c.present == 1).values(present=0))
    values = {
        "citation": citation.number,
        "memory": present.memory,
        "repository": present.repository,
        "generation": newest + 1,
        "recorded_at": now,
        "actor": actor,
        "origin": origin.value,
    }
    _append(conn, [(draft, values)])
    bump_revision(conn, now)
    return _present(conn, [citation.number])[0]


def undo_generation(conn: Connection, citation: int, generation: int, *, now: Instant) -> None:
    """Takes one generation back by a date; the newest that is left is present again."""
    of_citation = generations.c.citation == citation
    undone = update(generations).where(of_citation, generations.c.generation == generation)
    conn.execute(undone.values(present=0, undone_at=now))
    left = select(func.max(generations.c.generation)).where(of_citation, generations.c.undone_at.is_(None))
    newest = conn.execute(left).scalar_one()
    conn.execute(update(generations).where(of_citation, generations.c.generation == newest).values(present=1))
    bump_revision(conn, now)


def get_citation(conn: Connection, uid: str) -> Citation:
    """The citation with that uid, at its present generation.

    Raises:
        NotFoundError: There is none.
    """
    row = conn.execute(_select().where(citations.c.uid == uid, generations.c.present == 1)).first()
    if row is None:
        raise _not_found(uid)
    return citation_from(row)


def resolve_citation(conn: Connection, reference: str, repository: str | None = None) -> Citation:
    """The citation a person means by `c7`, `7` or the beginning of a uid.

    Raises:
        NotFoundError: Nothing matches.
        InputError: Several citations match.
    """
    written = reference.strip().lower()
    statement = _select().where(generations.c.present == 1)
    if repository is not None:
        statement = statement.where(generations.c.repository == repository)
    if number := _NUMBER.fullmatch(written):
        row = conn.execute(statement.where(generations.c.citation == int(number[1]))).first()
        if row is not None:
            return citation_from(row)
    if not _UID_BEGINNING.fullmatch(written):
        raise _not_found(reference)
    rows = conn.execute(statement.where(citations.c.uid.between(written, written + "g")).limit(2)).all()
    if not rows:
        raise _not_found(reference)
    if len(rows) > 1:
        raise InputError(f"more than one citation begins with {written}", hint="write more of the uid")
    return citation_from(rows[0])


def citations_of(
    conn: Connection, memory_uids: Iterable[str], *, known: Instant | None = None
) -> dict[str, list[Citation]]:
    """The citations of these memories, each at one generation, in the order they were made.

    Args:
        conn: A transaction.
        memory_uids: Whose; those without citations are left out.
        known: As they were known then; None for the present generations.
    """
    found: dict[str, dict[int, Citation]] = {}
    for some in batches(list(dict.fromkeys(memory_uids))):
        # through the citations of the memories, or every generation there is would be read
        owned = select(citations.c.number).where(
            citations.c.memory.in_(select(memories.c.number).where(memories.c.uid.in_(some)))
        )
        statement = _select().where(generations.c.citation.in_(owned), _as_known(known))
        for row in conn.execute(statement.order_by(generations.c.citation, generations.c.generation)):
            citation = citation_from(row)
            found.setdefault(citation.memory, {})[citation.number] = citation
    return {uid: list(newest.values()) for uid, newest in found.items()}


def generations_of(conn: Connection, citation_uid: str) -> list[Citation]:
    """Every generation of a citation, undone ones included, oldest first."""
    statement = _select().where(citations.c.uid == citation_uid).order_by(generations.c.generation)
    return [citation_from(row) for row in conn.execute(statement)]


def _as_known(known: Instant | None) -> Any:  # noqa: ANN401 - a condition of SQLAlchemy's
    if known is None:
        return generations.c.present == 1
    undone = generations.c.undone_at
    return and_(generations.c.recorded_at <= known, or_(undone.is_(None), undone > known))


def _select() -> Select[Any]:
    return select(*CITATION_COLUMNS).select_from(CITED)


def _present(conn: Connection, numbers: Sequence[int]) -> list[Citation]:
    found: list[Citation] = []
    for some in batches(numbers):
        statement = _select().where(generations.c.citation.in_(some), generations.c.present == 1)
        found += [citation_from(row) for row in conn.execute(statement)]
    return found


def _append(conn: Connection, rows: Sequence[tuple[CitationDraft, dict[str, Any]]]) -> None:
    values = [{**generation_values(draft), **place, "present": 1, "undone_at": None} for draft, place in rows]
    conn.execute(insert(generations), values)
    texts = [
        {"citation": place["citation"], "generation": place["generation"], **kept}
        for draft, place in rows
        if (kept := text_values(draft)) is not None
    ]
    if texts:
        conn.execute(insert(generation_texts), texts)


def _owners(conn: Connection, memory_uids: Sequence[str]) -> dict[str, tuple[int, str]]:
    wanted = list(dict.fromkeys(memory_uids))
    columns = (memories.c.uid, memories.c.number, memories.c.repository)
    found: dict[str, tuple[int, str]] = {}
    for some in batches(wanted):
        for row in conn.execute(select(*columns).where(memories.c.uid.in_(some))):
            found[row.uid] = (row.number, row.repository)
    for uid in wanted:
        if uid not in found:
            raise NotFoundError(f"no such memory: {uid}")
    return found


def _numbers(conn: Connection, uids: Sequence[str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for some in batches(uids):
        statement = select(citations.c.uid, citations.c.number).where(citations.c.uid.in_(some))
        found |= {row.uid: row.number for row in conn.execute(statement)}
    return found


def _not_found(reference: str) -> NotFoundError:
    return NotFoundError(f"no such citation: {reference}", hint="write c7, 7, or a beginning of its uid")
