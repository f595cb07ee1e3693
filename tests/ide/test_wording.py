"""Other people's text in front of people, and what verdicts are called (D21, F43)."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stilltrue.ide.wording import fenced, harmless, markdown_escaped, place_text, sentence, shortened
from stilltrue.model.citation import Place, Span
from stilltrue.model.verdict import CitationVerdict, Reason, Verdict

TEXTS = st.text(st.one_of(st.sampled_from("`*_[]()<>&\\\n\t\r\x1b\u202e\u200d~#|!- ab"), st.characters()))


@pytest.mark.parametrize("reason", Reason)
def test_d21_every_reason_has_a_sentence_that_begins_small_and_ends_open(reason: Reason) -> None:
    text = sentence(CitationVerdict(verdict=Verdict.STALE, reason=reason))
    assert text
    assert text[0].islower()
    assert not text.endswith(".")


def test_d21_what_changed_is_the_lines() -> None:
    assert sentence(CitationVerdict(verdict=Verdict.STALE, reason=Reason.TEXT_CHANGED)) == (
        "the cited lines changed"
    )


def test_where_it_went_is_told() -> None:
    moved = CitationVerdict(verdict=Verdict.MOVED, reason=Reason.SAME_FILE, new=Place("a.py", Span(3, 3)))
    assert sentence(moved) == "the cited lines moved to a.py:3"


def test_copies_are_named_up_to_three() -> None:
    copies = tuple(Place("a.py", Span(line, line + 1)) for line in range(1, 9))
    text = sentence(CitationVerdict(verdict=Verdict.STALE, reason=Reason.TEXT_CHANGED, candidates=copies))
    assert text == "the cited lines changed (identical copy at a.py:1-2, a.py:2-3, a.py:3-4)"


@pytest.mark.parametrize(("span", "expected"), [(Span(3, 3), "src/a.py:3"), (Span(3, 9), "src/a.py:3-9")])
def test_places_are_written_as_people_write_them(span: Span, expected: str) -> None:
    assert place_text(Place("src/a.py", span)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a  b\n\tc\r\nd", "a b c d"),
        ("x" * 121, "x" * 119 + "…"),
        ("x" * 120, "x" * 120),
        ("word " * 24 + "end", "word " * 23 + "word…"),
        ("a\u2028b\x85c", "a b\ufffdc"),
        ("", ""),
    ],
)
def test_f18_a_text_is_shortened_to_one_line(text: str, expected: str) -> None:
    assert shortened(text) == expected


@pytest.mark.parametrize("text", ["\x00", "\x1b[31m", "\x07", "\x9b", "\u202e", "\u2066", "\ufeff", "\ud800"])
def test_f43_controls_and_marks_of_direction_are_replaced(text: str) -> None:
    assert harmless(text).startswith("\ufffd")


@pytest.mark.parametrize(
    "text",
    [
        "plain",
        "two\nlines\tand tab",
        "é漢字",
        "👩\u200d💻",
        "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
    ],
)
def test_what_people_write_stays(text: str) -> None:
    """The joiners of emoji and of Persian change how letters look, not what is there."""
    assert harmless(text) == text


@given(TEXTS)
def test_f43_no_control_character_comes_through(text: str) -> None:
    kept = set("\n\t\u200c\u200d")
    for made in (harmless(text), shortened(text), markdown_escaped(text), fenced(text)):
        assert not [one for one in set(made) - kept if unicodedata.category(one) in {"Cc", "Cf", "Cs"}]


@given(TEXTS)
def test_f43_escaped_text_has_nothing_left_that_markdown_obeys(text: str) -> None:
    """Every active character stands behind a backslash; unescaped again it is the text."""
    made = markdown_escaped(text)
    bare = re.sub(r"\\[\\`*_\[\]#|~!>]", "", made)
    assert not set(bare) & set("\\`*_[]#|~!>")
    assert "<" not in made
    back = re.sub(r"\\([\\`*_\[\]#|~!>])", r"\1", made).replace("&lt;", "<").replace("&amp;", "&")
    assert back == harmless(text)


@given(TEXTS)
def test_f43_a_fence_cannot_be_closed_from_inside(text: str) -> None:
    made = fenced(text, "diff")
    fence = made[: len(made) - len(made.lstrip("`"))]
    inside = made.removeprefix(f"{fence}diff\n").removesuffix(f"\n{fence}")
    assert len(fence) >= 3
    assert fence not in inside
