"""What an editor's server keeps of what it judged anyway, beside what it shows (K6, E34). Silent."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from stilltrue.errors import StillTrueError
from stilltrue.model.healing import HealMode
from stilltrue.services import leases, lowering
from stilltrue.services.clean_tree import refuse_unsettled
from stilltrue.services.heal import KEEP_VERDICTS, cited_by, heal
from stilltrue.services.judging import JudgedMemory
from stilltrue.services.kept_pins import kept_pins
from stilltrue.services.kept_verdicts import changed_rows
from stilltrue.services.overview import Surveyed
from stilltrue.services.pins import Wanted, check_pins
from stilltrue.services.workspace import Workspace
from stilltrue.store import repositories
from stilltrue.store import verdicts as verdict_rows

logger = logging.getLogger(__name__)


@dataclass(slots=True)
class Background:
    """The passes of one session, each after a survey of the disk; never over unsaved buffers.

    Attributes:
        tried: The states of code that a pass was made for: one that fails is not repeated for ever.
        kept: What was last found of each citation, by root and uid. Two editors that judge alike files with
            other settings must not write over each other for ever.
        pinned: The commit that was checked out, and the pins, when git was last asked about them, by root.
    """

    tried: set[frozenset[str]] = field(default_factory=set)
    kept: dict[Path, dict[str, object]] = field(default_factory=dict)
    pinned: dict[Path, object] = field(default_factory=dict)

    def after(self, workspace: Workspace, surveyed: Surveyed) -> None:
        """Do what the setting `heal_mode` allows; what cannot be done now is left for the next time."""
        mode = HealMode(workspace.settings.heal_mode)
        try:
            if mode is HealMode.OFF or not _can_be_written(workspace):
                return
            if mode.writes_memories and self._heal(workspace, mode, surveyed):
                return
            self._keep(workspace, surveyed)
            self._check_pins(workspace, surveyed)
        except StillTrueError as error:
            logger.info("no pass over %s now: %s", workspace.root, error.message)
        except Exception:
            logger.exception("a pass over %s failed", workspace.root)

    def _keep(self, workspace: Workspace, surveyed: Surveyed) -> None:
        before, judged = self.kept.get(workspace.root, {}), _told(surveyed)
        found: dict[str, object] = {
            each.citation.uid: (each.citation.generation, each.verdict)
            for memory in judged
            for each in memory.citations
        }
        news = {uid for uid, said in found.items() if before.get(uid) != said}
        keep_verdicts(
            workspace, [each for each in judged if any(one.citation.uid in news for one in each.citations)]
        )
        self.kept[workspace.root] = found

    def _check_pins(self, workspace: Workspace, surveyed: Surveyed) -> None:
        """Ask git about what rests on a commit alone, once another one is checked out (F25)."""
        cited = [one.citation for each in surveyed.memories for one in each.citations]
        resting = [each for each in cited if each.rests_on_commit]
        state = (workspace.head_state(), frozenset((each.uid, each.generation) for each in resting))
        if not resting or not workspace.in_git or self.pinned.get(workspace.root) == state:
            return
        head, kept = workspace.git.head(), kept_pins(workspace, resting)
        if head and any(each.uid not in kept or kept[each.uid].checked_head != head for each in resting):
            check_pins(workspace, Wanted(unbacked=True), fill=False)
        self.pinned[workspace.root] = state  # only now: a store that was locked is asked again

    def _heal(self, workspace: Workspace, mode: HealMode, surveyed: Surveyed) -> bool:
        """Whether a pass was made: something is adrift, the tree is clean, and it was not tried before."""
        awake = (each for each in surveyed.memories if each.memory.uid not in surveyed.silenced)
        drifts = lowering.to_heal(workspace, awake, mode)
        states = frozenset(each.code_state for each in drifts)
        if not drifts or states in self.tried:
            return False
        try:
            refuse_unsettled(workspace, cited_by(drifts), otherwise=KEEP_VERDICTS)
        except StillTrueError:
            return False
        self.tried.add(states)
        heal(workspace, mode)
        return True


def keep_verdicts(workspace: Workspace, judged: Sequence[JudgedMemory]) -> int:
    """Keep the verdicts that differ from those that are kept; how many. Nothing is written for none.

    Raises:
        ConflictError: A pass of another process is under way here.
        StoreError: The store cannot be written.
    """
    with workspace.reading() as reading:
        if reading is None:
            return 0
        connection, repository = reading
        now = workspace.present(connection).known
        checkout = repositories.find_checkout(connection, repository, *workspace.checkout)
        if not changed_rows(connection, checkout, judged, now=now, head=None):
            return 0
    head = workspace.git.head() if workspace.in_git else None
    with workspace.writing() as (connection, repository, now):
        number = repositories.ensure_checkout(connection, repository, *workspace.checkout, now)
        leases.refuse_if_held(connection, number, now)
        rows = changed_rows(connection, number, judged, now=now, head=head)
        verdict_rows.write_verdicts(connection, number, rows)
        return len(rows)


def _can_be_written(workspace: Workspace) -> bool:
    store = workspace.store_if_any()
    return store is not None and not store.read_only


def _told(surveyed: Surveyed) -> list[JudgedMemory]:
    """What a check judges, too: not what is ignored whole."""
    return [
        each
        for each in surveyed.memories
        if not (silence := surveyed.silenced.get(each.memory.uid)) or not silence.in_buffers
    ]
