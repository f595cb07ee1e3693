"""The arm that ranks by meaning, with the model that the extra `embeddings` brings."""

from __future__ import annotations

import logging
import subprocess
import sys

import pytest

from stilltrue import embeddings
from stilltrue.embeddings import WordVectors, word_vectors

SAID = {
    1: "passwords are hashed with bcrypt",
    2: "connections to the database are pooled",
    3: "the licence of the project is MIT",
}


@pytest.fixture(scope="module")
def vectors() -> WordVectors:
    if not embeddings.is_installed():
        pytest.skip("the extra `embeddings` has no wheel for this machine")
    found = word_vectors()
    assert found is not None
    return found


def test_c27_what_is_near_in_meaning_comes_first_without_a_shared_word(vectors: WordVectors) -> None:
    assert vectors.ranked("encryption of secrets", SAID) == [1]
    assert vectors.ranked("license terms", SAID) == [3]


def test_what_is_not_near_is_left_out(vectors: WordVectors) -> None:
    assert vectors.ranked("photosynthesis in plants", SAID) == []


def test_equal_texts_come_by_number_and_at_most_256(vectors: WordVectors) -> None:
    found = vectors.ranked("retries", dict.fromkeys(range(400, 0, -1), "retries of requests"))
    assert found == list(range(1, 257))


def test_what_was_embedded_before_is_ranked_the_same(vectors: WordVectors) -> None:
    first = vectors.ranked("encryption of secrets", SAID)
    assert vectors.ranked("encryption of secrets", {**SAID, 4: "secrets are encrypted"}) == [4, 1]
    assert vectors.ranked("encryption of secrets", SAID) == first


@pytest.mark.parametrize("text", ["", " ", "\0", "\x1b[31m", "é" * 300_000, "𓀀", "\n" * 50_000])
def test_hostile_texts_and_questions_are_ranked_like_others(vectors: WordVectors, text: str) -> None:
    assert 1 in vectors.ranked("encryption of secrets", {**SAID, 9: text})
    assert set(vectors.ranked(text, SAID)) <= set(SAID)
    assert vectors.ranked(text, {}) == []


def test_the_model_is_read_from_its_package_and_logging_is_left_alone(vectors: WordVectors) -> None:
    """In a process of its own, which has loaded nothing yet and can reach no network."""
    assert vectors
    script = (
        "import logging, socket\n"
        "def refused(*_): raise OSError('no network')\n"
        "socket.socket.connect = refused\n"
        "from stilltrue.embeddings import word_vectors\n"
        f"found = word_vectors().ranked('encryption of secrets', {SAID!r})\n"
        "root = logging.getLogger()\n"
        "print(found[0], root.handlers, root.level == logging.WARNING)\n"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert (ran.stdout, ran.stderr) == ("1 [] True\n", "")


def test_an_extra_that_does_not_work_is_absent_and_logged(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken() -> None:
        raise ImportError("a library is missing")

    monkeypatch.setattr(embeddings, "is_installed", lambda: True)
    monkeypatch.setattr(embeddings, "_loaded", broken)
    word_vectors.cache_clear()
    try:
        with caplog.at_level(logging.ERROR):
            assert word_vectors() is None
    finally:
        word_vectors.cache_clear()
    assert "does not work" in caplog.text


def test_without_the_extra_nothing_is_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embeddings, "PACKAGE", "a_package_nobody_has")
    word_vectors.cache_clear()
    try:
        assert word_vectors() is None
    finally:
        word_vectors.cache_clear()
