"""Pins: the citations that name a commit, and what git said of them in one working tree (A14, A27)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlalchemy import Connection, Select, and_, delete, exists, insert, literal_column, select, update

from stilltrue.errors import InputError, NotFoundError
from stilltrue.model.time import AsOf, Instant
from stilltrue.store.batches import batches
from stilltrue.store.engine import bump_revision
from stilltrue.store.schema import citations, generations, memories, verdicts
from stilltrue.store.temporal import visible
from stilltrue.store.verdicts import UNCHECKED_VALUES

_PRESENT = generations.c.present == literal_column("1")  # literal, so that the partial index serves


class PinnedCitation(NamedTuple):
    """A live memory's citation that names a commit.

    Attributes:
        memory_number: Whose; likewise `memory_uid`, `text` and `redacted` (0 or 1).
        number: The citation's short number; likewise `uid`.
        generation: The present one.
        commit: As it was recorded.
        path: None for the whole repository.
        has_baseline: Bytes were recorded of anything its memory cites; they decide instead of the commit
            (K1, design 4).
        state: What the last check in that working tree said of this generation: `current`, `stale` or
            `unresolved`; None where it was never checked. Likewise `checked_at` and `checked_head`.
    """

    memory_number: int
    memory_uid: str
    text: str
    redacted: int
    number: int
    uid: str
    generation: int
    commit: str
    path: str | None
    has_baseline: bool
    state: str | None
    checked_at: Instant | None
    checked_head: str | None

    @property
    def id(self) -> str:
        """The citation's short local name, `c7`."""
        return f"c{self.number}"

    @property
    def memory_id(self) -> str:
        """The memory's short local name, `m12`."""
        return f"m{self.memory_number}"


@dataclass(frozen=True, slots=True)
class PinState:
    """What git said of a citation at one generation: `current`, `stale` or `unresolved`."""

    citation: int
    generation: int
    state: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PinFilter:
    """Which pins.

    Attributes:
        kind: Only those of memories of that kind.
        subject: Only those of memories about that.
        unbacked: Only those of citations of which no bytes were recorded.
    """

    kind: str | None = None
    subject: str | None = None
    unbacked: bool = False


ALL_PINS = PinFilter()


def pinned_citations(
    conn: Connection,
    repository: str,
    at: AsOf,
    checkout: int | None,
    *,
    only: PinFilter = ALL_PINS,
    limit: int | None = None,
) -> list[PinnedCitation]:
    """The work-list of live pinned citations: never checked ones, then the longest unchecked, then by age.

    Args:
        conn: A transaction.
        repository: Of that one alone (A54).
        at: Decides which memories are live (A28).
        checkout: The working tree whose last check counts; None where none was made.
        only: Which of them.
        limit: At most so many (A40).

    Raises:
        InputError: The limit is below 1.
    """
    if limit is not None and limit < 1:
        raise InputError(f"the limit must be at least 1, not {limit}")
    statement = work_list(repository, at, checkout)
    if only.kind is not None:
        statement = statement.where(memories.c.kind == only.kind)
    if only.subject is not None:
        statement = statement.where(memories.c.subject == only.subject)
    if only.unbacked:
        statement = statement.where(generations.c.sha256.is_(None))
    return [PinnedCitation._make(row) for row in conn.execute(statement.limit(limit)).all()]


def work_list(repository: str, at: AsOf, checkout: int | None) -> Select[Any]:
    """The statement behind `pinned_citations`; the partial index `pinned_present` serves it (A15)."""
    judged = and_(
        verdicts.c.checkout == (-1 if checkout is None else checkout),
        verdicts.c.citation == generations.c.citation,
        verdicts.c.generation == generations.c.generation,
        verdicts.c.commit_state.is_not(None),
    )
    joined = (
        generations.join(memories, memories.c.number == generations.c.memory)
        .join(citations, citations.c.number == generations.c.citation)
        .outerjoin(verdicts, judged)
    )
    columns = (
        memories.c.number,
        memories.c.uid,
        memories.c.text,
        memories.c.redacted,
        generations.c.citation,
        citations.c.uid.label("citation_uid"),
        generations.c.generation,
        generations.c.commit_sha,
        generations.c.path,
        generations.c.memory.in_(_backed(repository)),
        verdicts.c.commit_state,
        verdicts.c.checked_at,
        verdicts.c.checked_head,
    )
    return (
        select(*columns)
        .select_from(joined)
        .where(generations.c.repository == repository, _PRESENT, generations.c.commit_sha.is_not(None))
        .where(visible(at))
        .order_by(verdicts.c.checked_at.nulls_first(), memories.c.number, generations.c.citation)
    )


def _backed(repository: str) -> Select[Any]:
    """The memories that cite anything whose bytes were recorded: those decide for the whole memory (K1)."""
    return select(generations.c.memory).where(
        generations.c.repository == repository, _PRESENT, generations.c.sha256.is_not(None)
    )


def unpinned_with_source(conn: Connection, repository: str, at: AsOf) -> list[tuple[str, str]]:
    """Uid and source reference of the live memories that never had a pin, by number (A43)."""
    ever = exists().where(generations.c.memory == memories.c.number, generations.c.commit_sha.is_not(None))
    statement = (
        select(memories.c.uid, memories.c.source_ref)
        .where(memories.c.repository == repository, memories.c.source_ref.is_not(None), visible(at), ~ever)
        .order_by(memories.c.number)
    )
    return [(row.uid, row.source_ref) for row in conn.execute(statement)]


def write_pin_states(
    conn: Connection, checkout: int, states: Sequence[PinState], *, at: Instant, head: str
) -> int:
    """Keeps what git said of these citations, and nothing else: what stands of their content stays (A27).

    A citation that has a newer generation by now is left alone.

    Args:
        conn: A writing transaction.
        checkout: The working tree that was looked at.
        states: What was said.
        at: When; with `head` the date of all of them (A30).
        head: The full hash that was checked out.

    Returns:
        How many were kept.

    Raises:
        NotFoundError: One of the citations does not exist; nothing was written.
    """
    kept = 0
    for some in batches(states):
        known = _generations(conn, checkout, some)
        standing = [each for each in some if known[each.citation][0] == each.generation]
        judged = {each.citation: known[each.citation][1] for each in standing}
        _write(conn, checkout, standing, judged, {"checked_at": at, "checked_head": head})
        kept += len(standing)
    if kept:
        bump_revision(conn)
    return kept


def _write(
    conn: Connection,
    checkout: int,
    states: Sequence[PinState],
    judged: Mapping[int, int | None],
    dated: dict[str, str],
) -> None:
    """Keeps states; `judged` says which generation the row that stands is about, None where none stands."""
    own = verdicts.c.checkout == checkout
    of_now = {each.citation for each in states if judged[each.citation] == each.generation}
    outdated = [number for number, row in judged.items() if row is not None and number not in of_now]
    if outdated:
        conn.execute(delete(verdicts).where(own, verdicts.c.citation.in_(outdated)))
    for state in sorted({each.state for each in states}):
        alike = [each.citation for each in states if each.state == state and each.citation in of_now]
        if alike:
            changed = update(verdicts).where(own, verdicts.c.citation.in_(alike))
            conn.execute(changed.values(commit_state=state, **dated))
    new = [
        {
            "checkout": checkout,
            "citation": each.citation,
            "generation": each.generation,
            "commit_state": each.state,
            **UNCHECKED_VALUES,
            **dated,
        }
        for each in states
        if each.citation not in of_now
    ]
    if new:
        conn.execute(insert(verdicts), new)


def _generations(
    conn: Connection, checkout: int, states: Sequence[PinState]
) -> dict[int, tuple[int, int | None]]:
    """The present generation of each citation, and the one that a row of that working tree is about."""
    numbers = [each.citation for each in states]
    own = and_(verdicts.c.checkout == checkout, verdicts.c.citation == generations.c.citation)
    statement = (
        select(generations.c.citation, generations.c.generation, verdicts.c.generation)
        .select_from(generations.outerjoin(verdicts, own))
        .where(generations.c.citation.in_(numbers), _PRESENT)
    )
    found = {row[0]: (row[1], row[2]) for row in conn.execute(statement).all()}
    for number in numbers:
        if number not in found:
            raise NotFoundError(f"no such citation: c{number}")
    return found
