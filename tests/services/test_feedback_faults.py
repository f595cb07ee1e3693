"""An arm, the graph, the save or a table fails, and the answer stands (B14, B15, B19, B22, B51)."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from stilltrue.cli import as_traced
from stilltrue.errors import StillTrueError
from stilltrue.services import history
from stilltrue.services.check import check
from stilltrue.services.fetching import record_fetch
from stilltrue.services.queries import Query
from stilltrue.services.recall import recall
from stilltrue.services.remember import Remembered, Request, remember
from stilltrue.services.traced import traced
from stilltrue.services.workspace import Workspace
from stilltrue.store.feedback_schema import metadata
from support.feedback import FEEDBACK_TABLES, Person, dump, run_sql
from support.repo import Repo

Keep = Callable[..., Remembered]
Open = Callable[[Path], Workspace]
SENTINEL = "zebrafish"
INCOMPLETE = {
    "feedback_available": False, "memory_unavailable": True, "memory_error": "retrieval_incomplete",
}  # fmt: skip
NOT_SAVED = {
    "feedback_available": False, "memory_unavailable": True, "memory_error": "memory_save_failed",
}  # fmt: skip


@pytest.fixture
def ada(workspace: Workspace) -> Person:
    return Person(workspace)


@pytest.fixture(autouse=True)
def kept(keep: Keep) -> list[Remembered]:
    """Three memories: the first mentions the second, the second the third."""
    return [
        keep("retries stop after 5, see m2", "src/client.py:4-6"),
        keep("backoff doubles each time, m3 says why"),
        keep("the server limits bursts"),
    ]


def ids(told: Mapping[str, Any]) -> list[str]:
    return [row["id"] for row in told["results"]]


def recording_of(told: Mapping[str, Any]) -> dict[str, Any]:
    """What an answer says of its own recording."""
    names = ("feedback_available", "memory_unavailable", "memory_error", "memory_recording", "trace_id")
    return {name: told[name] for name in names if name in told}


class Failing:
    """An arm that ranks by meaning and breaks on what it is asked."""

    model = "failing"

    def ranked(self, query: str, texts: Mapping[int, str]) -> list[int]:
        raise RuntimeError(f"{SENTINEL} {query} {texts}")


@pytest.mark.parametrize("given", [{"mode": "fused"}, {"profile": "validity"}])
def test_b14_b22_a_raising_arm_leaves_the_answer_of_the_others(
    ada: Person, database: Path, caplog: pytest.LogCaptureFixture, given: dict[str, Any]
) -> None:
    query = Query(text="retries backoff", **given)
    plain = recall(ada.workspace, query)
    before = dump(database)
    with caplog.at_level(logging.DEBUG):
        asked = recall(ada.workspace, query, dense=Failing())
        told = as_traced.answer(traced(ada.workspace, asked, principal=ada.workspace.actor))
    assert ids(told) == [hit.memory.id for hit in plain.hits] != []
    assert recording_of(told) == INCOMPLETE
    assert all("source_id" not in row for row in told["results"])
    assert told["fused_trace"]["rerank"] == "not applied: the dense arm failed"
    assert told["notes"] == ["a part of the search failed (dense); what it alone would find is missing"]
    assert dump(database) == before
    assert caplog.messages == [
        "an arm of a retrieval failed", "a part of a retrieval failed; it was not recorded",
    ]  # fmt: skip
    assert not any(word in caplog.text for word in (SENTINEL, "retries", "backoff"))


def test_b14_a_damaged_index_leaves_what_is_near(
    ada: Person, repo: Repo, open_at: Open, database: Path
) -> None:
    run_sql(database, "DELETE FROM memory_search_data")
    fresh = Person(open_at(repo.root))
    told = fresh.ask("retries", mode="fused", near="src/client.py")
    assert ids(told) == ["m1"]
    assert recording_of(told) == INCOMPLETE
    assert "(keyword)" in told["notes"][0]
    with pytest.raises(StillTrueError, match="damaged"):
        fresh.ask("retries")
    assert dump(database, "traces") == {"traces": []}, "where nothing is left to answer, it is an error (B13)"
    assert ada.workspace is not fresh.workspace


def test_b14_b22_a_graph_that_fails_leaves_the_results(
    ada: Person, database: Path, caplog: pytest.LogCaptureFixture
) -> None:
    plain = ada.ask("retries")
    run_sql(database, "DROP TABLE mention_edges")
    before = dump(database, "traces", "trace_sources", "activations")
    with caplog.at_level(logging.DEBUG):
        told = ada.ask("retries", hops=2)
    assert ids(told) == ids(plain) == ["m1"]
    assert recording_of(told) == INCOMPLETE
    assert "graph_results" not in told
    assert dump(database, "traces", "trace_sources", "activations") == before
    assert caplog.messages == [
        "the graph could not be followed", "a part of a retrieval failed; it was not recorded",
    ]  # fmt: skip


@pytest.mark.parametrize("table", ["traces", "source_identities", "activations", "trace_sources"])
@pytest.mark.parametrize("again", [False, True], ids=["first", "again"])
def test_b15_b19_whichever_row_cannot_be_saved_all_of_it_is_undone(
    ada: Person, database: Path, table: str, caplog: pytest.LogCaptureFixture, *, again: bool
) -> None:
    """Also of sources that have an activation already; a failed save is never called an exclusion."""
    order = [f"m{number}" for number in (3, 2, 1)]
    if again:
        assert ids(ada.ask()) == order
    before = dump(database)
    assert any(before.values()) is again
    run_sql(database, f"CREATE TRIGGER no BEFORE INSERT ON {table} BEGIN SELECT RAISE(ABORT, 'no'); END")
    with caplog.at_level(logging.DEBUG):
        told = ada.ask()
    assert ids(told) == order
    assert recording_of(told) == NOT_SAVED
    assert not any({"source_id", "memory_exclusion_reason"} & set(row) for row in told["results"])
    assert dump(database) == before
    assert caplog.messages == ["a retrieval could not be recorded"]
    run_sql(database, "DROP TRIGGER no")
    told = ada.ask()
    assert told["results"][0]["activation"]["retrieved"] == pytest.approx(0.2 if again else 0.1, rel=1e-4)


@pytest.mark.parametrize("gone", [*((table,) for table in FEEDBACK_TABLES), FEEDBACK_TABLES], ids="+".join)
def test_b51_whichever_tables_are_gone_recall_goes_on(
    ada: Person, repo: Repo, open_at: Open, database: Path, gone: Sequence[str]
) -> None:
    questions: list[dict[str, Any]] = [
        {"text": "retries"},
        {"text": "retries", "hops": 2, "use_memory": True},
        {"text": ""},
        {"text": "retries", "profile": "validity"},
    ]
    before = [ids(ada.ask(**given)) for given in questions]
    for table in gone:
        run_sql(database, f'DROP TABLE "{table}"')
    for person in (ada, Person(open_at(repo.root))):
        for given, expected in zip(questions, before, strict=True):
            told = person.ask(**given)
            assert ids(told) == expected
            assert recording_of(told).get("trace_id") or recording_of(told) in (NOT_SAVED, INCOMPLETE)
        shown, _ = history.show(person.workspace, "m1")
        fetched = record_fetch(person.workspace, person.workspace.actor, ["m1"], [shown])
        assert fetched.trace_id or fetched.error == "memory_save_failed"
        assert check(person.workspace).counts["fresh"] == 1
    remember(ada.workspace, Request(text="life goes on"))
    assert ids(ada.ask()) == ["m4", *before[2]]


def test_b51_the_tables_stand_apart(ada: Person, database: Path) -> None:
    """The list that is dropped above is the whole one, and no other table leans on any of them."""
    assert set(FEEDBACK_TABLES) == set(metadata.tables)
    ada.ask("retries")
    connection = sqlite3.connect(database)
    tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    leans = {
        (name, row[2])
        for name in set(tables) - set(FEEDBACK_TABLES)
        for row in connection.execute(f'PRAGMA foreign_key_list("{name}")')
        if row[2] in FEEDBACK_TABLES
    }
    triggers = connection.execute("SELECT tbl_name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
    connection.close()
    assert set(FEEDBACK_TABLES) <= set(tables)
    assert leans == set()
    assert not any(table in FEEDBACK_TABLES for table, _ in triggers)
