"""Memories out of Markdown: each block that names places in the code becomes one, once."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from stilltrue.citations.mentions import Block, blocks
from stilltrue.errors import CitationError, InputError
from stilltrue.model.citation import CitationDraft, Place
from stilltrue.model.memory import Origin, Trust
from stilltrue.services.imported import Found, Item, recognise, record
from stilltrue.services.mentioned import MentionReader
from stilltrue.services.remember import FIELD_LIMIT, Request, checked_draft
from stilltrue.services.workspace import Workspace
from stilltrue.source.files import Texts

__all__ = ["DEFAULT_NAMES", "Found", "ImportReport", "Refused", "default_files", "import_files"]

DEFAULT_NAMES = (
    "AGENTS.md",
    "CLAUDE.md",
    "GEMINI.md",
    ".github/copilot-instructions.md",
    ".cursor/rules/*.md",
    ".cursor/rules/*.mdc",
    "CONTRIBUTING.md",
    "README.md",
)
"""Where a repository tells agents and people about itself, relative to its root."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """A place or block that cannot be taken, and why, in a few plain words."""

    text: str
    source: str
    line: int
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportReport:
    """What an import found and did.

    Attributes:
        sources: The Markdown files that were read, relative to the repository root.
        found: Every block that can be remembered, known ones too.
        refused: What was left out.
        imported: How many memories were recorded; 0 in a dry run.
        known: How many of `found` were imported before.
    """

    sources: tuple[str, ...]
    found: tuple[Found, ...]
    refused: tuple[Refused, ...]
    imported: int = 0
    known: int = 0

    def to_json(self) -> dict[str, Any]:
        """The report as surfaces answer it; lines are 1-based and inclusive."""
        return {
            "imported": self.imported,
            "known": self.known,
            "found": [
                {
                    "text": each.text,
                    "source": each.source,
                    "line": each.line,
                    "places": [
                        {"path": place.path, "startLine": place.span.start, "endLine": place.span.end}
                        for place in each.places
                    ],
                    "id": each.memory.id if each.memory else None,
                }
                for each in self.found
            ],
            "refused": [
                {"text": each.text, "source": each.source, "line": each.line, "why": each.why}
                for each in self.refused
            ],
        }


def default_files(workspace: Workspace) -> list[Path]:
    """Those of `DEFAULT_NAMES` that are files of the repository, each once, whatever links to it."""
    found: dict[Path, Path] = {}
    for name in DEFAULT_NAMES:
        for file in sorted(workspace.root.glob(name)):
            real = Path(os.path.realpath(file))
            if real.is_file() and workspace.root in real.parents:
                found.setdefault(real, file)
    return list(found.values())


def import_files(
    workspace: Workspace, files: Sequence[Path], *, dry_run: bool, texts: Texts | None = None
) -> ImportReport:
    """Remember each block of Markdown that names places of the repository. All of it is one act for `undo`.

    An import reads the words and not the code, so its memories are candidates (`Trust.CANDIDATE`).
    A block is known by its words, its places and its file's folder: what was imported once is left alone,
    also when that memory was superseded or retracted since; what `undo` took back is imported again.

    Args:
        workspace: The repository.
        files: The Markdown files, relative to the root or absolute.
        dry_run: Only look; nothing is written and no store is made.
        texts: Where files are read, Markdown too; an editor's buffers, or else the working tree.

    Raises:
        InputError: A file lies outside the repository or cannot be read as text. Nothing was written.
    """
    reader = MentionReader(workspace, texts)
    sources = list(dict.fromkeys(_inside(workspace, file) for file in files))
    contents = [(source, reader.markdown(source)) for source in sources]
    gathered = _Gathered(reader)
    for source, markdown in contents:
        for block in blocks(markdown):
            gathered.take(source, block)
    items = list(gathered.items.values())
    recognise(workspace, items)
    fresh = [item for item in items if not item.found.is_known]
    if fresh and not dry_run:
        record(workspace, fresh, reader.recorder)
    known = sum(item.found.is_known for item in items)
    return ImportReport(
        sources=tuple(sources),
        found=tuple(item.found for item in items),
        refused=tuple(gathered.refused.values()),
        imported=0 if dry_run else len(items) - known,
        known=known,
    )


@dataclass(slots=True)
class _Gathered:
    """Everything that was found; the same words about the same places are there once."""

    reader: MentionReader
    items: dict[tuple[str, tuple[Place, ...]], Item] = field(default_factory=dict)
    refused: dict[tuple[str, str], Refused] = field(default_factory=dict)

    def take(self, source: str, block: Block) -> None:
        folder = posixpath.dirname(source)
        outcomes = [self.reader.cited(mention, folder) for mention in block.mentions]
        for outcome in outcomes:
            if isinstance(outcome, CitationError):
                self._refuse(source, block, outcome.message)
        cited = {
            Place(each.path, each.span): each
            for each in outcomes
            if isinstance(each, CitationDraft) and each.path and each.span
        }
        if cited and block.is_heading:
            self._refuse(source, block, "a place in a heading is not taken; write it into the text below")
        elif cited and not block.says_something:
            self._refuse(source, block, "only the place stands here; say what holds there")
        elif cited:
            self._add(source, block, cited)

    def _add(self, source: str, block: Block, cited: dict[Place, CitationDraft]) -> None:
        unsaved = any(self.reader.is_unsaved(place.path) for place in cited)
        request = Request(
            text=block.text,
            subject=block.heading[:FIELD_LIMIT].strip() or next(iter(cited)).path,
            trust=Trust.CANDIDATE,
            source_ref=f"{os.fsencode(source).decode('utf-8', 'backslashreplace')}:{block.line}",
            origin=Origin.BUFFER if unsaved else Origin.DISK,
        )
        try:
            draft = checked_draft(request)
        except InputError as error:
            self._refuse(source, block, error.message)
            return
        found = Found(
            text=draft.text, subject=draft.subject, source=source, line=block.line, places=tuple(cited)
        )
        item = Item(found, draft, list(cited.values()), {})
        item = self.items.setdefault((draft.text, found.places), item)
        item.digests[_digest(source, block)] = None

    def _refuse(self, source: str, block: Block, why: str) -> None:
        refused = Refused(text=block.text, source=source, line=block.line, why=why)
        self.refused.setdefault((block.text, why), refused)


def _inside(workspace: Workspace, file: Path) -> str:
    """A file's path relative to the repository root, with `/`."""
    named = workspace.root / file
    real = Path(os.path.realpath(named.parent)) / named.name
    if real == workspace.root:
        raise InputError(f"{file} is a folder", hint="name Markdown files")
    if workspace.root not in real.parents:
        raise InputError(f"{file} lies outside {workspace.root}", hint="name files of the repository")
    return real.relative_to(workspace.root).as_posix()


def _digest(source: str, block: Block) -> str:
    """What a block is known by: its folder, from which its places are taken, its words and its places."""
    places = [(mention.path, mention.span.start, mention.span.end) for mention in block.mentions]
    known_by = repr((posixpath.dirname(source), block.text, places))
    return sha256(known_by.encode("utf-8", "surrogatepass")).hexdigest()
