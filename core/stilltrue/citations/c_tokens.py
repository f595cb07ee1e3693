"""What a C or C++ text says, told by its preprocessing tokens alone (design 4; E10).

A file full of macros is seldom one that a grammar reads whole. It need not be: both standards define a
program by its sequence of preprocessing tokens. By then a comment is one space, and white space says nothing
but four things, each of which counts here: which lines begin with `#`, where such a line ends, whether there
is any inside it, and the same between arguments of a macro that the file shows to turn them into text. So two
files with the same tokens are the same program, whatever else stands in them, and no tree could vouch for
more. A file that not all compilers cut into tokens alike is not read: there every change is content.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from stilltrue.citations.cosmetic_rules import Rules
from stilltrue.citations.meaning import Meaning
from stilltrue.citations.parsing import MAX_BYTES
from stilltrue.citations.telling_comments import said_of_comment

_UNSETTLED = re.compile(
    rb"\r(?!\n)|\\[ \t\f\v]+\r?\n"  # a line end, or a joined line, to some compilers only
    rb"|[*/]\\\r?\n[ \t]*[*/]"  # a comment that begins or ends on two lines
    rb"|%:|\?\?[=/'()!<>-]"  # other spellings of `#`, `\` and the like
    rb"|^[ \t]*(?:export[ \t]+)?(?:import|module)\b[ \t]*[<\":;\w]",  # lines as those of the preprocessor
    re.MULTILINE,
)
_TOKEN = re.compile(
    rb"""
      (?P<joined>   [ \t\f\v]*(?:\\\r?\n[ \t\f\v]*)+)
    | (?P<blank>    [ \t\f\v]+)
    | (?P<newline>  \r?\n)
    | (?P<comment>  //(?:\\\r?\n|[^\r\n])* | /\*.*?\*/)
    | (?P<open>     /\*)
    | (?P<raw>      (?:u8|[LuU])?R"(?P<mark>[^ ()\\\t\v\f\r\n]{0,16})\(.*?\)(?P=mark)"[\w\x80-\xff]*)
    | (?P<odd>      (?:u8|[LuU])?R")
    | (?P<literal>  (?:u8|[LuU])?(?:"(?:\\\r?\n|\\.|[^"\\\n])*" | '(?:\\\r?\n|\\.|[^'\\\n])*')[\w\x80-\xff]*)
    | (?P<unclosed> ["'](?:\\\r?\n|[^\r\n])*)
    | (?P<number>   \.?[0-9](?:[eEpP][+-] | '?[\w.\x80-\xff])*)
    | (?P<word>     (?:[\w$\x80-\xff] | \\[uU][0-9a-fA-F]{4})+)
    | (?P<sign>     .)
    """,
    re.VERBOSE | re.DOTALL,
)
_INCLUDING = re.compile(rb"#[ \t]*(include|include_next|import|embed)[ \t]*(<[^>\n]*>|\"[^\"\n]*\")")
_READ_BY_WORDS = re.compile(rb"#[ \t]*(?:define|undef|if|ifdef|ifndef|elif|else|endif)\b")
_CONDITION = re.compile(rb"#[ \t]*(?:if|elif)\b")
_PAIRS = frozenset(
    b"++ -- -> << >> <= >= == != && || += -= *= /= %= &= |= ^= ## :: .* .. <: <% :> %> ->* <=> ^^ [:".split()
)
"""Signs that are one when they touch."""
_MACRO = re.compile(rb"#[ \t]*define[ \t]+(\w+)\((?:\\\r?\n|[^()\n])*\)((?:\\\r?\n|[^\n])*)")
_MAKES_TEXT = re.compile(rb"(?<!#)#(?!#)")
_WORD = re.compile(rb"[A-Za-z_]\w*")
_MORE_THAN_A_STRING = re.compile(rb"[\\\n]|\".*\".*\"")
_PASTE = b" ## "
"""How what makes one token of those beside it is told: blanks there say nothing."""
_ASSEMBLER = frozenset({b"asm", b"_asm", b"__asm"})
_OF_ASSEMBLER = frozenset({b"(", b"volatile", b"goto", b"inline", b"__volatile__"})


@dataclass(frozen=True, slots=True)
class Token:
    """One token, or a line of the preprocessor.

    Attributes:
        kind: What it is: `literal`, `comment`, `directive`, `newline` or a kind of code.
        start: Where it begins, in bytes.
        end: Where it ends, exclusive.
        said: What counts of it.
    """

    kind: str
    start: int
    end: int
    said: bytes = b""


class Unread(Exception):  # noqa: N818 - it is an answer
    """A text that not every compiler reads alike."""


def meanings(rules: Rules, old: bytes, new: bytes, place: tuple[int, int]) -> tuple[Meaning, Meaning] | None:
    """What two texts mean around the one place where they differ; None where that is not settled.

    Args:
        rules: Those of the language.
        old: One text.
        new: The other.
        place: Where the difference stands in the new one, in bytes, the second one exclusive.
    """
    start, end = place
    try:
        begin = _line_begin(new, start, rules.raw_strings)
        if len(old) > MAX_BYTES or _UNSETTLED.search(old):
            return None
        texting = _made_text_by(old) | _made_text_by(new)
        readers = _Reader(rules, old, texting), _Reader(rules, new, texting)
        return readers[0].read(begin, end + len(old) - len(new)), readers[1].read(begin, end)
    except Unread:
        return None


def tokens_until(rules: Rules, data: bytes, place: tuple[int, int]) -> Iterator[Token]:
    """The tokens from the line before a place to its end; the first ones may end before it begins.

    Args:
        rules: Those of the language.
        data: The text.
        place: Offsets in bytes, the second one exclusive.

    Raises:
        Unread: Not every compiler cuts the text into tokens alike.
    """
    for token in _tokens(data, _line_begin(data, place[0], rules.raw_strings), rules.raw_strings):
        if token.start >= place[1]:
            return
        yield token


class _Reader:
    """Reads what counts of a text, from the begin of one line to that of another."""

    def __init__(self, rules: Rules, data: bytes, texting: frozenset[bytes]) -> None:
        self._rules = rules
        self._data = data
        self._texting = texting
        self._meaning = Meaning()
        self._last = Token("newline", 0, 0)
        self._signs = b""
        self._depth = 0
        """Brackets open since the name of a macro that makes text."""

    def read(self, begin: int, end: int) -> Meaning:
        """Read to the first begin of a line behind `end`, which the answer tells, too."""
        for token in _tokens(self._data, begin, self._rules.raw_strings):
            if token.kind == "newline":
                if token.end > end and not self._depth:
                    self._meaning.tokens.append(b"%d behind" % (token.end - end))
                    break
            elif token.kind == "comment":
                self._comment(token)
            else:
                self._code(token)
        return self._meaning

    def _comment(self, token: Token) -> None:
        said = said_of_comment(self._rules, self._data, (token.start, token.end))
        if said is None:
            self._meaning.comments.append(b"".join(token.said.split()))
        else:
            self._meaning.tokens.append(said)

    def _code(self, token: Token) -> None:
        touches = self._last.end == token.start
        self._signs = (self._signs if touches else b"") + token.said if token.kind == "sign" else b""
        if self._depth and not touches:
            self._meaning.tokens.append(b" ")
        if _are_one(self._signs):
            self._meaning.tokens.append(b"touching")
        self._meaning.tokens.append(token.said)
        if self._depth or self._last.said in self._texting:
            self._depth += (token.said == b"(") - (token.said == b")")
        self._last = token


def _tokens(data: bytes, begin: int, raw_strings: bool) -> Iterator[Token]:  # noqa: FBT001 - see `Rules`
    """The tokens from the begin of a line on; a line of the preprocessor is one, its comments others."""
    at, begins_line, assembling = begin, True, False
    while at < len(data):
        token = _token(data, at, raw_strings)
        if begins_line and token.said == b"#":
            token, comments = _directive(data, at, raw_strings)
            yield token
            yield from comments
            at = token.end
            continue
        at = token.end
        if token.kind in {"blank", "joined"}:
            continue
        if token.kind == "newline":
            begins_line = True
        elif token.kind != "comment":
            if assembling and token.said not in _OF_ASSEMBLER:
                raise Unread  # instructions, whose lines count
            assembling, begins_line = token.said in _ASSEMBLER, False
        yield token


def _token(data: bytes, at: int, raw_strings: bool) -> Token:  # noqa: FBT001 - see `Rules`
    match = _TOKEN.match(data, at)
    assert match and match.lastgroup  # noqa: PT018, S101 - any byte is a sign, for the type checker
    kind, said = match.lastgroup, match.group()
    if kind in {"open", "odd"} or (kind == "raw" and not raw_strings and _MORE_THAN_A_STRING.search(said)):
        raise Unread
    if said == b"\\" or (kind == "joined" and said.strip(b" \t\f\v") == said):
        raise Unread  # what stands on both sides of it may be one word
    if kind == "unclosed" and b"/*" in said:
        raise Unread  # to some a comment begins there
    return Token(kind, at, match.end(), said)


def _directive(data: bytes, start: int, raw_strings: bool) -> tuple[Token, list[Token]]:  # noqa: FBT001
    """A line that begins with `#` and the lines joined to it, and comments that are no part of it."""
    header = _INCLUDING.match(data, start)
    at = header.end() if header else start
    tokens = list[Token]()
    while at < len(data):
        token = _token(data, at, raw_strings)
        if token.kind == "newline":
            break
        tokens.append(token)
        at = token.end
    comments = [each for each in tokens if each.kind == "comment"]
    if header and header.group(1) == b"include":
        begin = b"#include %b " % header.group(2)
    elif not _READ_BY_WORDS.match(data, start) or (comments and b"__has_" in data[start:at]):
        return Token("directive", start, at, data[start:at].rstrip()), []
    else:
        begin = b""
    said = begin + _words(tokens, any_blank=bool(_CONDITION.match(data, start)))
    return Token("directive", start, at, said), comments


def _words(tokens: list[Token], *, any_blank: bool) -> bytes:
    """The tokens of a line, with one blank for any between two of them.

    Args:
        tokens: The line, the comments and blanks in it included.
        any_blank: Blanks say nothing there but whether two signs are one.
    """
    said, last, signs = list[bytes](), Token("blank", 0, 0), b""
    for token in tokens:
        if token.kind in {"blank", "joined", "comment"}:
            continue
        touches = last.end == token.start
        signs = (signs if touches else b"") + token.said if token.kind == "sign" else b""
        if signs == b"##":
            said[-1:] = [_PASTE]
        else:
            parted = not _are_one(signs) if any_blank else not touches and len(said) > 1
            said.append(b" " * (parted and said[-1:] != [_PASTE]) + token.said)
        last = token
    return b"".join(said)


def _are_one(signs: bytes) -> bool:
    """Whether the last of signs that touch is one with those before it."""
    return signs[-2:] in _PAIRS or signs[-3:] in _PAIRS


@lru_cache(maxsize=2)
def _line_begins(data: bytes, raw_strings: bool) -> list[int]:  # noqa: FBT001 - see `Rules`
    """Where lines begin outside comments, literals and lines of the preprocessor."""
    if len(data) > MAX_BYTES or _UNSETTLED.search(data):
        raise Unread
    return [0, *(token.end for token in _tokens(data, 0, raw_strings) if token.kind == "newline")]


def _line_begin(data: bytes, at: int, raw_strings: bool) -> int:  # noqa: FBT001 - see `Rules`
    """The begin of the line before that of `at`, or of an earlier one where that is inside of something."""
    begins = _line_begins(data, raw_strings)
    return begins[max(0, bisect_right(begins, at) - 2)]


@lru_cache(maxsize=4)
def _made_text_by(data: bytes) -> frozenset[bytes]:
    """The names of macros that the text shows to turn their arguments into text, by others if need be."""
    found, users = list[bytes](), defaultdict[bytes, list[bytes]](list)
    for match in _MACRO.finditer(data):
        name, body = match.groups()
        if _MAKES_TEXT.search(body):
            found.append(name)
        for word in set(_WORD.findall(body)):
            users[word].append(name)
    known = set[bytes]()
    while found:
        name = found.pop()
        if name not in known:
            known.add(name)
            found += users[name]
    return frozenset(known)
