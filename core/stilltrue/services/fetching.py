"""A memory fetched by its name: the stored version, and under it the live text of what it cites (B1, B5)."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from stilltrue.citations.lines import Lines
from stilltrue.model.citation import CitationKind, Place
from stilltrue.recall.recording import CodeText, Retrieved
from stilltrue.recall.sources import BUFFER, WORKTREE
from stilltrue.services.feedback import FETCH, Recording, Retrieval, record_retrieval
from stilltrue.services.judging import JudgedCitation, JudgedMemory
from stilltrue.services.workspace import Workspace
from stilltrue.source.files import Texts


def record_fetch(
    workspace: Workspace,
    principal: str,
    handles: Sequence[str],
    fetched: Sequence[JudgedMemory],
    *,
    texts: Texts | None = None,
    buffers: Collection[str] = (),
) -> Recording:
    """Keep that these memories were looked at whole. Each is `results[N]`, its code is folded under it.

    Args:
        workspace: The repository.
        principal: Who looked, as the surface was started.
        handles: What was asked for, as written.
        fetched: What was shown.
        texts: Where the code was read; the working tree unless an editor says otherwise.
        buffers: The files that `texts` has from unsaved buffers.
    """
    source = texts or workspace.fresh_tree()
    rows = [
        Retrieved(memory=one.memory, folded=[_code(each, source, buffers) for each in _cited_texts(one)])
        for one in fetched
    ]
    retrieval = Retrieval(
        mode=FETCH,
        request={"handles": list(handles)},
        settings={"buffers": bool(buffers)},
        answer={"results": rows},
    )
    return record_retrieval(workspace, principal, retrieval)


def folded_place(one: JudgedMemory, uid: str) -> str | None:
    """Where in the recording the code of a citation of the first memory stands; None for a bare commit."""
    uids = [each.citation.uid for each in _cited_texts(one)]
    return f"results[0].same_entity.others[{uids.index(uid)}]" if uid in uids else None


def _cited_texts(one: JudgedMemory) -> list[JudgedCitation]:
    return [each for each in one.citations if each.citation.kind is not CitationKind.COMMIT]


def _code(judged: JudgedCitation, texts: Texts, buffers: Collection[str]) -> Retrieved:
    citation, verdict = judged.citation, judged.verdict
    recorded = Place(citation.path, citation.span) if citation.path and citation.span else None
    place = verdict.new or verdict.nearest or recorded
    path = place.path if place is not None else citation.path
    identity = f"{path}#{citation.symbol}" if path and citation.kind is CitationKind.SYMBOL else path
    data = texts.read(path).data if path else None
    kind = BUFFER if path in buffers else WORKTREE
    if data is not None and citation.kind is not CitationKind.FILE:
        lines = Lines(data)
        holds = place is not None and lines.holds(place.span) and not verdict.is_broken
        data = lines.span_bytes(place.span) if holds and place is not None else None
    return Retrieved(
        code=CodeText(identity=identity, data=data, content_source=kind, stored_at=citation.recorded_at)
    )
