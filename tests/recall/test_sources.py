"""Source ids: of five fields, in one canonical form (B4, B5, K20)."""

from __future__ import annotations

import hashlib
from dataclasses import replace

import pytest

from stilltrue.model.time import Instant
from stilltrue.recall.sources import Provenance, canonical_json, code_source, memory_source
from support.cited import memory

FIVE = Provenance(
    repo="repository",
    type="code",
    identity="src/ü.py#Client.send",
    version="sha256:00",
    content_source="worktree",
)


def test_b4_the_vector() -> None:
    """The canonical JSON and its hash, written out, so that no other program may hash anything else."""
    text = (
        '{"content_source":"worktree","identity":"src/ü.py#Client.send","repo":"repository","type":"code",'
        '"version":"sha256:00"}'
    )
    assert canonical_json(FIVE.to_json()) == text
    assert FIVE.source_id == "s:" + hashlib.sha256(text.encode()).hexdigest()
    assert FIVE.source_id == "s:9d91d64c48f29bbcb490740d3b0a5887fad9885a67da94018e1a62c7510055ee"


@pytest.mark.parametrize("name", ["repo", "type", "identity", "version", "content_source"])
def test_b4_each_of_the_five_tells_sources_apart(name: str) -> None:
    assert replace(FIVE, **{name: "another"}).source_id != FIVE.source_id


def test_k20_no_number_that_json_does_not_know() -> None:
    with pytest.raises(ValueError, match="JSON"):
        canonical_json({"value": float("nan")})


def test_b5_live_text_is_named_by_its_bytes_and_by_no_date() -> None:
    early, late = Instant("2026-06-01T08:00:00.000Z"), Instant("2026-06-02T08:00:00.000Z")
    first = code_source("r", "src/a.py", b"x = 1", stored_at=early)
    later = code_source("r", "src/a.py", b"x = 1", stored_at=late)
    changed = code_source("r", "src/a.py", b"x = 2", stored_at=early)
    assert first.provenance.source_id == later.provenance.source_id
    assert first.stored_at != later.stored_at
    assert changed.provenance.source_id != first.provenance.source_id
    unsaved = code_source("r", "src/a.py", b"x = 1", content_source="buffer")
    assert unsaved.provenance.source_id != first.provenance.source_id


def test_b5_a_stored_memory_is_named_by_its_version() -> None:
    stored = memory()
    found = memory_source(stored).provenance
    assert (found.type, found.identity, found.content_source) == ("memory", stored.chain, "index")
    assert found.version == f"{stored.uid}@{stored.tx_at}"
    newer = memory_source(replace(stored, uid="another")).provenance
    assert newer.identity == found.identity
    assert newer.source_id != found.source_id
