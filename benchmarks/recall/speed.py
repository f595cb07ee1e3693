"""Recall over many memories beside the bare full-text query in one run.

The aim is at most twice its time, and three times with the history of the retrieval kept.

The bare query is the same words over the index alone, the best eight with their texts. Recall adds who may be
seen, the score, the citations of what is shown, and its check against the working tree. Start-up is apart.

Run: python benchmarks/recall/speed.py [--memories 100000] [--rounds 7]
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median

from stilltrue.recall.words import pieces, words
from stilltrue.services.queries import Query
from stilltrue.services.recall import recall
from stilltrue.services.recording import parse_spec
from stilltrue.services.remember import Request, remember_many
from stilltrue.services.traced import Traced, traced
from stilltrue.services.workspace import Surroundings, Workspace

AIM = 2.0
AIM_RECORDED = 3.0
FILES = 500
LINES = 40
VOCABULARY = 8_000
WORDS_A_TEXT = 14
BARE = """
SELECT memories.number, memories.text FROM memory_search
CROSS JOIN memories ON memories.number = memory_search.rowid
WHERE memory_search MATCH ? ORDER BY memory_search.rank LIMIT 8
"""


def vocabulary() -> list[str]:
    """Made-up words, commonest first."""
    dice = random.Random(7)  # noqa: S311 - repeatable
    syllables = [c + v for c in "bcdfghklmnprstvz" for v in "aeiou"]
    return ["".join(dice.choices(syllables, k=dice.randint(2, 4))) for _ in range(VOCABULARY)]


def requests(count: int, known: list[str]) -> Iterator[Request]:
    """Texts whose words are as unevenly common as those of a language, each citing three lines."""
    dice = random.Random(11)  # noqa: S311 - repeatable
    weights = [1 / (rank + 3) for rank in range(len(known))]
    for number in range(count):
        text = " ".join(dice.choices(known, weights, k=WORDS_A_TEXT))
        line = dice.randint(1, LINES - 2)
        place = parse_spec(f"src/part_{number % FILES}.py:{line}-{line + 2}")
        yield Request(text=text, citations=(place,), importance=dice.randint(1, 10))


def build(folder: Path, count: int, known: list[str]) -> Workspace:
    """A folder with files and a store that remembers so much about them."""
    (folder / "src").mkdir(parents=True)
    for number in range(FILES):
        text = "".join(f"value_{number}_{line} = {line * number}\n" for line in range(LINES))
        (folder / "src" / f"part_{number}.py").write_text(text, "utf-8")
    workspace = Workspace(folder, Surroundings(os.environ, database=str(folder.parent / "memories.db")))
    for answer in remember_many(workspace, requests(count, known)):
        if isinstance(answer, Exception):
            raise answer
    return workspace


def milliseconds(act: Callable[[], object], rounds: int) -> float:
    """The median time of an act that was done once before."""
    act()
    told = []
    for _ in range(rounds):
        begun = time.perf_counter()
        act()
        told.append((time.perf_counter() - begun) * 1000)
    return median(told)


def bare(raw: sqlite3.Connection, query: str) -> list[object]:
    """The same words over the index: all of them, else any, as recall asks when that finds too few."""
    found: list[object] = raw.execute(BARE, (" AND ".join(f'"{each}"' for each in pieces(query)),)).fetchall()
    if len(found) < 8:
        found += raw.execute(BARE, (" OR ".join(f'"{each}"' for each in words(query)),)).fetchall()
    return found


def recall_recorded(workspace: Workspace, query: str) -> Traced:
    """Recall, and keep what was retrieved."""
    return traced(workspace, recall(workspace, Query(text=query)), principal=workspace.actor)


def figures(floor: float, took: float, kept: float) -> str:
    """Three times in milliseconds, and what they are of the first."""
    return (
        f"bare {floor:8.2f} ms   recall {took:8.2f} ms {took / floor:8.2f} x"
        f"   recorded {kept:8.2f} ms {kept / floor:8.2f} x"
    )


def main() -> int:
    """Print the table; 1 where the aim is missed over all queries together."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--memories", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=7)
    given = parser.parse_args()
    known = vocabulary()
    queries = {
        "the commonest word": known[0],
        "a common word": known[20],
        "a rare word": known[4000],
        "two common words": f"{known[2]} {known[9]}",
        "two words, one rare": f"{known[5]} {known[3000]}",
        "a question of six words": " ".join(known[rank] for rank in (1, 4, 30, 200, 900, 5000)),
        "a part of a word": known[10][1:],
    }
    with tempfile.TemporaryDirectory() as folder:
        begun = time.perf_counter()
        workspace = build(Path(folder) / "repo", given.memories, known)
        print(f"{given.memories} memories recorded in {time.perf_counter() - begun:.0f} s")
        raw = sqlite3.connect(Path(folder) / "memories.db")
        floors, whole, recorded = 0.0, 0.0, 0.0
        for name, query in queries.items():
            floor = milliseconds(lambda query=query: bare(raw, query), given.rounds)  # type: ignore[misc]
            took = milliseconds(lambda text=query: recall(workspace, Query(text=text)), given.rounds)  # type: ignore[misc]
            kept = milliseconds(lambda text=query: recall_recorded(workspace, text), given.rounds)  # type: ignore[misc]
            print(f"{name:26} {figures(floor, took, kept)}")
            if name != "a part of a word":  # the index has no such question
                floors, whole, recorded = floors + floor, whole + took, recorded + kept
        listing = milliseconds(lambda: recall(workspace, Query()), 3)
        profile = milliseconds(lambda: recall(workspace, Query(text=known[20], profile="validity")), 3)
        raw.close()
        workspace.close()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"all questions of words     {figures(floors, whole, recorded)}")
    print(
        f"no question, by score      {listing:8.2f} ms;  profile validity {profile:8.2f} ms;  peak {peak} MB"
    )
    return 0 if whole <= AIM * floors and recorded <= AIM_RECORDED * floors else 1


if __name__ == "__main__":
    sys.exit(main())
