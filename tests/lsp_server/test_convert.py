"""Lines become ranges in the client's unit, and the client's positions become lines."""

from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol.types import Position, Range

from stilltrue_lsp import convert
from stilltrue_lsp.documents import Change, Document, Unit

UNITS: tuple[Unit, ...] = get_args(Unit)


def document(text: str, unit: Unit = "utf-16") -> Document:
    return Document("file:///w/a.py", text, 1, "python", unit)


def span(first: int, left: int, last: int, right: int) -> Range:
    return Range(start=Position(first, left), end=Position(last, right))


@pytest.mark.parametrize(("unit", "end"), [("utf-8", 19), ("utf-16", 14), ("utf-32", 13)])
def test_pitfall_1_a_range_ends_where_the_client_sees_the_line_end(unit: Unit, end: int) -> None:
    buffer = document("x='😀é漢' STALE", unit)
    assert convert.line_range(buffer, 1, 1) == span(0, 0, 0, end)


@pytest.mark.parametrize(
    ("text", "lines", "expected"),
    [
        ("    a\n  bc  \n", (1, 2), span(0, 4, 1, 6)),
        ("\t\x0ca\r\n", (1, 1), span(0, 2, 0, 3)),
        ("   \n", (1, 1), span(0, 0, 0, 3)),
        ("\n", (1, 1), span(0, 0, 0, 0)),
        ("", (1, 1), span(0, 0, 0, 0)),
        ("a\nbb\n", (2, 9), span(1, 0, 1, 2)),
        ("a\nbb\n", (7, 9), span(1, 0, 1, 2)),
        ("a\nbb\n", (0, 0), span(0, 0, 0, 1)),
        ("a\nbb\n", (2, 1), span(1, 0, 1, 2)),
    ],
)
def test_lines_are_underlined_from_their_first_letter(
    text: str, lines: tuple[int, int], expected: Range
) -> None:
    assert convert.line_range(document(text), *lines) == expected


@pytest.mark.parametrize(("unit", "mark"), [("utf-8", 3), ("utf-16", 1), ("utf-32", 1)])
def test_pitfall_7_a_byte_order_mark_is_left_out_of_ranges(unit: Unit, mark: int) -> None:
    buffer = document("\ufeff  a\nb\n", unit)
    assert convert.line_range(buffer, 1, 1) == span(0, mark + 2, 0, mark + 3)
    assert convert.whole_lines(buffer, 1, 2) == span(0, mark, 1, 1)
    assert convert.position_at(buffer, 1, 2) == Position(0, mark + 2)
    assert convert.position_to_column(buffer, Position(0, mark + 2)) == 2
    assert convert.position_to_column(buffer, Position(0, 0)) == 0


@given(
    st.text("a é😀漢\t\r\n\x0c\u2028\ufeff"),
    st.sampled_from(UNITS),
    st.integers(1, 9),
    st.integers(0, 9),
)
def test_the_range_of_whole_lines_holds_exactly_their_text(
    text: str, unit: Unit, start: int, more: int
) -> None:
    buffer = document(text, unit)
    if start + more > buffer.line_count:
        return
    cut = buffer.lines_text(start, start + more)
    place = convert.whole_lines(buffer, start, start + more)
    buffer.apply(Change("", (place.start.line, place.start.character, place.end.line, place.end.character)))
    assert len(buffer.text) == len(text) - len(cut)
    lines = text.removeprefix("\ufeff")
    assert buffer.text.removeprefix("\ufeff") in {
        lines[:at] + lines[at + len(cut) :] for at in range(len(lines) - len(cut) + 1)
    }


def test_the_range_as_json_is_the_range() -> None:
    buffer = document("  a😀\nb\n")
    assert convert.line_range_json(buffer, 1, 2) == {
        "start": {"line": 0, "character": 2},
        "end": {"line": 1, "character": 1},
    }


def test_snapshots_are_converted_as_documents_are() -> None:
    buffer = document("  a😀\n")
    assert convert.line_range(buffer.snapshot(), 1, 1) == convert.line_range(buffer, 1, 1)


def test_positions_become_lines_and_columns() -> None:
    buffer = document("é😀x\n", "utf-16")
    assert convert.position_to_line(Position(4, 2)) == 5
    assert convert.position_to_column(buffer, Position(0, 3)) == 2
    assert convert.position_to_column(buffer, Position(0, 99)) == 3
    assert convert.position_to_column(buffer, Position(9, 9)) == 0


@pytest.mark.parametrize(
    ("selection", "lines"),
    [
        (span(1, 0, 1, 0), (2, 2)),
        (span(1, 0, 3, 0), (2, 3)),
        (span(1, 4, 3, 1), (2, 4)),
        (span(0, 0, 1, 0), (1, 1)),
    ],
)
def test_a_selection_of_whole_lines_does_not_take_the_next_one(
    selection: Range, lines: tuple[int, int]
) -> None:
    assert convert.range_to_lines(selection) == lines
