"""Say which memories lost their code, and invalidate those of which nothing is left, if asked to (E37)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from stilltrue.model.healing import DriftReason, HealKind
from stilltrue.services import leases, lowering
from stilltrue.services.check import CheckReport, check
from stilltrue.services.clean_tree import refuse_unsettled
from stilltrue.services.drift import Drift, drift_of, is_adrift, may_lose_trust
from stilltrue.services.heal import cited_by
from stilltrue.services.lowering import Healed
from stilltrue.services.workspace import Workspace
from stilltrue.store import healing, repositories
from stilltrue.store import verdicts as verdict_rows


@dataclass(frozen=True, slots=True, kw_only=True)
class Audit:
    """What an audit found.

    Attributes:
        report: Everything that was judged, and what was not.
        issues: What lost its code, by structure or content, and does not wait on the work-list already.
        waiting: How many memories wait on the work-list.
        invalidated: What was demoted now.
    """

    report: CheckReport
    issues: tuple[Drift, ...] = ()
    waiting: int = 0
    invalidated: tuple[Healed, ...] = ()

    def of(self, reason: DriftReason) -> list[Drift]:
        """The issues of one kind."""
        return [each for each in self.issues if each.reason is reason]


def audit(
    workspace: Workspace, *, invalidate: bool = False, progress: Callable[[int], None] | None = None
) -> Audit:
    """Judge everything as a check does; writes nothing unless it is to invalidate.

    Args:
        workspace: The repository.
        invalidate: Demote the memories of which every citation is gone, all in one transaction. What
            changed in content stays for `heal`, or for people.
        progress: Told how many files were read.

    Raises:
        InputError: It is to invalidate, and the working tree is not clean (`tree_not_clean`).
        ConflictError: It is to invalidate, and a pass is under way here.
    """
    report = check(workspace, progress=progress)
    with workspace.reading() as reading:
        if reading is None:
            return Audit(report=report)
        connection, repository = reading
        waiting = {
            memory.uid
            for memory, _ in healing.worklist(connection, repository, workspace.present(connection))
        }
    issues = [
        drift_of(each, workspace.lines_now)
        for each in report.memories
        if is_adrift(each) and each.memory.uid not in waiting
    ]
    gone = [
        each for each in issues if each.reason is DriftReason.ANCHOR_DRIFT and may_lose_trust(each.judged)
    ]
    done = _invalidated(workspace, gone) if invalidate and gone else []
    return Audit(report=report, issues=tuple(issues), waiting=len(waiting), invalidated=tuple(done))


def _invalidated(workspace: Workspace, gone: list[Drift]) -> list[Healed]:
    refuse_unsettled(workspace, cited_by(gone), otherwise="leave out --invalidate")
    head = workspace.git.head()
    with leases.held(workspace) as lease, workspace.writing() as (connection, repository, now):
        checkout = repositories.ensure_checkout(connection, repository, *workspace.checkout, now)
        leases.refuse_if_lost(connection, checkout, lease)
        standing = lowering.unmoved(connection, workspace, gone)
        done = lowering.replace_drifting(
            connection, workspace, standing, HealKind.DEMOTED, now=now, head=head, again=True
        )
        copies = [row for each in done for row in each.verdicts]
        verdict_rows.write_verdicts(connection, checkout, copies)
        return done
