"""What a syntax tree says, apart from white space and plain comments: texts that say it alike mean alike.

Shape counts, literals count byte by byte, and so does whatever lies in no leaf. Comments that are
documentation or that speak to a tool count too, with the lines they stand on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from stilltrue.citations.cosmetic_rules import COMPOSED, LITERALS, LineBreaks, Rules
from stilltrue.citations.element_texts import said_of_text
from stilltrue.citations.telling_comments import said_of_comment

if TYPE_CHECKING:
    from tree_sitter import Node, Tree

WHITE_SPACE = b" \t\r\n"
_BLANKS = re.compile(rb"[ \t\r\n]+")
_ENDS_STATEMENT = re.compile(rb"(?:[\w\x80-\xff)\]}\"'`]|\+\+|--)\Z")
_ENDS_VALUE = re.compile(rb"[\w$\x80-\xff)\]}>\"'`]\Z")
_LAST_TOKEN = re.compile(rb"(?:[\w$\x80-\xff]+|[^\w\s]{1,2})\s*\Z")
_ENDS_LIKE = re.compile(rb"[\w\x80-\xff]\Z")
_BEGINS_LIKE = re.compile(rb"[\w\x80-\xff]|\.\.")
_ENDS_LINE = re.compile(rb"[ \t]*(?:[\r\n]|\Z)")
_TEXT = "text "
_MARKS = frozenset(b"!#$%&'*+-./:<=>?@^|~")


@dataclass(slots=True)
class Meaning:
    """What was read.

    Attributes:
        tokens: Everything that counts, in order.
        comments: The plain comments, without their white space.
    """

    tokens: list[bytes] = field(default_factory=list)
    comments: list[bytes] = field(default_factory=list)


def meaning_of(rules: Rules, tree: Tree, data: bytes, window: tuple[int, int]) -> Meaning:
    """What a text means. Nodes outside the window count byte by byte and are not entered.

    Args:
        rules: Those of the language.
        tree: The syntax tree of the text, free of errors.
        data: The text.
        window: Offsets in bytes, the second one exclusive.
    """
    reader = _Reader(rules, data, window)
    reader.read(tree.root_node)
    return reader.meaning


class _Reader:
    def __init__(self, rules: Rules, data: bytes, window: tuple[int, int]) -> None:
        self.meaning = Meaning()
        self._rules = rules
        self._data = data
        self._window = window
        self._all_count = bool(rules.verbatim_comments and rules.verbatim_comments.search(data))
        self._seen = 0
        """Up to here every byte is accounted for."""
        self._last = b""
        self._last_type = ""
        self._last_end = 0
        self._glued = 0
        self._blank_at = -1
        """Where the white space before the next token was counted."""
        self._gap_breaks = False
        """A line break stands since the last token, outside comments."""

    def read(self, root: Node) -> None:
        stack: list[Node | tuple[str, int]] = [root]
        while stack:
            node = stack.pop()
            if isinstance(node, tuple):
                (self._text if node[0] == _TEXT else self._close)(*node)
            elif node.type in self._rules.comments:
                self._comment(node)
            elif self._is_whole(node):
                self._token(node)
            else:
                self._open(node)
                stack.append((node.type, node.end_byte))
                stack.extend(reversed([*self._children(node)]))
        if self._last_type in self._rules.leaving:
            self.meaning.tokens.append(b"outside " + self._data[self._last_end :])
        self._gap(len(self._data))

    def read_comments(self, root: Node) -> list[tuple[int, int]]:
        """Read the comments in the window alone; the answer is where the plain ones stand."""
        plain, stack = [], [root]
        while stack:
            node = stack.pop()
            if node.end_byte <= self._window[0] or node.start_byte >= self._window[1]:
                continue
            if node.type in self._rules.comments:
                count, self._seen = len(self.meaning.comments), node.start_byte
                self._comment(node)
                if len(self.meaning.comments) > count:
                    plain.append((node.start_byte, node.end_byte))
            stack.extend(reversed(node.children))
        return plain

    def _is_whole(self, node: Node) -> bool:
        """Whether it is one token to us: a leaf, a literal, or none of our business."""
        first, last = self._window
        if not node.child_count or node.end_byte <= first or node.start_byte >= last:
            return True
        kept = self._rules.kept
        return is_literal(node) or bool(kept and kept.match(self._data, node.start_byte))

    def _children(self, node: Node) -> Iterator[Node | tuple[str, int]]:
        """What stands in a node; in an element of JSX with the texts between."""
        if node.type not in self._rules.elements:
            yield from node.children
            return
        for child in node.children:
            if child.type in self._rules.inside_elements:
                yield _TEXT, child.start_byte
                yield child

    def _text(self, kind: str, end: int) -> None:
        """Count the text of an element up to `end`."""
        said = said_of_text(self._data[self._seen : end])
        if said:
            self.meaning.tokens.append(kind.encode() + said)
        self._seen = self._last_end = end
        self._last, self._last_type, self._gap_breaks = b"", "", False

    def _open(self, node: Node) -> None:
        self._gap(node.start_byte)
        self._glued += node.type in self._rules.glued
        self.meaning.tokens.append(b"(" + node.type.encode())

    def _close(self, kind: str, end: int) -> None:
        self._gap(end)
        self._glued -= kind in self._rules.glued
        self.meaning.tokens.append(b")")

    def _token(self, node: Node) -> None:
        start, end = node.start_byte, node.end_byte
        self._gap(start)
        text = self._data[start:end]
        if text:
            if node.type in self._rules.entering or self._last_type in self._rules.leaving:
                self.meaning.tokens.append(b"outside " + self._data[self._last_end : start])
            self._between(text, start)
            self._last, self._last_end, self._last_type = text, end, node.type
            self._gap_breaks = False
            if self._blank_at >= 0 and text in self._rules.blanks_count_but_at:
                del self.meaning.tokens[self._blank_at]
            self._blank_at = -1
        self.meaning.tokens.append(node.type.encode() + b" " + text)
        self._seen = max(self._seen, end)

    def _gap(self, end: int) -> None:
        """Count what stands in no node, unless it is white space."""
        if end > self._seen:
            gap = self._data[self._seen : end]
            rest = gap.translate(None, WHITE_SPACE)
            if self._rules.blanks_count_but_at:
                self._blanks(gap)
            elif rest:
                self.meaning.tokens.append(b"gap " + rest)
            self._gap_breaks = self._gap_breaks or b"\n" in gap or b"\r" in gap
            self._seen = end

    def _blanks(self, gap: bytes) -> None:
        """Count a gap with its white space, of which only tells whether there is any."""
        if gap.strip(WHITE_SPACE):
            self._blank_at, self._last = -1, gap
        elif self._blank_at >= 0 or self._last in self._rules.blanks_count_but_at:
            return
        else:
            self._blank_at = len(self.meaning.tokens)
        self.meaning.tokens.append(b"gap " + _BLANKS.sub(b" ", gap))

    def _between(self, text: bytes, start: int) -> None:
        """Count the white space before a token where the tree alone does not tell what it says."""
        if (
            self._glued
            and start == self._last_end
            and _is_mark(text[0])
            and self._last
            and _is_mark(self._last[-1])
        ):
            self.meaning.tokens.append(b"glued")
        if start == self._last_end and _ENDS_LIKE.search(self._last) and _BEGINS_LIKE.match(text):
            self.meaning.tokens.append(b"glued")  # some grammars part what a compiler takes for one word
        rules = self._rules
        if rules.line_breaks is LineBreaks.NOTHING:
            return
        if rules.line_breaks is LineBreaks.EVERY:
            if self._gap_breaks:
                self.meaning.tokens.append(b"line break")
            return
        between = self._data[self._last_end : start]
        if (b"\n" in between or b"\r" in between) and self._break_counts(text):
            self.meaning.tokens.append(b"line break")

    def _break_counts(self, text: bytes) -> bool:
        if self._rules.line_breaks is LineBreaks.ENDS_STATEMENT:
            return bool(_ENDS_STATEMENT.search(self._last))
        found = _LAST_TOKEN.search(self._last)
        last = found.group().strip() if found else b""
        if text in self._rules.following and _ENDS_VALUE.search(self._last):
            return True
        return last in self._rules.restricted or text in self._rules.restricting

    def _comment(self, node: Node) -> None:
        start, end = node.start_byte, node.end_byte
        self._gap(start)
        counts = self._all_count or self._is_inner(end)
        said = said_of_comment(self._rules, self._data, (start, end), counts=counts)
        if said is None:
            self.meaning.comments.append(_BLANKS.sub(b"", self._data[start:end]))
        else:
            self.meaning.tokens.append(said)
        self._seen = max(self._seen, end)

    def _is_inner(self, end: int) -> bool:
        return not self._rules.inner_comments and not _ENDS_LINE.match(self._data, end)


def is_literal(node: Node) -> bool:
    """Whether a node counts byte by byte."""
    return bool(LITERALS.search(node.type)) and not COMPOSED.fullmatch(node.type)


def _is_mark(byte: int) -> bool:
    return byte in _MARKS


def lines_of_code(
    rules: Rules, tree: Tree, data: bytes, window: tuple[int, int]
) -> tuple[list[bytes], Meaning]:
    """The lines in the window without plain comments, for languages in which white space counts.

    Lines that hold nothing but a comment are left out; every other byte counts.

    Returns:
        The lines, and the comments that count and those that do not.
    """
    reader = _Reader(rules, data, window)
    plain = reader.read_comments(tree.root_node)
    return _without(data, window, plain, stay=rules.comments_stay), reader.meaning


def _without(data: bytes, window: tuple[int, int], cut: list[tuple[int, int]], *, stay: bool) -> list[bytes]:
    kept, position = [], window[0]
    for start, end in sorted(cut):
        code = data[position:start]
        if stay or not _ENDS_LINE.match(data, end):
            # it may part two tokens; and a line break in it may end a statement
            kept.append(code + (b"\0\n" if b"\n" in data[start:end] else b"\0"))
            position = end
            continue
        head = code.rstrip(b" \t")
        alone = not head or head.endswith((b"\n", b"\r"))
        kept.append(head)
        position = end
        if alone:
            for line_end in (b"\r\n", b"\n", b"\r"):
                if data.startswith(line_end, position):
                    position += len(line_end)
                    break
    kept.append(data[position : window[1]])
    return b"".join(kept).split(b"\n")


def has_broken_literal(tree: Tree, window: tuple[int, int]) -> bool:
    """Whether a literal that reaches into the window holds a line end."""
    stack = [tree.root_node]
    while stack:
        node = stack.pop()
        if node.end_byte <= window[0] or node.start_byte >= window[1]:
            continue
        if is_literal(node):
            if node.start_point.row != node.end_point.row:
                return True
        else:
            stack.extend(node.children)
    return False
