from __future__ import annotations

import pytest

from stilltrue.citations.conflicts import conflict_blocks, overlaps
from stilltrue.citations.lines import Lines
from stilltrue.model.citation import Span

TWO_SIDES = "<<<<<<< HEAD\nmine\n=======\ntheirs\n>>>>>>> topic\n"
THREE_SIDES = "<<<<<<< HEAD\nmine\n||||||| base\nold\n=======\ntheirs\n>>>>>>> topic\n"


@pytest.mark.parametrize(
    ("text", "blocks"),
    [
        ("", []),
        ("a\n", []),
        (TWO_SIDES, [Span(1, 5)]),
        ("a\n" + THREE_SIDES + "b\n" + TWO_SIDES, [Span(2, 8), Span(10, 14)]),
        (TWO_SIDES.replace("\n", "\r\n"), [Span(1, 5)]),
        (TWO_SIDES.replace("\n", "\r"), [Span(1, 5)]),
        (TWO_SIDES.rstrip("\n"), [Span(1, 5)]),
        ("<<<<<<< HEAD\nmine\n", []),
        ("<<<<<<< HEAD\nmine\n>>>>>>> topic\n", []),
        ("Title\n=======\n\ntext\n", []),
        ("    <<<<<<< HEAD\n=======\n>>>>>>> topic\n", []),
        ("<<<<<<<HEAD\n=======\n>>>>>>>topic\n", []),
        ("<<<<<<< HEAD\n======= x\n>>>>>>> topic\n", []),
        (">>>>>>> topic\n=======\n<<<<<<< HEAD\n", []),
        ("<<<<<<< lost\n" + TWO_SIDES, [Span(2, 6)]),
    ],
)
def test_a_conflict_is_three_marks_in_order_at_the_beginning_of_lines(text: str, blocks: list[Span]) -> None:
    assert conflict_blocks(Lines(text.encode())) == blocks


@pytest.mark.parametrize(
    ("span", "inside"),
    [(Span(1, 3), False), (Span(1, 4), True), (Span(5, 5), True), (Span(8, 9), True), (Span(9, 9), False)],
)
def test_a_span_is_in_conflict_when_it_shares_a_line_with_one(span: Span, *, inside: bool) -> None:
    assert overlaps([Span(4, 8)], span) is inside
