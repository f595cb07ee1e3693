"""Open buffers, kept as lists of lines and patched in place.

pygls's own store splits with `str.splitlines` and rebuilds the whole text for each
change, so it loses step with the editor at form feeds and costs more the longer the
text is. Here a keystroke costs what its line costs.

Lines end at LF, CRLF or a lone CR and nowhere else. Columns are counted in the unit
agreed on at `initialize` on the outside, and in code points on the inside.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from stilltrue.ide.edits import Edit
from stilltrue_lsp.uris import canonical_key, path_to_uri, uri_to_path

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

Unit = Literal["utf-8", "utf-16", "utf-32"]
UNITS: Final[dict[str, Unit]] = {"utf-8": "utf-8", "utf-16": "utf-16", "utf-32": "utf-32"}

BOM: Final = "\ufeff"
_LINE_END: Final = re.compile(r"\r\n|\n|\r")


def split_lines(text: str) -> list[str]:
    """The lines of a text with their ends; the last one has none and may be empty."""
    if "\r" not in text:  # several times faster than the pattern, and nearly every text
        *ended, last = text.split("\n")
        return [*(line + "\n" for line in ended), last]
    lines, start = [], 0
    for match in _LINE_END.finditer(text):
        lines.append(text[start : match.end()])
        start = match.end()
    lines.append(text[start:])
    return lines


def body_length(line: str) -> int:
    """How many code points a line has before its end."""
    if line.endswith("\r\n"):
        return len(line) - 2
    return len(line) - line.endswith(("\n", "\r"))


@dataclass(frozen=True, slots=True)
class Change:
    """One entry of `contentChanges`.

    Attributes:
        text: What is put in.
        span: What it replaces: start line, start column, end line, end column, 0-based,
            columns in the client's unit. None replaces the whole text.
    """

    text: str
    span: tuple[int, int, int, int] | None = None

    @classmethod
    def from_json(cls, value: object) -> Change:
        """Reads a change as it came in the message.

        Raises:
            ValueError: If it has not the shape the protocol gives it.
        """
        match value:
            case {
                "text": str(text),
                "range": {
                    "start": {"line": int(first), "character": int(left)},
                    "end": {"line": int(last), "character": int(right)},
                },
            } if min(first, left, last, right) >= 0:
                return cls(text, (first, left, last, right))
            case {"text": str(text), **rest} if rest.get("range") is None:
                return cls(text)
        raise ValueError("not a change of a text document")


class Lines:
    """Reading a text by lines and columns: what buffers and their snapshots share."""

    __slots__ = ()

    lines: Sequence[str]
    """Lines as the protocol counts them, with their ends, a byte-order mark included."""
    unit: Unit

    @property
    def has_bom(self) -> bool:
        """Whether the text the client holds begins with U+FEFF."""
        return self.lines[0].startswith(BOM)

    @property
    def line_count(self) -> int:
        """The number of lines as the product counts: none after the last line end."""
        count = len(self.lines)
        last = self.lines[-1]
        return count - 1 if not last or (count == 1 and last == BOM) else count

    def lines_text(self, start: int, end: int) -> str:
        """The text of some lines, interior line ends included, the last one left out.

        Args:
            start: First line, 1-based.
            end: Last line, 1-based, inclusive.

        Raises:
            IndexError: If there are no such lines.
        """
        if not 1 <= start <= end <= self.line_count:
            raise IndexError(f"lines {start}-{end} of {self.line_count}")
        text = "".join(self.lines[start - 1 : end])
        return text[self.body_start(start - 1) : body_length(text)]

    def body_start(self, index: int) -> int:
        """Where line `index` (0-based) begins, in code points: 1 after a byte-order mark."""
        return 1 if index == 0 and self.has_bom else 0

    def to_code_points(self, line_text: str, column: int) -> int:
        """The code points before a column of the client's; not beyond the line's body."""
        end = min(column, body_length(line_text))
        # A code point is one unit or more, so the column lies within so many of them.
        prefix = line_text[:end]
        if self.unit == "utf-32" or prefix.isascii():
            return end
        units = 0
        for index, char in enumerate(prefix):
            if units >= column:
                return index
            units += _utf16_units(char) if self.unit == "utf-16" else _utf8_units(char)
        return end

    def from_code_points(self, line_text: str, index: int) -> int:
        """The client's column after `index` code points; not beyond the line's body."""
        prefix = line_text[: min(index, body_length(line_text))]
        if self.unit == "utf-32" or prefix.isascii():
            return len(prefix)
        if self.unit == "utf-16":
            return len(prefix.encode("utf-16-le", "surrogatepass")) // 2
        return len(prefix.encode("utf-8", "surrogatepass"))


@dataclass(frozen=True, slots=True)
class Snapshot(Lines):
    """A document at one version, safe to hand to a thread."""

    uri: str
    version: int
    unit: Unit
    lines: tuple[str, ...]

    @property
    def text(self) -> str:
        """The whole text as the client holds it; joined at each call."""
        return "".join(self.lines)


class Document(Lines):
    """One open buffer.

    Attributes:
        uri: The client's spelling, the only one to answer with.
        path: Where the file lies on disk, or None for what is no file here.
        version: The client's number for the text as it is now.
        language_id: The client's name for the language.
        unit: What the client counts columns in.
        lines: The text; see `Lines`.
    """

    __slots__ = ("_text", "language_id", "lines", "path", "unit", "uri", "version")

    lines: list[str]

    def __init__(self, uri: str, text: str, version: int, language_id: str, unit: Unit = "utf-16") -> None:
        self.uri = uri
        self.path = uri_to_path(uri)
        self.version = version
        self.language_id = language_id
        self.unit: Unit = unit
        self.lines = split_lines(text)
        self._text: str | None = text

    @property
    def text(self) -> str:
        """The whole text as the client holds it; costs its length after a change."""
        if self._text is None:
            self._text = "".join(self.lines)
        return self._text

    def snapshot(self) -> Snapshot:
        """The document as it is now, in a form that stays so."""
        return Snapshot(self.uri, self.version, self.unit, tuple(self.lines))

    def apply(self, change: Change) -> Edit:
        """Puts one change into the text.

        Returns:
            Which lines gave way to which, one more above where the change joined a CR
            with an LF.
        """
        if change.span is None:
            removed = len(self.lines)
            self.lines, self._text = split_lines(change.text), change.text
            return Edit(0, removed, len(self.lines))
        self._text = None
        start = self._locate(*change.span[:2])
        end = self._locate(*change.span[2:])
        (first, left), (last, right) = min(start, end), max(start, end)
        lines = self.lines
        body = lines[first][:left] + change.text + lines[last][right:]
        if first and body.startswith("\n") and lines[first - 1].endswith("\r"):
            first -= 1
            body = lines[first] + body
        stop = last + 1
        put = split_lines(body)
        if stop < len(lines):
            put.pop()  # the body ends as line `last` did, so this one is empty
        lines[first:stop] = put
        return Edit(first, stop - first, len(put))

    def _locate(self, line: int, column: int) -> tuple[int, int]:
        """Line and code points of a client's position; the text's end if it lies beyond."""
        if line >= len(self.lines):
            last = len(self.lines) - 1
            return last, len(self.lines[last])
        return line, self.to_code_points(self.lines[line], column)


class DocumentTable:
    """The open documents, found under any spelling of their uri.

    Attributes:
        unit: What documents opened from now on count columns in.
    """

    def __init__(self) -> None:
        self.unit: Unit = "utf-16"
        self._open: dict[tuple[str, ...], Document] = {}

    def open(self, uri: str, text: str, version: int, language_id: str) -> Document:
        """Takes a document in; one that is open already is replaced."""
        document = Document(uri, text, version, language_id, self.unit)
        self._open[canonical_key(uri)] = document
        return document

    def get(self, uri: str) -> Document | None:
        """The open document that a uri means, if any."""
        return self._open.get(canonical_key(uri))

    def close(self, uri: str) -> Document | None:
        """Lets a document go and returns it, or None if it was not open."""
        return self._open.pop(canonical_key(uri), None)

    def spelling(self, path: str) -> str:
        """The uri to call a file by: the client's where it is open, else a fresh one.

        Args:
            path: An absolute path of this system.
        """
        uri = path_to_uri(path)
        document = self.get(uri)
        return document.uri if document else uri

    def __iter__(self) -> Iterator[Document]:
        return iter(tuple(self._open.values()))

    def __len__(self) -> int:
        return len(self._open)


def _utf16_units(char: str) -> int:
    return 2 if char > "\uffff" else 1


def _utf8_units(char: str) -> int:
    if char < "\x80":
        return 1
    if char < "\u0800":
        return 2
    return 4 if char > "\uffff" else 3
