"""Instants as text, and the two axes of time.

An `Instant` is UTC in one fixed-width form with milliseconds, `2026-06-01T08:00:00.000Z`, so
that the order of texts is the order of times (A2).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import NewType

from stilltrue.errors import InputError

Instant = NewType("Instant", str)

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_DATE_ONLY = re.compile(r"\d{4}-\d{2}-\d{2}")


@dataclass(frozen=True, slots=True)
class AsOf:
    """A point on both axes: what was known at `known`, about what held at `valid` (design 5)."""

    known: Instant
    valid: Instant


def instant_from_unix_ms(milliseconds: int) -> Instant:
    """The instant that many milliseconds after 1970-01-01T00:00Z."""
    moment = _EPOCH + timedelta(milliseconds=milliseconds)
    return Instant(moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment.microsecond // 1000:03d}Z")


def unix_ms(instant: Instant) -> int:
    """Milliseconds since 1970-01-01T00:00Z."""
    return (datetime.fromisoformat(instant) - _EPOCH) // timedelta(milliseconds=1)


def parse_instant(text: str) -> Instant:
    """What a person wrote as a time, in the canonical form (A2).

    A date alone means its midnight in UTC; a time without an offset is UTC.

    Raises:
        InputError: The text is no ISO 8601 date or time.
    """
    written = text.strip()
    if not re.match(_DATE_ONLY, written):
        raise _not_a_time(text)
    try:
        moment = datetime.fromisoformat(written)
    except ValueError as error:
        raise _not_a_time(text) from error
    moment = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    return instant_from_unix_ms((moment - _EPOCH) // timedelta(milliseconds=1))


def _not_a_time(text: str) -> InputError:
    return InputError(
        f"not a time: {text!r}",
        hint="write a date or an ISO time, such as 2026-06-01 or 2026-06-01T10:00+02:00",
    )
