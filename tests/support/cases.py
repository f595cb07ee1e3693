"""The byte-exact cases of `tests/cases`, and what they expect of whoever judges them.

A judge is anything that records the citations of a case and answers for one view of one step: the
library, the command line, the server. `run_case` compares its answers by the rule of `cases/README.md`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from stilltrue.model.citation import Place, Span
from stilltrue.model.verdict import CitationVerdict

FOLDER = Path(__file__).parents[1] / "cases"

IN_DEPTH = "issue 'Freshness in depth': {}"
NOT_YET: dict[str, str] = {}
"""Expectations the library does not meet yet, each with what is wanting."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseCitation:
    """A citation to record; `span` holds the lines as written, also when they cannot exist."""

    id: str
    path: str
    span: Span
    symbol: str | None
    record: str
    sha256: str | None

    @property
    def accepted(self) -> bool:
        """Whether recording must take it, rather than refuse it."""
        return self.record == "accept"


@dataclass(frozen=True, slots=True, kw_only=True)
class Expectation:
    """What is expected of one citation in one view of one step."""

    case: str
    citation: str
    view: str
    step: str
    verdict: str
    reason: str
    grade: str | None
    new: Place | None
    candidates: tuple[Place, ...]
    also_ok: tuple[str, ...]
    forbidden: tuple[str, ...]

    @property
    def id(self) -> str:
        """A name for people, such as `C081-a-buffer`."""
        return "-".join((self.case, self.citation, self.view, *(["mid"] if self.step == "mid" else ())))


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One case: trees by step, citations, expectations."""

    id: str
    folder: Path
    unreadable: tuple[str, ...]
    citations: tuple[CaseCitation, ...]
    expectations: tuple[Expectation, ...]

    def file(self, step: str, path: str) -> bytes | None:
        """The bytes of a file in `before`, `mid`, `after` or `buffers`; None if there is none."""
        file = self.folder / step / path
        return file.read_bytes() if file.is_file() else None

    def buffers(self) -> dict[str, bytes]:
        """Open, unsaved texts over `after`, by path."""
        root = self.folder / "buffers"
        files = (file for file in root.rglob("*") if file.is_file())
        return {file.relative_to(root).as_posix(): file.read_bytes() for file in files}


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """What a judge answers for one view of one step.

    Attributes:
        verdicts: By citation id; one for each that was recorded.
        refused: Ids of the citations that recording refused.
    """

    verdicts: Mapping[str, CitationVerdict] = field(default_factory=dict)
    refused: frozenset[str] = frozenset()


Judge = Callable[[Case, str, str], Judgement]
"""Case, view (`disk` or `buffer`) and step (`after` or `mid`) to answers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """An expectation and what became of it: `faults` is empty where it was met; a `remark` is not scored."""

    expectation: Expectation
    verdict: CitationVerdict | None
    faults: tuple[str, ...]
    remark: str = ""


def run_case(case: Case, judge: Judge) -> list[Outcome]:
    """Every expectation of a case, met or not, in order."""
    answers = {
        key: judge(case, *key) for key in dict.fromkeys((each.view, each.step) for each in case.expectations)
    }
    return [
        _outcome(each, answers[each.view, each.step].verdicts.get(each.citation))
        for each in case.expectations
    ]


def wrongly_recorded(case: Case, judgement: Judgement) -> list[str]:
    """Ids of citations that were refused and should have been taken, or the other way round."""
    return [
        citation.id for citation in case.citations if citation.accepted == (citation.id in judgement.refused)
    ]


def load_case(folder: Path) -> Case:
    """The case in a folder."""
    raw = tomllib.loads((folder / "case.toml").read_text("utf-8"))
    citations = tuple(
        CaseCitation(
            id=each["id"],
            path=each["path"],
            span=Span(each["start_line"], each["end_line"]),
            symbol=each.get("symbol"),
            record=each["record"],
            sha256=each.get("sha256"),
        )
        for each in raw["citation"]
    )
    paths = {citation.id: citation.path for citation in citations}
    return Case(
        id=raw["id"],
        folder=folder,
        unreadable=tuple(raw.get("setup", {}).get("chmod", {})),
        citations=citations,
        expectations=tuple(_expectation(raw["id"], each, paths[each["citation"]]) for each in raw["expect"]),
    )


def _expectation(case: str, raw: Mapping[str, Any], path: str) -> Expectation:
    new = None
    if "new_start_line" in raw:
        new = Place(raw.get("new_path", path), Span(raw["new_start_line"], raw["new_end_line"]))
    return Expectation(
        case=case,
        citation=raw["citation"],
        view=raw["view"],
        step=raw["step"],
        verdict=raw["verdict"],
        reason=raw["reason"],
        grade=raw.get("stale_kind"),
        new=new,
        candidates=tuple(
            Place(each["path"], Span(each["start_line"], each["end_line"]))
            for each in raw.get("candidates", ())
        ),
        also_ok=tuple(raw.get("also_ok", ())),
        forbidden=tuple(raw.get("forbidden", ())),
    )


def _outcome(expected: Expectation, verdict: CitationVerdict | None) -> Outcome:
    if verdict is None:
        return Outcome(expectation=expected, verdict=None, faults=("no verdict",))
    remark = "" if verdict.reason == expected.reason else f"{verdict.reason}, not {expected.reason}"
    return Outcome(
        expectation=expected, verdict=verdict, faults=tuple(_faults(expected, verdict)), remark=remark
    )


def _faults(expected: Expectation, verdict: CitationVerdict) -> list[str]:
    said = {str(verdict.verdict), f"{verdict.verdict}:{verdict.grade}"}
    faults = [f"{word} is forbidden" for word in expected.forbidden if word in said]
    if said & set(expected.also_ok):
        return faults
    compared: list[tuple[str, object, object]] = [("verdict", verdict.verdict, expected.verdict)]
    if expected.verdict == "stale":
        compared.append(("grade", verdict.grade, expected.grade))
    if expected.verdict == "moved":
        compared.append(("new place", verdict.new, expected.new))
    if expected.reason == "ambiguous":
        compared.append(("candidates", set(verdict.candidates), set(expected.candidates)))
    return faults + [f"{what}: {found}, not {wanted}" for what, found, wanted in compared if found != wanted]


CASES = tuple(load_case(folder) for folder in sorted(FOLDER.glob("C*/")))
"""Every case there is, in order."""
