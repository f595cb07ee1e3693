"""Read code into citations: what cannot be read cannot be cited (design 3)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from stilltrue.citations.baselines import file_baseline, span_baseline
from stilltrue.citations.defining import enclosing_symbol
from stilltrue.citations.lines import Lines
from stilltrue.citations.specs import CitationSpec, parse_spec, spec_from_fields
from stilltrue.citations.symbols import symbols_in
from stilltrue.errors import CitationError
from stilltrue.model.citation import CitationDraft, CitationKind, Span
from stilltrue.model.verdict import Reason
from stilltrue.services.workspace import Workspace
from stilltrue.source.files import FileText, Texts, find_encoding
from stilltrue.source.git import blob_id

__all__ = ["CitationSpec", "Recorder", "parse_spec", "spec_from_fields"]

_OBSTACLE_HINTS = {
    Reason.OUTSIDE_ROOT: ("leads outside the repository", "cite a file inside it"),
    Reason.NOT_A_FILE: ("is no regular file", "cite a file, not a folder or a device"),
    Reason.TOO_LARGE: ("is larger than max_file_bytes", "raise max_file_bytes in your configuration"),
    Reason.UNREADABLE: ("cannot be read", "look at its permissions"),
}


MOST_KEPT_BYTES = 32 * 1024 * 1024


@dataclass(slots=True)
class SeenLines:
    """What was made of texts in one batch, for the next: lines and symbols serve while a text is the same."""

    _known: dict[str, Lines] = field(default_factory=dict)
    _bytes: int = 0

    def of(self, path: str, data: bytes) -> Lines:
        """The lines of what a file holds now."""
        known = self._known.get(path)
        if known is not None and known.data == data:
            return known
        if self._bytes + len(data) > MOST_KEPT_BYTES:
            self._known.clear()
            self._bytes = 0
        self._known[path] = lines = Lines(data)
        self._bytes += len(data)
        return lines


@dataclass(slots=True)
class Recorder:
    """Reads citations for one batch: each file once, git at most twice."""

    workspace: Workspace
    texts: Texts
    seen: SeenLines = field(default_factory=SeenLines)
    _read: dict[str, tuple[FileText, Lines]] = field(default_factory=dict)

    def draft(self, spec: CitationSpec) -> CitationDraft:
        """The citation `spec` asks for, with its baseline; its commit is filled in by `with_commits`.

        Raises:
            CitationError: Nothing citable stands there (D16, D19).
        """
        if spec.kind is CitationKind.COMMIT or spec.path is None:
            return CitationDraft(kind=CitationKind.COMMIT, path=spec.path, commit=spec.commit)
        text, lines = self._text(spec.path)
        encoding = find_encoding(text.data or b"")
        keep = self.workspace.settings.store_excerpts
        span, symbol = spec.span, spec.symbol
        if spec.kind is CitationKind.SYMBOL:
            span, symbol = resolved(spec, lines)
        try:
            if span:
                baseline = span_baseline(lines, span, encoding=encoding, with_excerpt=keep)
            else:
                baseline = file_baseline(lines, encoding=encoding, with_excerpt=keep)
        except CitationError as error:
            raise CitationError(f"{spec.path}: {error.message}", hint=error.hint) from error
        if spec.kind is CitationKind.SPAN and span:
            symbol = enclosing_symbol(spec.path, lines, span, symbol)
        return CitationDraft(kind=spec.kind, path=spec.path, span=span, symbol=symbol, baseline=baseline)

    def with_commits(self, drafts: Sequence[CitationDraft]) -> list[CitationDraft]:
        """The drafts with the commit they were read at, where HEAD holds the very bytes that were read."""
        read = {draft.path for draft in drafts if draft.path in self._read}
        head = self.workspace.git.head() if self.workspace.in_git and read else None
        if head is None:
            return list(drafts)
        blobs = self.workspace.git.blobs_at_head(sorted(path for path in read if path))
        committed = {
            path
            for path, blob in blobs.items()
            if path in self._read and blob_id(self._read[path][0].data or b"", hex_length=len(blob)) == blob
        }
        return [
            replace(draft, commit=head) if draft.baseline and draft.path in committed else draft
            for draft in drafts
        ]

    def drafts(self, specs: Iterable[CitationSpec]) -> list[CitationDraft]:
        """`draft` for each, with commits."""
        return self.with_commits([self.draft(spec) for spec in specs])

    def _text(self, path: str) -> tuple[FileText, Lines]:
        if path not in self._read:
            text = self.texts.read(path)
            if text.obstacle:
                problem, hint = _OBSTACLE_HINTS.get(text.obstacle, (f"is {text.obstacle}", ""))
                raise CitationError(f"{path} {problem}", hint=hint)
            if text.data is None:
                raise CitationError(
                    f"{path} does not exist", hint="paths are relative to the repository root, with /"
                )
            self._read[path] = (text, self.seen.of(path, text.data))
        return self._read[path]


def resolved(spec: CitationSpec, lines: Lines) -> tuple[Span, str]:
    """The lines a symbol names, and its whole name by which it is found again (E13).

    Args:
        spec: A symbol citation. Where it has lines, the person saw the definition there.
        lines: The text of its file.

    Raises:
        CitationError: It names nothing there, or several things, or that cannot be told.
    """
    asked, symbols = spec.symbol or "", symbols_in(spec.path or "", lines)
    found = symbols.look_up(asked)
    written = f"{spec.path}#{asked}"
    by_lines = f"cite its lines: {spec.path}:START-END#{asked}"
    if found.obstacle:
        raise CitationError(f"{written}: {_UNRESOLVED[found.obstacle]}", hint=by_lines)
    if not found.spans:
        near = symbols.near(asked)
        raise CitationError(
            f"{written}: there is no such definition",
            hint=f"there is {', '.join(near)}" if near else by_lines,
        )
    if len(found.spans) > 1:
        names = ", ".join(found.names)
        raise CitationError(
            f"{written}: {len(found.spans)} definitions have that name",
            hint=f"name one of {names}" if len(set(found.names)) == len(found.names) else by_lines,
        )
    if spec.span and spec.span != found.spans[0]:
        raise CitationError(
            f"{written}: it stands at other lines than were looked at",
            hint="look at it again, then repeat this",
        )
    return found.spans[0], found.names[0]


_UNRESOLVED = {
    Reason.UNSUPPORTED_LANGUAGE: "no grammar reads that file, so it has no symbols",
    Reason.PARSE_INCOMPLETE: "the file cannot be parsed there, so it cannot be told what that names",
}
