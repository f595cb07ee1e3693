"""A snooze: somebody does not want to hear of a memory for a while (design 7)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from stilltrue.model.time import Instant


@dataclass(frozen=True, slots=True, kw_only=True)
class Snooze:
    """What one principal said about one memory; a later one replaces it.

    Attributes:
        memory: uid of the memory; a successor is another memory, and awake.
        actor: Whose it is: nobody else is spared anything.
        at: When it was said.
        until: When it ends; None for when the memory's lines change. At `at` itself, it ends a former one.
        seen: Without `until`, what stood at each citation then, by citation uid.
    """

    memory: str
    actor: str
    at: Instant
    until: Instant | None = None
    seen: Mapping[str, str] = field(default_factory=dict)

    @property
    def wakes(self) -> bool:
        """It does not begin a snooze, it ends one."""
        return self.until is not None and self.until <= self.at
