"""Where a cited span is found again, told by two marked texts (D11 to D13, D19)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from textwrap import dedent

import pytest

from stilltrue.citations.baselines import span_baseline
from stilltrue.citations.lines import Lines
from stilltrue.citations.relocation import sight
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
RETRY_PLAIN = dedent(RETRY.removeprefix("\n")).replace("⟦", "").replace("⟧", "")


def test_an_untouched_span_is_fresh() -> None:
    check(RETRY, RETRY, "fresh/same-bytes")


def test_a_span_that_stands_is_fresh_whatever_became_of_the_rest() -> None:
    check(
        RETRY,
        "x\n\n"
        + dedent("""
        ⟦def retry(call):
            for attempt in range(5):
                call(attempt)⟧
        def retry(call):
            for attempt in range(5):
                call(attempt)
        """).lstrip("\n"),
        "fresh/same-bytes",
    )


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
        """
        import time

        ⟦def retry(call):
            log("the call is tried again")
            return call(5)⟧

        def main():
            retry(print)
        """,
        """
        import time

        def main():
            retry(print)

        ⟪def retry(call):
            log("the call is tried again")
            return call(6)⟫
        """,
        "stale/text-changed",
    )


def test_a_method_of_two_lines_copied_and_then_edited_is_no_move() -> None:
    check(
        "class A:\n    ⟦def close(self):\n        self.connection.close()⟧\n\nclass B:\n    pass\n",
        """
        class A:
            ⟪def close(self):
                self.connection.abort()⟫

        class B:
            pass

        class C:
            ⟦def close(self):
                self.connection.close()⟧
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


def test_a_sibling_that_is_much_alike_and_stands_directly_below_is_no_version() -> None:
    check(
        """
        class Client {
            open() {
                return this.socket.connect();
            }
            ⟦send(message) {
                return this.socket.write(message);
            }⟧
            close() {
                this.socket.end();
            }
        }
        """,
        """
        import { Socket } from "net";
        class Client {
            open() {
                return this.socket.connect();
            }
            ⟦send(message) {
                return this.socket.write(message);
            }⟧
            sendAgain(message) {
                return this.socket.write(message);
            }
            close() {
                this.socket.end();
            }
        }
        """,
        "moved/same-file",
    )


def test_a_sibling_that_is_much_alike_and_stands_farther_away_is_no_version() -> None:
    """Both stand between the same mere marks of comments; the cited one keeps its place among them."""
    check(
        """
        #include <procfs.h>

        /*
         * Say who owns it.
         */
        ⟦static PyObject *
        proc_owner(PyObject *self, PyObject *args) {
            if (! read_arguments(args, &pid, &folder))
                return NULL;
            return build_owner(pid);
        }⟧

        /*
         * Say when it began.
         */
        static PyObject *
        proc_begin(PyObject *self, PyObject *args) {
            if (! read_arguments(args, &pid, &folder))
                return NULL;
            return build_begin(pid);
        }

        /*
         * All of them.
         */
        """,
        """
        #include <procfs.h>
        #include <util.h>

        /*
         * Say who owns it.
         */
        ⟦static PyObject *
        proc_owner(PyObject *self, PyObject *args) {
            if (! read_arguments(args, &pid, &folder))
                return NULL;
            return build_owner(pid);
        }⟧

        /*
         * Say when it began.
         */
        static PyObject *
        proc_begin(PyObject *self, PyObject *args) {
            if (! read_arguments(args, &pid, &folder))
                return NULL;
            return build_begin(pid);
        }

        /*
         * All of them.
         */
        """,
        "moved/same-file",
    )


def test_d13_a_copy_between_the_same_braces_is_no_move_where_the_edited_original_stands_nearer() -> None:
    check(
        """
        class First {
            open() {
            }
            ⟦send(message) {
                const size = measure(message);
                return this.socket.write(message);
            }⟧
            /*
            */
        }
        """,
        """
        class First {
            open() {
            }
            ⟪send(message) {
                const size = measure(message);
                return this.socket.write(size, message);
            }⟫
            /*
            */
        }
        class Second {
            open() {
            }
            ⟦send(message) {
                const size = measure(message);
                return this.socket.write(message);
            }⟧
            /*
            */
        }
        """,
        "stale/text-changed",
    )


def test_a_line_alike_between_marks_that_stand_far_apart_is_no_version() -> None:
    """What stood between the marks went up whole; below stand marks of others, a page apart."""
    callable_ = (
        "⟦struct Callable {\n    name: String,\n    value: Py<Any>,\n    validator: InternalValidator,\n}⟧\n"
    )
    page = "\n".join(f"fn step_{number}() {{ run({number}) }}" for number in range(40))
    plain = f"struct Plain {{\n    validator: InternalValidator,\n}}\n{page}\n#[pymethods]\nimpl Plain {{}}\n"
    own = "#[pymethods]\nimpl Callable {}\n"
    check(
        f"#[derive(Clone)]\n{plain}#[derive(Debug)]\n{callable_}{own}",
        f"#[derive(Clone)]\n{callable_}{own}#[derive(Debug)]\n{plain}",
        "moved/same-file",
    )


def test_a_line_whose_neighbour_is_a_brace_moves_though_a_block_was_added_below() -> None:
    check(
        """
        }
        ⟦const MOST_RETRIES_ALLOWED = 5;⟧
        function main() {
        """,
        """
        import net;
        }
        ⟦const MOST_RETRIES_ALLOWED = 5;⟧
        function helper() {
            return 1;
        }
        const OTHER = 6;
        function main() {
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
    check(
        "first\n⟦the cited line of this text⟧\nlast\n",
        "a\nb\n⟦the cited line of this text⟧\n",
        "moved/same-file",
    )


@pytest.mark.parametrize(
    "after",
    [
        "x = the cited line of this text\n",
        "the cited line of this text + 1\n",
        "a\n  the cited line of this text\n",
    ],
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
def test_other_line_ends_within_the_span_are_cosmetic(change: Callable[[bytes], bytes]) -> None:
    shown = RETRY.replace("⟦", "⟪").replace("⟧", "⟫")
    assert check(RETRY, shown, "stale/line-endings", change=change).grade is Grade.COSMETIC


@pytest.mark.parametrize("change", [to_crlf, to_cr, to_mixed])
def test_other_line_ends_around_a_span_of_one_line_change_nothing(change: Callable[[bytes], bytes]) -> None:
    text = "first\n⟦the cited line of this text⟧\nlast\n"
    check(text, text, "fresh/same-bytes", change=change)
    check(text, "new\n" + text, "moved/same-file", change=change)


def test_other_line_ends_and_lines_added_above_are_cosmetic_at_the_new_place() -> None:
    shown = dedent(RETRY.removeprefix("\n")).replace("⟦", "⟪").replace("⟧", "⟫")
    check(RETRY, "# new\n" + shown, "stale/line-endings", change=to_crlf)


def test_other_line_ends_and_another_text_are_content() -> None:
    after = RETRY.replace("⟦", "").replace("⟧", "").replace("5", "6")
    assert check(RETRY, after, "stale/text-changed", change=to_crlf).grade is Grade.CONTENT


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_moves_are_found_whatever_ends_the_lines(line_end: str) -> None:
    old = RETRY_PLAIN.replace("\n", line_end)
    verdict = judge(old.encode(), Span(3, 5), f"new{line_end}{old}".encode())
    assert verdict.new == Place(PATH, Span(4, 6))


def test_a_span_at_the_end_without_line_end_stays_when_text_is_appended() -> None:
    check("a\n⟦the last line\n}⟧", "a\n⟦the last line\n}⟧\nmore\n", "fresh/same-bytes")
    check("a\n⟦the last line of the text⟧", "new\na\n⟦the last line of the text⟧\nmore", "moved/same-file")


def test_a_span_that_ends_in_blank_lines_is_not_found_where_they_are_wanting() -> None:
    check(
        "⟦the cited line of this text\n\n⟧\nb\n", "x\n⟪the cited line of this text⟫\n", "stale/text-changed"
    )
    verdict = judge(b"the cited line of this text\r\rb\r", Span(1, 2), b"the cited line of this text\r\n")
    assert verdict.verdict is Verdict.STALE


@pytest.mark.parametrize("after", [b"", b"\xef\xbb\xbf"])
def test_in_an_empty_file_nothing_is_left(after: bytes) -> None:
    verdict = judge(b"a\nthe cited line of this text\nb\n", Span(2, 2), after)
    assert (verdict.verdict, verdict.reason, verdict.nearest) == (Verdict.STALE, Reason.SPAN_MISSING, None)


def test_d19_in_a_truncated_file_the_hint_past_the_end_is_searched_and_then_stale() -> None:
    check("a\nb\nc\n⟦the cited line of this text⟧\n", "⟦the cited line of this text⟧\n", "moved/same-file")
    check("a\nb\nc\n⟦the cited line of this text⟧\n", "⟪a⟫\n", "stale/span-missing")
    check("a\nb\nc\n⟦the cited line\nof this text⟧\n", "⟪something else⟫\n", "stale/span-missing")


def test_what_stood_between_two_lines_that_now_meet_is_missing() -> None:
    check("above\n⟦the cited line of this text⟧\nbelow\n", "above\n\nbelow\n", "stale/span-missing")


def test_one_other_line_between_the_neighbours_is_a_changed_version() -> None:
    check(
        "above\n⟦the cited line of this text⟧\nbelow\n",
        "above\n⟪quite another line⟫\nbelow\n⟦the cited line of this text⟧\n",
        "stale/text-changed",
    )


def test_a_conflict_inside_the_span_is_unsettled() -> None:
    check(
        RETRY,
        """
        import time

        def retry(call):
        <<<<<<< HEAD
            for attempt in range(7):
        =======
            for attempt in range(9):
        >>>>>>> topic
                call(attempt)

        def main():
            retry(print)
        """,
        "unknown/conflict",
    )


def test_a_copy_within_a_conflict_is_no_settled_place() -> None:
    check(
        RETRY,
        """
        import time

        <<<<<<< HEAD
        def retry(call):
            for attempt in range(5):
                call(attempt)
        =======
        def retry(call, times):
            for attempt in range(times):
                call(attempt)
        >>>>>>> topic

        def main():
            retry(print)
        """,
        "unknown/conflict",
    )


def test_a_conflict_in_a_changed_version_is_unsettled_though_a_copy_stands_elsewhere() -> None:
    check(
        "above = 1\n⟦def retry(call, pause):\n    return call(attempts=5)⟧\nbelow = 2\n",
        """
        above = 1
        <<<<<<< HEAD
        def retry(call, pause):
            return call(attempts=6)
        =======
        def retry(call, pause):
            return call(attempts=7)
        >>>>>>> topic
        below = 2
        def retry(call, pause):
            return call(attempts=5)
        """,
        "unknown/conflict",
    )


def test_a_conflict_elsewhere_is_no_obstacle() -> None:
    check(
        RETRY,
        """
        <<<<<<< HEAD
        import time
        =======
        import asyncio
        >>>>>>> topic

        ⟦def retry(call):
            for attempt in range(5):
                call(attempt)⟧

        def main():
            retry(print)
        """,
        "moved/same-file",
    )


def test_bytes_that_stand_are_fresh_within_a_conflict_too() -> None:
    check(
        "⟦a cited line⟧\nb\n", "⟦a cited line⟧\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> t\n", "fresh/same-bytes"
    )


def test_marks_that_were_there_at_recording_are_text_like_any_other() -> None:
    quoted = "⟦Conflicts look so:\n<<<<<<< HEAD\nmine\n=======\ntheirs\n>>>>>>> topic\nSettle them.⟧\n"
    check(quoted, "# Title\n" + quoted, "moved/same-file")
    assert check(quoted, quoted.strip("⟦").replace("⟧", "").replace("mine", "ours"), "stale/text-changed")


@pytest.mark.timeout(120)
def test_a_huge_line_is_judged_in_bounded_time() -> None:
    huge = b"x" * 2_000_000
    assert judge(b"a\n" + huge, Span(2, 2), b"new\na\n" + huge).new == Place(PATH, Span(3, 3))
    assert judge(b"a\n" + huge, Span(2, 2), b"new\na\n" + huge + b"y").verdict is Verdict.STALE
    assert judge(b"a\n" + b"x" * 16_000, Span(2, 2), huge + b"\nb").verdict is Verdict.STALE


@pytest.mark.timeout(120)
def test_many_equal_lines_are_judged_in_bounded_time() -> None:
    before, after = b"a\n" * 60_000 + b"the end", b"a\n" * 50 + b"b\n" + b"a\n" * 60_000
    assert judge(before, Span(1, 400), after).verdict is not Verdict.FRESH


def test_blank_lines_are_fresh_where_they_stand_and_prove_nothing_elsewhere() -> None:
    check("a\n⟦\n⟧\nb\n", "a\n⟦\n⟧\nc\n", "fresh/same-bytes")
    check("a\n⟦ ⟧\nb\n", "x\ny\nz\n⟦ ⟧\n", "stale/text-changed")
    check("a\n⟦ ⟧\nb\n", "x\na\n⟦ ⟧\nb\n", "moved/same-file")


def test_one_of_many_equal_lines_stays_where_it_is() -> None:
    check("a\n⟦a⟧\na\n", "a\n⟦a⟧\na\na\n", "fresh/same-bytes")


def test_equal_lines_without_anything_between_them_are_not_told_apart() -> None:
    verdict = check("⟦a⟧\na\na\n", "b\n⟦a⟧\n⟦a⟧\n⟦a⟧\n", "stale/text-changed")
    assert verdict.new is None


def test_a_span_carried_by_the_session_is_taken_at_its_word_only_with_its_bytes() -> None:
    before, after = b"a\nthe cited line\nb\n", b"the cited line\nx\nthe cited line\n"
    baseline = span_baseline(Lines(before), Span(2, 2), encoding="utf-8", with_excerpt=True)
    carried = judge_with(baseline, Span(2, 2), Lines(after), carried=Span(3, 3))
    assert carried.new == Place(PATH, Span(3, 3))
    lost = judge_with(baseline, Span(2, 2), Lines(b"a\nx\nthe other line\n"), carried=Span(3, 3))
    assert (lost.verdict, lost.nearest) == (Verdict.STALE, Place(PATH, Span(3, 3)))
    assert sight(Lines(before), Span(2, 2), baseline, carried=Span(9, 9)).same_at_place


def test_stored_text_that_is_not_what_was_cited_proves_nothing() -> None:
    cited, other = b"the cited line of this text", b"the other line of this text"
    before = Lines(b"a\n" + cited + b"\n")
    baseline = span_baseline(before, Span(2, 2), encoding="utf-8", with_excerpt=True)
    verdict = judge_with(replace(baseline, excerpt=other), Span(2, 2), Lines(b"a\nb\nc\n" + other))
    assert (verdict.verdict, verdict.candidates) == (Verdict.STALE, ())
