"""`stilltrue audit` (E37, K21)."""

from __future__ import annotations

import pytest

from support.cli import Stilltrue
from support.healing import dump
from support.repo import Repo


@pytest.fixture
def drifted(run: Stilltrue, repo: Repo) -> Stilltrue:
    """m1 changed in content, m2 is gone whole; both are committed."""
    run("remember", "Retries stop after 5 attempts", "--cite", "src/client.py:4-6")
    run("remember", "Calls are retried", "--cite", "docs/api.md:3")
    assert run("audit").code == 0
    file = repo.root / "src/client.py"
    file.write_bytes(file.read_bytes().replace(b"range(5)", b"range(7)"))
    (repo.root / "docs/api.md").unlink()
    repo.commit("edit")
    return run


def test_e37_issues_exit_with_1_and_nothing_is_written(drifted: Stilltrue) -> None:
    before = dump(drifted.database)
    answer = drifted("audit")
    assert answer.code == 1
    assert answer.out.endswith("2 memories audited: 1 gone, 1 changed\n")
    assert dump(drifted.database) == before


def test_e37_invalidating_twice_does_nothing_the_second_time(drifted: Stilltrue) -> None:
    """K21: only what is gone whole; what changed stays an issue."""
    answer = drifted("audit", "--invalidate")
    assert answer.code == 1
    assert "m2 is superseded by m3, demoted" in answer.out
    assert "1 memory to be verified again: stilltrue worklist" in answer.out
    before = dump(drifted.database)
    told = drifted("audit", "--invalidate", "--json")
    assert told.code == 1
    assert [(each["id"], each["drift"]) for each in told.json["issues"]] == [("m1", "content_drift")]
    assert (told.json["invalidated"], told.json["summary"]["waiting"]) == ([], 1)
    assert dump(drifted.database) == before
    drifted("reverify", "m1")
    assert drifted("audit").code == 0


def test_e37_the_answer_for_programs(drifted: Stilltrue) -> None:
    told = drifted("audit", "--invalidate", "--json").json
    assert set(told) == {"version", "summary", "skipped", "issues", "invalidated"}
    assert told["summary"] == {
        "memories": 2,
        "stale/content": 1,
        "stale/structural": 1,
        "gone": 1,
        "changed": 1,
        "waiting": 1,
    }
    (gone,) = (each for each in told["issues"] if each["drift"] == "anchor_drift")
    assert (gone["id"], gone["citation"], gone["resolver_state"]) == ("m2", "docs/api.md:3", "missing_file")
    (done,) = told["invalidated"]
    assert (done["id"], done["superseded_by"], done["event"]["reason"]) == ("m2", "m3", "anchor_drift")


def test_k6_an_invalidation_of_what_is_not_committed_is_refused(drifted: Stilltrue, repo: Repo) -> None:
    repo.write("src/client.py", "import os\n")
    answer = drifted("audit", "--invalidate", "--json")
    assert (answer.code, answer.error["code"]) == (2, "tree_not_clean")
