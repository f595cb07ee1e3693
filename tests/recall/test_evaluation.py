"""The evaluation of `benchmarks/recall`: its data, its measures, and the order of its figures on a part.

The part needs no network: stand-ins take the place of httpx's sources. They change exactly where a memory
turned false, and few memories compete, so its figures are others than those of the whole; what is held is
their order.
"""

from __future__ import annotations

import math
import re
from dataclasses import replace

import pytest
from asking import ended, measured
from configurations import Configuration
from corpus import RELEASES, Note, Question, notes, questions
from measures import Answer, Figures, figures, ndcg, recalled, reciprocal_rank
from past import lived_through

from stilltrue.recall.backing import METHOD

IN_USE = Configuration("in use", {}, in_use=True)
BY_AGE = Configuration("by age", {"profile": "validity"})
BY_CODE = Configuration("by code", {"profile": "validity", "method": METHOD})
FEW = 12

REMOVED = {
    "httpx/_config.py#SSLConfig._create_default_ssl_context": "0.28.1",
    "httpx/_config.py#SSLConfig.load_ssl_context_verify": "0.28.1",
    "httpx/_models.py#Response.apparent_encoding": "0.24.1",
    "httpx/_utils.py#get_ca_bundle_from_env": "0.28.1",
    "httpx/_utils.py#get_logger": "0.24.1",
}
"""What of the part's citations httpx itself removed, and the release without it."""


def part() -> tuple[list[Note], list[Question]]:
    """Questions that an old memory answers wrongly by now, with what is graded for them."""
    every = {note.key: note for note in notes()}
    asking = [each for each in questions() if any(every[key].false_since for key in each.grades)][:FEW]
    keys: set[str] = set()
    for each in asking:
        keys |= {key for key, grade in each.grades.items() if grade > 1 or every[key].false_since}
    while replaced := {every[key].supersedes for key in keys} - {""} - keys:
        keys |= replaced
    flat = [replace(note, cites=tuple(map(as_function, note.cites))) for note in every.values()]
    return [note for note in flat if note.key in keys], asking


def as_function(cited: str) -> str:
    """What is cited, as a function of its own in the same file."""
    path, name = re.fullmatch(r"([^:#]+)[:#]?(.*)", cited).groups()  # type: ignore[union-attr]
    return f"{path}#of_{re.sub(r'[^A-Za-z0-9]', '_', name)}"


def stand_ins(some: list[Note]) -> dict[str, dict[str, bytes]]:
    """Per release, files of functions whose text changes when a memory that cites them turns false."""
    removed = {as_function(cited): release for cited, release in REMOVED.items()}
    trees: dict[str, dict[str, bytes]] = {}
    for release in RELEASES:
        files: dict[str, list[str]] = {}
        for cited in sorted({cited for note in some for cited in note.cites}):
            if release >= removed.get(cited, "9"):
                continue
            path, _, name = cited.partition("#")
            turned = [note.key for note in some if cited in note.cites and "" < note.false_since <= release]
            files.setdefault(path, []).append(f"def {name}():\n    return {turned!r}\n\n\n")
        trees[release] = {path: "".join(functions).encode() for path, functions in files.items()}
    return trees


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Figures]:
    some, asking = part()
    with lived_through(stand_ins(some), some, tmp_path_factory.mktemp("past")) as past:
        answers = measured(past, asking, [BY_AGE, BY_CODE, IN_USE])
    return {name: figures(each, ended(some)) for name, each in answers.items()}


def test_the_part_is_small_and_hard() -> None:
    some, asking = part()
    assert (len(asking), 20 <= len(some) <= 60) == (FEW, True)
    assert sum(bool(note.false_since) for note in some) >= 10


def test_by_code_fewer_hits_no_longer_hold_and_the_order_is_no_worse(found: dict[str, Figures]) -> None:
    usual, by_code = found["in use"], found["by code"]
    assert by_code.false_hits < usual.false_hits
    assert by_code.ndcg >= usual.ndcg - 0.01


def test_by_age_old_memories_that_still_hold_are_lost_too(found: dict[str, Figures]) -> None:
    """The price of a half-life of 30 days where memories lie years apart."""
    assert found["by age"].false_hits <= found["by code"].false_hits
    assert found["by age"].ndcg < found["by code"].ndcg


def test_the_data_are_whole() -> None:
    every = {note.key: note for note in notes()}
    asking = questions()
    assert (len(every) >= 150, len(asking)) == (True, 60)
    assert {note.supersedes for note in every.values()} - {""} <= set(every)
    gone = {note.supersedes for note in every.values()}
    for question in asking:
        assert max(question.grades.values()) == 3, question.text
        for key, grade in question.grades.items():
            assert key in every
            assert key not in gone, "what was replaced is never served"
            assert grade <= (1 if every[key].false_since else 3), (question.text, key)


def test_memories_are_recorded_while_their_release_is_current() -> None:
    order = [RELEASES.index(note.release) for note in notes()]
    assert order == sorted(order)
    for note in notes():
        assert note.false_since in {"", *RELEASES[RELEASES.index(note.release) + 1 :]}, note.key


ANSWER = Answer(["x", "b", "a"], {"b"}, {"a": 3, "b": 2, "c": 1, "d": 2})


def test_ndcg_by_hand() -> None:
    got = 3 / math.log2(3) + 7 / math.log2(4)
    best = 7 / math.log2(2) + 3 / math.log2(3) + 3 / math.log2(4) + 1 / math.log2(5)
    assert ndcg(ANSWER) == pytest.approx(got / best)
    assert ndcg(Answer(["a", "b", "d", "c"], (), ANSWER.grades)) == pytest.approx(1)


def test_reciprocal_rank_and_recall_count_grades_from_2_within_ten() -> None:
    assert (reciprocal_rank(ANSWER), recalled(ANSWER)) == (1 / 2, 2 / 3)
    late = Answer(["x"] * 10 + ["a"], (), {"a": 3})
    assert (reciprocal_rank(late), recalled(late)) == (0, 0)


def test_shares_are_of_what_the_first_five_places_showed() -> None:
    short = Answer(["f"], {"f"}, {"a": 3})
    told = figures([ANSWER, short, Answer(["a"] * 5 + ["f"], {"f"}, {"a": 3})], {"f", "x"})
    assert (told.false_hits, told.changed_hits) == (2, 2)
    assert told.false_share == pytest.approx(2 / 9)
