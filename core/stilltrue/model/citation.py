"""A citation: what ties a memory to code (design 3)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from stilltrue.model.memory import Origin
from stilltrue.model.time import Instant


class CitationKind(StrEnum):
    """What a citation points at."""

    SPAN = "span"
    SYMBOL = "symbol"
    FILE = "file"
    COMMIT = "commit"


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """Lines `start` to `end`, 1-based, both inclusive."""

    start: int
    end: int

    @property
    def line_count(self) -> int:
        """How many lines it covers; at least 1."""
        return self.end - self.start + 1

    def shifted(self, lines: int) -> Span:
        """The same extent, that many lines further down (negative: up)."""
        return Span(self.start + lines, self.end + lines)

    def contains(self, other: Span) -> bool:
        """Every line of `other` is one of these."""
        return self.start <= other.start and other.end <= self.end


@dataclass(frozen=True, slots=True)
class Place:
    """A span in a file. `path` is relative to the repository root, with `/`."""

    path: str
    span: Span


@dataclass(frozen=True, slots=True)
class Neighbour:
    """The nearest non-blank line beside a span.

    Attributes:
        sha256: Hex digest of the line's bytes without its line end.
        text: Its bytes, at most 200, or None where excerpts are off.
    """

    sha256: str
    text: bytes | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Baseline:
    """The cited bytes as they were when a generation was recorded (design 2 and 3).

    Attributes:
        sha256: Hex digest of the exact bytes; the authority.
        lf_sha256: The same with line ends folded to LF; only grades.
        byte_length: Length of the exact bytes.
        copies: How many equal whole-line copies the file held, the cited one included.
        copy_index: Which of them was cited, 0-based from the top.
        before: The nearest non-blank line above, None at the start of the file.
        after: The nearest non-blank line below, None at the end of the file.
        line_digests: Four bytes for each line of the span, in order (see `citations.lines.line_digest`);
            they judge without any stored text (D15). Capped at 1,000 lines; empty for a file citation.
        conflict_markers: Merge conflict markers stood inside the span.
        encoding: Name of the encoding the file was read as.
        excerpt: The cited bytes, at most 16 KiB of them, or None where excerpts are off.
        solid_copies: How often the text stood in the file apart from white space, the cited place included;
            None where nobody counted, or where it stood nearly everywhere. Only grades.
        solid_index: Which of them was cited, 0-based from the top.
        solid_above: What stood right above the text, without its white space, at most 120 bytes, at the start
            of the file fewer. None where excerpts are off, and for what was recorded before this was kept.
        solid_below: What stood right below it, likewise.
    """

    sha256: str
    lf_sha256: str
    byte_length: int
    copies: int = 1
    copy_index: int = 0
    before: Neighbour | None = None
    after: Neighbour | None = None
    line_digests: bytes = b""
    conflict_markers: bool = False
    encoding: str = "utf-8"
    excerpt: bytes | None = None
    solid_copies: int | None = None
    solid_index: int = 0
    solid_above: bytes | None = None
    solid_below: bytes | None = None

    @property
    def excerpt_is_whole(self) -> bool:
        """The excerpt holds every cited byte, not just the first 16 KiB."""
        return self.excerpt is not None and len(self.excerpt) == self.byte_length


@dataclass(frozen=True, slots=True, kw_only=True)
class CitationDraft:
    """A citation as read from code, not yet stored.

    Attributes:
        kind: See `CitationKind`.
        path: Relative to the repository root with `/`; None only for a whole-repository commit.
        span: The lines, a hint; None for files and commits.
        symbol: The enclosing or cited definition, qualified as people write it.
        commit: Full hash of the commit it was read at, or None.
        baseline: What was read; None for commits and old imports.
    """

    kind: CitationKind
    path: str | None
    span: Span | None = None
    symbol: str | None = None
    commit: str | None = None
    baseline: Baseline | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """A citation at its present generation.

    Attributes:
        number: The short local number; people write it `c7`. It outlives generations.
        uid: UUIDv7 text, made once.
        memory: uid of the memory it belongs to.
        generation: 1 for the first; re-verify and re-point each add one.
        recorded_at: When this generation was recorded.
        actor: Who recorded it.
        origin: Whether its bytes came from disk or an unsaved buffer.
    """

    number: int
    uid: str
    memory: str
    generation: int
    kind: CitationKind
    path: str | None
    span: Span | None
    symbol: str | None
    commit: str | None
    baseline: Baseline | None
    recorded_at: Instant
    actor: str
    origin: Origin

    @property
    def rests_on_commit(self) -> bool:
        """No bytes were recorded, so that the commit decides; else it is only information (K1, K3)."""
        return self.commit is not None and self.baseline is None

    @property
    def id(self) -> str:
        """The short local name, `c7`."""
        return f"c{self.number}"
