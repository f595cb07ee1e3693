"""What the feedback commands take: declared once, checked here, and published as JSON schemas (B30, B53)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import MISSING, Field, asdict, dataclass, field, fields
from typing import Any, Protocol, TypeVar, cast

from stilltrue.recall.feedback import STAGES, Stage
from stilltrue.recall.refusals import invalid
from stilltrue.recall.sources import LONGEST_METADATA, canonical_json

LONGEST_QUERY = 4_096
MOST_HOPS = 2
HANDLE_LIMIT = 128
REASON_LIMIT = 1_000
ENTRIES_LIMIT = 100
PAGE_LIMIT = 50
REPAIR_LIMIT = 100
IDENTITY_FIELDS = frozenset({"principal", "user", "agent"})
"""What a request may hold and is never asked: who acts is known from how the surface was started (B8)."""

OUTCOMES = ("confirmed", "corrected", "rolled_back")

Model = TypeVar("Model")

_HALF_A_CHARACTER = re.compile("[\ud800-\udfff]")
"""A lone surrogate, which JSON can write and no store can keep."""


class Rule(Protocol):
    """What one field may hold."""

    def taken(self, name: str, value: object) -> Any:  # noqa: ANN401 - as the field has it
        """The value as requests keep it, or an `invalid_memory_request`."""
        ...  # pragma: no cover

    def schema(self) -> dict[str, Any]:
        """The same as a JSON schema."""
        ...  # pragma: no cover


@dataclass(frozen=True, slots=True)
class Text:
    """A text of so many Unicode code points (K20)."""

    most: int
    least: int = 1
    choices: tuple[str, ...] = ()

    def taken(self, name: str, value: object) -> str:
        """The text."""
        if not isinstance(value, str) or (self.choices and value not in self.choices):
            allowed = f"one of {', '.join(self.choices)}" if self.choices else "a text"
            raise invalid(f"{name} must be {allowed}")
        if not self.least <= len(value) <= self.most:
            raise invalid(f"{name} must have {self.least} to {self.most} characters")
        if _HALF_A_CHARACTER.search(value):
            raise invalid(f"{name} must be text that UTF-8 can hold")
        return value

    def schema(self) -> dict[str, Any]:
        """Its bounds, or its choices."""
        if self.choices:
            return {"type": "string", "enum": list(self.choices)}
        return {"type": "string", "minLength": self.least, "maxLength": self.most}


@dataclass(frozen=True, slots=True)
class Whole:
    """A whole number between two bounds."""

    least: int
    most: int

    def taken(self, name: str, value: object) -> int:
        """The number."""
        if not isinstance(value, int) or isinstance(value, bool) or not self.least <= value <= self.most:
            raise invalid(f"{name} must be a whole number from {self.least} to {self.most}")
        return value

    def schema(self) -> dict[str, Any]:
        """Its bounds."""
        return {"type": "integer", "minimum": self.least, "maximum": self.most}


@dataclass(frozen=True, slots=True)
class Switch:
    """True or false."""

    def taken(self, name: str, value: object) -> bool:
        """The value."""
        if not isinstance(value, bool):
            raise invalid(f"{name} must be true or false")
        return value

    def schema(self) -> dict[str, Any]:
        """A boolean."""
        return {"type": "boolean"}


@dataclass(frozen=True, slots=True)
class Several:
    """A list of 1 to so many texts or objects."""

    each: Rule | type
    most: int

    def taken(self, name: str, value: object) -> tuple[Any, ...]:
        """The entries in their order."""
        if not isinstance(value, (list, tuple)) or not 1 <= len(value) <= self.most:
            raise invalid(f"{name} must be a list of 1 to {self.most} entries")
        if isinstance(self.each, type):
            return tuple(parsed(self.each, entry) for entry in value)
        return tuple(self.each.taken(name, entry) for entry in value)

    def schema(self) -> dict[str, Any]:
        """Its bounds and its entries."""
        items = schema_of(self.each) if isinstance(self.each, type) else self.each.schema()
        return {"type": "array", "minItems": 1, "maxItems": self.most, "items": items}


def _field(rule: Rule, told: str, default: Any = MISSING) -> Any:  # noqa: ANN401 - as `field` is typed
    about = {"rule": rule, "description": told}
    return field(metadata=about) if default is MISSING else field(default=default, metadata=about)


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallRequest:
    """What of a retrieval is kept: the question, its filters and controls (B3, B7)."""

    query: str = _field(Text(LONGEST_QUERY, least=0), "What is asked; empty lists what scores highest.", "")
    subject: str | None = _field(Text(LONGEST_METADATA, least=0), "Only about exactly that.", None)
    path: str | None = _field(Text(LONGEST_METADATA, least=0), "Only what cites that file or folder.", None)
    near: str | None = _field(Text(LONGEST_METADATA, least=0), "The file from which is asked.", None)
    hops: int = _field(Whole(0, MOST_HOPS), "Also what is that many mentions away.", 0)
    use_memory: bool = _field(Switch(), "Of that, first what proved right before.", default=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryRequest:
    """A page of traces, or one trace with a page of its receipts (B10)."""

    trace_id: str | None = _field(Text(HANDLE_LIMIT), "One trace in detail.", None)
    cursor: str | None = _field(Text(HANDLE_LIMIT), "Where the page before ended.", None)
    limit: int = _field(Whole(1, PAGE_LIMIT), "How many traces, or receipts of the trace.", 10)


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """One stage that one source reached."""

    source_id: str = _field(Text(HANDLE_LIMIT), "A source of the trace.")
    stage: str = _field(Text(HANDLE_LIMIT, choices=tuple(STAGES)), "The stage it reached.")

    @property
    def reached(self) -> Stage:
        """The stage."""
        return STAGES[self.stage]


@dataclass(frozen=True, slots=True, kw_only=True)
class UseRequest:
    """What was made of sources of one trace (B23)."""

    trace_id: str = _field(Text(HANDLE_LIMIT), "The retrieval.")
    idempotency_key: str = _field(Text(HANDLE_LIMIT), "Done once, however often it is repeated.")
    uses: tuple[Use, ...] = _field(Several(Use, ENTRIES_LIMIT), "Stages in the order they were passed.")


@dataclass(frozen=True, slots=True, kw_only=True)
class OutcomeRequest:
    """How it turned out: confirm sources that were used, or take a confirmation back (B40, B46)."""

    trace_id: str = _field(Text(HANDLE_LIMIT), "The retrieval.")
    idempotency_key: str = _field(Text(HANDLE_LIMIT), "Done once, however often it is repeated.")
    outcome: str = _field(Text(HANDLE_LIMIT, choices=OUTCOMES), "How it turned out.")
    source_ids: tuple[str, ...] | None = _field(
        Several(Text(HANDLE_LIMIT), ENTRIES_LIMIT), "Of a confirmation: sources that were used.", None
    )
    confirmation_id: str | None = _field(
        Text(HANDLE_LIMIT), "Of a correction or a rollback: the receipt of the confirmation.", None
    )
    reason: str | None = _field(Text(REASON_LIMIT), "Why, in words.", None)


@dataclass(frozen=True, slots=True, kw_only=True)
class RepairRequest:
    """A page of sources whose identity is to be filled in (B52)."""

    cursor: str | None = _field(Text(HANDLE_LIMIT), "Where the page before ended.", None)
    limit: int = _field(Whole(1, REPAIR_LIMIT), "How many sources to look at.", REPAIR_LIMIT)


def parsed(model: type[Model], given: object) -> Model:
    """A request from what was sent.

    Raises:
        InputError: With code `invalid_memory_request`: an unknown or missing field, or one out of bounds.
    """
    known = {each.name: each for each in _fields(model)}
    if not isinstance(given, Mapping) or not set(given) - IDENTITY_FIELDS <= set(known):
        raise invalid("a request is an object of " + ", ".join(known))
    values: dict[str, Any] = {}
    for name, each in known.items():
        sent = given.get(name)
        if sent is None and each.default is not MISSING:
            continue
        values[name] = each.metadata["rule"].taken(name, sent)
    return model(**values)


def payload(tool: str, request: UseRequest | OutcomeRequest) -> str:
    """What tells one mutation from another under the same key: fields in any order, lists in theirs (B28)."""
    return f"{tool}\n{canonical_json(asdict(request))}"


def schema_of(model: type) -> dict[str, Any]:
    """A request as a JSON schema: fields, bounds, defaults."""
    known = _fields(model)
    properties = {}
    for each in known:
        told = {"description": each.metadata["description"], **each.metadata["rule"].schema()}
        if each.default not in {MISSING, None}:
            told["default"] = each.default
        properties[each.name] = told
    return {
        "type": "object",
        "additionalProperties": False,
        "required": [each.name for each in known if each.default is MISSING],
        "properties": properties,
    }


def _fields(model: type) -> tuple[Field[Any], ...]:
    return fields(cast("Any", model))
