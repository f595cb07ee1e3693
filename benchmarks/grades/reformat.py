"""How many citations that a formatter changed are graded *cosmetic*.

    python benchmarks/grades/grade_corpora.py
    python benchmarks/grades/reformat.py [--files 40]

Random lines of real files are cited and the language's own formatter is run over each file. A reader that is
not ours (`grade_readers`) tells what it changed of each: the layout alone; the layout, and how the words of
comments stand on their lines; or tokens (quotes, semicolons, trailing commas, the order of imports), which is
content by design. Formatters that are not on this machine are left out, and named.
"""

from __future__ import annotations

import argparse
import random
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

from grade_corpora import WORK, real_files
from grade_readers import Change, Formatted

from stilltrue.citations.baselines import span_baseline
from stilltrue.citations.grading import graded
from stilltrue.citations.lines import Lines
from stilltrue.citations.relocation import sight
from stilltrue.model.citation import Span

_CLANG = ("clang-format", "--style={BasedOnStyle: %s, SortIncludes: Never, SortUsingDeclarations: Never}")
_KEPT = ("--quote-props=preserve", "--end-of-line=auto")
_OF_BLANKS = "gofmt, after an editor that indents with blanks"
"""Nearly all files of Go are formatted before anybody can cite them."""
FORMATTERS: tuple[tuple[str, str, str, tuple[str, ...]], ...] = (
    ("javascript", "a.js", "prettier", ("prettier", "--stdin-filepath=a.js", *_KEPT)),
    ("typescript", "a.ts", "prettier", ("prettier", "--stdin-filepath=a.ts", *_KEPT)),
    ("tsx", "a.tsx", "prettier", ("prettier", "--stdin-filepath=a.tsx", *_KEPT)),
    ("go", "a.go", "gofmt", ("gofmt",)),
    ("go", "a.go", _OF_BLANKS, ("gofmt",)),
    ("rust", "a.rs", "rustfmt", ("rustfmt", "--edition=2021", "--config=max_width=70")),
    ("c", "a.c", "clang-format Google", (_CLANG[0], _CLANG[1] % "Google", "--assume-filename=a.c")),
    ("c", "a.c", "clang-format Mozilla", (_CLANG[0], _CLANG[1] % "Mozilla", "--assume-filename=a.c")),
    ("cpp", "a.cpp", "clang-format Google", (_CLANG[0], _CLANG[1] % "Google", "--assume-filename=a.cpp")),
    ("java", "A.java", "clang-format Google", (_CLANG[0], _CLANG[1] % "Google", "--assume-filename=A.java")),
    ("c_sharp", "a.cs", "clang-format Google", (_CLANG[0], _CLANG[1] % "Google", "--assume-filename=a.cs")),
    ("python", "a.py", "black", ("black", "-q", "-")),
    ("python", "a.py", "ruff format", ("ruff", "format", "-q", "-")),
)
SPANS_OF_A_FILE = 25
_INDENTED = re.compile(rb"^\t+", re.MULTILINE)
_LINES_PER_SPAN = 4
"""A short file has fewer, or a handful of short files would be most of what is counted."""
MOST_LINES = 25


def _command(command: tuple[str, ...], work: Path) -> list[str] | None:
    """The command with the place of its program; None where it is not here."""
    beside = Path(sys.executable).parent / command[0]
    own = work / "npm" / "node_modules" / ".bin" / command[0]
    found = next((str(each) for each in (own, beside) if each.exists()), shutil.which(command[0]))
    return [found, *command[1:]] if found else None


def _spans(lines: Lines, dice: random.Random) -> list[Span]:
    """Random spans with text, no two the same."""
    found: set[Span] = set()
    for _ in range(min(SPANS_OF_A_FILE, lines.count // _LINES_PER_SPAN)):
        first = dice.randint(1, lines.count)
        span = Span(first, min(lines.count, first + dice.randint(0, MOST_LINES - 1)))
        if lines.span_bytes(span).strip():
            found.add(span)
    return sorted(found)


def _grades(language: str, name: str, before: bytes, after: bytes, dice: random.Random) -> Counter[str]:
    """What becomes of random citations of one file."""
    old, new = Lines(before), Lines(after)
    formatted = Formatted(language, before.decode(), after.decode())
    counted = Counter[str]()
    for span in _spans(old, dice):
        baseline = span_baseline(old, span, encoding="utf-8", with_excerpt=True)
        seen = graded(sight(new, span, baseline), name, new, baseline, span)
        if not seen.is_changed:
            counted["unchanged"] += 1
            continue
        start = len(before[: old.starts[span.start - 1]].decode())
        change = formatted.change(start, start + len(old.span_bytes(span).decode()))
        counted[change] += 1
        counted[f"cosmetic {change}"] += seen.cosmetic is not None
    return counted


def reformatted(
    language: str, name: str, command: list[str], files: list[Path], *, with_blanks: bool
) -> Counter[str]:
    """Counts over all files, if asked with blanks for the tabs that lines begin with."""
    dice = random.Random(language)  # noqa: S311 - the same every time
    counted = Counter[str]()
    for path in files:
        before = path.read_bytes()
        if with_blanks:
            before = _INDENTED.sub(lambda tabs: b"    " * len(tabs.group()), before)
        if language == "java" and b"non-sealed" in before:
            continue  # clang-format takes it for a difference
        done = subprocess.run(command, input=before, capture_output=True, check=False)
        if not done.returncode and done.stdout and done.stdout != before:
            counted += _grades(language, name, before, done.stdout, dice) + Counter(files=1)
    return counted


def _told(counted: Counter[str]) -> str:
    changed = sum(counted[change] for change in Change)
    cosmetic = sum(counted[f"cosmetic {change}"] for change in Change)
    told = [str(counted["files"]), f"{cosmetic} of {changed}, {100 * cosmetic / max(1, changed):.1f} %"]
    for change in Change:
        cosmetic, every = counted[f"cosmetic {change}"], counted[change]
        told.append(f"{cosmetic} of {every}" + (f", {100 * cosmetic / every:.1f} %" if every else ""))
    return " | ".join(told)


def main() -> None:
    """One row a formatter."""
    parser = argparse.ArgumentParser(description="Reformatted citations that are graded cosmetic.")
    parser.add_argument("--files", type=int, default=40)
    parser.add_argument("--work", type=Path, default=WORK)
    parser.add_argument("--languages", nargs="*", default=[])
    given = parser.parse_args()
    print("| language | formatter | files | cosmetic | layout alone | comments broken anew | tokens too |")
    print("|---|---|---|---|---|---|---|")
    for language, name, formatter, command in FORMATTERS:
        if given.languages and language not in given.languages:
            continue
        found = _command(command, given.work)
        if found is None:
            print(f"| {language} | {formatter} is not here | | | | | |")
            continue
        files = real_files(language, given.work, given.files)
        counted = reformatted(language, name, found, files, with_blanks=formatter == _OF_BLANKS)
        print(f"| {language} | {formatter} | {_told(counted)} |", flush=True)


if __name__ == "__main__":
    main()
