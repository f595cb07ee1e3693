"""How much text an answer may hold (A10)."""

from __future__ import annotations

from collections.abc import Iterable

CHARACTERS_A_TOKEN = 4


def tokens(text: str) -> int:
    """What a text costs: a token for every four characters begun."""
    return -(-len(text) // CHARACTERS_A_TOKEN)


def fitting(texts: Iterable[str], most: int | None) -> int:
    """How many of the texts, from the first on, fit into `most` tokens; all where there is no limit."""
    spent = count = 0
    for text in texts:
        spent += tokens(text)
        if most is not None and spent > most:
            break
        count += 1
    return count
