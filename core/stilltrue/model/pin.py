"""What git last said of a commit that a citation names, in one working tree (section A)."""

from __future__ import annotations

from typing import NamedTuple

from stilltrue.model.time import Instant

CURRENT, STALE, UNRESOLVED = "current", "stale", "unresolved"
SHOWN_DIGITS = 7


class KeptPin(NamedTuple):
    """What was said of a pin.

    Attributes:
        state: `current`, `stale` or `unresolved`.
        checked_at: When, so that the age of the check can be seen.
        checked_head: The full hash that was checked out then.
    """

    state: str
    checked_at: Instant
    checked_head: str

    @property
    def age_text(self) -> str:
        """When and where it was said, in words."""
        return f"checked {self.checked_at} at HEAD {self.checked_head[:SHOWN_DIGITS]}"
