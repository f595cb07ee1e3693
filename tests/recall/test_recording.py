"""Which rows are recorded, where the others stand, and which paths can be vouched for (B7, B16 to B21)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from stilltrue.recall.feedback import Activation, Edge
from stilltrue.recall.recording import (
    MOST_SAVED,
    MOST_SOURCES,
    CodeText,
    GraphPath,
    Node,
    Retrieved,
    Sorted,
    TooMuchError,
    check_saved,
    sort_rows,
)
from stilltrue.recall.requests import LONGEST_QUERY, RecallRequest, parsed
from support.cited import memory

REPO = "repository"
AB, BC = Edge(REPO, "a", "b"), Edge(REPO, "b", "c")


def code(identity: str | None = "src/a.py", data: bytes | None = b"x = 1") -> Retrieved:
    return Retrieved(code=CodeText(identity=identity, data=data))


def path(*slugs: str, edges: Sequence[Edge] = (AB, BC), repo: str | None = REPO) -> GraphPath:
    return GraphPath(tuple(Node(slug, repo) for slug in slugs), tuple(edges))


def many(count: int) -> Sorted:
    return sort_rows({"results": [code(f"src/{number}.py") for number in range(count)]}, REPO, ())


def test_b16_a_mixed_page() -> None:
    """What cannot be named, or not be read, keeps its place and is left out of the recording alone."""
    rows = [
        Retrieved(memory=memory(1)),
        code(identity=None),
        code(data=None),
        Retrieved(memory=replace(memory(2), repository="another")),
        replace(code("src/b.py"), folded=[code(identity="../outside"), code("src/c.py")]),
    ]
    found = sort_rows({"results": rows, "graph_results": [code(data=None)]}, REPO, ())
    told = found.to_json()
    assert told == {
        "status": "partial",
        "recorded_sources": 3,
        "excluded_sources": 5,
        "exclusions": [
            {"location": "results[1]", "reason": "canonical_identity_unavailable"},
            {"location": "results[2]", "reason": "live_version_unavailable"},
            {"location": "results[3]", "reason": "canonical_identity_unavailable"},
            {"location": "results[4].same_entity.others[0]", "reason": "canonical_identity_unavailable"},
            {"location": "graph_results[0]", "reason": "live_version_unavailable"},
        ],
    }
    excluded = next(row for row in found.rows if row.location == "results[1]")
    assert excluded.to_json({}) == {
        "feedback_available": False,
        "memory_exclusion_reason": "canonical_identity_unavailable",
    }


def test_b33_a_source_that_is_listed_twice_and_folded_counts_once() -> None:
    one = Retrieved(memory=memory(1))
    found = sort_rows({"results": [replace(one, folded=[one])], "graph_results": [one]}, REPO, ())
    assert len(found.rows) == 3
    assert len(found.sources) == 1


@pytest.mark.parametrize(
    ("rows", "status", "unresolved"),
    [([], "complete", False), ([code(data=None)], "unresolved", True), ([code()], "complete", False)],
)
def test_b17_b18_status(rows: list[Retrieved], status: str, *, unresolved: bool) -> None:
    found = sort_rows({"results": rows}, REPO, ())
    assert found.to_json()["status"] == status
    assert found.is_unresolved is unresolved


def test_b17_no_text_and_no_handle_stands_in_the_recording() -> None:
    hidden = Retrieved(code=CodeText(identity="src/SENTINEL.py", data=None))
    assert "SENTINEL" not in str(sort_rows({"results": [hidden]}, REPO, ()).to_json())


@pytest.mark.parametrize(
    ("one", "standing"),
    [
        (path("a", "b", "c"), {AB}),
        (GraphPath((Node("a", REPO), Node("b", None), Node("c", REPO)), (AB, BC)), {AB, BC}),
        (path("a", "b", "c", repo="another"), {AB, BC}),
        (path("a", "c", "b"), {AB, BC}),
        (path("a", "b"), {AB, BC}),
        (path("a", edges=()), {AB, BC}),
        (path("a", "b", edges=[Edge("another", "a", "b")]), {Edge("another", "a", "b")}),
        (path("a", "b", edges=[Edge(REPO, "b", "a")]), {AB}),
    ],
    ids=["edge gone", "middle gone", "other repository", "not joined", "node missing", "no edge",
         "edge of another repository", "other direction"],
)  # fmt: skip
def test_b20_a_path_that_cannot_be_vouched_for_is_not_kept(one: GraphPath, standing: set[Edge]) -> None:
    found = sort_rows({"graph_results": [Retrieved(memory=memory(1), path=one)]}, REPO, standing)
    (kept,) = found.sources.values()
    assert kept.path == ()
    told = found.to_json()
    assert told["status"] == "complete"
    assert told["excluded_graph_paths"] == 1
    assert told["graph_exclusions"] == [{"location": "graph_results[0]", "reason": "unverifiable_graph_path"}]
    row = found.rows[0].to_json({})
    assert row["graph_feedback_available"] is False
    assert row["graph_exclusion_reason"] == "unverifiable_graph_path"
    assert row["source_id"]


def test_b20_edges_are_followed_both_ways_and_kept_in_their_own_direction() -> None:
    backwards = path("c", "b", "a", edges=[BC, AB])
    found = sort_rows({"graph_results": [Retrieved(memory=memory(1), path=backwards)]}, REPO, {AB, BC})
    (kept,) = found.sources.values()
    assert kept.path == (BC, AB)
    assert "graph_exclusions" not in found.to_json()


def test_b21_no_node_leaves_with_a_row() -> None:
    found = sort_rows({"graph_results": [Retrieved(memory=memory(1), path=path("a", "b", "c"))]}, REPO, set())
    row = found.rows[0].to_json({found.rows[0].location: Activation()})
    assert not {"nodes", "snapshot", "path"} & set(row)


def test_b7_three_hundred_sources_and_no_more() -> None:
    check_saved([], many(MOST_SOURCES))
    with pytest.raises(TooMuchError):
        check_saved([], many(MOST_SOURCES + 1))


def test_b7_a_name_of_256_characters_is_kept_and_a_longer_one_left_out() -> None:
    """What a question sends is refused over the bound; what an answer holds is left out of its recording."""
    rows = [code("😀" * 256), code("x" * 257)]
    found = sort_rows({"results": rows}, REPO, ())
    assert found.to_json()["exclusions"] == [
        {"location": "results[1]", "reason": "canonical_identity_unavailable"}
    ]
    assert found.to_json()["recorded_sources"] == 1


def test_b7_saved_characters_are_counted_as_code_points() -> None:
    nothing = many(0)
    quotes = len('""')
    check_saved(["😀" * (MOST_SAVED - quotes)], nothing)
    with pytest.raises(TooMuchError):
        check_saved(["x" * (MOST_SAVED - quotes + 1)], nothing)


@pytest.mark.parametrize(("name", "most"), [("query", LONGEST_QUERY), ("subject", 256), ("path", 256)])
def test_b7_a_long_question_is_refused(name: str, most: int) -> None:
    parsed(RecallRequest, {name: "😀" * most})
    with pytest.raises(Exception, match=f"{name} must have") as caught:
        parsed(RecallRequest, {name: "x" * (most + 1)})
    assert getattr(caught.value, "code", "") == "invalid_memory_request"
