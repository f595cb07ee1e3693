"""What verdicts are called in front of people: the lines changed, never that the memory is wrong (D21)."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from stilltrue.model.citation import Citation, Place
from stilltrue.model.healing import DriftReason, HealEvent
from stilltrue.model.pin import SHOWN_DIGITS, STALE, UNRESOLVED, KeptPin
from stilltrue.model.snooze import Snooze
from stilltrue.model.verdict import CitationVerdict, Reason, Verdict

TEXT_LIMIT = 120
_ACTIVE = frozenset("\\`*_[]#|~!>")
_KEPT = frozenset("\n\t\u200c\u200d")
"""Controls that are needed: line ends, tabs, and the joiners of Persian, Indian scripts and emoji."""

_SENTENCES = {
    Reason.SAME_BYTES: "the cited lines are unchanged",
    Reason.NO_BASELINE: "not yet baselined",
    Reason.SAME_FILE: "the cited lines moved",
    Reason.OTHER_FILE: "the cited lines moved to another file",
    Reason.AMBIGUOUS: "the cited lines now stand in several places",
    Reason.LINE_ENDINGS: "only line ends of the cited lines changed",
    Reason.WHITESPACE: "only white space in the cited lines changed",
    Reason.COMMENT: "only comments in the cited lines changed",
    Reason.TEXT_CHANGED: "the cited lines changed",
    Reason.SPAN_MISSING: "the cited lines are gone",
    Reason.SYMBOL_MISSING: "the cited definition is gone",
    Reason.SYMBOL_AMBIGUOUS: "several definitions have the cited name",
    Reason.FILE_MISSING: "the cited file is gone",
    Reason.UNREADABLE: "the cited file cannot be read",
    Reason.NOT_A_FILE: "the cited path is no regular file",
    Reason.OUTSIDE_ROOT: "the cited path leads outside the repository",
    Reason.TOO_LARGE: "the cited file is too large to be read",
    Reason.ENCODING: "the open text cannot be compared with the file's bytes",
    Reason.CONFLICT: "the cited lines lie in an unsettled merge conflict",
    Reason.LFS_POINTER: "the cited file was not fetched by git-lfs",
    Reason.UNSUPPORTED_LANGUAGE: "no grammar reads the cited file",
    Reason.PARSE_INCOMPLETE: "the text cannot be parsed as it is now",
    Reason.MALFORMED: "the citation itself is damaged",
}


def sentence(verdict: CitationVerdict) -> str:
    """What was seen, as the beginning of a sentence without a full stop."""
    text = _SENTENCES[verdict.reason]
    if verdict.verdict is Verdict.MOVED and verdict.new:
        return f"{text} to {place_text(verdict.new)}"
    if verdict.reason is Reason.AMBIGUOUS and len(verdict.candidates) == 1:
        return f"the cited lines may have moved to {place_text(verdict.candidates[0])}"
    if verdict.candidates:
        return (
            f"{text} (identical copy at {', '.join(place_text(place) for place in verdict.candidates[:3])})"
        )
    return text


def seen_sentence(citation: Citation, verdict: CitationVerdict, pin: KeptPin | None) -> str:
    """What was seen of a citation, likewise: what git said where it rests on a commit, else of its lines."""
    if pin is None or not citation.rests_on_commit or verdict.verdict is not Verdict.FRESH:
        return sentence(verdict)
    return pin_sentence(citation, pin)


def pin_sentence(citation: Citation, pin: KeptPin) -> str:
    """What git said of a citation's commit, as the beginning of a sentence without a full stop."""
    since = f"since commit {harmless(citation.commit or '')[:SHOWN_DIGITS]}"
    what = "the file" if citation.path else "the repository"
    if pin.state == UNRESOLVED:
        return f"git cannot tell whether {what} changed {since}"
    return f"{what} changed {since}" if pin.state == STALE else f"{what} did not change {since}"


def snooze_text(snooze: Snooze) -> str:
    """When a snooze ends: `until 2026-12-24`, or `until its lines change`."""
    return f"until {snooze.until[:10]}" if snooze.until else "until its lines change"


def event_text(event: HealEvent) -> str:
    """Why a pass recorded a version: `demoted by a pass, because src/a.py:3-5 changed`."""
    what = "is gone" if event.reason is DriftReason.ANCHOR_DRIFT else "changed"
    commit = f", at commit {event.commit[:7]}" if event.commit else ""
    return f"{event.kind} by a pass, because {harmless(event.citation)} {what}{commit}"


def place_text(place: Place) -> str:
    """A place as people write it, `src/a.py:10-20`; lines 1-based and inclusive."""
    path, start, end = harmless(place.path), place.span.start, place.span.end
    return f"{path}:{start}" if start == end else f"{path}:{start}-{end}"


@lru_cache(maxsize=1024)
def shortened(text: str, limit: int = TEXT_LIMIT) -> str:
    """The text on one line, at most `limit` characters, without anything a terminal would obey."""
    line = " ".join(harmless(text).split())
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"


def harmless(text: str) -> str:
    """Other people's text without control characters and marks that turn the writing direction (F43)."""
    return "".join(
        character if character in _KEPT or unicodedata.category(character) not in {"Cc", "Cf", "Cs"} else "�"
        for character in text.replace("\r\n", "\n")
    )


def markdown_escaped(text: str) -> str:
    """Other people's text as Markdown that shows it and does nothing else (F43).

    What begins emphasis, code, links, images, headings, tables, HTML or entities is escaped; the rest stays
    readable in clients that show the source.
    """
    escaped = "".join(f"\\{character}" if character in _ACTIVE else character for character in harmless(text))
    return escaped.replace("&", "&amp;").replace("<", "&lt;")


def fenced(text: str, language: str = "") -> str:
    """Other people's text in a code fence that it cannot close."""
    longest = max((len(run) for run in _backtick_runs(text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{harmless(text)}\n{fence}"


def _backtick_runs(text: str) -> list[str]:
    runs, run = [], ""
    for character in text + " ":
        if character == "`":
            run += character
        elif run:
            runs.append(run)
            run = ""
    return runs
