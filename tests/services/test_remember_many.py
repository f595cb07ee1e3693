"""Many memories at once: a file is read in each batch that cites it, and parsed once while it is the same."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from stilltrue.citations import symbols
from stilltrue.citations.lines import Lines
from stilltrue.errors import StillTrueError
from stilltrue.services import recording
from stilltrue.services.recording import SeenLines, parse_spec
from stilltrue.services.remember import BATCH, Remembered, Request, remember_many
from stilltrue.services.workspace import Workspace
from support.repo import Repo

PLACE = (parse_spec("src/client.py:4-6"),)


def excerpts(answers: list[Remembered | StillTrueError]) -> list[bytes | None]:
    return [
        each.citations[0].baseline.excerpt
        for each in answers
        if isinstance(each, Remembered) and each.citations[0].baseline
    ]


def test_a_file_that_changes_between_two_batches_is_read_anew(workspace: Workspace, repo: Repo) -> None:
    changed = (repo.root / "src/client.py").read_text().replace("range(5)", "range(7)")

    def requests() -> Iterator[Request]:
        for number in range(2 * BATCH):
            if number == BATCH:
                repo.write("src/client.py", changed)
            yield Request(text=f"number {number}", citations=PLACE)

    told = excerpts(list(remember_many(workspace, requests())))
    assert len(told) == 2 * BATCH
    assert all(b"range(5)" in (each or b"") for each in told[:BATCH])
    assert all(b"range(7)" in (each or b"") for each in told[BATCH:])


def test_what_is_the_same_is_parsed_once(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    parsed: list[str] = []

    class Counting(symbols.Symbols):
        def __init__(self, path: str, lines: Lines) -> None:
            parsed.append(path)
            super().__init__(path, lines)

    monkeypatch.setattr(symbols, "Symbols", Counting)
    list(
        remember_many(workspace, [Request(text=f"{number}", citations=PLACE) for number in range(3 * BATCH)])
    )
    assert parsed == ["src/client.py"]


def test_what_is_kept_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recording, "MOST_KEPT_BYTES", 10)
    seen = SeenLines()
    first = seen.of("a", b"12345")
    assert seen.of("a", b"12345") is first
    assert seen.of("b", b"12345").data == b"12345"
    assert seen.of("a", b"12345") is first
    seen.of("c", b"1")
    assert seen.of("a", b"12345") is not first
