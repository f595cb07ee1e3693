"""What a reader is shown for a stale citation: a help, never a verdict (design: verdicts, `nearest`)."""

from __future__ import annotations

from stilltrue.citations.baselines import span_baseline
from stilltrue.citations.lines import Lines
from stilltrue.citations.relocation import sight
from stilltrue.model.citation import Place, Span
from support.fixture import PATH, check, judge, judge_with

HANDLER = """
    from web import route

    ⟦@route("/orders")
    def orders(request):
        rows = request.rows("orders")
        return rows⟧

    def main():
        serve(orders)
    """


def test_an_edited_line_shows_the_whole_span() -> None:
    check(
        HANDLER,
        """
        from web import route

        ⟪@route("/orders")
        def orders(request):
            rows = request.rows("all orders")
            return rows⟫

        def main():
            serve(orders)
        """,
        "stale/text-changed",
    )


def test_lines_added_inside_are_shown_with_it() -> None:
    check(
        HANDLER,
        """
        from web import route

        ⟪@route("/orders")
        def orders(request):
            check(request)
            rows = request.rows("orders")
            return rows⟫

        def main():
            serve(orders)
        """,
        "stale/text-changed",
    )


def test_a_changed_first_line_and_lines_added_above_are_no_obstacle() -> None:
    check(
        HANDLER,
        """
        import logging
        from web import route

        ⟪@route("/all-orders")
        def orders(request):
            rows = request.rows("orders")
            return rows⟫

        def main():
            serve(orders)
        """,
        "stale/text-changed",
    )


def test_a_moved_and_edited_span_is_shown_where_it_went() -> None:
    check(
        HANDLER,
        """
        from web import route

        def main():
            serve(orders)

        ⟪@route("/orders")
        def orders(request):
            rows = request.rows("orders")
            return list(rows)⟫
        """,
        "stale/text-changed",
    )


def test_a_line_replaced_by_quite_another_is_told_by_its_neighbours() -> None:
    check("one\n⟦cited = 1⟧\ntwo\n", "new\none\n⟪other = 2⟫\ntwo\n", "stale/text-changed")


def test_where_nothing_is_left_the_line_above_the_gap_is_shown() -> None:
    check("one\n⟦the cited line of this text⟧\ntwo\n", "⟪one⟫\ntwo\n", "stale/span-missing")


def test_without_any_trace_the_hint_is_cut_to_the_file() -> None:
    check("one\ntwo\n⟦cited 1\ncited 2⟧\nthree\n", "x\n⟪y⟫\n", "stale/span-missing")


def test_a_changed_version_is_shown_rather_than_an_equal_copy() -> None:
    check(
        "one\n⟦the cited line of this text⟧\ntwo\n",
        "one\n⟪the cited line of that text⟫\ntwo\n⟦the cited line of this text⟧\n",
        "stale/text-changed",
    )


def test_an_empty_text_has_no_line_to_show() -> None:
    assert judge(b"one\n", Span(1, 1), b"").nearest is None


def test_a_span_carried_by_the_session_is_shown_as_carried() -> None:
    before, after = Lines(b"one\ncited\ntwo\n"), Lines(b"one\ncited\nx\nother\n")
    baseline = span_baseline(before, Span(2, 2), encoding="utf-8", with_excerpt=True)
    changed = judge_with(baseline, Span(1, 1), after, carried=Span(3, 4))
    assert changed.nearest in {Place(PATH, Span(3, 4)), None}


def test_an_edit_in_place_is_shown_at_its_own_lines_though_a_cited_line_also_stands_above() -> None:
    """`return path` stands above the span, too; a blank first line belongs to the span."""
    before = (
        "def route(scope):\n    root = scope.root\n    if not root:\n        return path\n"
        "\n    if not path.startswith(root):\n        return path\n"
        "\n    if path == root:\n        return ''\n"
        "\n    return path[len(root) :]\n"
    )
    after = before.replace("return ''", "return ''  # hi")
    lines = Lines(before.encode())
    baseline = span_baseline(lines, Span(5, 11), encoding="utf-8", with_excerpt=True)

    assert sight(Lines(after.encode()), Span(5, 11), baseline).nearest == Span(5, 11)
    shifted = sight(Lines(("# top\n" + after).encode()), Span(5, 11), baseline).nearest
    assert shifted == Span(6, 12)
