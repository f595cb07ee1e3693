"""Memories out of Markdown: what is taken, what is refused and why, and that nothing is doubled."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from stilltrue.errors import InputError
from stilltrue.model.citation import Place, Span
from stilltrue.model.memory import Memory, Origin, Trust
from stilltrue.model.verdict import Freshness
from stilltrue.services import history, importing, settle
from stilltrue.services.check import check
from stilltrue.services.importing import ImportReport, default_files, import_files
from stilltrue.services.remember import Request
from stilltrue.services.workspace import Surroundings, Workspace
from stilltrue.source.files import FileText, Overlay, Texts
from support.clock import FakeClock
from support.repo import Repo

Import = Callable[..., ImportReport]

AGENTS = """\
# For agents

## Retries

- Retries stop after 5 attempts (`src/client.py:4-6`).
- The version stands in [client.py](src/client.py#L9), old: src/old.py:3

Nothing is said of code here.
"""
RETRIES = "Retries stop after 5 attempts (src/client.py:4-6)."


@pytest.fixture
def take(repo: Repo, workspace: Workspace) -> Import:
    """Imports AGENTS.md, or other files of the repository."""
    repo.write("AGENTS.md", AGENTS)

    def taken(*names: str, dry_run: bool = False, texts: Texts | None = None) -> ImportReport:
        files = [repo.root / name for name in names or ("AGENTS.md",)]
        return import_files(workspace, files, dry_run=dry_run, texts=texts)

    return taken


def texts_of(workspace: Workspace) -> list[str]:
    return [each.memory.text for each in history.live(workspace)]


def whys(report: ImportReport) -> list[str]:
    return [each.why for each in report.refused]


def memory(report: ImportReport, at: int = 0) -> Memory:
    found = report.found[at].memory
    assert found is not None
    return found


def test_each_block_that_names_lines_becomes_a_memory_that_is_checked(
    take: Import, workspace: Workspace, repo: Repo
) -> None:
    report = take()

    assert [(each.text, each.subject, each.line) for each in report.found] == [
        (RETRIES, "Retries", 5),
        ("The version stands in client.py, old: src/old.py:3", "Retries", 6),
    ]
    assert report.found[0].places == (Place("src/client.py", Span(4, 6)),)
    assert (report.imported, report.known) == (2, 0)
    assert whys(report) == ["src/old.py does not exist"]
    repo.write("src/client.py", (repo.root / "src/client.py").read_text().replace("range(5)", "range(7)"))
    verdicts = {one.memory.text: one.verdict.freshness for one in check(workspace).memories}
    assert verdicts == {RETRIES: Freshness.STALE, report.found[1].text: Freshness.FRESH}


def test_an_import_did_not_read_the_code_so_its_memories_are_candidates(take: Import) -> None:
    kept = memory(take())

    assert (kept.trust, kept.source_ref, kept.origin) == (Trust.CANDIDATE, "AGENTS.md:5", Origin.DISK)


def test_its_citations_know_the_commit_they_were_read_at(take: Import, workspace: Workspace) -> None:
    take()

    (citation,) = settle.find_citations(workspace, "m1")[1]

    assert citation.commit == workspace.git.head()


def test_a_dry_run_finds_the_same_writes_nothing_and_makes_no_store(take: Import, database: Path) -> None:
    looked = take(dry_run=True)

    assert not database.exists()
    assert (looked.imported, looked.known) == (0, 0)
    done = take()
    assert [(each.text, each.places) for each in looked.found] == [
        (each.text, each.places) for each in done.found
    ]
    assert [each.memory for each in looked.found] == [None, None]
    again = take(dry_run=True)
    assert (again.imported, again.known) == (0, 2)
    assert memory(again) == memory(done)


def test_no_store_is_made_where_nothing_is_found(take: Import, repo: Repo, database: Path) -> None:
    repo.write("notes.md", "Nothing, or src/none.py:1")

    report = take("notes.md")

    assert (report.imported, report.found, whys(report)) == (0, (), ["src/none.py does not exist"])
    assert not database.exists()


def test_doing_it_twice_doubles_nothing(take: Import, workspace: Workspace) -> None:
    first = take()
    again = take()

    assert (again.imported, again.known) == (0, 2)
    assert [each.memory for each in again.found] == [each.memory for each in first.found]
    assert len(texts_of(workspace)) == 2


def test_what_was_retracted_or_superseded_since_stays_away(take: Import, workspace: Workspace) -> None:
    take()
    settle.retract(workspace, ["m1"])
    settle.supersede(workspace, "m2", Request(text="The version is v2.1.4"))

    again = take()

    assert (again.imported, again.known) == (0, 2)
    assert all(each.has_ended for each in again.found)
    assert texts_of(workspace) == ["The version is v2.1.4"]


def test_an_import_is_one_act_and_what_undo_took_back_is_imported_again(
    take: Import, workspace: Workspace
) -> None:
    for _ in range(3):
        assert take().imported == 2
        assert take().imported == 0
        assert settle.undo(workspace).kind == "import"
        assert texts_of(workspace) == []

    assert take().imported == 2


def test_what_was_purged_is_imported_again(take: Import, workspace: Workspace) -> None:
    take()
    with workspace.writing() as (connection, repository, _):
        from stilltrue.store import privacy  # noqa: PLC0415 - below the services

        privacy.purge_repository(connection, repository)

    assert take().imported == 2


def test_lines_that_moved_do_not_make_a_block_new(take: Import, repo: Repo, workspace: Workspace) -> None:
    take()
    repo.write("AGENTS.md", "# Another title\n\nA line more.\n\n" + AGENTS)
    repo.write("src/client.py", b"# above\n" + (repo.root / "src/client.py").read_bytes())

    assert take().imported == 0
    assert len(texts_of(workspace)) == 2


def test_a_block_that_was_rewritten_is_a_new_memory(take: Import, repo: Repo, workspace: Workspace) -> None:
    take()
    repo.write("AGENTS.md", AGENTS.replace("after 5", "after five"))

    report = take()

    assert (report.imported, report.known) == (1, 1)
    assert len(texts_of(workspace)) == 3


def test_a_refused_place_that_comes_to_exist_does_not_double_its_block(take: Import, repo: Repo) -> None:
    take()
    repo.write("src/old.py", "a\nb\nc\n")

    report = take()

    assert (report.imported, report.known, whys(report)) == (0, 2, [])


def test_copies_for_several_agents_are_one(take: Import, repo: Repo, workspace: Workspace) -> None:
    for name in ("CLAUDE.md", ".github/copilot-instructions.md"):
        repo.write(name, AGENTS)

    report = take("AGENTS.md", "CLAUDE.md", ".github/copilot-instructions.md", "AGENTS.md")

    assert (report.imported, len(report.found), len(report.refused)) == (2, 2, 1)
    assert report.found[0].source == "AGENTS.md"
    for name in ("AGENTS.md", "CLAUDE.md", ".github/copilot-instructions.md"):
        assert take(name).imported == 0
    assert len(texts_of(workspace)) == 2


def test_the_same_words_in_two_folders_may_be_about_two_files(take: Import, repo: Repo) -> None:
    for folder in ("a", "b"):
        repo.write(f"{folder}/x.py", "x = 1\n")
        repo.write(f"{folder}/README.md", "It begins at `./x.py:1`.\n")

    report = take("a/README.md", "b/README.md")

    assert [each.places[0].path for each in report.found] == ["a/x.py", "b/x.py"]
    assert report.imported == 2


def test_two_repositories_in_one_store_know_nothing_of_each_other(
    take: Import, tmp_path: Path, open_at: Callable[[Path], Workspace]
) -> None:
    take()
    other = Repo.git(tmp_path / "other")
    other.write("src/client.py", "\n".join("abcdefghi"))
    other.write("AGENTS.md", AGENTS)

    assert import_files(open_at(other.root), [Path("AGENTS.md")], dry_run=False).imported == 2


def test_an_agent_and_a_person_do_not_double_each_other(
    take: Import, repo: Repo, database: Path, clock: FakeClock
) -> None:
    take()
    surroundings = Surroundings(os.environ, database=str(database), agent="an-agent")
    other = Workspace(repo.root, surroundings, clock=clock)

    report = import_files(other, [repo.root / "AGENTS.md"], dry_run=False)
    other.close()

    assert (report.imported, report.known) == (0, 2)


@pytest.mark.parametrize(
    ("written", "why"),
    [
        ("src/old.py:3", "src/old.py does not exist"),
        ("../x/old.py:3", "../x/old.py does not exist"),
        ("/src/old.py:3", "/src/old.py does not exist"),
        ("src/client.py:10", "src/client.py has 9 lines"),
        ("src/client.py:9-10", "src/client.py has 9 lines"),
        ("src/one.py:2", "src/one.py has 1 line"),
        ("src/empty.py:1", "src/empty.py is empty"),
        ("src/client.py:0", "src/client.py: line 0 does not exist"),
        ("src/client.py:3-2", "src/client.py: lines 3-2 end before they start"),
        ("LICENSE:7", "LICENSE has 1 line"),
        ("src/raw.bin:1", "src/raw.bin is no text"),
        ("src/lfs.py:1", "src/lfs.py was not fetched by git-lfs"),
        ("src/huge.py:1", "src/huge.py is larger than max_file_bytes"),
        ("src/folder.py:1", "src/folder.py is no regular file"),
        ("src/outside.py:1", "src/outside.py leads outside the repository"),
        ("../../outside.py:1", "../../outside.py lies outside the repository"),
        ("~/outside.py:1", "the path '~/outside.py' points at a home folder"),
    ],
)
def test_a_place_that_cannot_be_cited_is_refused_with_a_plain_reason(
    take: Import, repo: Repo, written: str, why: str
) -> None:
    """The other places of its block still count."""
    repo.write("../outside.py", "x = 1\n")
    repo.write("src/one.py", "x = 1")
    repo.write("src/empty.py", "")
    repo.write("LICENSE", "MIT\n")
    repo.write("src/raw.bin", b"\0\1\2\n")
    repo.write("src/lfs.py", b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n")
    (repo.root / "src/folder.py").mkdir()
    (repo.root / "src/outside.py").symlink_to(repo.root.parent / "outside.py")
    with (repo.root / "src/huge.py").open("wb") as huge:
        huge.truncate(50 * 1024 * 1024)
    repo.write("docs/notes.md", f"It starts at src/client.py:4, ends at `{written}`.\n")

    report = take("docs/notes.md")

    assert whys(report) == [why]
    assert [each.places for each in report.found] == [(Place("src/client.py", Span(4, 4)),)]
    assert report.refused[0].line == 1


@pytest.mark.parametrize("written", ["localhost:3000", "foo.com:443", "Note:5", "src:3", "LICENSE:3", "C:3"])
def test_what_may_be_something_else_is_passed_over_in_silence(take: Import, repo: Repo, written: str) -> None:
    repo.write("notes.md", f"See `{written}`.\n")

    report = take("notes.md")

    assert (report.found, report.refused) == ((), ())


def test_a_name_without_an_extension_is_a_place_where_there_is_such_a_file(take: Import, repo: Repo) -> None:
    repo.write("Makefile", "all:\n\ttrue\n")
    repo.write("notes.md", "The default target does nothing (Makefile:1-2).\n")

    assert take("notes.md").found[0].places == (Place("Makefile", Span(1, 2)),)


@pytest.mark.parametrize(
    ("written", "path"),
    [
        ("a.py:1", "a.py"),
        ("./a.py:1", "docs/a.py"),
        ("[it](a.py#L1)", "docs/a.py"),
        ("[it](/a.py#L1)", "a.py"),
        ("../a.py:1", "a.py"),
        ("[it](src/client.py#L1)", "src/client.py"),
        ("b.py:1", "docs/b.py"),
        ("@a.py:1", "a.py"),
        (r"src\client.py:1", "src/client.py"),
    ],
)
def test_a_path_is_taken_from_the_root_or_from_the_file_that_names_it(
    take: Import, repo: Repo, written: str, path: str
) -> None:
    for name in ("a.py", "docs/a.py", "docs/b.py"):
        repo.write(name, "x = 1\n")
    repo.write("docs/notes.md", f"See {written} for it.\n")

    assert [each.places[0].path for each in take("docs/notes.md").found] == [path]


@pytest.mark.parametrize(
    ("markdown", "why"),
    [
        ("# Retries `src/client.py:4`", "a place in a heading is not taken; write it into the text below"),
        ("- `src/client.py:4`", "only the place stands here; say what holds there"),
        ("x" * 100_001 + " src/client.py:4", "text has 100017 characters, more than 100000"),
    ],
    ids=["heading", "nothing said", "too long"],
)
def test_a_block_that_is_no_memory_is_refused_with_a_plain_reason(
    take: Import, repo: Repo, markdown: str, why: str
) -> None:
    repo.write("notes.md", markdown)

    report = take("notes.md")

    assert (whys(report), report.found) == ([why], ())


def test_without_a_heading_the_subject_is_the_first_place(take: Import, repo: Repo) -> None:
    repo.write("notes.md", "See src/client.py:4.\n")
    repo.write("long.md", f"# {'x' * 2000}\n\nSee src/client.py:4, too.\n")

    assert memory(take("notes.md")).subject == "src/client.py"
    assert memory(take("long.md")).subject == "x" * 1000


@pytest.mark.parametrize(
    "data",
    [
        b"\xef\xbb\xbfSee src/client.py:4\r\nfor it.\r\n",
        b"See src/client.py:4\rfor it.",
        b"See src/client.py:4 for it.\n\nLatin: \xfc\xff src/\xfc.py:1\n",
    ],
    ids=["byte-order mark and CRLF", "CR", "no UTF-8"],
)
def test_markdown_is_read_whatever_its_bytes(take: Import, repo: Repo, data: bytes) -> None:
    repo.write("notes.md", data)

    assert take("notes.md").found[0].text == "See src/client.py:4 for it."


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("none.md", "none.md does not exist"),
        ("src", "src is no regular file"),
        (".", "is a folder"),
        ("../outside.md", "lies outside"),
        ("link.md", "link.md leads outside the repository"),
        ("huge.md", "huge.md is larger than max_file_bytes"),
        ("wide.md", "wide.md is no text in UTF-8"),
    ],
)
def test_a_file_that_cannot_be_read_ends_it_before_anything_is_written(
    take: Import, repo: Repo, database: Path, name: str, says: str
) -> None:
    repo.write("../outside.md", AGENTS)
    (repo.root / "link.md").symlink_to(repo.root.parent / "outside.md")
    repo.write("wide.md", AGENTS.encode("utf-16"))
    with (repo.root / "huge.md").open("wb") as huge:
        huge.truncate(50 * 1024 * 1024)

    with pytest.raises(InputError, match=says) as caught:
        take("AGENTS.md", name)

    assert caught.value.hint
    assert not database.exists()


def test_open_buffers_count_for_markdown_and_for_code(take: Import, workspace: Workspace) -> None:
    above = {
        "AGENTS.md": FileText(
            data=b"It begins at src/new.py:2 and src/client.py:4.\n\nEnd: src/client.py:9\n"
        ),
        "src/new.py": FileText(data=b"one\ntwo\n"),
    }

    report = take(texts=Overlay(workspace.fresh_tree(), above))

    assert [each.text for each in report.found] == [
        "It begins at src/new.py:2 and src/client.py:4.",
        "End: src/client.py:9",
    ]
    assert [memory(report, at).origin for at in (0, 1)] == [Origin.BUFFER, Origin.DISK]
    origins = [each.origin for name in ("m1", "m2") for each in settle.find_citations(workspace, name)[1]]
    assert origins == [Origin.BUFFER, Origin.BUFFER, Origin.DISK]


def test_by_default_it_reads_what_agents_are_told(repo: Repo, workspace: Workspace) -> None:
    for name in ("README.md", "AGENTS.md", ".cursor/rules/b.mdc", ".cursor/rules/a.md", "docs/x.md"):
        repo.write(name, f"{name}\n")
    (repo.root / "CLAUDE.md").symlink_to("AGENTS.md")
    repo.write("../GEMINI.md", "outside\n")
    (repo.root / "GEMINI.md").symlink_to(repo.root.parent / "GEMINI.md")
    (repo.root / "CONTRIBUTING.md").mkdir()

    found = [file.relative_to(workspace.root).as_posix() for file in default_files(workspace)]

    assert found == ["AGENTS.md", ".cursor/rules/a.md", ".cursor/rules/b.mdc", "README.md"]
    assert import_files(workspace, default_files(workspace), dry_run=True).sources == tuple(found)


def test_the_answer_for_programs(take: Import) -> None:
    take()

    assert take(dry_run=True).to_json() == {
        "imported": 0,
        "known": 2,
        "found": [
            {
                "text": RETRIES,
                "source": "AGENTS.md",
                "line": 5,
                "places": [{"path": "src/client.py", "startLine": 4, "endLine": 6}],
                "id": "m1",
            },
            {
                "text": "The version stands in client.py, old: src/old.py:3",
                "source": "AGENTS.md",
                "line": 6,
                "places": [{"path": "src/client.py", "startLine": 9, "endLine": 9}],
                "id": "m2",
            },
        ],
        "refused": [
            {
                "text": "The version stands in client.py, old: src/old.py:3",
                "source": "AGENTS.md",
                "line": 6,
                "why": "src/old.py does not exist",
            }
        ],
    }


def test_thousands_of_blocks_are_one_import(take: Import, repo: Repo, workspace: Workspace) -> None:
    rows = [f"- Fact {number} about src/client.py:{1 + number % 9}\n" for number in range(1000)]
    repo.write("notes.md", "".join(rows))

    assert take("notes.md").imported == 1000
    assert take("notes.md").known == 1000
    settle.undo(workspace)
    assert texts_of(workspace) == []
    assert importing.import_files(workspace, [Path("notes.md")], dry_run=True).known == 0
