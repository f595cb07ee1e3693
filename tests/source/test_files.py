"""Only what the repository really holds is read, and nothing that reading could hang on."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from stilltrue.model.verdict import Reason
from stilltrue.source.files import FileText, Overlay, WorkingTree, find_encoding, signature

LIMIT = 1000


@pytest.fixture
def root(tmp_path: Path) -> Path:
    made = tmp_path / "repo"
    made.mkdir()
    return made


@pytest.fixture
def tree(root: Path) -> WorkingTree:
    return WorkingTree(root, max_bytes=LIMIT)


def test_a_file_is_read_byte_for_byte(root: Path, tree: WorkingTree) -> None:
    data = b"\xef\xbb\xbfa\r\nb\rc\n\x00\xff"
    (root / "a").write_bytes(data)

    assert tree.read("a").data == data
    assert tree.read("a").obstacle is None


@pytest.mark.parametrize("path", ["none", "a/none", "none/none"])
def test_nothing_there_is_missing_and_no_obstacle(root: Path, tree: WorkingTree, path: str) -> None:
    (root / "a").write_bytes(b"a file where a folder is asked for")

    assert tree.read(path) == FileText()
    assert tree.read(path).missing


def test_the_limit_itself_is_read(root: Path, tree: WorkingTree) -> None:
    (root / "at").write_bytes(b"x" * LIMIT)
    (root / "above").write_bytes(b"x" * (LIMIT + 1))

    assert tree.read("at").data == b"x" * LIMIT
    assert tree.read("above").obstacle is Reason.TOO_LARGE


def test_folders_pipes_and_sockets_are_never_opened(
    root: Path, tree: WorkingTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    """D23."""
    (root / "folder").mkdir()
    os.mkfifo(root / "pipe")

    def refuse(*_: object) -> int:
        raise AssertionError("opened")

    monkeypatch.setattr(os, "open", refuse)
    assert tree.read("folder").obstacle is Reason.NOT_A_FILE
    assert tree.read("pipe").obstacle is Reason.NOT_A_FILE


def test_what_lies_outside_is_never_opened(
    root: Path, tmp_path: Path, tree: WorkingTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    """D16, D17: by a link, by a linked folder, by a folder whose name begins alike, by a path with dots."""
    evil = tmp_path / "repo-evil"
    evil.mkdir()
    (evil / "secret").write_bytes(b"secret")
    (root / "link").symlink_to(evil / "secret")
    (root / "folder").symlink_to(evil)
    (root / "chain").symlink_to(root / "link")

    def refuse(*_: object) -> int:
        raise AssertionError("opened")

    monkeypatch.setattr(os, "open", refuse)
    for path in ("link", "folder/secret", "chain", "../repo-evil/secret", str(evil / "secret")):
        assert tree.read(path).obstacle is Reason.OUTSIDE_ROOT, path


def test_links_inside_are_followed(root: Path, tmp_path: Path) -> None:
    (root / "a").write_bytes(b"a")
    (root / "link").symlink_to("a")
    (root / "..foo").mkdir()
    (root / "..foo/b").write_bytes(b"b")
    (tmp_path / "alias").symlink_to(root)

    tree = WorkingTree(tmp_path / "alias", max_bytes=LIMIT)

    assert tree.read("link").data == b"a"
    assert tree.read("..foo/b").data == b"b"


def test_a_loop_and_a_name_no_system_has_are_unreadable(root: Path, tree: WorkingTree) -> None:
    (root / "loop").symlink_to(root / "loop")

    assert tree.read("loop").obstacle is Reason.UNREADABLE
    assert tree.read("nul\0name").obstacle is Reason.UNREADABLE
    assert tree.read("x" * 5000).obstacle is Reason.UNREADABLE


def test_a_file_that_may_not_be_opened_is_unreadable(
    root: Path, tree: WorkingTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tests may run as root, who may open everything: the system's answer is put in its mouth."""
    (root / "a").write_bytes(b"a")

    def refuse(*_: object) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "open", refuse)
    assert tree.read("a").obstacle is Reason.UNREADABLE


@pytest.mark.timeout(10)
def test_a_pipe_that_takes_a_files_place_between_two_looks_hangs_nobody(
    root: Path, tree: WorkingTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    (root / "a").write_bytes(b"a")
    real = os.open

    def swapped(path: Path, flags: int) -> int:
        path.unlink()
        os.mkfifo(path)
        return real(path, flags)

    monkeypatch.setattr(os, "open", swapped)
    assert tree.read("a").obstacle is Reason.UNREADABLE


def test_a_signature_moves_with_the_file(root: Path) -> None:
    """E15: also when size and time of change are put back."""
    file = root / "a"
    file.write_bytes(b"one")
    before = file.stat()
    file.write_bytes(b"two")
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))

    after = file.stat()

    assert (after.st_size, after.st_mtime_ns) == (before.st_size, before.st_mtime_ns)
    assert signature(after) != signature(before)


def test_a_pointer_of_git_lfs_is_told_from_a_file_about_one() -> None:
    pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n"

    assert FileText(data=pointer).is_lfs_pointer
    assert not FileText(data=b"# " + pointer).is_lfs_pointer
    assert not FileText(data=pointer + b"x" * 2000).is_lfs_pointer
    assert not FileText().is_lfs_pointer


def test_buffers_win_over_the_disk(root: Path, tree: WorkingTree) -> None:
    (root / "a").write_bytes(b"disk")
    (root / "b").write_bytes(b"disk")

    texts = Overlay(tree, {"a": FileText(data=b"buffer")})

    assert (texts.read("a").data, texts.read("b").data) == (b"buffer", b"disk")


def test_an_encoding_is_told_by_its_bytes() -> None:
    assert find_encoding("é".encode()) == "utf-8"
    assert find_encoding("é".encode("latin-1")) == "unknown-8bit"


def test_reading_starts_no_process(root: Path, tree: WorkingTree, monkeypatch: pytest.MonkeyPatch) -> None:
    (root / "a").write_bytes(b"a")

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("started a process")

    monkeypatch.setattr(subprocess, "run", refuse)
    monkeypatch.setattr(subprocess, "Popen", refuse)
    assert tree.read("a").data == b"a"
