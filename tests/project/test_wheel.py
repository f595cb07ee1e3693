"""What is in the wheel (F1)."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    ended = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    (built,) = folder.glob("*.whl")
    return built


def packed(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def sources(folder: str) -> set[str]:
    root = ROOT / folder
    files = (file for file in root.rglob("*") if file.is_file() and "__pycache__" not in file.parts)
    return {file.relative_to(root).as_posix() for file in files}


needs_readme = pytest.mark.skipif(
    not (ROOT / "README.md").exists(), reason="README.md is not written yet, and no wheel is built without"
)


@needs_readme
def test_f1_the_wheel_holds_both_packages_whole_and_nothing_else(wheel: Path) -> None:
    code = {name for name in packed(wheel) if ".dist-info/" not in name}
    assert code == sources("core") | sources("lsp_server")
    assert {name.partition("/")[0] for name in code} == {"stilltrue", "stilltrue_lsp"}


@needs_readme
def test_f1_types_and_migrations_are_shipped(wheel: Path) -> None:
    names = packed(wheel)
    assert {"stilltrue/py.typed", "stilltrue_lsp/py.typed"} <= names
    assert any(name.startswith("stilltrue/store/migrations/versions/0001") for name in names)
    assert not any(name.startswith(("core/", "lsp_server/", "tests/")) for name in names)


@needs_readme
def test_f1_both_packages_are_imported_from_the_wheel(wheel: Path) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", "import stilltrue, stilltrue_lsp; print(stilltrue.__file__)"],
        cwd=wheel.parent,
        env={"PYTHONPATH": str(wheel)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    assert wheel.name in ended.stdout
