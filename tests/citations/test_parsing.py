"""Grammars are loaded when needed, bounded, and never raise (E4, `grammars`)."""

from __future__ import annotations

import pytest

from stilltrue.citations import parsing
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


DEEP = b"".join(b" " * depth + b"a:\n" for depth in range(300))


@pytest.mark.parametrize(
    ("name", "trap"),
    [
        pytest.param("yaml", b"- " * 10_000, id="yaml sequences"),
        pytest.param("yaml", b"a:\n" + b"? " * 10_000, id="yaml keys"),
        pytest.param("yaml", DEEP, id="yaml mappings"),
        pytest.param("yaml", DEEP.replace(b"\n", b"\r"), id="yaml mappings, old line ends"),
        pytest.param("yaml", b" " * 100 + b"- " * 200, id="yaml sequences further in"),
        pytest.param("rust", b"%q(" * 100_000, id="rust brackets"),
        pytest.param("java", b"%q(" * 100_000 + b")" * 100_000, id="java brackets"),
        pytest.param("java", b"a<" * 100_000, id="java type arguments"),
        pytest.param("c_sharp", b"int a;" + b"a<" * 100_000, id="c# type arguments"),
        pytest.param("swift", b"let a = 1\n" + b"/*" * 100_000, id="swift comments"),
        pytest.param("kotlin", b"/*" * 100_000 + b"*/", id="kotlin comments"),
        pytest.param("swift", b"#" * 100_000, id="swift delimiters"),
        pytest.param("bash", b"\0" * 100_000, id="nul bytes"),
        pytest.param("lua", b"\xff" * 100_000, id="bytes of no text"),
        pytest.param("scala", b"`" * 100_000, id="scala names"),
    ],
)
def test_what_no_callback_could_stop_is_not_parsed(name: str, trap: bytes) -> None:
    """Each of these once hung the parser for minutes, or ended the process."""
    (language,) = (each for each in LANGUAGES if each.name == name)
    assert parse(language, trap) is None


@pytest.mark.parametrize(
    ("name", "sound"),
    [
        ("yaml", b"".join(b" " * depth + b"a:\n" for depth in range(100))),
        ("yaml", b"- " * 100 + b"a"),
        ("yaml", b"a: " + b"b - c " * 100),
        ("json", b"[" * 400 + b"]" * 400),
        (
            "java",
            b"class A { boolean f(int a) { " + b"if (a < 1) return a < 2; " * 2_000 + b"return 1 < 2; } }",
        ),
        ("kotlin", b"/* a /* b */ c */\n" * 2_000),
        ("swift", b"// see docs/*\n" * 300),
        ("markdown", b"|" + b"-" * 5_000 + b"|\n"),
    ],
)
def test_what_people_write_is_no_trap(name: str, sound: bytes) -> None:
    (language,) = (each for each in LANGUAGES if each.name == name)
    assert parse(language, sound) is not None


def test_work_is_bounded_by_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    (python,) = (each for each in LANGUAGES if each.name == "python")
    text = b"a = f(1, [2, 3])\n" * 1_000
    assert parse(python, text) is not None
    monkeypatch.setattr(parsing, "FEWEST_STEPS", -len(text))
    assert parse(python, text) is None
