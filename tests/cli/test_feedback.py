"""History, use and outcome on the command line (B22, B29, B55), and the shared store under many processes."""

from __future__ import annotations

import importlib.util
import json
import logging
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from stilltrue.recall.refusals import CODES
from support.cli import Answer, Stilltrue
from support.feedback import run_sql

SENTINEL = "zebrafish"
BENCHMARK = Path(__file__).parents[2] / "benchmarks" / "recall" / "concurrency.py"


@pytest.fixture
def chain(run: Stilltrue) -> Stilltrue:
    """a mentions b, b mentions c."""
    run("remember", "alpha, see m2", "--cite", "src/client.py:4-6")
    run("remember", "beta, m3 says why")
    run("remember", "gamma")
    return run


def ask(run: Stilltrue, *arguments: str) -> dict[str, Any]:
    told: dict[str, Any] = run("recall", "alpha", "--hops", "2", "--use-memory", *arguments, "--json").json
    return told


def test_b55_the_whole_way(chain: Stilltrue) -> None:
    """search → path a→b→c → selected, validated, used for c → confirmed by two quarters → corrected."""
    told = ask(chain)
    assert [row["id"] for row in told["results"]] == ["m1"]
    c = told["graph_results"][1]
    assert c["id"] == "m3"
    identities = [row["provenance"]["identity"] for row in (*told["results"], *told["graph_results"])]
    assert [(edge["source"], edge["target"]) for edge in c["graph_path"]] == [
        (identities[0], identities[1]), (identities[1], identities[2]),
    ]  # fmt: skip
    trace, source = told["trace_id"], c["source_id"]

    for stage in ("selected", "validated", "used"):
        used = chain("use", trace, f"{source}:{stage}", "--json").json
        assert used["entries"][0]["applied"] is True
    confirmed = chain("outcome", trace, "confirmed", source, "--json").json
    assert [change["delta"] for change in confirmed["changes"]] == [0.25, 0.25]
    assert ask(chain)["graph_results"][1]["learned_strength"] == pytest.approx(0.5, rel=1e-3)

    corrected = chain(
        "outcome",
        trace,
        "corrected",
        "--confirmation",
        confirmed["receipt_id"],
        "--reason",
        "it was not",
        "--json",
    ).json
    assert [change["delta"] for change in corrected["changes"]] == pytest.approx([-0.25, -0.25], rel=1e-3)
    detail = chain("history", trace, "--json").json
    assert [each["receipt"]["receipt_id"] for each in detail["receipts"][3:]] == [
        confirmed["receipt_id"], corrected["receipt_id"],
    ]  # fmt: skip
    assert [credit["active"] for credit in detail["receipts"][3]["credits"]] == [False, False]
    assert [each["stage"] for each in detail["sources"]] == ["retrieved", "retrieved", "used"]
    assert ask(chain)["graph_results"][1]["learned_strength"] == 0.0


def test_the_words_for_people(chain: Stilltrue) -> None:
    told = chain("recall", "alpha", "--hops", "1", "--explain")
    assert "m2  uncited  beta, m3 says why\n    mentioned, 1 step away\n" in told.out
    trace = told.out.split("trace ")[1].split(";")[0]
    assert trace not in chain("recall", "alpha").out
    used = chain("use", trace, "m2:selected,validated,used")
    assert used.code == 0
    assert [line.split()[1] for line in used.out.split("\n")[:3]] == ["selected", "validated", "used"]
    assert "selected already" in chain("use", trace, "m2:selected").out
    told = chain("outcome", trace, "confirmed", "m2")
    assert told.out.startswith("+0.250 to a mention, now 0.250\nreceipt ")
    receipt = told.out.split()[-1]
    shown = chain("history", trace).out
    assert "used" in shown
    assert "confirmed" in shown
    assert "+0.250  active" in shown
    back = chain("outcome", trace, "rolled_back", "--confirmation", receipt)
    assert back.out.startswith("-0.2")
    assert "taken back" in chain("history", trace).out
    assert trace in chain("history").out
    page = chain("history", "--limit", "1")
    assert page.out.count("\n") == 1
    cursor = page.err.split("--cursor ")[1].strip()
    assert chain("history", "--limit", "1", "--cursor", cursor).out != page.out


def test_a_beginning_of_a_source_id_will_do(chain: Stilltrue) -> None:
    told = ask(chain)
    source = told["results"][0]["source_id"]
    used = chain("use", told["trace_id"], f"{source[:12]}:selected", "--json").json
    assert used["entries"][0]["source_id"] == source
    assert (
        chain("use", told["trace_id"], f"{source[:7]}:selected", "--json").error["code"] == "unknown_source"
    )


def test_b1_show_is_a_fetch(chain: Stilltrue) -> None:
    told = chain("show", "m1", "--json").json
    assert told["feedback_available"] is True
    assert told["provenance"]["type"] == "memory"
    code = told["citations"][0]
    assert code["provenance"]["type"] == "code"
    assert code["provenance"]["identity"] == "src/client.py"
    assert code["provenance"]["version"].startswith("sha256:")
    assert code["provenance"]["content_source"] == "worktree"
    chain("use", told["trace_id"], f"{code['source_id']}:selected")
    detail = chain("history", told["trace_id"], "--json").json
    assert [each["stage"] for each in detail["sources"]] == ["retrieved", "selected"]


def test_b8_the_agents_name_comes_from_its_start(chain: Stilltrue) -> None:
    mine = ask(chain)["trace_id"]
    agent = Stilltrue(chain.folder, chain.database, {"STILLTRUE_AGENT": "claude"})
    assert agent("history", mine, "--json").error["code"] == "unknown_trace"
    assert agent("history", "--json").json["traces"] == []
    theirs = ask(agent)["trace_id"]
    assert [each["trace_id"] for each in agent("history", "--json").json["traces"]] == [theirs]
    odd = Stilltrue(chain.folder, chain.database, {"STILLTRUE_AGENT": "x" * 65})
    assert odd("history", "--json").error["code"] == "bad_input"


def refusals(run: Stilltrue) -> dict[str, Answer]:
    """One command line for each code, each holding the sentinel where it can."""
    told = ask(run)
    trace, a, c = told["trace_id"], told["results"][0]["source_id"], told["graph_results"][1]["source_id"]
    run("use", trace, f"{c}:selected,validated,used", "--key", f"{SENTINEL}-1")
    yes = run("outcome", trace, "confirmed", c, "--json").json["receipt_id"]
    return {
        "unknown_trace": run("use", SENTINEL, f"{a}:selected", "--json"),
        "unknown_source": run("use", trace, f"{SENTINEL}:selected", "--json"),
        "unknown_cursor": run("history", "--cursor", SENTINEL, "--json"),
        "idempotency_conflict": run("use", trace, f"{a}:selected", "--key", f"{SENTINEL}-1", "--json"),
        "stage_order_violation": run("use", trace, f"{a}:used", "--key", f"{SENTINEL}-2", "--json"),
        "used_source_required": run("outcome", trace, "confirmed", a, "--reason", SENTINEL, "--json"),
        "unknown_confirmation": run("outcome", trace, "corrected", "--confirmation", SENTINEL, "--json"),
        "confirmation_id_required": run("outcome", trace, "corrected", c, "--reason", SENTINEL, "--json"),
        "source_ids_required": run(
            "outcome", trace, "confirmed", "--confirmation", yes, "--key", f"{SENTINEL}-3", "--json"
        ),
        "invalid_memory_request": run("use", trace, f"{a}:{SENTINEL}", "--json"),
    }


def test_b22_every_code_and_no_echo(chain: Stilltrue, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        answers = refusals(chain)
    assert SENTINEL not in caplog.text
    assert set(answers) == set(CODES)
    for code, answer in answers.items():
        assert answer.code == 2
        assert answer.error["code"] == code
        assert answer.error["hint"], code
        assert SENTINEL not in answer.out + answer.err, code


@pytest.mark.parametrize("limit", ["0", "51"])
def test_b10_limits(chain: Stilltrue, limit: str) -> None:
    assert chain("history", "--limit", limit, "--json").error["code"] == "invalid_memory_request"


def test_b30_a_key_of_129_characters(chain: Stilltrue) -> None:
    told = ask(chain)
    answer = chain("use", told["trace_id"], "m1:selected", "--key", "k" * 129, "--json")
    assert answer.error["code"] == "invalid_memory_request"
    assert chain("use", told["trace_id"], "m1:selected", "--key", "k" * 128).code == 0


def test_b28_a_key_repeats_its_receipt(chain: Stilltrue) -> None:
    told = ask(chain)
    first = chain("use", told["trace_id"], "m1:selected", "--key", "k", "--json").json
    assert chain("use", told["trace_id"], "m1:selected", "--key", "k", "--json").json == first
    assert chain("use", told["trace_id"], "m1:selected", "--json").json["entries"][0]["applied"] is False


def test_where_nothing_is_remembered(run: Stilltrue) -> None:
    assert run("history", "--json").json == {"traces": [], "next_cursor": None}
    assert run("history", "t", "--json").error["code"] == "unknown_trace"
    assert run("use", "t", "m1:selected", "--json").error["code"] == "unknown_trace"
    assert run("outcome", "t", "confirmed", "--json").error["code"] == "unknown_trace"
    assert run("repo", "repair-identities", "--json").json == {"updated": 0, "cursor": None, "done": True}
    assert not run.database.exists()


def test_b52_repair_by_hand(chain: Stilltrue) -> None:
    ask(chain)
    run_sql(chain.database, "UPDATE source_identities SET type = NULL, identity = NULL")
    told = chain("repo", "repair-identities", "--limit", "2")
    assert told.out.startswith("2 filled in; more with: --cursor ")
    cursor = told.out.split()[-1]
    assert chain("repo", "repair-identities", "--cursor", cursor, "--json").json == {
        "updated": 1, "cursor": None, "done": True,
    }  # fmt: skip


def test_b28_questions_by_the_line_have_traces_too(chain: Stilltrue) -> None:
    lines = '{"query": "alpha"}\n{"query": "gamma"}\n'
    told = [json.loads(line) for line in chain("recall", "--stdin", given=lines).out.split("\n") if line]
    traces = [each["trace_id"] for each in chain("history", "--json").json["traces"]]
    assert [each["trace_id"] for each in told] == traces[::-1]


def test_b8_what_a_line_says_of_its_sender_is_ignored(chain: Stilltrue) -> None:
    line = '{"query": "alpha", "principal": "other", "user": "other", "agent": "other"}'
    told = chain("recall", "--stdin", given=line).json
    assert [row["id"] for row in told["results"]] == ["m1"]
    assert chain("history", told["trace_id"], "--json").code == 0
    assert len(run_sql(chain.database, "SELECT DISTINCT principal FROM traces")) == 1
    assert "other" not in repr(run_sql(chain.database, "SELECT * FROM traces"))


@pytest.mark.parametrize(
    "bad",
    [
        {"path": "../outside"},
        {"path": "/etc"},
        {"near": "src/../.."},
        {"query": "\ud800"},
        {"subject": "half \udfff"},
        {"query": "x" * 4097},
        {"path": "x" * 257},
    ],
    ids=lambda bad: f"{next(iter(bad))} {next(iter(bad.values()))[:9]!a}",
)
def test_b13_one_line_that_is_refused_records_none(chain: Stilltrue, bad: dict[str, str]) -> None:
    told = chain("recall", "--stdin", "--json", given='{"query": "alpha"}\n' + json.dumps(bad))
    assert told.code == 2
    assert set(told.json) == {"error"}, "not even the line before it is answered"
    assert told.error["code"] in {"bad_input", "invalid_memory_request"}
    assert run_sql(chain.database, "SELECT count(*) FROM traces") == [(0,)]


def test_b13_a_path_outside_records_nothing(chain: Stilltrue) -> None:
    assert chain("recall", "alpha", "--path", "../outside", "--json").error["code"] == "bad_input"
    assert run_sql(chain.database, "SELECT count(*) FROM traces") == [(0,)]
    told = chain("recall", "--stdin", given='{"query": "alpha", "path": "src/", "near": ""}').json
    assert [row["id"] for row in told["results"]] == ["m1"]


def test_b16_what_cannot_be_read_keeps_its_place_and_its_text(chain: Stilltrue) -> None:
    chain("remember", "delta", "--cite", "docs/api.md:3", "--cite", "src/client.py:4-6")
    (chain.folder / "docs/api.md").unlink()
    told = chain("show", "m4", "--json").json
    assert told["feedback_available"] is True
    assert told["memory_recording"]["status"] == "partial"
    gone, there = told["citations"]
    assert (gone["path"], there["path"]) == ("docs/api.md", "src/client.py")
    assert gone["feedback_available"] is False
    assert gone["memory_exclusion_reason"] == "live_version_unavailable"
    assert not {"source_id", "provenance", "activation"} & set(gone)
    assert {"source_id", "provenance", "activation"} <= set(there)


def test_b29_eight_processes_with_one_key(chain: Stilltrue) -> None:
    told = ask(chain)
    trace, source = told["trace_id"], told["results"][0]["source_id"]
    arguments = ("use", trace, f"{source}:selected,validated,used", "--key", "one", "--json")
    started = [chain.start(*arguments) for _ in range(8)]
    answers = [json.loads(each.communicate(timeout=100)[0]) for each in started]
    assert len({answer["receipt_id"] for answer in answers}) == 1
    detail = chain("history", trace, "--json").json
    assert len(detail["receipts"]) == 1
    assert detail["sources"][0]["stage"] == "used"
    assert detail["receipts"][0]["receipt"]["entries"][2]["activation"]["usage"] == 1.7
    assert run_sql(chain.database, "SELECT count(*) FROM usage") == [(3,)]


def test_b29_many_processes_lose_nothing() -> None:
    """A few seconds of `benchmarks/recall/concurrency.py`."""
    told = subprocess.run(
        [sys.executable, str(BENCHMARK), "--seconds", "3"],
        capture_output=True,
        text=True,
        check=False,
        timeout=110,
    )
    assert told.returncode == 0, told.stdout + told.stderr
    figures = json.loads(told.stdout)
    assert figures["processes"] == 8
    assert figures["receipts"] > 0
    assert figures["amiss"] == 0


@pytest.mark.parametrize(
    "loss",
    [
        "DELETE FROM traces WHERE number = 1",
        "DELETE FROM feedback_receipts WHERE number = 1",
        "UPDATE edge_strengths SET value = value / 2",
        "UPDATE activations SET usage = usage - 0.2 WHERE usage > 0",
        "UPDATE activations SET retrieved = retrieved / 2",
    ],
)
def test_b29_the_comparison_sees_a_loss(chain: Stilltrue, loss: str) -> None:
    spec = importlib.util.spec_from_file_location("concurrency", BENCHMARK)
    assert spec is not None
    assert spec.loader is not None
    concurrency = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(concurrency)
    told = ask(chain)
    used = chain("use", told["trace_id"], "m3:selected,validated,used", "--json").json
    confirmed = chain("outcome", told["trace_id"], "confirmed", "m3", "--json").json
    answered = {
        "traces": [told["trace_id"]],
        "receipts": [used["receipt_id"], confirmed["receipt_id"]],
    }
    assert concurrency.amiss(chain.database, [answered]) == []
    connection = sqlite3.connect(chain.database)
    connection.execute("PRAGMA foreign_keys = ON")
    with connection:
        connection.execute(loss)
    connection.close()
    assert concurrency.amiss(chain.database, [answered])


def test_b54_growth_is_told_and_the_prune_by_hand_works(chain: Stilltrue) -> None:
    page = (Path(__file__).parents[2] / "docs" / "feedback.md").read_text("utf-8")
    assert "Nothing is deleted by itself" in page
    assert "(docs/feedback.md)" in (Path(__file__).parents[2] / "README.md").read_text("utf-8")
    prune = page.split('sqlite3 memories.db "')[1].split('"')[0]
    told = ask(chain)
    chain("use", told["trace_id"], "m3:selected,validated,used")
    chain("outcome", told["trace_id"], "confirmed", "m3")
    connection = sqlite3.connect(chain.database, isolation_level=None)
    for statement in prune.split(";"):
        connection.execute(statement.replace("2026-01-01", "9999-01-01"))
    left = {
        table: connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]  # noqa: S608 - ours
        for table in ("traces", "trace_sources", "usage", "feedback_receipts", "credits", "memories")
    }
    connection.close()
    assert left.pop("memories") == 3
    assert set(left.values()) == {0}
    assert ask(chain)["feedback_available"] is True
