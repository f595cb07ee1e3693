"""Lower the confidence of memories whose pins are stale: through the chain, never by retracting (A52)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from stilltrue.model.memory import Memory
from stilltrue.model.time import Instant, unix_ms
from stilltrue.services.copying import LOWERED_BY, carry_citations, same_words
from stilltrue.services.workspace import Connection, Workspace
from stilltrue.store import history, ids, memories, repositories, succession
from stilltrue.store.engine import bump_revision
from stilltrue.store.verdicts import verdicts_of, write_verdicts

REVISER = "stilltrue pins --revise"
"""The `source_agent` of what was revised here, by which it is known and left alone by the next pass."""

SHOWN_DIGITS = 7


def revise(
    workspace: Workspace, stale: Mapping[str, str], head: str, checkout: tuple[str, str]
) -> list[Memory]:
    """Replace each of these memories by a copy of half the confidence, with a note: one act, to be undone.

    The successor has the same citations and verdicts, so that it goes on being checked. What was revised
    before is left alone: a memory loses confidence once for a pin, however many passes follow.

    Args:
        workspace: The repository.
        stale: By the uid of a memory, the commit that is its stale pin.
        head: The full hash of HEAD.
        checkout: Machine and root of the working tree.

    Returns:
        The successors.
    """
    if not stale:
        return []
    with workspace.writing() as (connection, repository, now):
        found = memories.memories_by_uid(connection, stale)
        live = memories.are_live(connection, stale, workspace.present(connection))
        place = repositories.ensure_checkout(connection, repository, *checkout, now=now)
        made = [
            _revised(connection, memory, _note(stale[memory.uid], head), now=now, actor=workspace.actor)
            for memory in sorted(found.values(), key=lambda memory: memory.number)
            if memory.uid in live and memory.source_agent != REVISER and not memory.redacted
        ]
        for old, new in made:
            _carry_citations(connection, old, new, place, now=now, actor=workspace.actor)
        if made:
            history.record_act(
                connection,
                history.ActKind.SUPERSEDE,
                repository=repository,
                actor=workspace.actor,
                at=now,
                memory_uids=[new.uid for _, new in made],
                closed=[old.uid for old, _ in made],
            )
            bump_revision(connection)
    return [new for _, new in made]


def _note(commit: str, head: str) -> str:
    return f" [pinned to {commit[:SHOWN_DIGITS]}, which {head[:SHOWN_DIGITS]} left behind]"


def _revised(
    connection: Connection, old: Memory, note: str, *, now: Instant, actor: str
) -> tuple[Memory, Memory]:
    draft = same_words(
        old, text=old.text + note, confidence=old.confidence * LOWERED_BY, source_agent=REVISER
    )
    new = succession.supersede_memory(
        connection, old, draft, uid=ids.new_uid(unix_ms(now)), now=now, actor=actor
    )
    return old, new


def _carry_citations(
    connection: Connection, old: Memory, new: Memory, checkout: int, *, now: Instant, actor: str
) -> None:
    """With what was last said of them, so that the successor goes on being checked."""
    carried = carry_citations(connection, old, new, now=now, actor=actor)
    said = verdicts_of(connection, checkout, [cited.uid for cited, _ in carried])
    rows = [
        replace(said[cited.uid], citation=copied.uid, generation=1)
        for cited, copied in carried
        if cited.uid in said and said[cited.uid].generation == cited.generation
    ]
    write_verdicts(connection, checkout, rows)
