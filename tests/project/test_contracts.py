"""The shipped contracts are those of the code (B53)."""

from __future__ import annotations

import json
from dataclasses import MISSING, fields
from pathlib import Path

import pytest

from stilltrue.recall import contracts
from stilltrue.recall.contracts import TOOLS, Tool
from stilltrue.recall.requests import Whole, parsed

FOLDER = Path(__file__).parents[2] / "docs" / "contracts"


def written(tool: Tool) -> str:
    return json.dumps(tool.contract(), indent=2, ensure_ascii=False) + "\n"


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_b53_the_shipped_contract_is_the_live_one(tool: Tool, request: pytest.FixtureRequest) -> None:
    file = FOLDER / f"{tool.name}.json"
    if request.config.getoption("--renew"):
        file.write_text(written(tool), "utf-8")
    assert file.read_text("utf-8") == written(tool), "run: pytest tests/project/test_contracts.py --renew"


def test_b53_no_contract_is_left_over() -> None:
    assert {file.stem for file in FOLDER.glob("*.json")} == {tool.name for tool in TOOLS}


def test_b53_a_changed_bound_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    tool = next(tool for tool in TOOLS if tool.name == "memory_history")
    limit = next(field for field in fields(tool.takes) if field.name == "limit")
    monkeypatch.setattr(contracts, "schema_of", _with_limit(Whole(1, 51)))
    assert limit.metadata["rule"] == Whole(1, 50)
    assert (FOLDER / "memory_history.json").read_text("utf-8") != written(tool)


def _with_limit(rule: Whole):  # type: ignore[no-untyped-def]  # noqa: ANN202 - stands in for a function
    from stilltrue.recall.requests import schema_of  # noqa: PLC0415 - the real one

    def changed(model: type) -> dict[str, object]:
        told = schema_of(model)
        told["properties"]["limit"] |= rule.schema()
        return told

    return changed


def test_b53_annotations() -> None:
    told = {tool.name: tool.contract()["annotations"] for tool in TOOLS}
    assert told["memory_history"]["readOnlyHint"] is True
    assert told["recall"]["readOnlyHint"] is False
    for name in ("record_source_use", "record_outcome"):
        assert told[name]["destructiveHint"] is False
        assert told[name]["idempotentHint"] is True


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_b53_the_schema_requires_what_the_code_requires(tool: Tool) -> None:
    """A field without a default is required in both; what is optional may be left out of a request."""
    needed = [field.name for field in fields(tool.takes) if field.default is MISSING]
    assert tool.contract()["inputSchema"]["required"] == needed
    if not needed:
        assert parsed(tool.takes, {}) == tool.takes()
