"""Where a cited span is found again, told by two marked texts (D11 to D13, D19)."""

from __future__ import annotations

from textwrap import dedent

import pytest

from stilltrue.citations.lines import Lines
from stilltrue.citations.relocation import sight
from stilltrue.citations.baselines import span_baseline
from stilltrue.model.citation import Place, Span
from stilltrue.model.verdict import Grade, Reason, Verdict
from support.fixture import PATH, check, judge, judge_with

RETRY = """
    import time

    ⟦def retry(call):
        for attempt in range(5):
            call(attempt)⟧

    def main():
        retry(print)
    """


def test_an_untouched_span_is_fresh() -> None:
    check(RETRY, RETRY, "fresh/same-bytes")


def test_a_span_that_stands_is_fresh_whatever_became_of_the_rest() -> None:
    check(RETRY, "x\n\n" + dedent("""
        ⟦def retry(call):
            for attempt in range(5):
                call(attempt)⟧
        def retry(call):
            for attempt in range(5):
                call(attempt)
        """).lstrip("\n"), "fresh/same-bytes")


@pytest.mark.parametrize(
    ("above", "below"),
    [("a = 1\nb = 2\n", ""), ("", "a = 1\nb = 2\n"), ("a = 1\n", "b = 2\n"), ("\n\n\n", "\n")],
    ids=["above", "below", "on both sides", "blank lines"],
)
def test_d11_lines_added_around_move_the_span_by_as_many(above: str, below: str) -> None:
    after = dedent(RETRY.removeprefix("\n"))
    after = after.replace("⟦", f"{above}⟦").replace("⟧\n", f"⟧\n{below}")
    check(RETRY, after, "moved/same-file" if above else "fresh/same-bytes")


def test_lines_removed_above_move_the_span_up() -> None:
    check("a\nb\nc\n⟦the cited line of this text⟧\nd", "⟦the cited line of this text⟧\nd", "moved/same-file")


def test_two_functions_that_swap_places_have_both_moved() -> None:
    first = "⟦def opened(box):\n    return box.lid.up()⟧"
    second = "def sealed(box):\n    return box.lid.down()"
    plain = first.strip("⟦⟧")
    check(f"{first}\n\n{second}\n", f"{second}\n\n{first}\n", "moved/same-file")
    check(f"{plain}\n\n⟦{second}⟧\n", f"⟦{second}⟧\n\n{plain}\n", "moved/same-file")


def test_d11_a_block_moved_to_the_end_has_moved() -> None:
    check(
        RETRY,
        """
        import time

        def main():
            retry(print)

        ⟦def retry(call):
            for attempt in range(5):
                call(attempt)⟧
        """,
        "moved/same-file",
    )


def test_d11_a_block_moved_to_the_end_and_changed_is_stale() -> None:
    check(
        RETRY,
        """
        import time

        def main():
            retry(print)

        ⟪def retry(call):
            for attempt in range(6):
                call(attempt)⟫
        """,
        "stale/text-changed",
    )


def test_d12_a_block_moved_and_indented_is_stale() -> None:
    check(
        RETRY,
        """
        import time

        class Client:
            def retry(call):
                for attempt in range(5):
                    call(attempt)

        def main():
            retry(print)
        """,
        "stale/text-changed",
    )


def test_d13_a_copy_whose_original_was_edited_is_a_candidate_and_no_move() -> None:
    check(
        RETRY,
        """
        import time

        ⟪def retry(call):
            for attempt in range(7):
                call(attempt)⟫

        def main():
            retry(print)

        ⟦def retry(call):
            for attempt in range(5):
                call(attempt)⟧
        """,
        "stale/text-changed",
    )


def test_a_copied_method_beside_a_mere_brace_does_not_vouch_for_itself() -> None:
    check(
        """
        class Client {
            open() {
                return this.socket.connect();
            }
            ⟦send(message) {
                return this.socket.write(message);
            }⟧
        }
        """,
        """
        class Client {
            open() {
                return this.socket.connect();
            }
            ⟪send(message) {
                return this.socket.write(message, this.flags);
            }⟫
        }

        class Server {
            open() {
                return this.listener.accept();
            }
            ⟦send(message) {
                return this.socket.write(message);
            }⟧
        }
        """,
        "stale/text-changed",
    )


def test_a_sibling_that_shares_a_line_and_stands_directly_above_is_no_version() -> None:
    check(
        """
        import logging

        ⟦def load(path):
            logging.info("reading the settings")
            return read(path)⟧

        def main():
            load("a")
        """,
        """
        import logging

        def load_all(paths):
            logging.info("reading the settings")
            return [read(path) for path in paths]

        ⟦def load(path):
            logging.info("reading the settings")
            return read(path)⟧

        def main():
            load("a")
        """,
        "moved/same-file",
    )


TWICE = """
    class First:
        ⟦def close(self):
            self.connection.close()⟧

    class Second:
        def close(self):
            self.connection.close()

    class Third:
        pass
    """


def test_an_edited_first_copy_is_stale_and_the_second_a_candidate() -> None:
    check(
        TWICE,
        """
        class First:
            ⟪def close(self):
                self.connection.abort()⟫

        class Second:
            ⟦def close(self):
                self.connection.close()⟧

        class Third:
            pass
        """,
        "stale/text-changed",
    )


def test_lines_added_above_two_copies_move_the_cited_one() -> None:
    check(TWICE, "\n    import socket\n\n" + TWICE.removeprefix("\n"), "moved/same-file")


def test_the_second_of_two_copies_is_not_taken_for_the_first() -> None:
    before = TWICE.replace("⟦", "").replace("⟧", "")
    head, tail = before.split("    class Second:\n")
    tail = tail.replace("def close", "⟦def close").replace(".close()\n", ".close()⟧\n", 1)
    before = head + "    class Second:\n" + tail
    check(before, "\n    import socket\n\n" + before.removeprefix("\n"), "moved/same-file")


def test_two_copies_of_which_the_cited_one_was_deleted() -> None:
    check(
        TWICE,
        """
        class First:
            pass

        class Second:
            ⟦def close(self):
                self.connection.close()⟧

        class Third:
            pass
        """,
        "stale/text-changed",
    )


def test_two_copies_of_which_the_other_was_deleted_and_lines_were_added() -> None:
    verdict = check(
        TWICE,
        """
        import socket

        class First:
            ⟦def close(self):
                self.connection.close()⟧

        class Second:
            pass

        class Third:
            pass
        """,
        "stale/text-changed",
    )
    assert verdict.candidates, "one copy fewer is no new evidence, and a reader is shown the one that is left"


def test_d13_several_candidates_are_all_named_and_none_is_chosen() -> None:
    verdict = check(
        """
        alpha = 1
        ⟦normalised = value.strip().lower()⟧
        omega = 2
        """,
        """
        one = 1
        two = 2

        ⟦normalised = value.strip().lower()⟧
        three = 3
        ⟦normalised = value.strip().lower()⟧
        four = 4
        """,
        "moved/ambiguous",
    )
    assert verdict.new is None
    assert len(verdict.candidates) == 2


def test_candidates_are_told_apart_by_their_neighbours() -> None:
    check(
        "alpha = 1\n⟦normalised = value.strip().lower()⟧\nomega = 2\n",
        """
        normalised = value.strip().lower()
        three = 3
        alpha = 1
        ⟦normalised = value.strip().lower()⟧
        omega = 2
        """,
        "moved/same-file",
    )


@pytest.mark.parametrize("poor", ["}", "    return x", "*/", "end", "x = 1"])
def test_a_span_too_poor_to_recognise_moves_only_along_with_a_neighbour(poor: str) -> None:
    check(f"first\n⟦{poor}⟧\nlast\n", f"new\nfirst\n⟦{poor}⟧\nlast\n", "moved/same-file")
    check(f"first\n⟦{poor}⟧\nlast\n", f"other\nother\nother\n⟦{poor}⟧\n", "stale/text-changed")


def test_a_rich_span_moves_without_any_neighbour() -> None:
    check("first\n⟦the cited line of this text⟧\nlast\n", "a\nb\n⟦the cited line of this text⟧\n", "moved/same-file")


@pytest.mark.parametrize(
    "after",
    ["x = the cited line of this text\n", "the cited line of this text + 1\n", "a\n  the cited line of this text\n"],
)
def test_whole_lines_only_a_match_within_a_line_is_none(after: str) -> None:
    verdict = judge(b"a\nthe cited line of this text\n", Span(2, 2), after.encode())
    assert verdict.verdict is Verdict.STALE
    assert verdict.candidates == ()


def to_crlf(data: bytes) -> bytes:
    return data.replace(b"\n", b"\r\n")


def to_cr(data: bytes) -> bytes:
    return data.replace(b"\n", b"\r")


def to_mixed(data: bytes) -> bytes:
    return data.replace(b"\n", b"\r\n", 3)


@pytest.mark.parametrize("change", [to_crlf, to_cr, to_mixed])
def test_other_line_ends_within_the_span_are_cosmetic(change: type[bytes]) -> None:
    verdict = check(RETRY, RETRY, "stale/line-endings", change=change) if False else None
    old = dedent(RETRY.removeprefix("\n")).replace("⟦", "").replace("⟧", "").encode()
    verdict = judge(old, Span(3, 5), change(old))
    assert (verdict.verdict, verdict.reason, verdict.grade) == (
        Verdict.STALE,
        Reason.LINE_ENDINGS,
        Grade.COSMETIC,
    )
    assert verdict.nearest == Place(PATH, Span(3, 5))
