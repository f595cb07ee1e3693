"""What people write for a citation: `PATH`, `PATH:LINE`, `PATH:START-END`, `…#SYMBOL`, `@COMMIT[:PATH]`."""

from __future__ import annotations

import re
from dataclasses import dataclass

from stilltrue.citations.paths import check_path
from stilltrue.errors import CitationError
from stilltrue.model.citation import CitationKind, Span

_COMMIT = re.compile(r"@(?P<commit>[0-9A-Fa-f]{4,64})(?::(?P<path>.+))?", re.DOTALL)
_LINES = re.compile(r"(?P<path>.+?):(?P<start>-?\d+)(?:-(?P<end>-?\d+))?", re.DOTALL)
_HINT = "write PATH, PATH:LINE, PATH:START-END, @COMMIT or @COMMIT:PATH"


@dataclass(frozen=True, slots=True, kw_only=True)
class CitationSpec:
    """A citation as asked for; nothing was read yet.

    `span` holds 1-based, inclusive lines exactly as written, also when they cannot exist.
    """

    kind: CitationKind
    path: str | None = None
    span: Span | None = None
    symbol: str | None = None
    commit: str | None = None


def parse_spec(text: str) -> CitationSpec:
    """The citation that `text` asks for.

    Raises:
        CitationError: It cannot be read, or its path may not be cited (D16).
    """
    if text.startswith("@"):
        return _parse_commit(text)
    place, _, symbol = text.partition("#")
    match = _LINES.fullmatch(place)
    # a drive letter is told by check_path, not taken for a path called "C"
    if match and not re.fullmatch(r"[A-Za-z]", match["path"]):
        start = int(match["start"])
        span = Span(start, int(match["end"]) if match["end"] else start)
        return CitationSpec(
            kind=CitationKind.SPAN, path=check_path(match["path"]), span=span, symbol=symbol or None
        )
    if symbol:
        return CitationSpec(kind=CitationKind.SYMBOL, path=check_path(place), symbol=symbol)
    return CitationSpec(kind=CitationKind.FILE, path=check_path(place))


def spec_from_fields(
    path: object, start_line: object = None, end_line: object = None, symbol: object = None
) -> CitationSpec:
    """The citation that separate fields ask for, for names with `:` or `#`, JSON Lines and editors.

    Raises:
        CitationError: A field has the wrong type or the path may not be cited.
    """
    if not isinstance(path, str):
        raise CitationError(
            "a citation needs a path", hint='such as {"path": "src/app.py", "start_line": 10}'
        )
    if symbol is not None and not isinstance(symbol, str):
        raise CitationError(f"symbol must be a text, not {symbol!r}")
    for name, value in (("start_line", start_line), ("end_line", end_line)):
        if value is not None and (not isinstance(value, int) or isinstance(value, bool)):
            raise CitationError(f"{name} must be a whole number, not {value!r}")
    if start_line is None and end_line is not None:
        raise CitationError("end_line without start_line")
    if start_line is None:
        kind = CitationKind.SYMBOL if symbol else CitationKind.FILE
        return CitationSpec(kind=kind, path=check_path(path), symbol=symbol or None)
    assert isinstance(start_line, int)  # noqa: S101 - checked above, for the type checker
    span = Span(start_line, end_line if isinstance(end_line, int) else start_line)
    return CitationSpec(kind=CitationKind.SPAN, path=check_path(path), span=span, symbol=symbol or None)


def _parse_commit(text: str) -> CitationSpec:
    match = _COMMIT.fullmatch(text)
    if not match:
        raise CitationError(
            f"{text!r} names no commit",
            hint="write @COMMIT or @COMMIT:PATH with the hash that `git rev-parse` tells of a branch or tag",
        )
    path = check_path(match["path"]) if match["path"] else None
    return CitationSpec(kind=CitationKind.COMMIT, path=path, commit=match["commit"].lower())
