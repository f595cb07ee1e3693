"""Ask the questions of the evaluation of a store, and tell which of its memories no longer hold."""

from __future__ import annotations

from collections.abc import Sequence

from configurations import Configuration
from corpus import ASKED, Note, Question
from measures import DEPTH, Answer
from past import Past, milliseconds

from stilltrue.embeddings import word_vectors
from stilltrue.services.queries import Query, Source
from stilltrue.services.recall import recall
from stilltrue.services.shown import note_shown


def asked(past: Past, question: Question, configuration: Configuration) -> Answer:
    """One question in one configuration; as a replay, in which showing does not count, unless it shall."""
    replay = {} if configuration.in_use else {"now_ms": milliseconds(ASKED)}
    given = {"near": question.near, "limit": DEPTH, **replay, **configuration.settings}
    query = Query(text=question.text, **given)  # type: ignore[arg-type]
    hits = recall(past.workspace, query, dense=word_vectors() if configuration.by_meaning else None).hits
    ranked = [past.keys[hit.memory.number] for hit in hits]
    changed = {past.keys[hit.memory.number] for hit in hits if hit.source is Source.STALE}
    return Answer(ranked, changed, question.grades)


def measured(
    past: Past, asking: Sequence[Question], wanted: Sequence[Configuration]
) -> dict[str, list[Answer]]:
    """The answers to every question, by configuration; before, everything is shown once."""
    note_shown(past.workspace, recall(past.workspace, Query(limit=len(past.keys))))
    return {each.name: [asked(past, question, each) for question in asking] for each in wanted}


def ended(every: Sequence[Note]) -> frozenset[str]:
    """The keys of what no longer holds at the moment of asking: false by now, replaced, or expired."""
    replaced = {note.supersedes for note in every}
    return frozenset(
        note.key
        for note in every
        if note.false_since or note.key in replaced or (note.expires and note.expires <= ASKED.date())
    )
