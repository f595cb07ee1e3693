"""What a reader is told about the lines under the pointer (F35, F43)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from stilltrue.ide.hover import change_diff, hover
from stilltrue.ide.snapshot import Cited, Provisional, Snapshot
from stilltrue.model.citation import CitationKind, Span
from stilltrue.model.snooze import Snooze
from stilltrue.model.time import Instant
from support.cited import PATH, WHEN, cited, stale

NOW = "def f():\n    return 7"


def text(*shown: Cited, line: int = 1, now: str = NOW) -> str:
    found = hover(Snapshot(path=PATH, version=1, cited=shown), line, lambda _: now)
    assert found is not None
    return found[0]


def test_f35_a_hover_in_full() -> None:
    assert text(cited(verdict=stale(at=Span(1, 2)))) == (
        "**m1** · stale — the cited lines changed\n\n"
        "Retries stop after 5 attempts\n\n"
        "*c1 · src/a.py:1-2*  \n\n"
        "recorded 2026-01-01 by os:somebody, generation 1\n\n"
        "```diff\n"
        "@@ -1,2 +1,2 @@\n"
        " def f():\n"
        "-    return 5\n"
        "+    return 7\n"
        "```"
    )


def test_f35_what_is_fresh_is_told_without_a_diff() -> None:
    assert text(cited()) == (
        "**m1** · fresh — the cited lines are unchanged\n\n"
        "Retries stop after 5 attempts\n\n"
        "*c1 · src/a.py:1-2*  \n\n"
        "recorded 2026-01-01 by os:somebody, generation 1"
    )


def test_f35_only_on_its_lines_and_the_range_is_theirs() -> None:
    shown = Snapshot(path=PATH, version=1, cited=(cited(verdict=stale(at=Span(1, 2))),))
    assert [hover(shown, line, lambda _: NOW) is not None for line in (1, 2, 3)] == [True, True, False]
    found = hover(shown, 2, lambda _: NOW)
    assert found is not None
    assert found[1] == Span(1, 2)


def test_a_file_as_a_whole_is_told_on_its_first_line() -> None:
    one = cited(verdict=stale())
    whole = replace(one, citation=replace(one.citation, kind=CitationKind.FILE, span=None), span=None)
    assert "*c1*" in text(whole)


def test_many_memories_on_a_line_are_told_up_to_a_limit() -> None:
    found = text(*(cited(number=number) for number in range(1, 14)))
    assert found.count("\n\n---\n\n") == 10
    assert found.endswith("… and 3 more memories")


def test_f32_what_waits_for_the_save_says_so() -> None:
    one = cited()
    assert one.citation.baseline is not None
    waiting = replace(one, provisional=Provisional(one.citation.baseline, Span(1, 2)))
    assert text(waiting).startswith(
        "**m1** · fresh — the cited lines are unchanged · re-verified, kept when you save"
    )


def test_a_diff_is_cut_and_line_ends_are_no_change_in_it() -> None:
    one = cited(verdict=stale(at=Span(1, 2)))
    assert change_diff(one, "def f():\r\n    return 5") == ""
    long = text(one, now="\n".join(f"line {number}" for number in range(100)))
    assert long.count("\n+line") < 40


def test_without_stored_text_there_is_no_diff() -> None:
    one = cited(verdict=stale(at=Span(1, 2)))
    assert one.citation.baseline is not None
    bare = replace(one.citation, baseline=replace(one.citation.baseline, excerpt=None))
    assert "```" not in text(replace(one, citation=bare))


HOSTILE = [
    ("[x](command:evil.run)", "[x]("),
    ("![x](https://evil/pixel.png)", "![x"),
    ("<img src=x onerror=evil>", "<img"),
    ("<https://evil>", "<http"),
    ("&lt;b&gt;", " &lt;"),
    ("`code`", " `"),
    ("```\nfence", "```"),
    ("**bold**", " **"),
    ("# heading", " # "),
    ("| a | b |", " | "),
    ("\x1b[31mred", "\x1b"),
    ("\u202eright to left", "\u202e"),
    ("\u2066isolate", "\u2066"),
    ("bell\x07", "\x07"),
    ("zero\x00", "\x00"),
]


@pytest.mark.parametrize(("hostile", "never"), HOSTILE)
def test_f43_what_a_memory_says_is_shown_and_does_nothing(hostile: str, never: str) -> None:
    found = text(cited(remembered=f"say {hostile} here"))
    assert never not in found.split("\n\n")[1]
    assert found.count("\n\n") == text(cited()).count("\n\n")


def test_f43_code_that_holds_a_fence_stays_in_its_own() -> None:
    found = text(cited(verdict=stale(at=Span(1, 2))), now="```\n[x](command:evil)\n````")
    block = found.split("\n\n")[-1]
    assert block.startswith("`````diff\n")
    assert block.endswith("\n`````")


def test_f43_who_recorded_it_and_where_are_other_peoples_text_too() -> None:
    one = cited()
    odd = replace(one, citation=replace(one.citation, actor="os:[x](command:evil)", path="a_[b](c).py"))
    found = text(odd)
    assert r"os:\[x\](command:evil)" in found
    assert r"a\_\[b\](c).py" in found


@pytest.mark.parametrize(
    ("until", "told"),
    [(None, "until its lines change"), (Instant("2026-12-24T00:00:00.000Z"), "until 2026-12-24")],
)
def test_what_sleeps_says_until_when(until: Instant | None, told: str) -> None:
    snooze = Snooze(memory="memory-1", actor="os:somebody", at=WHEN, until=until)
    found = text(replace(cited(verdict=stale(at=Span(1, 2))), snoozed=snooze))
    assert found.startswith(f"**m1** · stale — the cited lines changed · snoozed {told}\n\n")
