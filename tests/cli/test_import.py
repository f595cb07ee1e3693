"""`stilltrue import`: a newcomer's memories in a minute, out of what is written already."""

from __future__ import annotations

import json

import pytest

from support.cli import Stilltrue
from support.repo import Repo

AGENTS = """\
# For agents

- Retries stop after 5 attempts (`src/client.py:4-6`).
- Old: src/old.py:3 and src/older.py:4
"""
RETRIES = "Retries stop after 5 attempts (src/client.py:4-6)."


@pytest.fixture
def agents(run: Stilltrue, repo: Repo) -> Stilltrue:
    repo.write("AGENTS.md", AGENTS)
    return run


def test_from_a_file_for_agents_to_a_stale_memory(agents: Stilltrue, repo: Repo) -> None:
    looked = agents("import", "--dry-run")
    assert looked.code == 0
    assert "1 memory would be remembered, 2 places left out; nothing was written" in looked.out
    assert "$ stilltrue import\n" in looked.out
    assert not agents.database.exists()

    done = agents("import")
    assert done.code == 0
    assert [row.split() for row in done.out.splitlines()[:2]] == [
        ["m1", *RETRIES.split()],
        ["src/client.py:4-6", "from", "AGENTS.md:3"],
    ]
    assert "1 memory remembered, 2 places left out" in done.out

    file = repo.root / "src/client.py"
    file.write_text(file.read_text().replace("range(5)", "range(7)"))
    checked = agents("check")
    assert checked.code == 1
    assert RETRIES in checked.out


def test_what_was_left_out_is_told_with_its_reasons(agents: Stilltrue) -> None:
    rows = agents("import", "--dry-run").out.splitlines()

    assert "left out  Old: src/old.py:3 and src/older.py:4" in rows
    assert "          src/old.py does not exist; src/older.py does not exist  from AGENTS.md:4" in rows


def test_a_second_run_says_what_was_imported_before(agents: Stilltrue) -> None:
    agents("import")

    again = agents("import")
    assert again.code == 0
    assert "0 memories remembered, 1 imported before" in again.out
    agents("retract", "m1")
    assert "imported before and ended since" in agents("import", "AGENTS.md").out
    assert agents("list", "--json").json["memories"] == []


def test_undo_takes_the_whole_import_back(agents: Stilltrue, repo: Repo) -> None:
    repo.write("notes.md", "One: src/client.py:1\n\nTwo: src/client.py:4\n")
    assert agents("import", "notes.md", "AGENTS.md", "--json").json["imported"] == 3

    assert agents("undo", "--json").json["undone"] == "import"

    assert agents("list", "--json").json["memories"] == []
    assert agents("import", "notes.md", "--json").json["imported"] == 2


def test_the_shape_for_programs(agents: Stilltrue) -> None:
    told = agents("import", "--json").json

    text = "Old: src/old.py:3 and src/older.py:4"
    assert told == {
        "imported": 1,
        "known": 0,
        "found": [
            {
                "text": RETRIES,
                "source": "AGENTS.md",
                "line": 3,
                "places": [{"path": "src/client.py", "startLine": 4, "endLine": 6}],
                "id": "m1",
            }
        ],
        "refused": [
            {"text": text, "source": "AGENTS.md", "line": 4, "why": f"src/{name}.py does not exist"}
            for name in ("old", "older")
        ],
    }
    again = agents("import", "--dry-run", "--json").json
    assert again == {**told, "imported": 0, "known": 1}


def test_a_repository_with_nothing_to_read_is_told_what_would_be_read(run: Stilltrue) -> None:
    answer = run("import")

    assert answer.code == 0
    assert "AGENTS.md, CLAUDE.md, GEMINI.md" in answer.out
    assert "stilltrue import FILE" in answer.out
    assert "`src/client.py:12-14`" in answer.out
    assert run("import", "--json").json == {"imported": 0, "known": 0, "found": [], "refused": []}
    assert not run.database.exists()


def test_a_file_that_names_no_place_is_answered_with_how_a_place_is_written(run: Stilltrue) -> None:
    answer = run("import", "docs/api.md")

    assert answer.code == 0
    assert "no place in the code is named in docs/api.md" in answer.out
    assert "- Retries stop after 5 attempts (`src/client.py:12-14`)." in answer.out


def test_the_example_that_teaches_is_one_that_works(run: Stilltrue, repo: Repo) -> None:
    repo.write("src/client.py", "\n".join(map(str, range(20))))
    taught = run("import", "docs/api.md").out.partition("\n\n")[2]
    repo.write("notes.md", "\n".join(row.strip() for row in taught.splitlines()))

    assert run("import", "notes.md", "--json").json["imported"] == 2


def test_files_are_taken_from_the_folder_one_stands_in(agents: Stilltrue, repo: Repo) -> None:
    repo.write("docs/it.md", "It starts at `src/client.py:4`.\n")

    answer = agents("import", "it.md", "../AGENTS.md", "--dry-run", cwd=repo.root / "docs")

    assert "../src/client.py:4" not in answer.out
    assert "src/client.py:4  from it.md:1" in answer.out
    assert "2 memories would be remembered" in answer.out
    assert "$ stilltrue import it.md ../AGENTS.md\n" in answer.out


@pytest.mark.parametrize("name", ["none.md", "src", "..", "/etc/hosts", "wide.md", ""])
def test_a_file_that_cannot_be_read_is_refused_and_nothing_written(
    agents: Stilltrue, repo: Repo, name: str
) -> None:
    repo.write("wide.md", AGENTS.encode("utf-16"))

    answer = agents("import", "AGENTS.md", name, "--json")

    assert (answer.code, answer.error["code"]) == (2, "bad_input")
    assert answer.error["hint"]
    assert not agents.database.exists()


def test_hostile_markdown_is_shown_harmless(run: Stilltrue, repo: Repo) -> None:
    """F43: in what is remembered, in what is left out and in file names."""
    name = "a\x1b]0;x\x07.md"
    repo.write(
        name,
        "\x1b[31mRed\u202e src/client.py:4\n\n- \x9bno src/\x1bno\u202e.py:1\n\n# \x07 src/client.py:1\n",
    )

    for answer in (run("import", name, "--dry-run"), run("import", name), run("list"), run("show", "m1")):
        assert answer.code == 0
        assert not set(answer.out + answer.err) & {"\x1b", "\x07", "\x9b", "\u202e"}, answer


def test_a_link_cannot_run_anything_it_is_words(run: Stilltrue, repo: Repo) -> None:
    """F43: neither HTML nor a `command:` link comes through; what is left is text."""
    repo.write("notes.md", "[run](command:x?%5B%5D) <img src=x onerror=y> at [it](src/client.py#L4)\n")

    assert run("import", "notes.md", "--json").json["found"][0]["text"] == "run at it"


def test_as_a_process_with_json_lines_that_stay_whole(agents: Stilltrue) -> None:
    answer = agents.process("import", "--json")

    assert answer.code == 0
    assert json.loads(answer.out)["imported"] == 1
    assert answer.out.count("\n") == 1


def test_two_imports_at_once_double_nothing(run: Stilltrue, repo: Repo) -> None:
    repo.write("AGENTS.md", "".join(f"- Fact {number} of src/client.py:{number}\n" for number in range(1, 9)))

    started = [run.start("import", "--json") for _ in range(3)]
    told = [json.loads(process.communicate(timeout=60)[0]) for process in started]

    assert sorted(each["imported"] + each["known"] for each in told) == [8, 8, 8]
    assert sum(each["imported"] for each in told) == 8
    assert len(run("list", "--json").json["memories"]) == 8
