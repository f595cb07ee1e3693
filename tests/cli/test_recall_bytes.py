"""The very bytes that recall answers, and what asking leaves in the store (C2 to C4, C28, C30, A13, A26)."""

from __future__ import annotations

import json
import re
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest
from sqlalchemy import null

from stilltrue.model.citation import CitationDraft
from stilltrue.model.time import Instant, unix_ms
from stilltrue.store import connect, migrate, rows
from support.cli import Answer, Stilltrue
from support.healing import changed_tables, dump
from support.repo import Repo

DAY = 86_400_000
BORN = unix_ms(Instant("2026-06-01T08:00:00.000Z"))
VOLATILE = re.compile(r"\b[0-9a-f]{40}\b|[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}")
"""Commits and uids, which are others each time."""

RETRIES = ("remember", "Retries stop after 5 attempts", "--cite", "src/client.py:4-6")
VERSION = ("remember", "Retries know the version v2", "--subject", "api", "--importance", "9")

GOLDEN = (
    '{"version": 1, "results": [{"id": "m2", "uid": "?", "text": "Retries know the version v2", '
    '"subject": "api", "kind": "semantic", "importance": 9, "confidence": 1.0, "trust": "candidate", '
    '"source_ref": null, "recorded_at": "2026-06-01T08:00:00.001Z", "score": 0.012755798898917304, '
    '"freshness": "uncited", "reason": null, "citations": []}, {"id": "m1", "uid": "?", '
    '"text": "Retries stop after 5 attempts", "subject": "src/client.py", "kind": "semantic", '
    '"importance": 5, "confidence": 1.0, "trust": "verified", "source_ref": null, '
    '"recorded_at": "2026-06-01T08:00:00.000Z", "score": 0.008064516129032258, "freshness": "fresh", '
    '"reason": "same-bytes", "citations": [{"id": "c1", "uid": "?", "view": "disk", "notes": [], '
    '"path": "src/client.py", "start_line": 4, "end_line": 6, "symbol": "retry", "verdict": "fresh", '
    '"reason": "same-bytes", "grade": null, "new": null, "candidates": [], "nearest": null, '
    '"pin": {"commit": "?", "freshness": null, "checked_at": null, "checked_head": null}}]}], '
    '"matched": 2, "truncated": false}\n'
)
"""What two memories of ninety days answer where nothing is asked but words."""


class Wall:
    """The machine's clock, which a test winds."""

    def __init__(self) -> None:
        self.at_ms = BORN

    def time_ns(self) -> int:
        return self.at_ms * 1_000_000


@pytest.fixture
def wall(monkeypatch: pytest.MonkeyPatch) -> Wall:
    made = Wall()
    monkeypatch.setattr("stilltrue.clock.time", SimpleNamespace(time_ns=made.time_ns))
    return made


@pytest.fixture
def two(run: Stilltrue, wall: Wall) -> Stilltrue:
    """Two memories of ninety days, and no history of retrievals."""
    configure(run, "feedback = false")
    run(*RETRIES), run(*VERSION)
    wall.at_ms += 90 * DAY
    return run


def configure(run: Stilltrue, line: str) -> None:
    config = Path(run.own_environment["XDG_CONFIG_HOME"]) / "stilltrue/config.toml"
    config.parent.mkdir(parents=True, exist_ok=True)
    config.write_text(line + "\n", "utf-8")


def settled(answer: Answer) -> str:
    """What was answered, with what differs each time made equal."""
    assert answer.code == 0, answer.err
    return VOLATILE.sub("?", answer.out)


def question(**fields: object) -> str:
    return json.dumps({"query": "retries", **fields})


# --- without the arguments of validity ---


@pytest.mark.parametrize("options", [(), ("--profile", "default"), ("--mode", "keyword")])
def test_c3_without_arguments_the_bytes_are_those_of_ever(two: Stilltrue, options: tuple[str, ...]) -> None:
    assert settled(two("recall", "retries", "--json", *options)) == GOLDEN


def test_c3_people_read_what_they_always_read(two: Stilltrue) -> None:
    assert two("recall", "retries").out == (
        "m2  uncited  Retries know the version v2\n"
        "    conf=1 imp=9 recorded=2026-06-01\n"
        "m1  fresh  Retries stop after 5 attempts\n"
        "    conf=1 recorded=2026-06-01\n"
        "    c1 src/client.py:4-6#retry\n"
    )


def test_c3_in_a_batch_too(two: Stilltrue) -> None:
    assert settled(two("recall", "--stdin", given=question())) == GOLDEN


SINCE = {"solid_copies": "0006", "solid_index": "0006", "solid_above": "0007", "solid_below": "0007"}
"""What is kept of a cited text, by the revision that brought it."""


@pytest.mark.parametrize("revision", ["0001", "0002", "0003", "0004", "0005", "0006"])
def test_c30_an_old_store_answers_the_same_bytes(
    run: Stilltrue, wall: Wall, monkeypatch: pytest.MonkeyPatch, revision: str
) -> None:
    """The store is made and filled as the program of that revision left it."""
    configure(run, "feedback = false")
    connect.make_file(run.database)
    engine = connect.make_engine(run.database, "rw", 300)
    with engine.connect() as conn, connect.begin_with(conn, "BEGIN IMMEDIATE").begin():
        migrate.migrate(conn, target=revision)
    engine.dispose()
    with monkeypatch.context() as old:
        old.setattr("stilltrue.store.opening.HEAD", revision)
        old.setattr("stilltrue.store.opening.settle_index", lambda _: None)
        unknown = {name for name, since in SINCE.items() if since > revision}
        knew = [null() if each.name in unknown else each for each in rows.CITATION_COLUMNS]
        old.setattr("stilltrue.store.citations.CITATION_COLUMNS", knew)
        old.setattr("stilltrue.store.cited.CITATION_COLUMNS", knew)
        old.setattr("stilltrue.store.citations.text_values", partial(_text_values_without, unknown))
        assert run(*RETRIES).code == run(*VERSION).code == 0
    assert revision in str(dump(run.database)["alembic_version"])
    wall.at_ms += 90 * DAY

    assert settled(run("recall", "retries", "--json")) == GOLDEN


def _text_values_without(unknown: set[str], draft: CitationDraft) -> dict[str, bytes | int | None] | None:
    kept = rows.text_values(draft)
    return kept and {name: value for name, value in kept.items() if name not in unknown}


# --- one anchor, one answer ---


@pytest.mark.parametrize(
    "options",
    [
        ("--profile", "validity"),
        ("--validity-annotate",),
        ("--mode", "fused", "--validity-annotate"),
        ("--profile", "validity", "--mode", "keyword", "--explain"),
        (),
    ],
)
def test_c4_a_day_later_the_same_anchor_gives_the_same_bytes(
    run: Stilltrue, wall: Wall, options: tuple[str, ...]
) -> None:
    """Though memories were shown meanwhile, and one has expired that had not at the anchor."""
    run(*RETRIES), run(*VERSION)
    run("remember", "Retries are logged until autumn", "--expires", "2026-08-30T12:00:00Z")
    wall.at_ms += 90 * DAY
    asked = ("recall", "retries", "--json", "--at", str(wall.at_ms), *options)
    first = run(*asked)
    assert len(first.json["results"]) == 3

    run("recall", "retries")
    wall.at_ms += DAY

    assert len(run("recall", "retries", "--json").json["results"]) == 2
    assert run(*asked).out == first.out


def test_c4_in_a_batch_by_its_name_in_the_contract(two: Stilltrue, wall: Wall) -> None:
    line = question(profile="validity", query_time_unix_ms=wall.at_ms)
    first = two("recall", "--stdin", given=line)
    wall.at_ms += DAY
    assert two("recall", "--stdin", given=line).out == first.out
    signals = [each["validity"]["signals"][0] for each in first.json["results"]]
    assert signals == ["freshness:0.125", "freshness:0.125"]


def test_c4_with_as_of_what_holds_only_later_stays_away_too(run: Stilltrue, wall: Wall) -> None:
    """Both arguments fix everything, as the documentation says."""
    run(*RETRIES)
    run("remember", "Retries stop after 7 attempts", "--valid-from", "2026-06-01T20:00:00Z")
    wall.at_ms += 3_600_000
    moment = "2026-06-01T09:00:00Z"
    asked = (
        "recall",
        "retries",
        "--json",
        "--profile",
        "validity",
        "--as-of",
        moment,
        "--at",
        str(wall.at_ms),
    )
    first = run(*asked)
    assert [each["id"] for each in first.json["results"]] == ["m1"]

    wall.at_ms += DAY

    assert len(run("recall", "retries", "--json").json["results"]) == 2
    assert run(*asked).out == first.out


# --- what asking leaves in the store ---


@pytest.mark.parametrize("profile", ["bogus", "Validity", "", "validity ", "VALIDITY"])
def test_c2_an_unknown_profile_leaves_no_trace(run: Stilltrue, profile: str) -> None:
    run(*RETRIES), run("recall", "retries")
    before = dump(run.database)

    answer = run("recall", "retries", "--profile", profile, "--json")

    assert (answer.code, answer.error["code"]) == (2, "bad_input")
    assert repr(profile) in answer.error["message"]
    assert answer.error["hint"] == "allowed: default, validity"
    assert dump(run.database) == before


@pytest.mark.parametrize("profile", ["bogus", "Validity", ""])
@pytest.mark.parametrize("place", [0, 1, 2])
def test_c2_one_bad_entry_and_nothing_of_the_batch_runs(run: Stilltrue, profile: str, place: int) -> None:
    run(*RETRIES), run("recall", "retries")
    before = dump(run.database)
    lines = [question(), question(profile="validity")]
    lines.insert(place, question(profile=profile))

    answer = run("recall", "--stdin", "--json", given="\n".join(lines))

    assert (answer.code, answer.out.count("\n")) == (2, 1)
    assert repr(profile) in answer.error["message"]
    assert answer.error["hint"] == "allowed: default, validity"
    assert dump(run.database) == before


def test_a_good_question_is_what_leaves_a_trace_and_an_access_time(run: Stilltrue) -> None:
    """Else the tests of C2 and A13 could not fail."""
    run(*RETRIES), run("recall", "retries")
    before = dump(run.database)
    assert run("recall", "retries").code == 0
    assert changed_tables(before, dump(run.database)) >= {"traces", "memory_access"}


@pytest.mark.parametrize("options", [("--as-of", "2100-01-01"), ("--at", str(BORN + 400 * DAY))])
def test_a13_c4_another_time_writes_nothing(run: Stilltrue, options: tuple[str, ...]) -> None:
    run(*RETRIES), run("recall", "retries")
    before = dump(run.database)
    assert [each["id"] for each in run("recall", "retries", "--json", *options).json["results"]] == ["m1"]
    assert run("recall", *options).code == 0
    assert dump(run.database) == before


# --- a batch, each by its own ---


def test_c28_no_entry_governs_another(two: Stilltrue, wall: Wall) -> None:
    """The first asks for nothing of validity, later ones for other things; each is answered as if alone."""
    present = {"query_time_unix_ms": wall.at_ms}
    lines = [
        question(**present),
        question(profile="validity", **present),
        question(validity_annotate=True, query_time_unix_ms=BORN),
        question(profile="default", **present),
        question(profile="validity", query_time_unix_ms=BORN + 400 * DAY),
        question(validity_annotate=False, **present),
    ]
    together = two("recall", "--stdin", given="\n".join(lines)).out.splitlines()
    alone = [two("recall", "--stdin", given=line).out.rstrip("\n") for line in lines]
    assert together == alone
    grades = [
        [each.get("validity", {}).get("grade") for each in json.loads(line)["results"]] for line in together
    ]
    assert grades == [
        [None, None],
        ["stale"] * 2,
        ["valid"] * 2,
        [None] * 2,
        ["context_invalid"] * 2,
        [None] * 2,
    ]


# --- kept verdicts ---


def test_a46_verdicts_that_are_kept_change_no_bit_of_a_score(run: Stilltrue, repo: Repo, wall: Wall) -> None:
    """Of lines and of commits, and with a query as without one; only a preset lets them count (A49)."""
    first = repo.run("rev-parse", "HEAD").strip()
    run(*RETRIES)
    run("remember", "Retries are in the client", "--cite", f"@{first}:src/client.py")
    run("remember", "Retries are known to some commit", "--cite", "@0123456789abcdef0123456789abcdef01234567")
    run(*VERSION)
    wall.at_ms += DAY

    def scores(*options: str) -> dict[str, float]:
        told = run("recall", "--json", "--at", str(wall.at_ms), *options).json["results"]
        return {each["id"]: each["score"] for each in told}

    asked = [("retries",), (), ("retries", "--mode", "fused"), ("retries", "--profile", "validity")]
    before = [list(scores(*options).items()) for options in asked]
    plain, halved = scores("retries"), scores("retries", "--stale-weight", "0.5")
    assert halved == plain
    repo.write("src/client.py", "gone\n")
    repo.commit("second")
    assert run("heal").code in {0, 1}
    assert run("pins").code == 1
    assert [list(scores(*options).items()) for options in asked] == before

    halved = scores("retries", "--stale-weight", "0.5")
    assert {name for name in plain if halved[name] != plain[name]} == {"m1", "m2"}
    assert halved["m1"] == plain["m1"] * 0.5
    assert halved["m3"] == plain["m3"]  # unresolved keeps its score to the last bit (A47)
    shipped = scores("retries", "--preset", "memharness-0.1.3")
    assert shipped["m3"] == pytest.approx(plain["m3"] * 0.85)  # K9


def test_a50_one_commit_behind_counts_as_fifty_do(run: Stilltrue, repo: Repo, wall: Wall) -> None:
    far = repo.run("rev-parse", "HEAD").strip()
    for number in range(49):
        near = repo.commit(f"step {number}")
    repo.write("src/client.py", "changed\n")
    repo.commit("changed")
    assert repo.run("rev-list", "--count", f"{far}..HEAD").strip() == "50"
    assert repo.run("rev-list", "--count", f"{near}..HEAD").strip() == "1"
    for commit in (far, near):
        run("remember", "Retries", "--cite", f"@{commit}:src/client.py")
    run("pins")
    told = run("recall", "--json", "--explain", "--preset", "demote", "--at", str(wall.at_ms)).json["results"]
    assert [each["explain"]["factors"]["staleness"] for each in told] == [0.5, 0.5]


def test_a26_in_the_past_a_verdict_comes_with_its_own_time(run: Stilltrue, repo: Repo, wall: Wall) -> None:
    first = repo.run("rev-parse", "HEAD").strip()
    run("remember", "Retries", "--cite", f"@{first}:src/client.py")
    repo.write("src/client.py", "gone\n")
    second = repo.commit("second")
    wall.at_ms += DAY
    checked_at = run("pins", "--json").json["checked_at"]
    assert checked_at.startswith("2026-06-02T08:00:00")
    wall.at_ms += DAY

    told = run("recall", "retries", "--as-of", "2026-06-01T12:00:00Z")

    pin = f"pin=src/client.py@{first[:7]} STALE (checked {checked_at} at HEAD {second[:7]})"
    assert f"    conf=1 {pin} recorded=2026-06-01\n" in told.out
    assert "verdicts have no history: those shown are of today" in told.err
    assert "(checked" not in run("recall", "retries").out
    told = run("recall", "retries", "--as-of", "2026-06-01T12:00:00Z", "--json")
    assert told.json["results"][0]["citations"][0]["pin"]["checked_at"] == checked_at
    assert told.json["notes"] == ["verdicts have no history: those shown are of today"]
