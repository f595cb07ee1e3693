"""`stilltrue pins` beside two git processes a pin, in one run on one generated history.

Run: python benchmarks/pins/bench.py [--pins 10000] [--commits 1000] [--sample 100]
"""

from __future__ import annotations

import argparse
import os
import random
import shlex
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from statistics import median

from stilltrue.model.citation import CitationKind
from stilltrue.services.pins import Wanted, check_pins
from stilltrue.services.recording import CitationSpec
from stilltrue.services.remember import Request, remember_many
from stilltrue.services.workspace import Surroundings, Workspace

TARGET = 100
ROUNDS = 7
FILES = 200
FOLDERS = 12


def generate(folder: Path, commits: int) -> tuple[list[str], list[str]]:
    """A history in which each commit changes a few of 200 files; its commits and its paths."""
    dice = random.Random(4)  # noqa: S311 - a repeatable history
    paths = [f"package_{number % FOLDERS}/part_{number % 3}/module_{number}.py" for number in range(FILES)]
    subprocess.run(["git", "init", "-q", "-b", "main", str(folder)], check=True)
    stream: list[str] = []
    for number in range(1, commits + 1):
        changed = paths if number == 1 else dice.sample(paths, dice.randint(1, 4))
        stream += [
            "commit refs/heads/main",
            f"committer bench <bench@localhost> {1_700_000_000 + number} +0000",
            "data 2\nok",
        ]
        for path in changed:
            text = f"version = {number}\n" * 3
            stream.append(f"M 100644 inline {path}\ndata {len(text)}\n{text}")
    given = ("\n".join(stream) + "\n").encode()
    subprocess.run(["git", "-C", str(folder), "fast-import", "--quiet"], input=given, check=True)
    subprocess.run(["git", "-C", str(folder), "reset", "-q", "--hard"], check=True)
    listed = subprocess.run(
        ["git", "-C", str(folder), "rev-list", "HEAD"], check=True, stdout=subprocess.PIPE, text=True
    )
    return listed.stdout.split(), paths


def shim(folder: Path) -> tuple[Path, Path]:
    """A folder whose `git` notes each start in a file and runs the real one."""
    real, log = shutil.which("git") or "git", folder / "starts.txt"
    named = folder / "bin" / "git"
    named.parent.mkdir()
    quoted = shlex.quote(str(log))
    named.write_text(f'#!/bin/sh\necho "$*" >> {quoted}\nexec {shlex.quote(real)} "$@"\n')
    named.chmod(0o755)
    return named.parent, log


def pin(workspace: Workspace, commits: list[str], paths: list[str], count: int) -> list[tuple[str, str]]:
    """Remember so many memories, each pinned to a commit and a path."""
    dice = random.Random(5)  # noqa: S311 - repeatable pins
    pins = [(commits[number % len(commits)], dice.choice(paths)) for number in range(count)]
    requests = (
        Request(
            text=f"It is so: {number}",
            citations=(CitationSpec(kind=CitationKind.COMMIT, path=path, commit=commit),),
        )
        for number, (commit, path) in enumerate(pins)
    )
    for answer in remember_many(workspace, requests):
        if isinstance(answer, Exception):
            raise answer
    return pins


def two_a_pin(folder: Path, head: str, pins: list[tuple[str, str]]) -> list[str]:
    """What a checker without batches does: ancestry, then the diff of the path."""
    states = []
    for commit, path in pins:
        git = ["git", "-C", str(folder)]
        reached = subprocess.run([*git, "merge-base", "--is-ancestor", commit, head], check=False)
        differs = subprocess.run(
            [*git, "--literal-pathspecs", "diff", "--quiet", commit, head, "--", path], check=False
        )
        states.append("unresolved" if reached.returncode else ("stale" if differs.returncode else "current"))
    return states


def main() -> None:
    """Generate, pin, check and compare."""
    parser = argparse.ArgumentParser(description="The git axis beside two processes a pin.")
    parser.add_argument("--pins", type=int, default=10_000)
    parser.add_argument("--commits", type=int, default=1_000)
    parser.add_argument("--sample", type=int, default=200)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="pins-") as name:
        folder = Path(name)
        commits, paths = generate(folder / "repository", given.commits)
        database = str(folder / "memories.db")
        workspace = Workspace(folder / "repository", Surroundings(dict(os.environ), database=database))
        pins = pin(workspace, commits, paths, given.pins)
        shims = [Path(tempfile.mkdtemp(dir=folder)) for _ in range(2)]
        counts = zip(shims, (10, given.pins), strict=True)
        started = [processes(folder / "repository", database, each, count) for each, count in counts]
        sample = random.Random(6).sample(range(len(pins)), min(given.sample, len(pins)))  # noqa: S311
        taken, agreed = measure(workspace, commits[0], pins, [pins[number] for number in sample])
        workspace.close()
    show(given.pins, started, taken, (agreed, len(sample)))


def processes(repository: Path, database: str, folder: Path, limit: int) -> int:
    """How many processes a pass over so many pins starts."""
    path, log = shim(folder)
    environment = {**os.environ, "PATH": f"{path}{os.pathsep}{os.environ['PATH']}"}
    workspace = Workspace(repository, Surroundings(environment, database=database))
    check_pins(workspace, Wanted(limit=limit), write=False)
    workspace.close()
    return log.read_text().count("\n")


def measure(
    workspace: Workspace, head: str, pins: list[tuple[str, str]], sample: list[tuple[str, str]]
) -> tuple[dict[str, list[float]], int]:
    """Seconds of some passes, and of git pin by pin between them for all pins; how many answers agree.

    Both are taken in turns, so that what else the machine does weighs on both.
    """
    taken: dict[str, list[float]] = {"--check": [], "--flag": [], "apart": []}
    told: list[str] = []
    for turn in range(ROUNDS):
        for mode in ("--check", "--flag"):
            begun = time.perf_counter()
            report = check_pins(workspace, write=mode == "--flag")
            taken[mode].append(time.perf_counter() - begun)
        some = sample[turn::ROUNDS]
        begun = time.perf_counter()
        expected = two_a_pin(workspace.root, head, some)
        taken["apart"].append((time.perf_counter() - begun) / len(some) * len(pins))
        states = {(each.pinned.commit, each.pinned.path): each.verdict.state.value for each in report.pins}
        told += [state for each, state in zip(some, expected, strict=True) if states[each] == state]
    return taken, len(told)


def show(count: int, started: list[int], taken: dict[str, list[float]], agreed: tuple[int, int]) -> None:
    """Figures, each the median of its rounds, and what became of the targets."""
    apart = taken.pop("apart")
    print("| pass | s | two processes a pin, s (of a sample) | ratio |\n|---|---|---|---|")
    ratios = {}
    for mode, seconds in taken.items():
        ratios[mode] = median(one / other for one, other in zip(apart, seconds, strict=True))
        figures = f"{median(seconds):.3f} | {median(apart):.1f} | {ratios[mode]:.0f}"
        print(f"| pins {mode}, {count} pins | {figures} |")
    print(f"processes: {started[0]} for 10 pins, {started[1]} for {count}")
    print(f"same answers as git alone: {agreed[0]} of {agreed[1]}")
    for mode, ratio in ratios.items():
        met = "met    " if ratio >= TARGET else "NOT met"
        print(met, f"pins {mode}: {ratio:.0f} x two processes a pin, at least {TARGET}")
    print("met    " if started[0] == started[1] else "NOT met", "as many processes, however many pins")


if __name__ == "__main__":
    main()
