"""Read code into citations: what cannot be read cannot be cited (design 3)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from stilltrue.citations.baselines import file_baseline, span_baseline
from stilltrue.citations.lines import Lines
from stilltrue.citations.specs import CitationSpec, parse_spec, spec_from_fields
from stilltrue.errors import CitationError
from stilltrue.model.citation import CitationDraft, CitationKind
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


@dataclass(slots=True)
class Recorder:
    """Reads citations for one batch: each file once, git at most twice."""

    workspace: Workspace
    texts: Texts
    _read: dict[str, tuple[FileText, Lines]] = field(default_factory=dict)

    def draft(self, spec: CitationSpec) -> CitationDraft:
        """The citation `spec` asks for, with its baseline; its commit is filled in by `with_commits`.

        Raises:
            CitationError: Nothing citable stands there (D16, D19).
        """
        if spec.kind is CitationKind.SYMBOL:
            raise CitationError(
                f"{spec.path}#{spec.symbol}: symbols cannot be cited yet",
                hint=f"cite its lines: {spec.path}:START-END#{spec.symbol}",
            )
        if spec.kind is CitationKind.COMMIT or spec.path is None:
            return CitationDraft(kind=CitationKind.COMMIT, path=spec.path, commit=spec.commit)
        text, lines = self._text(spec.path)
        encoding = find_encoding(text.data or b"")
        keep = self.workspace.settings.store_excerpts
        try:
            if spec.span:
                baseline = span_baseline(lines, spec.span, encoding=encoding, with_excerpt=keep)
            else:
                baseline = file_baseline(lines, encoding=encoding, with_excerpt=keep)
        except CitationError as error:
            raise CitationError(f"{spec.path}: {error.message}", hint=error.hint) from error
        return CitationDraft(
            kind=spec.kind, path=spec.path, span=spec.span, symbol=spec.symbol, baseline=baseline
        )

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
            self._read[path] = (text, Lines(text.data))
        return self._read[path]
