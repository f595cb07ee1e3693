"""Eight processes recall, use, confirm and correct at once on one store; then every total is compared.

Nothing may be lost: each receipt that was answered must be in the store, each relation must have what the
ledger of its credits adds up to, and each source what its retrievals and uses add up to.

    python benchmarks/recall/concurrency.py [--seconds 60] [--processes 8]

Prints a line of figures and exits with 1 if anything is amiss.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import time
from collections import defaultdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from stilltrue.model.time import Instant, unix_ms
from stilltrue.services.feedback_acts import record_outcome, record_use
from stilltrue.services.queries import Query
from stilltrue.services.recall import recall
from stilltrue.services.remember import Request, remember
from stilltrue.services.traced import Traced, traced
from stilltrue.services.workspace import Surroundings, Workspace

MEMORIES = 200
STAGES = ("selected", "validated", "used")
WORTH = {1: 0.2, 2: 0.5, 3: 1.0}
HALF_LIFE_MS = 3_600_000
CLOSE = 1e-9
CLOSE_FOR_CLOCKS = 1e-4
"""Clocks of processes differ by milliseconds; a lost update is at least a thousand times as much."""

Ledger = dict[str, list[tuple[float, str]]]


def open_workspace(folder: Path) -> Workspace:
    """The repository and store of this run."""
    surroundings = Surroundings(os.environ, database=str(folder / "memories.db"))
    return Workspace(folder / "repo", surroundings)


def fill(folder: Path) -> None:
    """Memories in a long chain: each mentions the next."""
    (folder / "repo").mkdir()
    workspace = open_workspace(folder)
    for number in range(1, MEMORIES + 1):
        remember(workspace, Request(text=f"fact{number} holds, and m{number % MEMORIES + 1} says why"))
    workspace.close()


def work(folder: Path, seconds: float, seed: int) -> None:
    """What one process does; tells on standard output what it was answered."""
    chance = random.Random(seed)  # noqa: S311 - repeatable
    workspace = open_workspace(folder)
    traces: list[str] = []
    receipts: list[str] = []
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        question = Query(text=f"fact{chance.randint(1, MEMORIES)}", limit=1)
        answer = traced(
            workspace, recall(workspace, question), principal=workspace.actor, hops=2, use_memory=True
        )
        if answer.recording.trace_id is None:
            sys.exit(f"not recorded: {answer.recording.error}")
        traces.append(answer.recording.trace_id)
        receipts += act(workspace, answer, f"{seed}-{len(traces)}", chance)
    workspace.close()
    sys.stdout.write(json.dumps({"traces": traces, "receipts": receipts}))


def act(workspace: Workspace, answer: Traced, key: str, chance: random.Random) -> list[str]:
    """Use and confirm one graph row; now and then take that back. The receipts."""
    rows = [row for place, row in answer.recording.rows.items() if place.startswith("graph_results")]
    picked = chance.choice(rows)
    assert picked.source is not None
    trace, source = answer.recording.trace_id, picked.source.provenance.source_id
    uses = [{"source_id": source, "stage": stage} for stage in STAGES]
    base = {"trace_id": trace}
    used = record_use(workspace, {**base, "idempotency_key": f"{key}-use", "uses": uses})
    confirmed = record_outcome(
        workspace,
        {**base, "idempotency_key": f"{key}-yes", "outcome": "confirmed", "source_ids": [source]},
    )
    told = [used["receipt_id"], confirmed["receipt_id"]]
    if chance.random() < 0.3:
        taken_back = record_outcome(
            workspace,
            {
                **base,
                "idempotency_key": f"{key}-no",
                "outcome": "corrected",
                "confirmation_id": told[-1],
            },
        )
        told.append(taken_back["receipt_id"])
    return told


def amiss(database: Path, told: list[dict[str, list[str]]]) -> list[str]:
    """What does not add up, in sentences."""
    kept = {table: rows(database, table) for table in TABLES}
    found = missing("trace", told, "traces", kept["traces"])
    found += missing("receipt", told, "receipts", kept["feedback_receipts"])
    lent: Ledger = defaultdict(list)
    for row in kept["credits"]:
        if row["active"]:
            lent[edge_of(row)].append((row["delta"], row["at"]))
    for row in kept["edge_strengths"]:
        expected = total(lent[edge_of(row)], row["updated_at"])
        if abs(expected - row["value"]) > CLOSE:
            found.append(f"a relation has {row['value']}, its ledger {expected}")
    return found + amiss_in_activations(kept)


def amiss_in_activations(kept: dict[str, list[dict[str, Any]]]) -> list[str]:
    """Sources that have another activation than what was recorded of them adds up to."""
    when = {row["number"]: row["at"] for row in kept["traces"]}
    acted = {row["number"]: row["at"] for row in kept["feedback_receipts"]}
    retrieved: Ledger = defaultdict(list)
    used: Ledger = defaultdict(list)
    for row in kept["trace_sources"]:
        retrieved[row["source"]].append((0.1, when[row["trace"]]))
    for row in kept["usage"]:
        used[row["source"]].append((WORTH[row["stage"]], acted[row["receipt"]]))
    found = []
    for row in kept["activations"]:
        for name, ledger in (("retrieved", retrieved), ("usage", used)):
            expected = total(ledger[row["source"]], row["updated_at"])
            if expected < 10 and abs(expected - row[name]) > CLOSE_FOR_CLOCKS:
                found.append(f"a source has {name} {row[name]}, its records {expected}")
    return found


def missing(kind: str, told: list[dict[str, list[str]]], name: str, kept: list[dict[str, Any]]) -> list[str]:
    """What was answered and is not there."""
    known = {row["id"] for row in kept}
    lost = [one for each in told for one in each[name] if one not in known]
    return [f"a {kind} was answered and is lost: {one}" for one in lost]


def total(entries: list[tuple[float, str]], at: str) -> float:
    """What is left of these additions at that moment."""
    now = unix_ms(Instant(at))
    ages = ((value, max(0, now - unix_ms(Instant(since)))) for value, since in entries)
    return float(sum(value * 0.5 ** (age / HALF_LIFE_MS) for value, age in ages))


def edge_of(row: dict[str, Any]) -> str:
    """A relation as one text."""
    return "\n".join(row[name] for name in ("repository", "source", "target", "kind"))


TABLES = (
    "traces",
    "trace_sources",
    "feedback_receipts",
    "usage",
    "credits",
    "edge_strengths",
    "activations",
)


def rows(database: Path, table: str) -> list[dict[str, Any]]:
    """A table, read past the store."""
    import sqlite3  # noqa: PLC0415 - only the comparison reads past the store

    connection = sqlite3.connect(database)
    connection.row_factory = sqlite3.Row
    found = [dict(row) for row in connection.execute(f"SELECT * FROM {table}")]  # noqa: S608 - ours
    connection.close()
    return found


def run(seconds: float, processes: int) -> int:
    """Let them at it, then compare; the exit code."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        fill(folder)
        command = [sys.executable, __file__, "--folder", name, "--seconds", str(seconds), "--seed"]
        started = [
            subprocess.Popen([*command, str(seed)], stdout=subprocess.PIPE) for seed in range(processes)
        ]
        answers = [each.communicate()[0] for each in started]
        if any(each.returncode for each in started):
            print("a process failed")
            return 1
        told = [json.loads(each) for each in answers]
        found = amiss(folder / "memories.db", told)
        size = (folder / "memories.db").stat().st_size
    traces = sum(len(each["traces"]) for each in told)
    receipts = sum(len(each["receipts"]) for each in told)
    figures = {
        "processes": processes,
        "seconds": seconds,
        "traces": traces,
        "receipts": receipts,
        "acts_a_second": round((traces + receipts) / seconds, 1),
        "bytes": size,
        "amiss": len(found),
    }
    print(json.dumps(figures))
    for each in found[:20]:
        print(each)
    return 1 if found or not receipts else 0


def main() -> int:
    """Read the arguments; a process that was started with a folder works, the first one compares."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--processes", type=int, default=8)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--seed", type=int, default=0, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.folder is not None:
        work(given.folder, given.seconds, given.seed)
        return 0
    return run(given.seconds, given.processes)


if __name__ == "__main__":
    sys.exit(main())
