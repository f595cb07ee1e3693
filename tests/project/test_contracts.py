"""The shipped contracts are those of the code (B53)."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import MISSING, fields, make_dataclass, replace
from pathlib import Path
from typing import Any

import click
import pytest

from stilltrue.cli.main import group
from stilltrue.recall import contracts
from stilltrue.recall.contracts import TOOLS, Tool
from stilltrue.recall.requests import HistoryRequest, Text, UseRequest, Whole, _field, parsed

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


@pytest.mark.parametrize(
    "change",
    [
        lambda tool: replace(tool, read_only=not tool.read_only),
        lambda tool: replace(tool, idempotent=not tool.idempotent),
        lambda tool: replace(tool, takes=_with(tool.takes, _field(Text(5), "One field more.", None))),
        lambda tool: replace(tool, takes=_with(tool.takes, _field(Text(5), "It must be given."))),
        lambda tool: replace(tool, takes=HistoryRequest if tool.takes is not HistoryRequest else UseRequest),
    ],
    ids=["annotation", "idempotence", "field", "required field", "another request"],
)
@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_b53_any_difference_is_noticed(tool: Tool, change: Callable[[Tool], Tool]) -> None:
    assert (FOLDER / f"{tool.name}.json").read_text("utf-8") != written(change(tool))


def test_b53_a_changed_bound_or_default_of_any_field_is_noticed() -> None:
    """Every rule of every field reaches the contract: widening any of them changes the schema."""
    seen = 0
    for tool in TOOLS:
        shipped = json.loads((FOLDER / f"{tool.name}.json").read_text("utf-8"))["inputSchema"]["properties"]
        for field in fields(tool.takes):
            rule = field.metadata["rule"]
            for bound in {"most", "least"} & {each.name for each in fields(rule)}:
                if getattr(rule, "choices", ()):
                    continue
                wider = replace(rule, **{bound: getattr(rule, bound) + 1}).schema()
                assert not wider.items() <= shipped[field.name].items(), (tool.name, field.name, bound)
                seen += 1
            if field.default not in {MISSING, None}:
                assert shipped[field.name]["default"] == field.default
            else:
                assert "default" not in shipped[field.name]
    assert seen > 15


OPTIONS = {
    "trace_id": "trace",
    "idempotency_key": "key",
    "source_ids": "sources",
    "confirmation_id": "confirmation",
}


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_b53_the_command_takes_what_its_contract_says(tool: Tool) -> None:
    """Every field is an option or an argument of the command, with the same default where it has one."""
    command: click.Command = group
    for word in tool.command.split()[1:]:
        assert isinstance(command, click.Group)
        found = command.get_command(click.Context(command), word)
        assert found is not None
        command = found
    parameters = {each.name: each for each in command.params}
    for field in fields(tool.takes):
        parameter = parameters[OPTIONS.get(field.name, field.name)]
        if field.default not in {MISSING, None}:
            default = False if getattr(parameter, "is_flag", False) else parameter.default
            assert default == field.default, field.name


def _with(model: type, extra: Any) -> type:  # noqa: ANN401 - a dataclass field
    return make_dataclass("Changed", [("surprise", Any, extra)], bases=(model,), kw_only=True, frozen=True)


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
