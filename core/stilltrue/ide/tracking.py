"""Carry cited spans along through an editing session, and judge only what an edit touched.

Pure and protocol-free: the text is anything that offers `TextLines`. The cost of an edit does not depend
on the size of the text; the whole text is asked for nowhere here (F15).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import accumulate
from operator import attrgetter
from typing import Protocol

from stilltrue.citations.evidence import Evidence, Sighting
from stilltrue.citations.lines import fold_line_ends
from stilltrue.freshness import judge_citation
from stilltrue.ide.buffer import BufferMapping
from stilltrue.ide.edits import Edit
from stilltrue.ide.snapshot import Cited, Snapshot
from stilltrue.model.citation import Place, Span
from stilltrue.model.verdict import CitationVerdict, Reason, Verdict

_SETTLED = frozenset({Reason.SAME_BYTES, Reason.SAME_FILE, Reason.NO_BASELINE})
"""Reasons that the rest of the text cannot change, nor any edit that leaves the cited lines alone."""


class TextLines(Protocol):
    """A text that can be asked for some of its lines."""

    @property
    def line_count(self) -> int:
        """How many lines there are; no phantom line after the last line end."""
        ...  # pragma: no cover

    def lines_text(self, start: int, end: int) -> str:
        """Lines `start` to `end`, 1-based and inclusive, without the last one's line end."""
        ...  # pragma: no cover


@dataclass(slots=True, eq=False)
class _Tracked:
    """A cited span on its way through edits. Lines are 0-based, `end` is exclusive.

    Attributes:
        rank: Its number among all, by memory: the order of those that begin at one line (F22).
        alternate: Where it starts if the last edit that touched its first line stood above it.
        lost_from: Where it started before the edit that changed it; an undo puts it there again.
        touched: An edit reached it since it was last judged.
        disk_differs: On disk it differs in line ends; else, where an editor unified them, equal but for
            line ends is equal.
    """

    cited: Cited
    rank: int
    start: int
    end: int
    alternate: int | None = None
    lost_from: int | None = None
    touched: bool = False
    disk_differs: bool = False

    @property
    def has_lines(self) -> bool:
        """It is about some lines, rather than about the file as a whole."""
        return self.cited.recorded is not None

    def carry(self, edit: Edit) -> None:
        """Move along with one edit."""
        stop, shift = edit.first + edit.removed, edit.shift
        if self.alternate is not None and stop <= self.alternate:
            self.alternate += shift
        if stop <= self.start:
            self.start += shift
            self.end += shift
        elif self.is_reached(edit):
            self._carry_touched(edit, stop)

    def is_reached(self, edit: Edit) -> bool:
        """Whether an edit touches or moves it; one right below may bring back what was lost."""
        at_end = edit.first == self.end and (self.start == self.end or self.lost_from is not None)
        return edit.first < self.end or at_end

    def wake(self) -> None:
        """End a snooze until the lines change; a look at the whole text tells whether they really did."""
        if self.cited.snoozed and self.cited.snoozed.until is None:
            self.cited = replace(self.cited, snoozed=None)

    def _carry_touched(self, edit: Edit, stop: int) -> None:
        self.touched = True
        if self.lost_from is None:
            self.lost_from = self.start
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
    """The citations of one open buffer. The only mutable thing in this layer; its owner is the session.

    They are kept in order, beside the lines they start at and how far those up to each of them reach, so
    that an edit costs no more than what it touches or moves.
    """

    def __init__(self, cited: Iterable[Cited], mapping: BufferMapping) -> None:
        """Begin with citations that were placed and judged on the whole text."""
        self.mapping = mapping
        ranked = sorted(cited, key=lambda each: (each.memory.number, each.citation.number))
        self._tracked = [_tracked(each, rank) for rank, each in enumerate(ranked)]
        self._unsettled = {each for each in self._tracked if each.cited.verdict.reason not in _SETTLED}
        self._of_whole_text = any(map(self._needs_whole_text, self._tracked))
        self._needs_search = self._shown_moved = False
        self._unsearched: set[_Tracked] = set()
        self._touched: list[_Tracked] = []
        self._unplaced = set(self._tracked)
        self._placed: tuple[Cited, ...] = ()
        self._line_count = 0
        self._sort()

    def __len__(self) -> int:
        return len(self._tracked)

    def carry(self, edits: Iterable[Edit]) -> None:
        """Move every span along with edits, in the order they were made."""
        for edit in edits:
            # what may stand elsewhere is not looked for at every letter, but whenever lines come or go
            lines_changed = edit.removed != 1 or edit.inserted != 1
            self._needs_search |= self._of_whole_text or (lines_changed and bool(self._unsettled))
            reached = self._reached(edit)
            for tracked in reached:
                tracked.carry(edit)
            self._touched += [each for each in reached if each.touched]
            if edit.shift and reached:
                self._shown_moved |= not self._unsettled.isdisjoint(reached)
                self._unplaced.update(reached)
                self._sort()

    def judge_touched(self, text: TextLines) -> bool:
        """Judge again what edits touched; whether anything a reader is shown could differ now."""
        touched, self._touched = dict.fromkeys(self._touched), []
        changed, self._shown_moved, moved = self._shown_moved, False, False
        for tracked in touched:
            before, start, end = tracked.cited, tracked.start, tracked.end
            self._judge(tracked, text)
            tracked.wake()
            tracked.touched, tracked.alternate = False, None
            now = tracked.cited
            changed |= now.verdict != before.verdict or now.snoozed is not before.snoozed
            moved |= (tracked.start, tracked.end) != (start, end)
        self._unplaced.update(touched)
        if moved:
            self._sort()
        return changed

    @property
    def needs_search(self) -> bool:
        """Some verdict could change by a look at the whole text."""
        return self._needs_search or bool(self._unsearched)

    def snapshot(self, path: str, version: int | None, line_count: int) -> Snapshot:
        """Everything as it is now, placed inside a text of `line_count` lines."""
        last = min(line_count, self._line_count)
        if line_count != self._line_count and self._reach and self._reach[-1] >= last:
            self._unplaced.update(each for each in self._tracked if each.end >= last)
        self._line_count = line_count
        if self._unplaced:
            for tracked in self._unplaced:
                tracked.cited = _placed(tracked, line_count)
            self._unplaced.clear()
            self._placed = tuple(each.cited for each in self._tracked)
        return Snapshot(path=path, version=version, cited=self._placed)

    def _sort(self) -> None:
        self._tracked.sort(key=attrgetter("start", "rank"))  # nearly sorted: edits seldom change the order
        self._starts = [each.start for each in self._tracked]
        self._reach = list(accumulate((each.end for each in self._tracked), max))

    def _reached(self, edit: Edit) -> list[_Tracked]:
        """What an edit touches or moves; more than it touches only where it moves what stands below."""
        first = bisect_left(self._reach, edit.first)
        stop = None if edit.shift else bisect_left(self._starts, edit.first + edit.removed)
        return [each for each in self._tracked[first:stop] if each.has_lines and each.is_reached(edit)]

    def _needs_whole_text(self, tracked: _Tracked) -> bool:
        """Whether any edit may change its verdict."""
        unmapped = tracked.cited.verdict.reason is Reason.ENCODING and self.mapping.encoding is not None
        return unmapped or not tracked.has_lines

    def _judge(self, tracked: _Tracked, text: TextLines) -> None:
        cited, recorded = tracked.cited, tracked.cited.recorded
        if recorded is None or cited.baseline is None:
            return
        if cited.verdict.verdict is Verdict.UNKNOWN and cited.verdict.reason is not Reason.CONFLICT:
            return  # what could not be told by a look cannot be told by less
        # as in a look at the whole text, where it was recorded counts first; what came back may lie above it
        last = tracked.end - recorded.line_count
        starts = (recorded.start - 1, tracked.start, tracked.alternate, last, tracked.lost_from)
        for start in dict.fromkeys(start for start in starts if start is not None):
            span = Span(start + 1, start + recorded.line_count)
            data = self._bytes(text, span)
            if data is not None and self._is_cited(data, tracked):
                tracked.start, tracked.end, tracked.lost_from = start, span.end, None
                self._unsearched.discard(tracked)
                self._settle(tracked, _held_at(cited, span), span)
                return
        self._unsearched.add(tracked)
        seen = self._changed(tracked, text)
        self._settle(tracked, _judged(cited, seen), seen.nearest)

    def _settle(self, tracked: _Tracked, verdict: CitationVerdict, span: Span | None) -> None:
        if verdict != tracked.cited.verdict or span != tracked.cited.span:
            tracked.cited = replace(tracked.cited, verdict=verdict, span=span)
        if verdict.reason in _SETTLED:
            self._unsettled.discard(tracked)
        else:
            self._unsettled.add(tracked)

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


def _tracked(cited: Cited, rank: int) -> _Tracked:
    start, end = (cited.span.start - 1, cited.span.end) if cited.span else (0, 0)
    return _Tracked(cited, rank, start, end, disk_differs=cited.verdict.reason is Reason.LINE_ENDINGS)


def _placed(tracked: _Tracked, line_count: int) -> Cited:
    cited, verdict = tracked.cited, tracked.cited.verdict
    if not tracked.has_lines:
        return cited
    span = _clamped(tracked, line_count)
    if span == cited.span and (verdict.nearest is None or verdict.nearest.span == span):
        return cited
    if span and verdict.verdict is Verdict.STALE and verdict.nearest:
        verdict = replace(verdict, nearest=Place(verdict.nearest.path, span))
    elif span and verdict.new and verdict.reason is Reason.SAME_FILE and span != cited.recorded:
        verdict = replace(verdict, new=Place(verdict.new.path, span))
    elif span and verdict.reason in {Reason.SAME_BYTES, Reason.SAME_FILE}:
        verdict = _held_at(cited, span)
    return replace(cited, span=span, verdict=verdict)


def _held_at(cited: Cited, span: Span) -> CitationVerdict:
    """The verdict on a citation whose bytes stand at `span`."""
    return _judged(cited, Sighting(same_at_place=cited.recorded == span, carried_to=span, nearest=span))


def _judged(cited: Cited, sighting: Sighting) -> CitationVerdict:
    citation = cited.citation
    return judge_citation(
        Evidence(kind=citation.kind, path=citation.path or "", recorded=cited.recorded, sighting=sighting)
    )


def _clamped(tracked: _Tracked, line_count: int) -> Span | None:
    if not line_count:
        return None
    start = min(tracked.start + 1, line_count)
    return Span(start, min(max(tracked.end, start), line_count))
