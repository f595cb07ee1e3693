"""Look in the other files of the repository for cited text that is gone from its own (D11; design 4).

Nothing is listed, read or asked of git until something is missing.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from stilltrue.citations.elsewhere import (
    Copies,
    Past,
    WantedTexts,
    earlier_copies,
    is_too_common,
    text_digest,
    weighed,
)
from stilltrue.citations.evidence import Elsewhere
from stilltrue.citations.lines import Lines, fold_line_ends
from stilltrue.model.citation import Citation
from stilltrue.services.workspace import Workspace
from stilltrue.source.files import FileText, Overlay, Texts
from stilltrue.source.recorded import Asked, Since, held_at, since
from stilltrue.source.searching import listed, nearest_first, size_of

MOST_FILES = 100_000
MOST_BYTES = 1024 * 1024 * 1024
_TOO_MANY_FILES = f"the search for moved lines ends after {MOST_FILES} files"
_TOO_MANY_BYTES = f"the search for moved lines ends after {MOST_BYTES >> 20} MiB"

MOST_GONE = 2_000
"""Of more deleted files than this nobody asks what they held: then it cannot be told what is new."""


class Recorded(Protocol):
    """What the files of a repository were when something was recorded."""

    def since(self, commits: Sequence[str]) -> Mapping[str, Since]:
        """What became of the files of each commit; what cannot be told is left out."""
        ...  # pragma: no cover

    def held(self, asked: Sequence[Asked]) -> Mapping[Asked, bytes | None]:
        """What files held at commits; None for one that was not there; what cannot be told is left out."""
        ...  # pragma: no cover


Sought = tuple[str, int, str | None]
"""Which text was looked for: a citation's uid and generation, and the digest of what it cites."""


@dataclass(frozen=True, slots=True)
class FoundBefore:
    """What an earlier search found, for whoever must not wait for another one."""

    found: Mapping[Sought, Elsewhere]

    def elsewhere(self, missing: Sequence[Citation]) -> dict[str, Elsewhere]:
        """What that search found of the same citations, by uid."""
        pairs = ((each.uid, self.found.get(_sought(each))) for each in missing)
        return {uid: told for uid, told in pairs if told is not None}

    def differing(self, former: FoundBefore) -> set[str]:
        """The uids of the citations that another search found something else of."""
        keys = {*self.found, *former.found}
        return {key[0] for key in keys if self.found.get(key) != former.found.get(key)}


def _sought(citation: Citation) -> Sought:
    return citation.uid, citation.generation, citation.baseline.sha256 if citation.baseline else None


@dataclass(slots=True)
class Search:
    """One search through a repository's files.

    Attributes:
        workspace: The repository.
        texts: Where the cited files are read; if open buffers lie over the disk there, they do here.
        progress: Told how many files were searched so far; it may raise to end the search.
        left_out: How many files were not searched, by the reason.
        searched: How many were.
        gone: What git tracks and is not on disk.
        found: What the search came to, for `FoundBefore`.
    """

    workspace: Workspace
    texts: Texts
    progress: Callable[[int], None] | None = None
    left_out: Counter[str] = field(default_factory=Counter)
    searched: int = 0
    gone: set[str] = field(default_factory=set)
    most_files: int = MOST_FILES
    most_bytes: int = MOST_BYTES
    found: dict[Sought, Elsewhere] = field(default_factory=dict)

    def elsewhere(self, missing: Sequence[Citation]) -> dict[str, Elsewhere]:
        """What other files say about citations whose text is gone, by citation uid.

        Every file is read at most once, and git is asked twice, however many are missing.
        """
        wanted = WantedTexts(missing)
        if not wanted:
            return {}
        found: dict[str, list[Copies]] = defaultdict(list)
        for path, data in self._files(wanted, missing):
            for uid, copies in wanted.copies_in(path, data).items():
                found[uid].append(copies)
        recorded = _Git(self.workspace, frozenset(self.gone))
        told = evidence([each for each in missing if each.uid in found], found, recorded)
        self.found = {_sought(each): told[each.uid] for each in missing if each.uid in told}
        return told

    def _files(self, wanted: WantedTexts, missing: Sequence[Citation]) -> Iterator[tuple[str, bytes]]:
        root, above = self.workspace.root, self.texts.above if isinstance(self.texts, Overlay) else {}
        tree = Overlay(self.workspace.fresh_tree(), above)
        git = self.workspace.git if self.workspace.in_git else None
        paths = nearest_first(
            dict.fromkeys([*listed(root, git), *above]), {each.path for each in missing if each.path}
        )
        if len(paths) > self.most_files:
            self.left_out[_TOO_MANY_FILES] = len(paths) - self.most_files
        budget = self.most_bytes
        for path in paths[: self.most_files]:
            size = None if path in above else size_of(root, path)
            if path not in above and (size is None or not wanted.may_be_in(size)):
                if size is None and not self.workspace.stands(path):
                    self.gone.add(path)
                continue
            if (budget := budget - (size or 0)) < 0:
                self.left_out[_TOO_MANY_BYTES] += 1
                continue
            if (text := self._read(tree, path)).data is not None:
                yield path, text.data

    def _read(self, tree: Texts, path: str) -> FileText:
        self.searched += 1
        if self.progress:
            self.progress(self.searched)
        is_named_in_text = path.isprintable() or path.encode("utf-8", "replace").decode() == path
        text = tree.read(path) if is_named_in_text else FileText()
        if text.obstacle or not is_named_in_text:
            self.left_out[f"{text.obstacle or 'its name is no UTF-8'}, not searched for moved lines"] += 1
        return text


@dataclass(frozen=True, slots=True)
class _Git:
    """What git says; `gone` is what it does not know of yet."""

    workspace: Workspace
    gone: frozenset[str]

    def since(self, commits: Sequence[str]) -> Mapping[str, Since]:
        found = since(self.workspace.git, commits) if self.workspace.in_git else {}
        every = {path for each in found.values() for path in each.gone} | self.gone
        standing = {path for path in every if self.workspace.stands(path)}
        return {
            commit: Since(each.renamed, (each.gone | self.gone) - standing) for commit, each in found.items()
        }

    def held(self, asked: Sequence[Asked]) -> Mapping[Asked, bytes | None]:
        return held_at(self.workspace.git, asked, max_bytes=self.workspace.settings.max_file_bytes)


def evidence(
    missing: Sequence[Citation], found: Mapping[str, Sequence[Copies]], recorded: Recorded
) -> dict[str, Elsewhere]:
    """What the copies that were found prove, by citation uid.

    Args:
        missing: The citations that anything was found for.
        found: The copies, by citation uid.
        recorded: Asked once for all, and only if there is something to ask.
    """
    wanted = [
        each for each in missing if each.commit and not is_too_common(found[each.uid]) and each.uid in found
    ]
    became = recorded.since(sorted({each.commit for each in wanted if each.commit})) if wanted else {}
    asking = {
        each.uid: _Asking(each, became[each.commit], found[each.uid])
        for each in wanted
        if each.commit and each.commit in became
    }
    held = _Held()
    held.ask(recorded, (pair for each in asking.values() for pair in each.pairs))
    held.ask(recorded, (pair for each in asking.values() for pair in each.lost_pairs(held)))
    return {
        each.uid: weighed(
            found[each.uid], asking[each.uid].past(held) if each.uid in asking else None, each.span
        )
        for each in missing
    }


@dataclass(frozen=True, slots=True)
class _Held:
    """What files held, as lines with their ends folded, each made once."""

    found: dict[Asked, bytes | None] = field(default_factory=dict)
    lines: dict[Asked, Lines] = field(default_factory=dict)

    def ask(self, recorded: Recorded, pairs: Iterable[Asked]) -> None:
        wanted = [pair for pair in dict.fromkeys(pairs) if pair not in self.found]
        self.found.update(recorded.held(wanted) if wanted else {})

    def text(self, pair: Asked) -> bytes | None:
        data = self.found.get(pair)
        return None if data is None else text_digest(data)

    def copies(self, citation: Citation, pair: Asked) -> int:
        data = self.found[pair]
        if data is None:
            return 0
        if pair not in self.lines:
            self.lines[pair] = Lines(fold_line_ends(data))
        return earlier_copies(citation, self.lines[pair])


@dataclass(frozen=True, slots=True)
class _Asking:
    """What has to be known of the recorded commit to tell a move from a copy that was there before."""

    citation: Citation
    since: Since
    found: Sequence[Copies]

    @property
    def pairs(self) -> list[Asked]:
        formers = [path for paths in self._formers.values() for path in paths]
        return [self._pair(path) for path in (self.citation.path or "", *formers)]

    def lost_pairs(self, held: _Held) -> list[Asked]:
        """The files that are gone; none where the cited file itself is known under another name."""
        if len(self.since.gone) > MOST_GONE or self._renamed_to(held):
            return []
        return [self._pair(path) for path in sorted(self.since.gone - {self.citation.path})]

    def past(self, held: _Held) -> Past | None:
        lost, renamed_to = self.lost_pairs(held), self._renamed_to(held)
        is_known = renamed_to or len(self.since.gone) <= MOST_GONE
        if not is_known or any(pair not in held.found for pair in (*self.pairs, *lost)):
            return None
        return Past(
            earlier={
                path: max(held.copies(self.citation, self._pair(former)) for former in formers)
                for path, formers in self._formers.items()
            },
            lost=sum(held.copies(self.citation, pair) for pair in lost),
            renamed_to=renamed_to,
        )

    def _renamed_to(self, held: _Held) -> str | None:
        """What git says the cited file is called now, else the one file that holds what it held."""
        told = self.since.renamed.get(self.citation.path or "")
        text = held.text(self._pair(self.citation.path or ""))
        if told in self._formers:
            return told
        alike = [each.path for each in self.found if each.text == text]
        return alike[0] if len(alike) == 1 else None

    def _pair(self, path: str) -> Asked:
        return self.citation.commit or "", path

    @property
    def _formers(self) -> dict[str, list[str]]:
        """Each path with what git says that it was called then; the cited file's own copies do not count."""
        called = {new: old for old, new in self.since.renamed.items() if old != self.citation.path}
        told = self.since.renamed.get(self.citation.path or "")
        paths = [each.path for each in self.found if each.recognised or (each.between and each.path == told)]
        return {path: [path, *([called[path]] if path in called else [])] for path in paths}
