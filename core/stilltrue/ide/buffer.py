"""How an open buffer's text becomes the bytes its file would have if saved (design 2; F7, F8).

Pure. The comparison with the disk is made once, at open, save and disk change; its answer is kept.
"""

from __future__ import annotations

from dataclasses import dataclass

from stilltrue.citations.lines import UTF8_BOM, fold_line_ends

OTHER_ENCODINGS = ("cp1252", "latin-1", "utf-16", "shift_jis", "gb18030", "euc_kr", "koi8_r")
"""Encodings that are tried where the disk holds no UTF-8; one that gives exactly the buffer, and the disk
back, is taken."""
BOM = "\ufeff"


@dataclass(frozen=True, slots=True)
class BufferMapping:
    """What is known of the way from a buffer's text to its file's bytes.

    Attributes:
        encoding: Python's name of the encoding, or None where the text cannot be mapped.
        disk_line_ends: Buffer and disk differed in their line ends alone when they were compared,
            so that the editor unified them; the disk's count until the save.
    """

    encoding: str | None = "utf-8"
    disk_line_ends: bool = False

    def to_bytes(self, text: str) -> bytes | None:
        """The bytes of some text without byte-order mark; None where they cannot be told."""
        if self.encoding is None:
            return None
        try:
            return text.encode(self.encoding)
        except UnicodeEncodeError:
            return None


def compare(text: str, disk: bytes | None) -> BufferMapping:
    """Compare a buffer with what its file holds; `disk` is None where there is no file."""
    if disk is None:
        return BufferMapping()
    body = text.removeprefix(BOM)
    data = disk.removeprefix(UTF8_BOM)
    encoding = _encoding_of(body, data)
    encoded = body.encode(encoding, "surrogatepass") if encoding else b""
    return BufferMapping(
        encoding=encoding,
        disk_line_ends=encoded != data and fold_line_ends(encoded) == fold_line_ends(data),
    )


def _encoding_of(body: str, data: bytes) -> str | None:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        wanted = _folded(body)
        return next((name for name in OTHER_ENCODINGS if _decodes_to(data, name, wanted)), None)
    return "utf-8"


def _decodes_to(data: bytes, encoding: str, wanted: str) -> bool:
    try:
        text = data.decode(encoding)
        return _folded(text) == wanted and text.encode(encoding) == data
    except UnicodeError:
        return False


def _folded(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")
