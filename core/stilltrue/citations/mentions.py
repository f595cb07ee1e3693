"""Places that people wrote into Markdown: a text in, the blocks that name places out.

A place is written `src/a.py:10`, `src/a.py:10-20`, `src/a.py#L10` or `src/a.py#L10-L20`, in running text, as
inline code or as the target of a link. A column (`src/a.py:10:5`) is read over. What stands in code blocks,
HTML, comments or front matter is not looked at. Lines are 1-based and inclusive.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from urllib.parse import unquote

from markdown_it import MarkdownIt
from markdown_it.token import Token

from stilltrue.model.citation import Span

_UNDERSCORE, _EDGE = "\0", "\1"
"""In a text that is being put together: an underscore that Markdown took for emphasis; a border of code."""

_BETWEEN = r"""\s\1(\[{<"'`|,;=“”„‘’«»（）【】「」『』，、。：；—–→…"""  # noqa: RUF001 - marks of several scripts
"""What may stand before a path; none of it is part of one."""
_PATH = rf"(?:[^{_BETWEEN}:#)\]}}>*?]|\([^{_BETWEEN}:#)]*\)|\[[^{_BETWEEN}:#\]]*\])++"
_NUMBER = "[0-9]{1,9}"
_PLACE = re.compile(
    rf"(?<![^{_BETWEEN}])(?P<path>{_PATH})"
    rf"(?::(?P<start>{_NUMBER})(?:[-–](?P<end>{_NUMBER})|:{_NUMBER})?"
    rf"|\#L(?P<first>{_NUMBER})(?:C{_NUMBER})?(?:-L?(?P<last>{_NUMBER})(?:C{_NUMBER})?)?)"
    r"(?![A-Za-z0-9_/%@&+=\\]|[-–.:][A-Za-z0-9_]|,[0-9])"
)
_ADDRESS = re.compile(r"(?<![A-Za-z0-9+.-])(?:[A-Za-z][A-Za-z0-9+.-]*+://|www\.)[^\s\1<>\"]*")
_WORD = re.compile(r"[^\s\1]+")
_FRONT_MATTER = re.compile(
    r"\A(?:---[ \t]*\n(?=#|[^\n]*:).*?\n(?:---|\.\.\.)|\+\+\+[ \t]*\n.*?\n\+\+\+)[ \t]*(?=\n|\Z)", re.DOTALL
)

_SIGN = re.compile(r":[0-9]|(?:#|%23)L[0-9]", re.IGNORECASE)
"""What every place holds: a text without it need not be parsed."""
_MARKDOWN = MarkdownIt("commonmark").enable(["table", "strikethrough"])

_EXTENSION = re.compile(r"[^/]\.(?P<extension>[A-Za-z][\w+-]*)\Z")
_LONGEST_EXTENSION = 6
_DOMAIN = re.compile(
    r"\.(?:app|biz|cloud|com|dev|edu|gov|info|internal|io|lan|local|net|org)\Z", re.IGNORECASE
)
"""Ends of host names that are hardly ever those of files, to tell `db.internal:5432` from `db.py:5432`."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A place as somebody wrote it; whether it exists is not known here.

    Attributes:
        path: As written, with `/`; it may begin with `/`, `./` or `../`.
        span: The lines, as written also where they cannot exist.
        is_link: It is the target of a link.
        is_certain: Nothing but a place is written like this. `LICENSE:3` or `db.local:5432` may be something
            else and are places only where there is such a file.
    """

    path: str
    span: Span
    is_link: bool = False
    is_certain: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A paragraph, list item, table row or heading that names a place.

    Attributes:
        text: What a person reads there, on one line.
        heading: The nearest heading above, or empty.
        line: Where it begins, 1-based.
        mentions: The places, each once, in order.
        is_heading: It is a heading.
        says_something: It holds more words than its places.
    """

    text: str
    heading: str
    line: int
    mentions: tuple[Mention, ...]
    is_heading: bool = False
    says_something: bool = True


def blocks(markdown: str) -> Iterator[Block]:
    """The blocks of a Markdown text that name places, in order.

    A list item is its own text without that of lists in it; a table row comes with the heads of its columns.
    """
    if not _SIGN.search(markdown):
        return
    text = markdown.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").replace(_EDGE, " ")
    text = _FRONT_MATTER.sub(lambda found: "\n" * found[0].count("\n"), text)
    heading = ""
    for draft in _drafts(_MARKDOWN.parse(text)):
        marked = draft.text
        mentions = tuple(dict.fromkeys([*_mentions(marked), *draft.links]))
        if mentions:
            yield Block(
                text=_read(marked),
                heading=heading,
                line=draft.line,
                mentions=mentions,
                is_heading=draft.kind == "heading",
                says_something=_says_something(marked),
            )
        if draft.kind == "heading":
            heading = _read(marked)


def mention_of(target: str) -> Mention | None:
    """The place that a link's target names, None if it names none."""
    found = _PLACE.fullmatch(target.replace("?plain=1#", "#"))
    return _mention(found, is_link=True) if found else None


@dataclass(slots=True)
class _Draft:
    """A block while its tokens come in; its parts still hold the two marks."""

    line: int
    kind: str
    heads: tuple[str, ...] = ()
    parts: list[str] = field(default_factory=list)
    links: list[Mention] = field(default_factory=list)

    @property
    def text(self) -> str:
        """Its parts as one, a table row's with the heads of their columns; still with the marks of code."""
        if self.kind != "tr":
            return _with_underscores(" ".join(self.parts))
        heads = self.heads + ("",) * len(self.parts)
        cells = [
            f"{head}: {part}" if head else part
            for head, part in zip(heads, self.parts, strict=False)
            if part.strip()
        ]
        return _with_underscores("; ".join(cells))

    def add(self, inline: Token) -> None:
        """Take over a paragraph or a cell."""
        children = inline.children or []
        self.parts.append("".join(_spoken(children)))
        hrefs = (str(each.attrs.get("href", "")) for each in children if each.type == "link_open")
        self.links += [found for href in hrefs if (found := mention_of(href))]


class _Gathering:
    """Follows the tokens of one document and hands out each block once it is closed."""

    def __init__(self) -> None:
        self._open: list[_Draft | None] = []
        self._heads: tuple[str, ...] = ()

    def take(self, token: Token) -> _Draft | None:
        """The block that ends with this token, if one does."""
        kind, _, border = token.type.rpartition("_")
        if token.type == "inline":
            return self._inline(token)
        if kind in {"blockquote", "table", "heading", "list_item", "tr"}:
            if border == "close":
                return self._end()
            self._begin(token, kind)
        return None

    def _begin(self, token: Token, kind: str) -> None:
        if kind == "table":
            self._heads = ()
        own = kind not in {"blockquote", "table"}
        self._open.append(_Draft(_first_line(token), kind, self._heads) if own else None)

    def _end(self) -> _Draft | None:
        ended = self._open.pop()
        if ended and ended.kind == "tr" and not self._heads:
            self._heads = tuple(map(_read, ended.parts))
        return ended

    def _inline(self, token: Token) -> _Draft | None:
        around = self._open[-1] if self._open else None
        draft = around or _Draft(_first_line(token), "paragraph")
        draft.add(token)
        return None if around else draft


def _drafts(tokens: Sequence[Token]) -> list[_Draft]:
    """Every block of the document in the order in which it begins."""
    gathering = _Gathering()
    found = [draft for token in tokens if (draft := gathering.take(token))]
    return sorted(found, key=lambda draft: draft.line)


def _first_line(token: Token) -> int:
    return token.map[0] + 1 if token.map else 1


def _spoken(children: Sequence[Token]) -> Iterator[str]:
    """What a person reads of some inline tokens, with the two marks."""
    for token in children:
        if token.type == "code_inline":
            yield f"{_EDGE}{token.content}{_EDGE}"
        elif token.type == "image":
            yield from _spoken(token.children or ())
        elif token.type in {"softbreak", "hardbreak", "html_inline"}:
            yield "" if token.type == "html_inline" and not token.content.startswith("<br") else " "
        elif token.markup in {"_", "__"}:
            yield _UNDERSCORE * len(token.markup)
        else:
            yield token.content


def _with_underscores(text: str) -> str:
    """`src/__init__.py:3` is a path and no emphasis; other marks of emphasis go."""
    return _WORD.sub(_word, text) if _UNDERSCORE in text else text


def _word(found: re.Match[str]) -> str:
    written = found[0].replace(_UNDERSCORE, "_")
    taken = {at for place in _PLACE.finditer(written) for at in range(*place.span())}
    return "".join(
        "" if mark == _UNDERSCORE and at not in taken else character
        for at, (mark, character) in enumerate(zip(found[0], written, strict=True))
    )


def _read(text: str) -> str:
    """What a person reads: without the marks, on one line."""
    return " ".join(_with_underscores(text).replace(_EDGE, "").split())


def _mentions(text: str) -> Iterator[Mention]:
    without_addresses = _ADDRESS.sub(lambda found: "_" * len(found[0]), text)
    for found in _PLACE.finditer(without_addresses):
        if mention := _mention(found, is_link=False):
            yield mention


def _mention(found: re.Match[str], *, is_link: bool) -> Mention | None:
    written = unquote(found["path"]) if is_link else found["path"]
    path = written.replace("\\", "/")
    if not _may_be_a_path(path):
        return None
    start = int(found["start"] or found["first"])
    end = int(found["end"] or found["last"] or start)
    certain = found["first"] is not None or _is_certain(path)
    return Mention(path, Span(start, end), is_link=is_link, is_certain=certain)


def _may_be_a_path(path: str) -> bool:
    """Not a time, a ratio, a version, a drive, an account or an address without its scheme."""
    first, slash, _ = path.partition("/")
    if path.startswith("//") or path.endswith((".", "/")) or not any(map(str.isalpha, path)):
        return False
    return bool(slash) or (len(path) > 1 and "@" not in first[1:])


def _is_certain(path: str) -> bool:
    first, slash, _ = path.partition("/")
    found = _EXTENSION.search(path)
    if found is None or _DOMAIN.search(first):
        return False
    return bool(slash) or len(found["extension"]) <= _LONGEST_EXTENSION


def _says_something(text: str) -> bool:
    return any(map(str.isalpha, _PLACE.sub(" ", text)))
