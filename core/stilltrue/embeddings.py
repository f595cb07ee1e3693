"""The arm that ranks by meaning: a small model that lies in its package, so that nothing is ever fetched.

It takes part where the extra `embeddings` is installed and the setting `recall_embeddings` is on; what it
brings is kept apart from the keyword search in every answer (C27).
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]

PACKAGE = "wordllama"
MODEL = "wordllama l2_supercat 256"
MOST_FOUND = 256
LONGEST_EMBEDDED = 2_000
"""Characters of a text that count: a batch is as wide as its longest text."""
LEAST_LIKENESS = 0.3
"""The cosine below which two texts have nothing to do with each other, by the look of the evaluation."""

_LOG = logging.getLogger(__name__)


def is_installed() -> bool:
    """Whether the extra `embeddings` is there; nothing is imported to tell."""
    return find_spec(PACKAGE) is not None


class Embedder(Protocol):
    """Makes a vector of each text; they need not be of length 1."""

    def embed(self, texts: list[str], /) -> Vectors:
        """A row a text."""
        ...  # pragma: no cover


class WordVectors:
    """Ranks texts by the mean of the vectors of their word pieces; keeps those of the last call's texts."""

    model = MODEL

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._known: dict[str, Vectors] = {}

    def ranked(self, query: str, texts: Mapping[int, str]) -> list[int]:
        """The numbers of at most 256 texts that are near at all, nearest first; of equals the lower."""
        if not texts:
            return []
        numbers = list(texts)
        likeness = self._of_all(list(texts.values())) @ self._embedded([query])[0]
        found = [
            (-float(alike), number)
            for number, alike in zip(numbers, likeness, strict=True)
            if alike > LEAST_LIKENESS
        ]
        return [number for _, number in sorted(found)[:MOST_FOUND]]

    def _of_all(self, texts: Sequence[str]) -> Vectors:
        import numpy as np  # noqa: PLC0415 - only where the extra is installed

        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        known = self._known | dict(zip(new, self._embedded(new), strict=True))
        self._known = {text: known[text] for text in texts}
        return np.stack([known[text] for text in texts])

    def _embedded(self, texts: Sequence[str]) -> Vectors:
        """A unit vector a text; zeros for one without a known piece."""
        import numpy as np  # noqa: PLC0415 - only where the extra is installed

        vectors = self._embedder.embed([text[:LONGEST_EMBEDDED] for text in texts])
        lengths: Vectors = np.linalg.norm(vectors, axis=1, keepdims=True)
        lengths[lengths == 0] = 1
        return vectors / lengths


@lru_cache(maxsize=1)
def word_vectors() -> WordVectors | None:
    """The arm; None where the extra `embeddings` is absent or does not work, which is logged then.

    Takes about 0.4 s and 100 MB at the first call.
    """
    if not is_installed():
        return None
    try:
        return WordVectors(_loaded())
    except (ImportError, OSError, ValueError, AttributeError, TypeError):  # broken, or changed beyond use
        _LOG.exception("the extra `embeddings` is installed but does not work")
        return None


def _loaded() -> Embedder:
    # importing it configures the root logger unless that has a handler; what is logged, our surfaces decide
    root = logging.getLogger()
    keeps_still = logging.NullHandler()
    root.addHandler(keeps_still)
    try:
        import wordllama  # noqa: PLC0415 - only where the extra is installed

        # its own folder as the cache: there the package keeps the model it ships with
        folder = Path(wordllama.__file__).parent
        loaded: Embedder = wordllama.WordLlama.load(cache_dir=folder, disable_download=True)
        return loaded
    finally:
        root.removeHandler(keeps_still)
