"""A clock that tests wind."""

from __future__ import annotations

from stilltrue.model.time import Instant, instant_from_unix_ms, unix_ms

START = Instant("2026-06-01T08:00:00.000Z")


class FakeClock:
    """Tells `start`, then `step_ms` later at each asking."""

    def __init__(self, start: Instant = START, step_ms: int = 1) -> None:
        self._next_ms = unix_ms(start)
        self._step_ms = step_ms

    def now(self) -> Instant:
        told = instant_from_unix_ms(self._next_ms)
        self._next_ms += self._step_ms
        return told

    def advance(self, milliseconds: int) -> None:
        """Winds it on (or back, for negative ones)."""
        self._next_ms += milliseconds

    def set(self, instant: Instant) -> None:
        """What it tells next."""
        self._next_ms = unix_ms(instant)
