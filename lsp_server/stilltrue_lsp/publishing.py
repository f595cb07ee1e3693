"""Diagnostics as they go over the wire, and when: clearing at once, adding after a pause (F13)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from stilltrue.ide.diagnostics import Diagnostic, Severity
from stilltrue.model.citation import Place
from stilltrue_lsp.convert import line_range_json
from stilltrue_lsp.documents import Lines
from stilltrue_lsp.uris import help_uri, path_to_uri

SOURCE = "stilltrue"
SEVERITY_NUMBERS: Mapping[Severity, int] = {
    Severity.ERROR: 1,
    Severity.WARNING: 2,
    Severity.INFORMATION: 3,
    Severity.HINT: 4,
}

Key = tuple[str, ...]


def key_of(diagnostic: Diagnostic) -> Key:
    """What makes a diagnostic the same one though it moved or changed its code: its citations.

    With the code in it, a cosmetic change would vanish and come back at every keystroke.
    """
    return tuple(each.citation.uid for each in diagnostic.cited)


def to_json(diagnostic: Diagnostic, text: Lines, root: Path, *, with_help: bool = False) -> dict[str, Any]:
    """One diagnostic as the protocol has it.

    Args:
        diagnostic: What to show.
        text: The document, for columns.
        root: The repository's folder.
        with_help: The client can open the page behind the code.
    """
    span = diagnostic.span
    made: dict[str, Any] = {
        "range": line_range_json(text, span.start, span.end),
        "severity": SEVERITY_NUMBERS[diagnostic.severity],
        "code": diagnostic.code.value,
        "source": SOURCE,
        "message": diagnostic.message,
    }
    if with_help:
        made["codeDescription"] = {"href": help_uri(diagnostic.code.value)}
    if diagnostic.related:
        made["relatedInformation"] = [_related(place, label, root) for place, label in diagnostic.related]
    if diagnostic.cited:
        made["data"] = {
            "memories": list(dict.fromkeys(each.memory.uid for each in diagnostic.cited)),
            "citations": [
                {"uid": each.citation.uid, "generation": each.citation.generation}
                for each in diagnostic.cited
            ],
            "verdict": diagnostic.cited[0].verdict.verdict.value,
        }
    return made


def held_back(shown: Iterable[Key], wanted: Iterable[Diagnostic]) -> list[Diagnostic]:
    """What of `wanted` may be shown at once: only additions wait."""
    known = set(shown)
    return [each for each in wanted if key_of(each) in known]


def _related(place: Place, label: str, root: Path) -> dict[str, Any]:
    # columns of a file that may not be open are unknown, and whole lines need none
    start = {"line": place.span.start - 1, "character": 0}
    end = {"line": place.span.end, "character": 0}
    uri = path_to_uri(str(root / place.path))
    return {"location": {"uri": uri, "range": {"start": start, "end": end}}, "message": label}
