"""Identifiers that are made once and sort by time."""

from __future__ import annotations

import os
import uuid

RANDOM_BYTES = 10


def uuid7(now_ms: int, random: bytes) -> str:
    """The UUIDv7 text for that time and those ten random bytes (RFC 9562)."""
    if len(random) != RANDOM_BYTES:
        raise ValueError(f"ten random bytes are needed, not {len(random)}")
    tail = int.from_bytes(random)
    value = (now_ms & ((1 << 48) - 1)) << 80
    value |= 0x7 << 76 | ((tail >> 62) & 0xFFF) << 64
    value |= 0b10 << 62 | (tail & ((1 << 62) - 1))
    return str(uuid.UUID(int=value))


def new_uid(now_ms: int) -> str:
    """A fresh UUIDv7 for that time."""
    return uuid7(now_ms, os.urandom(RANDOM_BYTES))
