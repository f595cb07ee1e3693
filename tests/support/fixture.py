"""Marked text: where a span stands is written into the text itself.

`⟦` opens a span at the beginning of a line and `⟧` closes it at the end of one. `⟪` and `⟫` enclose the
lines that a reader should be shown. A relocation test is two marked texts: before with the
cited span, after with every place where its bytes should be found.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from textwrap import dedent

from stilltrue.citations.baselines import span_baseline
from stilltrue.citations.evidence import Evidence
from stilltrue.citations.lines import Lines
from stilltrue.citations.relocation import sight
from stilltrue.freshness import judge_citation
from stilltrue.model.citation import Baseline, CitationKind, Place, Span
from stilltrue.model.verdict import CitationVerdict, Verdict

PATH = "src/app.py"
_LINE_END = re.compile(r"\r\n|\n|\r")


@dataclass(frozen=True, slots=True)
class Marked:
    """A text without its marks, and the lines they enclosed, 1-based and inclusive."""

    data: bytes
    spans: tuple[Span, ...]
    nearest: Span | None

    @property
    def span(self) -> Span:
        """The one span that is marked."""
        (span,) = self.spans
        return span


def parse(text: str) -> Marked:
    """A marked text, dedented, without the line end after the opening quotes."""
    text = dedent(text.removeprefix("\n"))
    shown = _marked(text, "⟪", "⟫")
    return Marked(
        re.sub("[⟦⟧⟪⟫]", "", text).encode(), tuple(_marked(text, "⟦", "⟧")), shown[0] if shown else None
    )


def check(
    before: str, after: str, expected: str, *, change: Callable[[bytes], bytes] = bytes
) -> CitationVerdict:
    """Cite the marked lines of `before`, judge them in `after`, and compare.

    Args:
        before: The text when the citation is recorded.
        after: The text when it is judged. Its marked spans are where a clear move went, else all candidates.
        expected: Verdict and reason, such as `moved/same-file`.
        change: Applied to the bytes of `after`, for line ends and the like.
    """
    old, new = parse(before), parse(after)
    verdict = judge(old.data, old.span, change(new.data))
    _expect(f"{verdict.verdict}/{verdict.reason}", expected)
    if verdict.new:
        _expect(verdict.new, Place(PATH, new.span))
    else:
        spans = () if verdict.verdict is Verdict.FRESH else new.spans
        _expect(verdict.candidates, tuple(Place(PATH, span) for span in spans))
    if new.nearest:
        _expect(verdict.nearest, Place(PATH, new.nearest))
    return verdict


def judge(before: bytes, span: Span, after: bytes) -> CitationVerdict:
    """The verdict on `span` of `before` when the file holds `after`; the same without stored text (D15)."""
    old, new = Lines(before), Lines(after)
    verdicts = [
        judge_with(span_baseline(old, span, encoding="utf-8", with_excerpt=keep), span, new)
        for keep in (True, False)
    ]
    assert verdicts[0] == verdicts[1], "the verdict depends on stored text"
    return verdicts[0]


def judge_with(
    baseline: Baseline, span: Span, lines: Lines, *, carried: Span | None = None
) -> CitationVerdict:
    """The verdict on a recorded span, given what was kept of it."""
    seen = sight(lines, span, baseline, carried=carried)
    return judge_citation(Evidence(kind=CitationKind.SPAN, path=PATH, recorded=span, sighting=seen))


def _expect(found: object, wanted: object) -> None:
    assert found == wanted, f"found {found}, wanted {wanted}"


def _marked(text: str, opening: str, closing: str) -> list[Span]:
    pairs = re.findall(f"(?s){opening}.*?{closing}", text)
    spans, position = [], 0
    for pair in pairs:
        position = text.index(pair, position)
        start = _line_of(text, position)
        position += len(pair)
        spans.append(Span(start, _line_of(text, position - 1)))
    return spans


def _line_of(text: str, position: int) -> int:
    return len(_LINE_END.findall(text[:position])) + 1
