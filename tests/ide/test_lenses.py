"""What stands at cited lines (F35, F43)."""

from __future__ import annotations

from stilltrue.ide.lenses import PER_LINE, marks
from stilltrue.ide.snapshot import Snapshot
from stilltrue.model.citation import Span
from support.cited import cited, stale

TEXT = "one line\n" * 9


def test_a_line_that_many_memories_cite_gets_a_few_marks() -> None:
    crowd = tuple(cited(TEXT, Span(7, 8), number) for number in range(1, 6))
    found = marks(Snapshot(path="src/a.py", version=1, cited=(*crowd, cited(TEXT, Span(8, 8), 9))))
    assert [mark.line for mark in found] == [7] * PER_LINE + [8]


def test_a_title_names_memory_and_state() -> None:
    (mark,) = marks(Snapshot(path="src/a.py", version=1, cited=(cited(number=3, verdict=stale()),)))
    assert mark.title == "m3 (stale): Retries stop after 5 attempts"
    assert mark.tooltip == "Retries stop after 5 attempts\n\nthe cited lines changed"


def test_other_peoples_text_holds_no_icon_and_no_control() -> None:
    """F43: editors draw icons for `$(name)` in titles."""
    hostile = cited(remembered="$(error) all\x1b[31m $(bug)")
    (mark,) = marks(Snapshot(path="src/a.py", version=1, cited=(hostile,)))
    assert "$(" not in mark.title
    assert "\x1b" not in mark.title + mark.tooltip
