"""What an editor asks about one open file: judged as if it were saved (F6, F7). Writes nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from stilltrue.citations.baselines import span_baseline
from stilltrue.citations.lines import Lines
from stilltrue.citations.paths import is_within
from stilltrue.ide.buffer import BOM, BufferMapping, compare
from stilltrue.ide.snapshot import Cited, placed
from stilltrue.model.citation import Baseline, Citation, CitationKind, Place, Span
from stilltrue.model.memory import Memory
from stilltrue.model.verdict import CitationVerdict, Reason, Verdict
from stilltrue.services import settle
from stilltrue.services.judging import judge_citations, judge_file
from stilltrue.services.remember import Remembered, Request
from stilltrue.services.workspace import Workspace
from stilltrue.source.files import FileText, Overlay, Texts
from stilltrue.store import citations as citation_rows
from stilltrue.store import cited as cited_rows

__all__ = ["BufferMapping", "BufferText", "FileView", "Provisional"]


@dataclass(frozen=True, slots=True, kw_only=True)
class FileView:
    """One file as an editor shows it.

    Attributes:
        cited: The live citations of the file, placed and judged.
        mapping: How the buffer's text becomes bytes.
        unsaved: The buffer's bytes are not the disk's.
    """

    cited: tuple[Cited, ...] = ()
    mapping: BufferMapping = field(default_factory=BufferMapping)
    unsaved: bool = False


@dataclass(frozen=True, slots=True)
class Provisional:
    """A re-verify of unsaved text: what it saw and where, 1-based and inclusive."""

    baseline: Baseline
    span: Span


@dataclass(frozen=True, slots=True, kw_only=True)
class BufferText:
    """An open buffer: its path, its text and how that becomes bytes."""

    path: str
    text: str
    mapping: BufferMapping


def relative_path(workspace: Workspace, file: Path) -> str | None:
    """A file's path as citations name it, or None if it lies outside the repository.

    Folders are matched by their real path, so that a workspace may be reached by a symlink (F16).
    """
    real = file.parent.resolve() / file.name
    if not is_within(real.parts, workspace.root.parts):
        return None
    return "/".join(real.parts[len(workspace.root.parts) :])


def look_at(
    workspace: Workspace,
    path: str,
    text: str | None,
    provisional: Mapping[str, Provisional] | None = None,
) -> FileView:
    """Judge the live citations of one file.

    Args:
        workspace: The repository.
        path: Relative to its root, with `/`.
        text: The open buffer's text; None for a closed file, which is judged by the disk.
        provisional: Re-verifies of unsaved text that wait for the save, by citation uid.
    """
    with workspace.reading() as reading:
        if reading is None:
            return FileView(mapping=_compared(workspace, path, text)[0])
        connection, repository = reading
        here = cited_rows.live_citations(connection, repository, workspace.present(connection), {path})
        siblings = citation_rows.citations_of(connection, list({memory.uid for memory, _ in here}))
    tree = workspace.fresh_tree()
    mapping, disk = _compared(workspace, path, text)
    shown = _as_saved(text, mapping, disk)
    verdicts = _verdicts([citation for _, citation in here], shown, disk, mapping, provisional or {})
    others = _other_verdicts(here, siblings, path, tree)
    count = Lines(shown.data).count if shown.data is not None else _line_count(text)
    return FileView(
        cited=tuple(
            Cited(
                memory=memory,
                citation=citation,
                verdict=verdicts[citation.uid],
                span=placed(citation, verdicts[citation.uid], count),
                others=others[memory.uid] + _same_file(memory, citation, here, verdicts),
                provisional=_provisional_baseline(provisional, citation),
            )
            for memory, citation in here
        ),
        mapping=mapping,
        unsaved=text is not None and shown.data != disk.data,
    )


def buffer_texts(workspace: Workspace, path: str, text: str, mapping: BufferMapping) -> Texts:
    """The working tree with one open buffer laid over it, as it would be if saved."""
    shown = _as_saved(text, mapping, workspace.fresh_tree().read(path))
    return Overlay(workspace.fresh_tree(), {path: shown})


def take_provisional(
    workspace: Workspace, text: str, mapping: BufferMapping, span: Span
) -> Provisional | None:
    """A baseline of unsaved lines; None where the text cannot be mapped to bytes."""
    data = mapping.to_bytes(text.removeprefix(BOM))
    if data is None:
        return None
    keep = workspace.settings.store_excerpts
    baseline = span_baseline(Lines(data), span, encoding=mapping.encoding or "", with_excerpt=keep)
    return Provisional(baseline, span)


def keep_if_saved(workspace: Workspace, path: str, cited: Cited, provisional: Provisional) -> bool:
    """Store a re-verify of unsaved text, if the saved lines are the very bytes it saw (design 7).

    Returns:
        Whether it was stored; False where the disk holds something else.
    """
    text = workspace.fresh_tree().read(path)
    lines = Lines(text.data) if text.data is not None else None
    if lines is None or not lines.holds(provisional.span):
        return False
    found = span_baseline(lines, provisional.span, encoding="", with_excerpt=False)
    if found.sha256 != provisional.baseline.sha256:
        return False
    place = Place(path, provisional.span)
    settle.reverify(workspace, [cited.citation], at={cited.citation.uid: place})
    return True


def is_unsaved(workspace: Workspace, path: str, text: str, mapping: BufferMapping) -> bool:
    """Whether saving the buffer now would change the file."""
    disk = workspace.fresh_tree().read(path)
    return _as_saved(text, mapping, disk).data != disk.data and not mapping.disk_line_ends


def supersede_here(
    workspace: Workspace,
    file: BufferText,
    request: Request,
    cited: Sequence[Cited],
    *,
    key: str | None = None,
) -> Remembered:
    """Supersede a memory by one that cites the lines a person sees (F27).

    Args:
        workspace: The repository.
        file: The buffer it was done in.
        request: The successor.
        cited: The memory's citations in that file, where they stand now; at least one.
        key: An idempotency key.
    """
    texts = buffer_texts(workspace, file.path, file.text, file.mapping)
    uid = cited[0].memory.uid
    _, citations = settle.find_citations(workspace, uid)
    seen = {each.citation.uid: each for each in cited}
    elsewhere = [each for each in citations if each.uid not in seen]
    specs = [
        settle.spec_at(each.citation, Place(file.path, each.span) if each.span else None)
        for each in cited
        if not each.verdict.is_broken
    ]
    specs += settle.current_places(elsewhere, judge_citations(elsewhere, texts))
    return settle.supersede(workspace, uid, replace(request, citations=tuple(specs)), texts=texts, key=key)


def disk_text(workspace: Workspace, path: str) -> str:
    """A file's text on disk, for columns; what cannot be decoded is replaced."""
    return (workspace.fresh_tree().read(path).data or b"").decode("utf-8", "replace")


def store_state(workspace: Workspace) -> object:
    """Something that differs once anybody wrote to the store, or made it; costs one cheap question."""
    store = workspace.store_if_any()
    return store.data_version() if store else None


def _compared(workspace: Workspace, path: str, text: str | None) -> tuple[BufferMapping, FileText]:
    disk = workspace.fresh_tree().read(path)
    return (compare(text, disk.data) if text is not None else BufferMapping()), disk


def _as_saved(text: str | None, mapping: BufferMapping, disk: FileText) -> FileText:
    """What the file would hold if the buffer were saved now."""
    if text is None:
        return disk
    if disk.obstacle is Reason.OUTSIDE_ROOT:
        return disk
    data = mapping.to_bytes(text.removeprefix(BOM))
    return FileText(obstacle=Reason.ENCODING) if data is None else FileText(data=data)


def _verdicts(
    citations: Sequence[Citation],
    shown: FileText,
    disk: FileText,
    mapping: BufferMapping,
    provisional: Mapping[str, Provisional],
) -> dict[str, CitationVerdict]:
    overlaid = [
        replace(each, baseline=provisional[each.uid].baseline, span=provisional[each.uid].span)
        if each.uid in provisional
        else each
        for each in citations
    ]
    verdicts = judge_file(overlaid, shown)
    if mapping.disk_line_ends:
        # the editor unified line ends on load: until the save, those of the disk count (design 2)
        on_disk = judge_file(overlaid, disk)
        for uid, verdict in on_disk.items():
            if verdicts[uid].reason is Reason.LINE_ENDINGS and verdict.verdict in {
                Verdict.FRESH,
                Verdict.MOVED,
            }:
                verdicts[uid] = verdict
    return verdicts


def _other_verdicts(
    here: Sequence[tuple[Memory, Citation]],
    siblings: Mapping[str, Sequence[Citation]],
    path: str,
    texts: Texts,
) -> dict[str, tuple[CitationVerdict, ...]]:
    elsewhere = {
        uid: [each for each in cited if each.path != path and each.kind is not CitationKind.COMMIT]
        for uid, cited in siblings.items()
    }
    verdicts = judge_citations((each for cited in elsewhere.values() for each in cited), texts)
    return {
        memory.uid: tuple(verdicts[each.uid] for each in elsewhere.get(memory.uid, ())) for memory, _ in here
    }


def _same_file(
    memory: Memory,
    citation: Citation,
    here: Sequence[tuple[Memory, Citation]],
    verdicts: Mapping[str, CitationVerdict],
) -> tuple[CitationVerdict, ...]:
    return tuple(
        verdicts[other.uid] for owner, other in here if owner.uid == memory.uid and other.uid != citation.uid
    )


def _provisional_baseline(
    provisional: Mapping[str, Provisional] | None, citation: Citation
) -> Baseline | None:
    taken = (provisional or {}).get(citation.uid)
    return taken.baseline if taken else None


def _line_count(text: str | None) -> int:
    return Lines((text or "").encode("utf-8", "replace")).count
