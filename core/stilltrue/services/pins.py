"""Check pins: what git says happened since the commits that memories name (A29)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from stilltrue.collecting import uncollected
from stilltrue.errors import InputError
from stilltrue.model.memory import Memory
from stilltrue.model.time import Instant
from stilltrue.services.backfill import backfill
from stilltrue.services.clean_tree import refuse_unsettled
from stilltrue.services.kept_pins import checkout_if_any, pin_text
from stilltrue.services.pin_revision import revise
from stilltrue.services.workspace import Workspace
from stilltrue.source.git_batch import CommitState, Pin, PinReason, PinVerdict, judge_pins
from stilltrue.store import repositories
from stilltrue.store.batches import batches
from stilltrue.store.pins import PinFilter, PinnedCitation, PinState, pinned_citations, write_pin_states

__all__ = ["CommitState", "JudgedPin", "PinReason", "PinReport", "Wanted", "check_pins", "pin_text"]

DEFAULT_LIMIT = 100_000
DEFAULT_PAGE = 5_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Which pins a pass looks at.

    Attributes:
        kind: Only those of memories of that kind.
        subject: Only those of memories about that.
        unbacked: Only those of citations that rest on their commit alone.
        limit: At most so many, those that were not checked for longest first (A40).
        page: So many verdicts are kept in one transaction.
    """

    kind: str | None = None
    subject: str | None = None
    unbacked: bool = False
    limit: int = DEFAULT_LIMIT
    page: int = DEFAULT_PAGE


class JudgedPin(NamedTuple):
    """A pinned citation with what git says of it."""

    pinned: PinnedCitation
    verdict: PinVerdict

    @property
    def decides(self) -> bool:
        """No bytes were recorded, so that the commit decides; else it is only information (K1)."""
        return not self.pinned.has_baseline


@dataclass(frozen=True, slots=True, kw_only=True)
class PinReport:
    """The answer of a pass.

    Attributes:
        head: The full hash that was checked out, the same for the whole pass (A30).
        checked_at: When; None where nothing was written.
        pins: In the order of the work-list.
        is_cut: The limit left some out.
        backfilled: uids of the memories that were pinned from their source reference.
        revised: The successors of lesser confidence.
    """

    head: str
    checked_at: Instant | None = None
    pins: tuple[JudgedPin, ...] = ()
    is_cut: bool = False
    backfilled: tuple[str, ...] = ()
    revised: tuple[Memory, ...] = ()

    @property
    def counts(self) -> dict[str, int]:
        """How many pins there are of each state, all of them under `checked` (A39)."""
        counted = Counter(each.verdict.state for each in self.pins)
        return {"checked": len(self.pins), **{state.value: counted[state] for state in CommitState}}

    @property
    def stale(self) -> list[JudgedPin]:
        """The stale pins that decide."""
        return [each for each in self.pins if each.decides and each.verdict.state is CommitState.STALE]


def check_pins(
    workspace: Workspace,
    wanted: Wanted | None = None,
    *,
    write: bool = True,
    fill: bool = True,
    lower: bool = False,
) -> PinReport:
    """Ask git about every pin of this repository's live memories, with a fixed number of processes.

    Args:
        workspace: The repository; pins of others in the same store are left alone (A54).
        wanted: Which pins; all of them unless said otherwise.
        write: Keep what was found, for this working tree (`--flag`); else only tell (`--check`).
        fill: Pin first what has no pin but names a commit in its source reference (A43).
        lower: Give the memories of stale pins a successor of lesser confidence (A52).

    Raises:
        InputError: There is no commit checked out, a limit is below 1, or uncommitted changes forbid `lower`.
            Nothing was written.
    """
    asked = wanted or Wanted()
    for name, given in (("page size", asked.page), ("limit", asked.limit)):
        if given < 1:
            raise InputError(f"the {name} must be at least 1, not {given}")
    head = head_of(workspace)
    if lower:
        refuse_unsettled(workspace, (), otherwise="leave out --revise")
    filled = backfill(workspace) if write and fill else []
    with uncollected():
        pinned, is_cut = _work(workspace, asked)
        judged = _judged(workspace, head, pinned)
        checked_at = _keep(workspace, judged, head, asked.page) if write and judged else None
    report = PinReport(head=head, checked_at=checked_at, pins=judged, is_cut=is_cut, backfilled=tuple(filled))
    return _lowered(workspace, report) if lower and checked_at else report


def head_of(workspace: Workspace) -> str:
    """The full hash of the commit that is checked out (A30).

    Raises:
        InputError: No working tree of git, no commit yet, or no git.
    """
    if not workspace.in_git:
        raise InputError(
            f"{workspace.root} is in no git working tree, so there is nothing to compare pins with",
            hint="run it in a repository, or name one with --repo DIR",
            code="no_repository",
        )
    head = workspace.git.head()
    if head is None:
        raise InputError(
            f"git names no commit that is checked out in {workspace.root}",
            hint="commit something first; if there is a commit, see what `git rev-parse HEAD` says",
            code="no_head",
        )
    return head


def _work(workspace: Workspace, asked: Wanted) -> tuple[list[PinnedCitation], bool]:
    with workspace.reading() as reading:
        if reading is None:
            return [], False
        connection, repository = reading
        found = pinned_citations(
            connection,
            repository,
            workspace.present(connection),
            checkout_if_any(workspace, connection, repository),
            only=PinFilter(kind=asked.kind, subject=asked.subject, unbacked=asked.unbacked),
            limit=asked.limit + 1,
        )
    return found[: asked.limit], len(found) > asked.limit


def _judged(workspace: Workspace, head: str, pinned: Sequence[PinnedCitation]) -> tuple[JudgedPin, ...]:
    asked = [Pin(each.commit, each.path) for each in pinned]
    verdicts = judge_pins(workspace.git, head, set(asked))
    return tuple(JudgedPin(each, verdicts[pin]) for each, pin in zip(pinned, asked, strict=True))


def _keep(workspace: Workspace, judged: Sequence[JudgedPin], head: str, page: int) -> Instant | None:
    """Write the verdicts, page by page, all with the date of the first (A30, A40)."""
    dated: Instant | None = None
    for some in batches(judged, page):
        states = [
            PinState(each.pinned.number, each.pinned.generation, each.verdict.state.value) for each in some
        ]
        with workspace.writing() as (connection, repository, now):
            dated = dated or now
            place = workspace.checkout
            checkout = repositories.ensure_checkout(connection, repository, *place, now=dated)
            write_pin_states(connection, checkout, states, at=dated, head=head)
    return dated


def _lowered(workspace: Workspace, report: PinReport) -> PinReport:
    confirmed = {each.pinned.memory_uid: each.pinned.commit for each in report.stale}
    revised = revise(workspace, confirmed, report.head, workspace.checkout)
    return replace(report, revised=tuple(revised))
