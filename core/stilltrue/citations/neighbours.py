"""The recorded line above a citation and the one below, without their white space."""

from __future__ import annotations

from stilltrue.citations.baselines import NEIGHBOUR_LIMIT
from stilltrue.citations.lines import letters_and_digits
from stilltrue.citations.solid_text import solid
from stilltrue.model.citation import Neighbour

UNKNOWN = b"\n"
"""What stands nowhere in a text without white space."""
_TELLING = 6
"""Letters and digits that make a single neighbouring line telling."""


def solid_neighbour(neighbour: Neighbour | None, *, whole: bool) -> bytes | None:
    """A neighbour without its white space; `UNKNOWN` if that is not known, None at an edge of the text.

    Args:
        neighbour: The recorded line.
        whole: A line of which only the beginning was kept is not known.
    """
    if neighbour is None:
        return None
    if neighbour.text is None or (whole and len(neighbour.text) >= NEIGHBOUR_LIMIT):
        return UNKNOWN
    return solid(neighbour.text) or UNKNOWN


def tells(neighbour: bytes | None) -> bool:
    """Whether a neighbour is an edge of the text or more than a mere brace."""
    return neighbour is None or letters_and_digits(neighbour) >= _TELLING
