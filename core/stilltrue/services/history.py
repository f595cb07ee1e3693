"""Look at memories: the live ones, one whole, how it came to be, and figures. Writes nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from stilltrue.ide.wording import event_text, harmless, place_text
from stilltrue.model.citation import Citation, Place
from stilltrue.model.healing import HealEvent
from stilltrue.model.memory import Closing, Memory
from stilltrue.model.pin import KeptPin
from stilltrue.services.judging import JudgedMemory, judge_all, judged_memory
from stilltrue.services.kept_pins import kept_pins, pin_text
from stilltrue.services.moves import Search
from stilltrue.services.workspace import Workspace
from stilltrue.store import citations as citation_rows
from stilltrue.store import cited as cited_rows
from stilltrue.store import healing, lineage, memories, overview


@dataclass(frozen=True, slots=True, kw_only=True)
class Lineage:
    """How a memory came to be (A9).

    Attributes:
        memory: The one asked about.
        ancestors: What it replaced, nearest first.
        descendants: What replaced it, nearest first.
        heads: Its live successors; two of them are a fork.
        closings: Every end of the memories above, undone ones included, by uid.
        generations: Every generation of the memory's own citations, in order.
        events: What passes did to the memory and its ancestors, oldest first.
    """

    memory: Memory
    ancestors: tuple[Memory, ...]
    descendants: tuple[Memory, ...]
    heads: tuple[Memory, ...]
    closings: dict[str, list[Closing]]
    generations: tuple[Citation, ...]
    events: tuple[HealEvent, ...] = ()


def live(workspace: Workspace) -> list[JudgedMemory]:
    """Every live memory of the repository, judged, by number."""
    with workspace.reading() as reading:
        if reading is None:
            return []
        connection, repository = reading
        now = workspace.present(connection)
        found = memories.live_memories(connection, repository, now)
        cited = cited_rows.live_citations(connection, repository, now)
    tree = workspace.fresh_tree()
    judged = {each.memory.uid: each for each in judge_all(cited, tree, Search(workspace, tree))}
    return [judged.get(memory.uid) or judged_memory(memory, ()) for memory in found]


def everything(workspace: Workspace) -> list[tuple[Memory, Closing | None]]:
    """Every memory of the repository that was ever recorded, with its standing end if any, by number."""
    with workspace.reading() as reading:
        if reading is None:
            return []
        connection, repository = reading
        found = memories.all_memories(connection, repository)
        ends = lineage.closings_of(connection, [memory.uid for memory in found])
    return [
        (memory, next((end for end in reversed(ends.get(memory.uid, [])) if end.undone_at is None), None))
        for memory in found
    ]


def show(workspace: Workspace, reference: str) -> tuple[JudgedMemory, list[Closing]]:
    """One memory with its citations judged now, and its ends.

    Raises:
        NotFoundError: Nothing has that name.
    """
    with workspace.reading() as reading:
        connection, repository = workspace.known(reading)
        memory = memories.resolve_memory(connection, reference, repository)
        cited = citation_rows.citations_of(connection, [memory.uid]).get(memory.uid, [])
        ends = lineage.closings_of(connection, [memory.uid]).get(memory.uid, [])
    pairs = [(memory, citation) for citation in cited]
    tree = workspace.fresh_tree()
    judged = judge_all(pairs, tree, Search(workspace, tree))
    return (judged[0] if judged else judged_memory(memory, ())), ends


def why(workspace: Workspace, reference: str) -> Lineage:
    """How a memory came to be (A9).

    Raises:
        NotFoundError: Nothing has that name.
    """
    with workspace.reading() as reading:
        connection, repository = workspace.known(reading)
        memory = memories.resolve_memory(connection, reference, repository)
        ancestors = lineage.ancestors_of(connection, memory)
        descendants = lineage.descendants_of(connection, memory)
        uids = [each.uid for each in (memory, *ancestors, *descendants)]
        cited = citation_rows.citations_of(connection, [memory.uid]).get(memory.uid, [])
        return Lineage(
            memory=memory,
            ancestors=tuple(ancestors),
            descendants=tuple(descendants),
            heads=tuple(lineage.live_successors(connection, memory)),
            closings=lineage.closings_of(connection, uids),
            events=tuple(healing.events_of(connection, uids)),
            generations=tuple(
                each for citation in cited for each in citation_rows.generations_of(connection, citation.uid)
            ),
        )


def stats(workspace: Workspace) -> overview.Stats | None:
    """Figures about the repository's memories (A9); None where nothing is remembered."""
    with workspace.reading() as reading:
        if reading is None:
            return None
        connection, repository = reading
        return overview.stats(connection, repository, workspace.present(connection))


def history_text(workspace: Workspace, reference: str) -> str:
    """The history of a memory as plain text, oldest first."""
    told = why(workspace, reference)
    versions = (*reversed(told.ancestors), told.memory, *told.descendants)
    events = {each.superseding: each for each in told.events}
    parts = [_version_text(each, told.closings.get(each.uid, ()), events.get(each.uid)) for each in versions]
    if len(told.heads) > 1:
        parts.append("Two live successors: " + " and ".join(head.id for head in told.heads))
    present = {each.uid: each for each in told.generations}
    kept = kept_pins(workspace, present.values())
    parts.append(
        "\n".join(
            _generation_text(each, kept.get(each.uid) if present[each.uid] is each else None)
            for each in told.generations
        )
    )
    return "\n\n".join(part for part in parts if part) + "\n"


def _version_text(memory: Memory, closings: Sequence[Closing], event: HealEvent | None) -> str:
    rows = [f"{memory.id}  {harmless(memory.text)}", f"    recorded {memory.tx_at}"]
    if event is not None:
        rows.append(f"    {event_text(event)}")
    for closing in closings:
        taken_back = f", taken back {closing.undone_at}" if closing.undone_at else ""
        rows.append(f"    {closing.kind} {closing.at} by {closing.actor}{taken_back}")
    return "\n".join(rows)


def _generation_text(citation: Citation, said: KeptPin | None) -> str:
    place = place_text(Place(citation.path or "", citation.span)) if citation.span else citation.path or ""
    place = harmless(place)
    commit = f" at {citation.commit[:7]}" if citation.commit else ""
    unsaved = " (unsaved text)" if citation.origin == "buffer" else ""
    when = f"{citation.recorded_at} by {citation.actor}"
    told = f"{citation.id} generation {citation.generation}: {place}{commit}, {when}{unsaved}"
    if said is None or citation.commit is None:
        return told
    return f"{told}\n    {harmless(pin_text(citation.path, citation.commit, said.state))}, {said.age_text}"
