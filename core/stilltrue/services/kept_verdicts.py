"""Which of the verdicts that were found differ from those that are kept for a working tree (E26)."""

from __future__ import annotations

from collections.abc import Iterable

from stilltrue.model.citation import CitationKind
from stilltrue.model.time import Instant
from stilltrue.model.verdict import CitationVerdict, Verdict
from stilltrue.services.judging import JudgedMemory
from stilltrue.services.workspace import Connection
from stilltrue.store import verdicts as verdict_rows
from stilltrue.store.verdicts import VerdictRow


def changed_rows(
    connection: Connection,
    checkout: int | None,
    judged: Iterable[JudgedMemory],
    *,
    now: Instant,
    head: str | None,
) -> list[VerdictRow]:
    """The rows to write so that what is kept is what was judged; a first verdict of *fresh* is nothing new.

    Args:
        connection: A transaction.
        checkout: The working tree; None where it is not known yet, so that nothing is kept.
        judged: What was found.
        now: The date of the rows.
        head: The commit that is checked out.
    """
    cited = [
        each
        for memory in judged
        for each in memory.citations
        if each.citation.kind is not CitationKind.COMMIT
    ]
    uids = [each.citation.uid for each in cited]
    kept = {} if checkout is None else verdict_rows.verdicts_of(connection, checkout, uids)
    return [
        VerdictRow(
            citation=each.citation.uid,
            generation=each.citation.generation,
            verdict=each.verdict,
            checked_at=now,
            checked_head=head,
        )
        for each in cited
        if _is_news(kept.get(each.citation.uid), each.citation.generation, each.verdict)
    ]


def _is_news(kept: VerdictRow | None, generation: int, verdict: CitationVerdict) -> bool:
    if kept is None or kept.verdict is None:
        return verdict.verdict is not Verdict.FRESH
    former = kept.verdict
    return (kept.generation, former.verdict, former.reason, former.grade, former.new) != (
        generation,
        verdict.verdict,
        verdict.reason,
        verdict.grade,
        verdict.new,
    )
