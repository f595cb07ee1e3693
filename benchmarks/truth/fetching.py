"""Releases of real projects, fetched by the registries' own clients and kept in a folder outside the project.

Nothing of a fetched project is run: pip asks a source package for its metadata before it keeps it, and what
answers here is a stand-in for every build system, which reads them from the package itself.
"""

from __future__ import annotations

import fnmatch
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

Tree = dict[str, bytes]
"""The files of one release by path, relative to the root with `/`."""

MOST_BYTES = 2_000_000
_BUILD_SYSTEMS = ("setuptools/build_meta", "maturin/__init__")
_STAND_IN = """
import email, pathlib, sys

def get_requires_for_build_wheel(config_settings=None):
    return []

def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    text = pathlib.Path("PKG-INFO").read_text("utf-8")
    told = email.message_from_string(text)
    name = f"{told['Name'].replace('-', '_')}-{told['Version']}.dist-info"
    folder = pathlib.Path(metadata_directory, name)
    folder.mkdir()
    (folder / "METADATA").write_text(text, "utf-8")
    (folder / "WHEEL").write_text("Wheel-Version: 1.0")
    return name

__legacy__ = sys.modules[__name__]
"""


@dataclass(frozen=True, slots=True)
class Project:
    """One project of the data file, which tells what its fields mean."""

    name: str
    language: str
    registry: str
    releases: list[str]
    sources: list[str]
    cited: list[str]


def projects() -> list[Project]:
    """Every project that the data file names."""
    rows = tomllib.loads((Path(__file__).parent / "projects.toml").read_text("utf-8"))
    return [Project(name=name, **row) for name, row in rows.items()]


def fetched(project: Project, release: str, cache: Path) -> Tree:
    """The source files of one release, from the cache where it was fetched before.

    Raises:
        CalledProcessError: The registry's client could not get it.
    """
    folder = cache / project.name / release
    if not folder.is_dir():
        with tempfile.TemporaryDirectory() as name:
            _fetch(project, release, Path(name))
            folder.mkdir(parents=True)
            shutil.move(next(path for path in Path(name).iterdir() if path.is_file()), folder)
    archive = next(folder.iterdir())
    whole = dict(_files(archive))
    return {path: data for path, data in whole.items() if _is_source(project, path, data)}


def _fetch(project: Project, release: str, folder: Path) -> None:
    if project.registry == "npm":
        _run("npm", "pack", "--silent", f"{project.name}@{release}", "--pack-destination", str(folder))
        return
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
    wanted = f"{project.name}=={release}"
    if project.registry == "wheel":
        _run(*pip, "--only-binary", ":all:", "--dest", str(folder), wanted)
        return
    for name in _BUILD_SYSTEMS:
        module = folder / "stand-in" / f"{name}.py"
        module.parent.mkdir(parents=True)
        (module.parent / "__init__.py").touch()
        module.write_text(_STAND_IN)
    unbuilt = ("--no-binary", ":all:", "--no-build-isolation", "--use-pep517")
    _run(*pip, *unbuilt, "--dest", str(folder), wanted, PYTHONPATH=str(folder / "stand-in"))


def _run(*command: str, **environment: str) -> None:
    subprocess.run(command, check=True, env={**os.environ, **environment}, stdout=subprocess.DEVNULL)


def _files(archive: Path) -> Iterator[tuple[str, bytes]]:
    if archive.suffix == ".whl":
        with zipfile.ZipFile(archive) as wheel:
            yield from ((name, wheel.read(name)) for name in wheel.namelist() if not name.endswith("/"))
        return
    with tarfile.open(archive) as packed:
        for member in packed:
            content = packed.extractfile(member) if member.isfile() else None
            if content is not None:
                yield member.name.partition("/")[2], content.read()


def _is_source(project: Project, path: str, data: bytes) -> bool:
    is_named = any(fnmatch.fnmatchcase(path, pattern) for pattern in project.sources)
    return is_named and ".." not in path.split("/") and len(data) <= MOST_BYTES
