"""Uris name files the same way on both systems' terms, or name none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stilltrue_lsp.uris import canonical_key, path_to_uri, uri_to_path

NAMES = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="/\\\0"), min_size=1)


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("file:///w/a.py", "/w/a.py"),
        ("file:/w/a.py", "/w/a.py"),
        ("file:///w/a%20b%23%3F%25.py", "/w/a b#?%.py"),
        ("file:///w/a.py?query#fragment", "/w/a.py"),
        ("file:///w/%E9.py", "/w/\udce9.py"),
        ("file://LOCALHOST/w/a.py", "/w/a.py"),
        ("file:///C:/w/a.py", "/C:/w/a.py"),
        ("file:///w/a%0Ab[1].py", "/w/a\nb[1].py"),
        ("file://server/share/a.py", None),
        ("file://", None),
        ("file:", None),
        ("file:relative", None),
        ("file:///w/%00", None),
        ("git:/w/a.py?{}", None),
        ("untitled:Untitled-1", None),
        ("vscode-notebook-cell:/w/a.ipynb#W0", None),
        ("fugitive:///w/.git//0/a.py", None),
        ("", None),
        ("file://[", None),
    ],
)
def test_paths_on_posix(uri: str, path: str | None) -> None:
    assert uri_to_path(uri, windows=False) == path


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("file:///C:/w/a.py", "c:\\w\\a.py"),
        ("file:///c%3A/w/a.py", "c:\\w\\a.py"),
        ("file:///c:/w/a.py", "c:\\w\\a.py"),
        ("file://server/share/a%20b.py", "\\\\server\\share\\a b.py"),
        ("file:////server/share/a.py", "\\\\server\\share\\a.py"),
        ("file://", None),
        ("git:/c:/w/a.py", None),
    ],
)
def test_paths_on_windows(uri: str, path: str | None) -> None:
    assert uri_to_path(uri, windows=True) == path


@pytest.mark.parametrize(
    ("path", "windows", "uri"),
    [
        ("/w/a b#.py", False, "file:///w/a%20b%23.py"),
        ("/w/a\\b.py", False, "file:///w/a%5Cb.py"),
        ("/w/\udce9.py", False, "file:///w/%E9.py"),
        ("C:\\w\\é.py", True, "file:///c:/w/%C3%A9.py"),
        ("\\\\server\\share\\a.py", True, "file://server/share/a.py"),
    ],
)
def test_uris_of_paths(path: str, uri: str, *, windows: bool) -> None:
    assert path_to_uri(path, windows=windows) == uri


@pytest.mark.parametrize(
    ("path", "windows"), [("a.py", False), ("", False), ("a.py", True), ("c:a.py", True)]
)
def test_relative_paths_have_no_uri(path: str, *, windows: bool) -> None:
    with pytest.raises(ValueError, match="not an absolute path"):
        path_to_uri(path, windows=windows)


@given(st.lists(NAMES, min_size=1))
def test_any_path_of_posix_survives_the_way_there_and_back(names: list[str]) -> None:
    path = "/" + "/".join(names)
    assert uri_to_path(path_to_uri(path, windows=False), windows=False) == path


@given(st.lists(NAMES, min_size=1), st.sampled_from(["c:", "\\\\server"]))
def test_any_path_of_windows_survives_the_way_there_and_back(names: list[str], root: str) -> None:
    path = "\\".join([root, *names])
    assert uri_to_path(path_to_uri(path, windows=True), windows=True) == path


@given(st.text())
def test_any_text_has_a_key_and_at_most_a_path(text: str) -> None:
    assert canonical_key(text) == canonical_key(text)
    assert uri_to_path(text) is None or text.lower().startswith("file:")
