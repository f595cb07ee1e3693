"""Whatever is asked on the command line: a clear answer, never syntax and never a traceback (A10, B7, C2)."""

from __future__ import annotations

import json

import pytest

from support.cli import Stilltrue

TEXT = "Retries stop after 5 attempts, café 日本 🎉 100 %"
NOT_FOUND = [
    '"', "'", '""', "NEAR(", "NEAR(a b, 2)", "*", "-", "--", "^", "(", ")", "{", "}", "+", ":", "\\", "_",
    "!!!", "...", "?!", "'; DROP TABLE memories; --", "text:", "rowid:1", "NOT", "OR", "AND OR NOT",
    "\x01", "\x7f", "\u200b", "\ufeff", "\u202e", "\U0010ffff", "😀", "👩\u200d👧", "unheard",
    "x" * 4096, "x " * 2048,
]  # fmt: skip
FOUND = [
    '"retries" stop', '"retries', "retries*", "-retries", "^retries", "(retries", "retries)", "text:retries",
    "retries AND", "retries OR", "retries NOT stop", "retries NEAR( stop", "RETRIES", "retries -stop",
    "retries\tstop", "retries\nstop", "🎉", "日本", "café", "cafe\u0301", "%", "etries st", "retries " * 512,
]  # fmt: skip


@pytest.fixture
def kept(run: Stilltrue) -> Stilltrue:
    """One memory."""
    run("remember", TEXT, "--cite", "src/client.py:4-6")
    return run


@pytest.mark.parametrize(
    ("query", "found"), [*((each, []) for each in NOT_FOUND), *((each, ["m1"]) for each in FOUND)]
)
def test_a10_nothing_that_is_typed_is_syntax(kept: Stilltrue, query: str, found: list[str]) -> None:
    for options in ((), ("--mode", "fused"), ("--profile", "validity"), ("--freshness", "current")):
        told = kept("recall", "--json", *options, "--", query)
        assert (told.code, told.err) == (0, "")
        assert [each["id"] for each in told.json["results"]] == found
    told = kept("recall", "--stdin", given=json.dumps({"query": query}))
    assert [each["id"] for each in told.json["results"]] == found
    told = kept("recall", "--", query)
    assert told.code == 0
    assert told.out.startswith("m1  fresh  Retries" if found else "")
    assert ("nothing found" in told.err) is (not found)


@pytest.mark.parametrize("query", ["a\0b", "\0", "retries\0stop"])
def test_a10_a_nul_is_a_blank(kept: Stilltrue, query: str) -> None:
    """No argument of a process holds one, JSON does."""
    told = kept("recall", "--stdin", given=json.dumps({"query": query}))
    assert told.code == 0
    assert [each["id"] for each in told.json["results"]] == (["m1"] if "retries" in query else [])


def test_b7_a_question_of_100_000_characters_is_refused_in_one_line(kept: Stilltrue) -> None:
    told = kept.process("recall", "x" * 100_000)
    assert (told.code, told.out) == (2, "")
    assert told.err == "error: a query has at most 4096 characters\n  hint: ask for less\n"
    told = kept.process("recall", "--json", "--stdin", given=json.dumps({"query": "x" * 100_000}))
    assert (told.code, told.error["code"], told.err) == (2, "bad_input", "")
    assert kept.process("recall", "x" * 4096).code == 0


@pytest.mark.parametrize("query", [b"\xff", b"retries \xed\xa0\x80", b"\xc3"])
@pytest.mark.parametrize("option", [(), ("--subject",), ("--path",), ("--near",), ("--profile",)])
def test_bytes_that_are_no_text_are_refused_in_one_line(
    kept: Stilltrue, query: bytes, option: tuple[str, ...]
) -> None:
    """What no UTF-8 decodes reaches a program as lone surrogates."""
    told = kept("recall", *option, query)
    assert (told.code, told.out) == (2, "")
    assert told.err.startswith("error: an argument is no UTF-8: ")
    assert told.err.endswith("\n  hint: write it in UTF-8\n")
    assert kept("recall", "--json", *option, query).error["code"] == "bad_input"


def test_bytes_that_are_no_text_as_a_process(kept: Stilltrue) -> None:
    for place in (
        ["recall", b"\xff"],
        [b"--repo=\xff", "recall"],
        [b"\xff"],
        [b"--\xff"],
        ["recall", b"--\xff"],
    ):
        told = kept.process(*place)
        assert (told.code, told.out) == (2, "")
        assert told.err.startswith("error: ")
        assert told.err.count("\n") == 2
        assert "Traceback" not in told.err


@pytest.mark.parametrize("field", ["query", "subject", "path", "near"])
@pytest.mark.parametrize("half", ["\ud800", "retries \udfff", "\udc00\ud800"])
def test_c2_half_a_character_refuses_the_whole_batch(kept: Stilltrue, field: str, half: str) -> None:
    """JSON can write halves of UTF-16 pairs; no store can look for them."""
    lines = [json.dumps({"query": "retries"}), json.dumps({"query": "retries", field: half})]
    told = kept("recall", "--stdin", "--json", given="\n".join(lines))
    assert (told.code, told.out.count("\n"), told.err) == (2, 1, "")
    assert told.error["code"] == "bad_input"
    assert "half a character" in told.error["message"]
    assert kept("history", "--json").json["traces"] == []


def test_c2_a_whole_character_in_two_escapes_is_one(kept: Stilltrue) -> None:
    told = kept("recall", "--stdin", given='{"query": "\\ud83c\\udf89"}')
    assert [each["id"] for each in told.json["results"]] == ["m1"]


@pytest.mark.parametrize(
    "line",
    ["[" * 100_000, '{"query": NaN}', '{"limit": ' + "9" * 5000 + "}", "\xff", '{"query": "x"', "null"],
)
def test_c2_what_is_no_question_is_told_in_one_line(kept: Stilltrue, line: str) -> None:
    told = kept.process("recall", "--stdin", given=line.encode("latin-1"))
    assert (told.code, told.out) == (2, "")
    assert told.err.startswith("error: ")
    assert "Traceback" not in told.err
