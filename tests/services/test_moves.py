"""Cited text that left its file, looked for in the others: what proves a move, what it costs (D11, D13)."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from stilltrue.model.citation import Place, Span
from stilltrue.model.verdict import CitationVerdict, Reason, Verdict
from stilltrue.services import history, overview, settle
from stilltrue.services.check import check
from stilltrue.services.memory_rows import row_of
from stilltrue.services.overview import Cancelled
from stilltrue.services.recording import parse_spec
from stilltrue.services.remember import Remembered, Request, remember
from stilltrue.services.workspace import Surroundings, Workspace
from stilltrue.source.files import FileText, Overlay
from support.repo import Repo

RETRY = "def retry(call):\n    for attempt in range(5):\n        call(attempt)\n"
CLIENT = f'import os\n\n\n{RETRY}\n\nAPI_VERSION = "v2.1.4"\n'
OTHER = "def other(value):\n    return value + 1\n"

Keep = Callable[..., Remembered]
Open = Callable[[Path], Workspace]


def verdict(workspace: Workspace, texts: Overlay | None = None) -> CitationVerdict:
    """The verdict on the one citation there is."""
    (memory,) = check(workspace, texts=texts).memories
    (cited,) = memory.citations
    return cited.verdict


def place(path: str, start: int, end: int) -> Place:
    return Place(path, Span(start, end))


def forgotten(repo: Repo, path: str) -> None:
    (repo.root / path).unlink()


def test_a_renamed_file_takes_its_citations_along(workspace: Workspace, repo: Repo, keep: Keep) -> None:
    """D11: however the rename was made."""
    keep("retries stop after 5", "src/client.py:4-6")
    (repo.root / "src/client.py").rename(repo.root / "src/http.py")
    by_hand = verdict(workspace)
    repo.run("add", "-A")
    staged = verdict(workspace)
    repo.commit("renamed")

    assert by_hand == staged == verdict(workspace)
    assert (by_hand.verdict, by_hand.reason) == (Verdict.MOVED, Reason.OTHER_FILE)
    assert by_hand.new == place("src/http.py", 4, 6)


def test_a_file_split_in_two_is_followed_into_both(workspace: Workspace, repo: Repo, keep: Keep) -> None:
    repo.write("src/client.py", CLIENT + "DEFAULT_TIMEOUT_SECONDS = 30\n")
    repo.commit("a limit")
    keep("retries stop after 5", "src/client.py:4-6", "src/client.py:10")
    forgotten(repo, "src/client.py")
    repo.write("src/retrying.py", f"# part one\n{RETRY}")
    repo.write("src/limits.py", "DEFAULT_TIMEOUT_SECONDS = 30\n")

    (memory,) = check(workspace).memories

    assert [each.verdict.new for each in memory.citations] == [
        place("src/retrying.py", 2, 4),
        place("src/limits.py", 1, 1),
    ]
    assert memory.verdict.label == "fresh"


def test_a_module_that_became_a_package_is_followed(workspace: Workspace, repo: Repo, keep: Keep) -> None:
    keep("retries stop after 5", "src/client.py:4-6")
    repo.rename("src/client.py", "src/client/__init__.py")

    assert verdict(workspace).new == place("src/client/__init__.py", 4, 6)


def test_only_the_function_moved(workspace: Workspace, repo: Repo, keep: Keep) -> None:
    keep("retries stop after 5", "src/client.py:4-6")
    repo.write("src/client.py", CLIENT.replace(RETRY, "from retrying import retry\n"))
    repo.write("src/retrying.py", f"{OTHER}\n\n{RETRY}")

    assert verdict(workspace).new == place("src/retrying.py", 5, 7)


def test_a_copy_whose_original_changed_is_no_move(workspace: Workspace, repo: Repo, keep: Keep) -> None:
    """D13: copy a function to another file and edit the original."""
    keep("retries stop after 5", "src/client.py:4-6")
    repo.write("src/client.py", CLIENT.replace("range(5)", "range(7)"))
    repo.write("src/http.py", RETRY)

    seen = verdict(workspace)

    assert (seen.verdict, seen.reason) == (Verdict.STALE, Reason.TEXT_CHANGED)
    assert seen.candidates == (place("src/http.py", 1, 3),)


def test_of_two_files_that_hold_it_none_is_guessed(workspace: Workspace, repo: Repo, keep: Keep) -> None:
    keep("retries stop after 5", "src/client.py:4-6")
    forgotten(repo, "src/client.py")
    repo.write("src/b.py", RETRY)
    repo.write("src/a.py", f"# a\n{RETRY}")

    seen = verdict(workspace)

    assert (seen.verdict, seen.reason, seen.new) == (Verdict.MOVED, Reason.AMBIGUOUS, None)
    assert seen.candidates == (place("src/a.py", 2, 4), place("src/b.py", 1, 3))


def test_a_copy_that_was_there_before_proves_nothing(workspace: Workspace, repo: Repo, keep: Keep) -> None:
    repo.write("src/http.py", RETRY)
    repo.commit("a copy")
    keep("retries stop after 5", "src/client.py:4-6")
    forgotten(repo, "src/client.py")

    seen = verdict(workspace)

    assert (seen.verdict, seen.reason) == (Verdict.STALE, Reason.FILE_MISSING)
    assert seen.candidates == (place("src/http.py", 1, 3),)


def test_one_copy_more_than_before_may_be_either(workspace: Workspace, repo: Repo, keep: Keep) -> None:
    repo.write("src/http.py", RETRY)
    repo.commit("a copy")
    keep("retries stop after 5", "src/client.py:4-6")
    forgotten(repo, "src/client.py")
    repo.write("src/http.py", f"{RETRY}\n\n{RETRY}")

    assert verdict(workspace).reason is Reason.AMBIGUOUS


def test_what_was_moved_stays_moved_when_its_old_path_is_taken_again(
    workspace: Workspace, repo: Repo, keep: Keep
) -> None:
    keep("retries stop after 5", "src/client.py:4-6")
    repo.rename("src/client.py", "src/http.py")
    repo.write("src/client.py", OTHER)

    assert verdict(workspace).new == place("src/http.py", 4, 6)


def test_without_a_recorded_commit_nobody_knows_what_was_there(open_at: Open, tmp_path: Path) -> None:
    """Design 4: a candidate in another file is ambiguous then, in git or without."""
    plain = Repo(tmp_path / "plain")
    plain.write("a.py", CLIENT)
    workspace = open_at(plain.root)
    remember(workspace, Request(text="retries", citations=(parse_spec("a.py:4-6"),)))
    (plain.root / "a.py").rename(plain.root / "b.py")

    seen = verdict(workspace)

    assert (seen.verdict, seen.reason, seen.new) == (Verdict.MOVED, Reason.AMBIGUOUS, None)
    assert seen.candidates == (place("b.py", 4, 6),)


def test_uncommitted_text_has_no_recorded_commit(workspace: Workspace, repo: Repo, keep: Keep) -> None:
    repo.write("src/client.py", CLIENT + "# not committed\n")
    keep("retries stop after 5", "src/client.py:4-6")
    (repo.root / "src/client.py").rename(repo.root / "src/http.py")

    assert verdict(workspace).reason is Reason.AMBIGUOUS


def test_a_commit_that_is_not_there_any_more_proves_nothing(
    workspace: Workspace, repo: Repo, keep: Keep
) -> None:
    keep("retries stop after 5", "src/client.py:4-6")
    repo.rename("src/client.py", "src/http.py")
    shutil.rmtree(repo.root / ".git")
    repo.run("init", "-q", "-b", "main")
    repo.commit("anew")

    assert verdict(workspace).reason is Reason.AMBIGUOUS


def test_a_duplicate_that_was_renamed_is_no_new_copy(workspace: Workspace, repo: Repo, keep: Keep) -> None:
    """What git calls a renamed file held its copy all along."""
    repo.write("src/http.py", f"{RETRY}{OTHER}")
    repo.commit("a copy")
    keep("retries stop after 5", "src/client.py:4-6")
    forgotten(repo, "src/client.py")
    repo.rename("src/http.py", "src/web.py")

    seen = verdict(workspace)

    assert (seen.reason, seen.candidates) == (Reason.FILE_MISSING, (place("src/web.py", 1, 3),))


def test_where_a_duplicate_went_missing_too_it_cannot_be_told_which_this_is(
    workspace: Workspace, repo: Repo, keep: Keep
) -> None:
    repo.write("src/http.py", f"{RETRY}{OTHER}")
    repo.commit("a copy")
    keep("retries stop after 5", "src/client.py:4-6")
    forgotten(repo, "src/client.py")
    (repo.root / "src/http.py").rename(repo.root / "src/web.py")

    assert verdict(workspace).reason is Reason.AMBIGUOUS


def test_of_several_copies_the_one_in_the_renamed_file_is_meant(
    workspace: Workspace, repo: Repo, keep: Keep
) -> None:
    """D11: also where it was committed and renamed once more since."""
    keep("retries stop after 5", "src/client.py:4-6")
    repo.rename("src/client.py", "src/http.py")
    repo.commit("renamed")
    repo.rename("src/http.py", "src/web.py")
    repo.write("src/another.py", RETRY)

    assert verdict(workspace).new == place("src/web.py", 4, 6)


def test_a_renamed_folder_tells_which_of_its_copies_is_which(
    workspace: Workspace, repo: Repo, keep: Keep
) -> None:
    """D11: also before git was told of it, and where the lines stand twice in the file."""
    repo.write("src/http.py", f"{OTHER}\n\n{RETRY}\n\n{RETRY}")
    repo.commit("copies")
    keep("retries stop after 5", "src/client.py:4-6", "src/http.py:5-7", "src/http.py:10-12")
    (repo.root / "src").rename(repo.root / "lib")

    (memory,) = check(workspace).memories

    assert [each.verdict.new for each in memory.citations] == [
        place("lib/client.py", 4, 6),
        place("lib/http.py", 5, 7),
        place("lib/http.py", 10, 12),
    ]


def test_a_renamed_file_that_lost_the_lines_is_not_where_they_went(
    workspace: Workspace, repo: Repo, keep: Keep
) -> None:
    repo.write("src/client.py", OTHER * 9 + CLIENT)
    repo.commit("long")
    keep("retries stop after 5", "src/client.py:22-24")
    repo.rename("src/client.py", "src/http.py")
    repo.write("src/http.py", OTHER * 9)
    repo.write("src/retrying.py", RETRY)
    repo.run("add", "-A")

    assert verdict(workspace).new == place("src/retrying.py", 1, 3)


def test_ignored_files_are_not_searched(workspace: Workspace, repo: Repo, keep: Keep) -> None:
    keep("retries stop after 5", "src/client.py:4-6")
    repo.write(".gitignore", "build/\n")
    forgotten(repo, "src/client.py")
    repo.write("build/client.py", CLIENT)

    seen = verdict(workspace)

    assert (seen.reason, seen.candidates) == (Reason.FILE_MISSING, ())


def test_a_link_to_a_file_is_no_second_copy(workspace: Workspace, repo: Repo, keep: Keep) -> None:
    keep("retries stop after 5", "src/client.py:4-6")
    repo.rename("src/client.py", "src/http.py")
    (repo.root / "src/link.py").symlink_to("http.py")

    assert verdict(workspace).new == place("src/http.py", 4, 6)


def test_poor_lines_are_followed_only_beside_an_equal_line(
    workspace: Workspace, repo: Repo, keep: Keep
) -> None:
    """Design 4: a brace or `return x` proves a move only together with its neighbour."""
    repo.write("src/poor.py", "def a_function_with_a_name():\n    x = 1\n    return x\n")
    repo.commit("poor")
    keep("it is one", "src/poor.py:2")
    forgotten(repo, "src/poor.py")
    repo.write("src/far.py", "def another_function_here():\n    x = 1\n    print()\n")
    alone = verdict(workspace)
    repo.write("src/far.py", "def a_function_with_a_name():\n    x = 1\n    print()\n")

    assert (alone.reason, alone.candidates) == (Reason.FILE_MISSING, ())
    assert verdict(workspace).new == place("src/far.py", 2, 2)


@pytest.mark.parametrize("is_edited", [False, True])
def test_a_poor_line_goes_along_with_its_file(
    workspace: Workspace, repo: Repo, keep: Keep, *, is_edited: bool
) -> None:
    """D11: git tells of the rename; there, between both its neighbours, the line is the cited one."""
    body = "def size(box):\n    if box:\n        x = 1\n    else:\n        x = 0\n    return x\n"
    repo.write("src/poor.py", CLIENT + body)
    repo.write("src/twin.py", body.replace("size(box)", "weight(box)"))
    repo.commit("poor")
    number = CLIENT.count("\n") + 4
    keep("nothing has no size", f"src/poor.py:{number}")
    (repo.root / "src/poor.py").unlink()
    repo.write("src/rich.py", CLIENT + (body.replace("x = 0", "x = -1") if is_edited else body))
    repo.commit("renamed")

    seen = verdict(workspace)

    if is_edited:
        assert (seen.verdict, seen.reason) == (Verdict.STALE, Reason.FILE_MISSING)
    else:
        assert seen.new == place("src/rich.py", number, number)


def test_text_that_stands_everywhere_proves_nothing(workspace: Workspace, repo: Repo, keep: Keep) -> None:
    keep("retries stop after 5", "src/client.py:4-6")
    forgotten(repo, "src/client.py")
    for number in range(60):
        repo.write(f"src/copy{number:02}.py", RETRY)

    seen = verdict(workspace)

    assert seen.reason is Reason.FILE_MISSING
    assert len(seen.candidates) == 5


def test_a_part_of_a_line_is_no_copy(workspace: Workspace, repo: Repo, keep: Keep) -> None:
    keep("the version", "src/client.py:9")
    forgotten(repo, "src/client.py")
    repo.write("src/http.py", 'if True:\n    API_VERSION = "v2.1.4"\n')

    assert verdict(workspace).reason is Reason.FILE_MISSING


@pytest.mark.parametrize("copies", [1, 2])
def test_a_whole_file_is_followed_to_one_new_path(
    workspace: Workspace, repo: Repo, keep: Keep, copies: int
) -> None:
    keep("the client", "src/client.py")
    forgotten(repo, "src/client.py")
    for number in range(copies):
        repo.write(f"lib/copy{number}.py", CLIENT)

    seen = verdict(workspace)

    assert seen.verdict is Verdict.MOVED
    assert seen.reason is (Reason.OTHER_FILE if copies == 1 else Reason.AMBIGUOUS)
    assert (seen.new is None) == (copies == 2)


def test_a_whole_file_whose_path_is_taken_again_changed(workspace: Workspace, repo: Repo, keep: Keep) -> None:
    keep("the client", "src/client.py")
    repo.rename("src/client.py", "lib/client.py")
    repo.write("src/client.py", OTHER)

    seen = verdict(workspace)

    assert (seen.verdict, seen.reason) == (Verdict.STALE, Reason.TEXT_CHANGED)
    assert [each.path for each in seen.candidates] == ["lib/client.py"]


def test_an_empty_file_is_followed_nowhere(workspace: Workspace, repo: Repo, keep: Keep) -> None:
    repo.write("src/__init__.py", "")
    repo.commit("a package")
    keep("it is empty", "src/__init__.py")
    repo.rename("src/__init__.py", "lib/__init__.py")

    assert verdict(workspace).reason is Reason.FILE_MISSING


def test_line_ends_that_git_converts_make_no_new_copy(workspace: Workspace, repo: Repo, keep: Keep) -> None:
    """What git keeps with LF and the working tree has with CRLF was there before."""
    crlf = CLIENT.replace("\n", "\r\n")
    repo.write(".gitattributes", "src/* -text\nlib/* text eol=crlf\n")
    repo.write("src/client.py", crlf)
    repo.write("lib/copy.py", crlf)
    repo.commit("line ends")
    keep("retries stop after 5", "src/client.py:4-6")
    forgotten(repo, "src/client.py")

    assert verdict(workspace).reason is Reason.FILE_MISSING


def test_an_open_buffer_lies_over_the_disk(workspace: Workspace, repo: Repo, keep: Keep) -> None:
    keep("retries stop after 5", "src/client.py:4-6")
    forgotten(repo, "src/client.py")
    repo.write("src/http.py", OTHER)
    buffers = {"src/http.py": FileText(data=f"{OTHER}\n\n{RETRY}".encode())}

    assert verdict(workspace).reason is Reason.FILE_MISSING
    seen = verdict(workspace, texts=Overlay(workspace.fresh_tree(), buffers))
    assert seen.new == place("src/http.py", 5, 7)


def test_without_excerpts_the_verdict_is_the_same(repo: Repo, database: Path) -> None:
    """D15: text that a person asked not to keep is found by the digests of its lines."""
    surroundings = Surroundings(os.environ, database=str(database), options={"store_excerpts": False})
    workspace = Workspace(repo.root, surroundings)
    remember(workspace, Request(text="retries", citations=(parse_spec("src/client.py:4-6"),)))
    repo.rename("src/client.py", "src/http.py")

    assert verdict(workspace).new == place("src/http.py", 4, 6)
    workspace.close()


def test_what_was_not_searched_is_named(repo: Repo, database: Path) -> None:
    surroundings = Surroundings(os.environ, database=str(database), options={"max_file_bytes": 400})
    workspace = Workspace(repo.root, surroundings)
    remember(workspace, Request(text="retries", citations=(parse_spec("src/client.py:4-6"),)))
    repo.rename("src/client.py", "src/http.py")
    repo.write("src/http.py", CLIENT + "#" * 400)

    report = check(workspace)

    assert [(each.what, each.why, each.count) for each in report.skipped] == [
        ("files", "too-large, not searched for moved lines", 1)
    ]
    workspace.close()


def test_a_search_is_told_of_and_can_be_ended(workspace: Workspace, repo: Repo, keep: Keep) -> None:
    keep("retries stop after 5", "src/client.py:4-6")
    forgotten(repo, "src/client.py")
    for number in range(5):
        repo.write(f"src/long{number}.py", OTHER * 9)
    told: list[int] = []

    def stop(count: int) -> None:
        told.append(count)
        if count == 3:
            raise Cancelled

    with pytest.raises(Cancelled):
        check(workspace, progress=stop)
    assert told == [1, 2, 3]


def test_nothing_is_asked_of_git_while_nothing_is_missing(repo: Repo, database: Path, tmp_path: Path) -> None:
    """And eight times at most, however much is missing; git tells which copy is which in a renamed folder."""
    trace = tmp_path / "trace"
    workspace = Workspace(
        repo.root, Surroundings({**os.environ, "GIT_TRACE": str(trace)}, database=str(database))
    )
    for number in range(30):
        repo.write(f"src/part{number}.py", f"# part number {number}\n{RETRY.replace('5', str(number))}")
    repo.commit("parts")
    for number in range(30):
        spec = parse_spec(f"src/part{number}.py:2-4")
        remember(workspace, Request(text="retries", citations=(spec,)))
    trace.unlink()
    check(workspace)
    assert not trace.exists()
    repo.rename("src", "lib")

    report = check(workspace)

    news = [each.citations[0].verdict.new for each in report.memories]
    assert news == [place(f"lib/part{number}.py", 2, 4) for number in range(30)]
    assert trace.read_text().count("trace: built-in:") <= 8
    workspace.close()


def test_every_surface_says_the_same(workspace: Workspace, repo: Repo, keep: Keep) -> None:
    """Law 2: check, list, show and the editor's survey."""
    keep("retries stop after 5", "src/client.py:4-6")
    repo.rename("src/client.py", "src/http.py")

    expected = verdict(workspace)
    surveyed = overview.survey(workspace).memories[0]
    row = row_of(surveyed, {})

    assert surveyed.citations[0].verdict == expected
    assert history.live(workspace)[0].citations[0].verdict == expected
    assert history.show(workspace, "m1")[0].citations[0].verdict == expected
    assert (row.counted_as, row.citations[0].code, row.citations[0].targets) == (
        "fresh",
        "moved",
        (place("src/http.py", 4, 6),),
    )


def test_all_that_moved_is_pointed_at_its_new_place(workspace: Workspace, repo: Repo, keep: Keep) -> None:
    keep("retries stop after 5", "src/client.py:4-6")
    keep("the client", "src/client.py")
    repo.rename("src/client.py", "src/http.py")

    settled = settle.repoint_all_moved(workspace)

    assert [each.after.path for each in settled if each.after] == ["src/http.py", "src/http.py"]
    assert [each.verdict.label for each in check(workspace).memories] == ["fresh", "fresh"]


def test_what_is_superseded_is_cited_where_it_stands_now(
    workspace: Workspace, repo: Repo, keep: Keep
) -> None:
    keep("retries stop after 5", "src/client.py:4-6")
    repo.rename("src/client.py", "src/http.py")
    old, _ = settle.find_citations(workspace, "m1")

    made = settle.supersede(workspace, "m1", settle.inheriting(old, "retries stop after five"))

    assert [(each.path, each.span) for each in made.citations] == [("src/http.py", Span(4, 6))]


def test_what_is_called_still_true_is_taken_from_where_it_stands_now(
    workspace: Workspace, repo: Repo, keep: Keep
) -> None:
    keep("retries stop after 5", "src/client.py:4-6")
    repo.rename("src/client.py", "src/http.py")
    _, cited = settle.find_citations(workspace, "m1")

    (settled,) = settle.reverify(workspace, cited)

    assert settled.after is not None
    assert (settled.after.path, settled.after.span) == ("src/http.py", Span(4, 6))


def test_a_symbol_is_followed_under_its_own_name_alone(workspace: Workspace, repo: Repo, keep: Keep) -> None:
    """Design 3: the whole symbol in another file, same name, same bytes."""
    keep("retries stop after 5", "src/client.py#retry")
    repo.write("src/client.py", OTHER)
    repo.write("src/http.py", "class Http:\n    pass\n")
    gone = verdict(workspace)
    repo.write("src/http.py", f"{OTHER}\n\n{RETRY}")
    moved = verdict(workspace)
    repo.write("src/http.py", f"if True:\n    pass\n\n\n{RETRY}    call(5)\n")

    assert (gone.reason, gone.candidates) == (Reason.SYMBOL_MISSING, ())
    assert (moved.reason, moved.new) == (Reason.OTHER_FILE, place("src/http.py", 5, 7))
    assert verdict(workspace).reason is Reason.SYMBOL_MISSING
