"""C and C++, graded by preprocessing tokens: what is cosmetic, and what never is (design 4; E10, D12)."""

from __future__ import annotations

import pytest

from stilltrue.citations.c_tokens import meanings
from stilltrue.citations.cosmetic_rules import RULES
from stilltrue.citations.parsing import MAX_BYTES
from stilltrue.model.citation import Span
from stilltrue.model.verdict import Grade, Reason, Verdict
from support.grades import judge

WHITESPACE, COMMENT, CONTENT = Reason.WHITESPACE, Reason.COMMENT, Reason.TEXT_CHANGED
F = "static int f(int a, int *b)\n{\n    /* adds */\n    return a + *b;\n}\n"
MACRO = "#define MOST(a, b) \\\n    ((a) > (b) ? (a) : (b))\n"
TEXT = "#define TEXT(a) #a\n#define TOLD(a) TEXT(a)\n"
ASM = 'void f(void) { asm volatile("nop" : : "r"(a)); }\n'

ROWS = [
    pytest.param(before, after, reason, id=name)
    for name, before, after, reason in [
        ("a definition", F, F.replace("\n{", " {").replace("a + *b", "a  +\n *b"), WHITESPACE),
        ("a star at the other side", F, F.replace("int *b", "int* b"), WHITESPACE),
        ("a comment reworded", F, F.replace("adds", "adds both"), COMMENT),
        ("a comment gone", F, F.replace("    /* adds */\n", ""), COMMENT),
        ("a comment that came", F, F.replace("*b;", "*b; // and no more"), COMMENT),
        ("code in a comment", F, F.replace("return", "// return"), CONTENT),
        ("a comment opened", F, F.replace(" */", " "), CONTENT),
        ("another token", F, F.replace("a + *b", "a - *b"), CONTENT),
        ("two words are one", F, F.replace("static int", "staticint"), CONTENT),
        ("a comment parts two words", F, F.replace("static int", "static/**/int"), COMMENT),
        ("two signs are one", "a = b + +c;\n", "a = b ++c;\n", CONTENT),
        ("a sign is two", "a >>= 1;\n", "a >> = 1;\n", CONTENT),
        ("a comment parts two signs", "a +/**/+ b;\n", "a ++ b;\n", CONTENT),
        ("a number takes a sign", "a = 0x1e + 5;\n", "a = 0x1e+5;\n", CONTENT),
        ("a member is a number", "a. b5;\n", "a .b5;\n", WHITESPACE),
        ("white space in a literal", 'a = "b  c";\n', 'a = "b c";\n', CONTENT),
        ("a comment in a literal", 'a = "b /* c */";\n', 'a = "b /* d */";\n', CONTENT),
        ("a literal's prefix", 'a = L"b";\n', 'a = L "b";\n', CONTENT),
        ("a literal's suffix", 'a = "b"_c;\n', 'a = "b" _c;\n', CONTENT),
        ("literals side by side", 'a = "b"  "c";\n', 'a = "b"\n  "c";\n', WHITESPACE),
        ("a quote that does not end", "#if 0\nit's  so\n#endif\n", "#if 0\nit's so\n#endif\n", CONTENT),
        ("an include", "#include <a.h>\n", "#  include   <a.h> // for b\n", COMMENT),
        ("an include's name", "#include <a//b.h>\n", "#include <a//c.h>\n", CONTENT),
        ("an include's name behind a comment", "#include /**/ <a//b>\n", "#include /**/ <a//c>\n", CONTENT),
        ("another include", '#include "a.h"\n', "#include <a.h>\n", CONTENT),
        ("a macro's marks move", MACRO, MACRO.replace(" \\", "      \\"), WHITESPACE),
        ("a macro on one line", MACRO, MACRO.replace("\\\n ", ""), WHITESPACE),
        ("a macro that ends early", MACRO, MACRO.replace("\\", ""), CONTENT),
        ("a macro's text", MACRO, MACRO.replace(" > ", ">"), CONTENT),
        ("a macro with arguments", "#define A(b) b\n", "#define A (b) b\n", CONTENT),
        ("pasting", "#define A(b) b ## c\n", "#define A(b) b##c\n", WHITESPACE),
        ("pasting apart", "#define A(b) b ## c\n", "#define A(b) b # # c\n", CONTENT),
        ("a macro's comment", "#define A 1 /* one */\n", "#define A 1 /* the one */\n", COMMENT),
        ("text made by a macro", TEXT + "TEXT(a + b)\n", TEXT + "TEXT(a+b)\n", CONTENT),
        ("text made by two macros", TEXT + "TOLD(a + b)\n", TEXT + "TOLD(a+b)\n", CONTENT),
        ("text made of the same", TEXT + "TEXT(a + b)\n", TEXT + "TEXT( a  +\n b )\n", CONTENT),
        ("how much of it", TEXT + "TEXT(a + b)\n", TEXT + "TEXT(a  +\n b)\n", WHITESPACE),
        ("behind it", TEXT + "TEXT(a) + b\n", TEXT + "TEXT(a)+b\n", WHITESPACE),
        ("a condition", "#if A && B\n#endif\n", "#if A&&B\n#endif\n", WHITESPACE),
        ("a condition's signs", "#if A & & B\n#endif\n", "#if A && B\n#endif\n", CONTENT),
        ("another condition", "#if A\n#endif\n", "#ifdef A\n#endif\n", CONTENT),
        ("code that is switched off", "#if 0\na b\n#endif\n", "#if 0\na  b\n#endif\n", WHITESPACE),
        ("what is switched off", "#if 0\na;\n#endif\nb;\n", "#if 0\na;\nb;\n#endif\n", CONTENT),
        ("a directive that was code", "a\n#b\n", "a #b\n", CONTENT),
        ("what an error says", "#error a  b\n", "#error a b\n", CONTENT),
        ("what an error says behind //", "#error a // b\n", "#error a // c\n", CONTENT),
        ("a pragma", "#pragma a b\n", "#pragma a  b\n", CONTENT),
        ("instructions", ASM, ASM.replace(" : ", "\n: "), WHITESPACE),
        ("instructions without quotes", "asm { nop\nnop }\n", "asm { nop nop }\n", CONTENT),
        ("documentation", "/** Adds. */\nint a;\n", "/** Counts. */\nint a;\n", CONTENT),
        ("what tells a tool", "a; // NOLINT\n", "a;\n", CONTENT),
        ("what a tool is told about", "// NOLINTNEXTLINE\na; b;\n", "// NOLINTNEXTLINE\na;\nb;\n", CONTENT),
        ("blanks in that", "// NOLINTNEXTLINE\nf(a,b);\n", "// NOLINTNEXTLINE\nf(a, b);\n", WHITESPACE),
        ("a joined line", "a = b \\\n  + c;\n", "a = b + c;\n", WHITESPACE),
        ("a word on two lines", "a = bc;\n", "a = b\\\nc;\n", CONTENT),
        ("a comment's line that goes on", "a; // b\nc;\n", "a; // b \\\nc;\n", CONTENT),
        ("a mark before a blank", "a; // b\nc;\n", "a; // b \\ \nc;\n", CONTENT),
        ("a comment begun on two lines", "a  b; /\\\n/ c\n", "a b; /\\\n/ c\n", CONTENT),
        ("digraphs", "%:define A  1\na b;\n", "%:define A 1\na  b;\n", CONTENT),
        ("digraphs that are signs", "a<:1:> = 2;\n", "a<: 1 :>  = 2;\n", WHITESPACE),
        ("digraphs taken apart", "a<:1:> = 2;\n", "a< :1:> = 2;\n", CONTENT),
        ("trigraphs", "a b; // c??/\nd;\n", "a  b; // c??/\nd;\n", CONTENT),
        ("a name written in numbers", "a\\u00e9 b;\n", "a\\u00e9  b;\n", WHITESPACE),
        ("a mark that stands alone", "a \\ b c;\n", "a \\ b  c;\n", CONTENT),
        ("a module", "import  a;\nb c;\n", "import a;\nb  c;\n", CONTENT),
    ]
]


@pytest.mark.parametrize("path", ["a.c", "a.h", "a.cpp", "a.hpp"])
@pytest.mark.parametrize(("before", "after", "reason"), ROWS)
def test_a_change_is_graded_by_tokens(path: str, before: str, after: str, reason: Reason) -> None:
    found = judge(before.encode(), Span(1, before.count("\n")), after.encode(), path=path)
    grade = Grade.CONTENT if reason is CONTENT else Grade.COSMETIC
    assert (found.verdict, found.reason, found.grade) == (Verdict.STALE, reason, grade)


NOT_WHOLE = [
    "BEGIN_DECLS\n%s}\n",
    "#if A\nvoid g() {\n#else\nvoid g(int a) {\n#endif\n}\n%s",
    "FOREACH (a, b)\n  work(a)\nEND\n%s",
    "}} ]] ((( <<<\n%s>>> (( [[\n",
    "@interface A : B\n%s@end\n",
]


@pytest.mark.parametrize("around", NOT_WHOLE)
def test_a_file_need_not_parse_whole(around: str) -> None:
    before, first = around % F, around[: around.index("%s")].count("\n") + 1
    span = Span(first, first + F.count("\n") - 1)
    laid_out = around % F.replace("    ", "\t").replace("\n{", " {")
    assert judge(before.encode(), span, laid_out.encode(), path="a.c").grade is Grade.COSMETIC
    changed = around % F.replace("    ", "\t").replace("+ *b", "- *b")
    assert judge(before.encode(), span, changed.encode(), path="a.c").grade is Grade.CONTENT


@pytest.mark.parametrize(
    "said",
    [
        '/* that does not end "\n',
        'auto a = R"b(that does not end)c";\n',
        "asm { mov a, b }\n",
        "it's /* to some a comment, */\n",
    ],
)
def test_where_compilers_may_differ_all_is_content(said: str) -> None:
    before = F + said
    after = before.replace("    return", "\treturn")
    assert judge(before.encode(), Span(1, 5), after.encode(), path="a.cpp").grade is Grade.CONTENT


RAW = 'auto a = R"b(one  /* two */\n  three )" four)b"; int  c;\n'


@pytest.mark.parametrize(
    ("after", "grade"),
    [
        (RAW.replace("int  c", "int c"), Grade.COSMETIC),
        (RAW.replace("one  ", "one "), Grade.CONTENT),
        (RAW.replace("/* two */", "/* 2 */"), Grade.CONTENT),
        (RAW.replace("\n  three", "\n three"), Grade.CONTENT),
        (RAW.replace('R"b', 'R "b'), Grade.CONTENT),
    ],
)
def test_raw_strings_count_byte_by_byte(after: str, grade: Grade) -> None:
    assert judge(RAW.encode(), Span(1, 2), after.encode(), path="a.cpp").grade is grade


def test_what_only_some_read_as_a_raw_string_is_content_in_c() -> None:
    """A header may be read as C, as older C, and as C++."""
    after = RAW.replace("int  c", "int c")
    assert judge(RAW.encode(), Span(1, 2), after.encode(), path="a.h").grade is Grade.CONTENT
    one_line = 'char *a = R"(b)"; int  c;\n'
    found = judge(one_line.encode(), Span(1, 1), one_line.replace("int  c", "int c").encode(), path="a.h")
    assert found.grade is Grade.COSMETIC


def test_a_citation_that_begins_inside_a_literal_is_content() -> None:
    before = 'auto a = R"(\n b\n c)"; int  d;\nint e;\n'
    after = before.replace("int  d", "int d")
    assert judge(before.encode(), Span(3, 3), after.encode(), path="a.cpp").grade is Grade.CONTENT


def test_lines_of_a_long_macro_may_be_cited() -> None:
    before = "#define A(b) do { \\\n    work(b, 1); \\\n    rest(b, 2); \\\n  } while (0)\nint a;\n"
    after = before.replace("work(b, 1); \\", "work(b, 1);      \\")
    assert judge(before.encode(), Span(2, 3), after.encode(), path="a.c").grade is Grade.COSMETIC
    after = before.replace("work(b, 1); \\", "work(b, 1); /* \\ */")
    assert judge(before.encode(), Span(2, 3), after.encode(), path="a.c").grade is Grade.CONTENT


def test_a_text_too_large_to_read_says_nothing() -> None:
    old, new = (b"int a;" + blanks + b"\n" * MAX_BYTES for blanks in (b"", b" "))
    assert meanings(RULES["c"], old, new, (0, 7)) is None


def test_many_macros_that_use_each_other_are_read_in_one_pass() -> None:
    """A hostile text costs no more than its size."""
    macros = "".join(f"#define A{n}(b) A{n + 1}(b)\n" for n in range(4000)) + "#define A4000(b) #b\n"
    before = macros + "A0(c + d)\n"
    span = Span(4002, 4002)
    assert judge(before.encode(), span, before.replace("c + d", "c+d").encode(), path="a.c").grade is (
        Grade.CONTENT
    )
    assert judge(before.encode(), span, before.replace("c + d", "c  + d").encode(), path="a.c").grade is (
        Grade.COSMETIC
    )
