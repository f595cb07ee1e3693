"""Open buffers stay in step with the editor, whatever is typed, pasted or removed."""

from __future__ import annotations

import random
import re
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stilltrue.ide.edits import Edit
from stilltrue_lsp.documents import Change, Document, DocumentTable, Unit, split_lines

UNITS: tuple[Unit, ...] = get_args(Unit)
LINE_END = re.compile(r"\r\n|\n|\r")
ALPHABETS = (
    "ab\n",
    "ab\r\n",
    "a\r",
    "a😀é漢\n",
    "a\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029\n",
    "a😀\r\n\x0b",
    "\ufeffa\n",
    "\ud83d\ude00a\n",
)
texts = st.one_of(*(st.text(alphabet, max_size=30) for alphabet in ALPHABETS))
positions = st.tuples(st.integers(0, 12), st.integers(0, 40))
units = st.sampled_from(UNITS)


def document(text: str, unit: Unit = "utf-16") -> Document:
    return Document("file:///w/a.py", text, 1, "python", unit)


def width(char: str, unit: Unit) -> int:
    if unit == "utf-32":
        return 1
    encoded = char.encode("utf-8" if unit == "utf-8" else "utf-16-le", "surrogatepass")
    return len(encoded) if unit == "utf-8" else len(encoded) // 2


def plain_offset(text: str, line: int, column: int, unit: Unit) -> int:
    """Where a position lies in a text, found by walking: the reference."""
    starts = [0, *(match.end() for match in LINE_END.finditer(text))]
    ends = [*(match.start() for match in LINE_END.finditer(text)), len(text)]
    if line >= len(starts):
        return len(text)
    offset, units_passed = starts[line], 0
    while offset < ends[line] and units_passed < column:
        units_passed += width(text[offset], unit)
        offset += 1
    return offset


def plain_lines(text: str) -> list[str]:
    ends = [match.end() for match in LINE_END.finditer(text)]
    return [text[start:end] for start, end in zip([0, *ends], [*ends, len(text)], strict=True)]


def apply_and_compare(buffer: Document, change: Change) -> None:
    """Applies a change and holds text, lines and the edit told against the reference."""
    text, lines = buffer.text, list(buffer.lines)
    assert change.span is not None
    start = plain_offset(text, *change.span[:2], buffer.unit)
    end = plain_offset(text, *change.span[2:], buffer.unit)
    start, end = min(start, end), max(start, end)
    expected = text[:start] + change.text + text[end:]

    edit = buffer.apply(change)

    assert buffer.text == expected
    assert buffer.lines == plain_lines(expected)
    kept_above, kept_below = lines[: edit.first], lines[edit.first + edit.removed :]
    assert buffer.lines[: edit.first] == kept_above
    assert buffer.lines[edit.first + edit.inserted :] == kept_below
    assert len(buffer.lines) - len(lines) == edit.shift


@given(texts)
def test_lines_end_at_lf_crlf_and_cr_only(text: str) -> None:
    assert split_lines(text) == plain_lines(text)


@given(texts, units, positions, positions, texts)
def test_any_change_gives_the_text_the_editor_has(
    text: str, unit: Unit, start: tuple[int, int], end: tuple[int, int], new: str
) -> None:
    apply_and_compare(document(text, unit), Change(new, (*start, *end)))


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("alphabet", ALPHABETS)
def test_long_sessions_of_changes_stay_in_step(alphabet: str, unit: Unit) -> None:
    chance = random.Random(f"{alphabet!r}{unit}")  # noqa: S311 - the same session each time
    buffer = document("", unit)
    for _ in range(1500):
        if len(buffer.text) > 40:
            buffer.apply(Change(""))
        count = len(buffer.lines)
        start = (chance.randrange(count + 1), chance.randrange(12))
        end = start if chance.random() < 0.5 else (chance.randrange(count + 1), chance.randrange(12))
        new = "".join(chance.choices(alphabet, k=chance.randrange(4)))
        apply_and_compare(buffer, Change(new, (*start, *end)))


@given(texts, units)
def test_columns_survive_the_way_there_and_back(text: str, unit: Unit) -> None:
    buffer = document(text, unit)
    for line in buffer.lines:
        for index in range(len(line.rstrip("\r\n")) + 1):
            assert buffer.to_code_points(line, buffer.from_code_points(line, index)) == index


@pytest.mark.parametrize(("unit", "column"), [("utf-8", 13), ("utf-16", 8), ("utf-32", 7)])
def test_pitfall_1_columns_after_emoji_accents_and_han_are_code_points_inside(
    unit: Unit, column: int
) -> None:
    line = "x='😀é漢' STALE"
    buffer = document(line, unit)
    assert buffer.to_code_points(line, column) == line.index(" STALE")
    assert buffer.from_code_points(line, line.index(" STALE")) == column


def test_pitfall_2_an_edit_on_a_line_with_an_umlaut_is_right_in_utf_8() -> None:
    buffer = document("schön\n", "utf-8")
    buffer.apply(Change("X", (0, 5, 0, 6)))
    assert buffer.text == "schöX\n"


@pytest.mark.parametrize("separator", ["\x0b", "\x0c", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029"])
def test_pitfall_3_other_separators_are_characters_of_their_line(separator: str) -> None:
    buffer = document(f"a{separator}b\nc\n")
    assert buffer.line_count == 2
    assert buffer.apply(Change("X", (1, 0, 1, 0))) == Edit(1, 1, 1)
    assert buffer.lines_text(1, 2) == f"a{separator}b\nXc"


@pytest.mark.parametrize(
    ("text", "count", "whole"),
    [
        ("", 0, None),
        ("\n", 1, ""),
        ("a", 1, "a"),
        ("a\nb\n", 2, "a\nb"),
        ("a\r\nb\r\n", 2, "a\r\nb"),
        ("a\rb\r", 2, "a\rb"),
        ("a\r\nb\nc\rd", 4, "a\r\nb\nc\rd"),
        ("a\n\n", 2, "a\n"),
        ("a\n\r", 2, "a\n"),
        ("\r\n\r", 2, "\r\n"),
    ],
)
def test_pitfall_6_lines_are_counted_and_cut_alike_with_any_line_end(
    text: str, count: int, whole: str | None
) -> None:
    buffer = document(text)
    assert buffer.line_count == buffer.snapshot().line_count == count
    if whole is not None:
        assert buffer.lines_text(1, count) == buffer.snapshot().lines_text(1, count) == whole


@pytest.mark.parametrize(
    ("before", "change", "after", "edit"),
    [
        ("a\rb\nc", Change("", (1, 0, 1, 1)), ["a\r\n", "c"], Edit(0, 2, 1)),
        ("a\r\nb", Change("x", (0, 1, 0, 1)), ["ax\r\n", "b"], Edit(0, 1, 1)),
        ("a\rb", Change("\n", (1, 0, 1, 0)), ["a\r\n", "b"], Edit(0, 2, 2)),
        ("a\nb", Change("\r", (0, 1, 0, 1)), ["a\r\n", "b"], Edit(0, 1, 1)),
        ("a\nb", Change("x\r", (0, 1, 1, 0)), ["ax\r", "b"], Edit(0, 2, 2)),
    ],
    ids=["join by removal", "before a CRLF", "LF after CR", "CR before LF", "CR alone"],
)
def test_pitfall_6_carriage_returns_join_and_part(
    before: str, change: Change, after: list[str], edit: Edit
) -> None:
    buffer = document(before)
    assert buffer.apply(change) == edit
    assert buffer.lines == after


@pytest.mark.parametrize("unit", UNITS)
def test_pitfall_7_a_byte_order_mark_belongs_to_no_line_but_counts_in_the_clients_columns(unit: Unit) -> None:
    buffer = document("\ufeffab\nc\n", unit)
    assert (buffer.has_bom, buffer.line_count, buffer.lines_text(1, 1)) == (True, 2, "ab")
    column = width("\ufeff", unit) + 1
    buffer.apply(Change("X", (0, column, 0, column)))
    assert buffer.lines_text(1, 2) == "aXb\nc"
    assert buffer.text == "\ufeffaXb\nc\n"
    buffer.apply(Change("", (0, 0, 0, width("\ufeff", unit))))
    assert (buffer.has_bom, buffer.lines_text(1, 1)) == (False, "aXb")


def test_pitfall_7_a_byte_order_mark_alone_is_no_line() -> None:
    assert document("\ufeff").line_count == 0
    assert document("\ufeff\n").lines_text(1, 1) == ""
    assert document("a\n\ufeffb").lines_text(2, 2) == "\ufeffb"


@pytest.mark.parametrize(("start", "end"), [(0, 1), (2, 1), (1, 3), (3, 3), (-1, 1)])
def test_lines_that_are_not_there_are_refused(start: int, end: int) -> None:
    with pytest.raises(IndexError):
        document("a\nb\n").lines_text(start, end)


def test_a_change_without_a_range_replaces_everything() -> None:
    buffer = document("a\nb\n")
    assert buffer.apply(Change("x")) == Edit(0, 3, 1)
    assert (buffer.text, buffer.lines) == ("x", ["x"])


def test_a_snapshot_stays_as_it_was() -> None:
    buffer = document("a\nb\n")
    snapshot = buffer.snapshot()
    buffer.apply(Change("x\n", (0, 0, 0, 0)))
    assert (snapshot.text, snapshot.version, snapshot.lines_text(2, 2)) == ("a\nb\n", 1, "b")


def test_changes_are_read_from_json() -> None:
    span = {"start": {"line": 1, "character": 2}, "end": {"line": 3, "character": 4}}
    assert Change.from_json({"range": span, "rangeLength": 9, "text": "x"}) == Change("x", (1, 2, 3, 4))
    assert Change.from_json({"text": "x"}) == Change.from_json({"text": "x", "range": None}) == Change("x")


@pytest.mark.parametrize(
    "odd",
    [
        None,
        {},
        {"text": 1},
        {"text": "x", "range": {}},
        {"text": "x", "range": {"start": {"line": -1, "character": 0}, "end": {"line": 0, "character": 0}}},
        {"text": "x", "range": {"start": {"line": None, "character": 0}, "end": {"line": 0, "character": 0}}},
        {"text": "x", "range": {"start": {"line": 0.5, "character": 0}, "end": {"line": 0, "character": 0}}},
    ],
)
def test_what_is_no_change_is_refused(odd: object) -> None:
    with pytest.raises(ValueError, match="not a change"):
        Change.from_json(odd)


# Tables


@pytest.mark.parametrize(
    ("opened", "asked"),
    [
        ("file:///w/%C3%A9.py", "file:///w/%c3%a9.py"),
        ("file:///w/%C3%A9.py", "file:///w/é.py"),
        ("file:///C:/w/a.py", "file:///c%3A/w/a.py"),
        ("file:///c:/w/a.py", "FILE:///C%3a/w/a.py"),
        ("file:///w/a%20b.py", "file:///w/a b.py"),
        ("file://localhost/w/a.py", "file:///w/a.py"),
        ("untitled:Untitled-1", "untitled:Untitled%2D1"),
    ],
)
def test_pitfall_10_a_document_is_found_under_any_spelling(opened: str, asked: str) -> None:
    table = DocumentTable()
    table.open(opened, "", 1, "python")
    found = table.get(asked)
    assert found is not None
    assert found.uri == opened
    assert table.close(asked) is found
    assert (table.close(asked), len(table)) == (None, 0)


@pytest.mark.parametrize(
    ("opened", "asked"),
    [
        ("file:///w/a%23b.py", "file:///w/a#b.py"),
        ("file:///w/a%3Fb.py", "file:///w/a?b.py"),
        ("file:///w/%E9.py", "file:///w/%E8.py"),
        ("file:///w/A.py", "file:///w/a.py"),
        ("file:///w/a.py", "git:/w/a.py"),
        ("git:/w/a.py?%7B%22ref%22:1", "git:/w/a.py?%7B%22ref%22:2"),
    ],
)
def test_different_documents_stay_apart(opened: str, asked: str) -> None:
    table = DocumentTable()
    table.open(opened, "", 1, "python")
    assert table.get(asked) is None


def test_opening_again_replaces_and_takes_the_unit_of_the_table() -> None:
    table = DocumentTable()
    table.open("file:///w/a.py", "old", 1, "python")
    table.unit = "utf-8"
    table.open("file:///w/a.py", "new", 0, "python")
    assert [(one.text, one.version, one.unit) for one in table] == [("new", 0, "utf-8")]


@pytest.mark.skipif("sys.platform == 'win32'", reason="names a path of POSIX")
def test_a_file_is_called_as_the_client_calls_it() -> None:
    table = DocumentTable()
    table.open("file:///w/%c3%a9.py", "", 1, "python")
    assert table.spelling("/w/é.py") == "file:///w/%c3%a9.py"
    assert table.spelling("/w/ü.py") == "file:///w/%C3%BC.py"
