"""From the product's lines to the protocol's positions and back.

The only module that builds positions and ranges. On our side lines are 1-based and
inclusive and columns are code points, 0-based; on the client's side both are 0-based,
ends are exclusive, and columns are in the unit agreed on at `initialize`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

from lsprotocol.types import Position, Range  # noqa: TID251 - this module is the exemption

from stilltrue_lsp.documents import body_length

if TYPE_CHECKING:
    from stilltrue.model.citation import Span
    from stilltrue_lsp.documents import Lines


class JsonPosition(TypedDict):
    """A position as it goes over the wire."""

    line: int
    character: int


class JsonRange(TypedDict):
    """A range as it goes over the wire."""

    start: JsonPosition
    end: JsonPosition


def line_range(document: Lines, start_line: int, end_line: int) -> Range:
    """The range to underline for some lines.

    From the first character of the first line that is not blank to the end of the last
    line's body. Lines beyond the text are taken as its last one.

    Args:
        document: The text, which also knows the client's unit.
        start_line: First line, 1-based.
        end_line: Last line, 1-based, inclusive.
    """
    start, end = _underlined(document, start_line, end_line)
    return Range(start=Position(*start), end=Position(*end))


def line_range_json(document: Lines, start_line: int, end_line: int) -> JsonRange:
    """`line_range` as JSON, for messages that are written without lsprotocol."""
    (first, left), (last, right) = _underlined(document, start_line, end_line)
    return {"start": {"line": first, "character": left}, "end": {"line": last, "character": right}}


def whole_lines(document: Lines, start_line: int, end_line: int) -> Range:
    """The range that holds exactly the text of `Lines.lines_text` (1-based, inclusive)."""
    first, last = _indices(document, start_line, end_line)
    return Range(
        start=_at(document, first, document.body_start(first)),
        end=_at(document, last, body_length(document.lines[last])),
    )


def place_range(span: Span) -> Range:
    """Whole lines of a file that may not be open, so that its columns are unknown and not needed."""
    return Range(start=Position(line=span.start - 1, character=0), end=Position(line=span.end, character=0))


def start_of_text() -> Range:
    """The empty range before the first character."""
    return Range(start=Position(line=0, character=0), end=Position(line=0, character=0))


def end_of_line(document: Lines, line: int) -> Position:
    """The position after the last character of a line (1-based)."""
    return line_range(document, line, line).end


def position_at(document: Lines, line: int, column: int) -> Position:
    """The position after `column` code points of a line (1-based), a byte-order mark not counted."""
    index, _ = _indices(document, line, line)
    return _at(document, index, document.body_start(index) + column)


def position_to_line(position: Position) -> int:
    """The line a position lies in, 1-based."""
    return position.line + 1


def position_to_column(document: Lines, position: Position) -> int:
    """The code points before a position in its line, a byte-order mark not counted."""
    if position.line >= len(document.lines):
        return 0
    column = document.to_code_points(document.lines[position.line], position.character)
    return max(0, column - document.body_start(position.line))


def range_to_lines(selection: Range) -> tuple[int, int]:
    """First and last line of a selection, 1-based, inclusive.

    A selection that ends before the first character of a line does not hold that line:
    editors end the selection of whole lines so.
    """
    first, last = selection.start.line, selection.end.line
    if last > first and selection.end.character == 0:
        last -= 1
    return first + 1, last + 1


def _underlined(document: Lines, start_line: int, end_line: int) -> tuple[tuple[int, int], tuple[int, int]]:
    first, last = _indices(document, start_line, end_line)
    head, tail = document.lines[first], document.lines[last]
    begin = document.body_start(first)
    body = head[begin : body_length(head)]
    unindented = body.lstrip()
    # A blank line has nothing to begin at, and a range from its end would not be seen.
    indent = len(body) - len(unindented) if unindented else 0
    left = document.from_code_points(head, begin + indent)
    return (first, left), (last, document.from_code_points(tail, len(tail)))


def _indices(document: Lines, start_line: int, end_line: int) -> tuple[int, int]:
    top = max(document.line_count - 1, 0)
    first = min(max(start_line - 1, 0), top)
    return first, min(max(end_line - 1, first), top)


def _at(document: Lines, index: int, column: int) -> Position:
    return Position(line=index, character=document.from_code_points(document.lines[index], column))
