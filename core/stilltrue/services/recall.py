"""Recall: which memories answer a question, in which order, and whether their code still backs them.

Reading alone: nothing is written, no process is started (A22, E17). What was shown is noted by a second call,
`services.shown.note_shown`.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from stilltrue.embeddings import word_vectors
from stilltrue.model.time import AsOf, Instant, instant_from_unix_ms, unix_ms
from stilltrue.recall.backing import Backing, assess_backed, backings
from stilltrue.recall.budget import fitting
from stilltrue.recall.dense import DenseArm
from stilltrue.recall.fusion import (
    ARM_WEIGHTS,
    DENSE,
    KEYWORD,
    LOCALITY,
    TEMPORAL,
    Arm,
    bases,
    best_first,
    fused,
    ranks,
    reranked,
)
from stilltrue.recall.ranking import NUMBERS, Factors, SourceWeights, Terms, factors, reciprocal_rank
from stilltrue.recall.validity import Standing, Validity, ValidityGrade, assess
from stilltrue.recall.words import names
from stilltrue.services.backed import evidence_of
from stilltrue.services.delivering import Delivery
from stilltrue.services.kept_pins import checkout_if_any
from stilltrue.services.queries import Method, Query, weights_named
from stilltrue.services.recalled import FusedTrace, Hit, Placing, Recalled
from stilltrue.services.workspace import Connection, Workspace
from stilltrue.store import search
from stilltrue.store.search import Candidate, Filters

logger = logging.getLogger(__name__)

MS_A_DAY = 86_400_000
NO_INDEX = "this SQLite has no full-text index (FTS5): only parts of words were looked for"
AN_ARM_FAILED = "a part of the search failed ({}); what it alone would find is missing"
VERDICTS_ARE_OF_TODAY = "verdicts have no history: those shown are of today"


def recall(workspace: Workspace, query: Query, *, dense: DenseArm | None = None) -> Recalled:
    """The memories that answer `query`, best first, each judged by the working tree as it is now.

    Args:
        workspace: The repository.
        query: The question.
        dense: Ranks by meaning, too, in fused mode; None takes what the settings ask for and the extra
            `embeddings` brings. Without one the answer says so.
    """
    with workspace.reading() as reading:
        if reading is None:
            return Recalled(query=query)
        asking = _asking(workspace, *reading, query)
        delivery = Delivery(workspace, asking.connection, asking.repository, asking.checkout)
        if query.fused:
            ranked = _fused(asking, dense or _dense_arm(workspace), delivery)
        else:
            ranked = _by_keyword(asking)
        chosen = delivery.chosen(list(ranked.placings), query)
        notes = asking.notes()
        if ranked.trace is not None and ranked.trace.failed:
            notes = (*notes, AN_ARM_FAILED.format(", ".join(ranked.trace.failed)))
    fits = fitting((judged.memory.text for judged, _ in chosen), query.max_tokens)
    return Recalled(
        query=query,
        at=asking.at,
        now=asking.now,
        hits=tuple(
            Hit(judged=judged, pins=pins, placing=ranked.placings[judged.memory.number])
            for judged, pins in chosen[:fits]
        ),
        matched=len(ranked.placings),
        truncated=fits < len(chosen),
        notes=notes,
        fused=ranked.trace,
    )


@dataclass(frozen=True, slots=True)
class _Asking:
    """A question in one view of the store."""

    connection: Connection
    repository: str
    query: Query
    at: AsOf
    now: Instant
    weights: SourceWeights
    checkout: int | None

    @property
    def filters(self) -> Filters:
        query = self.query
        return Filters(
            repository=self.repository,
            at=self.at,
            now=self.now,
            subject=query.subject,
            kind=query.kind,
            path=query.path,
        )

    def keyword_arm(self) -> list[int]:
        """What the words find; without words, what scores highest."""
        if self.query.text.strip():
            return search.by_words(self.connection, self.filters, self.query.text, enough=self.query.limit)
        return search.by_score(
            self.connection, self.filters, self.weights, self.checkout, aged=not self.query.is_replay
        )

    def rows(self, numbers: Sequence[int]) -> dict[int, Candidate]:
        """What ranking needs to know of these memories."""
        return search.candidates(
            self.connection, numbers, self.checkout, with_source=not self.weights.is_neutral
        )

    def notes(self) -> tuple[str, ...]:
        """What a reader should know besides."""
        words = bool(self.query.text.strip())
        missing = words and not search.has_index(self.connection)
        said = ((NO_INDEX, missing), (VERDICTS_ARE_OF_TODAY, self.query.as_of is not None))
        return tuple(note for note, applies in said if applies)


@dataclass(frozen=True, slots=True)
class _Ranked:
    """Why each memory stands where it does, by number, best first."""

    placings: dict[int, Placing]
    trace: FusedTrace | None = None


def _asking(workspace: Workspace, connection: Connection, repository: str, query: Query) -> _Asking:
    present = workspace.present(connection)
    at = present if query.as_of is None else AsOf(known=query.as_of, valid=query.as_of)
    return _Asking(
        connection=connection,
        repository=repository,
        query=query,
        at=at,
        now=at.valid if query.now_ms is None else instant_from_unix_ms(query.now_ms),
        weights=query.weights or weights_named(workspace.settings.recall_preset),
        checkout=checkout_if_any(workspace, connection, repository),
    )


def _by_keyword(asking: _Asking) -> _Ranked:
    """The default score over one list (A11, A12); validity only annotates (C24)."""
    found = asking.keyword_arm()
    worded = bool(asking.query.text.strip())
    base = {number: reciprocal_rank(rank) if worded else 1.0 for rank, number in enumerate(found, start=1)}
    places = ranks([Arm(KEYWORD, tuple(found))]) if worded else {}
    return _Ranked(_scored(asking, base, places))


def _scored(asking: _Asking, base: dict[int, float], places: dict[int, dict[str, int]]) -> dict[int, Placing]:
    """By the default score; of equals the one recorded last, then the higher number (A12, K19)."""
    rows = asking.rows(list(base))
    told = {number: _factors(asking, rows[number], rrf) for number, rrf in base.items()}
    scores = {number: NUMBERS.product(each.in_order()) for number, each in told.items()}
    order = sorted(base, key=lambda number: (scores[number], rows[number].tx_at, number), reverse=True)
    return {
        number: Placing(
            score=scores[number],
            ranks=places.get(number, {}),
            factors=told[number],
            validity=_validity(asking, rows[number]) if asking.query.is_annotated else None,
        )
        for number in order
    }


def _factors(asking: _Asking, row: Candidate, rrf: float) -> Factors[float]:
    since = row.tx_at if asking.query.is_replay else (row.accessed_at or row.tx_at)
    terms: Terms[float, str | None] = Terms(
        base=rrf,
        confidence=row.confidence,
        importance=row.importance,
        kind=row.kind,
        age_days=(unix_ms(asking.now) - unix_ms(since)) / MS_A_DAY,
        source=row.source,
    )
    return factors(terms, NUMBERS, asking.weights)


def _validity(asking: _Asking, row: Candidate, backing: Backing | None = None) -> Validity:
    standing = Standing(
        created_ms=unix_ms(row.tx_at),
        expires_ms=unix_ms(row.expires_at) if row.expires_at else None,
        workspace=asking.repository,
        trust=row.trust,
    )
    now_ms, weights = unix_ms(asking.now), asking.query.multiplier
    if backing is None:
        return assess(standing, now_ms=now_ms, workspace=asking.repository, weights=weights)
    return assess_backed(standing, backing, now_ms=now_ms, workspace=asking.repository, weights=weights)


def _blocks(asking: _Asking, pool: Sequence[int], delivery: Delivery) -> dict[int, Validity]:
    """The validity of everything found; only the second method asks what became of the code (K8)."""
    rows, told = asking.rows(pool), dict[int, Backing]()
    if asking.query.method == Method.BY_CODE:
        told = backings(evidence_of(judged) for judged, _ in delivery.judged(pool))
    return {number: _validity(asking, rows[number], told.get(number)) for number in pool}


def _dense_arm(workspace: Workspace) -> DenseArm | None:
    return word_vectors() if workspace.settings.recall_embeddings else None


def _fused(asking: _Asking, dense: DenseArm | None, delivery: Delivery) -> _Ranked:
    arms, failed = _arms(asking, dense)
    sums = fused(arms)
    by_name = {arm.name: arm.ranked for arm in arms}
    rerank = _rerank_text(asking.query, dense, arms, failed)
    if not asking.query.reranks:
        placings = _scored(asking, sums, ranks(arms))
        return _Ranked(placings, FusedTrace(arms=tuple(arms), pool=len(sums), rerank=rerank, failed=failed))
    pool = best_first(sums)
    scores = reranked(pool, by_name[DENSE], by_name[KEYWORD]) if by_name[DENSE] else {}
    base = bases(best_first(scores) if scores else pool, scores)
    blocks = _blocks(asking, pool, delivery)
    keys = {number: base[number] * blocks[number].multiplier for number in pool}
    places = ranks(arms)
    counts = Counter(block.grade for block in blocks.values())
    trace = FusedTrace(
        arms=tuple(arms),
        pool=len(pool),
        rerank=rerank,
        grade_counts={grade.value: counts[grade] for grade in ValidityGrade},
        failed=failed,
    )
    placings = {
        number: Placing(score=keys[number], ranks=places[number], base=base[number], validity=blocks[number])
        for number in best_first(keys)
    }
    return _Ranked(placings, trace)


def _arms(asking: _Asking, dense: DenseArm | None) -> tuple[list[Arm], tuple[str, ...]]:
    """The lists that are fused. Where words are asked for, age only orders what the others find.

    An arm that fails finds nothing; its name is the second answer, and the others go on (B14).
    """
    query, connection, filters = asking.query, asking.connection, asking.filters
    worded = bool(query.text.strip())
    failed: list[str] = []

    def found_by(arm: str, ask: Callable[[], list[int]]) -> list[int]:
        try:
            return ask()
        except Exception:  # noqa: BLE001 - whatever became of one arm, the others can answer
            logger.warning("an arm of a retrieval failed")
            failed.append(arm)
            return []

    place = query.near or query.path
    keyword = found_by(KEYWORD, asking.keyword_arm) if worded else []
    locality = found_by(LOCALITY, lambda: search.near(connection, filters, place, names(query.text)))
    meaning: list[int] = []
    if dense is not None and worded:
        meaning = found_by(DENSE, lambda: dense.ranked(query.text, search.texts(connection, filters)))
    if worded:
        rows = asking.rows(list(dict.fromkeys([*keyword, *locality, *meaning])))
        temporal = sorted(rows, key=lambda number: (rows[number].tx_at, number), reverse=True)
    else:
        temporal = search.newest(connection, filters)
    found = {KEYWORD: keyword, TEMPORAL: temporal, LOCALITY: locality, DENSE: meaning}
    weights = {**ARM_WEIGHTS, **query.arms}
    return [Arm(name, tuple(ranked), weights[name]) for name, ranked in found.items()], tuple(failed)


def _rerank_text(query: Query, dense: DenseArm | None, arms: Sequence[Arm], failed: Sequence[str]) -> str:
    """Whether the rerank of C27 took place, or why not."""
    if dense is None:
        return "not applied: no dense arm"
    if DENSE in failed:
        return "not applied: the dense arm failed"
    if not query.reranks:
        return "not applied: without profile validity"
    is_near = any(arm.ranked for arm in arms if arm.name == DENSE)
    return f"applied: {dense.model}" if is_near else "not applied: nothing is near in meaning"
