"""An answer of recall with what lies around it in the graph, recorded (B1, B14, B38)."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from stilltrue.citations.paths import check_path
from stilltrue.errors import CitationError, InputError
from stilltrue.recall.recording import Retrieved
from stilltrue.recall.requests import RecallRequest, parsed
from stilltrue.services.delivering import Delivered, Delivery
from stilltrue.services.feedback import NOT_RECORDED, SCAN, SEARCH, Recording, Retrieval, record_retrieval
from stilltrue.services.graph import GraphRow, graph_rows
from stilltrue.services.kept_pins import checkout_if_any
from stilltrue.services.queries import Query, weights_named
from stilltrue.services.recalled import Recalled
from stilltrue.services.workspace import Workspace

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Traced:
    """An answer as it is handed out.

    Attributes:
        recalled: The answer.
        graph: What was reached from it, judged; None where that was not asked for.
        recording: What became of it in the history.
    """

    recalled: Recalled
    graph: tuple[tuple[GraphRow, Delivered], ...] | None = None
    recording: Recording = NOT_RECORDED


def check_request(query: Query, hops: int) -> None:
    """Refuse what a trace cannot keep (B7) or the graph cannot answer, before anything is read (B13).

    Raises:
        InputError: A text is too long, a place lies outside the repository, there are more than two hops,
            or they are about another time.
    """
    asked = {name: getattr(query, name) for name in ("subject", "path", "near")}
    parsed(RecallRequest, {"query": query.text, "hops": hops, **asked})
    if hops and query.is_replay:
        raise InputError(
            "the graph is of now; it cannot be asked about another time", hint="leave out --hops"
        )
    for place in (query.path, query.near):
        if place is not None and not _is_place(place):
            raise InputError(
                "path and near name files or folders of the repository",
                hint="write them relative to its root, with /, such as src/app.py or src",
            )


def traced(
    workspace: Workspace, recalled: Recalled, *, principal: str, hops: int = 0, use_memory: bool = False
) -> Traced:
    """Follow the graph from an answer, if asked to, and record what is handed out.

    Neither changes the results, their order or their scores (B37). A replay is not recorded (A13).

    Args:
        workspace: The repository.
        recalled: The answer.
        principal: Who asked, as the surface was started.
        hops: How far to follow the graph: 0, 1 or 2.
        use_memory: Order what is reached by what was learned; only for questions with words (B38).
    """
    graph: tuple[tuple[GraphRow, Delivered], ...] | None = None
    incomplete = recalled.is_incomplete
    if hops:
        try:
            graph = _around(workspace, recalled, hops, use_memory=use_memory)
        except Exception:  # noqa: BLE001 - the results stand whatever happens around them (B14)
            logger.warning("the graph could not be followed")
            incomplete = True
    if recalled.query.is_replay:
        return Traced(recalled=recalled, graph=graph)
    answer: dict[str, list[Retrieved]] = {"results": [Retrieved(memory=hit.memory) for hit in recalled.hits]}
    if graph is not None:
        answer["graph_results"] = [row.retrieved for row, _ in graph]
    retrieval = Retrieval(
        mode=SEARCH if _has_words(recalled.query) else SCAN,
        request=_request(recalled.query, hops, use_memory=use_memory),
        settings=_settings(workspace, recalled),
        answer=answer,
        incomplete=incomplete,
    )
    return Traced(recalled=recalled, graph=graph, recording=record_retrieval(workspace, principal, retrieval))


def _around(
    workspace: Workspace, recalled: Recalled, hops: int, *, use_memory: bool
) -> tuple[tuple[GraphRow, Delivered], ...]:
    query = recalled.query
    rows = graph_rows(
        workspace,
        [hit.memory for hit in recalled.hits],
        hops=hops,
        top_k=query.limit,
        use_memory=use_memory and _has_words(query),
    )
    with workspace.reading() as reading:
        if reading is None or not rows:
            return ()
        connection, repository = reading
        delivery = Delivery(
            workspace, connection, repository, checkout_if_any(workspace, connection, repository)
        )
        return tuple(zip(rows, delivery.judged([row.memory.number for row in rows]), strict=True))


def _is_place(path: str) -> bool:
    """Whether a citation could name it, or its folder; `.` is the whole repository."""
    try:
        return path == "." or check_path(path) == path
    except CitationError:
        return False


def _has_words(query: Query) -> bool:
    return bool(query.text.strip())


def _request(query: Query, hops: int, *, use_memory: bool) -> Mapping[str, Any]:
    """What was asked: the question, its filters and controls."""
    filters = {
        "subject": query.subject,
        "kind": query.kind,
        "path": query.path,
        "near": query.near,
        "freshness": query.source,
    }
    return {
        "query": query.text,
        "filters": {name: value for name, value in filters.items() if value is not None},
        "limit": query.limit,
        "max_tokens": query.max_tokens,
        "hops": hops,
        "use_memory": use_memory,
    }


def _settings(workspace: Workspace, recalled: Recalled) -> Mapping[str, Any]:
    """What that came to: mode and profile, the window, how lists were fused, what stale ones count."""
    query, fusion = recalled.query, recalled.fused
    preset = workspace.settings.recall_preset
    told: dict[str, Any] = {
        "mode": "fused" if query.fused else "keyword",
        "profile": query.profile,
        "validity_annotate": query.is_annotated,
        "window": {"known": recalled.at.known, "valid": recalled.at.valid} if recalled.at else None,
        "preset": preset if query.weights is None else None,
        "weights": asdict(query.weights or weights_named(preset)),
        "skips_stale": query.skips_stale,
        "matched": recalled.matched,
        "truncated": recalled.truncated,
    }
    if query.is_annotated:
        told["method"] = query.method
    if fusion is not None:
        told["fusion"] = {
            "arms": {arm.name: {"weight": arm.weight, "found": len(arm.ranked)} for arm in fusion.arms},
            "pool": fusion.pool,
            "rerank": fusion.rerank,
        }
    return told
