"""Changes of real code that stands a second time in another form: whether the copy hides them.

    python benchmarks/grades/grade_corpora.py
    python benchmarks/grades/copies.py [LANGUAGE...] [--rounds 900]

Random lines of real files are put into their file once more, indented, with up to three of the lines beside
them. Then the lines themselves are changed, or go, and a line beside them with them. Such a change is
content, as it was made; where it is graded *cosmetic*, the copy was taken for the cited lines.
"""

from __future__ import annotations

import argparse
import random
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from fuzz import NAMES, is_cosmetic
from grade_corpora import WORK, real_files
from grade_readers import read

from stilltrue.model.citation import Span

MOST_BESIDE = 3
KINDS = ("changed", "changed, line above too", "changed, line below too", "gone")


def _code(language: str, lines: list[str]) -> list[str]:
    """The tokens without comments, which may change."""
    return [each for each in read(language, "".join(lines)).tokens if not each.startswith("\0")]


def _with_copy(lines: list[str], first: int, last: int, dice: random.Random) -> tuple[list[str], int]:
    """The lines with a copy of some of them elsewhere, and where `first` stands then."""
    low = max(0, first - dice.randint(0, MOST_BESIDE))
    high = min(len(lines), last + dice.randint(0, MOST_BESIDE))
    pad = dice.choice(("  ", "    ", "\t"))
    at = dice.choice([*range(low + 1), *range(high, len(lines) + 1)])
    copy = [pad + line for line in lines[low:high]]
    return lines[:at] + copy + lines[at:], first + (len(copy) if at <= low else 0)


def _reworded(lines: list[str], first: int, last: int, dice: random.Random) -> None:
    """Change some words of these lines, at most every third."""
    words = [(line, word) for line in range(first, last) for word in re.findall(r"\w+", lines[line])]
    for line, word in dice.sample(words, min(max(1, len(words) // 3), dice.choice((1, 1, 2, 5, 20)))):
        lines[line] = re.sub(rf"\b{re.escape(word)}\b", f"zq{word}", lines[line], count=1)


def changes(language: str, texts: list[str], dice: random.Random) -> Iterator[tuple[str, str, str, Span]]:
    """Without end: a kind of change, a text before and after it, and the lines that are cited."""
    while True:
        lines = dice.choice(texts).splitlines(keepends=True)
        first = dice.randrange(1, max(2, len(lines) - 3))
        last = min(first + dice.choice((1, 2, 3, 5, 8, 12, 20)), len(lines) - 1)
        if not re.search(r"\w", "".join(lines[first:last])):
            continue
        old, start = _with_copy(lines, first, last, dice)
        end, new, kind = start + last - first, list(old), dice.choice(KINDS)
        _reworded(new, start, end, dice)
        if _code(language, new) == _code(language, old):
            continue
        beside = {KINDS[1]: start - 1, KINDS[2]: end}.get(kind)
        if beside is not None:
            new[beside] = re.sub(r"\w+|[{}();]", "zz", new[beside], count=1)
        if kind == "gone":
            del new[start:end]
        yield kind, "".join(old), "".join(new), Span(start + 1, end)


def main() -> None:
    """One row a language."""
    parser = argparse.ArgumentParser(description="Changes that a copy in another form hides.")
    parser.add_argument(
        "languages", nargs="*", default=["c", "java", "rust", "javascript", "typescript", "go"]
    )
    parser.add_argument("--rounds", type=int, default=900)
    parser.add_argument("--work", type=Path, default=WORK)
    given = parser.parse_args()
    print("| language | changes | hidden | of them, gone |")
    print("|---|---|---|---|")
    for language in given.languages:
        texts = [path.read_bytes().decode() for path in real_files(language, given.work, 60)]
        texts = [text for text in texts if "\r" not in text]
        dice, hidden = random.Random(language), Counter[str]()  # noqa: S311 - repeatable
        made = changes(language, texts, dice)
        for (kind, before, after, span), _ in zip(made, range(given.rounds), strict=False):
            if is_cosmetic(NAMES[language], before.encode(), after.encode(), span):
                hidden[kind] += 1
        print(f"| {language} | {given.rounds} | {hidden.total()} | {hidden['gone']} |", flush=True)


if __name__ == "__main__":
    main()
