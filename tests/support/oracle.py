"""What a store must answer, told from the events alone.

The oracle keeps every event that was ever recorded, in order, and forgets none. It answers a
question by replaying the events recorded until K into a fresh picture of the world, and then
asks that picture what held at V. It shares no rule and no code with the store.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Recorded:
    """A memory was recorded; `replaces` ended at the same time, from `valid_from` on."""

    act: int
    at: str
    uid: str
    valid_from: str
    valid_to: str | None = None
    replaces: str | None = None


@dataclass(frozen=True, slots=True)
class Retracted:
    """A memory was taken back."""

    act: int
    at: str
    uid: str


@dataclass(frozen=True, slots=True)
class Undone:
    """An earlier act was reversed."""

    at: str
    act: int


Event = Recorded | Retracted | Undone


@dataclass(slots=True)
class _Fact:
    """A memory in the picture: where it holds, and which acts cut it short."""

    valid_from: str
    valid_to: str | None
    cut_at: dict[int, str] = field(default_factory=dict)
    gone_by: set[int | str] = field(default_factory=set)

    def holds_at(self, valid: str) -> bool:
        ends = [end for end in (self.valid_to, *self.cut_at.values()) if end is not None]
        return not self.gone_by and self.valid_from <= valid and all(valid < end for end in ends)


class Oracle:
    """An append-only list of events."""

    def __init__(self) -> None:
        self.events: list[Event] = []

    def tell(self, event: Event) -> None:
        self.events.append(event)

    def visible(self, known: str, valid: str) -> set[str]:
        """The uids of what was known at `known` to hold at `valid`."""
        world = self._world(known)
        return {uid for uid, fact in world.items() if fact.holds_at(valid)}

    def _world(self, known: str) -> dict[str, _Fact]:
        world: dict[str, _Fact] = {}
        for event in self.events:
            if event.at > known:
                continue
            if isinstance(event, Recorded):
                world[event.uid] = _Fact(event.valid_from, event.valid_to)
                if event.replaces is not None:
                    world[event.replaces].cut_at[event.act] = event.valid_from
            elif isinstance(event, Retracted):
                world[event.uid].gone_by.add(event.act)
            else:
                self._reverse(world, event)
        return world

    def _reverse(self, world: dict[str, _Fact], undone: Undone) -> None:
        for event in self.events:
            if isinstance(event, Undone) or event.act != undone.act:
                continue
            if isinstance(event, Recorded):
                world[event.uid].gone_by.add("undone")
                if event.replaces is not None:
                    world[event.replaces].cut_at.pop(event.act, None)
            else:
                world[event.uid].gone_by.discard(event.act)
