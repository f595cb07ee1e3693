"""Reads of the history use indexes and read a page, however long it is (B12); old rows are mended (B52)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from sqlalchemy import event, insert

from stilltrue.clock import Clock
from stilltrue.errors import StillTrueError
from stilltrue.recall.feedback import Edge
from stilltrue.recall.sources import Provenance, canonical_json
from stilltrue.services.feedback_history import history, repair_identities
from stilltrue.services.remember import Request, remember
from stilltrue.services.workspace import Surroundings, Workspace
from stilltrue.store import activations, feedback_receipts, relations, traces
from stilltrue.store.engine import Connection, Store
from stilltrue.store.feedback_schema import edge_strengths, source_identities
from stilltrue.store.feedback_schema import traces as trace_rows
from stilltrue.store.relations import edges_at
from stilltrue.store.traces import Trace
from store.writing import Writer

COUNT = 10_000


@pytest.fixture
def workspace(tmp_path: Path, store: Store, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    (tmp_path / "repo").mkdir()
    surroundings = Surroundings({}, database=str(store.location.path))
    opened = Workspace(tmp_path / "repo", surroundings, clock=clock, store=store)
    remember(opened, Request(text="alpha"))
    return opened


def repository_of(workspace: Workspace) -> str:
    with workspace.reading() as reading:
        assert reading is not None
        return reading[1]


def fill(store: Store, workspace: Workspace, count: int = COUNT) -> None:
    fixed = {
        "principal": workspace.actor,
        "repository": repository_of(workspace),
        "at": "2026-06-01T08:00:00.000Z",
        "mode": "search",
        "request": "{}",
        "settings": "{}",
    }
    with store.writing() as conn:
        conn.execute(insert(trace_rows), [{"id": f"t{number}", **fixed} for number in range(count)])


def plans(store: Store, ask) -> list[str]:  # type: ignore[no-untyped-def]  # noqa: ANN001 - takes a connection
    """What SQLite says of each statement that `ask` runs."""
    statements: list[tuple[str, object]] = []
    found: list[str] = []
    with store.reading() as conn:

        def note(_: object, __: object, statement: str, parameters: object, *___: object) -> None:
            statements.append((statement, parameters))

        event.listen(conn, "before_cursor_execute", note)
        ask(conn)
        event.remove(conn, "before_cursor_execute", note)
        for statement, parameters in statements:
            rows = conn.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters)  # type: ignore[arg-type]
            found += [row.detail for row in rows]
    assert found
    return found


def test_b12_plans_name_the_indexes(store: Store, workspace: Workspace) -> None:
    fill(store, workspace, 100)
    repository = repository_of(workspace)
    owner = (workspace.actor, repository)

    def trace(conn: Connection) -> Trace:
        found = traces.find_trace(conn, "t5", *owner)
        assert found is not None
        return found

    with store.reading() as conn:
        one = trace(conn)
    asked = {
        "traces_of_owner": lambda conn: traces.page_of_traces(conn, *owner, before=50, limit=11),
        "traces_of_owner (principal=? AND repository=?)": lambda conn: traces.page_of_traces(
            conn, *owner, before=None, limit=11
        ),
        "sqlite_autoindex_feedback_receipts_1": lambda conn: feedback_receipts.find_confirmation(
            conn, 1, "r"
        ),
        "sqlite_autoindex_credits_1": lambda conn: relations.edges_credited_by(conn, 1),
        "sqlite_autoindex_source_identities_1": lambda conn: activations.activations_of(
            conn, workspace.actor, ["s"]
        ),
        "feedback_receipts_of_trace": lambda conn: feedback_receipts.page_of_receipts(
            conn, 1, after=0, limit=11
        ),
        "sqlite_autoindex_feedback_receipts_2": lambda conn: feedback_receipts.receipt_of_key(conn, "p", "k"),
        "sqlite_autoindex_traces_1": trace,
        "PRIMARY KEY": lambda conn: traces.sources_of(conn, one),
        "mention_edges_by_target": lambda conn: edges_at(conn, repository, ["a"]),
        "credits_of_receipt": lambda conn: relations.credits_of(conn, [1]),
        "credits_of_edge": lambda conn: relations.has_active_credits(conn, Edge(repository, "a", "b")),
        "source_identities_by_name": lambda conn: feedback_receipts.outcomes_of_memory(
            conn, *owner, "chain", limit=50
        ),
    }
    for index, ask in asked.items():
        told = plans(store, ask)
        assert any(index in detail for detail in told), (index, told)
        assert not any(detail.startswith("SCAN") for detail in told), told
        assert not (index.startswith("traces_of_owner") and "TEMP B-TREE" in repr(told)), told


def test_b12_a_page_of_ten_reads_eleven_of_ten_thousand(store: Store, workspace: Workspace) -> None:
    fill(store, workspace)
    read: list[str] = []

    class Counted:
        def __init__(self, **row: str) -> None:
            read.append(row["id"])

    monkey = pytest.MonkeyPatch()
    with store.reading() as conn:
        monkey.setattr(traces, "Trace", Counted)
        found = traces.page_of_traces(conn, workspace.actor, repository_of(workspace), before=None, limit=11)
        monkey.undo()
    assert len(found) == len(read) == 11
    assert read[0] == f"t{COUNT - 1}"
    told = history(workspace, {"limit": 10})
    assert [each["trace_id"] for each in told["traces"]] == read[:10]
    rest = history(workspace, {"limit": 10, "cursor": told["next_cursor"]})
    assert rest["traces"][0]["trace_id"] == read[10]


def old_rows(store: Store, workspace: Workspace, count: int) -> list[str]:
    """Sources as a program wrote them that kept no identity beside the provenance."""
    repository = repository_of(workspace)
    made = [
        Provenance(
            repo=repository, type="memory", identity=f"chain-{n}", version=f"v{n}", content_source="index"
        )
        for n in range(count)
    ]
    with store.writing() as conn:
        for each in made:
            provenance = canonical_json(each.to_json())
            conn.execute(
                insert(source_identities).values(
                    id=each.source_id, repository=repository, provenance=provenance
                )
            )
    return [each.source_id for each in made]


def test_b52_repair_in_pages_restartable_and_idempotent(store: Store, workspace: Workspace) -> None:
    fill(store, workspace, 1)
    with store.writing() as conn:
        conn.execute(
            insert(edge_strengths).values(
                repository=repository_of(workspace), source="a", target="b", kind="mention",
                value=0.25, updated_at="2026-06-01T08:00:00.000Z",
            )
        )  # fmt: skip
    ids = old_rows(store, workspace, 3)

    def untouched() -> list[object]:
        with store.reading() as conn:
            names = source_identities.select().with_only_columns(
                source_identities.c.id, source_identities.c.provenance
            )
            return [
                conn.execute(each).all() for each in (trace_rows.select(), edge_strengths.select(), names)
            ]

    before = untouched()
    first = repair_identities(workspace, {"limit": 2})
    assert (first["updated"], first["done"]) == (2, False)
    second = repair_identities(workspace, {"limit": 2, "cursor": first["cursor"]})
    assert second == {"updated": 1, "cursor": None, "done": True}
    assert repair_identities(workspace, {"limit": 2}) == {"updated": 0, "cursor": None, "done": True}
    with store.reading() as conn:
        rows = conn.execute(source_identities.select()).all()
    assert [(row.type, row.identity) for row in rows] == [("memory", f"chain-{n}") for n in range(3)]
    assert [row.id for row in rows] == ids
    assert untouched() == before, "it rewrites no trace, no credit and no id"


@pytest.mark.parametrize("limit", [1, 100])
def test_b52_the_smallest_and_the_largest_page(store: Store, workspace: Workspace, limit: int) -> None:
    old_rows(store, workspace, 101)
    told = repair_identities(workspace, {"limit": limit})
    assert (told["updated"], told["done"]) == (limit, False)
    if limit == 100:
        rest = repair_identities(workspace, {"cursor": told["cursor"]})
        assert rest == {"updated": 1, "cursor": None, "done": True}


def test_b52_repair_begun_anew_goes_on_where_it_stopped(store: Store, workspace: Workspace) -> None:
    old_rows(store, workspace, 3)
    repair_identities(workspace, {"limit": 2})
    assert repair_identities(workspace, {"limit": 2})["updated"] == 1


def test_b52_nothing_is_guessed(store: Store, workspace: Workspace) -> None:
    """A provenance that is not what the id was made of is left alone."""
    old_rows(store, workspace, 2)
    with store.writing() as conn:
        conn.exec_driver_sql("UPDATE source_identities SET provenance = '{}' WHERE number = 1")
        other = json.dumps(
            {"repo": "x", "type": "t", "identity": "i", "version": "v", "content_source": "index"}
        )
        conn.exec_driver_sql("UPDATE source_identities SET provenance = ? WHERE number = 2", (other,))
    assert repair_identities(workspace, {"limit": 2}) == {"updated": 0, "cursor": None, "done": True}


@pytest.mark.parametrize("given", [{"limit": 0}, {"limit": 101}, {"cursor": "1.made-up"}])
def test_b52_bounds(workspace: Workspace, given: dict[str, object]) -> None:
    with pytest.raises(StillTrueError) as caught:
        repair_identities(workspace, given)
    assert caught.value.code in {"invalid_memory_request", "unknown_cursor"}


def test_b51_feedback_moves_no_store_revision(store: Store, workspace: Workspace, writer: Writer) -> None:
    before = store.store_revision()
    fill(store, workspace, 1)
    assert store.store_revision() == before
    writer.remember()
    assert store.store_revision() > before
