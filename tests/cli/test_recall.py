"""`stilltrue recall`, as people and programs see it."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import pytest

from support.cli import Answer, Stilltrue
from support.healing import run_sql
from support.repo import Repo

DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
BORN = 2_000_000_000_000
"""An instant after everything that tests record."""


@pytest.fixture
def kept(run: Stilltrue) -> Stilltrue:
    """Two memories: one of lines, one of nothing."""
    run("remember", "Retries stop after 5 attempts", "--cite", "src/client.py:4-6")
    run("remember", "The API version is v2", "--subject", "api", "--importance", "9", "--kind", "procedural")
    return run


def dated(answer: Answer) -> str:
    return DATE.sub("DATE", answer.out)


def test_a10_golden_lines(kept: Stilltrue) -> None:
    assert dated(kept("recall", "retries")) == (
        "m1  fresh  Retries stop after 5 attempts\n"
        "    conf=1 recorded=DATE\n"
        "    c1 src/client.py:4-6#retry\n"
    )  # fmt: skip
    assert dated(kept("recall", "version")) == (
        "m2  uncited  The API version is v2\n"
        "    conf=1 imp=9 kind=procedural recorded=DATE\n"
    )  # fmt: skip


@pytest.mark.parametrize("path", ["src/client.py", None])
@pytest.mark.parametrize("state", ["current", "stale", "unresolved", None])
def test_a23_a_pin_shows_its_path_commit_and_state(
    run: Stilltrue, repo: Repo, path: str | None, state: str | None
) -> None:
    """Golden lines for the four verdicts, with and without a path."""
    commit = repo.run("rev-parse", "HEAD").strip()
    if state == "unresolved":
        commit = "0123456789abcdef0123456789abcdef01234567"
    place = f":{path}" if path else ""
    run("remember", "The answer", "--cite", f"@{commit}{place}", "--ref", "PR 12", "--subject", "s")
    if state == "stale":
        repo.write("src/client.py", "changed\n")
        repo.commit("second")
    if state:
        run("pins")
    mark = {"stale": " STALE", "unresolved": " stale?"}.get(state or "", "")
    shown = f"{path}@{commit[:7]}" if path else commit[:7]
    told = run("recall", "answer").out.split("\n")
    assert DATE.sub("DATE", told[1]) == f"    conf=1 ref=PR 12 pin={shown}{mark} recorded=DATE"
    assert ("pinned memories may have drifted" in told[2]) is bool(mark)


def test_a23_everything_in_its_order(run: Stilltrue, repo: Repo) -> None:
    """conf, src, ref, pin with its verdict, then importance and kind, then times."""
    first = repo.run("rev-parse", "HEAD").strip()
    options = ("--importance", "9", "--kind", "procedural", "--confidence", "0.5", "--expires", "2100-01-01")
    run("remember", "The answer", "--cite", f"@{first}:src/client.py", "--ref", "PR 12", *options)
    repo.write("src/client.py", "changed\n")
    repo.commit("second")
    run("pins")
    run_sql(run.database, "UPDATE memories SET source_agent = 'robin'")  # as a revision names itself
    told = run("recall", "answer").out.split("\n")[1]
    assert re.sub(r"recorded=[\d-]+", "recorded=DATE", told) == (
        f"    conf=0.5 src=robin ref=PR 12 pin=src/client.py@{first[:7]} STALE imp=9 kind=procedural "
        "recorded=DATE expires=2100-01-01"
    )


@pytest.mark.parametrize("drifted", [0, 1, 3])
def test_a24_one_footer_however_many_drifted(run: Stilltrue, repo: Repo, drifted: int) -> None:
    for index in range(4):
        repo.write(f"f{index}.txt", f"line {index} of the file\n")
        run("remember", f"answer {index}", "--cite", f"f{index}.txt:1")
    for index in range(drifted):
        repo.write(f"f{index}.txt", "something else entirely\n")
    told = run("recall", "answer").out
    assert told.count("may have drifted") == (1 if drifted else 0)


def test_moved_lines_are_shown_where_they_are_now(kept: Stilltrue, repo: Repo) -> None:
    code = repo.root / "src/client.py"
    repo.write("src/client.py", b"# one line more\n" + code.read_bytes())
    assert "    c1 src/client.py:4-6#retry  now at src/client.py:5-7\n" in kept("recall", "retries").out


def test_c3_without_arguments_the_answer_has_no_word_of_validity(kept: Stilltrue) -> None:
    told = kept("recall", "retries", "--json").json
    recorded = ["feedback_available", "trace_id", "timestamp", "memory_recording"]
    assert list(told) == ["version", "results", "matched", "truncated", *recorded]
    assert list(told["results"][0]) == [
        "id", "uid", "text", "subject", "kind", "importance", "confidence", "trust", "source_ref",
        "recorded_at", "score", "freshness", "reason", "citations", "source_id", "provenance", "activation",
    ]  # fmt: skip


def test_c3_the_same_question_gives_the_same_bytes(kept: Stilltrue) -> None:
    first = kept("recall", "retries", "--json", "--at", str(BORN)).out
    assert kept("recall", "retries", "--json", "--at", str(BORN)).out == first
    assert kept("recall", "retries", "--json", "--at", str(BORN), "--profile", "default").out == first


def test_c5_c23_profile_validity(kept: Stilltrue) -> None:
    told = kept("recall", "retries", "--json", "--profile", "validity").json
    assert list(told["results"][0]["validity"]) == [
        "grade", "freshness", "scope_match", "provenance_class", "superseded", "expiring_soon", "expired",
        "expires_at_unix_ms", "multiplier", "signals",
    ]  # fmt: skip
    assert "context_invalid" not in told["results"][0]
    validity = told["fused_trace"]["validity"]
    assert list(validity) == ["profile", "method", "weights", "grade_counts", "flagged_context_invalid"]
    assert validity["method"] == "validity-multiplier-v1"
    assert len(validity["weights"]) == 7
    plain = kept("recall", "retries", "--json", "--mode", "fused").json
    assert "validity" not in plain["fused_trace"]


def test_c6_context_invalid_is_said_only_where_it_holds(kept: Stilltrue) -> None:
    told = kept(
        "recall", "retries", "--json", "--validity-annotate", "--at", str(BORN + 100_000_000_000)
    ).json
    assert told["results"][0]["context_invalid"] is True
    assert told["results"][0]["validity"]["grade"] == "context_invalid"


@pytest.mark.parametrize("profile", ["bogus", "Validity", ""])
def test_c2_an_unknown_profile_is_refused_and_nothing_is_noted(kept: Stilltrue, profile: str) -> None:
    told = kept("recall", "retries", "--profile", profile, "--json")
    assert told.code == 2
    assert told.error["code"] == "bad_input"
    assert repr(profile) in told.error["message"]
    assert "default, validity" in told.error["hint"]


def test_explain_tells_ranks_factors_and_validity(kept: Stilltrue) -> None:
    told = kept("recall", "retries", "--explain", "--validity-annotate").out
    assert "place in each list: keyword 1" in told
    assert "rrf 0.0163934 * confidence 1 * importance 1 * decay" in told
    assert "validity: valid, multiplier 1.26" in told
    row = kept("recall", "retries", "--explain", "--json").json["results"][0]["explain"]
    assert row["ranks"] == {"keyword": 1}
    assert list(row["factors"]) == ["rrf", "confidence", "importance", "decay", "staleness"]


def test_k8_by_code_is_another_method_of_the_profile(kept: Stilltrue) -> None:
    asked = ("recall", "retries", "--profile", "validity", "--json")
    by_age, by_code = kept(*asked).json, kept(*asked, "--by-code").json
    assert by_age["fused_trace"]["validity"]["method"] == "validity-multiplier-v1"
    assert by_code["fused_trace"]["validity"]["method"] == "validity-multiplier-v2"
    assert "code:same" in by_code["results"][0]["validity"]["signals"]
    line = {"query": "retries", "profile": "validity", "method": "validity-multiplier-v2"}
    batched = kept("recall", "--stdin", given=json.dumps(line)).json
    assert batched["results"][0]["validity"] == by_code["results"][0]["validity"]


def test_k8_by_code_without_validity_is_refused(kept: Stilltrue) -> None:
    refused = kept("recall", "retries", "--by-code")
    assert (refused.code, refused.out) == (2, "")
    assert "--profile validity" in refused.err


def test_c28_each_line_has_its_own_profile_and_anchor(kept: Stilltrue) -> None:
    lines = [
        {"query": "retries"},
        {"query": "retries", "profile": "validity"},
        {"query": "retries", "validity_annotate": True, "query_time_unix_ms": BORN + 100_000_000_000},
    ]
    told = kept("recall", "--stdin", given="\n".join(map(json.dumps, lines)))
    answers = [json.loads(line)["results"][0] for line in told.out.strip().split("\n")]
    assert ["validity" in answer for answer in answers] == [False, True, True]
    assert answers[1]["validity"]["grade"] == "valid"
    assert answers[2]["context_invalid"] is True


@pytest.mark.parametrize(
    "bad",
    ['{"query": "x", "profile": "bogus"}', '{"query": 1}', '{"quest": ""}', "[]", "no", '{"limit": true}'],
)
def test_c2_one_bad_line_refuses_the_batch(kept: Stilltrue, bad: str) -> None:
    told = kept("recall", "--stdin", "--json", given='{"query": "retries"}\n' + bad)
    assert told.code == 2
    assert told.out.count("\n") == 1
    assert told.error["code"] == "bad_input"


@pytest.mark.parametrize("weight", ["0", "-1", "1.5", "nan"])
def test_a47_a_weight_outside_its_limits_is_refused(kept: Stilltrue, weight: str) -> None:
    assert kept("recall", "retries", "--stale-weight", weight).code == 2


def test_k4_stale_policies_of_recall(run: Stilltrue, repo: Repo) -> None:
    repo.write("g.txt", "a line of its own\n")
    run("remember", "answer answer", "--cite", "g.txt:1")
    run("remember", "an answer and more", "--cite", "src/client.py:4-6")
    repo.write("g.txt", "something else entirely\n")
    config = run.database.parent / "home" / "config" / "stilltrue" / "config.toml"
    config.parent.mkdir(parents=True)

    def shown(policy: str) -> list[str]:
        config.write_text(f'stale_policy_recall = "{policy}"\n', "utf-8")
        return [row[:5] for row in run("recall", "answer").out.split("\n") if row[:1] in "mN" and row]

    assert shown("tag") == ["m1  s", "m2  f"]
    assert shown("quarantine") == ["m2  f", "Needs", "m1  s"]
    assert shown("skip") == ["m2  f"]


def test_f43_hostile_text_is_shown_harmless(run: Stilltrue) -> None:
    run("remember", "an answer \x1b[31m", "--ref", "a\nb\x07", "--subject", "s")
    told = run("recall", "answer").out
    assert "\x1b" not in told
    assert "\x07" not in told
    assert "ref=a b" in told


def test_c18_what_expired_is_no_answer_along_the_graph_either(run: Stilltrue) -> None:
    """It leads on to others all the same."""
    run("remember", "alpha, see m2")
    run("remember", "beta, m3 says why", "--expires", "2020-01-01")
    run("remember", "gamma")
    run("remember", "delta, see m3")
    run("supersede", "m4", "delta, see m3 and m1")
    for profile in ("default", "validity"):
        told = run("recall", "alpha", "--profile", profile, "--hops", "2", "--json").json
        assert [each["id"] for each in told["results"]] == ["m1"]
        assert sorted(each["id"] for each in told["graph_results"]) == ["m3", "m5"]
        assert run("recall", "beta", "--profile", profile, "--json").json["results"] == []


REFUSE_PROCESSES = """
import sys
STARTS = {"subprocess.Popen", "pty.spawn"}
STARTS |= {"os." + each for each in ("system", "exec", "fork", "forkpty", "posix_spawn", "spawn")}
def refuse(event, arguments):
    if event in STARTS:
        raise RuntimeError("a process was started: " + event)
sys.addaudithook(refuse)
from stilltrue.cli.main import run
sys.exit(run(sys.argv[1:]))
"""


@pytest.mark.parametrize(
    "question",
    [
        ("recall", "retries"),
        ("recall",),
        ("recall", "retries", "--profile", "validity", "--by-code"),
        ("recall", "retries", "--mode", "fused", "--near", "src/client.py", "--hops", "2"),
        ("context",),
        ("context", "retries"),
    ],
)
def test_a22_no_process_is_started_with_an_empty_path(
    kept: Stilltrue, repo: Repo, question: tuple[str, ...]
) -> None:
    """The interpreter itself refuses any; the cited lines moved, so that there is something to look for."""
    repo.write("src/client.py", b"# one line more\n" + (repo.root / "src/client.py").read_bytes())
    command = [sys.executable, "-c", REFUSE_PROCESSES, *question]
    surroundings = {**kept.full_environment, "PATH": ""}
    done = subprocess.run(command, cwd=kept.folder, env=surroundings, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"Retries stop after 5 attempts" in done.stdout


def test_no_store_is_made_by_asking(run: Stilltrue) -> None:
    told = run("recall", "anything")
    assert (told.code, told.out) == (0, "")
    assert "nothing found" in told.err
    assert not run.database.exists()


def test_c19_lists_that_show_what_ended_grade_it(run: Stilltrue) -> None:
    run("remember", "the answer is 41", "--subject", "s")
    run("remember", "the answer is 40", "--subject", "s", "--expires", "2020-01-01")
    run("supersede", "m1", "the answer is 42")
    told = run("list", "--all", "--json").json["memories"]
    assert [each["validity"]["grade"] for each in told] == ["context_invalid", "context_invalid", "valid"]
    assert [each.get("context_invalid") for each in told] == [True, True, None]
    assert run("list", "--all").out.count("context_invalid") == 2


@pytest.mark.parametrize(
    "options",
    [
        ("--mode", "fused", "--near", "src/client.py"),
        ("--kind", "semantic"),
        ("--freshness", "current"),
        ("--path", "src"),
        ("--subject", "src/client.py"),
        ("--preset", "demote"),
        ("--as-of", "2100-01-01"),
        ("--limit", "1", "--max-tokens", "8"),
    ],
)
def test_every_option_is_understood(kept: Stilltrue, options: tuple[str, ...]) -> None:
    told = kept("recall", "retries", "--json", *options)
    assert [each["id"] for each in told.json["results"]] == ["m1"]
