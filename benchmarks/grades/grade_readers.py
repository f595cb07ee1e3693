"""What a formatter changed, told by a reader that shares nothing with our grammars: Pygments' lexers.

White space counts for nothing, comments by their words, every other token as it is written.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass
from difflib import Match, SequenceMatcher
from enum import StrEnum

from pygments.lexers import get_lexer_by_name
from pygments.token import Comment, Literal

_LEXERS = {"c_sharp": "csharp", "php": "php", "cpp": "cpp", "tsx": "tsx"}
_PIECES = re.compile(r"\w+|[^\w\s]")
_LAYOUT = re.compile(r"(?m)^\s*(?://[/!]?|\*(?!/)|#)\s?|/\*+!?|\*+/|//[/!]?")
"""What a formatter puts before and after a comment's lines."""


class Change(StrEnum):
    """What became of a cited text."""

    LAYOUT = "layout"
    """White space between tokens, and nothing else."""
    COMMENT_LAYOUT = "comment layout"
    """The same, and comments whose words stand otherwise on their lines."""
    TOKENS = "tokens"
    """Other tokens in it, or more of them right beside it, such as a semicolon at its end."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A text, read.

    Attributes:
        tokens: What counts, in order; a comment's words begin with a zero byte.
        places: Where each begins, in characters.
    """

    tokens: list[str]
    places: list[int]
    comments: list[str]
    """Each token's comment without its white space, or nothing."""


def read(language: str, text: str) -> Reading:
    """Read a text of that language."""
    lexer = get_lexer_by_name(_LEXERS.get(language, language), stripnl=False, ensurenl=False)
    found = Reading([], [], [])
    for at, kind, piece in lexer.get_tokens_unprocessed(text):
        if kind not in Literal and not piece.strip():
            continue
        if kind in Comment and kind not in Comment.Preproc and kind not in Comment.PreprocFile:
            _add_words(found, at, piece)
        elif kind in Literal:
            found.tokens.append(piece)
            found.places.append(at)
            found.comments.append("")
        else:
            # a line joined to the next one is white space
            for each in _PIECES.finditer(piece.replace("\\\n", " \n")):
                found.tokens.append(each.group())
                found.places.append(at + each.start())
                found.comments.append("")
    return found


def _add_words(found: Reading, at: int, piece: str) -> None:
    bare = _LAYOUT.sub(lambda mark: " " * len(mark.group()), piece)
    solid = "".join(piece.split())
    for each in re.finditer(r"\S+", bare):
        found.tokens.append("\0" + each.group())
        found.places.append(at + each.start())
        found.comments.append(solid)


class Formatted:
    """A text before and after its formatter."""

    def __init__(self, language: str, before: str, after: str) -> None:
        """Read both."""
        self._old, self._new = read(language, before), read(language, after)
        matcher = SequenceMatcher(None, self._old.tokens, self._new.tokens, autojunk=False)
        self._blocks = matcher.get_matching_blocks()
        self._before = [Match(0, 0, 0), *self._blocks]

    def change(self, start: int, end: int) -> Change:
        """What became of the old text's characters from `start` to `end`, and right beside them."""
        first, last = bisect_left(self._old.places, start), bisect_left(self._old.places, end)
        for before, block, after in zip(self._before, self._blocks, self._blocks[1:], strict=False):
            if block.a <= first and last <= block.a + block.size:
                shift = block.b - block.a
                put_above = block.a == first and _grows(before, block)
                put_below = block.a + block.size == last and _grows(block, after)
                if put_above or put_below:
                    return Change.TOKENS
                same = self._old.comments[first:last] == self._new.comments[first + shift : last + shift]
                return Change.LAYOUT if same else Change.COMMENT_LAYOUT
        return Change.TOKENS


def _grows(block: Match, following: Match) -> bool:
    """Whether there are more new tokens than old ones between two blocks: a semicolon, say, was put there."""
    return following.b - block.b - block.size > following.a - block.a - block.size
