"""The background pass: judge what may have changed, keep what was found, heal as the mode says (E21 to E34).

Without a mode that writes memories nothing but verdict rows and the checkpoint is written (K6).
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from stilltrue.errors import StillTrueError
from stilltrue.model.healing import HealKind, HealMode, Lease
from stilltrue.model.memory import Memory
from stilltrue.model.verdict import CitationVerdict, Reason
from stilltrue.services import leases, lowering, snoozing
from stilltrue.services.check import CheckReport
from stilltrue.services.clean_tree import refuse_unsettled
from stilltrue.services.drift import Drift
from stilltrue.services.heal_scope import Due, Pairs, due
from stilltrue.services.judging import JudgedMemory, judge_all
from stilltrue.services.kept_verdicts import changed_rows
from stilltrue.services.lowering import Healed
from stilltrue.services.moves import Search
from stilltrue.services.workspace import Workspace
from stilltrue.source.files import Texts
from stilltrue.store import checkpoints, repositories
from stilltrue.store import verdicts as verdict_rows
from stilltrue.store.verdicts import VerdictRow

logger = logging.getLogger(__name__)

HEALS_BY = {HealMode.CONFIDENCE: HealKind.LOWERED, HealMode.DEMOTE: HealKind.DEMOTED}
KEEP_VERDICTS = "keep verdicts alone with: stilltrue heal --mode verdict"


@dataclass(frozen=True, slots=True, kw_only=True)
class Pass:
    """What a pass did.

    Attributes:
        mode: What it was allowed to do.
        whole: Why it judged everything, in words; empty where it judged only what may have changed.
        judged: The memories it judged, by number.
        left_out: How many live memories it did not need to judge.
        snoozed: uids of those that the acting person does not want to hear of; they are judged, not healed.
        verdicts: How many citations have another verdict now than was kept.
        drifts: What is, or in a dry run would be, healed in this mode.
        healed: What was.
        failed: Memories that could not be judged or healed now, for a reason that may pass.
        reached: The commit up to which everything is judged now; None without git, or where something failed.
        dry_run: Nothing was written.
    """

    mode: HealMode
    whole: str = ""
    judged: tuple[JudgedMemory, ...] = ()
    left_out: int = 0
    snoozed: frozenset[str] = frozenset()
    verdicts: int = 0
    drifts: tuple[Drift, ...] = ()
    healed: tuple[Healed, ...] = ()
    failed: tuple[Memory, ...] = ()
    reached: str | None = None
    dry_run: bool = False

    @property
    def report(self) -> CheckReport:
        """What was judged and may be told, as a check reports it."""
        return CheckReport(
            memories=tuple(each for each in self.judged if each.memory.uid not in self.snoozed)
        )


@dataclass(slots=True)
class _Findings:
    """What a pass found and has not written yet."""

    due: Due
    judged: list[JudgedMemory]
    failed: list[Memory]
    snoozed: frozenset[str]
    drifts: list[Drift] = field(default_factory=list)
    healed: list[Healed] = field(default_factory=list)
    verdicts: int = 0


def heal(
    workspace: Workspace,
    mode: HealMode | None = None,
    *,
    full: bool = False,
    dry_run: bool = False,
    texts: Texts | None = None,
    progress: Callable[[int], None] | None = None,
) -> Pass:
    """One pass over one working tree; never over unsaved buffers (K6).

    Args:
        workspace: The repository.
        mode: What it may do; what the settings say unless one is given.
        full: Judge everything, whatever git says.
        dry_run: Say what would be done and write nothing.
        texts: Where the cited files are read; the working tree unless said otherwise.
        progress: Told how many files were searched beside the cited ones.

    Raises:
        ConflictError: Another pass is under way here; the message names its process.
        InputError: The mode writes memories and the tree is not clean (`tree_not_clean`).
        StoreError: The store cannot be written.
    """
    mode = mode or HealMode(workspace.settings.heal_mode)
    if mode is HealMode.OFF or not _is_known(workspace):
        return Pass(mode=mode, dry_run=dry_run)
    if mode.writes_memories:
        refuse_unsettled(workspace, (), otherwise=KEEP_VERDICTS)
    if dry_run:
        found = _find(workspace, mode, full=full, texts=texts, progress=progress)
        found.verdicts = len(_news(workspace, found))
        return _told(mode, found, dry_run=True)
    with leases.held(workspace) as lease:
        found = _find(workspace, mode, full=full, texts=texts, progress=progress)
        _write(workspace, lease, mode, found)
    return _told(mode, found)


def heal_each(
    workspaces: Iterable[Workspace], mode: HealMode | None = None, *, run: Callable[..., Pass] = heal
) -> dict[Path, Pass | StillTrueError]:
    """A pass over each working tree, once however often it is named; one that fails stops no other (E34).

    A mode that is off runs nothing.
    """
    found: dict[Path, Pass | StillTrueError] = {}
    for workspace in workspaces:
        wanted = mode or HealMode(workspace.settings.heal_mode)
        if wanted is HealMode.OFF or workspace.root in found:
            continue
        try:
            found[workspace.root] = run(workspace, wanted)
        except StillTrueError as error:
            found[workspace.root] = error
        except Exception as error:
            logger.exception("a pass over %s failed", workspace.root)
            found[workspace.root] = StillTrueError(f"{type(error).__name__}: {error}", code="bug")
    return found


def _is_known(workspace: Workspace) -> bool:
    with workspace.reading() as reading:
        return reading is not None


def _find(
    workspace: Workspace,
    mode: HealMode,
    *,
    full: bool,
    texts: Texts | None,
    progress: Callable[[int], None] | None,
) -> _Findings:
    asked = due(workspace, full=full) or Due(at=workspace.clock.now(), pairs=[])
    source = texts or workspace.fresh_tree()
    judged, failed = judge_each(asked.pairs, source, Search(workspace, source, progress))
    snoozed = frozenset(snoozing.asleep(workspace, judged, texts=source))
    found = _Findings(asked, judged, failed, snoozed)
    if mode.writes_memories:
        awake = (each for each in judged if each.memory.uid not in snoozed)
        found.drifts = lowering.to_heal(workspace, awake, mode)
    if found.drifts:
        # asked once more after everything was read: an edit meanwhile must not count as what was committed
        refuse_unsettled(workspace, cited_by(found.drifts), otherwise=KEEP_VERDICTS)
    return found


def cited_by(drifts: Iterable[Drift]) -> list[str | None]:
    """What these memories cite."""
    return [each.citation.path for drift in drifts for each in drift.judged.citations]


def judge_each(pairs: Pairs, texts: Texts, search: Search) -> tuple[list[JudgedMemory], list[Memory]]:
    """Every memory judged as a check judges it, and those that could not be, for a reason that may pass."""
    try:
        judged, failed = judge_all(pairs, texts, search), list[Memory]()
    except Exception:
        logger.exception("memories are judged one by one, because one of them cannot be")
        judged, failed = _one_by_one(pairs, texts, search)
    failed += [each.memory for each in judged if any(_may_pass(one.verdict) for one in each.citations)]
    return judged, failed


def _one_by_one(pairs: Pairs, texts: Texts, search: Search) -> tuple[list[JudgedMemory], list[Memory]]:
    judged: list[JudgedMemory] = []
    failed: list[Memory] = []
    for memory in {memory.uid: memory for memory, _ in pairs}.values():
        try:
            judged += judge_all([pair for pair in pairs if pair[0].uid == memory.uid], texts, search)
        except Exception:
            logger.exception("%s cannot be judged now", memory.id)
            failed.append(memory)
    return judged, failed


def _may_pass(verdict: CitationVerdict) -> bool:
    """A file that could not be read may be readable the next time, without any change that git sees (E32)."""
    return verdict.reason is Reason.UNREADABLE


def _news(workspace: Workspace, found: _Findings) -> Sequence[VerdictRow]:
    with workspace.reading() as reading:
        connection, repository = workspace.known(reading)
        checkout = repositories.find_checkout(connection, repository, *workspace.checkout)
        return changed_rows(connection, checkout, found.judged, now=found.due.at, head=found.due.head)


def _write(workspace: Workspace, lease: Lease, mode: HealMode, found: _Findings) -> None:
    """Everything in one transaction: verdicts, new versions with their events, and the checkpoint (E27)."""
    head = found.due.head
    with workspace.writing() as (connection, repository, now):
        checkout = repositories.ensure_checkout(connection, repository, *workspace.checkout, now)
        leases.refuse_if_lost(connection, checkout, lease)
        rows = changed_rows(connection, checkout, found.judged, now=now, head=head)
        if mode in HEALS_BY:
            standing = lowering.unmoved(connection, workspace, found.drifts)
            found.failed += [each.judged.memory for each in found.drifts if each not in standing]
            found.healed = lowering.replace_drifting(
                connection, workspace, standing, HEALS_BY[mode], now=now, head=head
            )
        found.verdicts = len(rows)
        copies = [row for each in found.healed for row in each.verdicts]
        verdict_rows.write_verdicts(connection, checkout, [*rows, *copies])
        if not found.failed:
            checkpoints.write_checkpoint(connection, checkout, found.due.reached(workspace))


def _told(mode: HealMode, found: _Findings, *, dry_run: bool = False) -> Pass:
    return Pass(
        mode=mode,
        whole=found.due.whole,
        judged=tuple(found.judged),
        left_out=found.due.left_out,
        snoozed=found.snoozed,
        verdicts=found.verdicts,
        drifts=tuple(found.drifts),
        healed=tuple(found.healed),
        failed=tuple(found.failed),
        reached=None if found.failed else found.due.head,
        dry_run=dry_run,
    )
