"""What stands at the edges of a place in a syntax tree: whether it cuts something that counts as a whole."""

from __future__ import annotations

from bisect import bisect_right
from hashlib import sha256
from typing import TYPE_CHECKING

from stilltrue.citations.cosmetic_rules import Rules
from stilltrue.citations.lines import Lines
from stilltrue.citations.meaning import is_literal
from stilltrue.citations.offsets import Place, shares_lines
from stilltrue.model.citation import Baseline, Neighbour

if TYPE_CHECKING:
    from tree_sitter import Tree


def touching_neighbours(lines: Lines, place: Place, baseline: Baseline) -> tuple[bool, bool]:
    """Whether the recorded lines stand right above the lines of a place and right below them, byte by byte.

    Args:
        lines: The text.
        place: Offsets in bytes, the second one exclusive.
        baseline: What was cited.
    """
    start, end = place
    first, last = (bisect_right(lines.starts, at) for at in (start, max(start, end - 1)))
    return _is_line(lines, first - 1, baseline.before), _is_line(lines, last + 1, baseline.after)


def _is_line(lines: Lines, number: int, neighbour: Neighbour | None) -> bool:
    if neighbour is None or not 1 <= number <= lines.count:
        return False
    return sha256(lines.line(number)).hexdigest() == neighbour.sha256


def cuts_a_token(rules: Rules, tree: Tree, data: bytes, place: Place, touched: tuple[bool, bool]) -> bool:
    """Whether a place begins or ends inside a literal, or inside a comment on a line shared with others.

    What was cited may begin inside a comment, but then it begins a line. Where it begins inside a literal,
    blank lines before it are part of that, so the line before it must stand right there.

    Args:
        rules: Those of the language.
        tree: The syntax tree of the text.
        data: The text.
        place: Offsets in bytes, the second one exclusive.
        touched: Whether the lines beside the place are the recorded ones.
    """
    start, end = place
    at_head, at_tail = shares_lines(data, place)
    return _is_inside(rules, tree, (start, start), shares=at_head, touched=touched[0]) or _is_inside(
        rules, tree, (end - 1, end), shares=at_tail, touched=touched[1]
    )


def _is_inside(rules: Rules, tree: Tree, at: tuple[int, int], *, shares: bool, touched: bool) -> bool:
    """Whether what must not be cut holds a byte and goes on at both sides of an edge."""
    byte, edge = at
    node = tree.root_node.descendant_for_byte_range(byte, byte + 1)
    while node is not None:
        if node.start_byte < edge < node.end_byte and (
            (is_literal(node) and (shares or not touched))
            or (shares and (node.type in rules.comments or not node.child_count))
        ):
            return True
        node = node.parent
    return False


def holds_comments_alone(rules: Rules, tree: Tree, place: Place) -> bool:
    """Whether nothing but comments stands at a place: then any text there would say the same.

    Args:
        rules: Those of the language.
        tree: The syntax tree of the text.
        place: Offsets in bytes, the second one exclusive.
    """
    (start, end), stack = place, [tree.root_node]
    while stack:
        node = stack.pop()
        if node.end_byte <= start or node.start_byte >= end or node.type in rules.comments:
            continue
        if not node.child_count:
            return False
        stack.extend(node.children)
    return True
