"""What the feedback tools promise to programs, made of the requests that the code takes (B53)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from stilltrue.recall.refusals import CODES
from stilltrue.recall.requests import (
    HistoryRequest,
    OutcomeRequest,
    RecallRequest,
    RepairRequest,
    UseRequest,
    schema_of,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """One tool as programs know it.

    Attributes:
        read_only: It changes nothing.
        idempotent: Repeated with the same key, it changes nothing more.
    """

    name: str
    command: str
    told: str
    takes: type
    read_only: bool = False
    idempotent: bool = False

    def contract(self) -> Mapping[str, Any]:
        """Its name, what it does, its annotations, what it takes and how it refuses."""
        return {
            "name": self.name,
            "command": self.command,
            "description": self.told,
            "annotations": {
                "readOnlyHint": self.read_only,
                "destructiveHint": False,
                "idempotentHint": self.idempotent,
                "openWorldHint": False,
            },
            "inputSchema": schema_of(self.takes),
            "errorCodes": list(CODES),
        }


TOOLS = (
    Tool(
        name="recall",
        command="stilltrue recall",
        told="Ask what is remembered. What is retrieved is recorded; order and scores never depend on that.",
        takes=RecallRequest,
    ),
    Tool(
        name="memory_history",
        command="stilltrue history",
        told="One's own retrievals, newest first, or one of them with its sources and receipts.",
        takes=HistoryRequest,
        read_only=True,
        idempotent=True,
    ),
    Tool(
        name="record_source_use",
        command="stilltrue use",
        told="Say how far sources of a retrieval were used: selected, validated, used.",
        takes=UseRequest,
        idempotent=True,
    ),
    Tool(
        name="record_outcome",
        command="stilltrue outcome",
        told="Confirm sources that were used, or take a confirmation back exactly.",
        takes=OutcomeRequest,
        idempotent=True,
    ),
    Tool(
        name="repair_identities",
        command="stilltrue repo repair-identities",
        told="Fill in what sources of old retrievals lack to be found by name, one page at a time.",
        takes=RepairRequest,
        idempotent=True,
    ),
)
