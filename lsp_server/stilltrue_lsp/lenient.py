"""Reading what clients send, odd parts and all.

lsprotocol refuses a whole message for one unknown number in it, and a request so refused
is what a user sees as a dead code action menu. Here unknown enum values pass as they
are, and diagnostics of other tools that are not well formed are left out.
"""

from __future__ import annotations

import enum
import logging
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.protocol import (
    JsonRPCNotification,
    JsonRPCRequestMessage,
    JsonRPCResponseMessage,
    default_converter,
)

if TYPE_CHECKING:
    from cattrs import Converter

logger = logging.getLogger(__name__)


def lenient_converter() -> Converter:
    """The converter of pygls, with a tolerance for what other tools get wrong.

    Messages that lsprotocol has no class for keep their `params` and `result` as plain
    JSON values.
    """
    converter: Converter = default_converter()  # type: ignore[no-untyped-call]
    for candidate in vars(types).values():
        if isinstance(candidate, type) and issubclass(candidate, enum.Enum):
            converter.register_structure_hook(candidate, _enum_or_raw)

    def context(raw: dict[str, Any], _: type) -> types.CodeActionContext:
        trigger = raw.get("triggerKind")
        return types.CodeActionContext(
            diagnostics=_well_formed(converter, raw.get("diagnostics") or []),
            only=raw.get("only"),
            trigger_kind=None if trigger is None else _enum_or_raw(trigger, types.CodeActionTriggerKind),
        )

    converter.register_structure_hook(types.CodeActionContext, context)
    for plain in (JsonRPCNotification, JsonRPCRequestMessage, JsonRPCResponseMessage):
        converter.register_structure_hook(plain, _keep_plain)
    return converter


def _enum_or_raw(value: Any, kind: type) -> Any:  # noqa: ANN401 - any JSON value may come
    try:
        return kind(value)
    except ValueError:
        return value


def _well_formed(converter: Converter, raw: list[Any]) -> list[types.Diagnostic]:
    diagnostics = []
    for entry in raw:
        try:
            diagnostics.append(converter.structure(entry, types.Diagnostic))
        except Exception:  # noqa: BLE001 - cattrs lets through whatever a hook raises
            logger.debug("left out a diagnostic that is not well formed")
    return diagnostics


def _keep_plain(raw: dict[str, Any], kind: type) -> Any:  # noqa: ANN401 - one of pygls's three classes
    names = kind.__annotations__
    return kind(**{name: raw.get(name) for name in names})
