"""Retrievals are recorded whole, partly or not at all (B1 to B21, B27, B33, B35, B37, B51)."""

from __future__ import annotations

import json
import logging
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from stilltrue.errors import StillTrueError
from stilltrue.model.citation import Place
from stilltrue.model.time import instant_from_unix_ms, unix_ms
from stilltrue.recall.ranking import SourceWeights
from stilltrue.recall.recording import MOST_SOURCES, CodeText, Retrieved
from stilltrue.services import feedback, graph, history, housekeeping, settle, traced
from stilltrue.services.feedback import Recording, Retrieval, record_retrieval
from stilltrue.services.feedback_acts import record_use
from stilltrue.services.fetching import record_fetch
from stilltrue.services.queries import Query
from stilltrue.services.recall import recall
from stilltrue.services.remember import Remembered, Request, remember
from stilltrue.services.workspace import Surroundings, Workspace
from support.clock import START, FakeClock
from support.feedback import FEEDBACK_TABLES, Person, dump, rows_of, run_sql
from support.repo import Repo

Keep = Callable[..., Remembered]
Open = Callable[[Path], Workspace]
SENTINEL = "zebrafish"


@pytest.fixture
def ada(workspace: Workspace) -> Person:
    return Person(workspace)


@pytest.fixture
def kept(keep: Keep) -> list[Remembered]:
    """Three memories: the first mentions the second, the second the third."""
    return [
        keep("retries stop after 5, see m2", "src/client.py:4-6"),
        keep("backoff doubles each time, m3 says why"),
        keep("the server limits bursts"),
    ]


def another(workspace: Workspace, database: Path, agent: str) -> Workspace:
    surroundings = Surroundings(workspace.surroundings.environment, database=str(database), agent=agent)
    return Workspace(workspace.root, surroundings, clock=workspace.clock)


def code_rows(count: int) -> list[Retrieved]:
    return [Retrieved(code=CodeText(identity=f"f{n}.py", data=b"x")) for n in range(count)]


def record(workspace: Workspace, *rows: Retrieved, **given: Any) -> Recording:  # noqa: ANN401 - handed on
    retrieval = Retrieval(mode="search", answer={"results": rows}, **given)
    return record_retrieval(workspace, workspace.actor, retrieval)


def test_b1_a_search_is_readable_at_once_by_another_connection(
    ada: Person, kept: list[Remembered], database: Path
) -> None:
    told = ada.ask("retries", hops=2)
    assert told["feedback_available"] is True
    (trace,) = dump(database, "traces")["traces"]
    assert told["trace_id"] in trace
    assert told["timestamp"] in trace
    assert len(dump(database, "trace_sources")["trace_sources"]) == 3
    assert told["timestamp"].endswith("Z")
    for each in (*told["results"], *told["graph_results"]):
        assert {"source_id", "provenance", "activation"} <= set(each)
    row = rows_of(told)["m1"]
    assert row["provenance"]["identity"] == kept[0].memory.chain
    assert row["activation"] == {
        "retrieved": 0.1, "usage": 0.0, "total": 0.1, "updated_at": told["timestamp"],
    }  # fmt: skip


def test_b1_b33_rows_folded_under_another_are_recorded_and_count_once(
    ada: Person, workspace: Workspace, kept: list[Remembered], database: Path
) -> None:
    """A memory with two live versions, as two branches leave it, is one row of the graph."""
    settle.supersede(workspace, "m2", Request(text="backoff doubles up to a minute", subject="s"))
    run_sql(database, "UPDATE closings SET undone_at = at")
    told = ada.ask("retries", hops=1)
    (row,) = told["graph_results"]
    (folded,) = row["same_entity"]["others"]
    assert [row["id"], folded["id"]] == ["m4", "m2"]
    assert folded["provenance"]["identity"] == row["provenance"]["identity"] == kept[1].memory.chain
    assert folded["source_id"] != row["source_id"]
    assert folded["activation"]["retrieved"] == row["activation"]["retrieved"] == 0.1
    locations = [each["location"] for each in ada.history(trace_id=told["trace_id"])["sources"]]
    assert locations == ["results[0]", "graph_results[0]", "graph_results[0].same_entity.others[0]"]

    one = Retrieved(memory=kept[2].memory)
    listed = record_retrieval(
        workspace,
        workspace.actor,
        Retrieval(mode="search", answer={"results": [replace(one, folded=[one])], "graph_results": [one]}),
    )
    assert listed.told is not None
    assert listed.told["recorded_sources"] == 1
    for location in ("results[0]", "results[0].same_entity.others[0]", "graph_results[0]"):
        assert listed.row_json(location)["activation"]["retrieved"] == 0.1


def test_b1_a_scan_and_a_fetch_are_traces_too(
    ada: Person, workspace: Workspace, kept: list[Remembered]
) -> None:
    scanned = ada.ask()
    one, _ = history.show(workspace, "m1")
    fetched = record_fetch(workspace, workspace.actor, ["m1"], [one])
    assert [each["mode"] for each in ada.history()["traces"]] == ["fetch", "scan"]
    assert len(scanned["results"]) == len(kept)
    detail = ada.history(trace_id=fetched.trace_id)
    assert [(each["provenance"]["type"], each["location"]) for each in detail["sources"]] == [
        ("memory", "results[0]"), ("code", "results[0].same_entity.others[0]"),
    ]  # fmt: skip
    assert detail["request"] == {"handles": ["m1"]}


def test_b2_no_hit_is_a_whole_trace(ada: Person, kept: list[Remembered]) -> None:
    told = ada.ask(SENTINEL)
    assert told["results"] == []
    assert told["matched"] == 0
    assert told["memory_recording"] == {
        "status": "complete", "recorded_sources": 0, "excluded_sources": 0, "exclusions": [],
    }  # fmt: skip
    detail = ada.history(trace_id=told["trace_id"])
    assert detail["sources"] == []
    assert detail["request"]["query"] == SENTINEL
    assert kept


def test_b3_b6_no_text_of_memories_or_code_is_kept(
    ada: Person, workspace: Workspace, keep: Keep, repo: Repo, database: Path
) -> None:
    repo.write("src/secret.py", f"{SENTINEL} = 1\n")
    repo.run("remote", "add", "origin", f"https://user:{SENTINEL}@localhost/x.git")
    one = keep(f"the {SENTINEL} is kept here", "src/secret.py:1")
    titled = Request(text="m1 is kept, too", subject=f"{SENTINEL} title")
    remember(workspace, titled)
    ada.ask("kept", hops=2, path="src")
    shown, _ = history.show(workspace, one.memory.id)
    fetched = record_fetch(workspace, workspace.actor, ["m1"], [shown])
    ada.use(fetched.trace_id or "", fetched.rows["results[0]"].source.provenance.source_id)  # type: ignore[union-attr]
    told = dump(database)
    assert SENTINEL not in repr(told)
    assert "kept" in repr(told["traces"]), "the question itself is kept"
    ((request_text,),) = run_sql(database, "SELECT request FROM traces WHERE mode = 'search'")
    request = json.loads(request_text)
    assert request["filters"] == {"path": "src"}
    assert set(request) == {"query", "filters", "limit", "max_tokens", "hops", "use_memory"}


def test_b3_the_settings_tell_what_the_request_came_to(ada: Person, kept: list[Remembered]) -> None:
    told = ada.ask("retries", mode="fused", profile="validity")
    settings = ada.history(trace_id=told["trace_id"])["settings"]
    assert settings["mode"] == "fused"
    assert settings["profile"] == "validity"
    assert settings["fusion"]["rerank"] == "not applied: no dense arm"
    assert set(settings["window"]) == {"known", "valid"}
    assert (settings["preset"], settings["weights"]) == ("neutral", {"stale": 1.0, "unresolved": 1.0})
    assert settings["validity_annotate"] is True
    told = ada.ask("retries", weights=SourceWeights(stale=0.5))
    settings = ada.history(trace_id=told["trace_id"])["settings"]
    assert (settings["preset"], settings["weights"]) == (None, {"stale": 0.5, "unresolved": 1.0})
    assert settings["validity_annotate"] is False
    assert kept


def test_b4_b5_the_stored_copy_has_one_id_by_whatever_handle_and_in_whatever_mode(
    ada: Person, workspace: Workspace, kept: list[Remembered]
) -> None:
    ways: list[dict[str, Any]] = [
        {"text": "retries"},
        {"text": ""},
        {"text": "retries", "mode": "fused"},
        {"text": "retries", "profile": "validity"},
    ]
    found = [rows_of(ada.ask(**given))["m1"] for given in ways]
    ids = {each["source_id"] for each in found}
    for handle in ("m1", kept[0].memory.uid):
        one, _ = history.show(workspace, handle)
        fetched = record_fetch(workspace, workspace.actor, [handle], [one])
        told = fetched.row_json("results[0]")
        assert told["provenance"] == found[0]["provenance"]
        assert told["provenance"]["content_source"] == "index"
        assert told["provenance"]["version"].endswith(kept[0].memory.tx_at)
        ids.add(told["source_id"])
    assert len(ids) == 1


def test_b5_live_code_is_named_by_its_bytes(
    workspace: Workspace, ada: Person, keep: Keep, repo: Repo
) -> None:
    keep("retries stop after 5", "src/client.py:4-6")

    def fetch() -> tuple[str, str]:
        one, _ = history.show(workspace, "m1")
        told = record_fetch(workspace, workspace.actor, ["m1"], [one])
        sources = {
            each["provenance"]["type"]: each for each in ada.history(trace_id=told.trace_id)["sources"]
        }
        return told.trace_id or "", sources["code"]["source_id"]

    first_trace, first = fetch()
    ada.use(first_trace, first)
    (cited,) = settle.find_citations(workspace, "m1")[1]
    assert cited.path is not None
    assert cited.span is not None
    settle.reverify(workspace, [cited], at={cited.uid: Place(cited.path, cited.span)})
    second_trace, second = fetch()
    assert second == first, "the same live text under a newer date"
    dates = [ada.source_of(trace, first)["stored_at"] for trace in (first_trace, second_trace)]
    assert dates[0] < dates[1], "which is kept for audit alone"
    file = repo.root / "src/client.py"
    file.write_bytes(file.read_bytes().replace(b"range(5)", b"range(7)"))
    last_trace, changed = fetch()
    assert changed != first
    assert ada.source_of(last_trace, changed)["stage"] == "retrieved"
    assert ada.source_of(last_trace, changed)["activation"]["usage"] == 0.0
    assert ada.source_of(first_trace, first)["stage"] == "used"


def test_b7_more_than_a_trace_holds_is_not_saved_and_the_answer_stands(
    workspace: Workspace, kept: list[Remembered], database: Path
) -> None:
    assert record(workspace, *code_rows(MOST_SOURCES)).trace_id
    before = dump(database)
    told = record(workspace, *code_rows(MOST_SOURCES + 1)).to_json()
    assert told == {
        "feedback_available": False, "memory_unavailable": True, "memory_error": "memory_save_failed",
    }  # fmt: skip
    assert dump(database) == before
    assert kept


@pytest.mark.parametrize(
    "given", [{"text": "x" * 4097}, {"text": "", "subject": "x" * 257}, {"text": "x", "hops": 3}]
)
def test_b13_a_refused_question_records_nothing(
    ada: Person, kept: list[Remembered], database: Path, given: dict[str, Any]
) -> None:
    with pytest.raises(StillTrueError):
        ada.ask(**given)
    assert dump(database, "traces") == {"traces": []}
    assert kept


def test_b8_b9_principals(ada: Person, kept: list[Remembered], workspace: Workspace, database: Path) -> None:
    """Histories are kept apart by who the surface was started as, and by nothing a request says."""
    mine = ada.ask("retries")
    claude = Person(another(workspace, database, "claude"))
    theirs = claude.ask("retries")
    principals = {row[2] for row in dump(database, "traces")["traces"]}
    assert principals == {workspace.actor, f"{workspace.actor}/claude"}
    assert [each["trace_id"] for each in claude.history()["traces"]] == [theirs["trace_id"]]
    with pytest.raises(StillTrueError) as caught:
        claude.history(trace_id=mine["trace_id"])
    assert caught.value.code == "unknown_trace"
    source = rows_of(mine)["m1"]["source_id"]
    with pytest.raises(StillTrueError) as caught:
        claude.use(mine["trace_id"], source, "selected")
    assert caught.value.code == "unknown_trace"
    assert ada.history(principal=f"{workspace.actor}/claude")["traces"][0]["trace_id"] == mine["trace_id"]
    assert rows_of(theirs)["m1"]["activation"]["retrieved"] == 0.1, "activation is one's own"
    told = record_use(
        workspace,
        {
            "principal": f"{workspace.actor}/claude",
            "trace_id": mine["trace_id"],
            "idempotency_key": "k",
            "uses": [{"source_id": source, "stage": "selected"}],
        },
    )
    assert run_sql(database, "SELECT principal FROM feedback_receipts") == [(workspace.actor,)]
    beside = Person(another(workspace, database, ""))
    assert beside.history(trace_id=mine["trace_id"])["receipts"][0]["receipt"] == told, (
        "another client of hers"
    )
    assert beside.use(mine["trace_id"], source, "selected", key="k") == told
    beside.workspace.close()
    claude.workspace.close()
    assert kept


@pytest.mark.parametrize("agent", ["x" * 65, "two\nlines", "\x1b[0m"])
def test_b8_an_odd_name_of_an_agent_is_refused(workspace: Workspace, database: Path, agent: str) -> None:
    with pytest.raises(StillTrueError, match="name"):
        _ = another(workspace, database, agent).actor


def test_b10_b11_pages_and_cursors(
    ada: Person, kept: list[Remembered], workspace: Workspace, database: Path
) -> None:
    asked = [ada.ask("retries")["trace_id"] for _ in range(12)][::-1]
    pages, cursor = [], None
    for _ in range(3):
        told = ada.history(limit=5, cursor=cursor)
        pages.append([each["trace_id"] for each in told["traces"]])
        cursor = told["next_cursor"]
    assert [len(page) for page in pages] == [5, 5, 2]
    assert cursor is None
    assert [trace for page in pages for trace in page] == asked

    first = ada.history(limit=5)["next_cursor"]
    claude = Person(another(workspace, database, "claude"))
    claude.ask("retries")
    source = rows_of(ada.ask("retries"))["m1"]["source_id"]
    for stage in ("selected", "validated", "used"):
        ada.use(asked[0], source, stage)
    page = ada.history(trace_id=asked[0], limit=2)
    assert [each["receipt"]["entries"][0]["stage"] for each in page["receipts"]] == ["selected", "validated"]
    rest = ada.history(trace_id=asked[0], limit=2, cursor=page["next_cursor"])
    assert [each["receipt"]["entries"][0]["stage"] for each in rest["receipts"]] == ["used"]
    assert rest["next_cursor"] is None
    foreign = [
        (claude, {"cursor": first}),
        (ada, {"trace_id": asked[1], "cursor": page["next_cursor"]}),
        (ada, {"cursor": page["next_cursor"]}),
        (ada, {"trace_id": asked[0], "cursor": first}),
        (ada, {"cursor": "made up"}),
        (ada, {"cursor": "5.made-up"}),
    ]
    for person, given in foreign:
        with pytest.raises(StillTrueError) as caught:
            person.history(**given)
        assert caught.value.code == "unknown_cursor"
    claude.workspace.close()
    assert kept


def test_b14_a_failed_part_is_told_and_nothing_is_recorded(
    ada: Person, kept: list[Remembered], database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object, **__: object) -> None:
        raise RuntimeError(SENTINEL)

    monkeypatch.setattr(traced, "graph_rows", fails)
    told = ada.ask("retries", hops=1)
    assert list(rows_of(told)) == ["m1"]
    assert "trace_id" not in told
    assert told["memory_unavailable"] is True
    assert told["feedback_available"] is False
    assert told["memory_error"] == "retrieval_incomplete"
    assert dump(database, "traces") == {"traces": []}
    assert kept


def test_b15_a_failed_save_rolls_everything_back_and_the_rows_stand(
    ada: Person, kept: list[Remembered], database: Path
) -> None:
    run_sql(
        database,
        "CREATE TRIGGER no BEFORE INSERT ON activations BEGIN SELECT RAISE(ABORT, 'no'); END",
    )
    told = ada.ask()
    assert [row["id"] for row in told["results"]] == [row["id"] for row in ada.ask()["results"]]
    assert told["memory_error"] == "memory_save_failed"
    assert told["memory_unavailable"] is True
    assert "memory_recording" not in told
    assert all("source_id" not in row for row in told["results"])
    assert not any(dump(database, "traces", "activations", "trace_sources", "source_identities").values())
    run_sql(database, "DROP TRIGGER no")
    assert ada.ask()["feedback_available"] is True
    assert kept


def test_b16_b17_partly_recorded_and_told_three_times(
    workspace: Workspace, ada: Person, keep: Keep, repo: Repo
) -> None:
    keep("retries stop after 5", "src/client.py:4-6", "docs/api.md:3")
    (repo.root / "docs/api.md").unlink()
    one, _ = history.show(workspace, "m1")
    told = record_fetch(workspace, workspace.actor, ["m1"], [one])
    answer = told.to_json()
    assert answer["feedback_available"] is True
    assert answer["memory_recording"] == {
        "status": "partial",
        "recorded_sources": 2,
        "excluded_sources": 1,
        "exclusions": [
            {"location": "results[0].same_entity.others[1]", "reason": "live_version_unavailable"}
        ],
    }
    assert told.row_json("results[0].same_entity.others[1]") == {
        "feedback_available": False, "memory_exclusion_reason": "live_version_unavailable",
    }  # fmt: skip
    detail = ada.history(trace_id=told.trace_id)
    copies = [
        ada.history()["traces"][0]["memory_recording"],
        detail["memory_recording"],
        detail["settings"]["memory_recording"],
    ]
    assert copies == [answer["memory_recording"]] * 3


def test_b16_b21_a_mixed_page_is_stored_without_what_cannot_be_named(
    workspace: Workspace, ada: Person, kept: list[Remembered], database: Path
) -> None:
    """Among the results, folded under one, and in the graph; no snapshot of a node leaves with any."""
    reached = [row.retrieved for row in graph.graph_rows(workspace, [kept[0].memory], hops=2, top_k=8)]
    nameless, unread = CodeText(identity=None, data=b"x"), CodeText(identity="a.py", data=None)
    folded = [Retrieved(code=unread), Retrieved(code=CodeText(identity="b.py", data=b"x"))]
    answer = {
        "results": [
            Retrieved(code=nameless),
            Retrieved(memory=kept[0].memory, folded=folded),
            Retrieved(code=unread),
        ],
        "graph_results": [reached[0], replace(reached[1], folded=[Retrieved(code=nameless)])],
    }
    told = record_retrieval(workspace, workspace.actor, Retrieval(mode="search", answer=answer))
    identity, version = "canonical_identity_unavailable", "live_version_unavailable"
    excluded = {
        "results[0]": identity,
        "results[1].same_entity.others[0]": version,
        "results[2]": version,
        "graph_results[1].same_entity.others[0]": identity,
    }
    assert told.to_json()["feedback_available"] is True
    assert told.to_json()["memory_recording"]["exclusions"] == [
        {"location": where, "reason": why} for where, why in excluded.items()
    ]
    for where, why in excluded.items():
        assert told.row_json(where) == {"feedback_available": False, "memory_exclusion_reason": why}
    detail = ada.history(trace_id=told.trace_id)
    assert [each["location"] for each in detail["sources"]] == [
        "results[1]", "results[1].same_entity.others[1]", "graph_results[0]", "graph_results[1]",
    ]  # fmt: skip
    assert len(dump(database, "trace_sources")["trace_sources"]) == 4
    assert [len(each["path"]) for each in detail["sources"]] == [0, 0, 1, 2]
    answered = ada.ask("retries", hops=2)
    assert {"graph_path", "hop"} <= set(answered["graph_results"][1])
    for everything in (detail, answered, ada.history(), [told.row_json(row) for row in told.rows]):
        assert not {"nodes", "node", "snapshot", "slugs", "standing"} & set(names_in(everything))


def names_in(value: object) -> Iterator[str]:
    """Every name of every object in a JSON value."""
    if isinstance(value, dict):
        for name, each in value.items():
            yield name
            yield from names_in(each)
    elif isinstance(value, (list, tuple)):
        for each in value:
            yield from names_in(each)


def test_b17_older_traces_lack_the_recording(ada: Person, kept: list[Remembered], database: Path) -> None:
    trace = ada.ask("retries")["trace_id"]
    run_sql(database, "UPDATE traces SET settings = '{}'")
    assert "memory_recording" not in ada.history()["traces"][0]
    detail = ada.history(trace_id=trace)
    assert "memory_recording" not in detail
    assert len(detail["sources"]) == 1
    assert kept


def test_b18_nothing_that_can_be_named(workspace: Workspace, kept: list[Remembered], database: Path) -> None:
    nameless = Retrieved(code=CodeText(identity=None, data=b"x"))
    recorded = record(workspace, nameless, nameless)
    told = recorded.to_json()
    assert told["feedback_available"] is False
    for row in ("results[0]", "results[1]"):
        assert recorded.row_json(row)["memory_exclusion_reason"] == "canonical_identity_unavailable"
    assert told["memory_recording"]["excluded_sources"] == 2
    assert told["memory_error"] == "all_sources_unresolved"
    assert told["memory_unavailable"] is True
    assert "trace_id" not in told
    assert told["memory_recording"]["status"] == "unresolved"
    assert dump(database, "traces") == {"traces": []}
    assert kept


def test_b19_what_breaks_is_no_exclusion(
    workspace: Workspace, kept: list[Remembered], database: Path, caplog: pytest.LogCaptureFixture
) -> None:
    class Broken(Retrieved):
        @property
        def code(self) -> CodeText:
            raise RuntimeError(SENTINEL)

    with caplog.at_level(logging.DEBUG):
        told = record(workspace, *code_rows(2), object.__new__(Broken)).to_json()
    assert told["memory_error"] == "memory_save_failed"
    assert "memory_recording" not in told
    assert not any(dump(database).values())
    assert caplog.messages == ["a retrieval could not be recorded"]
    assert SENTINEL not in caplog.text
    assert kept


def test_b20_a_middle_that_ended_meanwhile(
    ada: Person, workspace: Workspace, kept: list[Remembered], database: Path
) -> None:
    """It was retracted after the graph was built and taken for new: the row stays, its path does not."""
    graph.renew_graph(workspace)
    settle.retract(workspace, [kept[1].memory.uid])
    run_sql(database, "UPDATE mention_graphs SET store_revision = (SELECT store_revision FROM store_meta)")
    told = ada.ask("retries", hops=2)
    assert list(rows_of(told, "graph_results")) == ["m3"]
    row = rows_of(told, "graph_results")["m3"]
    assert len(row["graph_path"]) == 2, "what is shown stays"
    assert row["graph_feedback_available"] is False
    assert row["graph_exclusion_reason"] == "unverifiable_graph_path"
    assert told["memory_recording"]["excluded_graph_paths"] == 1
    assert told["memory_recording"]["graph_exclusions"][0]["location"] == "graph_results[0]"
    assert ada.source_of(told["trace_id"], row["source_id"])["path"] == []
    ada.use(told["trace_id"], row["source_id"])
    receipt = ada.confirm(told["trace_id"], row["source_id"])
    assert receipt["changes"] == []
    assert receipt["no_change_reason"] == "no_graph_path"


def test_b20_a_graph_that_is_renewed_leads_through_nothing_that_ended(
    ada: Person, workspace: Workspace, kept: list[Remembered]
) -> None:
    settle.retract(workspace, [kept[1].memory.uid])
    assert ada.ask("retries", hops=2)["graph_results"] == []
    settle.undo(workspace)
    assert list(rows_of(ada.ask("retries", hops=2), "graph_results")) == ["m2", "m3"]


def test_b27_retrieval_alone_is_no_use(ada: Person, kept: list[Remembered], database: Path) -> None:
    told = ada.ask("retries", hops=2, use_memory=True)
    sources = ada.history(trace_id=told["trace_id"])["sources"]
    assert {each["stage"] for each in sources} == {"retrieved"}
    assert not any(dump(database, "usage", "edge_strengths", "credits", "feedback_receipts").values())
    assert kept


def test_b31_b35_activation_as_it_is_now(ada: Person, kept: list[Remembered], clock: FakeClock) -> None:
    told = ada.ask("retries")
    source = rows_of(told)["m1"]["source_id"]
    at = ada.use(told["trace_id"], source)["timestamp"]
    clock.set(instant_from_unix_ms(unix_ms(at) + 3_600_000))
    found = ada.source_of(told["trace_id"], source)["activation"]
    assert found["usage"] == 0.85
    assert found["retrieved"] == pytest.approx(0.05, rel=1e-5)
    assert found["total"] == found["retrieved"] + found["usage"]
    assert set(found) == {"retrieved", "usage", "total", "updated_at"}
    assert found["updated_at"].endswith("Z")
    assert kept


def test_b32_a_clock_that_goes_back(
    ada: Person, kept: list[Remembered], clock: FakeClock, database: Path
) -> None:
    told = ada.ask("retries")
    before = run_sql(database, "SELECT retrieved, updated_at FROM activations")
    clock.advance(-3_600_000)
    again = rows_of(ada.ask("retries"))["m1"]["activation"]
    assert again["retrieved"] == 0.2
    assert run_sql(database, "SELECT updated_at FROM activations") == [(before[0][1],)]
    assert told["timestamp"] == before[0][1]
    source = rows_of(told)["m1"]["source_id"]
    used = ada.use(told["trace_id"], source, "selected")["entries"][0]["activation"]
    assert (used["retrieved"], used["usage"], used["updated_at"]) == (0.2, 0.2, before[0][1])
    assert ada.source_of(told["trace_id"], source)["activation"] == used, "read at an earlier time, too"
    newest = ada.ask("retries")
    assert newest["timestamp"] < told["timestamp"]
    assert ada.history()["traces"][0]["trace_id"] == newest["trace_id"], "newest by the order of writing"
    assert kept


def test_b32_a_millisecond_back(
    ada: Person, kept: list[Remembered], clock: FakeClock, database: Path
) -> None:
    clock._step_ms = 0
    told = ada.ask("retries")
    source = rows_of(told)["m1"]["source_id"]
    ada.use(told["trace_id"], source)
    before = ada.source_of(told["trace_id"], source)["activation"]
    clock.advance(-1)
    assert ada.source_of(told["trace_id"], source)["activation"] == before
    ada.ask("retries")
    after = ada.source_of(told["trace_id"], source)["activation"]
    assert (after["retrieved"], after["usage"], after["updated_at"]) == (0.2, 1.7, told["timestamp"])
    assert run_sql(database, "SELECT updated_at FROM activations") == [(told["timestamp"],)]
    assert kept


def test_b34_rounds_at_one_instant(ada: Person, kept: list[Remembered], clock: FakeClock) -> None:
    clock._step_ms = 0
    clock.set(instant_from_unix_ms(unix_ms(START) + 10_000))
    for _ in range(110):
        told = ada.ask("retries")
        row = rows_of(told)["m1"]
        ada.use(told["trace_id"], row["source_id"])
    found = ada.source_of(told["trace_id"], row["source_id"])["activation"]
    assert (found["retrieved"], found["usage"], found["total"]) == (10.0, 10.0, 20.0)
    assert kept


def test_b35_another_version_begins_at_nothing(
    ada: Person, workspace: Workspace, kept: list[Remembered]
) -> None:
    told = ada.ask("retries")
    ada.use(told["trace_id"], rows_of(told)["m1"]["source_id"])
    settle.supersede(workspace, "m1", Request(text="retries stop after 7, see m2", subject="s"))
    again = ada.ask("retries")
    (row,) = again["results"]
    assert row["provenance"]["identity"] == kept[0].memory.chain
    assert row["activation"]["usage"] == 0.0
    assert row["activation"]["retrieved"] == 0.1


@pytest.mark.parametrize("given", [{}, {"mode": "fused"}, {"profile": "validity"}, {"text": ""}])
@pytest.mark.parametrize("replayed", [False, True])
def test_b37_what_is_recorded_changes_no_result(
    ada: Person, kept: list[Remembered], clock: FakeClock, given: dict[str, Any], *, replayed: bool
) -> None:
    clock._step_ms = 0
    asked_for = {
        "text": "retries backoff server", "now_ms": 1_900_000_000_000 if replayed else None, **given,
    }  # fmt: skip

    def results() -> list[tuple[Any, ...]]:
        asked = recall(ada.workspace, Query(**asked_for))
        return [(hit.memory.id, hit.placing.score, dict(hit.placing.ranks)) for hit in asked.hits]

    before = results()
    for _ in range(3):
        told = ada.ask("backoff", hops=2)
        row = rows_of(told, "graph_results")["m3"]
        ada.use(told["trace_id"], row["source_id"])
        ada.confirm(told["trace_id"], row["source_id"])
    assert results() == before
    assert len(before) == len(kept)


def test_b51_without_the_tables_recall_goes_on(
    ada: Person, kept: list[Remembered], database: Path, workspace: Workspace
) -> None:
    ada.ask("retries", hops=1)
    for table in FEEDBACK_TABLES:
        run_sql(database, f'DROP TABLE "{table}"')
    told = ada.ask("retries")
    assert list(rows_of(told)) == ["m1"]
    assert told["memory_error"] == "memory_save_failed"
    remember(workspace, Request(text="life goes on"))
    assert len(ada.ask()["results"]) == len(kept) + 1
    assert ada.ask("retries", hops=1)["memory_error"] == "retrieval_incomplete"


def test_k17_switched_off_nothing_is_kept(
    repo: Repo, database: Path, kept: list[Remembered], clock: FakeClock
) -> None:
    surroundings = Surroundings({}, database=str(database), options={"feedback": False})
    quiet = Workspace(repo.root, surroundings, clock=clock)
    told = Person(quiet).ask("retries", hops=1)
    quiet.close()
    assert "feedback_available" not in told
    assert "source_id" not in told["results"][0]
    assert not any(dump(database, "traces", "activations").values())
    assert kept


def test_a13_c4_another_time_is_not_recorded(ada: Person, kept: list[Remembered], database: Path) -> None:
    before = run_sql(database, "SELECT count(*) FROM traces")
    assert "trace_id" not in ada.ask("retries", as_of=kept[2].memory.tx_at)
    assert "trace_id" not in ada.ask("retries", now_ms=1_900_000_000_000)
    assert run_sql(database, "SELECT count(*) FROM traces") == before
    with pytest.raises(StillTrueError, match="another time"):
        ada.ask("retries", now_ms=1_900_000_000_000, hops=1)


def test_f5_asking_makes_no_store_and_no_repository(
    ada: Person, database: Path, open_at: Open, tmp_path: Path, keep: Keep
) -> None:
    assert ada.ask("retries") == {"version": 1, "results": [], "matched": 0, "truncated": False}
    assert not database.exists()
    keep("retries stop after 5")
    (tmp_path / "elsewhere").mkdir()
    assert "trace_id" not in Person(open_at(tmp_path / "elsewhere")).ask("retries")
    assert run_sql(database, "SELECT count(*) FROM repositories") == [(1,)]


def test_a_locked_store_answers_without_recording(
    ada: Person, kept: list[Remembered], database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ada.workspace.store(), "_busy_ms", 0)
    other = sqlite3.connect(database, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    told = ada.ask("retries", hops=1)
    other.execute("ROLLBACK")
    other.close()
    assert list(rows_of(told)) == ["m1"]
    assert told["memory_error"] == feedback.SAVE_FAILED
    assert kept


def test_purging_a_repository_takes_its_history_along(
    ada: Person, workspace: Workspace, kept: list[Remembered], database: Path
) -> None:
    told = ada.ask("retries", hops=2)
    row = rows_of(told, "graph_results")["m3"]
    ada.use(told["trace_id"], row["source_id"])
    ada.confirm(told["trace_id"], row["source_id"])
    assert all(dump(database).values())
    housekeeping.purge(workspace, confirmed_name=workspace.root.name)
    assert not any(dump(database).values())
    assert kept
