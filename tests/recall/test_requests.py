"""What the feedback commands take (B8, B10, B28, B30), and how they refuse (B22)."""

from __future__ import annotations

from typing import Any

import pytest

from stilltrue.errors import StillTrueError
from stilltrue.recall.refusals import CODES, INVALID, refusal
from stilltrue.recall.requests import HistoryRequest, OutcomeRequest, UseRequest, parsed, payload

USE: dict[str, Any] = {
    "trace_id": "t",
    "idempotency_key": "k",
    "uses": [{"source_id": "s", "stage": "selected"}],
}
OUTCOME: dict[str, Any] = {"trace_id": "t", "idempotency_key": "k", "outcome": "confirmed"}
SENTINEL = "sentinel"


def refused(model: type, given: object) -> str:
    with pytest.raises(StillTrueError) as caught:
        parsed(model, given)
    assert caught.value.code == INVALID
    assert SENTINEL not in caught.value.message + caught.value.hint
    return caught.value.message


@pytest.mark.parametrize("limit", [0, 51, -1, True, "10", 1.0, None.__class__])
def test_b10_limits_of_a_page(limit: object) -> None:
    assert "limit" in refused(HistoryRequest, {"limit": limit})


def test_b10_defaults() -> None:
    assert parsed(HistoryRequest, {}) == HistoryRequest(limit=10)
    assert parsed(HistoryRequest, {"limit": 50, "trace_id": None}).limit == 50


@pytest.mark.parametrize("model", [HistoryRequest, UseRequest, OutcomeRequest])
@pytest.mark.parametrize("given", [None, [], "text", {SENTINEL: 1}])
def test_b30_an_unknown_field_is_refused(model: type, given: object) -> None:
    refused(model, given)


@pytest.mark.parametrize("name", ["trace_id", "idempotency_key"])
@pytest.mark.parametrize("value", ["", SENTINEL * 17, None, 5, ["x"]])
def test_b30_handles_and_keys_have_1_to_128_characters(name: str, value: object) -> None:
    assert name in refused(UseRequest, {**USE, name: value})
    assert name in refused(OutcomeRequest, {**OUTCOME, name: value})
    assert parsed(UseRequest, {**USE, name: "x" * 128})


def test_b30_a_reason_has_1_to_1000_characters() -> None:
    assert parsed(OutcomeRequest, {**OUTCOME, "reason": "😀" * 1000})
    assert "reason" in refused(OutcomeRequest, {**OUTCOME, "reason": "x" * 1001})
    assert "reason" in refused(OutcomeRequest, {**OUTCOME, "reason": ""})


def test_b23_one_to_a_hundred_entries() -> None:
    entry = USE["uses"][0]
    assert len(parsed(UseRequest, {**USE, "uses": [entry] * 100}).uses) == 100
    for uses in (
        [],
        [entry] * 101,
        None,
        "s",
        [SENTINEL],
        [{**entry, "stage": SENTINEL}],
        [{"stage": "used"}],
    ):
        refused(UseRequest, {**USE, "uses": uses})
    refused(UseRequest, {**USE, "uses": [{**entry, "stage": "retrieved"}]})


def test_b8_what_a_request_says_of_its_sender_is_ignored() -> None:
    assert parsed(UseRequest, {**USE, "principal": "other", "user": "x", "agent": "y"}) == parsed(
        UseRequest, USE
    )


def test_b28_fields_in_any_order_lists_in_theirs() -> None:
    two = [{"source_id": "s", "stage": "selected"}, {"source_id": "u", "stage": "selected"}]
    one = payload("use", parsed(UseRequest, {**USE, "uses": two}))
    turned = {"uses": [dict(reversed(each.items())) for each in two], "idempotency_key": "k", "trace_id": "t"}
    assert payload("use", parsed(UseRequest, turned)) == one
    assert payload("use", parsed(UseRequest, {**USE, "uses": two[::-1]})) != one


@pytest.mark.parametrize("code", [code for code in CODES if code != INVALID])
def test_b22_each_code_has_one_sentence_and_a_hint(code: str) -> None:
    told = refusal(code)
    assert told.code == code
    assert told.message
    assert told.hint
    assert str(refusal(code)) == str(told)


def test_b22_the_codes() -> None:
    assert set(CODES) == {
        "unknown_trace", "unknown_source", "unknown_cursor", "idempotency_conflict", "stage_order_violation",
        "used_source_required", "unknown_confirmation", "confirmation_id_required", "source_ids_required",
        "invalid_memory_request",
    }  # fmt: skip
