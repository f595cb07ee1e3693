"""Every registration, one table."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams

from stilltrue import __version__
from stilltrue.services.workspace import Surroundings
from stilltrue_lsp.features import (
    actions,
    commands,
    configuration,
    drafts,
    feedback,
    hover,
    imports,
    lenses,
    listing,
    pages,
    pulling,
    renames,
    showing,
    symbols,
)
from stilltrue_lsp.requests import (
    FOLDER_COMMANDS,
    Arguments,
    ClientOptions,
    Command,
    parse_arguments,
    parse_options,
)
from stilltrue_lsp.rim import RimServer
from stilltrue_lsp.session import Session
from stilltrue_lsp.uris import PAGE_SCHEME, uri_to_path

REMEMBERED_ANSWERS = 100
MUTATIONS = {Command.REVERIFY, Command.SUPERSEDE, Command.REPOINT, Command.RETRACT, Command.REMEMBER}
EVERY_FILE = types.FileOperationRegistrationOptions(
    filters=[types.FileOperationFilter(pattern=types.FileOperationPattern(glob="**/*"), scheme="file")]
)

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
        Command.SNOOZE: commands.snooze,
        Command.USED: feedback.used,
        Command.RIGHT: feedback.right,
        Command.WRONG: feedback.wrong,
        Command.IMPORT: imports.import_memories,
        Command.CHECK: listing.check,
        Command.LIST: listing.list_memories,
        Command.DOCTOR: listing.doctor,
    }
    _register_life(server, session, desk)
    _register_documents(server, session, desk)
    _register_requests(server, session)
    _register_places(server, session)
    for command, handler in handlers.items():
        needs_uri = command not in FOLDER_COMMANDS
        server.command(command.value)(
            _command(session, handler, once=command in MUTATIONS, needs_uri=needs_uri)
        )
    return server


def _asking_for_text(session: Session) -> drafts.Apply:
    async def apply(command: Command, arguments: Arguments) -> dict[str, Any]:
        handler = commands.supersede if command is Command.SUPERSEDE else commands.remember_lines
        return await handler(session, arguments)

    return apply


def _register_life(server: RimServer, session: Session, desk: drafts.Desk) -> None:
    options = ClientOptions()

    @server.feature(types.INITIALIZE)
    def initialize(params: types.InitializeParams) -> None:
        nonlocal options
        options = parse_options(params.initialization_options)
        _take_capabilities(session, params.capabilities)
        session.prompts, session.own_views = options.prompts, options.views
        session.repositories.folders = _folders(params.workspace_folders or []) or _root(params)
        configuration.take(session, options.settings)
        if options.status:
            session.survey.on_news.append(lambda: listing.tell_status(session))

    server.protocol.on_capabilities = lambda capabilities: _shape(session, capabilities)

    @server.feature(types.INITIALIZED)
    async def initialized(_: types.InitializedParams) -> None:
        session.spawn(session.watch_store())
        session.spawn(session.survey.sweep())
        session.spawn(desk.watch())
        if not options.settings:
            await configuration.ask(session)
        await session.open_folders()

    @server.feature(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
    async def folders_changed(_: types.DidChangeWorkspaceFoldersParams) -> None:
        session.repositories.folders = _folders(server.workspace.folders.values())
        await session.open_folders()

    @server.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)
    async def settings_changed(params: types.DidChangeConfigurationParams) -> None:
        await configuration.on_change(session, params)


def _register_documents(server: RimServer, session: Session, desk: drafts.Desk) -> None:
    protocol = server.protocol
    protocol.on_open = session.opened
    protocol.on_change = session.changed
    protocol.on_close = session.closed

    def saved(document: Any) -> None:  # noqa: ANN401 - a Document
        session.saved(document)
        desk.look_soon()

    protocol.on_save = saved
    followed = renames.Renames(session)
    session.on_opened = followed.opened
    session.survey.on_news.append(followed.noticed)

    @server.feature(types.WORKSPACE_DID_RENAME_FILES, EVERY_FILE)
    async def renamed(params: types.RenameFilesParams) -> None:
        await followed.renamed(params)

    @server.feature(types.WORKSPACE_DID_DELETE_FILES, EVERY_FILE)
    def deleted(_: types.DeleteFilesParams) -> None:
        followed.deleted()


def _register_requests(server: RimServer, session: Session) -> None:
    pulls = pulling.Pulls(session)

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    async def on_hover(params: types.HoverParams) -> types.Hover | None:
        return await hover.on_hover(session, params)

    @server.feature(
        types.TEXT_DOCUMENT_CODE_ACTION,
        types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix, actions.REMEMBER]),
    )
    async def on_code_action(params: types.CodeActionParams) -> list[types.CodeAction]:
        return await actions.on_code_action(session, params)

    @server.feature(types.TEXT_DOCUMENT_CODE_LENS)
    async def on_code_lens(params: types.CodeLensParams) -> list[types.CodeLens]:
        return await lenses.on_code_lens(session, params)

    @server.feature(types.TEXT_DOCUMENT_INLAY_HINT)
    async def on_inlay_hint(params: types.InlayHintParams) -> list[types.InlayHint]:
        return await lenses.on_inlay_hint(session, params)

    @server.feature(
        types.TEXT_DOCUMENT_DIAGNOSTIC,
        types.DiagnosticOptions(
            identifier="stilltrue", inter_file_dependencies=False, workspace_diagnostics=True
        ),
    )
    async def on_diagnostic(params: types.DocumentDiagnosticParams) -> Any:  # noqa: ANN401 - ready rows
        return await pulls.on_diagnostic(params)

    @server.feature(types.WORKSPACE_DIAGNOSTIC)
    async def on_workspace_diagnostic(params: types.WorkspaceDiagnosticParams) -> Any:  # noqa: ANN401
        return await pulls.on_workspace_diagnostic(params)


def _register_places(server: RimServer, session: Session) -> None:
    @server.feature(types.TEXT_DOCUMENT_DEFINITION)
    async def on_definition(params: types.DefinitionParams) -> list[types.Location]:
        return await pages.on_definition(session, params)

    @server.feature(types.TEXT_DOCUMENT_REFERENCES)
    async def on_references(params: types.ReferenceParams) -> list[types.Location]:
        return await pages.on_references(session, params)

    @server.feature(types.WORKSPACE_SYMBOL)
    def on_workspace_symbol(params: types.WorkspaceSymbolParams) -> list[types.WorkspaceSymbol]:
        return symbols.on_workspace_symbol(session, params)

    @server.feature(types.WORKSPACE_TEXT_DOCUMENT_CONTENT)
    async def on_content(params: types.TextDocumentContentParams) -> types.TextDocumentContentResult:
        return await pages.on_content(session, params)


def _command(
    session: Session, handler: Handler, *, once: bool, needs_uri: bool
) -> Callable[[Any], Awaitable[dict[str, Any]]]:
    """A command with its argument checked; with `once`, what was done is not done again (F31, F34).

    The store knows the keys, too. It cannot answer where the citation meanwhile has a newer generation.
    """
    done: dict[Arguments, dict[str, Any]] = {}

    async def run(argument: Any = None) -> dict[str, Any]:  # noqa: ANN401 - whatever a client sends
        try:
            given = {} if argument is None and not needs_uri else argument
            arguments = parse_arguments(given, needs_uri=needs_uri)
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


def _take_capabilities(session: Session, capabilities: types.ClientCapabilities) -> None:
    """What the client can: where it shows documents, what it can be asked to ask for again."""
    server, workspace, window = session.server, capabilities.workspace, capabilities.window
    session.messages.shows_documents = bool(window and window.show_document and window.show_document.support)
    if workspace is None:
        return
    session.opens_pages = workspace.text_document_content is not None
    documents = capabilities.text_document
    published = documents.publish_diagnostics if documents else None
    session.display.with_help = session.opens_pages and bool(published and published.code_description_support)
    refreshes = session.display.refreshes
    pulls = documents is not None and documents.diagnostic is not None
    if pulls and workspace.diagnostics and workspace.diagnostics.refresh_support:
        session.display.pulls = True
        refreshes.append(lambda: server.workspace_diagnostic_refresh_async(None))
    if workspace.code_lens and workspace.code_lens.refresh_support:
        refreshes.append(lambda: server.workspace_code_lens_refresh_async(None))
    if workspace.inlay_hint and workspace.inlay_hint.refresh_support:
        refreshes.append(lambda: server.workspace_inlay_hint_refresh_async(None))


def _shape(session: Session, capabilities: types.ServerCapabilities) -> None:
    """Advertise pull diagnostics and pages only to clients that can use them; never push and pull."""
    if not session.display.pulls:
        capabilities.diagnostic_provider = None
    if session.opens_pages and capabilities.workspace is not None:
        capabilities.workspace.text_document_content = types.TextDocumentContentOptions(schemes=[PAGE_SCHEME])


def _folders(folders: Any) -> list[Path]:  # noqa: ANN401 - workspace folders, however they come
    paths = [uri_to_path(folder.uri) for folder in folders]
    return [Path(path) for path in paths if path]


def _root(params: types.InitializeParams) -> list[Path]:
    path = uri_to_path(params.root_uri) if params.root_uri else params.root_path
    return [Path(path)] if path else []
