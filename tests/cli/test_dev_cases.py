"""Every case through the command line: `remember` over one tree, `check` over the next."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from stilltrue.model.citation import Place, Span
from stilltrue.model.verdict import CitationVerdict, Grade, Reason, Verdict
from support.cases import CASES, IN_DEPTH, NOT_YET, Case, Expectation, Judgement, run_case, wrongly_recorded
from support.cli import Stilltrue
from support.repo import Repo

BY_LIBRARY = {
    "C133": "tests run as root, who can read everything; the library's runner injects a reader that cannot",
}
"""Cases that only the library's runner can put on stage, each with the reason."""


def judge_by_command(folder: Path, case: Case, view: str, step: str) -> Judgement:
    assert view == "disk"
    tree, database = folder / "tree", folder / "memories.db"
    repo = Repo.git(tree)
    _lay(case.folder / "before", tree)
    repo.commit("before")
    run = Stilltrue(tree, database)
    names: dict[str, str] = {}
    refused = set()
    for citation in case.citations:
        symbol = f"#{citation.symbol}" if citation.symbol else ""
        spec = f"{citation.path}:{citation.span.start}-{citation.span.end}{symbol}"
        answer = run("remember", f"about {citation.id}", "--cite", spec, "--json")
        if answer.code:
            assert answer.error["hint"]
            refused.add(citation.id)
        else:
            names[answer.json["citations"][0]["uid"]] = citation.id
    _lay(case.folder / step, tree)
    report = run("check", "--format", "json").json
    cited = [each for memory in report["memories"] for each in memory["citations"]]
    verdicts = {names[each["uid"]]: _verdict(each) for each in cited}
    return Judgement(verdicts=verdicts, refused=frozenset(refused))


def _lay(source: Path, target: Path) -> None:
    """Let the working tree hold these files and no others."""
    for entry in target.iterdir():
        if entry.is_dir() and entry.name != ".git":
            shutil.rmtree(entry)
        elif not entry.is_dir():
            entry.unlink()
    shutil.copytree(source, target, dirs_exist_ok=True)


def _verdict(told: dict[str, Any]) -> CitationVerdict:
    return CitationVerdict(
        verdict=Verdict(told["verdict"]),
        reason=Reason(told["reason"]),
        grade=Grade(told["grade"]) if told["grade"] else None,
        new=_place(told["new"]) if told["new"] else None,
        candidates=tuple(map(_place, told["candidates"])),
    )


def _place(told: dict[str, Any]) -> Place:
    return Place(told["path"], Span(told["start_line"], told["end_line"]))


def _on_disk() -> list[object]:
    return [
        pytest.param(
            case,
            expected,
            id=expected.id,
            marks=[pytest.mark.xfail(reason=IN_DEPTH.format(NOT_YET[expected.id]), raises=AssertionError)]
            if expected.id in NOT_YET
            else [],
        )
        for case in CASES
        if case.id not in BY_LIBRARY
        for expected in case.expectations
        if expected.view == "disk"
    ]


@pytest.fixture(scope="module")
def judgements(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Case, str, str], Judgement]:
    """Each case and step is played once, however many expectations it has."""
    played: dict[tuple[str, str], Judgement] = {}

    def judge(case: Case, view: str, step: str) -> Judgement:
        if view != "disk":
            return Judgement()
        key = (case.id, step)
        if key not in played:
            played[key] = judge_by_command(tmp_path_factory.mktemp(case.id), case, view, step)
        return played[key]

    return judge


@pytest.mark.xdist_group("cases by command")
@pytest.mark.parametrize(("case", "expected"), _on_disk())
def test_a_case_is_judged_as_expected(
    case: Case, expected: Expectation, judgements: Callable[[Case, str, str], Judgement]
) -> None:
    outcome = next(each for each in run_case(case, partial(judgements)) if each.expectation == expected)

    assert outcome.faults == (), outcome.verdict
    assert wrongly_recorded(case, judgements(case, "disk", expected.step)) == []
