"""How many citations that a formatter changed are graded *cosmetic*.

    python benchmarks/grades/grade_corpora.py
    python benchmarks/grades/reformat.py [--files 40]

Random lines of real files are cited and the language's own formatter is run over each file. What differs then
is counted in two parts: citations whose own text changed in white space alone, and those in which the
formatter also changed tokens or comments (quotes, semicolons, trailing commas, comments that it breaks
anew), which is content by design. Files that the grammar cannot read whole are counted apart: nothing in them
is cosmetic. Formatters that are not on this machine are left out, and named.
"""

from __future__ import annotations

import argparse
import random
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

from grade_corpora import WORK, real_files

from stilltrue.citations.baselines import span_baseline
from stilltrue.citations.grading import graded
from stilltrue.citations.languages import language_of
from stilltrue.citations.lines import Lines
from stilltrue.citations.parsing import parse
from stilltrue.citations.relocation import sight
from stilltrue.model.citation import Span

_CLANG = ("clang-format", "--style={BasedOnStyle: %s, SortIncludes: Never, SortUsingDeclarations: Never}")
_KEPT = ("--quote-props=preserve", "--end-of-line=auto")
FORMATTERS: tuple[tuple[str, str, str, tuple[str, ...]], ...] = (
    ("javascript", "a.js", "prettier", ("prettier", "--stdin-filepath=a.js", *_KEPT)),
    ("typescript", "a.ts", "prettier", ("prettier", "--stdin-filepath=a.ts", *_KEPT)),
    ("tsx", "a.tsx", "prettier", ("prettier", "--stdin-filepath=a.tsx", *_KEPT)),
    ("go", "a.go", "gofmt", ("gofmt",)),
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
MOST_LINES = 25


def _command(command: tuple[str, ...], work: Path) -> list[str] | None:
    """The command with the place of its program; None where it is not here."""
    beside = Path(sys.executable).parent / command[0]
    own = work / "npm" / "node_modules" / ".bin" / command[0]
    found = next((str(each) for each in (own, beside) if each.exists()), shutil.which(command[0]))
    return [found, *command[1:]] if found else None


def _stands_but_for_white_space(text: bytes, now: bytes) -> bool:
    """Whether a cited text changed in white space alone: no mark and no word came or went."""
    blanks = b" \t\r\n\f"
    return text.translate(None, blanks) in now.translate(None, blanks)


def _is_read(name: str, *texts: bytes) -> bool:
    """Whether the grammar reads the whole file, before and after."""
    language = language_of(name)
    assert language
    trees = [parse(language, text) for text in texts]
    return all(tree is not None and not tree.root_node.has_error for tree in trees)


def _grades(name: str, before: bytes, after: bytes, dice: random.Random) -> Counter[str]:
    """What becomes of random citations of one file."""
    old, new = Lines(before), Lines(after)
    counted = Counter[str]()
    for _ in range(SPANS_OF_A_FILE):
        first = dice.randint(1, old.count)
        span = Span(first, min(old.count, first + dice.randint(0, MOST_LINES - 1)))
        if not old.span_bytes(span).strip():
            continue
        baseline = span_baseline(old, span, encoding="utf-8", with_excerpt=True)
        seen = graded(sight(new, span, baseline), name, new, baseline, span)
        if not seen.is_changed:
            counted["unchanged"] += 1
            continue
        kind = "blank" if _stands_but_for_white_space(old.span_bytes(span), after) else "token"
        counted[kind] += 1
        counted[f"cosmetic {kind}"] += seen.cosmetic is not None
    return counted


def reformatted(language: str, name: str, command: list[str], files: list[Path]) -> Counter[str]:
    """Counts over all files."""
    dice = random.Random(language)  # noqa: S311 - the same every time
    counted = Counter[str]()
    for path in files:
        before = path.read_bytes()
        done = subprocess.run(command, input=before, capture_output=True, check=False)
        if done.returncode or not done.stdout or done.stdout == before:
            continue
        if not _is_read(name, before, done.stdout):
            counted["unread"] += 1
            continue
        counted += _grades(name, before, done.stdout, dice) + Counter(files=1)
    return counted


def _told(counted: Counter[str]) -> str:
    blank, token = counted["blank"], counted["token"]
    share = f"{100 * counted['cosmetic blank'] / blank:.1f} %" if blank else "none"
    every = f"{100 * (counted['cosmetic blank'] + counted['cosmetic token']) / (blank + token):.1f} %"
    return f"{counted['files']} | {counted['unread']} | {blank} | {share} | {token} | {every}"


def main() -> None:
    """One row a formatter."""
    parser = argparse.ArgumentParser(description="Reformatted citations that are graded cosmetic.")
    parser.add_argument("--files", type=int, default=40)
    parser.add_argument("--work", type=Path, default=WORK)
    given = parser.parse_args()
    print(
        "| language | formatter | files | not read | white space | of them cosmetic "
        "| tokens too | of all cosmetic |"
    )
    print("|---|---|---|---|---|---|---|---|")
    for language, name, formatter, command in FORMATTERS:
        found = _command(command, given.work)
        if found is None:
            print(f"| {language} | {formatter} is not here | | | | | | |")
            continue
        counted = reformatted(language, name, found, real_files(language, given.work, given.files))
        print(f"| {language} | {formatter} | {_told(counted)} |", flush=True)


if __name__ == "__main__":
    main()
