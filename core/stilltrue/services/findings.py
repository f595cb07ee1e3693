"""What a check found, as the diagnostics an editor would show, for code hosts and other readers."""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from stilltrue.ide.diagnostics import (
    DEFAULT_SEVERITIES,
    Code,
    Diagnostic,
    DiagnosticsConfig,
    Severity,
    diagnostics,
)
from stilltrue.ide.snapshot import Cited, Snapshot, placed
from stilltrue.services.check import CheckReport

__all__ = ["Code", "Diagnostic", "Finding", "Severity", "findings"]

_EVERYTHING = DiagnosticsConfig(
    severities={**DEFAULT_SEVERITIES, Code.UNVERIFIABLE: Severity.INFORMATION}, limit=sys.maxsize
)


@dataclass(frozen=True, slots=True)
class Finding:
    """Something to settle in one file; `path` is relative to the repository's root, with `/`."""

    path: str
    diagnostic: Diagnostic


def findings(report: CheckReport) -> Iterator[Finding]:
    """Everything that is to be settled, by path, then by line; in the words that editors show."""
    by_path: dict[str, list[Cited]] = defaultdict(list)
    for judged in report.memories:
        for one in judged.citations:
            if one.citation.path is not None:
                others = tuple(each.verdict for each in judged.citations if each is not one)
                span = placed(one.citation, one.verdict, sys.maxsize)
                cited = Cited(
                    memory=judged.memory,
                    citation=one.citation,
                    verdict=one.verdict,
                    span=span,
                    others=others,
                )
                by_path[one.citation.path].append(cited)
    for path, here in sorted(by_path.items()):
        ordered = sorted(here, key=lambda each: (each.lines.start, each.memory.number, each.citation.number))
        snapshot = Snapshot(path=path, version=None, cited=tuple(ordered))
        yield from (Finding(path, each) for each in diagnostics(snapshot, _EVERYTHING))
