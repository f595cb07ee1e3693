"""Many texts looked for in one pass: found however they are looked up, and only at whole lines."""

from __future__ import annotations

from dataclasses import replace

import pytest

from stilltrue.citations.baselines import span_baseline
from stilltrue.citations.elsewhere import Copies, Past, WantedTexts, earlier_copies, weighed
from stilltrue.citations.lines import Lines
from stilltrue.model.citation import Citation, Place, Span
from support.cited import citation

FEW, MANY = 1, 40


def cited(number: int, line_end: str = "\n", *, with_excerpt: bool = True) -> Citation:
    """The second and third line of a text of its own."""
    text = f"# top{line_end}value_{number} = 'the value {number}'{line_end}print(value_{number}){line_end}"
    baseline = span_baseline(Lines(text.encode()), Span(2, 3), encoding="utf-8", with_excerpt=with_excerpt)
    return replace(citation("a\nb\nc\n", Span(2, 3), number), baseline=baseline)


@pytest.mark.parametrize("count", [FEW, MANY])
@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("with_excerpt", [True, False])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_each_text_is_found_where_it_stands(
    count: int, line_end: str, mark: bytes, *, with_excerpt: bool
) -> None:
    """D11, D15: alone or with many others, whatever its line ends, with and without excerpts."""
    wanted = [cited(number, line_end, with_excerpt=with_excerpt) for number in range(count)]
    rows = [
        row
        for number in range(count)
        for row in (f"value_{number} = 'the value {number}'", f"print(value_{number})")
    ]

    found = WantedTexts(wanted).copies_in("src/new.py", mark + line_end.join(rows).encode())

    assert {uid: copies.recognised for uid, copies in found.items()} == {
        each.uid: (Span(2 * number + 1, 2 * number + 2),) for number, each in enumerate(wanted)
    }


@pytest.mark.parametrize("count", [FEW, MANY])
def test_other_line_ends_are_other_bytes(count: int) -> None:
    wanted = [cited(number) for number in range(count)]

    assert not WantedTexts(wanted).copies_in("new.py", b"value_0 = 'the value 0'\r\nprint(value_0)\r\n")


def test_the_cited_file_says_nothing_of_itself() -> None:
    assert not WantedTexts([cited(0)]).copies_in("src/a.py", b"value_0 = 'the value 0'\nprint(value_0)\n")


def test_files_that_are_too_small_need_not_be_read() -> None:
    wanted = cited(0)
    assert wanted.baseline is not None
    size = wanted.baseline.byte_length

    assert WantedTexts([wanted]).may_be_in(size)
    assert not WantedTexts([wanted]).may_be_in(size - 1)
    assert not WantedTexts([])


def test_earlier_copies_are_counted_whatever_their_line_ends() -> None:
    text = b"value_0 = 'the value 0'\nprint(value_0)\n"

    for each in (cited(0), cited(0, "\r\n"), cited(0, with_excerpt=False)):
        assert earlier_copies(each, Lines(text + b"\n" + text)) == 2
        assert earlier_copies(each, Lines(b"  " + text)) == 0


HERE, THERE = (
    Copies(path="a.py", count=1, recognised=(Span(1, 2),)),
    Copies(path="b.py", count=1, recognised=(Span(5, 6),)),
)


def test_one_new_copy_is_the_text() -> None:
    seen = weighed([HERE, THERE], Past(earlier={"a.py": 1, "b.py": 0}), Span(1, 2))

    assert seen.possible == (Place("b.py", Span(5, 6)),)
    assert seen.target == Place("b.py", Span(5, 6))
    assert seen.copies == (Place("a.py", Span(1, 2)), Place("b.py", Span(5, 6)))


@pytest.mark.parametrize(
    "past",
    [
        None,
        Past(earlier={"a.py": 0, "b.py": 0}),
        Past(earlier={"a.py": 1, "b.py": 0}, lost=1),
        Past(earlier={"a.py": 1, "b.py": 0}, renamed_to="c.py"),
    ],
)
def test_nothing_is_guessed(past: Past | None) -> None:
    """Unknown, two new ones, a copy lost elsewhere, a renamed file that does not hold it."""
    assert weighed([HERE, THERE], past, Span(1, 2)).target is None


def test_the_renamed_file_decides() -> None:
    past = Past(earlier={}, lost=3, renamed_to="b.py")

    assert weighed([HERE, THERE], past, Span(1, 2)).target == Place("b.py", Span(5, 6))
