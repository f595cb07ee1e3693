"""Where a definition begins and ends, with all that belongs to it."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING

from stilltrue.citations.lines import Lines
from stilltrue.citations.shapes import Shape
from stilltrue.model.citation import Span

if TYPE_CHECKING:
    from tree_sitter import Node

_SPACE = b" \t\r\n\f"


@dataclass(frozen=True, slots=True)
class Extent:
    """A stretch of text: bytes `begin` to `stop` (exclusive), and whether it could be parsed."""

    begin: int
    stop: int
    sound: bool = True

    def span(self, lines: Lines) -> Span:
        """Its lines, 1-based and inclusive."""
        return Span(line_at(lines, self.begin), line_at(lines, max(self.begin, self.stop - 1)))


def extent_of(node: Node, shape: Shape, lines: Lines) -> Extent:
    """The whole of a definition: what wraps it alone, and what stands right above it and is about it.

    Line ends and blank lines at its end are left out. It is sound if nothing in it and nothing around it
    failed to parse.
    """
    whole = _climbed(node, shape)
    begin, sound = _led_by(whole, shape, lines)
    end = _before_comments(whole) if shape.sheds_comments else whole.end_byte
    stop = trimmed_stop(lines.data, whole.start_byte, end)
    return Extent(begin, stop, sound and not whole.has_error and not _in_error(whole))


def trimmed_stop(data: bytes, begin: int, stop: int) -> int:
    """`stop` without the white space before it."""
    return max(begin + len(data[begin:stop].rstrip(_SPACE)), begin)


def line_at(lines: Lines, byte: int) -> int:
    """The line that holds a byte, 1-based."""
    return max(1, bisect_right(lines.starts, byte))


def _before_comments(node: Node) -> int:
    """Where a node ends without the comments at its end."""
    children = node.children
    while children and children[-1].type == "comment":
        children.pop()
    return children[-1].end_byte if children else node.end_byte


def _climbed(node: Node, shape: Shape) -> Node:
    while (parent := node.parent) is not None and parent.type in shape.wrappers:
        if sum(child.type == node.type for child in parent.named_children) != 1:
            break
        node = parent
    return node


def _led_by(node: Node, shape: Shape, lines: Lines) -> tuple[int, bool]:
    """Where the attributes and doc comments right above a node begin, and whether all above is sound."""
    begin = node.start_byte
    above = node.prev_sibling
    while above is not None:
        stop = trimmed_stop(lines.data, above.start_byte, above.end_byte)
        if line_at(lines, begin) - line_at(lines, max(above.start_byte, stop - 1)) > 1:
            break
        if above.type == "ERROR":
            return begin, False
        if above.type not in shape.attributes and not _is_doc(above, shape, lines):
            break
        begin, above = above.start_byte, above.prev_sibling
    return begin, True


def _is_doc(node: Node, shape: Shape, lines: Lines) -> bool:
    if "comment" not in node.type or not lines.data.startswith(shape.doc_comments, node.start_byte):
        return False
    line_start = lines.starts[line_at(lines, node.start_byte) - 1]
    return not lines.data[line_start : node.start_byte].strip()


def _in_error(node: Node) -> bool:
    above = node.parent
    while above is not None:
        if above.type == "ERROR":
            return True
        above = above.parent
    return False
