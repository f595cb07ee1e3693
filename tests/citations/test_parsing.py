"""Grammars are loaded when needed, bounded, and never raise (E4, `grammars`)."""

from __future__ import annotations

import pytest

from stilltrue.citations.languages import LANGUAGES, Language, language_of
from stilltrue.citations.parsing import MAX_BYTES, grammar_of, parse

SAMPLES = {
    "python": b"def f(x):\n    return x\n",
    "json": b'{"a": [1, 2]}\n',
    "go": b"package a\n\nfunc f() int { return 1 }\n",
    "rust": b"fn f() -> i32 { 1 }\n",
    "tsx": b"const a = <b>c</b>;\n",
}


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.name)
def test_every_carried_grammar_loads_and_parses(language: Language) -> None:
    assert grammar_of(language) is not None
    tree = parse(language, SAMPLES.get(language.name, b"a\n"))
    assert tree is not None
    if language.name in SAMPLES:
        assert not tree.root_node.has_error


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("a.py", "python"),
        ("src/A.PY", "python"),
        ("a.b.ts", "typescript"),
        ("x/Gemfile", "ruby"),
        ("a.tsx", "tsx"),
        (".bashrc", "bash"),
        ("Cargo.lock", "toml"),
    ],
)
def test_a_language_is_told_by_the_name(path: str, name: str) -> None:
    found = language_of(path)
    assert found is not None
    assert found.name == name


@pytest.mark.parametrize("path", ["a", "a.unknown", ".py", "py", "a.py/b", ""])
def test_other_names_have_no_language(path: str) -> None:
    assert language_of(path) is None


def test_a_missing_grammar_is_an_answer() -> None:
    missing = Language(name="none", package="no_such_grammar", suffixes=(".none",))
    assert grammar_of(missing) is None
    assert parse(missing, b"text") is None


def test_a_text_that_is_too_large_is_not_parsed() -> None:
    (python,) = (each for each in LANGUAGES if each.name == "python")
    assert parse(python, b"#" * (MAX_BYTES + 1)) is None


@pytest.mark.parametrize("text", [b"(" * 50_000, b"{" * 50_000, b"[" * 50_000, b"\0\xff" * 1000, b'"' * 999])
@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.name)
def test_hostile_text_ends(language: Language, text: bytes) -> None:
    tree = parse(language, text)
    assert tree is None or tree.root_node.end_byte <= len(text)
