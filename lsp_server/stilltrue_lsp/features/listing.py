"""What is remembered in the workspace: the list, the counts, and a check with progress and cancel."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from stilltrue.model.citation import Place
from stilltrue.services.doctor import report_text
from stilltrue.services.memory_rows import CitationRow, MemoryRow
from stilltrue.services.overview import Cancelled
from stilltrue.services.workspace import Workspace
from stilltrue_lsp.requests import Arguments
from stilltrue_lsp.session import Session
from stilltrue_lsp.uris import path_to_uri

STATUS = "stilltrue/status"
REPORT_SECONDS = 0.05

Answer = dict[str, Any]


def status(session: Session) -> Answer:
    """The counts, as `stilltrue/status` tells them."""
    survey = session.survey
    return {**survey.counts(), "busy": survey.busy, "problem": survey.problem}


def tell_status(session: Session) -> None:
    """Tell the counts to a client that wants them."""
    session.server.protocol.send_json({"jsonrpc": "2.0", "method": STATUS, "params": status(session)})


async def list_memories(session: Session, _: Arguments) -> Answer:
    """Every live memory with its verdict, open buffers as they are."""
    await session.survey.settled()
    rows = session.survey.rows()
    return {
        "ok": True,
        "counts": status(session),
        "memories": [_memory(workspace, row) for workspace, row in rows],
    }


async def check(session: Session, _: Arguments) -> Answer:
    """Judge every memory of the workspace; the person sees how far it is and may cancel."""
    await session.work(session.repositories.open_folders)  # it may be asked for before that was done
    stopped = threading.Event()
    seen = [0]

    def progress(count: int) -> None:  # on the survey's thread
        seen[0] = count
        if stopped.is_set():
            raise Cancelled

    shown = await _Progress.begin(session, "Checking memories")
    reporting = asyncio.ensure_future(shown.report(seen, stopped))
    cancelled = False
    try:
        await session.survey.now(progress)
    except Cancelled:
        cancelled = True
    finally:
        stopped.set()
        reporting.cancel()
        counts = status(session)
        shown.end("cancelled" if cancelled else summary(counts))
    session.renew()
    return {"ok": True, "cancelled": cancelled, "counts": counts}


def summary(counts: Mapping[str, Any]) -> str:
    """The counts in a few words."""
    named = [f"{counts[name]} {name}" for name in ("stale", "cosmetic", "unknown") if counts[name]]
    return f"{counts['memories']} memories: {', '.join(named) or 'all still true'}"


async def doctor(session: Session, arguments: Arguments) -> Answer:
    """A report on store, repository and settings, for people who ask for help."""
    workspace = await session.workspace_of(arguments.uri)
    text = await session.ask(lambda: report_text(workspace)) if workspace else "no folder is open"
    return {"ok": text is not None, "text": text}


def _memory(workspace: Workspace, row: MemoryRow) -> Answer:
    memory = row.memory
    return {
        "id": memory.id,
        "uid": memory.uid,
        "text": memory.text,
        "repository": path_to_uri(str(workspace.root)),
        "recordedAt": str(memory.tx_at),
        "freshness": row.freshness,
        "kind": row.kind,
        "reason": row.reason,
        "snoozed": row.snoozed,
        "citations": [_citation(workspace, each) for each in row.citations],
    }


def _citation(workspace: Workspace, row: CitationRow) -> Answer:
    citation = row.citation
    return {
        "id": citation.id,
        "uid": citation.uid,
        "generation": citation.generation,
        "kind": str(citation.kind),
        "uri": path_to_uri(str(workspace.root / citation.path)) if citation.path else None,
        "path": citation.path,
        "startLine": row.span.start if row.span else None,
        "endLine": row.span.end if row.span else None,
        "verdict": str(row.verdict.verdict),
        "code": str(row.code) if row.code else None,
        "reason": row.seen,
        "view": str(row.view),
        "canReverify": row.can_reverify,
        "targets": [_place(workspace, place) for place in row.targets],
    }


def _place(workspace: Workspace, place: Place) -> Answer:
    lines = {"startLine": place.span.start, "endLine": place.span.end}
    return {"uri": path_to_uri(str(workspace.root / place.path)), "path": place.path, **lines}


class _Progress:
    """Work that a person started and may cancel, where the client can show it."""

    def __init__(self, session: Session, token: str | None) -> None:
        self._progress = session.server.work_done_progress
        self._token = token

    @classmethod
    async def begin(cls, session: Session, title: str) -> _Progress:
        """Begin to show it."""
        window = session.server.client_capabilities.window
        token = f"stilltrue-{time.monotonic_ns()}" if window and window.work_done_progress else None
        made = cls(session, token)
        if token is not None:
            try:
                await made._progress.create_async(token)
            except JsonRpcException:
                made._token = None
            else:
                made._progress.begin(token, types.WorkDoneProgressBegin(title=title, cancellable=True))
        return made

    async def report(self, seen: list[int], stopped: threading.Event) -> None:
        """Tell how many files were read, until cancelled; a person's cancel sets `stopped`."""
        while self._token is not None:
            if self._progress.tokens[self._token].cancelled():
                stopped.set()
                return
            await asyncio.sleep(REPORT_SECONDS)
            message = f"{seen[0]} files"
            self._progress.report(self._token, types.WorkDoneProgressReport(message=message))

    def end(self, message: str) -> None:
        """Show it no more."""
        if self._token is not None:
            self._progress.end(self._token, types.WorkDoneProgressEnd(message=message))
            with suppress(KeyError):
                del self._progress.tokens[self._token]
