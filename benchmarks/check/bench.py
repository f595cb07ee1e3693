"""A whole check beside its floor: reading each cited file once and hashing the spans.

    python benchmarks/check/bench.py [--files 1000] [--per-file 10]

CPU seconds of this process, start-up apart, in one run.
"""

from __future__ import annotations

import argparse
import os
import resource
import tempfile
import time
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

from stilltrue.citations.lines import Lines
from stilltrue.model.citation import CitationKind, Span
from stilltrue.services.check import check
from stilltrue.services.recording import CitationSpec
from stilltrue.services.remember import Request, remember_many
from stilltrue.services.workspace import Surroundings, Workspace

SIZE = 10


def timed(what: str, job: Callable[[], object]) -> float:
    """CPU seconds of one run, printed."""
    begun = time.process_time()
    job()
    spent = time.process_time() - begun
    print(f"{what:<44} {spent:8.3f} s CPU")
    return spent


def main() -> None:
    """Record, check, and compare."""
    parser = argparse.ArgumentParser(description="A whole check beside reading and hashing alone.")
    parser.add_argument("--files", type=int, default=1000)
    parser.add_argument("--per-file", type=int, default=10)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="check-") as name:
        folder = Path(name) / "repository"
        folder.mkdir()
        spans = [Span(1 + n * SIZE, (n + 1) * SIZE) for n in range(given.per_file)]
        for number in range(given.files):
            rows = [f"def f_{number}_{row}(): return {row}" for row in range(SIZE * given.per_file)]
            (folder / f"f{number}.py").write_text("\n".join(rows) + "\n")
        workspace = Workspace(folder, Surroundings(dict(os.environ), database=str(Path(name) / "m.db")))
        requests = (
            Request(text="m", citations=(CitationSpec(kind=CitationKind.SPAN, path=f"f{n}.py", span=span),))
            for n in range(given.files)
            for span in spans
        )
        timed("remember, one line each", lambda: list(remember_many(workspace, requests)))

        def floor() -> None:
            for number in range(given.files):
                lines = Lines((folder / f"f{number}.py").read_bytes())
                for span in spans:
                    sha256(lines.span_bytes(span)).hexdigest()

        least = min(timed("floor: read once, hash the spans", floor) for _ in range(3))
        whole = min(timed("check", lambda: check(workspace)) for _ in range(3))
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        total = given.files * given.per_file
        print(f"{total} citations: {whole / least:.1f} x the floor, {1e6 * whole / total:.0f} µs each")
        print(f"peak memory of the process {peak:.0f} MiB")


if __name__ == "__main__":
    main()
