from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stilltrue.citations.specs import CitationSpec, parse_spec, spec_from_fields
from stilltrue.errors import CitationError
from stilltrue.model.citation import CitationKind, Span

COMMIT = "0123456789abcdef0123456789abcdef01234567"


@pytest.mark.parametrize(
    ("written", "path", "span", "symbol"),
    [
        ("src/a.py:10-20", "src/a.py", Span(10, 20), None),
        ("src/a.py:10", "src/a.py", Span(10, 10), None),
        ("src/a.py:10-20#Client.send", "src/a.py", Span(10, 20), "Client.send"),
        ("src/a.py:10#f", "src/a.py", Span(10, 10), "f"),
        ("ab:c.py:3", "ab:c.py", Span(3, 3), None),
        ("ab:5:3", "ab:5", Span(3, 3), None),
        ("./a.py:1", "a.py", Span(1, 1), None),
        ("a.py:1-2#", "a.py", Span(1, 2), None),
        ("a.py:1#a#b", "a.py", Span(1, 1), "a#b"),
    ],
)
def test_lines_of_a_file_are_written_with_a_colon(
    written: str, path: str, span: Span, symbol: str | None
) -> None:
    assert parse_spec(written) == CitationSpec(kind=CitationKind.SPAN, path=path, span=span, symbol=symbol)


@pytest.mark.parametrize("written", ["a.py:0", "a.py:-1", "a.py:0-1", "a.py:3-2", "a.py:-4--2"])
def test_d19_lines_are_kept_as_written_for_the_text_to_refuse(written: str) -> None:
    spec = parse_spec(written)
    assert spec.span is not None
    assert spec.span.start < 1 or spec.span.end < spec.span.start


@pytest.mark.parametrize("written", ["a.py", "src/a.py", "a.py#", "a.py:x", "a.py:1-", "a.py:1-x", "..foo/a"])
def test_a_path_alone_is_the_whole_file(written: str) -> None:
    spec = parse_spec(written)
    assert (spec.kind, spec.span, spec.symbol) == (CitationKind.FILE, None, None)


def test_a_symbol_is_written_with_a_hash() -> None:
    assert parse_spec("src/a.py#Client.send") == CitationSpec(
        kind=CitationKind.SYMBOL, path="src/a.py", symbol="Client.send"
    )


@pytest.mark.parametrize(
    ("written", "path", "commit"),
    [
        (f"@{COMMIT}", None, COMMIT),
        ("@0123ABCD", None, "0123abcd"),
        (f"@{COMMIT}:src/a.py", "src/a.py", COMMIT),
        ("@abcd:./ab:c#d", "ab:c#d", "abcd"),
    ],
)
def test_a_commit_is_written_with_an_at(written: str, path: str | None, commit: str) -> None:
    assert parse_spec(written) == CitationSpec(kind=CitationKind.COMMIT, path=path, commit=commit)


@pytest.mark.parametrize(
    "written",
    [
        "",
        "#f",
        "/etc/passwd",
        "/etc/passwd:1",
        "../x:1",
        "a/../../x",
        "a/..#f",
        "C:\\x",
        "C:\\x:1",
        "C:7",
        "\\\\host\\x",
        "~/.ssh/id",
        "a\0b:1",
        "src/:1",
        "@",
        "@xyz",
        "@abc",
        "@HEAD",
        "@--help",
        f"@{'0' * 65}",
        "@abcd:",
        "@abcd:../x",
        "@abcd:/etc/passwd",
    ],
)
def test_d16_a_spec_that_names_nothing_citable_is_refused(written: str) -> None:
    with pytest.raises(CitationError):
        parse_spec(written)


@given(st.text(st.sampled_from("a.:#@-/\\0123~\0\n é"), max_size=14))
def test_any_text_is_read_or_refused_and_nothing_else(written: str) -> None:
    try:
        spec = parse_spec(written)
    except CitationError:
        return
    assert spec.path or spec.kind is CitationKind.COMMIT
    assert (spec.span is not None) == (spec.kind is CitationKind.SPAN)


def test_fields_ask_for_what_the_written_form_asks_for() -> None:
    assert spec_from_fields("a.py", 1, 2, "f") == parse_spec("a.py:1-2#f")
    assert spec_from_fields("a.py", 1) == parse_spec("a.py:1")
    assert spec_from_fields("a.py", None, None, "f") == parse_spec("a.py#f")
    assert spec_from_fields("a.py") == spec_from_fields("a.py", symbol="") == parse_spec("a.py")


def test_fields_may_hold_names_the_written_form_cannot() -> None:
    assert spec_from_fields("ab:1#c.py", 3).path == "ab:1#c.py"


@pytest.mark.parametrize(
    "fields",
    [
        (None,),
        (7,),
        ("",),
        ("../x", 1),
        ("/etc/passwd", 1),
        ("a.py", "1"),
        ("a.py", 1.5),
        ("a.py", True),
        ("a.py", 1, "2"),
        ("a.py", 1, False),
        ("a.py", None, 2),
        ("a.py", 1, 2, 3),
    ],
)
def test_fields_of_the_wrong_type_are_refused(fields: tuple[object, ...]) -> None:
    with pytest.raises(CitationError):
        spec_from_fields(*fields)
