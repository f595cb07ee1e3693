"""Places that people write into Markdown, and everything that only looks like one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stilltrue.citations.mentions import Block, Mention, blocks, mention_of
from stilltrue.model.citation import Span


def only(markdown: str) -> Block:
    (block,) = blocks(markdown)
    return block


def places(markdown: str) -> list[tuple[str, int, int]]:
    return [
        (each.path, each.span.start, each.span.end) for block in blocks(markdown) for each in block.mentions
    ]


@pytest.mark.parametrize(
    ("written", "path", "start", "end"),
    [
        ("src/a.py:10", "src/a.py", 10, 10),
        ("src/a.py:10-20", "src/a.py", 10, 20),
        ("src/a.py:10–20", "src/a.py", 10, 20),
        ("src/a.py#L10", "src/a.py", 10, 10),
        ("src/a.py#L10-L20", "src/a.py", 10, 20),
        ("src/a.py#L10-20", "src/a.py", 10, 20),
        ("src/a.py#L10C5-L20C9", "src/a.py", 10, 20),
        ("src/a.py:10:5", "src/a.py", 10, 10),
        ("src/a.py:0", "src/a.py", 0, 0),
        ("src/a.py:3-2", "src/a.py", 3, 2),
        ("./src/a.py:10", "./src/a.py", 10, 10),
        ("/src/a.py:10", "/src/a.py", 10, 10),
        ("../a.py:10", "../a.py", 10, 10),
        ("src/__init__.py:10", "src/__init__.py", 10, 10),
        ("__init__.py:10", "__init__.py", 10, 10),
        ("src/_a_b_.py:10", "src/_a_b_.py", 10, 10),
        (r"src\win.py:10", "src/win.py", 10, 10),
        ("docs/über.md:10", "docs/über.md", 10, 10),
        ("app/(group)/[id]/page.tsx:10", "app/(group)/[id]/page.tsx", 10, 10),
        ("@docs/a.md:10", "@docs/a.md", 10, 10),
        ("c++/a+b.cc:10", "c++/a+b.cc", 10, 10),
        (".github/workflows/ci.yml:10", ".github/workflows/ci.yml", 10, 10),
        ("x.ipynb:10", "x.ipynb", 10, 10),
    ],
)
@pytest.mark.parametrize(
    "around", ["See {}.", "See `{}`, too", "({})", "- {}: text", "> “{}”", "| {} | text |\n|---|---|"]
)
def test_a_place_is_found_as_people_write_it(
    written: str, path: str, start: int, end: int, around: str
) -> None:
    assert places(around.format(written)) == [(path, start, end)]


@pytest.mark.parametrize(
    ("around", "text"),
    [
        ("see **src/a.py:1**", "see src/a.py:1"),
        ("see _src/a.py:1_.", "see src/a.py:1."),
        ("see __src/a.py:1__", "see src/a.py:1"),
        ("_see src/a.py:1_", "see src/a.py:1"),
        ("参见`src/a.py:1`中的重试", "参见src/a.py:1中的重试"),
        ("a=src/a.py:1;b", "a=src/a.py:1;b"),
        ("see src/a.py:1<br>now", "see src/a.py:1 now"),
        ("see <b>src/a.py:1</b>", "see src/a.py:1"),
        ("see &lt;src/a.py:1&gt;", "see <src/a.py:1>"),
        ("see ~~not~~ src/a.py:1", "see not src/a.py:1"),
        ("a ![picture of it](x.png) src/a.py:1", "a picture of it src/a.py:1"),
        ("one\ntwo  \nthree\\\nfour src/a.py:1", "one two three four src/a.py:1"),
        ("snake_case_name and *_both_* src/a.py:1", "snake_case_name and both src/a.py:1"),
    ],
)
def test_the_text_is_what_a_person_reads(around: str, text: str) -> None:
    assert only(around).text == text
    assert places(around) == [("src/a.py", 1, 1)]


@pytest.mark.parametrize(
    "nothing",
    [
        "https://host:8080",
        "https://host:8080/a.py:3",
        "<https://host:8080>",
        "https://github.com/o/r/blob/main/src/a.py#L10-L20",
        "[x](https://github.com/o/r/blob/main/src/a.py#L10)",
        "file:///src/a.py:10",
        "https://x.org/?file=a.py:3",
        "www.example.org/a.html:80",
        "//cdn/a.js:3",
        "12:30",
        "at 12:30:05",
        "16:9",
        "1/2:3",
        "python 3.11:2",
        r"C:\src\a.py:10",
        "C:/src/a.py:10",
        "C:10",
        r"\\\\host\share\a.py:10",
        "git@host.org:22",
        "git@host.org:22/x.git",
        "localhost:3000/a.js:3",
        "a.py:10abc",
        "a.py:10.5",
        "a.py:1,2",
        "a.py:1-x",
        "a.py:99999999999",
        "a.py: 10",
        "a.py 10",
        "a.py",
        "a.py#heading",
        "${HOME}/a.py:3",
        "src/*.py:3",
        "etc.:3",
        "src/:3",
        "",
    ],
)
@pytest.mark.parametrize("around", ["See {} there", "`{}`"])
def test_what_only_looks_like_a_place_is_none(nothing: str, around: str) -> None:
    assert places(around.format(nothing)) == []


@pytest.mark.parametrize(
    "doubtful",
    ["localhost:3000", "foo.com:443", "db.internal:5432", "Note:5", "python:3", "v1.2:3", "ghcr.io/a/b:3"],
)
def test_what_may_be_something_else_is_told_apart(doubtful: str) -> None:
    (mention,) = only(f"See `{doubtful}`.").mentions
    assert not mention.is_certain


@pytest.mark.parametrize("certain", ["a.py:3", "src/a.configuration:3", "LICENSE#L3", "app/x.py:3"])
def test_what_is_nothing_but_a_place_is_certain(certain: str) -> None:
    (mention,) = only(f"See `{certain}`.").mentions
    assert mention.is_certain


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("src/a.py#L10-L20", Mention("src/a.py", Span(10, 20), is_link=True)),
        ("a.py:10", Mention("a.py", Span(10, 10), is_link=True)),
        ("../my%20files/a.py#L1", Mention("../my files/a.py", Span(1, 1), is_link=True)),
        ("a.md?plain=1#L3", Mention("a.md", Span(3, 3), is_link=True)),
        ("a.md#section", None),
        ("#L10", None),
        ("mailto:10", Mention("mailto", Span(10, 10), is_link=True, is_certain=False)),
        ("https://host/a.py#L3", None),
        ("//host/a.py#L3", None),
        ("", None),
    ],
)
def test_a_link_names_the_place_it_leads_to(target: str, expected: Mention | None) -> None:
    assert mention_of(target) == expected


def test_a_link_and_its_text_are_read() -> None:
    block = only("The [retry loop](src/a.py#L4-L6) and [another][ref].\n\n[ref]: src/my%20b.py#L1")

    assert block.text == "The retry loop and another."
    assert [each.path for each in block.mentions] == ["src/a.py", "src/my b.py"]
    assert all(each.is_link for each in block.mentions)


def test_a_place_that_is_named_twice_in_a_block_is_there_once() -> None:
    assert places("src/a.py:1, `src/a.py:1` and src/a.py:2") == [("src/a.py", 1, 1), ("src/a.py", 2, 2)]


DOCUMENT = """\
---
title: src/front.py:1
---
# Retries and `more`

A paragraph
over lines, src/a.py:1.

- An item
  over lines, src/a.py:2.

  Its second paragraph.
  - A sub-item, src/a.py:3
    1. Deeper, src/a.py:4

    Still the sub-item, src/a.py:5.
  > Quoted in the item, src/a.py:6.
- [x] Nothing here

## Values

| Name | Where | |
|---|:-:|---|
| attempts | `src/a.py:7` | often |
| nothing | | |

> A quote, src/a.py:8.
> - and an item, src/a.py:9

Setext src/a.py:10
------------------

```python
src/a.py:90
```

    src/a.py:91

<!-- src/a.py:92 -->
<div>
src/a.py:93
</div>

Inline <!-- src/a.py:94 --> comment <a href="src/a.py:95">src/a.py:11</a>
"""


def test_a_block_is_a_paragraph_an_item_or_a_row_and_its_subject_the_nearest_heading() -> None:
    found = [(block.line, block.heading, block.text) for block in blocks(DOCUMENT)]

    assert found == [
        (6, "Retries and more", "A paragraph over lines, src/a.py:1."),
        (9, "Retries and more", "An item over lines, src/a.py:2. Its second paragraph."),
        (13, "Retries and more", "A sub-item, src/a.py:3 Still the sub-item, src/a.py:5."),
        (14, "Retries and more", "Deeper, src/a.py:4"),
        (17, "Retries and more", "Quoted in the item, src/a.py:6."),
        (24, "Values", "Name: attempts; Where: src/a.py:7; often"),
        (27, "Values", "A quote, src/a.py:8."),
        (28, "Values", "and an item, src/a.py:9"),
        (30, "Values", "Setext src/a.py:10"),
        (44, "Setext src/a.py:10", "Inline comment src/a.py:11"),
    ]
    assert [block.line for block in blocks(DOCUMENT) if block.is_heading] == [30]


@pytest.mark.parametrize("line_end", ["\r\n", "\r"])
def test_line_ends_and_a_byte_order_mark_change_nothing(line_end: str) -> None:
    assert list(blocks("\ufeff" + DOCUMENT.replace("\n", line_end))) == list(blocks(DOCUMENT))


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("---\n\nText src/a.py:1\n\n---\n", 3),
        ("---\nText src/a.py\n---\n\nsrc/a.py:1 is it\n", 5),
        ("+++\na = 'src/b.py:1'\n+++\nText src/a.py:1\n", 4),
        ("---\na: src/b.py:1\n...\nText src/a.py:1\n", 4),
        ("---\na: 1\n\nText src/a.py:1\n", 4),
    ],
)
def test_only_front_matter_is_passed_over_as_such(text: str, line: int) -> None:
    assert places(text) == [("src/a.py", 1, 1)]
    assert only(text).line == line


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("- `src/a.py:1`", False),
        ("- **src/a.py:1**, `src/b.py:2`!", False),
        ("- [src/a.py:1](src/a.py#L1)", False),
        ("- see `src/a.py:1`", True),
        ("- [the loop](src/a.py#L1)", True),
    ],
)
def test_a_block_that_is_nothing_but_places_says_nothing(text: str, *, says: bool) -> None:
    assert only(text).says_something is says


@given(st.text(alphabet=st.sampled_from("aL1:#-/._*`[]()<>|\\\n \0\1&~!@é\r")))
def test_no_text_is_too_strange(text: str) -> None:
    for block in blocks(text):
        assert 1 <= block.line <= text.count("\n") + text.count("\r") + 1
        assert block.mentions
        assert not {"\0", "\1", "\n"} & set(block.text)


@pytest.mark.parametrize(
    "text",
    [
        "a" * 200_000,
        "a_" * 50_000,
        "(" * 100_000,
        "a://" * 50_000,
        "[a](" * 20_000,
        ">" * 5_000,
        "_a:1 " * 20_000,
    ],
    ids=lambda text: text[:5],
)
def test_long_and_nested_texts_come_to_an_end(text: str) -> None:
    assert places(text + "\n\nsee src/a.py:1")[-1:] == [("src/a.py", 1, 1)]
