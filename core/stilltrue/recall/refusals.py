"""Why a feedback request is refused: a fixed sentence a code, none of which repeats what was sent (B22)."""

from __future__ import annotations

from stilltrue.errors import ConflictError, InputError, NotFoundError, StillTrueError

INVALID = "invalid_memory_request"

_REFUSALS: dict[str, tuple[type[StillTrueError], str, str]] = {
    "unknown_trace": (
        NotFoundError,
        "there is no such trace of yours in this repository",
        "list them with: stilltrue history",
    ),
    "unknown_source": (
        NotFoundError,
        "a source is not part of that trace",
        "see the trace's sources with: stilltrue history TRACE",
    ),
    "unknown_cursor": (
        NotFoundError,
        "the cursor does not belong to this list",
        "start again without a cursor",
    ),
    "unknown_confirmation": (
        NotFoundError,
        "that trace has no such confirmation",
        "see the trace's receipts with: stilltrue history TRACE",
    ),
    "idempotency_conflict": (
        ConflictError,
        "the key was used for something else already",
        "use a new key for a new act",
    ),
    "stage_order_violation": (
        InputError,
        "stages are passed one at a time: selected, validated, used",
        "record the stage before it first; one request may hold all three in order",
    ),
    "used_source_required": (
        InputError,
        "only sources that were used can be confirmed",
        "record their use first with: stilltrue use TRACE SOURCE:selected,validated,used",
    ),
    "confirmation_id_required": (
        InputError,
        "to correct or roll back, name one confirmation and no sources",
        "its id is the receipt of the confirmed outcome; see: stilltrue history TRACE",
    ),
    "source_ids_required": (
        InputError,
        "to confirm, name the sources that were used and no confirmation",
        "see the trace's sources with: stilltrue history TRACE",
    ),
}

CODES = (*_REFUSALS, INVALID)


def refusal(code: str) -> StillTrueError:
    """The error for one of `CODES`."""
    kind, message, hint = _REFUSALS[code]
    return kind(message, hint=hint, code=code)


def invalid(message: str) -> InputError:
    """Anything else that is wrong with a request; `message` names fields and bounds, never what was sent."""
    return InputError(message, hint="see: stilltrue history --help, use --help, outcome --help", code=INVALID)
