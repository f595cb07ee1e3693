"""The rule, told in `cases/*.md` for people and run here: one test a heading."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import pytest

from stilltrue.citations.evidence import Evidence, Sighting
from stilltrue.freshness import judge_citation, judge_memory
from stilltrue.model.citation import CitationKind, Place, Span
from stilltrue.model.verdict import CitationVerdict, Grade, Reason, Verdict

FOLDER = Path(__file__).parent / "cases"
PATH = "src/app.py"
COSMETIC = {Reason.LINE_ENDINGS, Reason.WHITESPACE, Reason.COMMENT}
NOT_YET = {
    "stale/whitespace",
    "stale/comment",
    "stale/symbol-missing",
    "stale/symbol-ambiguous",
    "moved/other-file",
    "unknown/unsupported-language",
    "unknown/parse-incomplete",
}
"""Verdicts on a citation that nothing gives yet; a memory that holds one is judged all the same."""
EVERY_VERDICT = {
    "fresh": "same-bytes no-baseline",
    "moved": "same-file other-file ambiguous",
    "stale": "line-endings whitespace comment "
    "text-changed span-missing symbol-missing symbol-ambiguous file-missing",
    "unknown": "unreadable not-a-file outside-root too-large encoding conflict lfs-pointer "
    "unsupported-language parse-incomplete malformed",
}


@dataclass(frozen=True, slots=True)
class Told:
    """One case as it stands in a file: a heading, what it says in words, and its fenced blocks."""

    heading: str
    prose: str
    blocks: dict[str, str]


def cases_in(name: str) -> list[Told]:
    text = (FOLDER / name).read_text("utf-8")
    return [
        Told(
            heading=section.partition("\n")[0],
            prose=re.sub(r"(?s)```.*?```", "", section.partition("\n")[2]).strip(),
            blocks=dict(re.findall(r"(?ms)^```(\w+)\n(.*?)^```$", section)),
        )
        for section in re.split(r"(?m)^## ", text)[1:]
    ]


def pairs(block: str) -> dict[str, str]:
    return dict(line.split(": ", 1) for line in block.splitlines())


def span(text: str) -> Span:
    start, end = text.split("-")
    return Span(int(start), int(end))


def spans(text: str) -> tuple[Span, ...]:
    return tuple(map(span, text.split(", "))) if text else ()


def evidence(block: str) -> Evidence:
    told = pairs(block)
    about: dict[str, Any] = {
        "kind": CitationKind(told.pop("kind", "span")),
        "path": PATH,
        "recorded": span(told.pop("recorded")) if "recorded" in told else None,
        "obstacle": Reason(told.pop("obstacle")) if "obstacle" in told else None,
        "file_missing": told.pop("file", "") == "missing",
        "has_baseline": told.pop("baseline", "") != "none",
    }
    return Evidence(**about, sighting=sighting(told) if told else None)


def sighting(told: dict[str, str]) -> Sighting:
    seen: dict[str, Any] = {}
    for field in fields(Sighting):
        text = told.pop(field.name.replace("_", " "), None)
        if text == "yes":
            seen[field.name] = True
        elif text is not None:
            seen[field.name] = spans(text) if field.name == "copies" else span(text)
    assert not told, f"no such evidence: {told}"
    return Sighting(**seen)


def citation_verdict(block: str) -> CitationVerdict:
    told = pairs(block)
    verdict, reason = told.pop("verdict").split("/")
    new, nearest = told.pop("new", ""), told.pop("nearest", "")
    expected = CitationVerdict(
        verdict=Verdict(verdict),
        reason=Reason(reason),
        grade=Grade(told.pop("grade")) if "grade" in told else None,
        new=Place(PATH, span(new)) if new else None,
        candidates=tuple(Place(PATH, each) for each in spans(told.pop("candidates", ""))),
        nearest=Place(PATH, span(nearest)) if nearest else None,
    )
    assert not told, f"no such answer: {told}"
    return expected


def graded(line: str) -> CitationVerdict:
    verdict, reason = line.split("/")
    grade = Grade.COSMETIC if reason in COSMETIC else Grade.CONTENT
    return CitationVerdict(
        verdict=Verdict(verdict), reason=Reason(reason), grade=grade if verdict == "stale" else None
    )


@pytest.mark.parametrize("case", cases_in("citations.md"), ids=lambda case: case.heading)
def test_a_citation_is_judged_as_told(case: Told) -> None:
    seen = evidence(case.blocks["evidence"])
    assert judge_citation(seen) == citation_verdict(case.blocks["verdict"])
    assert judge_citation(seen) == judge_citation(evidence(case.blocks["evidence"])), "E7: same in, same out"


@pytest.mark.parametrize("case", cases_in("memories.md"), ids=lambda case: case.heading)
def test_a_memory_is_judged_as_told(case: Told) -> None:
    verdict = judge_memory([graded(line) for line in case.blocks["verdicts"].splitlines()])
    told = {"freshness": verdict.label}
    if verdict.broken:
        told["broken"] = ", ".join(str(index + 1) for index in verdict.broken)
    if verdict.not_yet_baselined:
        told["not yet baselined"] = "yes"
    assert told == pairs(case.blocks["memory"])


def test_every_verdict_there_is_has_its_case() -> None:
    told = {pairs(case.blocks["verdict"])["verdict"] for case in cases_in("citations.md")}
    every = {
        f"{verdict}/{reason}" for verdict, reasons in EVERY_VERDICT.items() for reason in reasons.split()
    }
    assert told == every - NOT_YET
    assert {verdict.split("/")[1] for verdict in every} == set(Reason)


def test_every_verdict_not_given_yet_is_judged_in_a_memory() -> None:
    held = {line for case in cases_in("memories.md") for line in case.blocks["verdicts"].splitlines()}
    assert held >= NOT_YET


@pytest.mark.parametrize("name", ["citations.md", "memories.md"])
def test_every_case_is_told_in_words_and_named_once(name: str) -> None:
    cases = cases_in(name)
    headings = [case.heading for case in cases]
    assert len(headings) == len(set(headings))
    assert all(case.prose.count(".") >= 2 for case in cases)
    assert {frozenset(case.blocks) for case in cases} in (
        {frozenset({"evidence", "verdict"})},
        {frozenset({"verdicts", "memory"})},
    )


def test_no_file_of_cases_is_left_out() -> None:
    assert sorted(file.name for file in FOLDER.iterdir()) == ["citations.md", "memories.md"]
