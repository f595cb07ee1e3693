"""Carry cited spans along through an editing session, and judge only what an edit touched.

Pure and protocol-free: the text is anything that offers `TextLines`. The cost of an edit does not depend
on the size of the text; the whole text is asked for nowhere here (F15).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Protocol

from stilltrue.citations.evidence import Evidence, Sighting
from stilltrue.citations.lines import fold_line_ends
from stilltrue.freshness import judge_citation
from stilltrue.ide.buffer import BufferMapping
from stilltrue.ide.edits import Edit
from stilltrue.ide.snapshot import Cited, Snapshot
from stilltrue.model.citation import Span
from stilltrue.model.verdict import CitationVerdict, Reason, Verdict


class TextLines(Protocol):
    """A text that can be asked for some of its lines."""

    @property
    def line_count(self) -> int:
        """How many lines there are; no phantom line after the last line end."""
        ...  # pragma: no cover

    def lines_text(self, start: int, end: int) -> str:
        """Lines `start` to `end`, 1-based and inclusive, without the last one's line end."""
        ...  # pragma: no cover


@dataclass(slots=True)
class _Tracked:
    """A cited span on its way through edits. Lines are 0-based, `end` is exclusive.

    Attributes:
        alternate: Where it starts if the last edit that touched its first line stood above it.
        touched: An edit reached it since it was last judged.
        searched: Its verdict comes from a look at the whole text, not just at its own lines.
        disk_differs: On disk it differs in line ends; else, where an editor unified them, equal but for
            line ends is equal.
    """

    cited: Cited
    start: int
    end: int
    alternate: int | None = None
    touched: bool = False
    searched: bool = True
    disk_differs: bool = False

    def carry(self, edit: Edit) -> None:
        """Move along with one edit."""
        stop, shift = edit.first + edit.removed, edit.shift
        if self.alternate is not None and stop <= self.alternate:
            self.alternate += shift
        if stop <= self.start:
            self.start += shift
            self.end += shift
        elif edit.first < self.end or (self.start == self.end == edit.first):
            self._carry_touched(edit, stop)

    def _carry_touched(self, edit: Edit, stop: int) -> None:
        self.touched = True
        put_stop = edit.first + edit.inserted
        if edit.first <= self.start:
            self.alternate = max(0, self.start + edit.shift)
        start, end = self.start, self.end
        if edit.first < start:
            # the lines of the span that were replaced are the last of the replaced ones
            self.start = max(edit.first, put_stop - max(0, stop - start))
        self.end = end + edit.shift if stop <= end else min(put_stop, edit.first + max(0, end - edit.first))
        self.end = max(self.end, self.start)


class Tracker:
    """The citations of one open buffer. The only mutable thing in this layer; its owner is the session."""

    def __init__(self, cited: Iterable[Cited], mapping: BufferMapping) -> None:
        """Begin with citations that were placed and judged on the whole text."""
        self.mapping = mapping
        self._tracked = [_tracked(each) for each in cited]

    def __len__(self) -> int:
        return len(self._tracked)

    def carry(self, edits: Iterable[Edit]) -> None:
        """Move every span along with edits, in the order they were made."""
        for edit in edits:
            for tracked in self._tracked:
                if tracked.cited.citation.span is None:
                    tracked.searched = False
                elif edit.first < tracked.end or tracked.end == tracked.start:
                    tracked.carry(edit)

    def judge_touched(self, text: TextLines) -> bool:
        """Judge again what edits touched; whether any verdict changed."""
        changed = False
        for tracked in self._tracked:
            if tracked.touched:
                tracked.touched = False
                before = tracked.cited.verdict
                self._judge(tracked, text)
                changed |= tracked.cited.verdict != before
        return changed

    @property
    def needs_search(self) -> bool:
        """Some verdict could change by a look at the whole text."""
        return any(not tracked.searched for tracked in self._tracked)

    def snapshot(self, path: str, version: int | None, line_count: int) -> Snapshot:
        """Everything as it is now, placed inside a text of `line_count` lines."""
        for tracked in self._tracked:
            tracked.cited = _placed(tracked, line_count)
        # nearly sorted already: edits seldom change the order
        self._tracked.sort(key=_order)
        return Snapshot(path=path, version=version, cited=tuple(each.cited for each in self._tracked))

    def _judge(self, tracked: _Tracked, text: TextLines) -> None:
        cited = tracked.cited
        wanted = cited.citation.span.line_count if cited.citation.span else 0
        baseline = cited.baseline
        if baseline is None or cited.verdict.reason is Reason.ENCODING:
            return
        # the recorded lines first: the same bytes there are fresh, wherever the session carried the span
        recorded = cited.citation.span
        starts = [recorded.start - 1] if recorded and cited.provisional is None else []
        starts += [tracked.start] if tracked.alternate is None else [tracked.start, tracked.alternate]
        tracked.alternate = None
        if cited.provisional is not None:
            wanted = tracked.end - tracked.start
        starts.append(tracked.end - wanted)  # what was put in or came back lies above it
        for start in dict.fromkeys(starts):
            span = Span(start + 1, start + wanted)
            data = self._bytes(text, span)
            if data is not None and self._is_cited(data, tracked):
                tracked.start, tracked.end, tracked.searched = start, start + wanted, True
                at_place = recorded == span
                self._settle(tracked, Sighting(same_at_place=at_place, carried_to=span, nearest=span))
                return
        tracked.searched = False
        self._settle(tracked, self._changed(tracked, text))

    def _changed(self, tracked: _Tracked, text: TextLines) -> Sighting:
        nearest = _clamped(tracked, text.line_count)
        data = self._bytes(text, nearest) if nearest else None
        baseline = tracked.cited.baseline
        folded = (
            nearest is not None
            and data is not None
            and baseline is not None
            and sha256(fold_line_ends(data)).hexdigest() == baseline.lf_sha256
        )
        return Sighting(folded_at=nearest if folded else None, nearest=nearest)

    def _settle(self, tracked: _Tracked, sighting: Sighting) -> None:
        citation = tracked.cited.citation
        verdict = judge_citation(
            Evidence(kind=citation.kind, path=citation.path or "", recorded=citation.span, sighting=sighting)
        )
        tracked.cited = replace(tracked.cited, verdict=verdict)

    def _is_cited(self, data: bytes, tracked: _Tracked) -> bool:
        baseline = tracked.cited.baseline
        if baseline is None:
            return False
        if len(data) == baseline.byte_length and sha256(data).hexdigest() == baseline.sha256:
            return True
        return (
            self.mapping.disk_line_ends
            and not tracked.disk_differs
            and sha256(fold_line_ends(data)).hexdigest() == baseline.lf_sha256
        )

    def _bytes(self, text: TextLines, span: Span) -> bytes | None:
        if not 1 <= span.start <= span.end <= text.line_count:
            return None
        return self.mapping.to_bytes(text.lines_text(span.start, span.end))


def _order(tracked: _Tracked) -> tuple[int, int, int]:
    """By first line, then by memory (F22)."""
    return tracked.start, tracked.cited.memory.number, tracked.cited.citation.number


def _tracked(cited: Cited) -> _Tracked:
    start, end = (cited.span.start - 1, cited.span.end) if cited.span else (0, 0)
    return _Tracked(cited, start, end, disk_differs=cited.verdict.reason is Reason.LINE_ENDINGS)


def _placed(tracked: _Tracked, line_count: int) -> Cited:
    cited = tracked.cited
    if cited.citation.span is None:
        return cited
    span = _clamped(tracked, line_count)
    if span == cited.span and (cited.verdict.nearest is None or cited.verdict.nearest.span == span):
        return cited
    verdict = cited.verdict
    if span and verdict.verdict is Verdict.STALE and verdict.nearest:
        verdict = replace(verdict, nearest=replace(verdict.nearest, span=span))
    elif span and verdict.reason in {Reason.SAME_BYTES, Reason.SAME_FILE}:
        verdict = _followed(cited, span)
    return replace(cited, span=span, verdict=verdict)


def _followed(cited: Cited, span: Span) -> CitationVerdict:
    citation = cited.citation
    sighting = Sighting(same_at_place=citation.span == span, carried_to=span, nearest=span)
    return judge_citation(
        Evidence(kind=citation.kind, path=citation.path or "", recorded=citation.span, sighting=sighting)
    )


def _clamped(tracked: _Tracked, line_count: int) -> Span | None:
    if not line_count:
        return None
    start = min(tracked.start + 1, line_count)
    return Span(start, min(max(tracked.end, start), line_count))


def replayed(edits: Sequence[tuple[int, Sequence[Edit]]], since: int) -> list[Edit]:
    """The edits made after the version `since`, out of a log of (version, edits)."""
    return [edit for version, made in edits if version > since for edit in made]
