"""What programs rely on: names and shapes of the JSON of every command, and the rules of JSON Lines."""

from __future__ import annotations

import json
from typing import Any

import pytest

from support.cli import Stilltrue
from support.repo import Repo

RETRIES = ("remember", "Retries stop after 5 attempts", "--cite", "src/client.py:4-6")
MEMORY = {"id", "uid", "text", "freshness", "reason", "citations"}
JUDGED = {
    *("id", "uid", "view", "notes", "path", "start_line", "end_line", "symbol"),
    *("verdict", "reason", "grade", "new", "candidates", "nearest"),
}
RECORDED = {
    *("id", "uid", "generation", "kind", "path", "start_line", "end_line", "symbol", "commit", "sha256"),
}


@pytest.fixture
def edited(run: Stilltrue, repo: Repo) -> Stilltrue:
    """One memory, whose lines were edited and now stand elsewhere, too."""
    run(*RETRIES)
    text = (repo.root / "src/client.py").read_text()
    block = "\n".join(text.split("\n")[3:6])
    repo.write("src/client.py", text.replace("range(5)", "range(7)") + "\n\n" + block + "\n")
    return run


def test_check(edited: Stilltrue) -> None:
    told = edited("check", "--json").json

    assert set(told) == {"version", "summary", "skipped", "memories"}
    (memory,) = told["memories"]
    assert set(memory) == MEMORY
    (citation,) = memory["citations"]
    assert set(citation) == JUDGED
    assert (citation["verdict"], citation["reason"]) == ("stale", "text-changed")
    assert citation["candidates"] == [{"path": "src/client.py", "start_line": 12, "end_line": 14}]
    assert edited("check", "--format", "json").json == told
    assert edited("check", "--format=json").json == told
    assert edited("check", "--json", "--summary").json == {**told, "memories": []}


def test_check_names_what_it_skipped(run: Stilltrue, repo: Repo) -> None:
    run("remember", "nothing cited")
    run("remember", "a commit", "--cite", "@" + repo.commit("second"))

    told = run("check", "--json").json

    assert [(each["what"], each["count"]) for each in told["skipped"]] == [("memories", 1), ("citations", 1)]
    assert "not checked: 1 memory (nothing cited)" in run("check").out
    assert "not checked: 1 memory" in run("check", "--summary").out


def test_the_acts(edited: Stilltrue) -> None:
    run = edited
    reverified = run("reverify", "m1", "--json").json
    assert set(reverified) == {"citations"}
    assert set(reverified["citations"][0]) == RECORDED
    assert reverified["citations"][0]["generation"] == 2
    assert set(run("repoint", "c1", "src/client.py:12-14", "--json").json["citations"][0]) == RECORDED
    superseded = run("supersede", "m1", "more", "--json").json
    assert (set(superseded), superseded["id"]) == ({"id", "uid", "citations"}, "m2")
    retracted = run("retract", "m2", "--json").json
    assert retracted == {"count": 1, "memories": [{"id": "m2", "uid": superseded["uid"]}]}
    assert set(run("undo", "--json").json) == {"undone", "at", "actor"}
    assert run("redact", "m2", "--json").json == {"id": "m2", "uid": superseded["uid"], "redacted": True}
    assert run("purge", "--repo", "--yes", "--json").json["deleted"]["memories"] == 2


def test_looking(edited: Stilltrue) -> None:
    run = edited
    run("supersede", "m1", "more")
    assert set(run("list", "--json").json["memories"][0]) == {*MEMORY, "snoozed"}
    ended = {each["id"]: each["ended"] for each in run("list", "--all", "--json").json["memories"]}
    assert ended["m1"]["kind"] == "superseded"
    assert ended["m2"] is None
    shown = run("show", "m1", "--json").json
    assert set(shown) > {*MEMORY, "subject", "kind", "trust", "closings", "snoozed"}
    why = run("why", "m2", "--json").json
    assert set(why) == {
        *("memory", "ancestors", "descendants", "heads", "closings", "generations", "events", "snoozed")
    }
    assert set(why["generations"][0]) == {*RECORDED, "recorded_at", "actor", "origin", "pin"}
    assert set(run("stats", "--json").json) == {"total", "current", "subjects", "schema"}
    assert set(run("repo", "--json").json) == {"root", "known", "offered"}
    assert set(run("repo", "list", "--json").json["repositories"][0]) == {"uid", "name", "keys"}
    findings = {each["what"]: each for each in run("doctor", "--json").json["findings"]}
    assert {"stilltrue", "python", "store", "sqlite", "git", "repository", "memories"} <= set(findings)


def test_names_are_short_or_long(run: Stilltrue) -> None:
    """Commands take a number, a short name, a uid, or its unique beginning."""
    uid = run(*RETRIES, "--json").json["uid"]

    for name in ("m1", "1", uid, uid[:13]):
        assert run("show", name, "--json").json["uid"] == uid
    for name in ("m2", "c9", "x", ""):
        answer = run("show", name, "--json")
        assert (answer.code, answer.error["code"]) == (2, "not_found")


def test_everything_that_can_be_said_of_a_memory_is_kept(run: Stilltrue) -> None:
    run(
        *RETRIES,
        *("--subject", "retries", "--kind", "procedural", "--importance", "9", "--confidence", "0.5"),
        *("--trust", "corroborated", "--ref", "a review", "--valid-from", "2026-01-02"),
        *("--expires", "2999-01-01T00:00:00Z"),
    )

    told = run("show", "m1", "--json").json

    assert told["valid_from"].startswith("2026-01-02")
    assert told["expires_at"].startswith("2999-01-01")
    kept = ("subject", "kind", "importance", "confidence", "trust", "source_ref")
    assert [told[name] for name in kept] == ["retries", "procedural", 9, 0.5, "corroborated", "a review"]


@pytest.mark.parametrize(
    "option",
    [
        ("--kind", "nonsense"),
        ("--importance", "11"),
        ("--importance", "many"),
        ("--confidence", "1.5"),
        ("--confidence", "nan"),
        ("--trust", "nonsense"),
        ("--valid-from", "yesterday"),
        ("--expires", "2026-13-01"),
        ("--cite-json", "[1]"),
        ("--cite-json", '{"path": "src/client.py", "lines": 4}'),
        ("--cite-json", '{"path": "src/client.py", "start_line": "4"}'),
    ],
    ids=" ".join,
)
def test_an_option_out_of_its_limits_is_refused_and_nothing_written(
    run: Stilltrue, option: tuple[str, str]
) -> None:
    answer = run("remember", "text", *option, "--json")

    assert answer.code == 2
    assert answer.error["message"]
    assert not run.database.exists()


def test_names_with_colons_and_hashes_are_cited_by_json(run: Stilltrue, repo: Repo) -> None:
    repo.write("odd:1#x.py", "one\ntwo\n")
    cited = json.dumps({"path": "odd:1#x.py", "start_line": 2})

    told = run("remember", "text", "--cite-json", cited, "--json").json

    assert told["citations"][0]["path"] == "odd:1#x.py"
    assert run("check", "odd:1#x.py").code == 0


def test_paths_are_taken_from_the_folder_one_stands_in(run: Stilltrue, repo: Repo) -> None:
    src = repo.root / "src"
    cited = json.dumps({"path": "../docs/api.md", "start_line": 3})
    run("remember", "one", "--cite", "client.py:4-6", cwd=src)
    run("remember", "two", "--cite-json", cited, cwd=src)

    memories = run("check", "--json").json["memories"]
    paths = [each["citations"][0]["path"] for each in memories]

    assert paths == ["src/client.py", "docs/api.md"]
    assert run("remember", "three", "--cite", "../docs/api.md:3", cwd=src).code == 0
    assert run("repoint", "c1", "../src/client.py:4", cwd=src).code == 0
    for outside in ("../../x:1", "../../repo/src/client.py:1", "..", "../.."):
        assert run("remember", "four", "--cite", outside, cwd=src).code == 2
    assert [each["id"] for each in run("list", "--path", ".", "--json", cwd=src).json["memories"]] == ["m1"]


@pytest.mark.parametrize("path", [".", "./src", "src/", "src/../src", "{root}", "{root}/src/client.py"])
def test_check_takes_a_path_however_it_is_written(run: Stilltrue, repo: Repo, path: str) -> None:
    run(*RETRIES)

    told = run("check", path.format(root=repo.root), "--json")

    assert told.code == 0
    assert len(told.json["memories"]) == 1


@pytest.mark.parametrize("path", ["scr", "src/none.py", "..", "/etc"])
def test_a_path_that_is_not_there_is_no_clean_check(run: Stilltrue, path: str) -> None:
    run(*RETRIES)

    answer = run("check", path, "--json")

    assert (answer.code, answer.error["code"]) == (2, "bad_input")


def test_a_deleted_file_can_be_asked_about(run: Stilltrue, repo: Repo) -> None:
    run(*RETRIES)
    (repo.root / "src/client.py").unlink()

    assert run("check", "src/client.py").code == 1
    assert run("check", "src").code == 1


def test_a_thousand_lines_are_answered_in_order_bad_ones_among_them(run: Stilltrue) -> None:
    def line(number: int) -> bytes:
        if number % 100 == 7:
            return b"\xff" if number % 200 == 7 else b'{"text": "x", "citation": []}'
        told: dict[str, Any] = {"text": f"memory {number}", "subject": "bulk"}
        if number % 2:
            told["citations"] = [{"path": "src/client.py", "start_line": 1 + number % 9}]
        return json.dumps(told).encode()

    answer = run("remember", "--stdin", given=b"\n".join(map(line, range(1000))))

    rows = [json.loads(row) for row in answer.out.splitlines()]
    assert answer.code == 2
    assert [number for number, row in enumerate(rows) if "error" in row] == list(range(7, 1000, 100))
    kept = run("list", "--json").json["memories"]
    texts = {each["uid"]: each["text"] for each in kept}
    told = {number: texts[row["uid"]] for number, row in enumerate(rows) if "uid" in row}
    assert told == {number: f"memory {number}" for number in told}
    assert len(kept) == 990


def test_an_ended_memory_is_not_offered_to_be_settled(edited: Stilltrue) -> None:
    edited("supersede", "m1", "more")

    shown = edited("show", "m1").out

    assert "superseded" in shown
    assert "stilltrue reverify" not in shown


def test_a_redacted_memory_says_so(run: Stilltrue) -> None:
    run(*RETRIES)
    run("redact", "m1")

    for command in (("list",), ("show", "m1"), ("list", "--all")):
        assert "(redacted)" in run(*command).out


def test_no_command_at_all_is_wrong_use_and_shows_the_help(run: Stilltrue) -> None:
    answer = run()

    assert answer.code == 2
    assert "stilltrue check" in answer.err


@pytest.mark.parametrize("path", ["a\x1b]0;x\x07.py", "a\u202eb.py", "a\nb.py"])
def test_hostile_file_names_are_shown_harmless(run: Stilltrue, repo: Repo, path: str) -> None:
    """F43: whatever a file is called, in an answer, an error, a move or a suggestion."""
    block = "def hostile(call):\n    return call(1, 2, 3, 4)\n"
    repo.write(path, block)
    cited = json.dumps({"path": path, "start_line": 1, "end_line": 2})
    answers = [run("remember", "text", "--cite-json", cited)]
    repo.write(path, "import os\n" + block)
    answers += [run("check"), run("list"), run("show", "m1"), run("why", "m1")]
    repo.write(path, "x = 1\n" + block + "y = 2\n" + block)
    answers += [run("check"), run("reverify", "m1")]
    (repo.root / path).unlink()
    answers += [run("check"), run("reverify", "m1"), run("remember", "text", "--cite-json", cited)]

    for answer in answers:
        assert not set(answer.out + answer.err) & {"\x1b", "\x07", "\u202e"}, answer
