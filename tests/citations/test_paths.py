from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stilltrue.citations.paths import check_path, is_within
from stilltrue.errors import CitationError


@pytest.mark.parametrize(
    "path",
    [
        "/etc/passwd",
        "//host/x",
        "../x",
        "a/../../x",
        "a/..",
        "..",
        "a\\..\\x",
        "..\\x",
        "C:\\x",
        "C:/x",
        "c:x",
        "\\\\host\\x",
        "\\x",
        "~/.ssh/id",
        "~",
        "~\\x",
        "",
        ".",
        "./",
        "/",
        "a\0b",
        "\0",
        "src/",
    ],
)
def test_d16_a_path_that_may_leave_the_repository_is_refused(path: str) -> None:
    with pytest.raises(CitationError) as refused:
        check_path(path)
    assert "relative to the repository root" in refused.value.hint


@pytest.mark.parametrize(
    "path",
    [
        "a.py",
        "src/a.py",
        "..foo/a.py",
        "foo../a.py",
        "...",
        "a/...b",
        "a b/ü.py",
        "ab:c.py",
        "a#b.py",
        "~a/b",
        "a/~",
        "a\\b.py",
        ".github/x",
        " a",
        ".../a",
        " ",
    ],
)
def test_d16_every_other_path_is_kept_as_written(path: str) -> None:
    assert check_path(path) == path


@pytest.mark.parametrize("path", ["./src/a.py", "src//a.py", "src/./a.py", ".//src/./a.py"])
def test_one_file_has_one_spelling(path: str) -> None:
    assert check_path(path) == "src/a.py"


@given(st.text(st.sampled_from("ab./\\~:C\0 "), max_size=12))
def test_d16_no_accepted_path_leaves_its_root(path: str) -> None:
    try:
        kept = check_path(path)
    except CitationError:
        return
    parts = kept.split("/")
    assert not {"", ".", ".."} & set(parts)
    assert "\0" not in kept
    assert check_path(kept) == kept


@pytest.mark.parametrize(
    ("path", "inside"),
    [
        ("/w/repo/a", True),
        ("/w/repo/a/b", True),
        ("/w/repo", False),
        ("/w/repo-evil/a", False),
        ("/w", False),
        ("/w/repository", False),
    ],
)
def test_d17_a_root_is_compared_part_by_part(path: str, *, inside: bool) -> None:
    assert is_within(tuple(path.split("/")), ("", "w", "repo")) is inside
