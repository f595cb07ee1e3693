"""Findings for code hosts: SARIF 2.1.0, and the workflow commands that GitHub shows beside the lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any
from urllib.parse import quote

from stilltrue import __version__
from stilltrue.ide.wording import harmless
from stilltrue.services.findings import Code, Finding, Severity

RULES = {
    Code.STALE: "The cited lines changed since the memory was recorded.",
    Code.STALE_COSMETIC: "Only white space, comments or line ends of the cited lines changed.",
    Code.MISSING: "The cited lines, definition or file are gone.",
    Code.MOVED: "The cited lines stand in another file, or in several places.",
    Code.COMMIT_MOVED: "What the memory is about changed since its commit.",
    Code.UNVERIFIABLE: "It cannot be told whether the memory still holds.",
}
_ROOT = "SRCROOT"


def github(found: Iterable[Finding]) -> Iterator[str]:
    """One workflow command a finding: `::warning file=…,line=…::…`. Lines are 1-based and inclusive."""
    for each in found:
        about = each.diagnostic
        where = {
            "file": each.path,
            "line": str(about.span.start),
            "endLine": str(about.span.end),
            "title": f"StillTrue: {about.code}",
        }
        told = ",".join(f"{name}={_property(value)}" for name, value in where.items())
        level = "warning" if _is_loud(each) else "notice"
        yield f"::{level} {told}::{_data(harmless(about.message))}"


def sarif(found: Iterable[Finding]) -> dict[str, Any]:
    """A SARIF log with one run; regions are whole lines, 1-based and inclusive."""
    rules = [{"id": code.value, "shortDescription": {"text": text}} for code, text in RULES.items()]
    driver = {"name": "StillTrue", "version": __version__, "rules": rules}
    return {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": driver},
                "originalUriBaseIds": {_ROOT: {"description": {"text": "The repository's root."}}},
                "results": [_result(each, list(RULES)) for each in found],
            }
        ],
    }


def _result(found: Finding, codes: list[Code]) -> dict[str, Any]:
    about = found.diagnostic
    prints = {f"citation/{at}": each.citation.uid for at, each in enumerate(about.cited)}
    return {
        "ruleId": about.code.value,
        "ruleIndex": codes.index(about.code),
        "level": "warning" if _is_loud(found) else "note",
        "message": {"text": harmless(about.message)},
        "locations": [_location(found.path, about.span.start, about.span.end)],
        "relatedLocations": [
            {**_location(place.path, place.span.start, place.span.end), "message": {"text": label}}
            for place, label in about.related
        ],
        "partialFingerprints": prints,
    }


def _location(path: str, start: int, end: int) -> dict[str, Any]:
    return {
        "physicalLocation": {
            "artifactLocation": {"uri": quote(path), "uriBaseId": _ROOT},
            "region": {"startLine": start, "endLine": end},
        }
    }


def _is_loud(found: Finding) -> bool:
    return found.diagnostic.severity in {Severity.WARNING, Severity.ERROR}


def _data(text: str) -> str:
    """As workflow commands want their message: a line of its own cannot be begun in it."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
