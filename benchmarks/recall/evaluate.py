"""How well recall answers, and how much of its answers no longer holds: a table that changes only on purpose.

    PYTHONPATH=benchmarks/truth python benchmarks/recall/evaluate.py [--check | --renew] [--list FILE]

Three releases of httpx are fetched as the truth test does and committed to a repository of its own, each at
its date; the memories of `memories/` are recorded while their release is current, at their dates; then the
questions of `queries.toml` are asked at one moment, in each configuration. `--check` ends with 1 where the
table differs from the one in docs/recall-evaluation.md, `--renew` writes it there.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path

import platformdirs
from asking import ended, measured
from configurations import configurations
from corpus import RELEASES, Question, notes, questions
from fetching import Tree, fetched, projects
from measures import DEPTH, TOP, Answer, Figures, figures
from past import lived_through

from stilltrue.embeddings import is_installed

DOCUMENT = Path(__file__).parents[2] / "docs" / "recall-evaluation.md"
BEGIN, END = "<!-- figures: begin -->\n", "<!-- figures: end -->"


def trees(cache: Path) -> dict[str, Tree]:
    """The files of each release, fetched or from the cache."""
    project = next(each for each in projects() if each.name == "httpx")
    return {release: fetched(project, release, cache) for release in RELEASES}


def table(rows: Mapping[str, Figures]) -> Iterator[str]:
    """A row a configuration."""
    yield (
        f"| configuration | nDCG@{DEPTH} | MRR | recall@{DEPTH} "
        f"| no longer true in the top {TOP} | code changed in the top {TOP} |"
    )
    yield "|---" * 6 + "|"
    for name, row in rows.items():
        yield (
            f"| {name} | {row.ndcg:.3f} | {row.mrr:.3f} | {row.recall:.3f} "
            f"| {row.false_share:.1%} ({row.false_hits}) | {row.changed_share:.1%} ({row.changed_hits}) |"
        )


def listing(
    answers: Mapping[str, list[Answer]], asking: Sequence[Question], false: Collection[str]
) -> Iterator[str]:
    """Each answer's first ten, for reading: the grade before each key, `!` where it no longer holds."""
    for number, question in enumerate(asking):
        yield f"{question.text}"
        for name, given in answers.items():
            each = given[number]
            told = (f"{each.grades.get(key, 0)}{'!' * (key in false)} {key}" for key in each.ranked)
            yield f"  {name}: {', '.join(told)}"


def main() -> int:
    """Fetch, remember, ask, and print the table."""
    parser = argparse.ArgumentParser(description="How well recall answers, in each configuration.")
    parser.add_argument("--check", action="store_true", help="fail where the table in the document differs")
    parser.add_argument("--renew", action="store_true", help="write the table into the document")
    parser.add_argument("--list", type=Path, help="write the answers there")
    parser.add_argument("--sources", type=Path, default=platformdirs.user_cache_path("stilltrue-truth"))
    given = parser.parse_args()
    if not is_installed():
        parser.exit(1, "rows of the table need the extra: pip install 'stilltrue[embeddings]'\n")
    every, asking = notes(), questions()
    false = ended(every)
    with (
        tempfile.TemporaryDirectory(prefix="recall-") as name,
        lived_through(trees(given.sources), every, Path(name)) as past,
    ):
        answers = measured(past, asking, configurations())
    rows = "\n".join(table({name: figures(each, false) for name, each in answers.items()})) + "\n"
    print(rows)
    if given.list:
        given.list.write_text("\n".join(listing(answers, asking, false)) + "\n", "utf-8")
    before, _, rest = DOCUMENT.read_text("utf-8").partition(BEGIN)
    kept, _, after = rest.partition(END)
    if given.renew:
        DOCUMENT.write_text(f"{before}{BEGIN}{rows}{END}{after}", "utf-8")
    if given.check and kept != rows:
        print("The table in docs/recall-evaluation.md differs: find out why, then renew it with --renew.")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
