"""What names one version of something that was retrieved: its provenance and the id made of it (B4 to B6)."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from hashlib import sha256
from typing import Any

from stilltrue.model.memory import Memory
from stilltrue.model.time import Instant

INDEX = "index"
WORKTREE = "worktree"
BUFFER = "buffer"
LIVE = frozenset({WORKTREE, BUFFER})

SHORT_ID = 12
"""How much of a source id people are shown."""

LONGEST_METADATA = 256
"""Code points of one metadata string (B7, K20)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """Exactly what a source id is the hash of; nothing else ever enters it (B4).

    Attributes:
        repo: uid of the repository.
        type: `memory` or `code`.
        identity: A memory's chain; a file's path, or `path#symbol`.
        version: A memory's uid and date; `sha256:` and the hash of the bytes of code.
        content_source: `index` for what is stored, `worktree` or `buffer` for live text.
    """

    repo: str
    type: str
    identity: str
    version: str
    content_source: str

    @property
    def source_id(self) -> str:
        """`s:` and the SHA-256 of the canonical JSON."""
        return f"s:{sha256(canonical_json(self.to_json()).encode()).hexdigest()}"

    def to_json(self) -> dict[str, str]:
        """The five fields."""
        return asdict(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A row whose identity and version are established.

    Attributes:
        provenance: What it is.
        stored_at: When the store last wrote of it; kept beside a live source for audit, in no id (B5).
    """

    provenance: Provenance
    stored_at: Instant | None = None


def canonical_json(value: Any) -> str:  # noqa: ANN401 - any JSON value
    """One text for one value: sorted keys, no spaces, no escapes that UTF-8 does not need, no NaN (K20).

    Raises:
        ValueError: A number is not finite.
    """
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def memory_source(memory: Memory) -> Source:
    """The stored version of a memory."""
    return Source(
        provenance=Provenance(
            repo=memory.repository,
            type="memory",
            identity=memory.chain,
            version=f"{memory.uid}@{memory.tx_at}",
            content_source=INDEX,
        ),
        stored_at=memory.tx_at,
    )


def code_source(
    repo: str,
    identity: str,
    data: bytes,
    *,
    content_source: str = WORKTREE,
    stored_at: Instant | None = None,
) -> Source:
    """Live text as it was returned; only its hash is kept (B6)."""
    return Source(
        provenance=Provenance(
            repo=repo,
            type="code",
            identity=identity,
            version=f"sha256:{sha256(data).hexdigest()}",
            content_source=content_source,
        ),
        stored_at=stored_at,
    )
