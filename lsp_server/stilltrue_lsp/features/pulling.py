"""Pull diagnostics, for clients that can be asked to pull again: closed files show, too (F24)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Any

from lsprotocol import types

from stilltrue.errors import StillTrueError
from stilltrue.ide.diagnostics import diagnostics
from stilltrue_lsp.open_files import on_disk
from stilltrue_lsp.session import Session
from stilltrue_lsp.survey import Known
from stilltrue_lsp.uris import canonical_key, path_to_uri

CLOSED_FILES = 1000
"""Most closed files that are shown; what is beyond is counted by `stilltrue check`."""

Row = dict[str, Any]


class Pulls:
    """What a pulling client is answered; rows of closed files are kept until the next survey."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._closed: dict[Path, tuple[Known, dict[str, list[Row]]]] = {}
        self._told: set[str] = set()

    async def on_diagnostic(self, params: types.DocumentDiagnosticParams) -> Row:
        """What is shown of one document: of a buffer as it is, of any other file as it lies on disk.

        A client asks once more when it lets go of a document.
        """
        uri = params.text_document.uri
        file = self._session.file(uri)
        rows = file.shown_json if file else (await self._everything()).get(uri, (None, []))[1]
        if rows:
            self._told.add(uri)
        return _report(rows, params.previous_result_id)

    async def on_workspace_diagnostic(self, params: types.WorkspaceDiagnosticParams) -> Row:
        """What is shown of every file; answered once it is not what the client has."""
        given = {each.uri: each.value for each in params.previous_result_ids}
        while True:
            news = self._session.survey.news
            found = await self._everything()
            items = [
                {"uri": uri, "version": version, **_report(rows, given.get(uri))}
                for uri, (version, rows) in found.items()
            ]
            items += [
                {"uri": uri, "version": None, **_report([], given.get(uri))}
                for uri in self._gone(given, found)
            ]
            changed = [item for item in items if item["kind"] == "full"]
            if changed or not given:
                self._told = {*found, *(uri for uri in self._told if self._session.file(uri))}
                return {"items": changed}
            await news.wait()

    def _gone(self, given: Iterable[str], found: Iterable[str]) -> list[str]:
        """What the client may still show though there is nothing to show.

        When a document closes, it drops what it is answered about it, and does not name it here either; so
        what it was told is kept in mind until it can be taken back.
        """
        keys = {canonical_key(uri) for uri in found}
        closed = [uri for uri in self._told if self._session.file(uri) is None]
        return [uri for uri in dict.fromkeys([*given, *closed]) if canonical_key(uri) not in keys]

    async def _everything(self) -> dict[str, tuple[int | None, list[Row]]]:
        session = self._session
        found: dict[str, tuple[int | None, list[Row]]] = {}
        opened = [file for file in session.files.values() if file.is_open]
        if session.settings.diagnostics_on_close == "keep":
            keys = {canonical_key(file.uri) for file in opened}
            for known in list(session.survey.known.values()):
                for path in _stale_files(known):
                    uri = path_to_uri(str(known.workspace.root / path))
                    if canonical_key(uri) not in keys:
                        found[uri] = (None, await self._rows_of(known, path, uri))
        for file in opened:
            if file.shown_json:
                found[file.uri] = (file.document.version, file.shown_json)
        return found

    async def _rows_of(self, known: Known, path: str, uri: str) -> list[Row]:
        root = known.workspace.root
        if root not in self._closed or self._closed[root][0] is not known:
            self._closed[root] = (known, {})
        rows = self._closed[root][1]
        if path not in rows:
            rows[path] = await self._session.survey.work(partial(_closed, self._session, known, path, uri))
        return rows[path]


def _stale_files(known: Known) -> list[str]:
    """The files with anything to settle; those that are gone, too: a Problems entry still tells of them."""
    paths = {each.citation.path for row in known.rows for each in row.citations if each.code}
    return sorted(path for path in paths if path)[:CLOSED_FILES]


def _closed(session: Session, known: Known, path: str, uri: str) -> list[Row]:
    try:
        unit = session.server.protocol.documents.unit
        file = on_disk(uri, known.workspace, path, unit, known.found.moves)
    except StillTrueError:
        return []  # the survey tells of it
    return session.display.rows(file, diagnostics(file.snapshot(), session.display.config))


def _report(rows: list[Row], known: str | None) -> Row:
    result = hashlib.sha256(json.dumps(rows, sort_keys=True).encode()).hexdigest()[:16]
    if known == result:
        return {"kind": "unchanged", "resultId": result}
    return {"kind": "full", "resultId": result, "items": rows}
