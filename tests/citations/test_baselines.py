from __future__ import annotations

from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stilltrue.citations.baselines import BESIDE_LIMIT, EXCERPT_LIMIT, file_baseline, span_baseline
from stilltrue.citations.evidence import Evidence
from stilltrue.citations.lines import DIGEST_SIZE, Lines
from stilltrue.citations.solid_text import MOST_COPIES
from stilltrue.citations.whole_files import sight_file
from stilltrue.errors import CitationError
from stilltrue.freshness import judge_citation
from stilltrue.model.citation import Baseline, CitationKind, Neighbour, Span
from stilltrue.model.verdict import Grade, Reason, Verdict
from support.cases import CASES, Case
from support.fixture import judge


def baseline_of(data: bytes, start: int, end: int, *, with_excerpt: bool = True) -> Baseline:
    return span_baseline(Lines(data), Span(start, end), encoding="utf-8", with_excerpt=with_excerpt)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('say("a b")', 'say("a  b")'),
        ("if a:\n    b()", "if a:\n\tb()"),
        ("all:\n\techo", "all:\n        echo"),
        ("a:\n  b: 1", "a:\n    b: 1"),
        ("x = 1", "x = 1 "),
        ("name = 1", "Name = 1"),
        ("a\nb", "a\r\nb"),
        ("a\nb", "a\rb"),
        ('n = "caf\u00e9"', 'n = "cafe\u0301"'),
        ("a\n\nb", "a\n \nb"),
    ],
    ids=[
        "a blank in a literal",
        "a tab for blanks in Python",
        "blanks for a tab in a makefile",
        "indentation in YAML",
        "a trailing blank",
        "letter case",
        "CRLF within the span",
        "CR within the span",
        "NFC to NFD",
        "white space on a blank line",
    ],
)
def test_d9_every_change_of_bytes_is_a_change(before: str, after: str) -> None:
    span = Span(1, before.count("\n") + 1)
    verdict = judge(before.encode(), span, after.encode())
    assert verdict.verdict is Verdict.STALE
    assert baseline_of(before.encode(), 1, span.end).sha256 != baseline_of(after.encode(), 1, span.end).sha256


@pytest.mark.parametrize("ending", [b"", b"\n", b"\r\n", b"\r", b"\nmore\n", b"\r\nmore"])
def test_d10_what_follows_the_last_cited_line_is_no_part_of_it(ending: bytes) -> None:
    verdict = judge(b"first\nthe last line", Span(2, 2), b"first\nthe last line" + ending)
    assert (verdict.verdict, verdict.reason) == (Verdict.FRESH, Reason.SAME_BYTES)


def test_a_mark_of_byte_order_belongs_to_no_line() -> None:
    plain, marked = b"first\nsecond\n", b"\xef\xbb\xbffirst\nsecond\n"
    assert baseline_of(plain, 1, 1) == baseline_of(marked, 1, 1)
    assert file_baseline(Lines(plain), encoding="utf-8", with_excerpt=True) == file_baseline(
        Lines(marked), encoding="utf-8", with_excerpt=True
    )


@pytest.mark.parametrize(
    ("data", "span", "message"),
    [
        (b"a\nb\n", Span(0, 1), "line 0 does not exist"),
        (b"a\nb\n", Span(-1, -1), "line -1 does not exist"),
        (b"a\nb\n", Span(2, 1), "lines 2-1 end before they start"),
        (b"a\nb\n", Span(2, 3), "line 3 is past the end of the file"),
        (b"a\nb\n", Span(7, 9), "line 9 is past the end of the file"),
        (b"", Span(1, 1), "the file is empty"),
        (b"\xef\xbb\xbf", Span(1, 1), "the file is empty"),
    ],
)
def test_d19_a_span_that_does_not_stand_in_the_text_is_refused(data: bytes, span: Span, message: str) -> None:
    with pytest.raises(CitationError) as refused:
        span_baseline(Lines(data), span, encoding="utf-8", with_excerpt=True)
    assert refused.value.message == message
    assert refused.value.hint


def test_what_is_kept_of_a_span() -> None:
    kept = baseline_of(b"above\n\none\r\ntwo\n \nbelow\none\r\ntwo", 3, 4)
    cited = b"one\r\ntwo"
    assert kept == Baseline(
        sha256=sha256(cited).hexdigest(),
        lf_sha256=sha256(b"one\ntwo").hexdigest(),
        byte_length=8,
        copies=2,
        copy_index=0,
        before=Neighbour(sha256(b"above").hexdigest(), b"above"),
        after=Neighbour(sha256(b"below").hexdigest(), b"below"),
        line_digests=sha256(b"one").digest()[:DIGEST_SIZE] + sha256(b"two").digest()[:DIGEST_SIZE],
        excerpt=cited,
        solid_copies=2,
        solid_index=0,
        solid_above=b"above",
        solid_below=b"belowonetwo",
    )
    assert baseline_of(b"one\r\ntwo\nx\none\r\ntwo", 4, 5).copy_index == 1


def test_copies_are_counted_apart_from_white_space() -> None:
    text = b"f(a);\n  f( a );\nif (x) { f(a); }\n"
    first, second = _line(text, 1), _line(text, 2)
    assert (first.copies, first.solid_copies, first.solid_index) == (1, 3, 0)
    assert (second.copies, second.solid_copies, second.solid_index) == (1, 3, 1)
    assert _line(b"\n" * 3, 2).solid_copies is None
    assert _line(b"}\n" * MOST_COPIES, 2).solid_copies == MOST_COPIES
    assert _line(b"}\n" * (MOST_COPIES + 1), 2).solid_copies is None
    assert _line(b"x" * (EXCERPT_LIMIT + 1), 1).solid_copies is None
    assert baseline_of(text, 1, 1, with_excerpt=False).solid_copies is None


def test_what_stands_beside_a_text_is_kept_without_its_white_space() -> None:
    text = b"".join(b"  line %03d ;\n" % number for number in range(90))
    kept = _line(text, 45)
    assert kept.solid_above is not None
    assert kept.solid_below is not None
    assert len(kept.solid_above) == len(kept.solid_below) == BESIDE_LIMIT
    assert kept.solid_above.endswith(b"line042;line043;")
    assert kept.solid_below.startswith(b"line045;line046;")
    assert (_line(text, 1).solid_above, _line(text, 90).solid_below) == (b"", b"")
    hidden = baseline_of(text, 45, 45, with_excerpt=False)
    assert hidden.solid_above is None
    assert hidden.solid_below is None


def _line(data: bytes, number: int) -> Baseline:
    return baseline_of(data, number, number)


def test_d15_no_text_is_kept_where_excerpts_are_off() -> None:
    words = ("alpha", "bravo", "charlie")
    data = "\n".join(words).encode()
    kept, hidden = repr(baseline_of(data, 2, 2)), repr(baseline_of(data, 2, 2, with_excerpt=False))
    assert all(word in kept for word in words)
    assert not any(word in hidden for word in words)


def test_what_is_kept_is_bounded() -> None:
    data = b"x" * 40_000 + b"\n" + b"y\n" * 3_000
    kept = baseline_of(data, 2, 3_001)
    assert len(kept.line_digests) == 1_000 * DIGEST_SIZE
    assert kept.before is not None
    assert kept.before.text == b"x" * 200
    kept = baseline_of(data, 1, 1)
    assert kept.excerpt == b"x" * EXCERPT_LIMIT
    assert not kept.excerpt_is_whole
    assert kept.byte_length == 40_000


def test_marks_of_a_conflict_inside_the_span_are_remembered() -> None:
    data = b"a\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> topic\nd\n"
    assert baseline_of(data, 3, 3).conflict_markers
    assert not baseline_of(data, 1, 1).conflict_markers


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (b"", b"", (Verdict.FRESH, Reason.SAME_BYTES, None)),
        (b"", b"a", (Verdict.STALE, Reason.TEXT_CHANGED, Grade.CONTENT)),
        (b"a\n", b"", (Verdict.STALE, Reason.TEXT_CHANGED, Grade.CONTENT)),
        (b"a\n", b"\xef\xbb\xbfa\n", (Verdict.FRESH, Reason.SAME_BYTES, None)),
        (b"a\n", b"a", (Verdict.STALE, Reason.TEXT_CHANGED, Grade.CONTENT)),
        (b"a\nb\n", b"a\r\nb\r\n", (Verdict.STALE, Reason.LINE_ENDINGS, Grade.COSMETIC)),
        (b"a\nb\n", b"a\nB\n", (Verdict.STALE, Reason.TEXT_CHANGED, Grade.CONTENT)),
    ],
)
def test_a_whole_file_is_every_byte_after_the_mark(
    before: bytes, after: bytes, expected: tuple[Verdict, Reason, Grade | None]
) -> None:
    kept = file_baseline(Lines(before), encoding="utf-8", with_excerpt=False)
    seen = sight_file(Lines(after), kept)
    verdict = judge_citation(Evidence(kind=CitationKind.FILE, path="a", sighting=seen))
    assert (verdict.verdict, verdict.reason, verdict.grade) == expected


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_d15_every_case_is_judged_the_same_without_stored_text(case: Case) -> None:
    for citation in case.citations:
        before, after = (case.file(step, citation.path) for step in ("before", "after"))
        if citation.accepted and before is not None and after is not None:
            judge(before, citation.span, after)  # compares both ways of keeping


LINES = st.lists(st.sampled_from(["}", "", " ", "a", "return retry_limit * 2", "return retry_limit * 3"]))


@given(LINES.filter(bool), LINES, st.sampled_from(["\n", "\r\n", "\r"]), st.data())
def test_d15_any_edit_is_judged_the_same_without_stored_text(
    before: list[str], after: list[str], line_end: str, draw: st.DataObject
) -> None:
    old = "\n".join([*before, "end"]).encode()
    start = draw.draw(st.integers(1, len(before)))
    end = draw.draw(st.integers(start, len(before)))
    keep = before[start - 1 : end] if draw.draw(st.booleans()) else []
    at = draw.draw(st.integers(0, len(after)))
    judge(old, Span(start, end), line_end.join(after[:at] + keep + after[at:]).encode())
