"""A copy of the cited text in another form, with its neighbours, hides no change of it (D12, D13)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from stilltrue.citations.baselines import span_baseline
from stilltrue.citations.grading import graded
from stilltrue.citations.lines import Lines
from stilltrue.citations.relocation import sight
from stilltrue.model.citation import Span
from stilltrue.model.verdict import Grade
from support.grades import judge

ABOVE, BELOW = "    open_account(owner, 12);\n", "    close_account(owner);\n"
CITED = (
    "    first_balance = balance_of(owner);\n"
    "    deposit_amount(owner, amount_of(order));\n"
    "    second_balance = balance_of(owner);\n"
    "    report_difference(first_balance, second_balance);\n"
)
REST = "int unrelated_function(int value);\nint another_function(int value);\n"
COPY = "".join(f"      {line}\n" for line in (ABOVE + CITED + BELOW).splitlines())
SPAN = Span(2, 5)
SMALL = CITED.replace("order", "other")
NONE = ""
WRAPPED = "  convert(\n    context,\n    props, selection,\n    defaults(\n    context));\n"


@pytest.mark.parametrize("path", ["a.c", "a.js"])
@pytest.mark.parametrize(
    ("above", "now", "below"),
    [
        pytest.param(ABOVE, SMALL, BELOW, id="changed"),
        pytest.param(ABOVE, SMALL, "    close(owner);\n", id="changed with the line below"),
        pytest.param("    open(owner);\n", SMALL, BELOW, id="changed with the line above"),
        pytest.param("    open(owner);\n", SMALL, "    close(owner);\n", id="changed with both"),
        pytest.param(ABOVE, NONE, BELOW, id="gone"),
    ],
)
def test_a_copy_in_another_form_hides_no_change(path: str, above: str, now: str, below: str) -> None:
    rest = "f();\ng();\n" + COPY
    old, new = ABOVE + CITED + BELOW + rest, above + now + below + rest
    assert judge(old.encode(), SPAN, new.encode(), path=path).grade is not Grade.COSMETIC


def test_near_copies_one_after_the_other_hide_no_change() -> None:
    """The text of the second one is that of the first but for its blank lines."""
    part = '#define NAME() H%d\n#include "work_inc.h"\n#undef NAME\n'
    loose = (part + "\n" + part + "\n#if defined(A)\n" + part + "\n") % (1, 2, 3)
    close = (part + part + "#if defined(A)\n" + part) % (1, 2, 3)
    tail = "#endif\n#define LAST 1\n"
    before = "#undef NAME\n" + loose + tail + "int between;\n#undef NAME\n" + close + tail
    after = before.replace("H1", "H9", 1)
    last = 1 + loose.count("\n")
    assert judge(before.encode(), Span(2, last), after.encode(), path="a.c").grade is not Grade.COSMETIC


def test_of_equal_lines_that_are_all_left_the_one_of_the_same_number_is_meant() -> None:
    old = "int table[][2] = {\n" + "    { 0, 0 },\n" * 5 + "    { 1, 0 }\n};\nint last;\n"
    new = old.replace("    { 0, 0 },\n", "  {0, 0},\n").replace("[][2] = {", "[][2] =\n{")
    for line in range(2, 7):
        assert judge(old.encode(), Span(line, line), new.encode(), path="a.c").grade is Grade.COSMETIC
    one_less = new.replace("  {0, 0},\n", "", 1).encode()
    for line in range(3, 6):
        assert judge(old.encode(), Span(line, line), one_less, path="a.c").grade is not Grade.COSMETIC


def test_a_text_that_stood_once_and_stands_once_is_found_between_other_tokens() -> None:
    """Both neighbours were changed, and what is like it stands nearer to the recorded lines."""
    like = CITED.replace("balance", "account")
    old = REST + ABOVE + CITED + BELOW + "f();\n" + like
    wide = CITED.replace("(", "(\n        ")
    new = REST * 3 + "    open(owner);\n" + wide + "    close(owner);\n" + "f();\n" + like
    assert judge(old.encode(), Span(4, 7), new.encode(), path="a.c").grade is Grade.COSMETIC
    pasted = like + "f();\n" + REST * 3 + "    open(owner);\n" + wide + "    close(owner);\n"
    assert judge(old.encode(), Span(4, 7), pasted.encode(), path="a.c").grade is Grade.COSMETIC


@pytest.mark.parametrize(
    ("above", "below"),
    [
        pytest.param(ABOVE, "    close_account(\n        owner, 1);\n", id="the line below is another"),
        pytest.param("    open_account(owner);\n", BELOW, id="the line above is another"),
    ],
)
def test_a_rich_text_that_stands_once_needs_one_neighbour(above: str, below: str) -> None:
    old = ABOVE + CITED + BELOW + REST
    new = above + CITED.replace("    ", "\t").replace("(owner, ", "(owner,\n\t\t") + below + REST
    assert judge(old.encode(), SPAN, new.encode(), path="a.c").grade is Grade.COSMETIC


def test_a_copy_between_like_braces_does_not_stand_for_lines_that_went() -> None:
    """Two stood there in some form and one is left: which of them went, nobody can tell."""
    copy = "".join(f"  {line}\n" for line in ("}\n" + CITED + "}").splitlines())
    head = "void f() {\n  {\n" + copy + "}\nvoid g() {\n  {\n    other(owner);\n  }\n"
    at = head.count("\n") + 1
    old, new = head + CITED + "}\n", head + "}\n"
    assert judge(old.encode(), Span(at, at + 3), new.encode(), path="a.c").grade is not Grade.COSMETIC


@pytest.mark.parametrize("more", [" + 1;", " || other;", ".then(next);"])
def test_a_line_that_goes_on_is_no_change_in_form(more: str) -> None:
    """The cited text still stands once, and the line it stood on says more than it did."""
    cited = "  return balance_of(owner, account)\n"
    head = "first();\nsecond();\nfunction f() {\n"
    old = head + cited + "}\n"
    new = head + cited.rstrip() + more + "\n}\n"
    assert judge(old.encode(), Span(4, 4), new.encode(), path="a.js").grade is not Grade.COSMETIC
    both = new.replace("  return", "    return").replace("\n}", "\n  // another\n}")
    assert judge(old.encode(), Span(4, 4), both.encode(), path="a.js").grade is not Grade.COSMETIC


@pytest.mark.parametrize(
    ("comment", "grade"),
    [("/* istanbul ignore next */", Grade.COSMETIC), ("// eslint-disable-next-line", Grade.CONTENT)],
)
def test_a_directive_counts_with_what_its_tool_goes_by(comment: str, grade: Grade) -> None:
    """One is about the code that follows, the other one about the line below it."""
    old = f"{comment}\nconst total = sum(first, second);\n"
    new = f"{comment}\nconst total = sum(\n  first, second);\n"
    assert judge(old.encode(), Span(1, 2), new.encode(), path="a.js").grade is grade


@pytest.mark.parametrize(
    ("joined", "grade"),
    [
        ("  let found = self.accounts\n    .of(owner, other)?;\n", Grade.COSMETIC),
        ("  let found = self.accounts.of(owner)?;\n", Grade.CONTENT),
    ],
)
def test_a_line_joined_with_its_neighbour_holds_no_more_than_that(joined: str, grade: Grade) -> None:
    part = "  let found = self\n    .accounts\n    .of(owner, other)?;\n"
    text = "fn f() {{\n  first();\n{0}  second();\n{0}  third();\n{0}}}\n"
    old, new = text.format(part), text.format(joined)
    assert judge(old.encode(), Span(3, 3), new.encode(), path="a.rs").grade is grade


@pytest.mark.parametrize(
    ("now", "grade"),
    [
        ("  convert(context, props, selection,\n    defaults(context));\n", Grade.COSMETIC),
        ("  convert(context, props, section,\n    defaults(context));\n", Grade.CONTENT),
        ("  convert(first, props, selection,\n    defaults(context));\n", Grade.CONTENT),
    ],
)
def test_a_line_joined_with_several_holds_what_was_recorded_beside_it(now: str, grade: Grade) -> None:
    """A line is short where a call was wrapped by hand: a formatter joins it with more than one."""
    old = f"void f() {{\n{WRAPPED}  second();\n}}\n"
    new = f"void f() {{\n{now}  second();\n}}\n"
    assert judge(old.encode(), Span(4, 4), new.encode(), path="a.cpp").grade is grade


def test_a_line_joined_with_several_needs_what_was_recorded_beside_it() -> None:
    """What was recorded before texts were kept beside a text knows one line of each side."""
    old = f"void f() {{\n{WRAPPED}  second();\n}}\n"
    new = old.replace(WRAPPED, "  convert(context, props, selection,\n    defaults(context));\n")
    kept = span_baseline(Lines(old.encode()), Span(4, 4), encoding="utf-8", with_excerpt=True)
    lines, before = Lines(new.encode()), replace(kept, solid_above=None, solid_below=None)
    for baseline, cosmetic in ((kept, True), (before, False)):
        seen = graded(sight(lines, Span(4, 4), baseline), "a.cpp", lines, baseline, Span(4, 4))
        assert (seen.cosmetic is not None) is cosmetic


def test_nor_is_it_for_what_was_kept_before_texts_were_counted() -> None:
    old = "f();\ng();\nopen_account(owner);\n  return balance_of(owner)\nclose_account(owner);\n"
    new = old.replace("(owner)\nclose_account(owner)", "(owner) + 1\nclose(owner)")
    baseline = replace(
        span_baseline(Lines(old.encode()), Span(4, 4), encoding="utf-8", with_excerpt=True), solid_copies=None
    )
    lines = Lines(new.encode())
    seen = graded(sight(lines, Span(4, 4), baseline), "a.js", lines, baseline, Span(4, 4))
    assert seen.cosmetic is None
