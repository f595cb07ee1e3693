"""Verdicts on the real history of real projects, beside an oracle that shares no code with them.

    python benchmarks/truth/measure.py [--projects click,rxjs] [--citations 300] [--sources DIR] [--list FILE]

Consecutive releases of the projects in `projects.toml` are fetched by the clients of their registries
and committed one after the other to a repository of their own. What is cited at the first release is judged
at each later one by the services that every surface calls, and by plain search (`oracle`). The exit code is
1 if a change passed for fresh, or if 1 % or more of what stands unchanged was called stale.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from pathlib import Path

import platformdirs
from fetching import Project, fetched, projects
from figures import disagreements, missed, tables
from trial import Trial, tried


def run(project: Project, sources: Path, count: int) -> Trial:
    """One project from its sources to its outcomes."""
    trees = [(release, fetched(project, release, sources)) for release in project.releases]
    with tempfile.TemporaryDirectory(prefix="truth-") as name:
        return tried(project, trees, Path(name), count)


def fetch(wanted: Sequence[Project], sources: Path) -> None:
    """Have every release at hand; the registries are asked for several at once."""
    pairs = [(project, release) for project in wanted for release in project.releases]
    with ThreadPoolExecutor(4) as threads:
        for _ in threads.map(lambda pair: fetched(pair[0], pair[1], sources), pairs):
            pass


def main() -> int:
    """Fetch, judge, and print the tables."""
    parser = argparse.ArgumentParser(description="Verdicts on real history beside an independent oracle.")
    parser.add_argument("--projects", help="names from projects.toml, with commas between them")
    parser.add_argument("--citations", type=int, default=300, help="so many of each project")
    parser.add_argument("--sources", type=Path, default=platformdirs.user_cache_path("stilltrue-truth"))
    parser.add_argument("--list", type=Path, help="write a line there for each outcome worth a look")
    given = parser.parse_args()
    names = given.projects.split(",") if given.projects else [each.name for each in projects()]
    wanted = [each for each in projects() if each.name in names]
    fetch(wanted, given.sources)
    begun = time.perf_counter()
    with ProcessPoolExecutor(2) as processes:
        trials = list(processes.map(partial(run, sources=given.sources, count=given.citations), wanted))
    print("\n".join(tables(trials)))
    print(f"\n{time.perf_counter() - begun:.0f} s after the sources were at hand.")
    if given.list:
        given.list.write_text("\n".join(disagreements(trials)) + "\n", "utf-8")
    targets = missed(trials)
    for target in targets:
        print("NOT met:", target)
    return 1 if targets else 0


if __name__ == "__main__":
    sys.exit(main())
