"""A search through the files of a folder, with other folders in the place of commits."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from stilltrue.citations.elsewhere import Copies, WantedTexts
from stilltrue.citations.evidence import Elsewhere
from stilltrue.model.citation import Citation
from stilltrue.services.moves import evidence
from stilltrue.source.files import Texts, WorkingTree
from stilltrue.source.recorded import Asked, Since
from stilltrue.source.searching import listed

LIMIT = 5 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class FolderSearch:
    """Looks for missing text below `root`, as `texts` read it; `commits` hold what was there before."""

    root: Path
    texts: Texts
    commits: Mapping[str, Path]

    def elsewhere(self, missing: Sequence[Citation]) -> dict[str, Elsewhere]:
        wanted = WantedTexts(missing)
        found: dict[str, list[Copies]] = defaultdict(list)
        for path in listed(self.root, None):
            data = self.texts.read(path).data
            for uid, copies in wanted.copies_in(path, data).items() if data is not None else ():
                found[uid].append(copies)
        return evidence([each for each in missing if each.uid in found], found, self)

    def since(self, commits: Sequence[str]) -> dict[str, Since]:
        here = set(listed(self.root, None))
        return {name: Since(gone=frozenset(set(listed(self.commits[name], None)) - here)) for name in commits}

    def held(self, asked: Sequence[Asked]) -> dict[Asked, bytes | None]:
        return {
            (name, path): WorkingTree(self.commits[name], max_bytes=LIMIT).read(path).data
            for name, path in asked
        }
