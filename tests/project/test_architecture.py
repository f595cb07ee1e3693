"""Each invariant of `docs/architecture.md` names what guards it, and that guard exists."""

from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "architecture.md"
INVARIANT = re.compile(r"\*\*I(?P<number>\d+)\.\*\*")
GUARDS = re.compile(r"(?P<guards>(?:`[^`]+`(?:,| and)? ?)+)[.)]*$")


def invariants() -> dict[int, str]:
    """Each numbered invariant with its text: its line and those that carry it on."""
    if not PAGE.exists():
        return {}
    found: dict[int, str] = {}
    for paragraph in re.split(r"\n\s*\n|\n(?=\W*\*\*I\d+\.\*\*)", PAGE.read_text("utf-8")):
        if match := INVARIANT.search(paragraph):
            number = int(match["number"])
            assert number not in found, f"I{number} is there twice"
            found[number] = " ".join(paragraph.split())
    return found


def contracts() -> set[str]:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    return {contract["name"] for contract in settings["tool"]["importlinter"]["contracts"]}


def stands(guard: str) -> bool:
    """Whether a guard is a contract's name, or a test as `tests/…/test_x.py::test_name`, or such a file."""
    if guard in contracts():
        return True
    name, _, test = guard.partition("::")
    file = ROOT / name
    if not (name.startswith("tests/") and file.is_file()):
        return False
    tree = ast.parse(file.read_text("utf-8")) if file.suffix == ".py" else None
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    defined = {node.name for node in ast.walk(tree) if isinstance(node, kinds)} if tree else set()
    return not test or test.partition("[")[0] in defined


@pytest.mark.skipif(not PAGE.exists(), reason="docs/architecture.md is not written yet")
def test_invariants_are_numbered_without_gaps() -> None:
    assert list(invariants()) == list(range(1, len(invariants()) + 1))
    assert invariants()


@pytest.mark.parametrize("number", invariants(), ids=lambda number: f"I{number}")
def test_an_invariant_names_a_guard_that_exists(number: int) -> None:
    match = GUARDS.search(invariants()[number])
    assert match, f"I{number} ends without the name of its guard in backticks"
    assert [guard for guard in re.findall("`([^`]+)`", match["guards"]) if not stands(guard)] == []
