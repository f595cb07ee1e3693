"""Text that makes a grammar hang or crash where no callback can stop it, told before it is parsed.

Every trap is one thing opened again and again and never closed, far deeper than people and generators write.
Whether a text holds one is decided by its bytes alone, strings and comments included, in time that grows
with its size, so that the same text always gets the same answer.
"""

from __future__ import annotations

import re
from collections.abc import Callable

MAX_DEPTH = 500
"""Brackets, comments or type arguments within each other. Sound code stays far below 100."""
MAX_INDENT = 120
"""Blanks before, or block marks in, a line of YAML, whose grammar crashes at 254 levels."""

_BRACKETS = bytes.maketrans(b"[{]}", b"(())")
_NO_BRACKETS = bytes(set(range(256)) - set(b"()[]{}"))
_RUN = re.compile(rb"([\0\"'`#\x80-\xff])\1{999}")
_COMMENT_MARK = re.compile(rb"/\*|\*/")
_STATEMENT_END = re.compile(rb"[;{}]")
_INDENT = re.compile(rb"(?:^|[\r\n])[ \t]{%d}" % (MAX_INDENT + 1))
_BLOCK_MARK = re.compile(rb"[-?:](?=[ \t\r]|$)")


def is_a_trap(language: str, data: bytes) -> bool:
    """Whether the text could keep the language's grammar busy, or end the process, beyond any bound.

    Args:
        language: Its name, as in `languages`.
        data: The file's bytes.
    """
    if _nests_too_deep(data.translate(_BRACKETS, _NO_BRACKETS)) or _RUN.search(data):
        return True
    own = _OWN.get(language)
    return own is not None and own(data)


def _nests_too_deep(brackets: bytes) -> bool:
    """Whether `(` and `)` alone nest, or stay open, deeper than `MAX_DEPTH`."""
    for _ in range(MAX_DEPTH):
        inside_out = brackets.replace(b"()", b"")
        if len(inside_out) == len(brackets):
            return brackets.count(b"(") > MAX_DEPTH
        brackets = inside_out
    return bool(brackets)


def _comments_nest(data: bytes) -> bool:
    marks = b"".join(b"(" if mark == b"/*" else b")" for mark in _COMMENT_MARK.findall(data))
    return _nests_too_deep(marks)


def _type_arguments_nest(data: bytes) -> bool:
    return any(
        part.count(b"<") - part.count(b">") > MAX_DEPTH for part in _STATEMENT_END.split(data) if b"<" in part
    )


def _blocks_nest(data: bytes) -> bool:
    if _INDENT.search(data):
        return True
    return any(len(_BLOCK_MARK.findall(line)) >= MAX_INDENT for line in data.split(b"\n"))


_OWN: dict[str, Callable[[bytes], bool]] = {
    "c_sharp": _type_arguments_nest,
    "java": _type_arguments_nest,
    "kotlin": _comments_nest,
    "swift": _comments_nest,
    "yaml": _blocks_nest,
}
