"""Changes of white space and comments in real code, graded by us and judged by other parsers and compilers.

    python benchmarks/grades/grade_corpora.py
    python benchmarks/grades/fuzz.py [LANGUAGE...] [--rounds 2000]

Random lines of real files are cited and changed at random. Where we grade the change *cosmetic*, a parser or
compiler that is not ours must read the very same out of both texts; anything else is a hidden change. What is
not on this machine is left out, and named.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
from collections import Counter
from collections.abc import Iterator
from difflib import unified_diff
from pathlib import Path

from grade_changes import changed
from grade_corpora import WORK, real_files
from grade_oracles import Missing, Oracle, oracle_for
from grade_samples import SAMPLES

from stilltrue.citations.baselines import span_baseline
from stilltrue.citations.cosmetic_rules import RULES
from stilltrue.citations.grading import graded
from stilltrue.citations.languages import language_of
from stilltrue.citations.lines import Lines
from stilltrue.citations.parsing import parse
from stilltrue.citations.relocation import sight
from stilltrue.model.citation import Span

NAMES = {
    "javascript": "a.js",
    "typescript": "a.ts",
    "tsx": "a.tsx",
    "go": "a.go",
    "java": "A.java",
    "c": "a.c",
    "cpp": "a.cpp",
    "rust": "a.rs",
    "c_sharp": "a.cs",
    "php": "a.php",
    "ruby": "a.rb",
    "css": "a.css",
    "hcl": "a.tf",
    "html": "a.html",
    "kotlin": "a.kt",
    "lua": "a.lua",
    "make": "a.mk",
    "scala": "a.scala",
    "sql": "a.sql",
    "swift": "a.swift",
}
COMPILED = {"c_sharp"}
"""Judged by a compiler that must find all a file names: real files would not do."""
MOST_LINES = 25


def is_cosmetic(path: str, before: bytes, after: bytes, span: Span) -> bool:
    """Whether the change is graded so, with `span` of the old text cited."""
    baseline = span_baseline(Lines(before), span, encoding="utf-8", with_excerpt=True)
    now = Lines(after)
    return graded(sight(now, span, baseline), path, now, baseline, span).cosmetic is not None


def changes(text: str, dice: random.Random) -> Iterator[tuple[str, Span]]:
    """Changed texts without end, each with the lines that are cited."""
    lines = re.findall(r"[^\n]*\n|[^\n]+", text)
    while True:
        first = dice.randrange(len(lines))
        last = min(first + dice.randint(1, MOST_LINES), len(lines))
        cited = "".join(lines[first:last]).removesuffix("\n")
        end = "\n" if lines[last - 1].endswith("\n") else ""
        now = changed(cited or " ", dice)
        after = "".join(lines[:first]) + now + end + "".join(lines[last:])
        if after != text and _edges(now) == _edges(cited):
            yield after, Span(first + 1, last)


def _edges(text: str) -> tuple[str, str, int, int]:
    """How a text begins and ends. What comes in there stands above or below the cited text, not in it."""
    solid = "".join(text.split())
    blank_above = text[: len(text) - len(text.lstrip())].count("\n")
    blank_below = text[len(text.rstrip()) :].count("\n")
    return solid[:3], solid[-3:], blank_above, blank_below


def texts_of(language: str, most: int, work: Path) -> list[tuple[str, Path | None]]:
    """The sample of the language and real files, with their folders."""
    found: list[tuple[str, Path | None]] = [(SAMPLES[language], None)] if language in SAMPLES else []
    if language not in COMPILED:
        found += [(path.read_bytes().decode(), path.parent) for path in real_files(language, work, most)]
    return [each for each in found if "\r" not in each[0] and _is_read(language, each[0])]


def _is_read(language: str, text: str) -> bool:
    """Whether our grammar reads all of it; else nothing in it is cosmetic. C is read by its tokens."""
    if RULES[language].by_tokens:
        return True
    named = language_of(NAMES[language])
    tree = parse(named, text.encode()) if named else None
    return tree is not None and not tree.root_node.has_error


def fuzz(
    language: str, rounds: int, oracle: Oracle, work: Path, seed: str = "", *, files: int = 150
) -> tuple[Counter[str], list[str]]:
    """Counts of what happened, and the changes that were hidden."""
    dice = random.Random(language + seed)  # noqa: S311 - repeatable
    counted, hidden = Counter[str](), list[str]()
    texts = texts_of(language, files, work)
    per_text = -(-rounds // max(1, len(texts)))
    for text, folder in texts:
        wanted = oracle(text.encode(), folder)
        if wanted is None:
            continue
        counted["texts"] += 1
        for (after, span), _ in zip(changes(text, dice), range(per_text), strict=False):
            counted["tried"] += 1
            if is_cosmetic(NAMES[language], text.encode(), after.encode(), span):
                counted["cosmetic"] += 1
                found = oracle(after.encode(), folder)
                if found != wanted:
                    counted["hidden" if found else "refused"] += 1
                    before, now = text.splitlines(keepends=True), after.splitlines(keepends=True)
                    hidden.append("".join(unified_diff(before, now, n=1)))
    return counted, hidden


def main() -> int:
    """Fuzz each language whose parser is here; 1 if any change was hidden."""
    parser = argparse.ArgumentParser(description="Cosmetic grades beside what other parsers read.")
    parser.add_argument("languages", nargs="*", default=[*NAMES])
    parser.add_argument("--rounds", type=int, default=2000)
    parser.add_argument("--files", type=int, default=150)
    parser.add_argument("--seed", default="", help="other changes than the usual ones")
    parser.add_argument("--work", type=Path, default=WORK)
    given = parser.parse_args()
    bad = 0
    print("| language | texts | changes | graded cosmetic | read differently | refused |")
    print("|---|---|---|---|---|---|")
    for language in given.languages:
        assert language_of(NAMES[language])
        try:
            oracle = oracle_for(language, given.work)
        except Missing as missing:
            print(f"| {language} | not fuzzed: {missing} is not here | | | | |")
            continue
        counted, hidden = fuzz(language, given.rounds, oracle, given.work, given.seed, files=given.files)
        figures = (counted[each] for each in ("texts", "tried", "cosmetic", "hidden", "refused"))
        print(f"| {language} |", " | ".join(map(str, figures)), "|", flush=True)
        bad += len(hidden)
        for each in hidden[:8]:
            print(each, file=sys.stderr)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
