"""Settings: at `initialize`, and whenever they change (F40)."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from stilltrue.errors import InputError
from stilltrue.settings import normalised
from stilltrue_lsp.messages import told
from stilltrue_lsp.session import Session

logger = logging.getLogger(__name__)

SECTION = "stilltrue"


def take(session: Session, settings: Mapping[str, Any]) -> None:
    """Take over a client's settings, all or none: where one is refused, all stay as they were."""
    surroundings = session.repositories.surroundings
    try:
        session.use(replace(surroundings, options=normalised(settings)))
    except InputError as error:
        logger.error("settings refused: %s", error.message)  # noqa: TRY400 - told to the person, too
        session.messages.say(f"settings not taken over: {told(error)}", failed=True)


async def on_change(session: Session, params: types.DidChangeConfigurationParams) -> None:
    """The client's settings changed; they come along, or are asked for."""
    settings = params.settings.get(SECTION) if isinstance(params.settings, dict) else None
    if settings is None:
        settings = await _asked(session)
    if isinstance(settings, dict):
        take(session, settings)
        session.show_all()
        session.renew()


async def ask(session: Session) -> None:
    """Take over what a client answers that sent no settings at `initialize`."""
    settings = await _asked(session)
    if isinstance(settings, dict) and settings:
        take(session, settings)
        session.show_all()


async def _asked(session: Session) -> object:
    workspace = session.server.client_capabilities.workspace
    if workspace is None or not workspace.configuration:
        return None
    wanted = types.ConfigurationParams(items=[types.ConfigurationItem(section=SECTION)])
    try:
        return next(iter(await session.server.workspace_configuration_async(wanted)), None)
    except JsonRpcException as error:
        logger.info("the client did not tell its settings: %s", error)
        return None
