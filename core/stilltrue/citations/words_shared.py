"""How much of a text another one says, told by its words."""

from __future__ import annotations

import re

_WORD = re.compile(rb"\w{3,}")
ALIKE, SAME = 0.5, 0.8
"""Parts of its words that a version of a text shares, and that a text shares where little was changed."""


def words_of(text: bytes) -> set[bytes]:
    """The words of a text that are no mere `if` or `i`."""
    return set(_WORD.findall(text))


def share(words: set[bytes], other: bytes) -> float:
    """Which part of some words stands in another text, from 0 to 1."""
    return sum(word in other for word in words) / max(1, len(words))


def says_alike(text: bytes, other: bytes) -> bool:
    """Whether another text may be a version of a text, and is not a small piece of it."""
    return 2 * len(other) >= len(text) and share(words_of(text), other) >= ALIKE
