"""Kill writing processes at random moments; count what they acknowledged and what the store kept.

python benchmarks/faults/kill_writers.py [--kills 200]
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path


def killed_once(folder: Path, seconds: float) -> set[str]:
    """Start a writer, kill it after `seconds`; the uids it had answered with by then."""
    line = json.dumps({"text": "kept", "citations": [{"path": "a.txt", "start_line": 1}]}) + "\n"
    process = subprocess.Popen(
        [sys.executable, "-m", "stilltrue", "remember", "--stdin"],
        cwd=folder,
        env={**os.environ, "STILLTRUE_DB": str(folder / "memories.db"), "PYTHONUNBUFFERED": "1"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(line.encode() * 700)
    process.stdin.flush()
    time.sleep(seconds)
    process.kill()
    answered = process.stdout.read()
    process.wait()
    process.stdout.close()
    with Path(os.devnull).open("wb") as nowhere:  # the pipe's rest goes with the process
        os.dup2(nowhere.fileno(), process.stdin.fileno())
    process.stdin.close()
    whole = answered[: answered.rfind(b"\n") + 1]
    return {json.loads(row)["uid"] for row in whole.split(b"\n") if row}


def main() -> int:
    """Kill again and again; 1 if anything acknowledged was lost or the store does not open."""
    parser = argparse.ArgumentParser(description="Kill writers; nothing acknowledged may be lost.")
    parser.add_argument("--kills", type=int, default=200)
    kills = parser.parse_args().kills
    acknowledged: set[str] = set()
    dice = random.Random(7)  # noqa: S311 - a repeatable spread, not a secret
    with tempfile.TemporaryDirectory(prefix="kills-") as name:
        folder = Path(name)
        (folder / "a.txt").write_text("one\n")
        for _ in range(kills):
            acknowledged |= killed_once(folder, dice.uniform(0.2, 1.0))
            database = sqlite3.connect(folder / "memories.db")
            try:
                verdict = database.execute("PRAGMA integrity_check").fetchone()[0]
                tables = database.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
                kept = {row[0] for row in database.execute("SELECT uid FROM memories")} if tables else set()
            finally:
                database.close()
            if verdict != "ok" or acknowledged - kept:
                print(f"LOST {len(acknowledged - kept)}, integrity: {verdict}")
                return 1
        print(f"{kills} kills, {len(acknowledged)} memories acknowledged, {len(kept)} kept, none lost")
    return 0


if __name__ == "__main__":
    sys.exit(main())
