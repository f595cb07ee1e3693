"""What one change did to the lines of a buffer.

Knows lines only: no columns, no text, no editor.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Edit:
    """Some consecutive lines that gave way to others.

    Lines are counted as editors count them: a text that ends with a line end has one
    more, empty line after it.

    Attributes:
        first: The first line touched, 0-based.
        removed: How many lines were there before, beginning with `first`.
        inserted: How many lines are there now in their place.
    """

    first: int
    removed: int
    inserted: int

    @property
    def shift(self) -> int:
        """By how many lines everything below moved; negative is upwards."""
        return self.inserted - self.removed
