"""Wait for a condition, with a bound; never for a time."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")
PATIENCE = 20.0


def until(look: Callable[[], T], what: str, patience: float = PATIENCE) -> T:
    """What `look` answers once that is true; fails with `what` after `patience` seconds."""
    end = time.monotonic() + patience
    while not (found := look()):
        assert time.monotonic() < end, f"timed out: {what} (last seen: {found!r})"
        time.sleep(0.02)
    return found
