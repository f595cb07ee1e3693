"""Use, confirmation and taking back: what is credited, refused, and stays (B22 to B30, B36 to B50)."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from stilltrue.errors import StillTrueError
from stilltrue.model.time import instant_from_unix_ms, unix_ms
from stilltrue.recall.refusals import CODES
from stilltrue.services import graph, settle
from stilltrue.services.feedback_acts import record_outcome, record_use
from stilltrue.services.feedback_history import history
from stilltrue.services.remember import Remembered, Request
from stilltrue.services.workspace import Surroundings, Workspace
from support.clock import START, FakeClock
from support.feedback import Person, dump, rows_of, run_sql

Keep = Callable[..., Remembered]
HOUR = 3_600_000
SENTINEL = "zebrafish"


@pytest.fixture
def ada(workspace: Workspace) -> Person:
    return Person(workspace)


@pytest.fixture
def chain(keep: Keep, clock: FakeClock) -> list[Remembered]:
    """a mentions b, b mentions c; time stands still from here on."""
    made = [keep("alpha, see m2"), keep("beta, m3 says why"), keep("gamma")]
    clock._step_ms = 0
    clock.set(instant_from_unix_ms(unix_ms(START) + 10_000))
    return made


@pytest.fixture
def used(ada: Person, chain: list[Remembered]) -> tuple[str, str]:
    """A trace in which c was reached from a and used; its source."""
    assert chain
    return reach(ada)


def reach(person: Person, name: str = "m3", **given: Any) -> tuple[str, str]:  # noqa: ANN401 - handed on
    told = person.ask("alpha", hops=2, **given)
    source = rows_of(told, "graph_results")[name]["source_id"]
    person.use(told["trace_id"], source)
    return told["trace_id"], source


def code_of(act: Callable[[], object]) -> str:
    with pytest.raises(StillTrueError) as caught:
        act()
    assert SENTINEL not in caught.value.message + caught.value.hint
    return caught.value.code


def path_strength(person: Person, name: str = "m3") -> float:
    told = person.ask("alpha", hops=2, use_memory=True)
    return float(rows_of(told, "graph_results")[name]["learned_strength"])


def state(database: Path) -> dict[str, list[tuple[Any, ...]]]:
    return dump(database, "edge_strengths", "credits", "usage", "activations", "feedback_receipts")


def test_b23_all_three_stages_add_up(ada: Person, used: tuple[str, str]) -> None:
    found = ada.source_of(*used)
    assert found["stage"] == "used"
    assert found["activation"]["usage"] == 1.7


@pytest.mark.parametrize(
    "stages",
    [
        ("validated",),
        ("used",),
        ("selected", "used"),
        ("validated", "selected"),
        ("selected", "selected", "used"),
    ],
)
def test_b24_stages_are_passed_one_at_a_time(
    ada: Person, chain: list[Remembered], stages: tuple[str, ...], database: Path
) -> None:
    told = ada.ask("alpha")
    before = state(database)
    source = rows_of(told)["m1"]["source_id"]
    assert code_of(lambda: ada.use(told["trace_id"], source, *stages)) == "stage_order_violation"
    assert state(database) == before
    assert chain


def test_b24_also_across_requests(ada: Person, chain: list[Remembered]) -> None:
    told = ada.ask("alpha")
    source = rows_of(told)["m1"]["source_id"]
    ada.use(told["trace_id"], source, "selected")
    assert code_of(lambda: ada.use(told["trace_id"], source, "used")) == "stage_order_violation"
    ada.use(told["trace_id"], source, "validated", "used")
    assert ada.source_of(told["trace_id"], source)["stage"] == "used"
    assert chain


def test_b25_a_repeated_stage_changes_nothing(
    ada: Person, used: tuple[str, str], clock: FakeClock, database: Path
) -> None:
    trace, source = used
    before = dump(database, "activations", "usage")
    clock.advance(1234)
    told = ada.use(trace, source, "selected", "used")
    assert [entry["applied"] for entry in told["entries"]] == [False, False]
    assert dump(database, "activations", "usage") == before


def test_b26_one_bad_entry_undoes_the_batch(ada: Person, chain: list[Remembered], database: Path) -> None:
    told = ada.ask("alpha")
    before = state(database)
    source = rows_of(told)["m1"]["source_id"]
    batch = [{"source_id": source, "stage": "selected"}, {"source_id": SENTINEL, "stage": "selected"}]
    assert code_of(lambda: ada.use_all(told["trace_id"], batch)) == "unknown_source"
    batch[1] = {"source_id": source, "stage": "used"}
    assert code_of(lambda: ada.use_all(told["trace_id"], batch)) == "stage_order_violation"
    assert state(database) == before, "activation, too"
    batch[1] = {"source_id": SENTINEL, "stage": "selected"}
    other = rows_of(ada.ask("gamma"))["m3"]["source_id"]
    batch[1]["source_id"] = other
    assert code_of(lambda: ada.use_all(told["trace_id"], batch)) == "unknown_source"
    assert state(database)["usage"] == before["usage"] == []
    assert state(database)["feedback_receipts"] == []
    assert chain


def test_b28_the_same_key_and_request_give_the_same_receipt(
    ada: Person, used: tuple[str, str], clock: FakeClock, database: Path
) -> None:
    trace, source = used
    told = ada.ask("alpha")
    other = rows_of(told)["m1"]["source_id"]
    first = ada.use(told["trace_id"], other, "selected", key="k")
    ada.use(told["trace_id"], other, "validated")
    clock.advance(HOUR)
    before = state(database)
    assert ada.use(told["trace_id"], other, "selected", key="k") == first, "although the state moved on"
    assert state(database) == before
    uses = [{"stage": "selected", "source_id": other}]
    assert ada.use_all(told["trace_id"], uses, key="k") == first, "fields in another order"
    assert code_of(lambda: ada.use(told["trace_id"], other, key="k")) == "idempotency_conflict"
    assert code_of(lambda: ada.use(trace, source, "selected", key="k")) == "idempotency_conflict"
    assert code_of(lambda: ada.confirm(trace, source, key="k")) == "idempotency_conflict"
    assert code_of(lambda: ada.use(SENTINEL, other, key="k")) == "idempotency_conflict"


def test_b28_entries_in_another_order_are_another_request(ada: Person, chain: list[Remembered]) -> None:
    told = ada.ask()
    uses = [{"source_id": row["source_id"], "stage": "selected"} for row in told["results"]]
    ada.use_all(told["trace_id"], uses, key="k")
    conflict = code_of(lambda: ada.use_all(told["trace_id"], uses[::-1], key="k"))
    assert conflict == "idempotency_conflict"
    assert chain


def test_b28_two_principals_may_use_one_key(
    ada: Person, used: tuple[str, str], workspace: Workspace, database: Path
) -> None:
    ada.confirm(*used, key="k")
    surroundings = Surroundings(workspace.surroundings.environment, database=str(database), agent="claude")
    other = Workspace(workspace.root, surroundings, clock=workspace.clock)
    claude = Person(other)
    told = claude.ask("alpha")
    claude.use(told["trace_id"], rows_of(told)["m1"]["source_id"], key="k")
    other.close()


@pytest.mark.parametrize("tool", ["use", "outcome"])
def test_b22_b9_what_is_not_there(
    ada: Person, used: tuple[str, str], tool: str, caplog: pytest.LogCaptureFixture
) -> None:
    trace, source = used

    def act(trace_id: str, source_id: str) -> object:
        return ada.use(trace_id, source_id) if tool == "use" else ada.confirm(trace_id, source_id)

    with caplog.at_level(logging.DEBUG):
        assert code_of(lambda: act(SENTINEL, source)) == "unknown_trace"
        assert code_of(lambda: act(trace, SENTINEL)) == "unknown_source"
    assert SENTINEL not in caplog.text


def test_b22_no_code_repeats_what_was_sent_nor_does_the_log(
    ada: Person, chain: list[Remembered], database: Path, caplog: pytest.LogCaptureFixture
) -> None:
    told = ada.ask(f"alpha {SENTINEL}", hops=2)
    trace, a = told["trace_id"], rows_of(told)["m1"]["source_id"]
    c = rows_of(told, "graph_results")["m3"]["source_id"]
    ada.use(trace, c, key=f"{SENTINEL}-used")
    yes = ada.confirm(trace, c)["receipt_id"]
    key = f"{SENTINEL}-key"
    act, say = {"trace_id": trace, "idempotency_key": key}, {"reason": SENTINEL}
    no = {"outcome": "corrected"}
    use = {**act, "uses": [{"source_id": a, "stage": "selected"}]}
    sent: dict[str, tuple[Callable[..., object], dict[str, Any]]] = {
        "unknown_trace": (record_use, {**use, "trace_id": SENTINEL}),
        "unknown_source": (record_use, {**act, "uses": [{"source_id": SENTINEL, "stage": "selected"}]}),
        "unknown_cursor": (history, {"trace_id": trace, "cursor": SENTINEL}),
        "idempotency_conflict": (record_use, {**use, "idempotency_key": f"{SENTINEL}-used"}),
        "stage_order_violation": (record_use, {**act, "uses": [{"source_id": a, "stage": "used"}]}),
        "used_source_required": (record_outcome, {**act, **say, "outcome": "confirmed", "source_ids": [a]}),
        "unknown_confirmation": (record_outcome, {**act, **say, **no, "confirmation_id": SENTINEL}),
        "confirmation_id_required": (record_outcome, {**act, **say, **no, "source_ids": [c]}),
        "source_ids_required": (
            record_outcome, {**act, **say, "outcome": "confirmed", "confirmation_id": yes},
        ),
        "invalid_memory_request": (record_use, {**use, SENTINEL: SENTINEL}),
    }  # fmt: skip
    assert set(sent) == set(CODES)
    before = state(database)
    with caplog.at_level(logging.DEBUG):
        for code, (tool, given) in sent.items():
            with pytest.raises(StillTrueError) as caught:
                tool(ada.workspace, given)
            assert caught.value.code == code
            said = repr(caught.value.to_json()) + caplog.text
            assert not any(word in said for word in (SENTINEL, trace, a, c, yes)), code
    assert state(database) == before
    assert chain


def test_b36_taking_back_takes_no_use_back(ada: Person, used: tuple[str, str]) -> None:
    trace, source = used
    before = ada.source_of(trace, source)
    ada.reverse(trace, ada.confirm(trace, source)["receipt_id"])
    after = ada.source_of(trace, source)
    assert (after["stage"], after["activation"]) == (before["stage"], before["activation"])


def test_b38_forty_neighbours(ada: Person, keep: Keep) -> None:
    keep("alpha")
    for _ in range(40):
        keep("a neighbour of m1")
    told = ada.ask("alpha", hops=1, limit=1)
    assert [row["id"] for row in told["graph_results"]] == ["m2", "m3"]
    assert [row["id"] for row in ada.ask("alpha", hops=1, limit=1, use_memory=True)["graph_results"]] == [
        "m2",
        "m3",
    ]
    everything = ada.ask("alpha", hops=1, limit=15)
    assert len(everything["graph_results"]) == 30
    keep("an index: m41 first")
    found = ada.ask("index", hops=2, limit=1)
    # the fortieth is reached from the index, and its edge to m1 from it
    rows = rows_of(found, "graph_results")
    assert list(rows) == ["m41", "m1"]
    ada.use(found["trace_id"], rows["m1"]["source_id"])
    ada.confirm(found["trace_id"], rows["m1"]["source_id"])
    learned = ada.ask("alpha", hops=1, limit=1, use_memory=True)
    assert [row["id"] for row in learned["graph_results"]] == ["m41", "m2"]
    assert learned["graph_results"][0]["learned_strength"] == pytest.approx(0.25, rel=1e-3)
    plain = ada.ask("alpha", hops=1, limit=1)
    assert [row["id"] for row in plain["graph_results"]] == ["m2", "m3"]


def test_b38_a_scan_ignores_what_was_learned(ada: Person, used: tuple[str, str]) -> None:
    ada.confirm(*used)
    told = ada.ask(hops=1, use_memory=True, limit=1)
    assert told["graph_results"]
    assert all("learned_strength" not in row for row in told["graph_results"])


def test_b39_no_score_and_no_strength_unless_asked_for(ada: Person, used: tuple[str, str]) -> None:
    plain = ada.ask("alpha", hops=2)["graph_results"]
    unlearned = ada.ask("alpha", hops=2, use_memory=True)["graph_results"]
    assert [row["id"] for row in plain] == [row["id"] for row in unlearned], "with nothing learned"
    assert [row["learned_strength"] for row in unlearned] == [0.0, 0.0]
    ada.confirm(*used)
    plain = ada.ask("alpha", hops=2)["graph_results"]
    learned = ada.ask("alpha", hops=2, use_memory=True)["graph_results"]
    assert [row["id"] for row in plain] == [row["id"] for row in learned] == ["m2", "m3"]
    assert all("score" not in row and "learned_strength" not in row for row in plain)
    assert all("score" not in row for row in learned)
    assert [row["learned_strength"] for row in learned] == [0.25, 0.5]
    assert all("learned_strength" not in row for row in ada.ask("alpha", hops=2)["results"])


def test_b40_what_a_confirmation_needs(ada: Person, chain: list[Remembered], database: Path) -> None:
    told = ada.ask("alpha", hops=2)
    trace = told["trace_id"]
    source = rows_of(told, "graph_results")["m3"]["source_id"]
    ada.use(trace, source, "selected", "validated")
    before = state(database)
    assert code_of(lambda: ada.confirm(trace, source)) == "used_source_required"
    assert code_of(lambda: ada.outcome(trace, "confirmed")) == "source_ids_required"
    extra: dict[str, Any] = {"source_ids": [source], "confirmation_id": SENTINEL}
    assert code_of(lambda: ada.outcome(trace, "confirmed", **extra)) == "source_ids_required"
    assert code_of(lambda: ada.outcome(trace, "confirmed", source_ids=[])) == "invalid_memory_request"
    assert state(database) == before
    ada.use(trace, source, "used")
    assert ada.confirm(trace, source)["outcome"] == "confirmed"
    assert chain


def test_b41_credit_goes_to_the_edges_of_the_path_alone(
    ada: Person, used: tuple[str, str], chain: list[Remembered], database: Path
) -> None:
    ada.confirm(*used)
    ledger = run_sql(database, "SELECT repository, source, target, kind, delta FROM credits ORDER BY number")
    a, b, c = (each.memory.chain for each in chain)
    repo = chain[0].memory.repository
    assert ledger == [(repo, a, b, "mention", 0.25), (repo, b, c, "mention", 0.25)]


def test_b42_twenty_one_confirmations_at_one_instant(ada: Person, chain: list[Remembered]) -> None:
    for _ in range(20):
        ada.confirm(*reach(ada))
    assert path_strength(ada) == 10.0
    last = ada.confirm(*reach(ada))
    assert path_strength(ada) == 10.0
    assert [(each["delta"], each["reason"]) for each in last["changes"]] == [
        (0.0, "strength_cap_reached")
    ] * 2
    (*_, kept) = ada.history(trace_id=last["trace_id"])["receipts"]
    assert {(each["delta"], each["reason"], each["active"]) for each in kept["credits"]} == {
        (0.0, "strength_cap_reached", True)
    }
    assert chain


def test_b43_a_trace_counts_once_for_an_edge(ada: Person, chain: list[Remembered]) -> None:
    told = ada.ask("alpha", hops=2)
    trace = told["trace_id"]
    rows = rows_of(told, "graph_results")
    b, c = rows["m2"]["source_id"], rows["m3"]["source_id"]
    ada.use(trace, b)
    ada.use(trace, c)
    shared = ada.confirm(trace, b, c)
    already = "trace_already_credited"
    assert [each["reason"] for each in shared["changes"]] == [None, already, None], "two sources share one"
    assert [each["reason"] for each in ada.confirm(trace, c)["changes"]] == [already, already], "often"
    ada.reverse(trace, shared["receipt_id"])
    again = ada.confirm(trace, b, c)
    assert [each["reason"] for each in again["changes"]] == [already] * 3, "after it was taken back"
    assert path_strength(ada) == 0.0
    assert chain


def test_b43_a_credit_of_nothing_uses_up_the_turn(
    ada: Person, chain: list[Remembered], clock: FakeClock
) -> None:
    for _ in range(20):
        ada.confirm(*reach(ada))
    trace, source = reach(ada)
    ada.confirm(trace, source)
    clock.advance(10 * HOUR)
    assert {each["reason"] for each in ada.confirm(trace, source)["changes"]} == {"trace_already_credited"}
    assert chain


def test_b44_a_direct_hit_can_be_confirmed_and_changes_nothing(
    ada: Person, chain: list[Remembered], database: Path
) -> None:
    told = ada.ask("alpha", hops=2)
    source = rows_of(told)["m1"]["source_id"]
    ada.use(told["trace_id"], source)
    receipt = ada.confirm(told["trace_id"], source)
    assert receipt["changes"] == []
    assert receipt["no_change_reason"] == "no_graph_path"
    assert run_sql(database, "SELECT count(*) FROM edge_strengths") == [(0,)]
    assert len(ada.history(trace_id=told["trace_id"])["receipts"]) == 2
    assert chain


def test_b45_b49_receipt_and_ledger(
    ada: Person, used: tuple[str, str], clock: FakeClock, database: Path
) -> None:
    trace, source = used
    ledger = (
        "SELECT source || '>' || target, delta, at, reason, active, reversed_at FROM credits ORDER BY number"
    )
    confirmed = ada.outcome(trace, "confirmed", source_ids=[source], reason="it held")
    assert {"path", "delta", "timestamp", "reason"} <= set(confirmed["changes"][0])
    before = ada.history(trace_id=trace)["receipts"][1]
    assert before["receipt"] == confirmed
    assert [each["active"] for each in before["credits"]] == [True, True]
    told = [(each["path"], each["delta"], each["timestamp"], each["reason"]) for each in before["credits"]]
    assert told == [
        (each["path"], 0.25, confirmed["timestamp"], None) for each in confirmed["changes"]
    ]  # fmt: skip
    rows = [
        (f"{path['source']}>{path['target']}", delta, at, reason, 1, None) for path, delta, at, reason in told
    ]
    assert run_sql(database, ledger) == rows
    clock.advance(5)
    taken_back = ada.reverse(trace, confirmed["receipt_id"], outcome="rolled_back")
    assert run_sql(database, ledger) == [(*row[:4], 0, taken_back["timestamp"]) for row in rows]
    _, first, second = ada.history(trace_id=trace)["receipts"]
    assert first["receipt"] == confirmed, "unchanged"
    assert [each["active"] for each in first["credits"]] == [False, False]
    assert [each["reversed_at"] for each in first["credits"]] == [taken_back["timestamp"]] * 2
    assert [each["delta"] for each in first["credits"]] == [0.25, 0.25]
    assert second["receipt"] == taken_back
    assert second["credits"] == []
    assert first["receipt"]["reason"] == "it held"


@pytest.mark.parametrize("outcome", ["corrected", "rolled_back"])
def test_b46_what_taking_back_needs(
    ada: Person, used: tuple[str, str], outcome: str, workspace: Workspace, database: Path
) -> None:
    trace, source = used
    confirmed = ada.confirm(trace, source)
    other_trace, other_source = reach(ada)
    use_receipt = ada.history(trace_id=trace)["receipts"][0]["receipt"]["receipt_id"]
    surroundings = Surroundings(workspace.surroundings.environment, database=str(database), agent="claude")
    elsewhere = Workspace(workspace.root, surroundings, clock=workspace.clock)
    claude = Person(elsewhere)
    claude_trace, _ = reach(claude)
    before = dump(database)
    receipt = confirmed["receipt_id"]
    refused: list[tuple[Person, str, dict[str, Any], str]] = [
        (ada, trace, {}, "confirmation_id_required"),
        (ada, trace, {"source_ids": [source]}, "confirmation_id_required"),
        (ada, trace, {"source_ids": [source], "confirmation_id": receipt}, "confirmation_id_required"),
        (ada, trace, {"confirmation_id": SENTINEL}, "unknown_confirmation"),
        (ada, trace, {"confirmation_id": use_receipt}, "unknown_confirmation"),
        (ada, other_trace, {"confirmation_id": receipt}, "unknown_confirmation"),
        (claude, trace, {"confirmation_id": receipt}, "unknown_trace"),
        (claude, claude_trace, {"confirmation_id": receipt}, "unknown_confirmation"),
    ]
    for person, where, given, code in refused:
        assert code_of(lambda p=person, w=where, g=given: p.outcome(w, outcome, **g)) == code  # type: ignore[misc]
    assert dump(database) == before
    ada.reverse(trace, receipt, outcome=outcome)
    assert path_strength(ada) == 0.0
    elsewhere.close()
    assert other_source == source


def test_b47_later_credit_stays_exactly(ada: Person, used: tuple[str, str], clock: FakeClock) -> None:
    trace, source = used
    first = ada.confirm(trace, source)
    assert path_strength(ada) == 0.50
    clock.advance(HOUR)
    ada.confirm(*reach(ada))
    assert path_strength(ada) == 0.75
    ada.reverse(trace, first["receipt_id"])
    assert path_strength(ada) == 0.50


def test_b48_taking_back_nothing_and_taking_back_twice(ada: Person, chain: list[Remembered]) -> None:
    for _ in range(20):
        ada.confirm(*reach(ada))
    trace, source = reach(ada)
    capped = ada.confirm(trace, source)["receipt_id"]
    first = ada.reverse(trace, capped, key="first")
    assert path_strength(ada) == 10.0
    assert [each["delta"] for each in first["changes"]] == [0.0, 0.0]
    again = ada.reverse(trace, capped, key="second")
    assert again["no_change_reason"] == "no_active_credits"
    assert again["changes"] == []
    assert ada.reverse(trace, capped, key="first") == first
    assert path_strength(ada) == 10.0
    assert chain


def test_b50_a_relation_that_is_gone_stays_auditable_and_reversible(
    ada: Person, used: tuple[str, str], workspace: Workspace, database: Path
) -> None:
    trace, source = used
    confirmed = ada.confirm(trace, source)
    learned = dump(database, "edge_strengths", "credits")
    settle.supersede(workspace, "m2", Request(text="beta, and nothing more", subject="s"))
    assert list(rows_of(ada.ask("alpha", hops=2), "graph_results")) == ["m4"]
    assert graph.renew_graph(workspace) is False, "it was renewed when it was asked for"
    assert dump(database, "edge_strengths", "credits") == learned
    assert len(ada.source_of(trace, source)["path"]) == 2
    ada.reverse(trace, confirmed["receipt_id"])
    assert {row[4] for row in dump(database, "edge_strengths")["edge_strengths"]} == {0.0}
