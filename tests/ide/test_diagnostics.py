"""What an editor shows of a snapshot: codes, severities, places, limits (F17 to F22; design 7)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from stilltrue.ide.diagnostics import (
    DEFAULT_SEVERITIES,
    Code,
    Diagnostic,
    DiagnosticsConfig,
    Severity,
    code_of,
    diagnostics,
)
from stilltrue.ide.snapshot import Cited, Snapshot
from stilltrue.ide.wording import sentence
from stilltrue.model.citation import Place, Span
from stilltrue.model.pin import KeptPin
from stilltrue.model.snooze import Snooze
from stilltrue.model.verdict import CitationVerdict, Grade, Reason, Verdict
from support.cited import FRESH, PATH, WHEN, cited, stale


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
    ("state", "expected"),
    [
        ("current", None),
        ("stale", "commit-moved"),
        ("unresolved", "unverifiable"),
        (None, None),
    ],
)
def test_k1_where_no_bytes_were_recorded_the_commit_decides(state: str | None, expected: str | None) -> None:
    pin = KeptPin(state, WHEN, "b" * 40) if state else None
    backed = replace(cited(), pin=pin)
    resting = replace(backed, citation=replace(backed.citation, commit="a" * 40, baseline=None))
    with_both = replace(backed, citation=replace(backed.citation, commit="a" * 40))
    assert code_of(resting) == expected
    assert code_of(with_both) is None
    assert code_of(replace(resting, verdict=stale(Reason.FILE_MISSING))) == "missing"
    assert code_of(replace(resting, snoozed=Snooze(memory="memory-1", actor="os:somebody", at=WHEN))) is None


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
    assert [each.cited[0].memory.number for each in found[:100]] == list(range(1, 101))
    assert (found[-1].severity, found[-1].span, found[-1].cited) == (Severity.INFORMATION, Span(1, 1), ())
    assert found[-1].message == (
        "20 more memories of this file need attention; see them all with: stilltrue check"
    )


def test_a_severity_of_off_hides_a_code() -> None:
    quiet = DiagnosticsConfig(severities=dict.fromkeys(Code, Severity.OFF))

    assert diagnostics(snapshot(cited(verdict=stale())), quiet) == []


def test_the_message_says_that_lines_changed_and_not_that_the_memory_is_wrong() -> None:
    """D21"""
    message = diagnostics(snapshot(cited(verdict=stale())), DiagnosticsConfig())[0].message

    assert message == "m1: Retries stop after 5 attempts — the cited lines changed. Re-verify or supersede."


def test_f18_a_diagnostic_in_full() -> None:
    copy = Place("src/b.py", Span(3, 4))
    one = cited(verdict=stale(at=Span(1, 2), candidates=(copy,)))

    assert diagnostics(snapshot(one), DiagnosticsConfig()) == [
        Diagnostic(
            code=Code.STALE,
            severity=Severity.WARNING,
            span=Span(1, 2),
            message="m1: Retries stop after 5 attempts — the cited lines changed "
            "(identical copy at src/b.py:3-4). Re-verify or supersede.",
            related=((copy, "identical copy"),),
            cited=(one,),
        )
    ]


@pytest.mark.parametrize(
    ("verdict", "message"),
    [
        (
            stale(Reason.COMMENT, Grade.COSMETIC),
            "only comments in the cited lines changed. Re-verify or supersede.",
        ),
        (stale(Reason.SPAN_MISSING), "the cited lines are gone. Supersede, re-point or retract."),
        (
            ELSEWHERE,
            "the cited lines moved to another file to b.py:7-8. Re-point or supersede.",
        ),
        (
            SEVERAL,
            (
                "the cited lines now stand in several places "
                f"(identical copy at {PATH}:7-8, {PATH}:9-10). Re-point or supersede."
            ),
        ),
        (
            UNKNOWN,
            (
                "the cited lines lie in an unsettled merge conflict. "
                "It cannot be told whether the memory still holds."
            ),
        ),
    ],
)
def test_d21_each_code_says_what_was_seen_and_what_may_be_done(
    verdict: CitationVerdict, message: str
) -> None:
    loud = DiagnosticsConfig(severities=dict.fromkeys(Code, Severity.WARNING))
    found = diagnostics(snapshot(cited(verdict=verdict)), loud)
    assert [each.message for each in found] == [f"m1: Retries stop after 5 attempts — {message}"]


@pytest.mark.parametrize("reason", Reason)
def test_d21_no_sentence_judges_the_memory(reason: Reason) -> None:
    text = sentence(CitationVerdict(verdict=Verdict.UNKNOWN, reason=reason)).lower()
    assert not {"wrong", "false", "invalid", "incorrect", "outdated", "memory"} & set(text.split())


@pytest.mark.parametrize("severity", [each for each in Severity if each is not Severity.OFF])
@pytest.mark.parametrize(
    ("verdict", "code"),
    [
        (stale(), Code.STALE),
        (stale(Reason.WHITESPACE, Grade.COSMETIC), Code.STALE_COSMETIC),
        (stale(Reason.SYMBOL_MISSING), Code.MISSING),
        (ELSEWHERE, Code.MOVED),
        (UNKNOWN, Code.UNVERIFIABLE),
    ],
)
def test_f18_each_code_has_a_switch_of_its_own(
    verdict: CitationVerdict, code: Code, severity: Severity
) -> None:
    config = DiagnosticsConfig(severities={**dict.fromkeys(Code, Severity.OFF), code: severity})
    found = diagnostics(snapshot(cited(verdict=verdict)), config)
    assert [(each.code, each.severity) for each in found] == [(code, severity)]
    silent = DiagnosticsConfig(severities={**dict.fromkeys(Code, severity), code: Severity.OFF})
    assert diagnostics(snapshot(cited(verdict=verdict)), silent) == []


def test_a_hint_stays_a_hint_where_the_memory_holds_elsewhere() -> None:
    quiet = DiagnosticsConfig(severities=dict.fromkeys(Code, Severity.HINT))
    one = replace(cited(verdict=stale(Reason.SPAN_MISSING)), others=(FRESH,))
    found = diagnostics(snapshot(one), quiet)
    assert [each.severity for each in found] == [Severity.HINT]
    assert "Its other citations hold." in found[0].message


def test_a_change_counts_though_other_citations_hold() -> None:
    """E3: changed and equal is stale by content, so that it stays a warning."""
    assert shown(replace(cited(verdict=stale()), others=(FRESH,))) == [("stale", "warning", Span(1, 2))]


def test_one_flipped_citation_is_shown_where_it_stands() -> None:
    found = shown(cited(verdict=stale(Reason.LINE_ENDINGS, Grade.COSMETIC)))
    assert found == [("stale-cosmetic", "information", Span(1, 2))]


def test_a_line_end_flip_leaves_other_changes_their_own_diagnostics() -> None:
    flips = [cited(number=number, verdict=stale(Reason.LINE_ENDINGS, Grade.COSMETIC)) for number in (1, 2)]
    found = diagnostics(snapshot(*flips, cited(number=3, verdict=stale())), DiagnosticsConfig())
    assert [(each.code, [one.memory.id for one in each.cited]) for each in found] == [
        ("stale-cosmetic", ["m1", "m2"]),
        ("stale", ["m3"]),
    ]
    assert found[0].message == (
        "Only line ends changed in 2 citations of this file (m1, m2). "
        "Re-verify all cosmetic changes, or change the line ends back."
    )


def test_a_silent_line_end_flip_is_silent_for_each_of_them() -> None:
    severities = {**DEFAULT_SEVERITIES, Code.STALE_COSMETIC: Severity.OFF}
    flips = [cited(number=number, verdict=stale(Reason.LINE_ENDINGS, Grade.COSMETIC)) for number in (1, 2)]
    assert diagnostics(snapshot(*flips), DiagnosticsConfig(severities=severities)) == []


def test_what_is_unchanged_is_not_made_anew() -> None:
    one = snapshot(cited(verdict=stale()))
    first, again = (diagnostics(one, DiagnosticsConfig())[0] for _ in range(2))
    assert first is again
    louder = DiagnosticsConfig(severities={**DEFAULT_SEVERITIES, Code.STALE: Severity.ERROR})
    assert diagnostics(one, louder)[0].severity is Severity.ERROR


def test_f43_names_of_files_are_other_peoples_text() -> None:
    strange = replace(ELSEWHERE, new=Place("b\x1b[31m\u202e.py", Span(7, 8)))
    message = diagnostics(snapshot(cited(verdict=strange)), DiagnosticsConfig())[0].message
    assert not set(message) & {"\x1b", "\u202e"}


@pytest.mark.parametrize(
    ("globs", "silent"),
    [
        (("src/",), True),
        (("*.py",), True),
        (("**/a.py",), True),
        (("/a.py",), False),
        (("docs/", "*.md"), False),
        (("*.py", "!src/a.py"), False),
        (("# src/", "", "/"), False),
    ],
)
def test_f40_nothing_is_shown_of_an_ignored_file(globs: tuple[str, ...], *, silent: bool) -> None:
    """Design 7: patterns as in .gitignore, from the root of the repository, the last that matches decides."""
    flips = [cited(number=number, verdict=stale(Reason.LINE_ENDINGS, Grade.COSMETIC)) for number in (1, 2)]
    found = diagnostics(snapshot(*flips, cited(number=3, verdict=stale())), DiagnosticsConfig(ignore=globs))
    assert (found == []) is silent


def test_a_snoozed_memory_is_silent_and_counts_for_no_limit() -> None:
    """Design 7: nothing else is shown because it sleeps, and it is in no note."""
    snooze = Snooze(memory="memory-1", actor="os:somebody", at=WHEN)
    asleep = replace(cited(verdict=stale()), snoozed=snooze)
    flip = stale(Reason.LINE_ENDINGS, Grade.COSMETIC)
    flips = [cited(number=2, verdict=flip), replace(cited(number=3, verdict=flip), snoozed=snooze)]
    assert shown(asleep) == []
    assert shown(asleep, *flips) == [("stale-cosmetic", "information", Span(1, 2))]
    found = diagnostics(snapshot(asleep, cited(number=4, verdict=stale())), DiagnosticsConfig(limit=1))
    assert [each.cited[0].memory.id for each in found] == ["m4"]


def test_f18_where_it_was_recorded_is_related_when_it_is_shown_elsewhere() -> None:
    copy = Place("src/b.py", Span(3, 4))
    one = cited(verdict=stale(at=Span(9, 9), candidates=(copy,)))
    related = [each.related for each in diagnostics(snapshot(one), DiagnosticsConfig())]
    assert related == [((Place(PATH, Span(1, 2)), "recorded here"), (copy, "identical copy"))]
    gone = replace(cited(verdict=ELSEWHERE), span=Span(1, 1))
    assert diagnostics(snapshot(gone), DiagnosticsConfig())[0].related == (
        (Place(PATH, Span(1, 2)), "recorded here"),
        (Place("b.py", Span(7, 8)), "found now at"),
    )
