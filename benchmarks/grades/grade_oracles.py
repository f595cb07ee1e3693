"""What other parsers and compilers make of a text: the judges of our grades.

Each needs a program that we do not carry. `oracle_for` says which one is missing.
"""

from __future__ import annotations

import base64
import importlib.util
import json
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Callable
from hashlib import sha1
from pathlib import Path
from typing import Protocol

PARSERS = Path(__file__).resolve().parent / "parsers"
# white space moves lines, and assertions tell their numbers
_ASSEMBLY = ("-w", "-S", "-O0", "-D__LINE__=0", "-o", "-")
_BEHIND_NAME = 4
"""The place in a line of the preprocessor behind what it defines."""


class Oracle(Protocol):
    """Reads texts of one language."""

    def __call__(self, text: bytes, folder: Path | None = None) -> str | None:
        """What the text says, without white space and comments; None where it is refused.

        A compiler looks in `folder` for what the text includes.
        """
        ...


class Missing(Exception):  # noqa: N818 - it is an answer
    """A program that is not on this machine."""


class LineServer:
    """A program that answers each line with a digest, or with `-` for a text that it refuses."""

    def __init__(self, command: list[str], *, cwd: Path | None = None, encoded: bool = False) -> None:
        """Start `command`; texts go to it as JSON strings, or in base64 if `encoded`."""
        self._encoded = encoded
        self._process = subprocess.Popen(command, cwd=cwd, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def __call__(self, text: bytes, folder: Path | None = None) -> str | None:
        """Its answer to one text. What is no UTF-8 is refused by all."""
        del folder
        try:
            readable = text.decode()
        except UnicodeDecodeError:
            return None
        line = base64.b64encode(text) if self._encoded else json.dumps(readable).encode()
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(line + b"\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline().decode().strip()
        assert answer, "the parser died"
        return None if answer == "-" else answer


def _program(name: str) -> str:
    found = shutil.which(name)
    if not found:
        raise Missing(name)
    return found


def _node(script: str, *arguments: str, modules: Path) -> LineServer:
    if not (modules / "node_modules").is_dir():
        raise Missing("the npm packages, see `grade_corpora.py`")
    # Node looks for packages beside the script
    copy = modules / script
    shutil.copyfile(PARSERS / script, copy)
    return LineServer([_program("node"), str(copy), *arguments])


def _go(work: Path) -> LineServer:
    binary = work / "read-go"
    subprocess.run([_program("go"), "build", "-o", str(binary), str(PARSERS / "read.go")], check=True)
    return LineServer([str(binary)])


def _java() -> LineServer:
    return LineServer([_program("java"), str(PARSERS / "Read.java")], encoded=True)


def _compiler(command: list[str], name: str, noise: bytes = b"", *, including: bool = False) -> Oracle:
    """A compiler whose output is compared, without what matches `noise`."""
    _program(command[0])

    def make(text: bytes, folder: Path | None = None) -> str | None:
        with tempfile.TemporaryDirectory() as into:
            (Path(into) / name).write_bytes(text)
            done = subprocess.run(
                [*command, *(_including(folder) if including else ()), name],
                cwd=into,
                capture_output=True,
                check=False,
            )
        if done.returncode:
            return None
        return sha1(re.sub(noise, b"", done.stdout) if noise else done.stdout).hexdigest()  # noqa: S324

    return make


def _including(folder: Path | None) -> list[str]:
    """Where a compiler finds what a real file includes: beside it, above it, and Python's own headers."""
    if folder is None:
        return []
    near = [folder, *list(folder.parents)[:3]]
    wanted = [*near, *(each / "include" for each in near), Path(sysconfig.get_path("include"))]
    return [f"-I{each}" for each in wanted if each.is_dir()]


def _clang_tokens(name: str, compiler: Oracle) -> Oracle:
    """The tokens that Clang's own lexer tells, and what a compiler makes of the text where it can.

    The lexer also reads what is switched off; the compiler knows what white space means to it.
    """
    try:
        from clang.cindex import Index, TokenKind, TranslationUnit  # noqa: PLC0415
    except ImportError as missing:
        raise Missing("libclang") from missing
    index = Index.create()

    def make(text: bytes, folder: Path | None = None) -> str | None:
        try:
            readable = text.decode()
        except UnicodeDecodeError:
            return None
        unit = index.parse(
            name,
            unsaved_files=[(name, readable)],
            options=TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD | TranslationUnit.PARSE_INCOMPLETE,
        )
        said, told = sha1(), compiler(text, folder)  # noqa: S324
        ended, begins, in_directive = 0, True, 0
        for token in unit.get_tokens(extent=unit.cursor.extent):
            start, end = token.extent.start.offset, token.extent.end.offset
            between = re.sub(rb"\\\r?\n", b"", text[ended:start])
            breaks = b"\n" in re.sub(rb"(?s)/\*.*?\*/", b"", between)
            begins = begins or breaks
            if in_directive and breaks:
                said.update(b"\0end\0")
                in_directive = 0
            # the lexer counts a joined line before a token as a part of it
            spelling = re.sub(r"^(?:\\\r?\n)+", "", token.spelling)
            if token.kind is not TokenKind.COMMENT:
                if in_directive or (begins and spelling == "#"):
                    in_directive += 1
                # `#define A(b)` is another thing than `#define A (b)`
                touches = in_directive == _BEHIND_NAME and start == ended
                said.update(f"{spelling}\0{bool(in_directive)}{touches}\0".encode())
                begins = False
            ended = end
        said.update(b"\0end\0" * bool(in_directive))
        return f"{said.hexdigest()} {told}"

    return make


def _rust() -> Oracle:
    command = ["rustc", "+nightly", "--edition=2021", "-Zunpretty=ast-tree", "-A", "warnings"]
    # an item has a span or "no-location" as its attributes stand on lines: both are places, and say nothing
    places = rb"(?:\ba\.rs:\d+:\d+: \d+:\d+|\bno-location) \(#\d+\)"
    # whether two marks touch: rustc has made one token of those that belong together
    spacing = rb"LazyAttrTokenStream\(.*|JointHidden|Alone|Joint"
    return _compiler(command, "a.rs", places + rb"|" + spacing)


def _neovim() -> LineServer:
    beside = Path(sys.executable).with_name("nvim")
    nvim = str(beside) if beside.exists() else _program("nvim")
    return LineServer([nvim, "--headless", "-u", "NONE", "-l", str(PARSERS / "read.lua")])


def _python(language: str, package: str) -> LineServer:
    if importlib.util.find_spec(package) is None:
        raise Missing(f"the Python package {package}")
    return LineServer([sys.executable, str(PARSERS / "read_python.py"), language])


def _c_sharp() -> Oracle:
    """The instructions that Mono's compiler makes, as its disassembler tells them."""
    _program("mcs")
    _program("monodis")

    def make(text: bytes, folder: Path | None = None) -> str | None:
        del folder
        with tempfile.TemporaryDirectory() as into:
            (Path(into) / "a.cs").write_bytes(text)
            command = ["mcs", "-target:library", "-debug-", "-nowarn:1-9999", "-out:a.dll", "a.cs"]
            if subprocess.run(command, cwd=into, capture_output=True, check=False).returncode:
                return None
            told = subprocess.run(["monodis", "a.dll"], cwd=into, capture_output=True, check=True).stdout
        return sha1(re.sub(rb"GUID = .*|\.mvid.*|// .*", b"", told)).hexdigest()  # noqa: S324

    return make


def _swift() -> Oracle:
    """What the compiler parses; it leaves out what is switched off, so texts with such parts are refused."""
    program = _program("swiftc")
    places = re.compile(rb"\brange=\[[^\]]*\]|a\.swift:[\d:]+|@ 0x[0-9a-f]+")

    def make(text: bytes, folder: Path | None = None) -> str | None:
        del folder
        if b"#if" in text:
            return None
        with tempfile.TemporaryDirectory() as into:
            (Path(into) / "a.swift").write_bytes(text)
            refused, told = (
                subprocess.run(
                    [program, "-frontend", how, "a.swift"], cwd=into, capture_output=True, check=False
                )
                for how in ("-parse", "-dump-parse")  # the latter misses what the file imports
            )
        if refused.returncode:
            return None
        return sha1(places.sub(b"", told.stdout)).hexdigest()  # noqa: S324 - to compare with itself

    return make


def _make() -> Oracle:
    """What `make` knows of a file before it makes anything; files that run or read others are refused."""
    program = _program("make")
    runs = re.compile(
        rb"[({]shell\b|!=|\beval\b|\bload\b|\bguile\b|\binclude\b|^(?:Makefile|.*%.*)\s*:[^=]", re.MULTILINE
    )
    noise = re.compile(rb"^#.*\n|^(?:CURDIR|MAKEFILE_LIST) :?=.*\n", re.MULTILINE)

    def make(text: bytes, folder: Path | None = None) -> str | None:
        del folder
        if runs.search(text):
            return None
        with tempfile.TemporaryDirectory() as into:
            (Path(into) / "a.mk").write_bytes(text)
            command = [program, "-pqrR", "-f", "a.mk", "--eval=nothing-at-all: ;", "nothing-at-all"]
            done = subprocess.run(command, cwd=into, capture_output=True, check=False)
        return None if done.returncode > 1 else sha1(noise.sub(b"", done.stdout)).hexdigest()  # noqa: S324

    return make


def oracle_for(language: str, work: Path) -> Oracle:
    """The judge of a language.

    Args:
        language: Its name.
        work: Where packages were fetched to and programs are built.

    Raises:
        Missing: With the name of the program that is not here.
    """
    modules = work / "npm"
    made: dict[str, Callable[[], Oracle]] = {
        "javascript": lambda: _node("javascript.cjs", modules=modules),
        "typescript": lambda: _node("typescript.cjs", "a.ts", modules=modules),
        "tsx": lambda: _node("typescript.cjs", "a.tsx", modules=modules),
        "go": lambda: _go(work),
        "java": _java,
        "c": lambda: _clang_tokens("a.c", _compiler(["gcc", *_ASSEMBLY, "-x", "c"], "a.c", including=True)),
        "cpp": lambda: _clang_tokens(
            "a.cpp", _compiler(["g++", *_ASSEMBLY, "-x", "c++"], "a.cpp", including=True)
        ),
        "rust": _rust,
        "c_sharp": _c_sharp,
        "php": lambda: LineServer([_program("php"), "-d", "display_errors=0", str(PARSERS / "read.php")]),
        "ruby": lambda: LineServer([_program("ruby"), str(PARSERS / "read.rb")]),
        "css": lambda: _node("css.cjs", modules=modules),
        "hcl": lambda: _python("hcl", "hcl2"),
        "html": lambda: _node("html.cjs", modules=modules),
        "kotlin": lambda: _python("kotlin", "kopyt"),
        "lua": _neovim,
        "make": _make,
        "scala": lambda: _node("scala.cjs", modules=modules),
        "sql": lambda: _node("sql.cjs", modules=modules),
        "swift": _swift,
    }
    return made[language]()
