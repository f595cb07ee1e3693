"""A text of comments alone is a change in form only as long as what stands there may be a version of it.

Any text between two comments says the same to a grammar, so it cannot vouch for the place (D12, E10).
"""

from __future__ import annotations

import pytest

from stilltrue.model.citation import Span
from stilltrue.model.verdict import Grade
from support.grades import judge

SWITCHED_OFF = """{0} swapped() {{
    /*
        begin_to_read_devices();

        first_device(count);
        tell_what_went_wrong();
        allocate_paths(count * most);
        failed();
        last_device(list);
        tell_what_went_wrong();
    */
    last();
}}
"""
BRACES = ["a.c", "a.cpp", "A.java", "a.js", "a.ts", "a.rs", "a.go", "a.cs"]
FUNCTION = {"a.js": "function", "a.ts": "function", "a.rs": "fn", "a.go": "func"}
HEAD = {"a.go": "package a\n", "A.java": "class A {\n", "a.cs": "class A {\n"}


@pytest.mark.parametrize("path", BRACES)
def test_code_that_leaves_a_comment_is_no_change_of_the_comment(path: str) -> None:
    """The first cited line stands between the lines that stood beside all, and is a comment as they were."""
    text, head = SWITCHED_OFF.format(FUNCTION.get(path, "int")), HEAD.get(path, "")
    old = head + text + "}\n" * head.count("{")
    now = old.replace("most);", "most); */ leaked(count); /*").replace("failed();\n", "failed();")
    first = 4 + head.count("\n")
    found = judge(old.encode(), Span(first, first + 5), now.encode(), path=path)
    assert found.grade is Grade.CONTENT


@pytest.mark.parametrize("path", BRACES)
@pytest.mark.parametrize(
    ("before", "after", "grade"),
    [
        ("the limit of all accounts", "the limit of most accounts", Grade.COSMETIC),
        ("the limit of all accounts", "written by somebody else", Grade.CONTENT),
        ("the limit of all accounts\n// that anybody opens", "the limit", Grade.CONTENT),
    ],
)
def test_a_comment_is_reworded_as_long_as_it_is_the_same_one(
    path: str, before: str, after: str, grade: Grade
) -> None:
    head, function = HEAD.get(path, ""), FUNCTION.get(path, "int")
    old, now = (
        f"{head}{function} f() {{\nfirst(one);\n// {said}\nsecond(two);\n}}\n" + "}\n" * head.count("{")
        for said in (before, after)
    )
    first = 3 + head.count("\n")
    span = Span(first, first + before.count("\n"))
    assert judge(old.encode(), span, now.encode(), path=path).grade is grade
