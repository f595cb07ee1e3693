"""A question as words to look for."""

from __future__ import annotations

import re

MOST_WORDS = 64
_WORD = re.compile(r"[^\W_]+")
_NAME = re.compile(r"[^\s\"'`(),;]+")
_INNER = re.compile(r"[_./#:\\]|[a-z0-9][A-Z]")


def pieces(query: str) -> tuple[str, ...]:
    """The parts between blanks that hold a letter or a digit; at most 64, each once."""
    found = (piece for piece in query.replace("\0", " ").split() if _WORD.search(piece))
    return tuple(dict.fromkeys(found))[:MOST_WORDS]


def words(query: str) -> tuple[str, ...]:
    """The runs of letters and digits, in small letters; at most 64, each once."""
    return tuple(dict.fromkeys(word.lower() for word in _WORD.findall(query)))[:MOST_WORDS]


def names(query: str) -> tuple[str, ...]:
    """The parts that are written like paths or names in code: `src/a.py`, `Client.send`, `max_retries`."""
    found = (name.rstrip(".:?!") for name in _NAME.findall(query.replace("\0", " ")))
    return tuple(dict.fromkeys(name for name in found if name and _INNER.search(name)))[:MOST_WORDS]
