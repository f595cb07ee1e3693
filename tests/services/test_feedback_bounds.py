"""Both ends of every bound of the history, on a real store (B7, B10, B13, B30)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from stilltrue.errors import StillTrueError
from stilltrue.recall.recording import MOST_SAVED
from stilltrue.services import graph
from stilltrue.services.feedback import Recording, Retrieval, record_retrieval
from stilltrue.services.feedback_acts import record_outcome, record_use
from stilltrue.services.remember import Remembered
from stilltrue.services.workspace import Workspace
from support.feedback import Person, dump, rows_of, run_sql

Keep = Callable[..., Remembered]
SAVED = """SELECT (SELECT sum(length(request) + length(settings)) FROM traces)
             + (SELECT sum(length(provenance)) FROM source_identities)
             + (SELECT sum(length(path)) FROM trace_sources)"""
"""What one trace keeps, counted by SQLite in code points."""


@pytest.fixture
def ada(workspace: Workspace) -> Person:
    return Person(workspace)


@pytest.fixture(autouse=True)
def kept(keep: Keep) -> list[Remembered]:
    return [keep("alpha, see m2"), keep("beta, m3 says why"), keep("gamma")]


def invalid(act: Callable[[], object]) -> None:
    with pytest.raises(StillTrueError) as caught:
        act()
    assert caught.value.code == "invalid_memory_request"


def test_b7_three_hundred_thousand_characters_and_no_more(
    workspace: Workspace, kept: list[Remembered], database: Path
) -> None:
    """Of request, settings, provenance and paths together, counted in code points (K20)."""
    rows = [row.retrieved for row in graph.graph_rows(workspace, [kept[0].memory], hops=2, top_k=8)]

    def record(text: str) -> Recording:
        retrieval = Retrieval(mode="search", request={"query": text}, answer={"graph_results": rows})
        return record_retrieval(workspace, workspace.actor, retrieval)

    assert record("").trace_id
    ((base,),) = run_sql(database, SAVED)
    assert base > 1_000
    assert record("😀" * (MOST_SAVED - base)).trace_id
    before = dump(database)
    told = record("x" * (MOST_SAVED - base + 1))
    assert (told.trace_id, told.error) == (None, "memory_save_failed")
    assert dump(database) == before
    assert MOST_SAVED == 300_000


@pytest.mark.parametrize(("name", "most"), [("text", 4096), ("subject", 256), ("path", 256), ("near", 256)])
def test_b7_b13_the_longest_question_is_kept_and_a_longer_one_refused(
    ada: Person, database: Path, name: str, most: int
) -> None:
    fitting: dict[str, Any] = {name: "😀" * most}
    trace = ada.ask(**fitting)["trace_id"]
    request = ada.history(trace_id=trace)["request"]
    assert "😀" * most in (request["query"], *request["filters"].values())
    before = dump(database)
    with pytest.raises(StillTrueError):
        ada.ask(**(fitting | {name: "x" * (most + 1)}))
    assert dump(database) == before


@pytest.mark.parametrize("name", ["path", "near"])
@pytest.mark.parametrize("place", ["../outside", "/etc", "src/../..", "C:/x", "~/x", "src/", "./src", "a\0b"])
def test_b13_a_place_that_is_none_records_nothing(ada: Person, database: Path, name: str, place: str) -> None:
    given: dict[str, Any] = {name: place}
    with pytest.raises(StillTrueError, match="files or folders of the repository"):
        ada.ask("alpha", **given)
    assert dump(database, "traces") == {"traces": []}
    assert ada.ask("alpha", **(given | {name: "."}))["trace_id"]


def test_b10_pages_of_traces(ada: Person) -> None:
    asked = [ada.ask("alpha")["trace_id"] for _ in range(51)][::-1]
    for given, length in (({}, 10), ({"limit": 1}, 1), ({"limit": 50}, 50)):
        told = ada.history(**given)
        assert [each["trace_id"] for each in told["traces"]] == asked[:length]
        assert told["next_cursor"] is not None
    told = ada.history(limit=50, cursor=ada.history(limit=50)["next_cursor"])
    assert ([each["trace_id"] for each in told["traces"]], told["next_cursor"]) == (asked[50:], None)
    unknown: list[dict[str, Any]] = [{"limit": 0}, {"limit": 51}, {"offset": 1}, {"cursor": "x" * 129}]
    for given in unknown:
        invalid(lambda sent=given: ada.history(**sent))  # type: ignore[misc]


def test_b10_pages_of_receipts(ada: Person) -> None:
    told = ada.ask("alpha")
    source = rows_of(told)["m1"]["source_id"]
    made = [ada.use(told["trace_id"], source, "selected")["receipt_id"] for _ in range(51)]
    about = {"trace_id": told["trace_id"]}
    for given, length in (({}, 10), ({"limit": 1}, 1), ({"limit": 50}, 50)):
        page = ada.history(**about, **given)
        assert [each["receipt"]["receipt_id"] for each in page["receipts"]] == made[:length], "oldest first"
    last = ada.history(**about, limit=50, cursor=page["next_cursor"])
    assert [each["receipt"]["receipt_id"] for each in last["receipts"]] == made[50:]
    assert last["next_cursor"] is None
    for limit in (0, 51):
        invalid(lambda most=limit: ada.history(**about, limit=most))  # type: ignore[misc]


@pytest.mark.parametrize("name", ["idempotency_key", "trace_id", "confirmation_id", "source_id"])
@pytest.mark.parametrize("value", ["", "x" * 129, "\ud800"], ids=["none", "129", "half a character"])
def test_b30_handles_and_keys(ada: Person, database: Path, name: str, value: str) -> None:
    """Refused before anything is looked up; with 128 characters they are looked up."""
    trace = ada.ask("alpha")["trace_id"]
    before = dump(database)

    def act(given: str) -> object:
        sent: dict[str, Any] = {"trace_id": trace, "idempotency_key": "k", "outcome": "corrected"}
        if name == "source_id":
            sent["source_ids"] = [given]
        return record_outcome(ada.workspace, {**sent, "confirmation_id": "c"} | (
            {} if name == "source_id" else {name: given}
        ))  # fmt: skip

    invalid(lambda: act(value))
    with pytest.raises(StillTrueError) as caught:
        act("x" * 128)
    assert caught.value.code in {"unknown_trace", "unknown_confirmation", "confirmation_id_required"}
    if name == "source_id":
        uses = {"trace_id": trace, "idempotency_key": "k"}
        invalid(
            lambda: record_use(ada.workspace, {**uses, "uses": [{"source_id": value, "stage": "selected"}]})
        )
    assert dump(database) == before


def test_b30_a_key_of_128_and_a_reason_of_1000_are_kept(ada: Person, database: Path) -> None:
    told = ada.ask("alpha")
    source = rows_of(told)["m1"]["source_id"]
    ada.use(told["trace_id"], source)
    before = dump(database)
    for given in (
        {"reason": "x" * 1001}, {"reason": ""}, {"key": "x" * 129}, {"surprise": 1}, {"reason": "\udfff"},
    ):  # fmt: skip
        invalid(
            lambda sent=given: ada.outcome(told["trace_id"], "confirmed", source_ids=[source], **sent)  # type: ignore[misc]
        )
    entry = {"source_id": source, "stage": "used"}
    invalid(lambda: ada.use_all(told["trace_id"], [{**entry, "surprise": "1"}]))
    invalid(lambda: ada.use_all(told["trace_id"], [entry] * 101))
    assert dump(database) == before
    ada.outcome(told["trace_id"], "confirmed", source_ids=[source], key="😀" * 128, reason="😀" * 1000)
    assert len(ada.use_all(told["trace_id"], [entry] * 100)["entries"]) == 100
    receipt = ada.history(trace_id=told["trace_id"])["receipts"][1]["receipt"]
    assert receipt["reason"] == "😀" * 1000
    assert run_sql(database, "SELECT max(length(key)) FROM feedback_receipts") == [(128,)]
