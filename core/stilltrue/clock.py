"""The one place that asks for the time.

Everything else takes a `Clock`, so that tests can say what time it is.
"""

from __future__ import annotations

import time
from typing import Protocol

from stilltrue.model.time import Instant, instant_from_unix_ms, unix_ms


class Clock(Protocol):
    """Tells the time to the millisecond."""

    def now(self) -> Instant:
        """An instant later than every one handed out before (A6)."""
        ...  # pragma: no cover


class SystemClock:
    """The machine's clock, made strictly increasing within this process (A6)."""

    def __init__(self, not_before: Instant | None = None) -> None:
        self._last_ms = unix_ms(not_before) if not_before else 0

    def now(self) -> Instant:
        """An instant later than every one handed out before."""
        wall_ms = time.time_ns() // 1_000_000  # noqa: TID251 - this module is the exemption
        self._last_ms = max(wall_ms, self._last_ms + 1)
        return instant_from_unix_ms(self._last_ms)
