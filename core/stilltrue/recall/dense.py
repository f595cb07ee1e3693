"""The arm that ranks by meaning: an interface alone. No model stands behind it unless one is given."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol


class DenseArm(Protocol):
    """Ranks memories by how near their meaning is to a question. Runs on this machine, without a network."""

    @property
    def model(self) -> str:
        """What it is called in an answer."""
        ...  # pragma: no cover

    def ranked(self, query: str, texts: Mapping[int, str]) -> list[int]:
        """The numbers of the memories that are near the query at all, nearest first."""
        ...  # pragma: no cover
