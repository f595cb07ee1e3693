"""Every registration, one table."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams

from stilltrue import __version__
from stilltrue.errors import InputError
from stilltrue.services.workspace import Surroundings
from stilltrue_lsp.features import actions, commands, drafts, hover, showing
from stilltrue_lsp.requests import Arguments, Command, parse_arguments, parse_options
from stilltrue_lsp.rim import RimServer
from stilltrue_lsp.session import Session
from stilltrue_lsp.uris import uri_to_path

logger = logging.getLogger(__name__)

REMEMBERED_ANSWERS = 100
MUTATIONS = {Command.REVERIFY, Command.SUPERSEDE, Command.REPOINT, Command.RETRACT, Command.REMEMBER}

Handler = Callable[[Session, Arguments], Awaitable[dict[str, Any]]]


def build_server(surroundings: Surroundings) -> RimServer:
    """The server, ready to be started."""
    server = RimServer("stilltrue", __version__)
    session = Session(server, surroundings)
    desk = drafts.Desk(session, surroundings.state_folder, apply=_asking_for_text(session))
    handlers: dict[Command, Handler] = {
        Command.REVERIFY: commands.reverify,
        Command.SUPERSEDE: desk.or_draft(commands.supersede),
        Command.REPOINT: commands.repoint,
        Command.RETRACT: commands.retract,
        Command.REMEMBER: desk.or_draft(commands.remember_lines),
        Command.UNDO: commands.undo,
        Command.SHOW_CHANGE: showing.show_change,
        Command.SHOW_HISTORY: showing.show_history,
    }
    _register_documents(server, session, desk)
    _register_requests(server, session)
    for command, handler in handlers.items():
        server.command(command.value)(_command(session, handler, once=command in MUTATIONS))
    return server


def _asking_for_text(session: Session) -> drafts.Apply:
    async def apply(command: Command, arguments: Arguments) -> dict[str, Any]:
        handler = commands.supersede if command is Command.SUPERSEDE else commands.remember_lines
        return await handler(session, arguments)

    return apply


def _register_documents(server: RimServer, session: Session, desk: drafts.Desk) -> None:
    protocol = server.protocol
    protocol.on_open = session.opened
    protocol.on_change = session.changed
    protocol.on_close = session.closed

    def saved(document: Any) -> None:  # noqa: ANN401 - a Document
        session.saved(document)
        desk.look_soon()

    protocol.on_save = saved

    @server.feature(types.INITIALIZED)
    def initialized(_: types.InitializedParams) -> None:
        session.spawn(session.watch_store())
        session.spawn(desk.watch())

    @server.feature(types.INITIALIZE)
    def initialize(params: types.InitializeParams) -> None:
        _take_options(session, params)

    @server.feature(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
    def folders_changed(_: types.DidChangeWorkspaceFoldersParams) -> None:
        session.repositories.folders = _folders(server.workspace.folders.values())


def _register_requests(server: RimServer, session: Session) -> None:
    @server.feature(types.TEXT_DOCUMENT_HOVER)
    def on_hover(params: types.HoverParams) -> types.Hover | None:
        return hover.on_hover(session, params)

    @server.feature(
        types.TEXT_DOCUMENT_CODE_ACTION,
        types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix, actions.REMEMBER]),
    )
    def on_code_action(params: types.CodeActionParams) -> list[types.CodeAction]:
        return actions.on_code_action(session, params)


def _command(session: Session, handler: Handler, *, once: bool) -> Callable[[Any], Awaitable[dict[str, Any]]]:
    """A command with its argument checked; with `once`, what was done is not done again (F31, F34).

    The store knows the keys, too. It cannot answer where the citation meanwhile has a newer generation.
    """
    done: dict[Arguments, dict[str, Any]] = {}

    async def run(argument: Any) -> dict[str, Any]:  # noqa: ANN401 - whatever a client sends
        try:
            arguments = parse_arguments(argument)
        except ValueError as error:
            raise JsonRpcInvalidParams(str(error)) from error
        if arguments in done:
            return done[arguments]
        answer = await handler(session, arguments)
        if once and arguments.key and answer["ok"] and "draft" not in answer:
            done[arguments] = answer
            if len(done) > REMEMBERED_ANSWERS:
                del done[next(iter(done))]
        return answer

    return run


def _take_options(session: Session, params: types.InitializeParams) -> None:
    options = parse_options(params.initialization_options)
    session.prompts = options.prompts
    session.shows_documents = bool(
        params.capabilities.window
        and params.capabilities.window.show_document
        and params.capabilities.window.show_document.support
    )
    folders = params.workspace_folders or []
    session.repositories.folders = _folders(folders) or _root(params)
    surroundings = session.repositories.surroundings
    try:
        session.use(replace(surroundings, options={**surroundings.options, **options.settings}))
    except InputError as error:
        logger.error("settings refused: %s", error.message)  # noqa: TRY400 - told to the person, too
        session.say_once(error)


def _folders(folders: Any) -> list[Path]:  # noqa: ANN401 - workspace folders, however they come
    paths = [uri_to_path(folder.uri) for folder in folders]
    return [Path(path) for path in paths if path]


def _root(params: types.InitializeParams) -> list[Path]:
    path = uri_to_path(params.root_uri) if params.root_uri else params.root_path
    return [Path(path)] if path else []
