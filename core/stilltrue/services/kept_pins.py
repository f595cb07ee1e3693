"""What the last pass over pins said, for showing: read from the store, git is not asked (A22, A23, A25)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from stilltrue.model.citation import Citation
from stilltrue.model.pin import CURRENT, SHOWN_DIGITS, STALE, UNRESOLVED, KeptPin
from stilltrue.model.verdict import Freshness
from stilltrue.services.judging import JudgedMemory
from stilltrue.services.workspace import Connection, Workspace
from stilltrue.store import repositories
from stilltrue.store.verdicts import verdicts_of

_MARKS = {STALE: " STALE", UNRESOLVED: " stale?"}


def kept_pins(workspace: Workspace, citations: Iterable[Citation]) -> dict[str, KeptPin]:
    """What was said of these citations' present generations, by uid; never checked ones are left out."""
    citations = [each for each in citations if each.commit]
    if not citations:
        return {}
    with workspace.reading() as reading:
        if reading is None:
            return {}
        return pins_of(workspace, *reading, citations)


def pins_of(
    workspace: Workspace, connection: Connection, repository: str, citations: Iterable[Citation]
) -> dict[str, KeptPin]:
    """`kept_pins` in a view of the store that is open already."""
    pinned = [each for each in citations if each.commit]
    if not pinned:
        return {}
    return kept_in(connection, checkout_if_any(workspace, connection, repository), pinned)


def kept_in(
    connection: Connection, checkout: int | None, citations: Iterable[Citation]
) -> dict[str, KeptPin]:
    """Likewise in the working tree with that number; nothing is kept for no working tree."""
    pinned = {each.uid: each.generation for each in citations if each.commit}
    rows = verdicts_of(connection, checkout, pinned) if pinned and checkout is not None else {}
    return {
        uid: KeptPin(row.commit_state, row.checked_at, row.checked_head)
        for uid, row in rows.items()
        if row.commit_state and row.checked_head and row.generation == pinned[uid]
    }


def kept_for(workspace: Workspace, memories: Iterable[JudgedMemory]) -> dict[str, KeptPin]:
    """`kept_pins` for everything that these memories cite."""
    return kept_pins(workspace, (each.citation for one in memories for each in one.citations))


def pin_text(path: str | None, commit: str, state: str | None = None) -> str:
    """A pin as it is shown: `pin=src/a.py@a1b2c3d STALE`; nothing follows what is current or unchecked (A23).

    The text is other people's; make it harmless before it is shown.
    """
    place = f"{path}@" if path else ""
    return f"pin={place}{commit[:SHOWN_DIGITS]}{_MARKS.get(state or '', '')}"


def label_with_pins(one: JudgedMemory, kept: Mapping[str, KeptPin]) -> str:
    """Both axes in one word (design 4): what was read of the lines decides, and the pins where it cannot.

    A pin is `stale/commit`, `unverifiable` or `current`; without an answer the label of the lines stays.
    """
    label = one.verdict.label
    if one.verdict.freshness is Freshness.STALE or (
        one.verdict.freshness is Freshness.FRESH and any(each.citation.baseline for each in one.citations)
    ):
        return label
    deciding = (each.citation.uid for each in one.citations if each.citation.rests_on_commit)
    states = {kept[uid].state for uid in deciding if uid in kept}
    if STALE in states:
        return "stale/commit"
    if UNRESOLVED in states:
        return "unverifiable"
    return CURRENT if states and one.verdict.freshness is not Freshness.UNKNOWN else label


def has_drifted(one: JudgedMemory, kept: Mapping[str, KeptPin]) -> bool:
    """A pin that decides was stale or unresolved when git was last asked (A24, K1)."""
    if any(each.citation.baseline for each in one.citations):
        return False
    deciding = (each.citation.uid for each in one.citations if each.citation.rests_on_commit)
    return any(kept[uid].state != CURRENT for uid in deciding if uid in kept)


def checkout_if_any(workspace: Workspace, connection: Connection, repository: str) -> int | None:
    """The number under which verdicts on this working tree are kept; None where there are none."""
    return repositories.find_checkout(connection, repository, *workspace.checkout)
