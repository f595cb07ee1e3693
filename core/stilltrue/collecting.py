"""Pauses of the cycle collector, for work that makes many objects and keeps them all."""

from __future__ import annotations

import gc
from collections.abc import Generator
from contextlib import contextmanager


@contextmanager
def uncollected() -> Generator[None]:
    """Without the cycle collector, which walks what is kept again and again and finds nothing to free.

    Where 100,000 objects are kept, that takes as long as the work. Threads may overlap: whoever turned it
    off turns it on again.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
