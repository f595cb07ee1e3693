"""The memories and questions of the evaluation, read from the files beside this one."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from pathlib import Path

RELEASES = ("0.20.0", "0.24.1", "0.28.1")
"""Of httpx; each has a file of memories that were recorded while it was current."""

RELEASED = {"0.20.0": date(2021, 10, 13), "0.24.1": date(2023, 5, 18), "0.28.1": date(2024, 12, 6)}
ASKED = datetime(2025, 1, 20, 9, tzinfo=UTC)

HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """One memory as written in the data.

    Attributes:
        key: Its name in the data.
        release: What was current when it was recorded.
        on: The day it was recorded.
        false_since: The release at which it was wrong, judged by hand; empty where it holds.
        supersedes: The key of what it replaces, or empty.
        expires: The day from which it is no longer served.
    """

    key: str
    release: str
    text: str
    cites: tuple[str, ...]
    on: date
    kind: str = "semantic"
    importance: int = 5
    confidence: float = 1.0
    trust: str = ""
    supersedes: str = ""
    expires: date | None = None
    false_since: str = ""

    @property
    def recorded(self) -> datetime:
        """The moment it was recorded."""
        return datetime.combine(self.on, time(10), UTC)


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, from where, and how good each memory is as an answer: 3, 2 or 1, else nothing."""

    text: str
    near: str | None
    grades: Mapping[str, int]


def notes() -> list[Note]:
    """Every memory, in the order of recording."""
    found: list[Note] = []
    for release in RELEASES:
        rows = tomllib.loads((HERE / "memories" / f"{release}.toml").read_text("utf-8"))
        found += [
            Note(key=key, release=release, **{**row, "cites": tuple(row["cites"])})
            for key, row in rows.items()
        ]
    return sorted(found, key=lambda note: note.recorded)


def questions() -> list[Question]:
    """Every question, in the order of the file."""
    rows = tomllib.loads((HERE / "queries.toml").read_text("utf-8"))["query"]
    return [Question(row["text"], row.get("near"), row["grades"]) for row in rows]
