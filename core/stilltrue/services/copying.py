"""Another version of a memory that says and cites the same, for a machine that trusts it less (E27, A52)."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from stilltrue.model.citation import Citation, CitationDraft
from stilltrue.model.memory import Memory, MemoryDraft
from stilltrue.model.time import Instant, unix_ms
from stilltrue.services.workspace import Connection
from stilltrue.store import citations as citation_rows
from stilltrue.store import ids

LOWERED_BY = 0.5
"""What is left of the confidence in a memory each time the code behind it changed to something else."""


def same_words(memory: Memory, **changed: Any) -> MemoryDraft:  # noqa: ANN401 - the fields of a draft
    """A draft of what the memory says, from now on, but for what is `changed`."""
    kept = {each.name: getattr(memory, each.name) for each in fields(MemoryDraft)}
    return MemoryDraft(**{**kept, "valid_from": None, **changed})


def carry_citations(
    connection: Connection, old: Memory, new: Memory, *, now: Instant, actor: str
) -> list[tuple[Citation, Citation]]:
    """Give a successor the citations of the memory it replaces, baselines included; the pairs of both."""
    cited = citation_rows.citations_of(connection, [old.uid]).get(old.uid, [])
    return [
        (
            each,
            citation_rows.insert_citation(
                connection,
                new.uid,
                CitationDraft(**{field.name: getattr(each, field.name) for field in fields(CitationDraft)}),
                uid=ids.new_uid(unix_ms(now)),
                now=now,
                actor=actor,
                origin=each.origin,
            ),
        )
        for each in cited
    ]
