"""What the check of a memory says of its code, in the words of `recall.backing`."""

from __future__ import annotations

from stilltrue.model.citation import Citation, CitationKind
from stilltrue.model.time import unix_ms
from stilltrue.model.verdict import Freshness, StaleKind
from stilltrue.recall.backing import Backing, Evidence
from stilltrue.services.judging import JudgedMemory


def evidence_of(judged: JudgedMemory) -> Evidence:
    """What was just found of a memory's code; cosmetic changes are none."""
    compared = [each.citation for each in judged.citations if each.citation.baseline]
    return Evidence(
        number=judged.memory.number,
        recorded_ms=unix_ms(judged.memory.tx_at),
        backing=_backing(judged) if compared else Backing.UNTOLD,
        places=frozenset(map(_place, compared)),
    )


def _backing(judged: JudgedMemory) -> Backing:
    verdict = judged.verdict
    if verdict.freshness is Freshness.FRESH or verdict.stale_kind is StaleKind.COSMETIC:
        return Backing.SAME
    if verdict.freshness is not Freshness.STALE:
        return Backing.UNTOLD
    return Backing.GONE if verdict.stale_kind is StaleKind.STRUCTURAL else Backing.CHANGED


def _place(citation: Citation) -> tuple[str, str]:
    """The cited symbol, or the lines, or nothing for the whole file.

    The definition around cited lines is no place: other lines of it say other things.
    """
    path = citation.path or ""
    if citation.kind is CitationKind.SYMBOL:
        return path, citation.symbol or ""
    return path, f"{citation.span.start}-{citation.span.end}" if citation.span else ""
