"""Real files of each language, from packages that ordinary registries give and from what is installed.

    python benchmarks/grades/grade_corpora.py [--work DIR]

fetches them once. What cannot be had is left out, and whoever asks is told so.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import zipfile
from pathlib import Path

WORK = Path(tempfile.gettempdir()) / "stilltrue-grades"
NPM = [
    "acorn",
    "acorn-jsx",
    "@babel/core",
    "@babel/plugin-transform-react-jsx",
    "typescript@5",
    "prettier",
    "lodash",
    "express",
    "rxjs",
    "zod",
    "preact",
    "vue",
    "@blueprintjs/core",
    "@docusaurus/theme-classic",
    "css-tree",
    "parse5",
    "scalameta-parsers",
    "libpg-query",
]
NPM_PACKED = (
    "@wordpress/block-library",
    "react-native",
    "react-native-windows",
    "cordova-android",
    "edge-js",
    "expo-modules-core",
    "@capacitor/ios",
    "react-native-vision-camera",
)
SDISTS = (
    "brotli",
    "pybind11",
    "pythonnet",
    "cryptography==42.0.8",
    "psutil",
    "greenlet",
    "numpy",
    "rpds-py",
    "orjson",
)
SUFFIXES = {
    "javascript": (".js", ".mjs", ".jsx"),
    "typescript": (".ts", ".mts"),
    "tsx": (".tsx",),
    "go": (".go",),
    "java": (".java",),
    "c": (".c",),
    "cpp": (".cpp", ".h"),
    "rust": (".rs",),
    "c_sharp": (".cs",),
    "php": (".php",),
    "ruby": (".rb",),
    "python": (".py",),
    "css": (".css",),
    "hcl": (".hcl", ".tf"),
    "html": (".html", ".htm"),
    "kotlin": (".kt",),
    "lua": (".lua",),
    "make": ("Makefile", ".mk"),
    "scala": (".scala",),
    "sql": (".sql",),
    "swift": (".swift",),
}
SMALLEST, LARGEST = 200, 60_000


def fetch(work: Path) -> list[str]:
    """Fetch every package into `work`; the answer names what could not be had."""
    missed = []
    (work / "npm").mkdir(parents=True, exist_ok=True)
    if not shutil.which("npm"):
        missed.append("npm")
    elif not (work / "npm" / "node_modules").is_dir():
        command = [
            "npm",
            "install",
            "--no-audit",
            "--no-fund",
            "--ignore-scripts",
            "--legacy-peer-deps",
            *NPM,
        ]
        if subprocess.run(command, cwd=work / "npm", check=False).returncode:
            missed.append("npm packages")
    missed += [name for name in NPM_PACKED if not _unpacked(work / "packed", name, ["npm", "pack", name])]
    download = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", ":all:"]
    missed += [name for name in SDISTS if not _unpacked(work / "sdists", name, [*download, name])]
    if not _jdk_sources(work):
        missed.append("sources of a JDK")
    return missed


def _unpacked(folder: Path, name: str, command: list[str]) -> bool:
    """Whether an archive was fetched by `command` and unpacked."""
    target = folder / name.replace("/", "-")
    if target.is_dir():
        return True
    if not shutil.which(command[0]):
        return False
    with tempfile.TemporaryDirectory() as into:
        if subprocess.run(command, cwd=into, capture_output=True, check=False).returncode:
            return False
        for archive in Path(into).glob("*gz"):
            with tarfile.open(archive) as opened:
                opened.extractall(target, filter="data")
    return target.is_dir()


def _jdk_sources(work: Path) -> bool:
    target = work / "jdk"
    if target.is_dir():
        return True
    java = shutil.which("javac")
    homes = [Path(java).resolve().parents[1]] if java else []
    homes += Path("/usr/lib/jvm").glob("*")
    archive = next((each / "lib" / "src.zip" for each in homes if (each / "lib" / "src.zip").is_file()), None)
    if archive is None:
        return False
    with zipfile.ZipFile(archive) as opened:
        wanted = [each for each in opened.namelist() if each.startswith("java.base/java/util/")]
        opened.extractall(target, wanted)  # noqa: S202 - the sources of the installed JDK
    return True


def _folders(language: str, work: Path) -> list[Path]:
    go = shutil.which("go")
    ruby = shutil.which("ruby")
    if language == "go" and go:
        root = subprocess.run(
            [go, "env", "GOROOT"], capture_output=True, text=True, check=True
        ).stdout.strip()
        return [Path(root).resolve() / "src"]
    if language == "ruby" and ruby:
        tell = [ruby, "-e", "print RbConfig::CONFIG['rubylibdir']"]
        return [Path(subprocess.run(tell, capture_output=True, text=True, check=True).stdout)]
    if language == "python":
        return [Path(sysconfig.get_path("stdlib"))]
    if language == "lua":  # what the Neovim of the tests brings along
        return [Path(sysconfig.get_path("purelib"))]
    installed = {
        "sql": [Path("/usr/share/postgresql")],
        "html": [Path("/usr/share/doc")],
        "make": [Path("/usr/share"), Path("/usr/lib")],
    }
    fetched = [work / "npm", work / "packed", work / "sdists", work / "jdk"]
    return [each for each in [*fetched, *installed.get(language, [])] if each.is_dir()]


def real_files(language: str, work: Path, most: int) -> list[Path]:
    """Up to `most` files of the language, the same ones every time; none where there are none.

    Files of a few hundred bytes to some tens of thousands that are UTF-8 and not minified.
    """
    found = []
    for folder in _folders(language, work):
        for suffix in SUFFIXES[language]:
            found += [
                each for each in folder.rglob(f"*{suffix}") if not each.name.endswith((".d.ts", ".d.mts"))
            ]
    found.sort()
    random.Random(language).shuffle(found)  # noqa: S311 - the same every time
    kept: list[Path] = []
    for path in found:
        if len(kept) == most:
            break
        if path.is_file() and _is_usable(path.read_bytes()):
            kept.append(path)
    return kept


def _is_usable(data: bytes) -> bool:
    if not SMALLEST <= len(data) <= LARGEST or max(map(len, data.split(b"\n"))) > 300:
        return False
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    # Flow has types where JavaScript has none
    return not data.startswith(b"\xef\xbb\xbf") and b"@flow" not in data


def main() -> None:
    """Fetch, and tell what there is."""
    parser = argparse.ArgumentParser(description="Real files for the grade benchmarks.")
    parser.add_argument("--work", type=Path, default=WORK)
    work = parser.parse_args().work
    for name in fetch(work):
        print(f"not to be had: {name}")
    print(json.dumps({language: len(real_files(language, work, 500)) for language in SUFFIXES}))


if __name__ == "__main__":
    main()
