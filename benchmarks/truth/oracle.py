"""What became of a cited text, told by plain search and by the diff of git; nothing of StillTrue is asked.

The truth of a text is where its very bytes stand as whole lines. Where it stood once in its file and stands
once now, that is its place. Where several copies stand, or stood, no verdict is expected.
"""

from __future__ import annotations

import ast
import io
import re
import subprocess
import tokenize
from collections import defaultdict
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from fetching import Tree

RICH = 16
"""Letters and digits that make a text recognisable by itself; a poorer one may stand anywhere by chance."""
_HUNK = re.compile(rb"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_TOKENS = re.compile(
    rb"""//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`|\w+|[^\s\w]""",
    re.DOTALL,
)


class Truth(StrEnum):
    """What became of a cited text."""

    AT_PLACE = "at its place"
    MOVED = "moved in its file"
    ELSEWHERE = "moved to another file"
    GONE = "changed or gone"
    SEVERAL = "several copies"


@dataclass(frozen=True, slots=True)
class Cited:
    """What was cited, as the first release holds it.

    Attributes:
        key: Tells it from all others of its project.
        way: How it was chosen, such as `3 lines`.
        path: The file, relative to the root with `/`.
        start: The first line, 1-based; 0 for a whole file. `end` is the last one.
        text: The bytes, without the last line's end.
        symbol: The name by which it is cited; empty for lines and files.
    """

    key: int
    way: str
    path: str
    start: int
    end: int
    text: bytes
    symbol: str = ""

    @property
    def is_file(self) -> bool:
        """Whether every byte of the file is meant."""
        return self.start == 0

    @property
    def is_poor(self) -> bool:
        """Whether the text is so poor that it may stand anywhere by chance."""
        return len(re.findall(rb"[^\W_]", self.text)) < RICH


@dataclass(frozen=True, slots=True)
class Told:
    """The truth, with the place where there is one.

    Attributes:
        truth: What became of the text.
        path: Where it stands now; empty where it stands nowhere or nobody can tell.
        start: Its first line there, 1-based; 0 for a whole file.
        note: What else a reader of a disagreement wants to know.
    """

    truth: Truth
    path: str = ""
    start: int = 0
    note: str = ""


def whole_lines(data: bytes, text: bytes) -> list[int]:
    """The 1-based lines at which `text` stands in `data` as whole lines."""
    found, at, line, counted = [], data.find(text), 1, 0
    while at >= 0:
        end = at + len(text)
        if (at == 0 or data[at - 1 : at] == b"\n") and data[end : end + 2].lstrip(b"\r")[:1] in {b"", b"\n"}:
            line += data.count(b"\n", counted, at)
            counted = at
            found.append(line)
        at = data.find(text, at + 1)
    return found


def rows_of(data: bytes) -> list[bytes]:
    """The lines of a file without their ends."""
    rows = data.replace(b"\r\n", b"\n").split(b"\n")
    return rows[:-1] if rows[-1] == b"" else rows


@dataclass(frozen=True, slots=True)
class Oracle:
    """The first release beside a later one.

    Attributes:
        first: The files in which everything was cited.
        now: The files of the later release.
        hunks: What git says was replaced in each file: old start and count, new start and count.
    """

    first: Tree
    now: Tree
    hunks: dict[str, list[tuple[int, int, int, int]]] = field(default_factory=dict)

    def tell(self, cited: Cited) -> Told:
        """What became of one cited text."""
        if cited.is_file:
            return self._tell_file(cited)
        before = whole_lines(self.first[cited.path], cited.text)
        here = whole_lines(self.now.get(cited.path, b""), cited.text)
        if cited.start in here and not cited.symbol:
            return Told(Truth.AT_PLACE, cited.path, cited.start)
        if cited.symbol and cited.path.endswith(".py") and cited.path in self.now:
            return self._tell_python(cited, here)
        return self._tell_here(cited, before, here) if here else self._tell_elsewhere(cited)

    def _tell_here(self, cited: Cited, before: list[int], here: list[int]) -> Told:
        if len(here) > 1 or len(before) > 1:
            return Told(Truth.SEVERAL, note=f"{len(before)} then, {len(here)} now; {self.by_diff(cited)}")
        if cited.symbol:
            return Told(Truth.AT_PLACE, cited.path, here[0])
        return Told(Truth.MOVED, cited.path, here[0], note=self.by_diff(cited))

    def by_diff(self, cited: Cited) -> str:
        """What the diff says of the cited lines: where they are now, or that they were touched."""
        shift = 0
        for start, count, _, new_count in self.hunks.get(cited.path, ()):
            begins, ends = (start, start + count - 1) if count else (start + 1, start)
            if begins <= cited.end and ends >= cited.start and (count or cited.start < begins):
                return "diff: touched"
            if ends < cited.start:
                shift += new_count - count
        return f"diff: kept at {cited.start + shift}"

    def _tell_file(self, cited: Cited) -> Told:
        if self.now.get(cited.path) == cited.text:
            return Told(Truth.AT_PLACE, cited.path)
        found = [path for path, data in self.now.items() if data == cited.text]
        new = [path for path in found if self.first.get(path) != cited.text]
        if not new:
            return Told(Truth.GONE)
        if len(new) > 1 or cited.path in self.now or len(found) > 1:
            return Told(Truth.SEVERAL, note=f"files {found}, {'replaced' * (cited.path in self.now)}")
        return Told(Truth.ELSEWHERE, new[0])

    def _tell_python(self, cited: Cited, here: list[int]) -> Told:
        """A symbol in a language that the standard library reads: its name decides which text is meant."""
        found = definitions(self.now[cited.path]).get(cited.symbol, [])
        if not found:
            return self._tell_elsewhere(cited) if not here else Told(Truth.SEVERAL, note="its name is gone")
        if len(found) > 1:
            return Told(Truth.SEVERAL, note=f"named at {found}")
        (start, end), *_ = found
        (old_start, old_end), *_ = definitions(self.first[cited.path])[cited.symbol]
        before, after = rows_of(self.first[cited.path]), rows_of(self.now[cited.path])
        if before[old_start - 1 : old_end] != after[start - 1 : end]:
            return Told(Truth.GONE, note=f"named at {found}")
        holding = [line for line in here if line <= start <= line + cited.end - cited.start]
        return (
            Told(Truth.AT_PLACE, cited.path, holding[0]) if holding else Told(Truth.SEVERAL, note="in part")
        )

    def _tell_elsewhere(self, cited: Cited) -> Told:
        then = self._counts(self.first, cited)
        now = self._counts(self.now, cited)
        new = {path: lines for path, lines in now.items() if len(lines) > len(then.get(path, ()))}
        if not new:
            return Told(Truth.GONE)
        if len(new) > 1 or then or len(next(iter(new.values()))) > 1 or self._version_stands(cited):
            return Told(Truth.SEVERAL, note=f"elsewhere: then {then}, now {now}; a version may stand")
        (path, lines), *_ = new.items()
        if cited.symbol and path.endswith(".py") and cited.symbol not in definitions(self.now[path]):
            return Told(Truth.GONE, note=f"in {path} under another name")
        return Told(Truth.ELSEWHERE, path, lines[0])

    def _counts(self, tree: Tree, cited: Cited) -> dict[str, list[int]]:
        others = ((path, data) for path, data in tree.items() if path != cited.path and cited.text in data)
        found = {path: whole_lines(data, cited.text) for path, data in others}
        return {path: lines for path, lines in found.items() if lines}

    def _version_stands(self, cited: Cited) -> bool:
        """Half of the telling lines still stand in the file: it may be that the original was edited."""
        telling = {row for row in rows_of(cited.text) if len(re.findall(rb"\w", row)) >= RICH}
        kept = telling & set(rows_of(self.now.get(cited.path, b"")))
        return bool(kept) and 2 * len(kept) >= len(telling)


def replaced_by(folder: Path, first: str, later: str) -> dict[str, list[tuple[int, int, int, int]]]:
    """What git's diff says was replaced in each file between two commits."""
    command = ["git", "diff", "-U0", "--no-renames", "--no-color", "--no-ext-diff", first, later]
    made = subprocess.run(command, cwd=folder, check=True, capture_output=True).stdout
    hunks: dict[str, list[tuple[int, int, int, int]]] = defaultdict(list)
    path = ""
    for line in made.split(b"\n"):
        if line.startswith(b"--- "):
            path = line[4:].decode().strip('"').removeprefix("a/")
        elif found := _HUNK.match(line):
            start, count, new, new_count = (int(each or 1) for each in found.groups())
            hunks[path].append((start, count, new, new_count))
    return hunks


def definitions(data: bytes) -> dict[str, list[tuple[int, int]]]:
    """The lines of each definition of a Python text by its whole name; decorators belong to it."""
    found: dict[str, list[tuple[int, int]]] = defaultdict(list)

    def visit(node: ast.AST, owner: str) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                name = f"{owner}.{child.name}" if owner else child.name
                first = min([child.lineno, *(each.lineno for each in child.decorator_list)])
                found[name].append((first, child.end_lineno or first))
                visit(child, name)
            else:
                visit(child, owner)

    try:
        visit(ast.parse(data), "")
    except (SyntaxError, ValueError):
        return {}
    return found


def means_the_same(path: str, data: bytes, start: int, end: int, text: bytes) -> bool:
    """Whether a file means the same with `text` in the place of its lines `start` to `end`, 1-based.

    Python is asked for the trees of both, documentation included. Of other languages the tokens without
    comments are compared; that knows no directive, so that a reader must look at each of them all the same.
    """
    rows = data.split(b"\n")
    before = b"\n".join([*rows[: start - 1], text, *rows[end:]])
    if path.endswith(".py"):
        try:
            return ast.dump(ast.parse(before)) == ast.dump(ast.parse(data)) and _directives(
                before
            ) == _directives(data)
        except SyntaxError:
            return False
    return _bare(before) == _bare(data)


def _bare(data: bytes) -> list[bytes]:
    return [each for each in _TOKENS.findall(data) if not each.startswith((b"//", b"/*"))]


def _directives(data: bytes) -> list[str]:
    """The comments that speak to a tool, in order."""
    tokens = tokenize.tokenize(io.BytesIO(data).readline)
    told = re.compile(r"#\s*(type:|noqa|pragma|pylint|mypy:|pyright|fmt:|isort|!)")
    return [each.string for each in tokens if each.type == tokenize.COMMENT and told.match(each.string)]
