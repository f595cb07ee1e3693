"""A snapshot to the diagnostics an editor shows (F17 to F22; design 7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache

from stilltrue.citations.ignoring import is_ignored
from stilltrue.ide.snapshot import Cited, Snapshot
from stilltrue.ide.wording import seen_sentence, shortened
from stilltrue.model.citation import Place, Span
from stilltrue.model.pin import STALE, UNRESOLVED
from stilltrue.model.verdict import Freshness, Grade, Reason, Verdict

NAMED = 5


class Code(StrEnum):
    """The stable codes of our diagnostics."""

    STALE = "stale"
    STALE_COSMETIC = "stale-cosmetic"
    MISSING = "missing"
    MOVED = "moved"
    COMMIT_MOVED = "commit-moved"
    UNVERIFIABLE = "unverifiable"


class Severity(StrEnum):
    """How loudly a diagnostic is shown; `off` hides it."""

    OFF = "off"
    HINT = "hint"
    INFORMATION = "information"
    WARNING = "warning"
    ERROR = "error"


DEFAULT_SEVERITIES: Mapping[Code, Severity] = {
    Code.STALE: Severity.WARNING,
    Code.STALE_COSMETIC: Severity.INFORMATION,
    Code.MISSING: Severity.WARNING,
    Code.MOVED: Severity.INFORMATION,
    Code.COMMIT_MOVED: Severity.INFORMATION,
    Code.UNVERIFIABLE: Severity.OFF,
}


@dataclass(frozen=True, slots=True)
class DiagnosticsConfig:
    """How diagnostics are shown.

    Attributes:
        severities: One for each code.
        limit: Most diagnostics for one file; one more tells how many were left out.
        ignore: Patterns of the files of which nothing is shown (`citations.ignoring`).
    """

    severities: Mapping[Code, Severity] = field(default_factory=lambda: DEFAULT_SEVERITIES)
    limit: int = 100
    ignore: tuple[str, ...] = ()

    def severity(self, cited: Cited) -> Severity:
        """How loudly a citation is shown; `off` where there is nothing to show, or nobody wants to see it."""
        code = code_of(cited)
        if code is None or is_ignored(cited.citation.path, self.ignore):
            return Severity.OFF
        return self.severities[code]


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnostic:
    """One message on some lines.

    Attributes:
        code: See `Code`.
        severity: Never `off`.
        span: The lines, 1-based and inclusive.
        message: One or two plain sentences.
        related: Places a reader may want to go to, each with a label.
        cited: What it is about; several where one cause has many, none for the note on the limit.
    """

    code: Code
    severity: Severity
    span: Span
    message: str
    related: tuple[tuple[Place, str], ...] = ()
    cited: tuple[Cited, ...] = ()


def diagnostics(snapshot: Snapshot, config: DiagnosticsConfig) -> list[Diagnostic]:
    """What to show for one file, ordered by first line, then by memory (F22)."""
    if is_ignored(snapshot.path, config.ignore):
        return []
    visible = [
        (each, code, severity)
        for each in snapshot.cited
        if (code := code_of(each)) is not None and (severity := config.severities[code]) is not Severity.OFF
    ]
    shown: list[Diagnostic] = []
    if len(line_ends := flipped(snapshot)) > 1:
        visible = [row for row in visible if row[0].verdict.reason is not Reason.LINE_ENDINGS]
        if config.severities[Code.STALE_COSMETIC] is not Severity.OFF:
            shown = [_line_ends(line_ends, config)]
    room = max(0, config.limit - len(shown))
    shown += [_diagnostic(*row) for row in visible[:room]]
    return [*shown, _left_out(len(visible) - room)] if len(visible) > room else shown


def flipped(snapshot: Snapshot) -> list[Cited]:
    """What changed in its line ends alone; several are one note on line 1 (design 7)."""
    return [
        each
        for each in snapshot.cited
        if each.verdict.reason is Reason.LINE_ENDINGS and code_of(each) is not None
    ]


def code_of(cited: Cited) -> Code | None:
    """The code of a citation's diagnostic; None where there is nothing to show (F20), or it is snoozed."""
    verdict = cited.verdict
    if cited.snoozed:
        return None
    if verdict.verdict is Verdict.STALE:
        if verdict.is_broken:
            return Code.MISSING
        return Code.STALE_COSMETIC if verdict.grade is Grade.COSMETIC else Code.STALE
    if verdict.verdict is Verdict.MOVED and verdict.reason is not Reason.SAME_FILE:
        return Code.MOVED
    if verdict.verdict is Verdict.UNKNOWN:
        return Code.UNVERIFIABLE
    return _BY_PIN.get(cited.pin.state) if cited.pin and cited.citation.rests_on_commit else None


_BY_PIN = {STALE: Code.COMMIT_MOVED, UNRESOLVED: Code.UNVERIFIABLE}


@lru_cache(maxsize=512)  # a keystroke changes few of them
def _diagnostic(cited: Cited, code: Code, severity: Severity) -> Diagnostic:
    held_elsewhere = bool(cited.others) and cited.memory_verdict.freshness is Freshness.FRESH
    if cited.verdict.verdict is Verdict.STALE and held_elsewhere:
        severity = Severity.INFORMATION if severity in {Severity.WARNING, Severity.ERROR} else severity
    return Diagnostic(
        code=code,
        severity=severity,
        span=cited.lines,
        message=_message(cited, code, held_elsewhere=held_elsewhere),
        related=_related(cited),
        cited=(cited,),
    )


def _message(cited: Cited, code: Code, *, held_elsewhere: bool) -> str:
    advice = {
        Code.MOVED: "Re-point or supersede.",
        Code.MISSING: "Supersede, re-point or retract.",
        Code.COMMIT_MOVED: "Supersede or retract.",
        Code.UNVERIFIABLE: "It cannot be told whether the memory still holds.",
    }.get(code, "Re-verify or supersede.")
    rest = " Its other citations hold." if held_elsewhere and code is not Code.MOVED else ""
    seen = seen_sentence(cited.citation, cited.verdict, cited.pin)
    return f"{cited.memory.id}: {shortened(cited.memory.text)} — {seen}.{rest} {advice}"


def _related(cited: Cited) -> tuple[tuple[Place, str], ...]:
    found = [(place, "identical copy") for place in cited.verdict.candidates]
    if cited.verdict.new:
        found.insert(0, (cited.verdict.new, "found now at"))
    if cited.recorded and cited.recorded != cited.span:
        found.insert(0, (Place(cited.citation.path or "", cited.recorded), "recorded here"))
    return tuple(found)


def _line_ends(cited: Sequence[Cited], config: DiagnosticsConfig) -> Diagnostic:
    names = ", ".join(each.memory.id for each in cited[:NAMED]) + (", …" if len(cited) > NAMED else "")
    return Diagnostic(
        code=Code.STALE_COSMETIC,
        severity=config.severities[Code.STALE_COSMETIC],
        span=Span(1, 1),
        message=f"Only line ends changed in {len(cited)} citations of this file ({names}). "
        "Re-verify all cosmetic changes, or change the line ends back.",
        cited=tuple(cited),
    )


def _left_out(count: int) -> Diagnostic:
    return Diagnostic(
        code=Code.STALE,
        severity=Severity.INFORMATION,
        span=Span(1, 1),
        message=f"{count} more memories of this file need attention; see them all with: stilltrue check",
    )
