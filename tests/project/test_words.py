"""Words that must not stand in the code, and modules that must not be imported."""

from __future__ import annotations

import ast
import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def calls(folder: str, name: str) -> list[str]:
    """Where a function or method of that name is called, as `file:line`."""
    return [
        f"{file.relative_to(ROOT).as_posix()}:{node.lineno}"
        for file in sorted((ROOT / folder).rglob("*.py"))
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.Call)
        and name in {getattr(node.func, "id", ""), getattr(node.func, "attr", "")}
    ]


@pytest.mark.parametrize("folder", ["core", "lsp_server"])
def test_lines_are_never_split_by_another_rule(folder: str) -> None:
    """`splitlines` breaks at form feeds and U+2028, too; a line of ours does not."""
    assert calls(folder, "splitlines") == []


def test_f4_the_server_never_prints() -> None:
    """Standard output belongs to the protocol."""
    assert calls("lsp_server", "print") == []


@pytest.mark.skipif(
    importlib.util.find_spec("stilltrue.cli.main") is None, reason="the command line is not written yet"
)
def test_the_command_line_imports_neither_the_server_nor_its_libraries() -> None:
    told = subprocess.run(
        [sys.executable, "-c", "import sys, stilltrue.cli.main; print(*sorted(sys.modules))"],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "core"), str(ROOT / "lsp_server")])},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    packages = {name.partition(".")[0] for name in told.split()}
    assert "stilltrue" in packages
    assert not {"pygls", "lsprotocol", "stilltrue_lsp"} & packages
