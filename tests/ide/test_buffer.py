"""How an open buffer's text becomes its file's bytes (F7, F8; design 2)."""

from __future__ import annotations

import pytest

from stilltrue.ide.buffer import BufferMapping, compare


def test_a_byte_order_mark_belongs_to_no_line() -> None:
    assert compare("\ufeffx = 1\n", b"\xef\xbb\xbfx = 1\n") == BufferMapping("utf-8", disk_line_ends=False)
    assert compare("x = 1\n", b"\xef\xbb\xbfx = 1\n") == BufferMapping("utf-8", disk_line_ends=False)


ENCODED = [
    ("latin-1", "price: 5 £\n"),
    ("latin-1", "control \x81 and é\n"),
    ("cp1252", "price: 5 €\n"),
    ("utf-16", "price: 5 £\n"),
    ("shift_jis", "値段は五円です\n"),
    ("gb18030", "价格是五块钱\n"),
    ("euc_kr", "가격은 다섯 원\n"),
    ("koi8_r", "цена пять\n"),
]


@pytest.mark.parametrize(("encoding", "text"), ENCODED)
def test_f8_an_encoding_under_which_the_disk_is_the_buffer_is_kept(encoding: str, text: str) -> None:
    """Which of several makes no difference: all of them give the disk's bytes back."""
    mapping = compare(text, text.encode(encoding))

    assert mapping.encoding is not None
    assert not mapping.disk_line_ends
    assert mapping.to_bytes(text) == text.encode(encoding)


@pytest.mark.parametrize(
    "disk", ["price: 5 £\n".encode("utf-16-be"), b"\xfe\xff" + "price: 5 £\n".encode("utf-16-be")]
)
def test_f8_an_encoding_that_does_not_give_the_disk_back_tells_nothing(disk: bytes) -> None:
    """Law 3: text that would be written with other bytes cannot be compared."""
    assert compare("price: 5 £\n", disk).encoding is None


def test_f8_a_letter_that_the_encoding_lacks_has_no_bytes() -> None:
    mapping = compare("price: 5 £\n", "price: 5 £\n".encode("cp1252"))

    assert mapping.to_bytes("price: 5 値\n") is None
    assert mapping.to_bytes("price: 6 £\n") == b"price: 6 \xa3\n"


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


@pytest.mark.parametrize("buffer", ["a\nb\nc\n", "a\r\nb\r\nc\r\n", "a\rb\rc\r"])
def test_f7_whatever_the_editor_made_of_mixed_line_ends_the_disks_count(buffer: str) -> None:
    """Pitfall 6"""
    assert compare(buffer, b"a\r\nb\rc\n").disk_line_ends


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_f7_the_same_line_ends_are_no_difference(line_end: str) -> None:
    text = f"a{line_end}b{line_end}"
    assert compare(text, text.encode()) == BufferMapping()


def test_f7_unified_line_ends_are_noticed_beside_a_byte_order_mark_and_in_other_encodings() -> None:
    assert compare("a\nb\n", b"\xef\xbb\xbfa\r\nb\n") == BufferMapping(disk_line_ends=True)
    assert compare("£\nb\n", b"\xa3\r\nb\n") == BufferMapping("cp1252", disk_line_ends=True)


def test_only_one_byte_order_mark_is_taken_off() -> None:
    assert compare("\ufeff\ufeffx\n", b"\xef\xbb\xbf\xef\xbb\xbfx\n") == BufferMapping()
    assert compare("\ufeffx\n", b"x\n") == BufferMapping()


def test_half_a_surrogate_pair_has_no_bytes() -> None:
    """Pitfall 8: nothing raises, neither on the way to bytes nor where a buffer is compared."""
    assert BufferMapping().to_bytes("\ud800") is None
    assert compare("a\ud800b\n", b"ab\n") == BufferMapping()
    assert compare("a\ud800b\n", b"a\xffb\n").encoding is None


def test_a_file_that_is_not_there_is_utf8() -> None:
    assert compare("é", None) == BufferMapping()


def test_an_empty_file_is_utf8() -> None:
    assert compare("", b"") == BufferMapping()
    assert compare("", b"\xef\xbb\xbf") == BufferMapping()
