"""What an editor asks about one open file: judged as if it were saved (F6, F7). Writes nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from stilltrue.citations.baselines import span_baseline
from stilltrue.citations.evidence import Evidence, Sighting
from stilltrue.citations.lines import Lines
from stilltrue.citations.paths import is_within
from stilltrue.errors import StillTrueError
from stilltrue.freshness import judge_citation
from stilltrue.ide.buffer import BOM, BufferMapping
from stilltrue.ide.snapshot import Cited, Provisional, placed
from stilltrue.model.citation import Citation, CitationKind, Place, Span
from stilltrue.model.memory import Memory
from stilltrue.model.snooze import Snooze
from stilltrue.model.verdict import CitationVerdict, Reason, Verdict
from stilltrue.services import settle, snoozing
from stilltrue.services.as_saved import as_saved, compared, differs
from stilltrue.services.current_places import current_places, spec_at
from stilltrue.services.file_rows import file_rows
from stilltrue.services.judging import Searching, judge_citations, judge_file
from stilltrue.services.remember import Remembered, Request
from stilltrue.services.workspace import Workspace
from stilltrue.source.files import FileText, Overlay, Texts

__all__ = ["BufferMapping", "BufferText", "FileView", "Provisional", "Texts"]


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
    *,
    known: BufferMapping | None = None,
    moves: Searching | None = None,
) -> FileView:
    """Judge the live citations of one file.

    Args:
        workspace: The repository.
        path: Relative to its root, with `/`.
        text: The open buffer's text; None for a closed file, which is judged by the disk.
        provisional: Re-verifies of unsaved text that wait for the save, by citation uid.
        known: How the buffer became bytes when it last was what the disk holds.
        moves: What is known of text that is gone from its file; other files are not searched here.
    """
    with workspace.reading() as reading:
        if reading is None:
            return FileView(mapping=compared(workspace, path, text, known)[0])
        here, siblings, said, pins = file_rows(workspace, *reading, path)
    tree, taken = workspace.fresh_tree(), provisional or {}
    mapping, disk = compared(workspace, path, text, known)
    shown = as_saved(text, mapping, disk)
    overlaid = {cited.uid: _overlaid(cited, taken.get(cited.uid)) for _, cited in here}
    verdicts = _verdicts(list(overlaid.values()), shown, disk, mapping, moves)
    others = _other_verdicts(here, siblings, path, tree, moves)
    asleep = _asleep(workspace, said, siblings, Overlay(tree, {path: shown}))
    count = Lines(shown.data).count if shown.data is not None else _line_count(text)
    return FileView(
        cited=tuple(
            Cited(
                memory=memory,
                citation=citation,
                verdict=verdicts[citation.uid],
                span=placed(overlaid[citation.uid], verdicts[citation.uid], count),
                others=others[memory.uid] + _same_file(memory, citation, here, verdicts),
                provisional=taken.get(citation.uid),
                snoozed=asleep.get(memory.uid),
                pin=pins.get(citation.uid),
            )
            for memory, citation in here
        ),
        mapping=mapping,
        unsaved=text is not None and differs(shown, disk, mapping),
    )


def buffer_texts(workspace: Workspace, path: str, text: str, mapping: BufferMapping) -> Texts:
    """The working tree with one open buffer laid over it, as it would be if saved."""
    shown = as_saved(text, mapping, workspace.fresh_tree().read(path))
    return Overlay(workspace.fresh_tree(), {path: shown})


def lines_now(text: str, selected: str, span: Span) -> Span | None:
    """Where lines that were selected stand now: where they stood, or at the only other place (whole lines).

    Args:
        text: The buffer's text.
        selected: The selected lines as they were, without the last one's line end.
        span: Where they stood, 1-based and inclusive.
    """
    lines = Lines(text.removeprefix(BOM).encode("utf-8", "surrogatepass"))
    wanted = selected.encode("utf-8", "surrogatepass")
    if lines.holds(span) and lines.span_bytes(span) == wanted:
        return span
    starts = lines.find_whole_lines(wanted)
    return Span(starts[0], starts[0] + span.line_count - 1) if len(starts) == 1 else None


def take_provisional(
    workspace: Workspace, text: str, mapping: BufferMapping, span: Span
) -> Provisional | None:
    """A baseline of unsaved lines; None where the text cannot be mapped to bytes."""
    if (data := mapping.to_bytes(text.removeprefix(BOM))) is None:
        return None
    keep = workspace.settings.store_excerpts
    baseline = span_baseline(Lines(data), span, encoding=mapping.encoding or "", with_excerpt=keep)
    return Provisional(baseline, span)


def keep_saved(workspace: Workspace, path: str, waiting: Sequence[tuple[Cited, Provisional]]) -> list[str]:
    """Store each re-verify of unsaved text whose very bytes were saved; a sentence for each other."""
    told: list[str] = []
    for cited, provisional in waiting:
        try:
            if not _keep_if_saved(workspace, path, cited, provisional):
                told.append(
                    f"{cited.memory.id}: not re-verified, the saved lines are not the ones you verified"
                )
        except StillTrueError as error:
            told.append(f"{cited.memory.id}: not re-verified. {error.message}")
    return told


def is_unsaved(workspace: Workspace, path: str, text: str, mapping: BufferMapping) -> bool:
    """Whether saving the buffer now would change the file."""
    disk = workspace.fresh_tree().read(path)
    return differs(as_saved(text, mapping, disk), disk, mapping)


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
        spec_at(each.citation, Place(file.path, each.span) if each.span else None)
        for each in cited
        if not each.verdict.is_broken and each.citation.kind is not CitationKind.COMMIT
    ]
    specs += current_places(elsewhere, judge_citations(elsewhere, texts))
    return settle.supersede(workspace, uid, replace(request, citations=tuple(specs)), texts=texts, key=key)


def disk_text(workspace: Workspace, path: str) -> str | None:
    """A file's text on disk, for columns, what cannot be decoded replaced; None where there is no file."""
    found = workspace.fresh_tree().read(path)
    return None if found.missing else (found.data or b"").decode("utf-8", "replace")


def _keep_if_saved(workspace: Workspace, path: str, cited: Cited, provisional: Provisional) -> bool:
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


def _asleep(
    workspace: Workspace, said: Mapping[str, Snooze], cited: Mapping[str, Sequence[Citation]], texts: Texts
) -> dict[str, Snooze]:
    return snoozing.still_asleep(said, cited, texts, ignore=workspace.settings.ignore)


def _overlaid(citation: Citation, taken: Provisional | None) -> Citation:
    return replace(citation, baseline=taken.baseline, span=taken.span) if taken else citation


def _verdicts(
    overlaid: Sequence[Citation],
    shown: FileText,
    disk: FileText,
    mapping: BufferMapping,
    moves: Searching | None,
) -> dict[str, CitationVerdict]:
    verdicts = judge_file(overlaid, shown, moves)
    if mapping.disk_line_ends:
        # the editor unified line ends on load: until the save, those of the disk count (design 2)
        on_disk, held = judge_file(overlaid, disk), {Verdict.FRESH, Verdict.MOVED}
        for each in overlaid:
            here = verdicts[each.uid]
            if here.reason is Reason.LINE_ENDINGS and here.nearest and on_disk[each.uid].verdict in held:
                span = here.nearest.span
                sighting = Sighting(same_at_place=each.span == span, carried_to=span, nearest=span)
                evidence = Evidence(
                    kind=each.kind, path=each.path or "", recorded=each.span, sighting=sighting
                )
                verdicts[each.uid] = judge_citation(evidence)
    return verdicts


def _other_verdicts(
    here: Sequence[tuple[Memory, Citation]],
    siblings: Mapping[str, Sequence[Citation]],
    path: str,
    texts: Texts,
    moves: Searching | None,
) -> dict[str, tuple[CitationVerdict, ...]]:
    elsewhere = {
        uid: [each for each in cited if each.path != path and each.kind is not CitationKind.COMMIT]
        for uid, cited in siblings.items()
    }
    verdicts = judge_citations((each for cited in elsewhere.values() for each in cited), texts, moves)
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


def _line_count(text: str | None) -> int:
    return Lines((text or "").encode("utf-8", "replace")).count
