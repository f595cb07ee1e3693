"""A question as words."""

from __future__ import annotations

from stilltrue.recall.words import MOST_WORDS, names, pieces, words


def test_pieces_hold_a_letter_or_a_digit() -> None:
    assert pieces('foo AND ( % "bar baz" * foo') == ("foo", "AND", '"bar', 'baz"')


def test_words_are_runs_of_letters_and_digits() -> None:
    assert words("max_retries of Client.send!") == ("max", "retries", "of", "client", "send")


def test_a_long_question_is_cut() -> None:
    assert (
        len(pieces(" ".join(map(str, range(500)))))
        == len(words(" ".join(map(str, range(500)))))
        == MOST_WORDS
    )


def test_names_are_written_like_code() -> None:
    assert names("where does Client.send use max_retries, see src/a.py: and sendAll()?") == (
        "Client.send", "max_retries", "src/a.py", "sendAll",
    )  # fmt: skip
