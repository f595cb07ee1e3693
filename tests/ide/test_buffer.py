"""How an open buffer's text becomes its file's bytes (F7, F8; design 2)."""

from __future__ import annotations

import pytest

from stilltrue.ide.buffer import BufferMapping, compare


def test_a_byte_order_mark_belongs_to_no_line() -> None:
    assert compare("\ufeffx = 1\n", b"\xef\xbb\xbfx = 1\n") == BufferMapping("utf-8", disk_line_ends=False)
    assert compare("x = 1\n", b"\xef\xbb\xbfx = 1\n") == BufferMapping("utf-8", disk_line_ends=False)


@pytest.mark.parametrize("encoding", ["cp1252", "utf-16", "shift_jis"])
def test_the_one_encoding_under_which_the_disk_is_the_buffer_is_kept(encoding: str) -> None:
    text = "price: 5 £\n" if encoding != "shift_jis" else "値段は五円です\n"
    mapping = compare(text, text.encode(encoding))

    assert mapping.encoding is not None
    assert mapping.to_bytes(text) == text.encode(encoding)


def test_a_buffer_that_no_encoding_explains_cannot_be_mapped() -> None:
    """F8"""
    mapping = compare("price: \ufffd\n", b"price: \xa3\n")

    assert mapping.encoding is None
    assert mapping.to_bytes("anything") is None


def test_unified_line_ends_are_noticed_and_a_real_change_is_not_taken_for_them() -> None:
    """F7"""
    assert compare("a\nb\n", b"a\r\nb\n").disk_line_ends
    assert not compare("a\nb\n", b"a\nb\n").disk_line_ends
    assert not compare("a\nB\n", b"a\r\nb\n").disk_line_ends


def test_half_a_surrogate_pair_has_no_bytes() -> None:
    assert BufferMapping().to_bytes("\ud800") is None


def test_a_file_that_is_not_there_is_utf8() -> None:
    assert compare("é", None) == BufferMapping()
