"""A whole check beside its floors, and how long the command line takes to begin.

    python benchmarks/check/bench.py [--files 1000] [--per-file 10] [--rounds 5] [--out FILE]

Files as in Python, TypeScript and Go are generated, cited and checked. Every figure comes from a process of
its own, start-up and imports left out, and the contestants take turns. Cold: nothing is kept from a check
before; the operating system has the files at hand. The floors:

floor: files            reads each cited file once and hashes the cited lines
floor: files and rows   and fetches what is stored of them through sqlite3
floor: stat             asks for the state of each cited file, which is all that a warm check has to do
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

TARGET_RATIO, TARGET_PEAK, TARGET_START, TARGET_WARM = 4.0, 96.0, 1.5, 3.0
LONG_AGO = 1_600_000_000  # what was written just before a check is not trusted by the next one
CHANGED = 20  # one file in so many
Cited = dict[str, list[tuple[int, int]]]

TEMPLATES = {
    "py": (
        "def handle_{n}(request, *, retries={n}):",
        "    if retries > {n}:",
        '        raise ValueError(f"too many tries: {{retries}} of {n}")',
        "    answer = request.send(timeout={n}.5)  # seconds",
        "    return answer.body if answer.ok else None",
        "",
        "",
    ),
    "ts": (
        "export async function handle{n}(request: Request, retries = {n}): Promise<Body | null> {{",
        "  if (retries > {n}) throw new Error(`too many tries: ${{retries}} of {n}`);",
        "  const answer = await request.send({{ timeout: {n}500 }}); // milliseconds",
        "  return answer.ok ? answer.body : null;",
        "}}",
        "",
    ),
    "go": (
        "func Handle{n}(request *Request, retries int) (*Body, error) {{",
        "\tif retries > {n} {{",
        '\t\treturn nil, fmt.Errorf("too many tries: %d of {n}", retries)',
        "\t}}",
        "\treturn request.Send({n} * time.Second)",
        "}}",
        "",
    ),
}


def generate(folder: Path, files: int, per_file: int) -> Cited:
    """Write the files; what is to be cited in each, as lines from 1 on."""
    dice = random.Random(11)  # noqa: S311 - the same files every time
    cited: Cited = {}
    for number in range(files):
        kind = list(TEMPLATES)[number % len(TEMPLATES)]
        path = f"package_{number // 50}/module_{number}.{kind}"
        count = dice.randint(8, 40)
        rows = [row.format(n=number * 50 + k) for k in range(count) for row in TEMPLATES[kind]]
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text("\n".join(rows) + "\n")
        os.utime(folder / path, (LONG_AGO, LONG_AGO))
        starts = [dice.randint(1, len(rows) - 1) for _ in range(per_file)]
        cited[path] = [(start, min(start + dice.randint(0, 29), len(rows))) for start in starts]
    return cited


def change_some(folder: Path, cited: Cited) -> None:
    """In one file of twenty a cited line is another one, and all below it stands a line further down."""
    for path in list(cited)[::CHANGED]:
        rows = (folder / path).read_text().split("\n")
        rows[cited[path][0][0] - 1] += " // or so"
        (folder / path).write_text("\n".join(["", *rows]))


# -- what child processes do, each measured without its imports ------------------------------------------


def record(folder: Path, database: Path, cited: Cited) -> Callable[[], object]:
    """Remember everything, a memory for each citation."""
    from stilltrue.model.citation import CitationKind, Span  # noqa: PLC0415 - no floor pays for these
    from stilltrue.services.recording import CitationSpec  # noqa: PLC0415
    from stilltrue.services.remember import Request, remember_many  # noqa: PLC0415
    from stilltrue.services.workspace import Surroundings, Workspace  # noqa: PLC0415

    def specs() -> Iterator[CitationSpec]:
        for path, spans in cited.items():
            for span in spans:
                yield CitationSpec(kind=CitationKind.SPAN, path=path, span=Span(*span))

    def job() -> None:
        workspace = Workspace(folder, Surroundings(dict(os.environ), database=str(database)))
        requests = (Request(text=f"{spec.path} gives up in the end.", citations=(spec,)) for spec in specs())
        for answer in remember_many(workspace, requests):
            if isinstance(answer, Exception):
                raise answer
        workspace.close()

    return job


def check(folder: Path, database: Path, _cited: Cited) -> Callable[[], object]:
    """Judge everything."""
    from stilltrue.services import check as checking  # noqa: PLC0415 - no floor pays for these
    from stilltrue.services.workspace import Surroundings, Workspace  # noqa: PLC0415

    def job() -> object:
        workspace = Workspace(folder, Surroundings(dict(os.environ), database=str(database)))
        return checking.check(workspace, whole=False).counts

    return job


def floor_files(folder: Path, _database: Path, cited: Cited) -> Callable[[], object]:
    """Read each cited file once and hash the spans."""

    def job() -> int:
        digests = set()
        for path, spans in cited.items():
            rows = (folder / path).read_bytes().split(b"\n")
            digests |= {sha256(b"\n".join(rows[start - 1 : end])).hexdigest() for start, end in spans}
        return len(digests)

    return job


def floor_rows(folder: Path, database: Path, cited: Cited) -> Callable[[], object]:
    """The same after fetching the rows a check has to know, all columns of them."""
    files = floor_files(folder, database, cited)

    def job() -> object:
        connection = sqlite3.connect(database)
        for table in ("memories", "citations", "citation_generations"):
            connection.execute(f"SELECT * FROM {table}").fetchall()  # noqa: S608 - the names stand above
        connection.close()
        return files()

    return job


def summary(folder: Path, database: Path, _cited: Cited) -> Callable[[], object]:
    """The figures alone; warm from the second time on."""
    from stilltrue.services.warm import summarise  # noqa: PLC0415 - no floor pays for these
    from stilltrue.services.workspace import Surroundings, Workspace  # noqa: PLC0415

    def job() -> object:
        workspace = Workspace(folder, Surroundings(dict(os.environ), database=str(database)))
        return dict(summarise(workspace).counts)

    return job


def floor_stat(folder: Path, _database: Path, cited: Cited) -> Callable[[], object]:
    """Ask for the state of each cited file."""

    def job() -> int:
        return len([os.stat(f"{folder}/{path}") for path in cited])  # noqa: PTH116 - a floor has no path objects

    return job


JOBS = {
    "remember": record,
    "check": check,
    "check --summary, warm": summary,
    "floor: files": floor_files,
    "floor: files and rows": floor_rows,
    "floor: stat": floor_stat,
}


def child(name: str, folder: Path) -> None:
    """Do one job and print what it took."""
    cited: Cited = json.loads((folder / "cited.json").read_text())
    job = JOBS[name](folder / "repository", folder / "memories.db", cited)
    before = peak_mib()
    wall, cpu = time.perf_counter(), time.process_time()
    answer = job()
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    told = {"wall_s": wall, "cpu_s": cpu, "peak_mib": peak_mib(), "imports_mib": before, "answer": answer}
    print(json.dumps(told))


def peak_mib() -> float:
    """The most memory this process ever held (Linux; `getrusage` would count the parent's)."""
    rows = Path("/proc/self/status").read_text().split("\n")
    return next((int(row.split()[1]) / 1024 for row in rows if row.startswith("VmHWM:")), 0.0)


# -- the parent -------------------------------------------------------------------------------------------


def run(name: str, folder: Path) -> dict[str, Any]:
    """One job in a process of its own."""
    command = [sys.executable, __file__, "--child", name, "--folder", str(folder)]
    made = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    return dict(json.loads(made.stdout))


def in_turns(names: Sequence[str], rounds: int, folder: Path) -> dict[str, dict[str, Any]]:
    """Each job so many times, interleaved; the medians."""
    taken: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for _ in range(rounds):
        for name in names:
            taken[name].append(run(name, folder))
    return {name: _medians(each) for name, each in taken.items()}


def _medians(figures: Sequence[dict[str, Any]]) -> dict[str, Any]:
    first = figures[0]
    middle = {key: statistics.median(each[key] for each in figures) for key in first if key != "answer"}
    return {**middle, "answer": first["answer"]}


def start_up(rounds: int, folder: Path) -> dict[str, float]:
    """Wall seconds of whole processes: the command line beside what it cannot do without."""
    tiny = folder / "tiny"
    tiny.mkdir()
    environment = {**os.environ, "STILLTRUE_DB": str(folder / "tiny.db")}
    (tiny / "a.py").write_text("one = 1\n")
    stilltrue = [sys.executable, "-m", "stilltrue"]
    remember = [*stilltrue, "remember", "one is 1", "--cite", "a.py:1"]
    subprocess.run(remember, check=True, cwd=tiny, env=environment, capture_output=True)
    commands = {
        "python": [sys.executable, "-c", "pass"],
        "import sqlalchemy": [sys.executable, "-c", "import sqlalchemy"],
        "stilltrue --help": [*stilltrue, "--help"],
        "stilltrue check, one memory": [*stilltrue, "check"],
    }
    taken: dict[str, list[float]] = defaultdict(list)
    for _ in range(2 * rounds):
        for name, command in commands.items():
            begun = time.perf_counter()
            subprocess.run(command, check=True, cwd=tiny, env=environment, capture_output=True)
            taken[name].append(time.perf_counter() - begun)
    return {name: statistics.median(each) for name, each in taken.items()}


def show(figures: dict[str, dict[str, Any]], start: dict[str, float], total: int) -> None:
    """Tables, ratios, and what became of the targets."""
    print("| | wall s | CPU s | µs of CPU a citation | peak MiB | of it imports |\n|---|---|---|---|---|---|")
    for name, each in figures.items():
        cpu = each["cpu_s"]
        print(
            f"| {name} | {each['wall_s']:.3f} | {cpu:.3f} | {1e6 * cpu / total:.1f} "
            f"| {each['peak_mib']:.0f} | {each['imports_mib']:.0f} |"
        )
    print("\n| process | s |\n|---|---|")
    for name, seconds in start.items():
        print(f"| {name} | {seconds:.3f} |")
    whole, peak = figures["check"]["cpu_s"], figures["check"]["peak_mib"]
    for floor in ("floor: files", "floor: files and rows"):
        tell(
            f"check: {{:.1f}} x {floor}, at most {TARGET_RATIO}",
            whole / figures[floor]["cpu_s"],
            TARGET_RATIO,
        )
    warm = figures["check --summary, warm"]["wall_s"] / figures["floor: stat"]["wall_s"]
    tell(f"check --summary, warm: {{:.1f}} x floor: stat, at most {TARGET_WARM}", warm, TARGET_WARM)
    tell(f"check: {{:.0f}} MiB at its peak, below {TARGET_PEAK}", peak, TARGET_PEAK)
    begins = start["stilltrue check, one memory"] / start["import sqlalchemy"]
    tell(f"start-up of check: {{:.2f}} x importing SQLAlchemy, at most {TARGET_START}", begins, TARGET_START)


def tell(what: str, value: float, most: float) -> None:
    """One target."""
    print("met    " if value <= most else "NOT met", what.format(value))


def main() -> None:
    """Generate, record, check and compare."""
    parser = argparse.ArgumentParser(description="A whole check beside reading and hashing alone.")
    parser.add_argument("--files", type=int, default=1000)
    parser.add_argument("--per-file", type=int, default=10)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--out", type=Path, help="write the figures there as JSON")
    parser.add_argument("--child", choices=JOBS, help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.child:
        child(given.child, given.folder)
        return
    with tempfile.TemporaryDirectory(prefix="check-") as name:
        folder = Path(name)
        cited = generate(folder / "repository", given.files, given.per_file)
        (folder / "cited.json").write_text(json.dumps(cited))
        figures = {"remember": run("remember", folder)}
        figures |= in_turns(["floor: files", "floor: files and rows", "check"], given.rounds, folder)
        run("check --summary, warm", folder)
        figures |= in_turns(["floor: stat", "check --summary, warm"], given.rounds, folder)
        change_some(folder / "repository", cited)
        figures[f"check, one file in {CHANGED} changed"] = in_turns(["check"], given.rounds, folder)["check"]
        start = start_up(given.rounds, folder)
    show(figures, start, given.files * given.per_file)
    for name, each in figures.items():
        if name.startswith("check"):
            print(f"{name}: {each['answer']}")
    if given.out:
        given.out.write_text(json.dumps({"figures": figures, "start": start}, indent=1) + "\n")


if __name__ == "__main__":
    main()
