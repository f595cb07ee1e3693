#!/usr/bin/env python3
"""Put the server and all it needs into `bundled/`, for one platform of VS Code: `python bundle.py linux-x64`.

Compiled modules for every supported CPython lie side by side: their file names differ.
"""

from __future__ import annotations

import argparse
import filecmp
import platform
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
BUNDLED = HERE / "bundled"
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
PLATFORMS = {
    "linux-x64": "x86_64-manylinux_2_28",
    "linux-arm64": "aarch64-manylinux_2_28",
    "alpine-x64": "x86_64-unknown-linux-musl",
    "alpine-arm64": "aarch64-unknown-linux-musl",
    "darwin-x64": "x86_64-apple-darwin",
    "darwin-arm64": "aarch64-apple-darwin",
    "win32-x64": "x86_64-pc-windows-msvc",
    "win32-arm64": "aarch64-pc-windows-msvc",
}
"""VS Code's name of a platform, and that of its wheels."""

LEFT_OUT = ("bin", ".lock", "sqlalchemy/testing", "alembic/testing")
"""What no running server imports."""


def this_platform() -> str:
    """The platform this runs on, as VS Code names it."""
    system = {"linux": "linux", "darwin": "darwin", "win32": "win32"}[sys.platform]
    if system == "linux" and platform.libc_ver()[0] != "glibc":
        system = "alpine"
    return f"{system}-{'arm64' if platform.machine().lower() in {'arm64', 'aarch64'} else 'x64'}"


def bundle(target: str) -> None:
    """Write `bundled/` anew for `target`, one of `PLATFORMS`.

    Raises:
        SystemExit: A package has no wheel for the platform, or two wheels disagree about a file.
    """
    shutil.rmtree(BUNDLED, ignore_errors=True)
    BUNDLED.mkdir()
    shutil.copy2(HERE / "launch.py", BUNDLED / "launch.py")
    with tempfile.TemporaryDirectory() as folder:
        wheel = _build_wheel(Path(folder))
        shutil.copy2(wheel, BUNDLED / wheel.name)
        for version in PYTHONS:
            libraries = Path(folder) / version
            _install(wheel, libraries, version, PLATFORMS[target])
            _merge(libraries, BUNDLED / "libraries")


def _build_wheel(folder: Path) -> Path:
    _run(
        [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"],
        "--wheel-dir",
        str(folder),
        str(ROOT),
    )
    return next(folder.glob("stilltrue-*.whl"))


def _install(wheel: Path, into: Path, version: str, wheels_for: str) -> None:
    _run(
        [sys.executable, "-m", "uv", "pip", "install", "--quiet", "--only-binary", ":all:"],
        "--target",
        str(into),
        "--python-version",
        version,
        "--python-platform",
        wheels_for,
        "--constraint",
        str(ROOT / "requirements-dev.txt"),
        str(wheel),
    )


def _merge(new: Path, into: Path) -> None:
    for file in sorted(new.rglob("*")):
        name = file.relative_to(new)
        if file.is_dir() or any(name.as_posix().startswith(left_out) for left_out in LEFT_OUT):
            continue
        there = into / name
        if not there.exists():
            there.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(file, there)
        elif not name.parts[0].endswith(".dist-info") and not filecmp.cmp(file, there, shallow=False):
            sys.exit(f"{name} differs between versions of Python: it cannot lie in one folder")


def _run(command: list[str], *arguments: str) -> None:
    done = subprocess.run([*command, *arguments], check=False)  # noqa: S603 - a list of our own, no shell
    if done.returncode:
        sys.exit(done.returncode)


def main() -> None:
    """Bundle for the platform named on the command line, else for this one."""
    parser = argparse.ArgumentParser(description="Put the server and all it needs into bundled/.")
    parser.add_argument("platform", nargs="?", choices=PLATFORMS, default=this_platform())
    bundle(parser.parse_args().platform)


if __name__ == "__main__":
    main()
