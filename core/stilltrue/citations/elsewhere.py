"""Cited text that is gone from its file, recognised in other files (design 4; D11 to D13).

Exact bytes at whole lines or nothing, as within a file. Every text is looked at once for all that is wanted.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256

from stilltrue.citations.evidence import Elsewhere
from stilltrue.citations.lines import (
    UTF8_BOM,
    Lines,
    fold_line_ends,
    is_distinctive,
    letters_and_digits,
)
from stilltrue.citations.relocation import digest_windows, find_copies
from stilltrue.citations.symbols import symbols_in
from stilltrue.model.citation import Baseline, Citation, CitationKind, Neighbour, Place, Span

TOO_COMMON = 50
"""Text that stands at more places than this tells nothing about where it came from."""
SHOWN = 5
_FEW = 12
"""So many lines are looked for one by one; of more, all lines of a text are looked up at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Copies:
    """Equal copies of a cited text in one other file.

    Attributes:
        path: The file, relative to the root with `/`.
        count: How many whole-line copies it holds.
        recognised: Those that are rich enough, alone or together with an equal neighbouring line; of a
            cited symbol, those that are the whole of what has its name there.
        between: Where none is rich enough, those between both equal neighbouring lines.
        text: What the whole file holds, as `text_digest`.
        are_definitions: Each is the whole of a definition named like the one around the cited lines.
    """

    path: str
    count: int
    recognised: tuple[Span, ...]
    between: tuple[Span, ...] = ()
    text: bytes = b""
    are_definitions: bool = False


class WantedTexts:
    """Everything that is looked for in one search."""

    def __init__(self, citations: Iterable[Citation]) -> None:
        """Of `citations`, those that have a baseline; commits say nothing here."""
        self._files: dict[int, list[Citation]] = defaultdict(list)
        self._by_line: dict[bytes, list[Citation]] = defaultdict(list)
        self._by_digest: list[Citation] = []
        self._recognised: Counter[str] = Counter()
        for citation in citations:
            self._add(citation)
        self._smallest = min(
            (each.baseline.byte_length for each in self._spans() if each.baseline), default=None
        )

    def __bool__(self) -> bool:
        return bool(self._files or self._by_line or self._by_digest)

    def may_be_in(self, byte_count: int) -> bool:
        """Whether a file of so many bytes, a byte-order mark included, can hold any of it."""
        if self._smallest is not None and byte_count >= self._smallest:
            return True
        return byte_count in self._files or byte_count - len(UTF8_BOM) in self._files

    def copies_in(self, path: str, data: bytes) -> dict[str, Copies]:
        """The equal copies that a file holds of each wanted text, by citation uid.

        Args:
            path: The file, relative to the root with `/`; what is cited of itself is not answered, nor what
                was found at too many places before.
            data: Its bytes, with a byte-order mark if it has one.
        """
        lines = Lines(data)
        found: dict[str, Copies] = {}
        for citation in self._candidates(lines.data):
            if citation.path == path or self._recognised[citation.uid] > TOO_COMMON:
                continue  # what is known to be too common need not be counted to the end
            if copies := _copies_of(citation, path, lines):
                found[citation.uid] = copies
                self._recognised[citation.uid] += len(copies.recognised)
        text = text_digest(lines.data) if found else b""
        return {uid: replace(copies, text=text) for uid, copies in found.items()}

    def _add(self, citation: Citation) -> None:
        baseline = citation.baseline
        if baseline is None or citation.kind is CitationKind.COMMIT:
            return
        if citation.kind is CitationKind.FILE or citation.span is None:
            self._files[baseline.byte_length].append(citation)
        elif needle := _needle(citation):
            self._by_line[needle].append(citation)
        elif any(baseline.line_digests):
            self._by_digest.append(citation)

    def _spans(self) -> Iterable[Citation]:
        yield from self._by_digest
        for citations in self._by_line.values():
            yield from citations

    def _candidates(self, data: bytes) -> Iterable[Citation]:
        yield from self._files.get(len(data), ())
        yield from self._by_digest
        for line in self._lines_in(data):
            yield from self._by_line[line]

    def _lines_in(self, data: bytes) -> Iterable[bytes]:
        if len(self._by_line) <= _FEW:
            return [line for line in self._by_line if line in data]
        return self._by_line.keys() & set(fold_line_ends(data).split(b"\n"))


def text_digest(data: bytes) -> bytes:
    """What tells whether two files hold the same, whatever their line ends and byte-order marks."""
    return sha256(fold_line_ends(data.removeprefix(UTF8_BOM))).digest()


def earlier_copies(citation: Citation, folded: Lines) -> int:
    """How many copies of a cited text a file held at the recorded commit.

    Line ends do not count, for git may keep others than the working tree has: rather one too many than a
    move that was none.

    Args:
        citation: Of a span or a file.
        folded: The file then, its line ends folded to LF.
    """
    baseline = citation.baseline
    if baseline is None:
        return 0
    if citation.kind is CitationKind.FILE or citation.span is None:
        return int(sha256(folded.data).hexdigest() == baseline.lf_sha256)
    if baseline.excerpt_is_whole and baseline.excerpt is not None:
        wanted = fold_line_ends(baseline.excerpt)
        return len(folded.find_whole_lines(wanted)) if wanted in folded.data else 0
    return len(digest_windows(folded, citation.span.line_count, baseline))


def is_too_common(found: Sequence[Copies]) -> bool:
    """Whether a text stands at so many places that nobody need ask where it came from."""
    return sum(len(each.recognised) for each in found) > TOO_COMMON


@dataclass(frozen=True, slots=True, kw_only=True)
class Past:
    """What is known of a cited text at its recorded commit.

    Attributes:
        earlier: How many copies each file held that holds any now, by its present path.
        lost: How many copies stood in other files that are gone since.
        renamed_to: What the cited file is called now.
    """

    earlier: Mapping[str, int]
    lost: int = 0
    renamed_to: str | None = None


def weighed(found: Sequence[Copies], past: Past | None, recorded: Span | None) -> Elsewhere:
    """What all the copies of one cited text in other files prove.

    The one copy that is new is the text, unless as good a copy went missing elsewhere: then it may be that
    one. Of several, the one in the file that is the cited one renamed, at the recorded lines if need be.

    Args:
        found: One entry a file.
        past: None where it cannot be told: any of the copies may be the text then, and none is known to be.
        recorded: The cited lines, 1-based and inclusive; None for a whole file.
    """
    files = sorted((each for each in found if each.recognised), key=lambda each: each.path)
    places = _places(files)
    if is_too_common(files):
        return Elsewhere(copies=places[:SHOWN])
    are_definitions = bool(files) and all(each.are_definitions for each in files)
    if past is None:
        return Elsewhere(copies=places, possible=places, are_definitions=are_definitions)
    new = [each for each in found if each.count > past.earlier.get(each.path, 0)]
    possible = _places([each for each in files if each in new])
    renamed = _places_in_renamed(new, past.renamed_to)
    if len(renamed) > 1:
        renamed = tuple(each for each in renamed if each.span == recorded)
    told = renamed or (() if past.lost or past.renamed_to else possible)
    return Elsewhere(
        copies=places,
        possible=possible,
        target=told[0] if len(told) == 1 else None,
        are_definitions=are_definitions,
    )


def _places_in_renamed(new: Iterable[Copies], path: str | None) -> tuple[Place, ...]:
    """Where the text may stand under the cited file's new name, where even a poor one is looked for."""
    return tuple(
        Place(each.path, span)
        for each in new
        if each.path == path
        for span in each.recognised or each.between
    )


def _places(files: Iterable[Copies]) -> tuple[Place, ...]:
    return tuple(Place(each.path, span) for each in files for span in each.recognised)


def _needle(citation: Citation) -> bytes:
    """The most telling whole line of the excerpt, without its line end; empty where there is none."""
    baseline = citation.baseline
    if baseline is None or baseline.excerpt is None:
        return b""
    rows = fold_line_ends(baseline.excerpt).split(b"\n")
    return max(rows if baseline.excerpt_is_whole else rows[:-1], key=letters_and_digits, default=b"")


def _copies_of(citation: Citation, path: str, lines: Lines) -> Copies | None:
    baseline = citation.baseline
    if baseline is None:
        return None
    if citation.kind is CitationKind.FILE or citation.span is None:
        same = len(lines.data) == baseline.byte_length and sha256(lines.data).hexdigest() == baseline.sha256
        everything = (Span(1, lines.count),) if same and is_distinctive(lines.data) else ()
        return Copies(path=path, count=1, recognised=everything) if same else None
    spans = find_copies(lines, citation.span.line_count, baseline)
    if not spans:
        return None
    if citation.kind is CitationKind.SYMBOL:
        named = symbols_in(path, lines).resolve(citation.symbol or "").spans
        return Copies(
            path=path, count=len(spans), recognised=tuple(span for span in spans if named == (span,))
        )
    recognised, between = _telling(lines, spans, baseline)
    return Copies(
        path=path,
        count=len(spans),
        recognised=recognised,
        between=between,
        are_definitions=_are_definitions(path, lines, recognised, citation.symbol),
    )


def _are_definitions(path: str, lines: Lines, spans: Sequence[Span], symbol: str | None) -> bool:
    if not symbol or not spans:
        return False
    symbols = symbols_in(path, lines)
    return all(symbols.defines_within(span, symbol) for span in spans)


def _telling(
    lines: Lines, spans: Sequence[Span], baseline: Baseline
) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
    """Of equal copies those that are recognised; where none is, those between both recorded neighbours.

    A copy is recognised if it is rich enough, or stands beside an equal neighbouring line and is rich enough
    together with it.
    """
    text = lines.span_bytes(spans[0])
    if is_distinctive(text):
        return tuple(spans), ()
    beside = [(span, _beside(lines, span, baseline)) for span in spans]
    recognised = tuple(
        span for span, (near, _) in beside if any(near) and is_distinctive(b"\n".join((text, *near)))
    )
    return recognised, () if recognised else tuple(span for span, (_, is_between) in beside if is_between)


def _beside(lines: Lines, span: Span, baseline: Baseline) -> tuple[tuple[bytes, bytes], bool]:
    """The neighbouring lines that are the recorded ones, empty where another stands, and whether both are.

    The edge of a text is like another edge.
    """
    numbers = lines.non_blank_above(span.start), lines.non_blank_below(span.end)
    recorded = baseline.before, baseline.after
    above, below = (_if_equal(lines, number, each) for number, each in zip(numbers, recorded, strict=True))
    is_between = all(
        bool(near) if each else not 1 <= number <= lines.count
        for near, number, each in zip((above, below), numbers, recorded, strict=True)
    )
    return (above, below), is_between


def _if_equal(lines: Lines, number: int, neighbour: Neighbour | None) -> bytes:
    if neighbour is None or not 1 <= number <= lines.count:
        return b""
    line = lines.line(number)
    return line if sha256(line).hexdigest() == neighbour.sha256 else b""
