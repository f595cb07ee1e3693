"""What is cosmetic in each graded language, and what never is (design 4; E10, D9, D12)."""

from __future__ import annotations

import sys

import pytest

from stilltrue.citations import grading
from stilltrue.citations.cosmetic_rules import RULES
from stilltrue.citations.languages import LANGUAGES, Language, language_of
from stilltrue.citations.parsing import grammar_of
from stilltrue.model.citation import Span
from stilltrue.model.verdict import Grade, Reason, Verdict
from support.grades import judge

WHITESPACE, COMMENT, CONTENT = Reason.WHITESPACE, Reason.COMMENT, Reason.TEXT_CHANGED
JAVA = "class A {\n    int f(int a) {\n        return a + 1;\n    }\n}\n"
C = "int f(int a)\n{\n    return a + 1;\n}\n"
GO = "package a\n\nfunc f(a int) int {\n\treturn a + 1\n}\n"
RUST = "fn f(a: i32) -> i32 {\n    a + 1\n}\n"
PHP = "<?php\nfunction f($a) {\n    return $a + 1;\n}\n?>\n"
CSS = "/* page */\n.a .b { color: red; margin: 1px 2px }\n"
HCL = 'a "b" {\n  c = 1 # one\n  d = "e  ${f}"\n}\n'
HTML = "<p>one <b>two</b>\n<!-- a remark -->\n<pre> b</pre>\n"
KOTLIN = "fun f(a: Int): Int {\n    return a + 1 // one\n}\n"
LUA = "local function f(a)\n  return a + 1\nend\n"
MAKE = "# all\nA = b\na: c # d\n\tb # one\n"
SCALA = "object A {\n  def f(a: Int) = a + 1 // one\n}\n"
SQL = "SELECT a, 'b  -- c'\n  FROM t -- all of them\n  WHERE a = 1;\n"
SWIFT = "func f(a: Int) -> Int {\n    return a + 1 // one\n}\n"
BROKEN = "}} ]] ((( <<< /* -- # // <!-- %% @@\n"
JS = "function f(a) {\n  return a + 1;\n}\n"
EXTRA = [language.suffixes[0] for language in LANGUAGES if language.extra]

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
    ("a.tsx", "const a = <b>\n    c d\n  </b>;\n", "const a = <b>c\n  d</b>;\n", WHITESPACE),
    ("a.jsx", "const a = <b c='d' {...e} />;\n", "const a = <b\n  c='d'\n  {...e}\n/>;\n", WHITESPACE),
    ("a.jsx", "const a = <b>c {/* d */}</b>;\n", "const a = <b>c {/* e */}</b>;\n", COMMENT),
    ("a.jsx", "const a = <b>c // d</b>;\n", "const a = <b>c // e</b>;\n", CONTENT),
    ("a.jsx", "const a = <b>\n  c\n  {d}\n</b>;\n", "const a = <b>\n  c {d}\n</b>;\n", CONTENT),
    ("a.jsx", "const a = <b>c {d}</b>;\n", "const a = <b>c{d}</b>;\n", CONTENT),
    ("a.jsx", "const a = <b>c&#32;\n  d</b>;\n", "const a = <b>c&#32; d</b>;\n", CONTENT),
    ("a.jsx", "const a = <b>c\u00a0\n  d</b>;\n", "const a = <b>c\u00a0 d</b>;\n", CONTENT),
    ("a.jsx", "const a = <b c='d  e' />;\n", "const a = <b c='d e' />;\n", CONTENT),
    ("a.tsx", "const a = <B.C d={1} />;\n", "const a = <B.\nC d={1} />;\n", CONTENT),
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
    ("a.rb", "f  # one\ng\n", "f  # the one\ng\n", COMMENT),
    ("a.rb", "x = <<~A\n  # b\nA\n", "x = <<~A\n  # c\nA\n", CONTENT),
    ("a.rb", "# frozen_string_literal: true\nf\n", "# frozen_string_literal: false\nf\n", CONTENT),
    ("A.cs", JAVA, JAVA.replace("        return", "\treturn"), WHITESPACE),
    ("A.cs", JAVA, JAVA.replace("a + 1;", "a + 1; // more"), COMMENT),
    ("A.cs", "#if A\nint a;\n#endif\n", "#if B\nint a;\n#endif\n", CONTENT),
    ("A.cs", 'var a = @"b\n  c";\n', 'var a = @"b\n c";\n', CONTENT),
    ("a.php", PHP, PHP.replace("    return", "\treturn"), WHITESPACE),
    ("a.php", PHP, PHP.replace("$a + 1;", "$a + 1; # more"), COMMENT),
    ("a.php", PHP, " " + PHP, CONTENT),
    ("a.php", PHP, PHP.replace("<?php\n", "<?php"), CONTENT),
    ("a.php", "<?php f(); ?>\n<b>\n", "<?php f(); ?>\n\n<b>\n", CONTENT),
    ("a.php", "<p>a  b</p><?php f();\n", "<p>a b</p><?php f();\n", CONTENT),
    ("a.php", "<?php\n$a = 'b  c';\n", "<?php\n$a = 'b c';\n", CONTENT),
    ("a.php", "<?php\nf((float) $a);\n", "<?php\nf((float\n) $a);\n", CONTENT),
    ("a.rs", "fn f<'a>(b: &'a A) {}\n", "fn f<'a>(b: &'\na A) {}\n", CONTENT),
    ("a.ts", "let a: B<C>;\n", "let a: B\n<C>;\n", CONTENT),
    ("a.ts", "let a: B[];\n", "let a: B\n[];\n", CONTENT),
    ("a.css", CSS, CSS.replace(" .b {", "  .b{\n ").replace("; ", ";\n"), WHITESPACE),
    ("a.css", CSS, CSS.replace("page", "whole page"), COMMENT),
    ("a.css", CSS, CSS.replace("red;", "red; /* more */\n"), COMMENT),
    ("a.css", CSS, CSS.replace("red", "blue"), CONTENT),
    ("a.css", CSS, CSS.replace(".a .b", ".a.b"), CONTENT),
    ("a.css", CSS, CSS.replace("1px 2px", "1px/**/2px"), CONTENT),
    ("a.css", CSS, CSS.replace("/* page", "/*! page"), CONTENT),
    ("a.css", "a { --b: c  d; }\n", "a { --b: c d; }\n", CONTENT),
    ("a.css", "a { content: 'b  c' }\n", "a { content: 'b c' }\n", CONTENT),
    ("a.css", "a { b: url(data:a;base64,c) }\n", "a { b: url(data:a; base64,c) }\n", CONTENT),
    ("a.css", "a { b: calc(1px + 2px) }\n", "a { b: calc(1px +2px) }\n", CONTENT),
    ("a.tf", HCL, HCL.replace("  c = 1", "    c   = 1"), WHITESPACE),
    ("a.tf", HCL, HCL.replace("# one", "// the one"), COMMENT),
    ("a.tf", HCL, HCL.replace("1", "2"), CONTENT),
    ("a.tf", HCL, HCL.replace("e  $", "e $"), CONTENT),
    ("a.tf", HCL, HCL.replace("# one\n  d", "d"), CONTENT),
    ("a.tf", HCL, HCL.replace("# one", "# tfsec:ignore:AWS001"), CONTENT),
    ("a.tf", "a = <<E\n  b\nE\n", "a = <<E\n b\nE\n", CONTENT),
    ("a.tf", "a = [for b in c : b]\n", "a = [for b inc : b]\n", CONTENT),
    ("a.html", HTML, HTML.replace("a remark", "another remark"), COMMENT),
    ("a.html", HTML, HTML.replace("<!-- a remark -->\n", ""), CONTENT),
    ("a.html", HTML, HTML.replace("two", "three"), CONTENT),
    ("a.html", HTML, HTML.replace("<pre> b", "<pre>  b"), CONTENT),
    ("a.html", HTML, HTML.replace("\n<!--", "\n\n<!--"), CONTENT),
    ("a.html", HTML, HTML.replace("a remark", "[if IE] a remark"), CONTENT),
    ("a.html", HTML, HTML.replace("a remark", "a {% remark %}"), CONTENT),
    ("a.html", "<title><!-- a b --></title>\n", "<title><!-- a c --></title>\n", CONTENT),
    ("a.html", "<textarea><!-- a b --></textarea>\n", "<textarea><!-- a c --></textarea>\n", CONTENT),
    ("a.html", "<style>/* a */ b { c: d }</style>\n", "<style>/* e */ b { c: d }</style>\n", CONTENT),
    ("a.kt", KOTLIN, KOTLIN.replace("// one", "// the one"), COMMENT),
    ("a.kt", KOTLIN, KOTLIN.replace("a + 1", "a + 2"), CONTENT),
    ("a.kt", KOTLIN, KOTLIN.replace("return a", "return\n a"), CONTENT),
    ("a.kt", KOTLIN, KOTLIN.replace("return", "/** Doc. */ return"), CONTENT),
    ("a.kt", 'val a = "b  // c"\n', 'val a = "b  // d"\n', CONTENT),
    ("a.kt", "val a = b/* c */d\n", "val a = bd\n", CONTENT),
    ("a.lua", LUA, LUA.replace("  return", "\treturn"), WHITESPACE),
    ("a.lua", LUA, LUA.replace("a + 1", "a + 1 -- one"), COMMENT),
    ("a.lua", LUA, LUA.replace("a + 1", "a + --[[ one\n ]] 1"), COMMENT),
    ("a.lua", LUA, LUA.replace("a + 1", "a + 2"), CONTENT),
    ("a.lua", LUA, LUA.replace("  return", "  --- @type integer\n  return"), CONTENT),
    ("a.lua", LUA, LUA.replace("a + 1", "a + 1 -- luacheck: ignore"), CONTENT),
    ("a.lua", "a = [==[b  -- c\n]==]\n", "a = [==[b -- c\n]==]\n", CONTENT),
    ("a.lua", "f()\n(g or h)()\n", "f() (g or h)()\n", CONTENT),
    ("a.lua", "a = 1 ..2\n", "a = 1..2\n", CONTENT),
    ("a.lua", "a = - -1\n", "a = --1\n2\n", CONTENT),
    ("a.scala", SCALA, SCALA.replace("// one", "// the one"), COMMENT),
    ("a.scala", SCALA, SCALA.replace("a + 1", "a + 2"), CONTENT),
    ("a.scala", SCALA, SCALA.replace("  def", "    def"), CONTENT),
    ("a.scala", SCALA, SCALA.replace("  def", "  /** Doc. */ def"), CONTENT),
    ("a.scala", 'val a = """b\n // c"""\n', 'val a = """b\n // d"""\n', CONTENT),
    ("a.scala", "val a = b /* c */ d\n", "val a = b /* c\n */ d\n", CONTENT),
    ("a.sql", SQL, SQL.replace("all of them", "all"), COMMENT),
    ("a.sql", SQL, SQL.replace("  WHERE", "  -- but not all\n  WHERE"), COMMENT),
    ("a.sql", SQL, SQL.replace("a = 1", "a = 2"), CONTENT),
    ("a.sql", SQL, SQL.replace("b  -- c", "b  -- d"), CONTENT),
    ("a.sql", SQL, SQL.replace("\n  FROM", "\n FROM"), CONTENT),
    ("a.sql", SQL, SQL.replace("-- all of them", "--all of them"), CONTENT),
    ("a.sql", SQL, SQL.replace("all of them", "+goose Up"), CONTENT),
    ("a.sql", SQL, SQL.replace("FROM", "/*+ HINT */ FROM"), CONTENT),
    ("a.sql", SQL.replace("'b", "'\\'b"), SQL.replace("'b", "'\\'b").replace("all of", "of"), CONTENT),
    ("a.swift", SWIFT, SWIFT.replace("// one", "// the one"), COMMENT),
    ("a.swift", SWIFT, SWIFT.replace(" // one", ""), COMMENT),
    ("a.swift", SWIFT, SWIFT.replace("    return", "    // all of it\n    return"), COMMENT),
    ("a.swift", SWIFT, SWIFT.replace("a + 1", "a + 2"), CONTENT),
    ("a.swift", SWIFT, SWIFT.replace("a + 1", "a +1"), CONTENT),
    ("a.swift", SWIFT, SWIFT.replace("return a", "return\n a"), CONTENT),
    ("a.swift", SWIFT, SWIFT.replace("    return", "    /// Doc.\n    return"), CONTENT),
    ("a.swift", SWIFT, SWIFT.replace("// one", "// swiftlint:disable:this all"), CONTENT),
    (
        "a.swift",
        "// swift-tools-version:5.9\nlet a = 1\n",
        "// swift-tools-version:6.0\nlet a = 1\n",
        CONTENT,
    ),
    ("a.swift", "let a = b/* c */-d\n", "let a = b-d\n", CONTENT),
    ("a.swift", 'let a = """\n // b\n """\n', 'let a = """\n // c\n """\n', CONTENT),
    ("a.swift", "let a = /b\\/\\/c/\n", "let a = /b\\/\\/d/\n", CONTENT),
    ("Makefile", MAKE, MAKE.replace("# all", "# all of it"), COMMENT),
    ("a.mk", MAKE, MAKE.replace("# all", "# all of it"), COMMENT),
    ("Makefile", MAKE, MAKE.replace("# all\n", ""), CONTENT),
    ("Makefile", MAKE, MAKE.replace("b # one", "b # two"), CONTENT),
    ("Makefile", MAKE, MAKE.replace("\tb", "\t\tb"), CONTENT),
    ("Makefile", MAKE, MAKE.replace("# all", "## all"), CONTENT),
    ("Makefile", MAKE, MAKE.replace("# all", "# all \\"), CONTENT),
    ("Makefile", "A = b # c\n", "A = b # d\n", CONTENT),
    ("Makefile", "define A\n# b\nendef\n", "define A\n# c\nendef\n", CONTENT),
    ("Makefile", ".RECIPEPREFIX = >\n" + MAKE, ".RECIPEPREFIX = >\n" + MAKE.replace("# all", "# a"), CONTENT),
    *((f"a{suffix}", BROKEN + "a\n", BROKEN + "a /* b */ -- # c\n", CONTENT) for suffix in EXTRA),
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


@pytest.mark.parametrize("language", [each for each in LANGUAGES if each.extra], ids=lambda each: each.name)
def test_a_text_of_nothing_but_comments_vouches_for_no_place(language: Language) -> None:
    path, before = next((name, old) for name, old, _, _ in ROWS if language_of(name) == language)
    marks = {"css": "/* a b */", "hcl": "# a b", "html": "<!-- a b -->", "lua": "-- a b", "sql": "-- a b"}
    said = marks.get(language.name, "// a b")
    old, new = (f"{before}{each}\n{before}" for each in (said, said.replace("a b", "c d")))
    line = before.count("\n") + 1
    assert judge(old.encode(), Span(line, line), new.encode(), path=path).grade is Grade.CONTENT


@pytest.mark.parametrize("language", [each for each in LANGUAGES if each.extra], ids=lambda each: each.name)
def test_without_its_grammar_every_change_is_content(
    language: Language, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, before, after = next(
        (name, old, new) for name, old, new, said in ROWS if language_of(name) == language and said is COMMENT
    )
    # what stands in `sys.modules` as None cannot be imported, as if it had not been installed
    monkeypatch.setitem(sys.modules, language.package, None)
    grammar_of.cache_clear()
    grading._tree.cache_clear()
    try:
        found = judge(before.encode(), Span(1, before.count("\n")), after.encode(), path=path)
    finally:
        grammar_of.cache_clear()
    assert (found.verdict, found.grade) == (Verdict.STALE, Grade.CONTENT)


LIKE = "int f(int a) {\n    return same_work(a + 1);\n}\n\nint g(int a) {\n    %s\n}\n"
OTHER = "    int h(int a) {\n        return same_work(a + 1);\n    }\n"


@pytest.mark.parametrize(
    ("before", "span", "after"),
    [
        (LIKE % "return same_work(a + 1);", Span(6, 6), LIKE % "return other_work(a + 2);"),
        (LIKE % "return same_work(a + 1);" + OTHER, Span(6, 7), LIKE % "return 7 * a;" + OTHER),
        (LIKE % "return 0;" + OTHER, Span(1, 3), (LIKE % "return 0;").replace("same_work", "x") + OTHER),
        ("int a;\n" + LIKE % "// said\n", Span(3, 3), "int a;\n" + (LIKE % "// said\n").replace("+", "-")),
        ("int f() {\n  work(1);\n}\n", Span(2, 2), "int f() {\n  // work(1);\n}\n"),
    ],
)
def test_a_text_like_it_elsewhere_hides_no_change(before: str, span: Span, after: str) -> None:
    """A change of the cited text is content, though an equal copy, or one in other form, stands there."""
    assert judge(before.encode(), span, after.encode(), path="a.c").grade is not Grade.COSMETIC


def test_blank_lines_before_the_rest_of_a_literal_are_part_of_it() -> None:
    before = 'auto a = R"(\n b\n c)"; int  d;\nint e;\n'
    after = 'auto a = R"(\n b\n\n c)"; int d;\nint e;\n'
    assert judge(before.encode(), Span(3, 3), after.encode(), path="a.cpp").grade is not Grade.COSMETIC


LONG = """fn f() {
  greet("Dear reader,
  this is line two
  and this is line three", first,  second);
  part(third,  fourth, "So long,
  and thanks for all
");
}
"""


@pytest.mark.parametrize("span", [Span(3, 4), Span(4, 4), Span(4, 5), Span(5, 6), Span(3, 6)])
def test_a_citation_may_begin_or_end_inside_a_literal_whose_other_lines_stand(span: Span) -> None:
    after = LONG.replace(",  ", ", ")
    assert judge(LONG.encode(), span, after.encode(), path="a.rs").grade is Grade.COSMETIC


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("two\n", "two\n\n"),
        ("two\n", "two \n"),
        ("two\n", "one\n"),
        ("  and this", " and this"),
        ("all\n", "\nall\n"),
        ("long,\n", "long, \n"),
        ("long,\n", "long,\n\n"),
        ("all\n", "all \n"),
    ],
)
def test_what_changed_in_a_literal_at_its_edge_is_content(old: str, new: str) -> None:
    changed = LONG.replace(old, new).replace(",  ", ", ").encode()
    assert judge(LONG.encode(), Span(4, 5), changed, path="a.rs").grade is not Grade.COSMETIC


def test_what_came_in_beside_a_comment_is_not_overlooked() -> None:
    before = "int f() {\n  work(1);\n}\n/* says what */\nint g();\n"
    after = before.replace("says what", "says").replace("*/\n", "*/\nint h();\n")
    assert judge(before.encode(), Span(2, 4), after.encode(), path="a.c").grade is not Grade.COSMETIC


def test_a_reformatted_text_is_cosmetic_between_reformatted_neighbours() -> None:
    before = "int f(int a) {\n  work(a, 1);\n  work(a, 2);\n  rest(a, 3);\n}\n"
    after = "int\nf(int a)\n{\n    work(a,\n         1);\n    work(a,\n         2);\n    rest(a, 3);\n}\n"
    found = judge(before.encode(), Span(3, 3), after.encode(), path="a.c")
    assert (found.grade, found.reason) == (Grade.COSMETIC, WHITESPACE)
    assert found.nearest is not None
    assert found.nearest.span == Span(6, 7)
