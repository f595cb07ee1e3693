"""`check --format sarif` and `--format github`: what code hosts are told is what editors show (design 7)."""

from __future__ import annotations

import pytest

from support.cli import Stilltrue
from support.repo import Repo

RETRIES = ("remember", "Retries stop after 5 attempts", "--cite", "src/client.py:4-6")
MESSAGE = "m1: Retries stop after 5 attempts — the cited lines changed. Re-verify or supersede."


@pytest.fixture
def edited(run: Stilltrue, repo: Repo) -> Stilltrue:
    """One memory whose lines changed."""
    run(*RETRIES)
    repo.write("src/client.py", (repo.root / "src/client.py").read_text().replace("range(5)", "range(7)"))
    return run


def test_github_is_told_the_lines(edited: Stilltrue) -> None:
    told = edited("check", "--format", "github")

    where = "file=src/client.py,line=4,endLine=6,title=StillTrue%3A stale"
    assert (told.code, told.out.splitlines()) == (1, [f"::warning {where}::{MESSAGE}"])


def test_hostile_names_and_texts_begin_no_command_of_their_own(run: Stilltrue, repo: Repo) -> None:
    """F43: a memory and a path are data; a line of theirs would be a command to the runner."""
    path = "src/a,line=1::b%0A.py"
    repo.write(path, "one\ntwo\n")
    run("remember", "true\n::error::100% pwned\r::stop-commands::x", "--cite", f"{path}:1")
    repo.write(path, "1\ntwo\n")

    (row,) = run("check", "--format", "github").out.splitlines()

    assert row.startswith("::warning file=src/a%2Cline=1%3A%3Ab%250A.py,line=1,endLine=1,")
    assert "100%25 pwned" in row
    assert "\r" not in row


def test_sarif_holds_what_is_to_be_settled(edited: Stilltrue, repo: Repo) -> None:
    edited("remember", "One import is enough", "--cite", "src/client.py:1")
    repo.write("docs/ä b.md", "Two lines.\n")
    edited("remember", "The file is short", "--cite", "docs/ä b.md:1")
    (repo.root / "docs/ä b.md").unlink()

    told = edited("check", "--format", "sarif")

    (one,) = told.json["runs"]
    assert (told.code, told.json["version"]) == (1, "2.1.0")
    rules = [rule["id"] for rule in one["tool"]["driver"]["rules"]]
    missing, stale = one["results"]
    assert [rules[each["ruleIndex"]] for each in (missing, stale)] == ["missing", "stale"]
    assert (missing["ruleId"], stale["ruleId"]) == ("missing", "stale")
    assert (stale["level"], stale["message"]["text"]) == ("warning", MESSAGE)
    (where,) = stale["locations"]
    assert where["physicalLocation"]["region"] == {"startLine": 4, "endLine": 6}
    (gone,) = missing["locations"]
    assert gone["physicalLocation"]["artifactLocation"]["uri"] == "docs/%C3%A4%20b.md"
    assert stale["partialFingerprints"] != missing["partialFingerprints"]


def test_a_finding_keeps_its_fingerprint_while_its_lines_wander(edited: Stilltrue, repo: Repo) -> None:
    """Code hosts know a finding again by it."""
    (before,) = edited("check", "--format", "sarif").json["runs"][0]["results"]
    repo.write("src/client.py", "# one more line\n" + (repo.root / "src/client.py").read_text())
    (after,) = edited("check", "--format", "sarif").json["runs"][0]["results"]
    assert before["partialFingerprints"] == after["partialFingerprints"]
    assert before["locations"] != after["locations"]


def test_where_all_holds_nothing_is_found(run: Stilltrue) -> None:
    run(*RETRIES)
    github, sarif = run("check", "--format", "github"), run("check", "--format", "sarif")
    assert (github.code, github.out, sarif.code) == (0, "", 0)
    assert sarif.json["runs"][0]["results"] == []


@pytest.mark.parametrize("output", ["sarif", "github"])
def test_figures_alone_are_no_findings(edited: Stilltrue, output: str) -> None:
    told = edited("check", "--summary", "--format", output)
    assert told.code == 2
    assert "--summary" in told.err
