"""From rows to the nouns and back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from stilltrue.model.citation import Baseline, Citation, CitationDraft, CitationKind, Neighbour, Span
from stilltrue.model.memory import Closing, ClosingKind, Memory, MemoryKind, Origin, Trust
from stilltrue.store.schema import citations, closings, generation_texts, generations, memories

MEMORY_COLUMNS = tuple(memories.c)
CLOSING_COLUMNS = tuple(column for column in closings.c if column.name != "id")

_GENERATION_COLUMNS = tuple(
    column for column in generations.c if column.name not in {"memory", "repository", "present", "undone_at"}
)
TEXT_COLUMNS = tuple(column for column in generation_texts.c if not column.primary_key)
CITATION_COLUMNS = (
    citations.c.uid.label("citation_uid"),
    memories.c.uid.label("memory_uid"),
    *_GENERATION_COLUMNS,
    *TEXT_COLUMNS,
)
"""What `citation_from` takes, in its order."""

_MEMORY_KINDS = {kind.value: kind for kind in MemoryKind}
_CITATION_KINDS = {kind.value: kind for kind in CitationKind}
_TRUSTS = {trust.value: trust for trust in Trust}
_ORIGINS = {origin.value: origin for origin in Origin}


def memory_from(row: Sequence[Any]) -> Memory:
    """A memory from a row that begins with `MEMORY_COLUMNS`."""
    (number, uid, repository, chain, supersedes, text, subject, predicate, kind, importance) = row[:10]
    (confidence, trust, source_ref, source_agent, valid_from, valid_to) = row[10:16]
    (expires_at, tx_at, origin, redacted) = row[16:20]
    return Memory(
        number=number,
        uid=uid,
        repository=repository,
        chain=chain,
        supersedes=supersedes,
        text=text,
        subject=subject,
        predicate=predicate,
        kind=_MEMORY_KINDS[kind],
        importance=importance,
        confidence=confidence,
        trust=_TRUSTS[trust],
        source_ref=source_ref,
        source_agent=source_agent,
        valid_from=valid_from,
        valid_to=valid_to,
        expires_at=expires_at,
        tx_at=tx_at,
        origin=_ORIGINS[origin],
        redacted=bool(redacted),
    )


def closing_from(row: Sequence[Any]) -> Closing:
    """A closing from a row of `CLOSING_COLUMNS`."""
    memory, kind, at, valid_at, actor, successor, undone_at = row
    return Closing(
        memory=memory,
        kind=ClosingKind(kind),
        at=at,
        valid_at=valid_at,
        actor=actor,
        successor=successor,
        undone_at=undone_at,
    )


def citation_from(row: Sequence[Any]) -> Citation:
    """A citation from a row of `CITATION_COLUMNS`."""
    (uid, memory, number, generation, kind, path, start, end, symbol, commit) = row[:10]
    (recorded_at, actor, origin) = row[20:23]
    return Citation(
        number=number,
        uid=uid,
        memory=memory,
        generation=generation,
        kind=_CITATION_KINDS[kind],
        path=path,
        span=None if start is None else Span(start, end),
        symbol=symbol,
        commit=commit,
        baseline=_baseline(row),
        recorded_at=recorded_at,
        actor=actor,
        origin=_ORIGINS[origin],
    )


def _baseline(row: Sequence[Any]) -> Baseline | None:
    sha256, lf_sha256, byte_length, copies, copy_index = row[10:15]
    before, after, digests, conflict, encoding = row[15:20]
    if sha256 is None:
        return None
    excerpt, before_text, after_text, solid_copies, solid_index, solid_above, solid_below = row[23:30]
    return Baseline(
        sha256=sha256,
        lf_sha256=lf_sha256,
        byte_length=byte_length,
        copies=copies,
        copy_index=copy_index,
        before=None if before is None else Neighbour(before, before_text),
        after=None if after is None else Neighbour(after, after_text),
        line_digests=digests or b"",
        conflict_markers=bool(conflict),
        encoding=encoding,
        excerpt=excerpt,
        solid_copies=solid_copies,
        solid_index=solid_index or 0,
        solid_above=solid_above,
        solid_below=solid_below,
    )


def generation_values(draft: CitationDraft) -> dict[str, Any]:
    """The columns of a generation that come from its draft."""
    span, found = draft.span, draft.baseline
    values: dict[str, Any] = dict.fromkeys(_BASELINE_NAMES)
    values |= {
        "kind": draft.kind.value,
        "path": draft.path,
        "span_start": span.start if span else None,
        "span_end": span.end if span else None,
        "symbol": draft.symbol,
        "commit_sha": draft.commit,
    }
    if found is not None:
        values |= {
            "sha256": found.sha256,
            "lf_sha256": found.lf_sha256,
            "byte_length": found.byte_length,
            "copies": found.copies,
            "copy_index": found.copy_index,
            "before_sha256": found.before.sha256 if found.before else None,
            "after_sha256": found.after.sha256 if found.after else None,
            "line_digests": found.line_digests,
            "conflict_markers": int(found.conflict_markers),
            "encoding": found.encoding,
        }
    return values


def text_values(draft: CitationDraft) -> dict[str, bytes | int | None] | None:
    """The other people's text of a generation with what was counted of it, or None without any to keep."""
    found = draft.baseline
    if found is None:
        return None
    before = found.before.text if found.before else None
    after = found.after.text if found.after else None
    if found.excerpt is None and before is None and after is None:
        return None
    solid = {name: getattr(found, name) for name in _SOLID_NAMES}
    return {"excerpt": found.excerpt, "before_text": before, "after_text": after, **solid}


_SOLID_NAMES = ("solid_copies", "solid_index", "solid_above", "solid_below")
_BASELINE_NAMES = (
    "sha256",
    "lf_sha256",
    "byte_length",
    "copies",
    "copy_index",
    "before_sha256",
    "after_sha256",
    "line_digests",
    "conflict_markers",
    "encoding",
)
