"""A snapshot and some lines to the actions offered there (F26 to F33)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from stilltrue.ide.diagnostics import DiagnosticsConfig, Severity, flipped
from stilltrue.ide.snapshot import Cited, Snapshot
from stilltrue.ide.wording import place_text, shortened
from stilltrue.model.citation import Place, Span
from stilltrue.model.verdict import Grade, Reason, Verdict

TITLE_LIMIT = 40
SHOWN_BY_DEFAULT = DiagnosticsConfig()


class Act(StrEnum):
    """What an action does."""

    REVERIFY = "reverify"
    REVERIFY_COSMETIC = "reverify-cosmetic"
    SUPERSEDE = "supersede"
    REPOINT = "repoint"
    RETRACT = "retract"
    SNOOZE = "snooze"
    SHOW_CHANGE = "show-change"
    SHOW_HISTORY = "show-history"
    REMEMBER = "remember"


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """An action that is offered.

    Attributes:
        act: What it does.
        title: What a person reads.
        cited: The citations it is about, as they were looked at.
        target: Where a re-point would point.
        span: The lines a new memory would cite.
    """

    act: Act
    title: str
    cited: tuple[Cited, ...] = ()
    target: Place | None = None
    span: Span | None = None


def offers(
    snapshot: Snapshot,
    selection: Span,
    *,
    selected: bool,
    mappable: bool = True,
    config: DiagnosticsConfig = SHOWN_BY_DEFAULT,
) -> list[Offer]:
    """What may be done on the lines `selection` (1-based, inclusive), both ends counting as touched.

    Settling is offered for what is shown there, and for nothing that is silenced.

    Args:
        snapshot: The file as it is shown.
        selection: The lines asked about.
        selected: Text is selected there, rather than just a cursor.
        mappable: The buffer's text can be turned into bytes, so that it can be cited.
        config: How diagnostics are shown.
    """
    stale = [
        each
        for each in snapshot.touching(selection.start, selection.end)
        if config.severity(each) is not Severity.OFF and each.provisional is None
    ]
    offered = [offer for each in stale for offer in _for_one(each, name_it=len(stale) > 1)]
    if len(stale) > 1:
        together = tuple(each for each in stale if _can_reverify(each))
        if len(together) > 1:
            title = f"Still true: re-verify all {len(together)} memories here"
            offered.insert(0, Offer(act=Act.REVERIFY, title=title, cited=together))
    cosmetic = tuple(
        each
        for each in snapshot.cited
        if each.verdict.grade is Grade.COSMETIC and config.severity(each) is not Severity.OFF
    )
    on_note = selection.start == 1 and bool(cosmetic) and len(flipped(snapshot)) > 1
    if on_note or any(each.verdict.grade is Grade.COSMETIC for each in stale):
        title = "Re-verify all cosmetic changes in this file"
        offered.append(Offer(act=Act.REVERIFY_COSMETIC, title=title, cited=cosmetic))
    if selected and mappable:
        offered.append(Offer(act=Act.REMEMBER, title="Remember this…", span=selection))
    return offered


def _for_one(cited: Cited, *, name_it: bool) -> list[Offer]:
    name = f" ({cited.memory.id} {shortened(cited.memory.text, TITLE_LIMIT)})" if name_it else ""
    made: list[Offer] = []
    if _can_reverify(cited):
        made.append(Offer(act=Act.REVERIFY, title=f"Still true: re-verify{name}", cited=(cited,)))
    made.append(Offer(act=Act.SUPERSEDE, title=f"Supersede…{name}", cited=(cited,)))
    made += [
        Offer(
            act=Act.REPOINT, title=f"Re-point to {_where(cited, place)}{name}", cited=(cited,), target=place
        )
        for place in _targets(cited)
    ]
    made.append(Offer(act=Act.RETRACT, title=f"Retract{name}", cited=(cited,)))
    if cited.verdict.verdict is Verdict.STALE:
        title = f"Snooze until these lines change again{name}"
        made.append(Offer(act=Act.SNOOZE, title=title, cited=(cited,)))
        made.append(Offer(act=Act.SHOW_CHANGE, title=f"Show what changed{name}", cited=(cited,)))
    made.append(Offer(act=Act.SHOW_HISTORY, title=f"Show history{name}", cited=(cited,)))
    return made


def _can_reverify(cited: Cited) -> bool:
    verdict = cited.verdict
    return (
        verdict.verdict is Verdict.STALE and not verdict.is_broken and verdict.reason is not Reason.ENCODING
    )


def _targets(cited: Cited) -> Sequence[Place]:
    if cited.verdict.new:
        return (cited.verdict.new,)
    return cited.verdict.candidates[:5]


def _where(cited: Cited, place: Place) -> str:
    if place.path != cited.citation.path:
        return place_text(place)
    return f"lines {place.span.start}–{place.span.end}"
