"""What may be done about the memories on some lines (F26 to F33)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from stilltrue.ide.actions import SHOWN_BY_DEFAULT, Act, Offer, offers
from stilltrue.ide.diagnostics import Code, DiagnosticsConfig, Severity
from stilltrue.ide.snapshot import Cited, Provisional, Snapshot
from stilltrue.model.citation import Place, Span
from stilltrue.model.snooze import Snooze
from stilltrue.model.verdict import CitationVerdict, Grade, Reason, Verdict
from support.cited import FRESH, PATH, WHEN, cited, stale

HERE = Span(1, 1)
SETTLE = [Act.SUPERSEDE, Act.RETRACT, Act.SNOOZE, Act.SHOW_CHANGE, Act.SHOW_HISTORY]
ALL_SHOWN = DiagnosticsConfig(severities=dict.fromkeys(Code, Severity.WARNING))
SAME_FILE = CitationVerdict(verdict=Verdict.MOVED, reason=Reason.SAME_FILE, new=Place(PATH, Span(7, 8)))
ELSEWHERE = CitationVerdict(verdict=Verdict.MOVED, reason=Reason.OTHER_FILE, new=Place("b.py", Span(7, 8)))
SEVERAL = CitationVerdict(
    verdict=Verdict.MOVED,
    reason=Reason.AMBIGUOUS,
    candidates=tuple(Place(PATH, Span(line, line + 1)) for line in range(10, 30, 2)),
)


def offered(
    *shown: Cited,
    at: Span = HERE,
    selected: bool = False,
    mappable: bool = True,
    config: DiagnosticsConfig = SHOWN_BY_DEFAULT,
) -> list[Offer]:
    snapshot = Snapshot(path=PATH, version=1, cited=shown)
    return offers(snapshot, at, selected=selected, mappable=mappable, config=config)


def acts(*shown: Cited, at: Span = HERE, config: DiagnosticsConfig = SHOWN_BY_DEFAULT) -> list[Act]:
    return [each.act for each in offered(*shown, at=at, config=config)]


@pytest.mark.parametrize(
    ("verdict", "expected"),
    [
        (FRESH, []),
        (SAME_FILE, []),
        (stale(), [Act.REVERIFY, *SETTLE]),
        (
            stale(Reason.WHITESPACE, Grade.COSMETIC),
            [Act.REVERIFY, *SETTLE, Act.REVERIFY_COSMETIC],
        ),
        (stale(Reason.SPAN_MISSING), SETTLE),
        (stale(Reason.FILE_MISSING), SETTLE),
        (stale(Reason.SYMBOL_MISSING), SETTLE),
        (stale(Reason.SYMBOL_AMBIGUOUS), SETTLE),
        (ELSEWHERE, [Act.SUPERSEDE, Act.REPOINT, Act.RETRACT, Act.SHOW_HISTORY]),
        (SEVERAL, [Act.SUPERSEDE, *[Act.REPOINT] * 5, Act.RETRACT, Act.SHOW_HISTORY]),
        (
            CitationVerdict(verdict=Verdict.UNKNOWN, reason=Reason.ENCODING),
            [Act.SUPERSEDE, Act.RETRACT, Act.SHOW_HISTORY],
        ),
    ],
)
def test_f26_f33_what_is_offered_follows_the_verdict(verdict: CitationVerdict, expected: list[Act]) -> None:
    """What is gone or unknown is never *still true*; nothing is offered where nothing is to be settled."""
    assert acts(cited(verdict=verdict), config=ALL_SHOWN) == expected


@pytest.mark.parametrize("reason", [*Reason])
def test_f26_only_what_is_there_can_be_reverified(reason: Reason) -> None:
    """Law 3: what cannot be told is not *still true* either."""
    unknown = CitationVerdict(verdict=Verdict.UNKNOWN, reason=reason)
    assert Act.REVERIFY not in acts(cited(verdict=unknown), config=ALL_SHOWN)


def test_f33_a_repoint_names_and_carries_its_target() -> None:
    other = next(each for each in offered(cited(verdict=ELSEWHERE)) if each.act is Act.REPOINT)
    assert (other.title, other.target) == ("Re-point to b.py:7-8", Place("b.py", Span(7, 8)))
    here = [each for each in offered(cited(verdict=SEVERAL)) if each.act is Act.REPOINT]
    assert [each.title for each in here[:2]] == ["Re-point to lines 10–11", "Re-point to lines 12–13"]
    copy = Place("src/c.py", Span(1, 1))
    changed = cited(verdict=stale(candidates=(copy,)))
    assert [each.target for each in offered(changed) if each.act is Act.REPOINT] == [copy]


def test_f31_several_are_offered_one_by_one_by_name_and_all_at_once() -> None:
    shown = [cited(number=number, verdict=stale(), remembered="word " * 20) for number in (1, 2)]
    made = offered(*shown)
    assert made[0].title == "Still true: re-verify all 2 memories here"
    assert made[0].cited == tuple(shown)
    assert made[1].title == "Still true: re-verify (m1 word word word word word word word word…)"
    assert [each.cited for each in made if each.act is Act.REVERIFY][1:] == [(shown[0],), (shown[1],)]
    assert all(
        f"(m{number} " in each.title
        for number in (1, 2)
        for each in made
        if shown[number - 1] in each.cited and len(each.cited) == 1
    )


def test_f31_all_at_once_leaves_out_what_is_gone() -> None:
    shown = [cited(number=number, verdict=stale()) for number in (1, 2)]
    gone = cited(number=3, verdict=stale(Reason.SPAN_MISSING))
    assert offered(*shown, gone)[0].cited == tuple(shown)
    assert offered(shown[0], gone)[0].cited == (shown[0],)


def test_all_cosmetic_ones_are_those_of_the_file() -> None:
    cosmetic = stale(Reason.COMMENT, Grade.COSMETIC)
    here = cited(number=1, verdict=cosmetic)
    below = replace(cited(number=2, verdict=cosmetic), span=Span(40, 41))
    made = offered(here, below, cited(number=3, verdict=stale()))
    together = [each for each in made if each.act is Act.REVERIFY_COSMETIC]
    assert [each.cited for each in together] == [(here, below)]


def test_the_note_on_flipped_line_ends_has_its_action_on_its_line() -> None:
    """Design 7: the one diagnostic stands on line 1, wherever its citations are."""
    flip = stale(Reason.LINE_ENDINGS, Grade.COSMETIC)
    shown = [
        replace(cited(number=number, verdict=flip), span=Span(10 * number, 10 * number)) for number in (1, 2)
    ]
    assert [(each.act, each.cited) for each in offered(*shown)] == [(Act.REVERIFY_COSMETIC, tuple(shown))]
    assert offered(*shown, at=Span(2, 2)) == []


def test_f29_both_ends_of_the_lines_count() -> None:
    """Pitfall 26: by overlap on lines, both ends included."""
    one = replace(cited(verdict=stale()), span=Span(4, 6))
    touched = [bool(acts(one, at=Span(line, line))) for line in range(3, 8)]
    assert touched == [False, True, True, True, False]
    assert acts(one, at=Span(1, 4))
    assert acts(one, at=Span(6, 9))
    assert not acts(one, at=Span(1, 3))


def test_f33_remember_needs_a_selection_and_bytes() -> None:
    made = offered(cited(), at=Span(2, 5), selected=True)
    assert [(each.act, each.title, each.span) for each in made] == [
        (Act.REMEMBER, "Remember this…", Span(2, 5))
    ]
    assert offered(cited()) == []
    assert offered(cited(), selected=True, mappable=False) == []


def test_f32_what_waits_for_the_save_is_not_asked_about_again() -> None:
    one = cited(verdict=stale())
    assert one.citation.baseline is not None
    assert acts(replace(one, provisional=Provisional(one.citation.baseline, Span(1, 2)))) == []


def test_f29_no_offer_is_a_fix_all() -> None:
    """Law 4: nothing re-verifies by itself; each act is named by what a person decides."""
    assert {each.value for each in Act if "reverify" in each.value} == {"reverify", "reverify-cosmetic"}
    assert not [each for each in Act if "fix" in each.value]


def test_f43_titles_are_one_harmless_line() -> None:
    shown = [
        cited(number=number, verdict=stale(), remembered="a\nb\x1b[31m\u202ec\u2028d") for number in (1, 2)
    ]
    for each in offered(*shown):
        assert not set(each.title) & set("\n\x1b\u202e\u2028")


def test_what_is_not_shown_is_not_offered_to_be_settled() -> None:
    """Design 7: a code that is off, an ignored file and a snoozed memory stay silent in the menu, too."""
    unknown = cited(verdict=CitationVerdict(verdict=Verdict.UNKNOWN, reason=Reason.ENCODING))
    assert acts(unknown) == []
    quiet = DiagnosticsConfig(severities=dict.fromkeys(Code, Severity.OFF))
    assert acts(cited(verdict=stale()), config=quiet) == []
    assert acts(cited(verdict=stale()), config=DiagnosticsConfig(ignore=("src/",))) == []
    snooze = Snooze(memory="memory-1", actor="os:somebody", at=WHEN)
    assert acts(replace(cited(verdict=stale()), snoozed=snooze)) == []


def test_all_cosmetic_ones_leave_out_what_sleeps() -> None:
    cosmetic = stale(Reason.COMMENT, Grade.COSMETIC)
    snooze = Snooze(memory="memory-2", actor="os:somebody", at=WHEN)
    awake, asleep = (cited(number=number, verdict=cosmetic) for number in (1, 2))
    made = offered(awake, replace(asleep, snoozed=snooze))
    assert [each.cited for each in made if each.act is Act.REVERIFY_COSMETIC] == [(awake,)]


def test_a_snooze_says_until_when() -> None:
    made = {each.act: each.title for each in offered(cited(verdict=stale()))}
    assert made[Act.SNOOZE] == "Snooze until these lines change again"
