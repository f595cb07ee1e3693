"""Pins out of free text: a source reference that names a commit becomes a commit citation (A43 to A45)."""

from __future__ import annotations

import re

from stilltrue.citations.paths import check_path
from stilltrue.errors import CitationError
from stilltrue.model.citation import CitationDraft, CitationKind
from stilltrue.model.time import unix_ms
from stilltrue.services.workspace import Workspace
from stilltrue.store import ids, pins
from stilltrue.store.citations import NewCitation, insert_citations

_ID = r"[0-9A-Fa-f]{7,40}|[0-9A-Fa-f]{64}"
_NAMED = re.compile(rf".+@(?P<commit>{_ID})(?::(?P<path>.+))?")
_ALONE = re.compile(_ID)
_LINES = re.compile(r":\d+(?:-\d+)?$|#L\d+(?:-L\d+)?$")
_OPENING = "([{<'\"`"
_CLOSING = ")]}>'\"`,;:.!?"


def parse_source_ref(text: str | None) -> CitationDraft | None:
    """The commit citation that a source reference names, or None where it names none.

    Understood are `NAME@COMMIT`, `NAME@COMMIT:PATH` and a free-standing token of 7 to 40 hexadecimal digits,
    or 64. A word that only looks like a commit ends as `unresolved`, when git is asked (A44).

    Args:
        text: Free text; it is never changed.
    """
    words = [word.lstrip(_OPENING).rstrip(_CLOSING) for word in (text or "").split()]
    for word in words:
        if named := _NAMED.fullmatch(word):
            return _draft(named["commit"], named["path"])
    alone = next((word for word in words if _ALONE.fullmatch(word)), None)
    return _draft(alone, None) if alone else None


def backfill(workspace: Workspace) -> list[str]:
    """Pin the live memories that never had a pin and whose source reference names a commit (A43).

    A memory keeps what it has; the pin is one more citation. Done again, it does nothing.

    Returns:
        The uids of the memories that were pinned.
    """
    with workspace.reading() as reading:
        if reading is None:
            return []
        connection, repository = reading
        found = pins.unpinned_with_source(connection, repository, workspace.present(connection))
    if not any(parse_source_ref(text) for _, text in found):
        return []
    with workspace.writing() as (connection, repository, now):
        found = pins.unpinned_with_source(connection, repository, workspace.present(connection))
        drafts = [(uid, draft) for uid, text in found if (draft := parse_source_ref(text))]
        new = [NewCitation(uid=ids.new_uid(unix_ms(now)), memory=uid, draft=draft) for uid, draft in drafts]
        insert_citations(connection, new, now=now, actor=workspace.actor)
    return [uid for uid, _ in drafts]


def _draft(commit: str, path: str | None) -> CitationDraft | None:
    written = _LINES.sub("", path) if path else None
    try:
        checked = check_path(written) if written else None
    except CitationError:
        return None
    return CitationDraft(kind=CitationKind.COMMIT, path=checked, commit=commit.lower())
