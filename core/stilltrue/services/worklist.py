"""What was demoted and waits for somebody to settle it: derived from events, kept nowhere (E33)."""

from __future__ import annotations

from dataclasses import dataclass

from stilltrue.model.healing import HealEvent
from stilltrue.model.memory import Memory
from stilltrue.model.verdict import Freshness
from stilltrue.services.judging import JudgedMemory, judge_all, judged_memory
from stilltrue.services.moves import Search
from stilltrue.services.workspace import Workspace
from stilltrue.store import cited as cited_rows
from stilltrue.store import healing


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """A memory that was demoted and that nobody settled since.

    Attributes:
        judged: It, judged now.
        event: Why it was demoted.
    """

    judged: JudgedMemory
    event: HealEvent

    @property
    def memory(self) -> Memory:
        """The demoted version."""
        return self.judged.memory


def worklist(workspace: Workspace) -> list[Waiting]:
    """What waits, by number. Whatever settles a memory takes it off; writes nothing."""
    with workspace.reading() as reading:
        if reading is None:
            return []
        connection, repository = reading
        present = workspace.present(connection)
        found = healing.worklist(connection, repository, present)
        cited = cited_rows.live_citations_of(connection, repository, present, [each.uid for each, _ in found])
    tree = workspace.fresh_tree()
    judged = {each.memory.uid: each for each in judge_all(cited, tree, Search(workspace, tree))}
    waiting = [
        Waiting(judged=judged.get(memory.uid) or judged_memory(memory, ()), event=event)
        for memory, event in found
    ]
    return [each for each in waiting if not _is_settled(each.judged)]


def _is_settled(judged: JudgedMemory) -> bool:
    """Somebody re-verified or re-pointed a citation since, and now all of them hold."""
    anew = any(each.citation.generation > 1 for each in judged.citations)
    return anew and judged.verdict.freshness is Freshness.FRESH
