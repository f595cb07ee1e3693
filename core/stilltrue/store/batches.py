"""Long lists in portions, as databases bound how many values one statement takes."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import TypeVar

_T = TypeVar("_T")

SIZE = 500


def batches(items: Sequence[_T], size: int = SIZE) -> Generator[Sequence[_T]]:
    """The items in their order, at most `size` at a time."""
    for start in range(0, len(items), size):
        yield items[start : start + size]
