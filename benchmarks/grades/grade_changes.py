"""Random changes of white space, comments and tokens, as people, editors and accidents make them."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

Change = Callable[[str, random.Random], str]

_INSERTED = (
    " ",
    "  ",
    "\n",
    "\t",
    " /* w */ ",
    " // w\n",
    "\n\n",
    "\r\n",
    "/**/",
    "//\n",
    "\n# w\n",
    " # w\n",
    " -- w\n",
    " <!-- w w --> ",
    " --[[ w ]] ",
)
_RARE = (
    "\\\n",
    "\f",
    "\v",
    "\u00a0",
    "\u2028",
    "\r",
    "/*",
    "*/",
    "//",
    "#",
    "<!--",
    "-->",
    "--",
    "--[[",
    "]]",
    "\\u000a",
    ";",
    ",",
    "\0",
)
_COMMENT = re.compile(r"/\*.*?\*/|<!--.*?-->|--\[\[.*?\]\]|//[^\n]*|#[^\n]*|--[^\n]*", re.DOTALL)


def _insert(text: str, dice: random.Random) -> str:
    at = dice.randrange(len(text) + 1)
    return text[:at] + dice.choice(_INSERTED) + text[at:]


def _insert_rare(text: str, dice: random.Random) -> str:
    at = dice.randrange(len(text) + 1)
    return text[:at] + dice.choice(_RARE) + text[at:]


def _replace_blanks(text: str, dice: random.Random) -> str:
    found = [*re.finditer(r"\s+", text)]
    if not found:
        return text
    at = dice.choice(found)
    return text[: at.start()] + dice.choice((*_INSERTED, "")) + text[at.end() :]


def _join_lines(text: str, dice: random.Random) -> str:
    found = [*re.finditer(r"[ \t]*\n\s*", text)]
    if not found:
        return text
    at = dice.choice(found)
    return text[: at.start()] + dice.choice(("", " ")) + text[at.end() :]


def _break_line(text: str, dice: random.Random) -> str:
    found = [*re.finditer(r"(?<=\S) (?=\S)|\b", text)]
    at = dice.choice(found) if found else None
    return text[: at.start()] + "\n" + text[at.end() :] if at else text


def _indent(text: str, dice: random.Random) -> str:
    by = dice.choice(("  ", "\t", "    "))
    if dice.random() < 0.5:
        return re.sub(r"(?m)^(?=.)", by, text)
    return re.sub(r"(?m)^(?:  |\t)", "", text)


def _reflow(text: str, dice: random.Random) -> str:
    """Every run of blanks in one line becomes another one."""
    return re.sub(r"(?<=\S)[ \t]+", lambda found: dice.choice((found.group(), " ", "  ")), text)


def _drop_comment(text: str, dice: random.Random) -> str:
    found = [*_COMMENT.finditer(text)]
    at = dice.choice(found) if found else None
    return text[: at.start()] + dice.choice(("", " ")) + text[at.end() :] if at else text


def _reword_comment(text: str, dice: random.Random) -> str:
    found = [*_COMMENT.finditer(text)]
    at = dice.choice(found) if found else None
    if not at:
        return text
    inside = dice.randrange(at.start() + 1, at.end() + 1)
    return text[:inside] + dice.choice(("w", " ", "/", "*", "\n", "{", "'")) + text[inside:]


def _drop_character(text: str, dice: random.Random) -> str:
    at = dice.randrange(len(text))
    return text[:at] + text[at + 1 :]


def _flip_line_ends(text: str, dice: random.Random) -> str:
    del dice
    return text.replace("\n", "\r\n")


_CHANGES: tuple[tuple[Change, int], ...] = (
    (_insert, 6),
    (_insert_rare, 2),
    (_replace_blanks, 6),
    (_join_lines, 5),
    (_break_line, 6),
    (_indent, 2),
    (_reflow, 1),
    (_drop_comment, 2),
    (_reword_comment, 3),
    (_drop_character, 1),
    (_flip_line_ends, 1),
)


def changed(text: str, dice: random.Random) -> str:
    """The text with one to three small changes."""
    kinds, weights = zip(*_CHANGES, strict=True)
    for _ in range(dice.randint(1, 3)):
        (change,) = dice.choices(kinds, weights)
        text = change(text, dice) or text
    return text
