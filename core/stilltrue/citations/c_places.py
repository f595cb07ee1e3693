"""What C's tokens say of a place in a text: whether it cuts one, and whether it holds comments alone."""

from __future__ import annotations

from stilltrue.citations.c_tokens import Unread, tokens_until
from stilltrue.citations.cosmetic_rules import Rules
from stilltrue.citations.offsets import Place, shares_lines

_LITERALS = frozenset({"literal", "raw", "unclosed"})
_SAY_NOTHING = frozenset({"comment", "newline"})


def cuts_a_token(rules: Rules, data: bytes, place: Place) -> bool:
    """Whether a place begins or ends inside a literal, or inside another token on a line shared with others.

    True, too, where the text is not settled.

    Args:
        rules: Those of the language.
        data: The text.
        place: Offsets in bytes, the second one exclusive.
    """
    shares = shares_lines(data, place)
    try:
        for token in tokens_until(rules, data, place):
            for edge, shared in zip(place, shares, strict=True):
                if token.start < edge < token.end and (shared or token.kind in _LITERALS):
                    return True
    except Unread:
        return True
    return False


def holds_comments_alone(rules: Rules, data: bytes, place: Place) -> bool:
    """Whether nothing but comments stands at a place; True, too, where the text is not settled."""
    try:
        tokens = [token for token in tokens_until(rules, data, place) if token.end > place[0]]
    except Unread:
        return True
    return all(token.kind in _SAY_NOTHING for token in tokens)
