"""Our own protocol: commands, their arguments, and what a client may say at `initialize`.

Clients mirror this file; nothing here knows how anything is done.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class Command(StrEnum):
    """What `workspace/executeCommand` takes. Each has one argument, an object."""

    REVERIFY = "stilltrue.reverify"
    SUPERSEDE = "stilltrue.supersede"
    REPOINT = "stilltrue.repoint"
    RETRACT = "stilltrue.retract"
    REMEMBER = "stilltrue.remember"
    UNDO = "stilltrue.undo"
    SHOW_CHANGE = "stilltrue.showChange"
    SHOW_HISTORY = "stilltrue.showHistory"
    SNOOZE = "stilltrue.snooze"
    USED = "stilltrue.used"
    RIGHT = "stilltrue.right"
    WRONG = "stilltrue.wrong"
    CHECK = "stilltrue.check"
    LIST = "stilltrue.list"
    IMPORT = "stilltrue.import"
    DOCTOR = "stilltrue.doctor"


FOLDER_COMMANDS = frozenset(
    {
        Command.UNDO,
        Command.USED,
        Command.RIGHT,
        Command.WRONG,
        Command.CHECK,
        Command.LIST,
        Command.IMPORT,
        Command.DOCTOR,
    }
)
"""What is about a repository rather than a file, so that no `uri` is needed."""


class ClientCommand(StrEnum):
    """What a client that asks for texts itself registers; it then calls ours of the same end with `text`."""

    SUPERSEDE = "stilltrue.prompt.supersede"
    REMEMBER = "stilltrue.prompt.remember"


@dataclass(frozen=True, slots=True)
class CitedRef:
    """One citation as it was looked at: its uid and generation (F30)."""

    uid: str
    generation: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Arguments:
    """The one argument of every command; each command needs some of it.

    Attributes:
        uri: The document it was offered in.
        citations: What it is about.
        memory: uid of the memory it is about.
        start_line: First line of a selection or target, 1-based.
        end_line: Last line, inclusive.
        path: Another file a re-point goes to, relative to the repository root.
        text: What a person wrote; None asks for a draft document.
        key: The idempotency key, made when the action was offered (F34).
        version: The document's version when it was offered (F30); None where that does not matter.
        days: How long to snooze; None until the lines change again.
        files: The uris of Markdown files to import from.
        dry_run: Write nothing.
    """

    uri: str = ""
    citations: tuple[CitedRef, ...] = ()
    memory: str | None = None
    start_line: int | None = None
    end_line: int | None = None
    path: str | None = None
    text: str | None = None
    key: str | None = None
    version: int | None = None
    days: int | None = None
    files: tuple[str, ...] = ()
    dry_run: bool = False

    def to_json(self) -> dict[str, Any]:
        """The argument as it goes over the wire; what is not set is left out."""
        full: dict[str, Any] = {
            "uri": self.uri,
            "citations": [{"uid": each.uid, "generation": each.generation} for each in self.citations],
            "memory": self.memory,
            "startLine": self.start_line,
            "endLine": self.end_line,
            "path": self.path,
            "text": self.text,
            "key": self.key,
            "version": self.version,
            "days": self.days,
        }
        return {name: value for name, value in full.items() if value not in (None, [])}


def parse_arguments(value: object, *, needs_uri: bool = True) -> Arguments:
    """The argument of a command, checked.

    Raises:
        ValueError: It has not the shape it must have.
    """
    if not isinstance(value, dict) or not isinstance(value.get("uri", None if needs_uri else ""), str):
        raise ValueError(  # noqa: TRY004 - one kind of error for whatever a client gets wrong
            'a command takes one object, such as {"uri": "file:///…"}'
        )
    texts = {name: _text(value, name) for name in ("memory", "path", "text", "key")}
    start, end, version = _line(value, "startLine"), _line(value, "endLine"), value.get("version")
    if end is not None and (start is None or end < start):
        raise ValueError("endLine is before startLine")
    return Arguments(
        uri=value.get("uri", ""),
        citations=tuple(_cited(each) for each in _list(value, "citations")),
        start_line=start,
        end_line=end,
        version=version if isinstance(version, int) else None,
        days=_days(value),
        files=_files(value),
        dry_run=value.get("dryRun") is True,
        **texts,
    )


@dataclass(frozen=True, slots=True)
class ClientOptions:
    """What a client may say in `initializationOptions`.

    Attributes:
        prompts: It asks for texts itself and has the `ClientCommand`s.
        views: It shows changes and histories itself.
        status: It wants to be told the counts.
        settings: Settings by name; see `stilltrue.settings`.
    """

    prompts: bool = False
    views: bool = False
    status: bool = False
    settings: dict[str, Any] = field(default_factory=dict)


def parse_options(value: object) -> ClientOptions:
    """What a client said at `initialize`; anything unknown is left alone."""
    if not isinstance(value, dict):
        return ClientOptions()
    settings = value.get("settings")
    return ClientOptions(
        prompts=value.get("prompts") is True,
        views=value.get("views") is True,
        status=value.get("status") is True,
        settings=dict(settings) if isinstance(settings, dict) else {},
    )


def _text(value: dict[str, Any], name: str) -> str | None:
    found = value.get(name)
    if found is not None and not isinstance(found, str):
        raise ValueError(f"{name} must be a text")
    return found


def _line(value: dict[str, Any], name: str) -> int | None:
    found = value.get(name)
    if found is not None and (not isinstance(found, int) or isinstance(found, bool) or found < 1):
        raise ValueError(f"{name} must be a whole number from 1 on")
    return found


def _days(value: dict[str, Any]) -> int | None:
    found = value.get("days")
    if found is not None and (not isinstance(found, int) or isinstance(found, bool) or found < 0):
        raise ValueError("days must be a whole number from 0 on")
    return found


def _files(value: dict[str, Any]) -> tuple[str, ...]:
    found = _list(value, "files")
    if not all(isinstance(each, str) for each in found):
        raise ValueError("files must be uris")
    return tuple(found)


def _list(value: dict[str, Any], name: str) -> list[Any]:
    found = value.get(name, [])
    match found:
        case list():
            return found
    raise ValueError(f"{name} must be a list")


def _cited(value: object) -> CitedRef:
    match value:
        case {"uid": str(uid), "generation": int(generation)} if not isinstance(generation, bool):
            return CitedRef(uid, generation)
    raise ValueError("a citation has a uid and a generation")
