"""Each command as its user meets it: answers, exit codes, and what stays untouched."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from support.cli import Stilltrue
from support.repo import Repo

RETRIES = ("remember", "Retries stop after 5 attempts", "--cite", "src/client.py:4-6")


def edit(repo: Repo, old: str, new: str) -> None:
    file = repo.root / "src/client.py"
    file.write_bytes(file.read_bytes().replace(old.encode(), new.encode()))


def test_remember_answers_with_the_documented_json(run: Stilltrue, repo: Repo) -> None:
    answer = run(*RETRIES, "--json")

    assert answer.code == 0
    told = answer.json
    assert (told["id"], sorted(told)) == ("m1", ["citations", "id", "uid"])
    cited = told["citations"][0]
    commit = cited.pop("commit")
    del cited["uid"], cited["sha256"]
    assert cited == {
        "id": "c1",
        "generation": 1,
        "kind": "span",
        "path": "src/client.py",
        "start_line": 4,
        "end_line": 6,
        "symbol": "retry",
    }
    assert commit == repo.run("rev-parse", "HEAD").strip()


def test_check_follows_the_working_tree_and_its_exit_codes(run: Stilltrue, repo: Repo) -> None:
    """E18, F36: 0 when nothing needs attention, 1 when a memory is stale; a restore shows fresh again."""
    assert run(*RETRIES).code == 0
    assert run("check").code == 0
    edit(repo, "range(5)", "range(7)")

    stale = run("check")
    told = run("check", "--format", "json").json

    assert stale.code == 1
    assert "the cited lines changed" in stale.out
    assert "-    for attempt in range(5):" in stale.out
    assert "+    for attempt in range(7):" in stale.out
    assert "src/client.py:4-6" in stale.out
    assert "stilltrue reverify m1" in stale.out
    assert told["version"] == 1
    assert told["summary"] == {"memories": 1, "stale/content": 1}
    memory = told["memories"][0]
    assert (memory["id"], memory["freshness"], memory["reason"]) == ("m1", "stale/content", "text-changed")
    citation = memory["citations"][0]
    assert (citation["view"], citation["verdict"], citation["grade"]) == ("disk", "stale", "content")
    assert citation["nearest"] == {"path": "src/client.py", "start_line": 4, "end_line": 6}
    assert (citation["new"], citation["candidates"], citation["notes"]) == (None, [], [])
    edit(repo, "range(7)", "range(5)")
    assert run("check").code == 0


def test_a_move_is_told_and_needs_no_attention(run: Stilltrue, repo: Repo) -> None:
    run(*RETRIES)
    edit(repo, "import os", "import os\nimport sys")

    answer = run("check")

    assert answer.code == 0
    assert "moved to src/client.py:5-7" in answer.out
    assert run("repoint", "--all-moved").code == 0
    assert run("check", "--format", "json").json["memories"][0]["citations"][0]["reason"] == "same-bytes"


def test_strict_fails_on_what_plain_check_lets_pass(run: Stilltrue, repo: Repo) -> None:
    run(*RETRIES)
    edit(repo, "\n", "\r\n")

    assert run("check").code == 0
    assert run("check", "--strict").code == 1
    assert run("reverify", "--all-cosmetic").code == 0
    assert run("check", "--strict").code == 0


def test_check_of_paths_judges_only_what_cites_them(run: Stilltrue, repo: Repo) -> None:
    run(*RETRIES)
    run("remember", "Calls are retried", "--cite", "docs/api.md")
    edit(repo, "range(5)", "range(7)")

    assert run("check", "docs").code == 0
    assert run("check", "src/client.py").code == 1
    assert run("check", "client.py", cwd=repo.root / "src").code == 1


def test_reverify_supersede_retract_undo_and_why(run: Stilltrue, repo: Repo) -> None:
    run(*RETRIES)
    edit(repo, "range(5)", "range(7)")

    assert "generation 2" in run("reverify", "m1").out
    assert run("check").code == 0
    assert "nothing was left" in run("reverify", "m1").err
    assert run("supersede", "m1", "Retries stop after 7 attempts").code == 0
    assert [each["id"] for each in run("list", "--json").json["memories"]] == ["m2"]
    why = run("why", "m2", "--json").json
    assert [each["id"] for each in why["ancestors"]] == ["m1"]
    assert [each["id"] for each in run("why", "m1", "--json").json["descendants"]] == ["m2"]
    assert run("retract", "m2", "--json").json["count"] == 1
    assert run("retract", "m2", "--json").json["count"] == 0
    assert run("list", "--json").json["memories"] == []
    assert run("undo", "--json").json["undone"] == "retract"
    assert run("undo", "--json").json["undone"] == "supersede"
    assert [each["id"] for each in run("list", "--json").json["memories"]] == ["m1"]
    assert run("check").code == 0
    assert run("undo", "--json").json["undone"] == "reverify"
    assert run("check").code == 1


def test_superseding_twice_names_the_head(run: Stilltrue) -> None:
    """A7: the error of a second supersession names the head of the chain and its text."""
    run(*RETRIES)
    run("supersede", "m1", "Retries stop after 7 attempts")

    answer = run("supersede", "m1", "Retries stop after 9 attempts", "--json")

    assert answer.code == 2
    told = " ".join(answer.error.values())
    assert "m2" in told
    assert "Retries stop after 7 attempts" in told


def test_show_tells_the_memory_and_what_changed(run: Stilltrue, repo: Repo) -> None:
    run(*RETRIES, "--ref", "design review")
    edit(repo, "range(5)", "range(7)")

    answer = run("show", "m1")

    assert answer.code == 0
    assert "design review" in answer.out
    assert "range(7)" in answer.out
    assert run("show", "m1", "--json").json["trust"] == "verified"


def test_repoint_to_named_lines(run: Stilltrue, repo: Repo) -> None:
    run(*RETRIES)
    (repo.root / "src/client.py").unlink()
    repo.write("src/http.py", "def retry(call):\n    return call(7)\n")

    assert run("check").code == 1
    assert run("repoint", "c1", "src/http.py:1-2").code == 0
    assert run("check").code == 0


def test_a_key_is_done_once(run: Stilltrue) -> None:
    """B28, F34: the same key with the same request answers again; with another one it is refused."""
    first = run(*RETRIES, "--key", "k1", "--json")
    again = run(*RETRIES, "--key", "k1", "--json")
    other = run("remember", "Something else", "--key", "k1", "--json")

    assert first.json == again.json
    assert (other.code, other.error["code"]) == (2, "idempotency_conflict")
    assert len(run("list", "--json").json["memories"]) == 1


@pytest.mark.parametrize(
    "spec",
    [
        "/etc/passwd",
        "../outside.txt:1",
        "src/../../outside.txt:1",
        "src/..",
        "C:\\repo\\a.py:1",
        "\\\\host\\share\\a.py:1",
        "~/.ssh/id_ed25519",
        "",
        "src/client.py:0",
        "src/client.py:0-1",
        "src/client.py:3-2",
        "src/client.py:9-99",
        "src/none.py:1",
        "src",
        "empty.txt:1",
        "escape/secret.txt:1",
        "loop:1",
        "pipe:1",
        "src/client.py#retri",
        "@zzz",
    ],
)
def test_what_cannot_be_cited_is_refused_with_a_hint_and_nothing_is_written(
    run: Stilltrue, repo: Repo, tmp_path: Path, spec: str
) -> None:
    """D16, D19: each row is an error with a hint; not even the store is made."""
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/secret.txt").write_text("secret\n")
    (repo.root / "escape").symlink_to(tmp_path / "outside")
    (repo.root / "loop").symlink_to(repo.root / "loop")
    os.mkfifo(repo.root / "pipe")
    repo.write("empty.txt", "")

    answer = run("remember", "text", "--cite", spec, "--json")

    assert answer.code == 2
    assert answer.error["message"]
    assert answer.error["hint"]
    assert not run.database.exists()


def test_symlinks_that_stay_inside_are_fine(run: Stilltrue, repo: Repo) -> None:
    """D16: a symlink inside to inside, and a root that is reached through one."""
    (repo.root / "link.py").symlink_to(repo.root / "src/client.py")
    (repo.root / "..foo").mkdir()
    repo.write("..foo/a.py", "x = 1\n")
    (repo.root.parent / "alias").symlink_to(repo.root)

    assert run("remember", "one", "--cite", "link.py:4-6").code == 0
    assert run("remember", "two", "--cite", "..foo/a.py:1").code == 0
    assert run("check", cwd=repo.root.parent / "alias").code == 0
    assert len(run("list", "--json", cwd=repo.root.parent / "alias").json["memories"]) == 2


def test_hostile_text_is_shown_harmless(run: Stilltrue) -> None:
    """F43: escape sequences and direction marks of other people's text never reach the terminal."""
    hostile = "red \x1b[31malert\x07 \u202egnp.exe"
    run("remember", hostile, "--cite", "src/client.py:4-6")

    for command in (("list",), ("show", "m1"), ("why", "m1"), ("list", "--all")):
        shown = run(*command).out
        assert "alert" in shown
        assert not set(shown) & {"\x1b", "\x07", "\u202e"}
    assert run("list", "--json").json["memories"][0]["text"] == hostile


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"this is no database" * 100, id="text"),
        pytest.param(b"SQLite format 3\0" + b"\xff" * 5000, id="torn"),
        pytest.param(b"x", id="tiny"),
    ],
)
def test_a_corrupt_store_is_one_clear_error(run: Stilltrue, content: bytes) -> None:
    """F39: told once, and the file is left as it is."""
    run.database.write_bytes(content)

    for command in (("check", "--json"), ("list", "--json"), (*RETRIES, "--json")):
        answer = run(*command)
        assert (answer.code, answer.error["code"]) == (2, "store_corrupt")
        assert answer.err == ""
    assert run.database.read_bytes() == content


def test_no_store_is_made_by_looking(run: Stilltrue) -> None:
    """F5: reading commands on a missing store show no memories and make no file."""
    assert run("check").code == 0
    assert run("list", "--json").json["memories"] == []
    assert run("stats", "--json").json is None
    assert run("doctor").code == 0
    assert run("repo").code == 0
    assert run("show", "m1").code == 2
    assert not run.database.exists()


def test_json_lines_are_answered_one_by_one(run: Stilltrue) -> None:
    """A bad line is answered with its error and stops no other."""
    lines = [
        '{"text": "one", "citations": [{"path": "src/client.py", "start_line": 4, "end_line": 6}]}',
        "not json",
        '{"text": "", "citations": []}',
        '{"text": "far", "citations": [{"path": "src/client.py", "start_line": 4, "end_line": 600}]}',
        '{"text": "two", "subject": "API", "importance": 11}',
        '{"text": "three", "subject": "API", "importance": 9}',
        "[1]",
        '{"text": 5}',
        '{"text": "four", "citations": [{"start_line": 1}]}',
    ] + ['{"text": "many", "citations": [{"path": "docs/api.md"}]}'] * 600

    answer = run("remember", "--stdin", given="\n".join(lines).encode() + b"\n\xff\xfe\n")

    rows = [json.loads(row) for row in answer.out.splitlines()]
    assert answer.code == 2
    assert ["error" in row for row in rows[:9]] == [False, True, True, True, True, False, True, True, True]
    assert len(rows) == len(lines) + 1
    assert "error" in rows[-1]
    assert len(run("list", "--json").json["memories"]) == 602


def test_redact_blanks_for_good(run: Stilltrue) -> None:
    run("remember", "The password is hunter2", "--cite", "src/client.py:9")

    assert run("redact", "m1").code == 0

    stored = run.database.read_bytes()
    assert b"hunter2" not in stored
    assert b"v2.1.4" not in stored
    assert run("list", "--all", "--json").json["memories"][0]["redacted"] is True


def test_purge_asks_for_the_name(run: Stilltrue) -> None:
    run(*RETRIES)

    assert run("purge", "--json").code == 2
    assert run("purge", "--repo", "--json", given="other\n").code == 2
    assert run("purge", "--repo", "--json").code == 2
    assert len(run("list", "--json").json["memories"]) == 1
    assert run("purge", "--repo", given="repo\n").code == 0
    assert run("list", "--json").json["memories"] == []


def test_a_clone_elsewhere_is_offered_and_linked_by_name(run: Stilltrue, repo: Repo, tmp_path: Path) -> None:
    run(*RETRIES)
    clone = tmp_path / "clone"
    repo.run("clone", "-q", str(repo.root), str(clone))

    assert run("list", "--json", cwd=clone).json["memories"] == []
    assert run("repo", "--json", cwd=clone).json["offered"][0]["name"] == "repo"
    assert run("doctor", cwd=clone).code == 1
    assert run("repo", "link", "repo", cwd=clone).code == 0
    assert len(run("list", "--json", cwd=clone).json["memories"]) == 1


def test_worktrees_share_their_memories(run: Stilltrue, repo: Repo, tmp_path: Path) -> None:
    run(*RETRIES)
    repo.run("worktree", "add", "-q", str(tmp_path / "tree"))

    assert len(run("list", "--json", cwd=tmp_path / "tree").json["memories"]) == 1


def test_a_folder_without_git_works_and_is_known_again(run: Stilltrue, tmp_path: Path) -> None:
    folder = tmp_path / "plain"
    folder.mkdir()
    (folder / "a.txt").write_text("one\ntwo\n")

    assert run("remember", "two is second", "--cite", "a.txt:2", cwd=folder).code == 0
    (folder / "a.txt").write_text("one\n2\n")
    assert run("check", cwd=folder).code == 1


def test_wrong_use_says_so_with_a_hint(run: Stilltrue) -> None:
    for arguments in (
        ("nonsense",),
        ("remember",),
        ("reverify",),
        ("check", "--format", "xml"),
        ("check", "--format", "sarif", "--summary"),
        ("--repo", "none", "list"),
    ):
        answer = run(*arguments)
        assert answer.code == 2, arguments
        assert answer.err.startswith("error: "), arguments
        assert "Traceback" not in answer.err


def test_help_lists_every_command_and_each_has_an_example(run: Stilltrue) -> None:
    listed = run("--help").out
    for name in ("remember", "check", "reverify", "supersede", "repoint", "retract", "undo", "why", "doctor"):
        assert name in listed
        assert f"stilltrue {name}" in run(name, "--help").out


def test_the_demo_plays_to_its_end(run: Stilltrue) -> None:
    answer = run("demo")

    assert answer.code == 0, answer.err
    assert "5 memories checked: 2 fresh, 1 stale/content, 1 stale/cosmetic, 1 stale/structural" in answer.out
    assert not run.database.exists()


def test_a_citation_of_another_repository_is_not_found(run: Stilltrue, tmp_path: Path) -> None:
    """Its path means something else here; settling it against this tree would tie it to foreign code."""
    other = Repo.git(tmp_path / "other")
    other.write("src/client.py", "something else\n" * 9)
    run(*RETRIES)
    run("remember", "about the other", "--cite", "src/client.py:1", cwd=other.root)

    assert run("reverify", "c1", "--at", "src/client.py:2-3", cwd=other.root).code == 2
    assert run("repoint", "c1", "src/client.py:2-3", cwd=other.root).code == 2
    assert run("why", "m1", "--json").json["generations"][-1]["generation"] == 1


def test_what_expired_is_counted_and_not_judged(run: Stilltrue, repo: Repo) -> None:
    """F21"""
    run(*RETRIES, "--expires", "2020-01-01")
    edit(repo, "range(5)", "range(7)")

    told = run("check", "--format", "json")

    assert told.code == 0
    assert told.json["memories"] == []
    assert told.json["skipped"] == [{"what": "memories", "why": "expired", "count": 1}]
