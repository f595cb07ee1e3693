"""What is cosmetic in each graded language, and what never is (design 4; E10, D9, D12)."""

from __future__ import annotations

import pytest

from stilltrue.citations.baselines import span_baseline
from stilltrue.citations.cosmetic_rules import RULES
from stilltrue.citations.evidence import Evidence
from stilltrue.citations.grading import graded
from stilltrue.citations.languages import LANGUAGES, language_of
from stilltrue.citations.lines import Lines
from stilltrue.citations.relocation import sight
from stilltrue.freshness import judge_citation
from stilltrue.model.citation import CitationKind, Span
from stilltrue.model.verdict import CitationVerdict, Grade, Reason, Verdict


def judge(
    before: bytes, span: Span, after: bytes, path: str, *, with_excerpt: bool = True
) -> CitationVerdict:
    """The verdict on `span` of `before` when the file at `path` holds `after`."""
    baseline = span_baseline(Lines(before), span, encoding="utf-8", with_excerpt=with_excerpt)
    lines = Lines(after)
    seen = graded(sight(lines, span, baseline), path, lines, baseline)
    return judge_citation(Evidence(kind=CitationKind.SPAN, path=path, recorded=span, sighting=seen))


WHITESPACE, COMMENT, CONTENT = Reason.WHITESPACE, Reason.COMMENT, Reason.TEXT_CHANGED
JAVA = "class A {\n    int f(int a) {\n        return a + 1;\n    }\n}\n"
C = "int f(int a)\n{\n    return a + 1;\n}\n"
GO = "package a\n\nfunc f(a int) int {\n\treturn a + 1\n}\n"
RUST = "fn f(a: i32) -> i32 {\n    a + 1\n}\n"
JS = "function f(a) {\n  return a + 1;\n}\n"

ROWS = [
    ("a.py", "x = 1  # one\ny = 'b  c'\n", "x = 1  # the one\ny = 'b  c'\n", COMMENT),
    ("a.py", "x = 1\ny = 'b  c'\n", "x = 1\ny = 'b c'\n", CONTENT),
    ("a.py", "x = 1\nif x:\n    y = 2\n    z = 3\n", "x = 1\nif x:\n    y = 2\nz = 3\n", CONTENT),
    ("a.py", "x = f(1)  # noqa\n", "x = f(1)\n", CONTENT),
    ("a.py", "x = f(1)  # type: int\n", "x = f(1)  # type: str\n", CONTENT),
    ("a.py", 'def f():\n    """One."""\n    return 1\n', 'def f():\n    """Two."""\n    return 1\n', CONTENT),
    ("a.json", '{"a": [1, 2]}\n', '{"a":[1,2]}\n', WHITESPACE),
    ("a.json", '{"a": [1, 2]}\n', '{"a": [1, 3]}\n', CONTENT),
    ("a.json", '{"a": "b c"}\n', '{"a": "b  c"}\n', CONTENT),
    ("a.toml", "a = 1 # one\nb = 2\n", "a = 1 # the one\nb = 2\n", COMMENT),
    ("a.toml", 'a = "x  y"\n', 'a = "x y"\n', CONTENT),
    ("a.js", JS, JS.replace("  return", "\treturn"), WHITESPACE),
    ("a.js", JS, JS.replace("return a", "return\n a"), CONTENT),
    ("a.js", JS, JS.replace("+", "-"), CONTENT),
    ("a.js", "const a = `b  c`;\n", "const a = `b c`;\n", CONTENT),
    ("a.js", "// eslint-disable-next-line\nf();\n", "f();\n", CONTENT),
    ("a.ts", "const a: number = 1;\n", "const a:number   = 1;\n", WHITESPACE),
    ("a.ts", "// @ts-ignore\nconst a: number = 1;\n", "const a: number = 1;\n", CONTENT),
    ("a.tsx", "const a = 1;\n", "const a =  1;\n", WHITESPACE),
    ("a.tsx", "const a = <b>c  d</b>;\n", "const a = <b>c d</b>;\n", CONTENT),
    ("A.java", JAVA, JAVA.replace("        return", "\treturn"), WHITESPACE),
    ("A.java", JAVA, JAVA.replace("a + 1;", "a + 1; // more"), COMMENT),
    ("A.java", JAVA, JAVA.replace("    int f", "    /** Doc. */ int f"), CONTENT),
    ("A.java", JAVA, JAVA.replace("a + 1", "a - 1"), CONTENT),
    ("a.c", C, C.replace("    return", "\treturn"), WHITESPACE),
    ("a.c", C, C.replace("a + 1;", "a + 1; /* more */"), COMMENT),
    ("a.c", C, C.replace("a + 1", "a + 2"), CONTENT),
    ("a.c", '#define A "b"\nint a;\n', '#define A  "c"\nint a;\n', CONTENT),
    ("a.c", 'char *a = "b /* c */";\n', 'char *a = "b";\n', CONTENT),
    ("a.cpp", C, C.replace("    return", "  return"), WHITESPACE),
    ("a.cpp", 'auto a = R"(b  c)";\n', 'auto a = R"(b c)";\n', CONTENT),
    ("a.go", GO, GO.replace("\treturn", "    return"), WHITESPACE),
    ("a.go", GO, GO.replace("a + 1", "a + 1 // more"), COMMENT),
    ("a.go", GO, GO.replace("return a", "return\n\ta"), CONTENT),
    ("a.go", "//go:build linux\n\npackage a\n", "//go:build windows\n\npackage a\n", CONTENT),
    ("a.rs", RUST, RUST.replace("    a", "  a"), WHITESPACE),
    ("a.rs", RUST, RUST.replace("a + 1", "a + 1 // more"), COMMENT),
    ("a.rs", "/// Doc.\n" + RUST, "/// Other.\n" + RUST, CONTENT),
    ("a.rs", "fn f() {\n    m!(a b);\n}\n", "fn f() {\n    m!(ab);\n}\n", CONTENT),
    ("a.yaml", "a:\n  b: 1\n", "a:\n    b: 1\n", CONTENT),
    ("a.sh", "f a b\n", "f  a  b\n", CONTENT),
    ("a.md", "a  b\n", "a b\n", CONTENT),
    ("a.rb", "f -1\n", "f - 1\n", CONTENT),
    ("a.unknown", "a  b\n", "a b\n", CONTENT),
]


@pytest.mark.parametrize(("path", "before", "after", "reason"), ROWS)
def test_a_change_is_graded(path: str, before: str, after: str, reason: Reason) -> None:
    span = Span(1, before.count("\n"))
    found = judge(before.encode(), span, after.encode(), path=path)
    grade = Grade.CONTENT if reason is CONTENT else Grade.COSMETIC
    assert (found.verdict, found.reason, found.grade) == (Verdict.STALE, reason, grade)


def test_every_graded_language_is_tested_both_ways() -> None:
    seen = {
        (language.name, reason is CONTENT) for path, _, _, reason in ROWS if (language := language_of(path))
    }
    assert {(name, content) for name in RULES for content in (True, False)} <= seen
    assert set(RULES) <= {language.name for language in LANGUAGES}


@pytest.mark.parametrize(("path", "before", "after", "reason"), ROWS)
def test_without_the_cited_text_every_change_is_content(
    path: str, before: str, after: str, reason: Reason
) -> None:
    """D15: nothing can be compared; louder is safe."""
    del reason
    found = judge(before.encode(), Span(1, before.count("\n")), after.encode(), path=path, with_excerpt=False)
    assert found.grade is Grade.CONTENT
