"""What was seen when a citation was looked up: facts for the one rule, no verdict among them."""

from __future__ import annotations

from dataclasses import dataclass

from stilltrue.model.citation import CitationKind, Place, Span
from stilltrue.model.verdict import Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class Sighting:
    """What one text says about one cited span.

    Attributes:
        same_at_place: The recorded lines hold the cited bytes.
        carried_to: The session's edits carried the span here and the bytes are the cited ones.
        folded_at: Lines that differ from the cited bytes in their line ends alone.
        copies: Equal whole-line copies outside the recorded place.
        new_evidence: There are more of them than when the citation was recorded.
        version_stands: A changed version of the text still stands at the cited place.
        recognisable: The bytes are rich enough, or stand beside a recorded neighbour.
        target: The copy that is the cited text, where it can be told.
        nothing_left: Nothing stands between the recorded neighbours and no cited line is found.
        in_conflict: The lines lie in a merge conflict that was not there at recording.
        nearest: The lines a reader should be shown now; None in an empty text.
        line_ends_matter: Nothing vouches that the line ends at `folded_at` carry no meaning.
        cosmetic: `whitespace` or `comment` where the text stands at `nearest` and changed in that alone.
        definitions: For a symbol citation, the lines of every definition that has the cited name.
        unresolved: Why it cannot be told what a cited symbol names, such as `parse-incomplete`.
        symbol_stands: Whether the definition that a span citation knows still has its name here; None where
            that was not asked or cannot be told.
    """

    same_at_place: bool = False
    carried_to: Span | None = None
    folded_at: Span | None = None
    copies: tuple[Span, ...] = ()
    new_evidence: bool = False
    version_stands: bool = False
    recognisable: bool = False
    target: Span | None = None
    nothing_left: bool = False
    in_conflict: bool = False
    nearest: Span | None = None
    line_ends_matter: bool = False
    cosmetic: Reason | None = None
    definitions: tuple[Span, ...] | None = None
    unresolved: Reason | None = None
    symbol_stands: bool | None = None

    @property
    def is_changed(self) -> bool:
        """The cited bytes stand neither here nor at a new place, and it is settled what stands here."""
        found = self.same_at_place or self.carried_to or self.in_conflict
        return not found and not self.has_moved and not self.is_unresolved

    @property
    def is_unresolved(self) -> bool:
        """A cited symbol names no definition, or several, or it cannot be told."""
        return bool(self.unresolved) or (self.definitions is not None and len(self.definitions) != 1)

    @property
    def has_moved(self) -> bool:
        """A copy proves that the text went there: new evidence, recognisable, its own place vacated."""
        return self.new_evidence and bool(self.copies) and self.recognisable and not self.version_stands


@dataclass(frozen=True, slots=True, kw_only=True)
class Elsewhere:
    """What the other files of the repository say about one cited text that is gone from its own.

    Attributes:
        copies: Equal copies that are rich enough to be recognised, by path and line.
        possible: Those of them that may be the text: their file holds more than it did at the recorded
            commit, or nobody knows what it held then.
        target: The one copy that is the cited text, where it can be told.
        are_definitions: Each copy is the whole of a definition named like the one around the cited lines.
    """

    copies: tuple[Place, ...] = ()
    possible: tuple[Place, ...] = ()
    target: Place | None = None
    are_definitions: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """Everything the rule needs to know about one citation.

    Attributes:
        kind: What sort of citation it is.
        path: Where it points, relative to the root.
        recorded: Its recorded lines; None for a file citation.
        obstacle: Why nothing can be told, such as `unreadable`.
        file_missing: Nothing stands at the path.
        has_baseline: There is something to compare with.
        sighting: What the text says; None with an obstacle, without file or without baseline.
        elsewhere: What other files say; None where they were not asked.
    """

    kind: CitationKind
    path: str
    recorded: Span | None = None
    obstacle: Reason | None = None
    file_missing: bool = False
    has_baseline: bool = True
    sighting: Sighting | None = None
    elsewhere: Elsewhere | None = None
