"""What an editor shows of a snapshot: codes, severities, places, limits (F17 to F22; design 7)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from stilltrue.ide.actions import Act, offers
from stilltrue.ide.diagnostics import Code, DiagnosticsConfig, Severity, diagnostics
from stilltrue.ide.hover import hover
from stilltrue.ide.snapshot import Cited, Snapshot
from stilltrue.model.citation import Place, Span
from stilltrue.model.verdict import CitationVerdict, Grade, Reason, Verdict
from support.cited import FRESH, PATH, cited, stale


def snapshot(*shown: Cited) -> Snapshot:
    return Snapshot(path=PATH, version=1, cited=shown)


def shown(*cited_here: Cited) -> list[tuple[str, str, Span]]:
    return [
        (each.code, each.severity, each.span)
        for each in diagnostics(snapshot(*cited_here), DiagnosticsConfig())
    ]


MOVED = CitationVerdict(verdict=Verdict.MOVED, reason=Reason.SAME_FILE, new=Place(PATH, Span(7, 8)))
ELSEWHERE = CitationVerdict(verdict=Verdict.MOVED, reason=Reason.OTHER_FILE, new=Place("b.py", Span(7, 8)))
SEVERAL = CitationVerdict(
    verdict=Verdict.MOVED,
    reason=Reason.AMBIGUOUS,
    candidates=(Place(PATH, Span(7, 8)), Place(PATH, Span(9, 10))),
)
UNKNOWN = CitationVerdict(verdict=Verdict.UNKNOWN, reason=Reason.CONFLICT)


@pytest.mark.parametrize(
    ("verdict", "expected"),
    [
        (FRESH, None),
        (MOVED, None),
        (stale(), ("stale", "warning")),
        (stale(Reason.COMMENT, Grade.COSMETIC), ("stale-cosmetic", "information")),
        (stale(Reason.SPAN_MISSING), ("missing", "warning")),
        (stale(Reason.FILE_MISSING), ("missing", "warning")),
        (ELSEWHERE, ("moved", "information")),
        (SEVERAL, ("moved", "information")),
        (UNKNOWN, None),
    ],
)
def test_each_verdict_has_its_code_and_severity(
    verdict: CitationVerdict, expected: tuple[str, str] | None
) -> None:
    """F18, F20: a clear move within the file is followed in silence; unverifiable is off by default."""
    found = shown(cited(verdict=verdict))

    assert [(code, severity) for code, severity, _ in found] == ([expected] if expected else [])


def test_a_citation_whose_memory_holds_elsewhere_is_information() -> None:
    """E3: broken with an equal one is a fresh memory."""
    one = replace(cited(verdict=stale(Reason.SPAN_MISSING)), others=(FRESH,))

    assert shown(one) == [("missing", "information", Span(1, 2))]


def test_a_line_end_flip_is_one_diagnostic_for_the_file() -> None:
    flipped = stale(Reason.LINE_ENDINGS, Grade.COSMETIC)

    found = shown(*(cited(number=number, verdict=flipped) for number in range(1, 4)))

    assert found == [("stale-cosmetic", "information", Span(1, 1))]


def test_more_than_the_limit_is_counted_not_hidden() -> None:
    """F22"""
    many = [cited(number=number, verdict=stale()) for number in range(1, 121)]

    found = diagnostics(snapshot(*many), DiagnosticsConfig())

    assert len(found) == 101
    assert "20 more" in found[-1].message


def test_a_severity_of_off_hides_a_code() -> None:
    quiet = DiagnosticsConfig(severities=dict.fromkeys(Code, Severity.OFF))

    assert diagnostics(snapshot(cited(verdict=stale())), quiet) == []


def test_the_message_says_that_lines_changed_and_not_that_the_memory_is_wrong() -> None:
    """D21"""
    message = diagnostics(snapshot(cited(verdict=stale())), DiagnosticsConfig())[0].message

    assert message == "m1: Retries stop after 5 attempts — the cited lines changed. Re-verify or supersede."


def test_hostile_text_in_a_hover_is_text() -> None:
    """F43"""
    hostile = "[x](command:evil) <img src=x> ```\n# big **bold** \x1b[31m\u202e"
    found = hover(snapshot(cited(remembered=hostile)), 1, lambda _: "")

    assert found is not None
    text = found[0]
    assert r"\[x\](command:evil)" in text
    assert "<img" not in text
    assert not set(text) & {"\x1b", "\u202e"}


def test_a_hover_shows_what_changed_and_only_on_its_lines() -> None:
    """F35"""
    one = snapshot(cited(verdict=stale(at=Span(1, 2))))

    found = hover(one, 2, lambda _: "def f():\n    return 7")

    assert found is not None
    assert "-    return 5" in found[0]
    assert "+    return 7" in found[0]
    assert hover(one, 3, lambda _: "") is None


def titles(one: Cited, *, selected: bool = False) -> list[str]:
    return [offer.title for offer in offers(snapshot(one), Span(1, 1), selected=selected)]


def test_what_is_offered_follows_the_verdict() -> None:
    """F26 to F33"""
    settle = ["Supersede…", "Retract", "Show what changed", "Show history"]
    assert titles(cited(verdict=stale())) == ["Still true: re-verify", *settle]
    assert titles(cited(verdict=stale(Reason.SPAN_MISSING))) == settle
    assert titles(cited(verdict=FRESH)) == []
    assert titles(cited(verdict=FRESH), selected=True) == ["Remember this…"]
    assert "Re-point to b.py:7-8" in titles(cited(verdict=ELSEWHERE))
    assert {"Re-point to lines 7–8", "Re-point to lines 9–10"} <= set(titles(cited(verdict=SEVERAL)))


def test_several_at_once_are_offered_together() -> None:
    """F31"""
    here = snapshot(*(cited(number=number, verdict=stale()) for number in (1, 2)))
    made = offers(here, Span(1, 1), selected=False)

    assert made[0].title == "Still true: re-verify all 2 memories here"
    assert len(made[0].cited) == 2
    cosmetic = snapshot(cited(verdict=stale(Reason.COMMENT, Grade.COSMETIC)))
    assert Act.REVERIFY_COSMETIC in {each.act for each in offers(cosmetic, Span(1, 1), selected=False)}
