"""Parse text with a carried grammar: lazily loaded, bounded, and never an exception.

A missing or failing grammar is an answer (None), as is a text that is too large, is a trap or takes
too many steps.
"""

from __future__ import annotations

import importlib
from functools import cache
from typing import TYPE_CHECKING

from stilltrue.citations.languages import Language
from stilltrue.citations.parse_traps import is_a_trap

if TYPE_CHECKING:
    from tree_sitter import Language as Grammar
    from tree_sitter import Tree

MAX_BYTES = 2 * 1024 * 1024
CHUNK = 64 * 1024
FEWEST_STEPS = 1_000
BYTES_A_STEP = 10
"""The parser reports about every hundred tokens. Sound or half-typed, no real file needed a fifth of this."""


@cache
def grammar_of(language: Language) -> Grammar | None:
    """The grammar, loaded once and kept for the life of the process; None where it cannot be had."""
    try:
        from tree_sitter import Language as Grammar  # noqa: PLC0415 - most runs parse nothing

        return Grammar(getattr(importlib.import_module(language.package), language.entry)())
    except (ImportError, AttributeError, ValueError, OSError):
        return None


def parse(language: Language, data: bytes) -> Tree | None:
    """The syntax tree of a whole file; None where there is none to be had within the bounds.

    The text is read through a callback, which lets other threads go on meanwhile, and work is bounded by
    steps rather than by time, so that the same text always gets the same answer.

    Args:
        language: Whose grammar to use.
        data: The file's bytes. A byte-order mark may lead them; offsets in the tree count it.
    """
    grammar = grammar_of(language)
    if grammar is None or len(data) > MAX_BYTES or is_a_trap(language.name, data):
        return None
    from tree_sitter import Parser  # noqa: PLC0415 - loaded with the grammar

    view, steps = memoryview(data), 0

    def read(offset: int, _: object) -> memoryview:
        return view[offset : offset + CHUNK]

    def too_long(_: int, has_error: bool) -> bool:  # noqa: FBT001 - the parser's signature
        del has_error
        nonlocal steps
        steps += 1
        return steps > FEWEST_STEPS + len(data) // BYTES_A_STEP

    parser = Parser(grammar)
    try:
        return parser.parse(read, progress_callback=too_long)
    except ValueError:  # it was stopped
        return None
    finally:
        parser.reset()  # or the next parse would resume this one
