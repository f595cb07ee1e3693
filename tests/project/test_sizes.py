"""How long modules and functions may be, and which files must not be there at all."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = ("core", "lsp_server")
FROZEN = ROOT / "core" / "stilltrue" / "store" / "migrations" / "versions"
"""Steps that were run in somebody's store are a record: they are never edited, nor split."""

LONGEST_MODULE = 300
LONGEST_FUNCTION = 40


def modules() -> list[Path]:
    files = (file for package in PACKAGES for file in (ROOT / package).rglob("*.py"))
    return sorted(file for file in files if FROZEN not in file.parents)


def name_of(file: Path) -> str:
    return file.relative_to(ROOT).as_posix()


def functions(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """Every function with its lines, the docstring left out."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[0]
            documented = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
            told = (first.end_lineno or 0) - first.lineno + 1 if documented else 0
            yield node.name, (node.end_lineno or 0) - node.lineno + 1 - told


@pytest.mark.parametrize("file", modules(), ids=name_of)
def test_a_module_and_its_functions_can_be_read_at_once(file: Path) -> None:
    source = file.read_text("utf-8")
    assert source.count("\n") <= LONGEST_MODULE
    too_long = {name: lines for name, lines in functions(ast.parse(source)) if lines > LONGEST_FUNCTION}
    assert too_long == {}


def test_no_module_is_named_for_having_no_place() -> None:
    nowhere = {"utils.py", "util.py", "helpers.py", "common.py", "misc.py"}
    assert [name_of(file) for file in modules() if file.name in nowhere] == []


@pytest.mark.parametrize("folder", PACKAGES)
def test_the_folders_at_the_top_are_no_packages(folder: str) -> None:
    """`import core.stilltrue` would make a second copy of every class."""
    assert not (ROOT / folder / "__init__.py").exists()


@pytest.mark.parametrize("package", ["core/stilltrue", "lsp_server/stilltrue_lsp"])
def test_both_packages_say_that_they_are_typed(package: str) -> None:
    assert (ROOT / package / "py.typed").is_file()
