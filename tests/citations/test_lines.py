from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from stilltrue.citations.lines import (
    BLANK_DIGEST,
    UTF8_BOM,
    Lines,
    fold_line_ends,
    is_distinctive,
    letters_and_digits,
    line_digest,
)
from stilltrue.model.citation import Span

TEXTS = st.lists(
    st.sampled_from(
        [b"\n", b"\r\n", b"\r", b"a", b"bc", b" ", b"\t", b"\x0b", b"\x0c", "é\u2028\x85".encode()]
    )
).map(b"".join)
"""Texts rich in line ends, and in what other rules take for line ends."""


def reference_lines(data: bytes) -> list[tuple[bytes, bytes]]:
    """Each line with its line end, told byte by byte."""
    found, body, position = [], b"", 0
    data = data.removeprefix(UTF8_BOM)
    while position < len(data):
        end = next((each for each in (b"\r\n", b"\n", b"\r") if data.startswith(each, position)), b"")
        if end:
            found.append((body, end))
            body = b""
        else:
            body += data[position : position + 1]
        position += len(end) or 1
    return [*found, (body, b"")] if body else found


def bodies(data: bytes) -> list[bytes]:
    lines = Lines(data)
    return [lines.line(number) for number in range(1, lines.count + 1)]


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", []),
        (b"a", [b"a"]),
        (b"a\n", [b"a"]),
        (b"a\n\n", [b"a", b""]),
        (b"a\nb", [b"a", b"b"]),
        (b"a\r\nb\r\n", [b"a", b"b"]),
        (b"a\rb", [b"a", b"b"]),
        (b"a\r", [b"a"]),
        (b"a\n\rb", [b"a", b"", b"b"]),
        (b"a\r\r\nb", [b"a", b"", b"b"]),
        (b"\n", [b""]),
        (b"\r\n\r\n", [b"", b""]),
        (UTF8_BOM, []),
        (UTF8_BOM + b"a\n", [b"a"]),
        (b"a\n" + UTF8_BOM + b"b", [b"a", UTF8_BOM + b"b"]),
        (UTF8_BOM + UTF8_BOM + b"a", [UTF8_BOM + b"a"]),
    ],
)
def test_a_line_ends_at_lf_crlf_or_cr_and_no_phantom_line_follows(data: bytes, expected: list[bytes]) -> None:
    assert bodies(data) == expected


@pytest.mark.parametrize("text", ["\x0c", "\x0b", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029"])
def test_nothing_else_ends_a_line(text: str) -> None:
    assert bodies(f"a{text}b\nc".encode()) == [f"a{text}b".encode(), b"c"]
    assert bodies(b"a\x85b") == [b"a\x85b"]


@given(TEXTS)
@example(UTF8_BOM + b"\n")
def test_lines_are_those_of_a_plain_reference(data: bytes) -> None:
    expected = reference_lines(data)
    assert bodies(data) == [body for body, _ in expected]
    assert b"".join(body + end for body, end in expected) == Lines(data).data


@given(TEXTS, st.data())
def test_d10_a_span_runs_from_its_first_byte_to_its_last_without_the_last_line_end(
    data: bytes, draw: st.DataObject
) -> None:
    expected, lines = reference_lines(data), Lines(data)
    if not expected:
        return
    start = draw.draw(st.integers(1, len(expected)))
    end = draw.draw(st.integers(start, len(expected)))
    chosen = b"".join(body + line_end for body, line_end in expected[start - 1 : end])
    assert lines.span_bytes(Span(start, end)) == chosen[: len(chosen) - len(expected[end - 1][1])]


@given(TEXTS, st.data())
def test_whole_lines_are_found_where_the_same_lines_stand_and_nowhere_else(
    data: bytes, draw: st.DataObject
) -> None:
    lines, other = Lines(data), Lines(draw.draw(TEXTS))
    if not lines.count:
        return
    start = draw.draw(st.integers(1, lines.count))
    span = Span(start, draw.draw(st.integers(start, lines.count)))
    needle = lines.span_bytes(span)
    for text in (lines, other):
        places = [Span(at, at + span.line_count - 1) for at in range(1, text.count - span.line_count + 2)]
        expected = [place.start for place in places if text.span_bytes(place) == needle]
        assert text.find_whole_lines(needle) == expected


@pytest.mark.parametrize(
    ("needle", "data"),
    [
        (b"a\n", b"x\na\n"),
        (b"a\r", b"a\r\n"),
        (b"\r", b"\r\n"),
        (b"b", b"abc\n"),
        (b"b", b"ab\n"),
        (b"b", b"bc\n"),
    ],
)
def test_a_match_ends_at_the_end_of_a_line_that_is_there(needle: bytes, data: bytes) -> None:
    assert Lines(data).find_whole_lines(needle) == []


def test_lines_may_overlap_when_searched() -> None:
    assert Lines(b"a\na\na\n").find_whole_lines(b"a\na") == [1, 2]


@pytest.mark.timeout(20)
def test_a_huge_line_of_one_letter_is_searched_in_bounded_time() -> None:
    lines = Lines(b"x" * 2_000_000 + b"\n" + b"x" * 16_000)
    assert lines.find_whole_lines(b"x" * 16_000) == [2]


@pytest.mark.parametrize(
    ("span", "expected"),
    [
        (Span(1, 2), Span(1, 2)),
        (Span(2, 9), Span(2, 3)),
        (Span(8, 9), Span(3, 3)),
        (Span(-4, 0), Span(1, 1)),
        (Span(3, 1), Span(3, 3)),
    ],
)
def test_a_hint_is_cut_to_the_lines_that_are_there(span: Span, expected: Span) -> None:
    assert Lines(b"a\nb\nc").clamped(span) == expected
    assert Lines(b"").clamped(span) is None


def test_neighbours_skip_blank_lines_and_stop_at_the_edges() -> None:
    lines = Lines(b"a\n \n\t\nb\n\n")
    assert (lines.non_blank_above(4), lines.non_blank_above(1)) == (1, 0)
    assert (lines.non_blank_below(1), lines.non_blank_below(4)) == (4, 6)
    assert (lines.trimmed(2, 5), lines.trimmed(2, 3)) == (Span(4, 4), None)


def test_a_span_is_held_only_when_every_line_is_there() -> None:
    lines = Lines(b"a\nb\n")
    assert lines.holds(Span(1, 2))
    assert not any(map(lines.holds, (Span(0, 1), Span(2, 3), Span(2, 1))))


def test_line_digests_tell_lines_apart_and_blank_ones_from_all() -> None:
    lines = Lines(b"a\r\n\t\na\nb")
    assert lines.digests[0] == lines.digests[2] != lines.digests[3]
    assert lines.digests[1] == BLANK_DIGEST == line_digest(b"")
    assert lines.lines_by_digest[line_digest(b"a")] == [1, 3]


@given(TEXTS)
def test_folding_leaves_the_same_lines_with_lf_alone(data: bytes) -> None:
    folded = fold_line_ends(data)
    assert b"\r" not in folded
    assert bodies(folded) == bodies(data)


def test_letters_and_digits_are_counted_in_any_script() -> None:
    assert letters_and_digits("größe = 1_000;".encode()) == 9
    assert letters_and_digits("値を返す".encode()) == 4
    assert letters_and_digits(b"\xff\xfe{}") == 0
    assert is_distinctive(b"a" * 16)
    assert not is_distinctive(b"a" * 15 + b"{}();")
