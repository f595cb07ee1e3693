"""Who mentions whom, and what is reached (B37 to B39)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stilltrue.recall.feedback import Edge
from stilltrue.recall.mention_graph import (
    POOL,
    Version,
    expand,
    learned_strength,
    mention_edges,
    rows_for,
    subject_slug,
    weighed,
)

REPO = "repository"
UID = "01a238dc-b5d3-7ab1-b495-bbaf8527fb0e"


def version(number: int, text: str = "", subject: str = "a/path.py", **given: str) -> Version:
    facts = {"uid": f"uid-{number}", "chain": f"chain-{number}", **given}
    return Version(number=number, subject=subject, text=text, **facts)


def targets(text: str, *others: Version) -> list[str]:
    return [edge.target for edge in mention_edges(REPO, [version(1, text), *others])]


@pytest.mark.parametrize(
    "text", ["see m2", "M2.", "(m2)", "as m2's author", "m2, m2 and m2", "`m2`", "m2:", "@m2", "[m2]"]
)
def test_a_memory_is_mentioned_by_its_number(text: str) -> None:
    assert targets(text, version(2)) == ["chain-2"]


@pytest.mark.parametrize(
    "text", ["m22", "am2", "m2-old", "src/m2.py", "m2.py", "m02", "file#m2", "x_m2", "m", "m²"]
)
def test_no_mention_inside_of_a_longer_word(text: str) -> None:
    assert targets(text, version(2)) == []


def test_a_memory_is_mentioned_by_the_uid_of_any_version() -> None:
    old = version(2, uid=UID, chain="chain-2", subject="")
    new = version(3, chain="chain-2")
    assert targets(f"as {UID.upper()} says", old, new) == ["chain-2"]
    assert targets("as m2 says", old, new) == ["chain-2"]
    assert targets(f"as {UID}0 says", old, new) == []


def test_a_subject_is_a_slug_where_one_memory_alone_has_it() -> None:
    one, twin = version(2, subject="Retry  policy"), version(3, subject="retry-policy")
    assert targets("see retry-policy", one) == ["chain-2"]
    assert targets("see retry-policy-v2, and the retry policy", one) == []
    assert targets("see retry-policy", one, twin) == []
    assert targets("retries", version(2, subject="retries")) == []
    assert targets("[[retries]]", version(2, subject="retries")) == ["chain-2"]


@pytest.mark.parametrize(
    ("subject", "slug"),
    [("Retry policy", "retry-policy"), ("api", "api"), ("src/a.py", None), ("a.b", None), ("", None)],
)
def test_a_path_is_no_slug(subject: str, slug: str | None) -> None:
    assert subject_slug(subject) == slug


def test_nobody_mentions_itself() -> None:
    assert mention_edges(REPO, [version(1, "m1 is m1")]) == []


@given(st.permutations([version(1, "m2 m3"), version(2, "m3"), version(3, "m1, old-name"), version(4)]))
def test_b50_the_graph_depends_on_no_order(versions: list[Version]) -> None:
    assert mention_edges(REPO, versions) == sorted(mention_edges(REPO, versions))
    assert {(edge.source[-1], edge.target[-1]) for edge in mention_edges(REPO, versions)} == {
        ("1", "2"), ("1", "3"), ("2", "3"), ("3", "1"),
    }  # fmt: skip


AB, BC, CD = Edge(REPO, "a", "b"), Edge(REPO, "b", "c"), Edge(REPO, "c", "d")


def test_b38_one_hop_two_hops_both_ways() -> None:
    edges = [(1, BC), (1, CD), (2, AB)]
    assert [each.slug for each in expand(["c"], 1, edges)] == ["d", "b"]
    found = expand(["c"], 2, edges)
    assert [(each.slug, each.hop) for each in found] == [("d", 1), ("b", 1), ("a", 2)]
    assert found[2].edges == (BC, AB)
    assert found[2].slugs == ("c", "b", "a")


def test_b38_origins_are_no_rows_and_nothing_comes_twice() -> None:
    edges = [(1, AB), (1, BC), (2, CD), (2, AB)]
    assert [each.slug for each in expand(["a", "b"], 2, edges)] == ["c", "d"]


def test_b38_at_most_two_hundred_are_weighed() -> None:
    edges = [(1, Edge(REPO, "a", f"n{number:03}")) for number in range(POOL + 5)]
    assert len(expand(["a"], 1, edges)) == POOL


def test_b38_order_by_hop_then_strength_then_as_it_was() -> None:
    edges = [(1, Edge(REPO, "a", "b")), (1, Edge(REPO, "a", "x")), (2, BC)]
    reached = expand(["a"], 2, edges)
    assert [each.slug for each in weighed(reached, {})] == ["b", "x", "c"]
    strengths = {Edge(REPO, "a", "x"): 0.25, BC: 5.0}
    assert [each.slug for each in weighed(reached, strengths)] == ["x", "b", "c"]
    assert learned_strength(reached[2], {**strengths, AB: 1.0}) == 6.0


@pytest.mark.parametrize(("top_k", "rows"), [(1, 2), (8, 16), (15, 30), (100, 30)])
def test_b38_how_many_rows(top_k: int, rows: int) -> None:
    assert rows_for(top_k) == rows
