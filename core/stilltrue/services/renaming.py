"""Follow a file that was renamed: its citations point to the new path where the cited bytes stand (F38)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from stilltrue.model.citation import Citation, CitationKind, Place, Span
from stilltrue.model.verdict import Verdict
from stilltrue.services import overview, settle
from stilltrue.services.current_places import spec_at
from stilltrue.services.generations import Settled
from stilltrue.services.judging import judge_citations
from stilltrue.services.workspace import Workspace


@dataclass(frozen=True, slots=True, kw_only=True)
class Followed:
    """A citation of the old path.

    Attributes:
        citation: As it is.
        place: Where its very bytes stand under the new path; None where they do not.
    """

    citation: Citation
    place: Place | None


def followed(workspace: Workspace, old: str, new: str) -> list[Followed]:
    """What cites a file, or files in a folder, that is gone from `old`, and where it stands under `new`.

    Empty where something stands at `old` again. Paths are relative to the root, with `/`.
    """
    if workspace.stands(old):
        return []
    cited = overview.citing(workspace, old)
    moved = {each.uid: replace(each, path=new + (each.path or "").removeprefix(old)) for each in cited}
    verdicts = judge_citations(moved.values(), workspace.fresh_tree())
    return [
        Followed(
            citation=each, place=_place(moved[each.uid], verdicts[each.uid].verdict, verdicts[each.uid].new)
        )
        for each in cited
    ]


def is_all(found: Sequence[Followed]) -> bool:
    """Whether everything that was cited stands in the new file, which tells a rename from a chance."""
    told = sum(each.citation.baseline.byte_length for each in found if each.citation.baseline)
    return all(each.place for each in found) and told >= ENOUGH_BYTES


ENOUGH_BYTES = 16


def repoint(workspace: Workspace, found: Sequence[Followed]) -> list[Settled]:
    """Let each citation point to its new place; those without one are left as they are."""
    return [
        settle.repoint(workspace, each.citation, spec_at(each.citation, each.place))
        for each in found
        if each.place
    ]


def _place(citation: Citation, verdict: Verdict, new: Place | None) -> Place | None:
    if verdict is Verdict.FRESH:
        whole = citation.kind is CitationKind.FILE or citation.span is None
        return Place(citation.path or "", Span(1, 1) if whole or citation.span is None else citation.span)
    return new if verdict is Verdict.MOVED else None
