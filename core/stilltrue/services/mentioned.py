"""Places that Markdown names, looked up in a repository: what may be cited, and why another may not."""

from __future__ import annotations

import posixpath
from dataclasses import dataclass, field

from stilltrue.citations.lines import Lines
from stilltrue.citations.mentions import Mention
from stilltrue.citations.paths import check_path
from stilltrue.citations.specs import CitationSpec
from stilltrue.errors import CitationError, InputError
from stilltrue.model.citation import CitationDraft, CitationKind, Span
from stilltrue.services.recording import Recorder
from stilltrue.services.workspace import Workspace
from stilltrue.source.files import FileText, Texts


@dataclass(slots=True)
class Once:
    """Reads through to `below`, each file once."""

    below: Texts
    _read: dict[str, FileText] = field(default_factory=dict)
    _counts: dict[str, int] = field(default_factory=dict)

    def read(self, path: str) -> FileText:
        """The bytes at `path`; see `Texts`."""
        if path not in self._read:
            self._read[path] = self.below.read(path)
        return self._read[path]

    def line_count(self, path: str) -> int:
        """How many lines a file has; 0 where it cannot be read."""
        if path not in self._counts:
            self._counts[path] = Lines(self.read(path).data or b"").count
        return self._counts[path]


class MentionReader:
    """Reads Markdown, and what it names, for one import."""

    def __init__(self, workspace: Workspace, texts: Texts | None) -> None:
        """`texts` is where everything is read; None means the working tree."""
        self._disk = Once(workspace.fresh_tree())
        self._texts = Once(texts) if texts else self._disk
        self.recorder = Recorder(workspace, self._texts)

    def markdown(self, source: str) -> str:
        """A Markdown file's text; bytes that are no UTF-8 are replaced.

        Raises:
            InputError: It cannot be read, or is no text.
        """
        try:
            self.recorder.draft(CitationSpec(kind=CitationKind.FILE, path=source))
        except CitationError as error:
            raise InputError(error.message, hint=error.hint) from error
        data = self._texts.read(source).data or b""
        if b"\0" in data:
            raise InputError(f"{source} is no text in UTF-8", hint="name Markdown files, saved as UTF-8")
        return data.decode("utf-8", "replace")

    def cited(self, mention: Mention, folder: str) -> CitationDraft | CitationError | None:
        """What a mention in a file of `folder` cites; why it may not; None if it is no place after all."""
        try:
            paths = _meant(mention, folder)
        except CitationError as error:
            return error if mention.is_certain else None
        path = next((each for each in paths if not self._texts.read(each).missing), None)
        if not mention.is_certain and (path is None or self._texts.read(path).obstacle):
            return None
        if path is None:
            return CitationError(f"{mention.path} does not exist")
        if problem := self._problem(path, mention.span):
            return CitationError(f"{path} {problem}")
        try:
            return self.recorder.draft(CitationSpec(kind=CitationKind.SPAN, path=path, span=mention.span))
        except CitationError as error:
            return error

    def is_unsaved(self, path: str) -> bool:
        """Whether a file was read as an open buffer has it, which is not as it lies on disk."""
        return self._texts.read(path).data != self._disk.read(path).data

    def _problem(self, path: str, span: Span) -> str:
        text, count = self._texts.read(path), self._texts.line_count(path)
        if text.data is None:
            return ""
        if text.is_lfs_pointer:
            return "was not fetched by git-lfs"
        if b"\0" in text.data:
            return "is no text"
        if max(span.start, span.end) > count:
            return f"has {count} {'line' if count == 1 else 'lines'}" if count else "is empty"
        return ""


def _meant(mention: Mention, folder: str) -> list[str]:
    """The paths that a mention may mean, likeliest first, relative to the repository root.

    Links and `./` are taken from the Markdown file's folder first, as readers of Markdown do; other paths
    from the root first; `/` means the root. An `@` before a path is how some agents mark a file.
    """
    path = mention.path.lstrip("/")
    bases = ["", folder]
    if mention.is_link or path.startswith(("./", "../")):
        bases = [folder, ""]
    if mention.path.startswith("/"):
        bases = [""]
    names = [path, path[1:]] if path.startswith("@") else [path]
    joined = [posixpath.normpath(posixpath.join(base, name)) for name in names for base in bases]
    inside = dict.fromkeys(each for each in joined if each != ".." and not each.startswith("../"))
    if not inside:
        raise CitationError(f"{mention.path} lies outside the repository")
    return [check_path(each) for each in inside]
