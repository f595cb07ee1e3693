"""Keystroke to diagnostics, several servers in one interleaved run, as ratios to stock pygls.

    python benchmarks/latency/bench.py [--quick] [--lines 1000 10000 100000] [--out FILE] [--strict]

Closed loop: an edit is sent when the diagnostics of the one before came. Servers take turns in blocks, so
that a noisy machine hits them alike. At the largest size also typing: 60 keys at 30 Hz, whatever comes back.

median_ms, p99_ms  from the change to the diagnostics of its version, as the client sees it; of a server that
                   pauses before it adds, without the pause, and its clearing apart in clear_ms. Where no
                   diagnostics are due: the mean time an edit takes when they come in a flood.
x_floor, p99_x     the same as ratios to stock pygls.
cpu_ms             CPU of the server for an edit.
start_ms, open_ms  from starting the process to `initialize` answered; from `didOpen` to ready.
tail_ms, of_60     after the last key of a burst; publishes of 60 keys; burst_cpu_s for all of them.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path

from buffers import Edits, python_source
from measuring import Sitting
from report import TARGETS, Row, outcomes, rows_of, table
from servers import contestants

BLOCK = 26  # even: a citation that is toggled is fresh again after it, so that no search follows
WARM_UP = 20
FLOOD = 10  # times as many edits where no answer is waited for


async def measure(lines: int, edits: int, bursts: int, folder: Path) -> list[Row]:
    """Every server on a buffer of `lines` lines."""
    buffer = python_source(lines)
    sittings = [Sitting(each, buffer, folder / f"{lines}-{n}") for n, each in enumerate(contestants())]
    for sitting in sittings:
        await sitting.start()
        await turn(sitting, WARM_UP, counted=False)
    for count in range(0, edits, BLOCK):
        for sitting in sittings:
            if not sitting.contestant.pause_ms or count < 2 * BLOCK:  # of what waits by design a few do
                await turn(sitting, BLOCK, counted=True)
    typed = [each for each in sittings if each.contestant.edits is not Edits.OUTSIDE]
    for sitting in typed * bursts:
        await sitting.burst()
    rows = rows_of(sittings, lines)
    for sitting in sittings:
        await sitting.client.stop()
    return rows


async def turn(sitting: Sitting, count: int, *, counted: bool) -> None:
    """One server's turn."""
    if sitting.contestant.edits is Edits.OUTSIDE:
        await sitting.flood(count * FLOOD, counted=counted)
    else:
        await sitting.block(count, counted=counted)


async def main() -> int:
    """Run it; 1 only with `--strict` and a target missed."""
    parser = argparse.ArgumentParser(description="Keystroke to diagnostics, beside floors and peers.")
    parser.add_argument("--lines", nargs="+", type=int, default=list(TARGETS))
    parser.add_argument("--edits", type=int, default=312, help="for each server and size")
    parser.add_argument("--bursts", type=int, default=3, help="of typing, at the largest size")
    parser.add_argument("--quick", action="store_true", help="52 edits and one burst")
    parser.add_argument("--strict", action="store_true", help="exit with 1 if a target is missed")
    parser.add_argument("--out", type=Path, help="write the figures there as JSON")
    given = parser.parse_args()
    edits, bursts = (2 * BLOCK, 1) if given.quick else (given.edits, given.bursts)
    rows: list[Row] = []
    with tempfile.TemporaryDirectory(prefix="latency-") as folder:
        for lines in sorted(given.lines):
            largest = lines == max(given.lines)
            rows += await measure(lines, edits, bursts if largest else 0, Path(folder))
    results = outcomes(rows)
    print(table(rows))
    for each in results:
        print(f"{'met    ' if each.met else 'NOT met'}  {each.what}")
    if given.out:
        figures = {"rows": rows, "targets": [asdict(each) for each in results]}
        given.out.write_text(json.dumps(figures, indent=1) + "\n")
    return int(given.strict and not all(each.met for each in results))


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
