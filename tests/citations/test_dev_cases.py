"""Every case through the library: recorded from `before`, judged on disk and over open buffers."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from hashlib import sha256
from pathlib import Path

import pytest

from stilltrue.citations.baselines import span_baseline
from stilltrue.citations.lines import Lines
from stilltrue.citations.specs import spec_from_fields
from stilltrue.errors import CitationError
from stilltrue.model.citation import Citation, CitationKind
from stilltrue.model.memory import Origin
from stilltrue.model.time import Instant
from stilltrue.services.judging import judge_citations
from stilltrue.source.files import FileText, Overlay, Texts, WorkingTree
from support.cases import (
    CASES,
    FOLDER,
    IN_DEPTH,
    NOT_YET,
    Case,
    CaseCitation,
    Expectation,
    Judgement,
    Outcome,
    run_case,
    wrongly_recorded,
)
from support.searches import FolderSearch

LIMIT = 5 * 1024 * 1024
BEFORE = "before"
"""What stands for the commit that holds the first tree of each case."""

OTHER_REASONS = {
    # the cited paragraph is gone and its neighbours stand side by side: nothing is left in between
    "C023-a-disk": "span-missing, not text-changed",
}
"""Verdicts as expected for another reason than the case gives; reasons are not scored."""


class TreeWithLockedFiles(WorkingTree):
    """A working tree in which some files cannot be opened, whoever runs the test."""

    def __init__(self, root: Path, locked: tuple[str, ...]) -> None:
        super().__init__(root, max_bytes=LIMIT)
        self._locked = {self.root / path for path in locked}

    def _read_bytes(self, target: Path) -> bytes:
        if target in self._locked:
            raise PermissionError(13, "Permission denied", str(target))
        return super()._read_bytes(target)


def judge_in_library(case: Case, view: str, step: str) -> Judgement:
    texts: Texts = TreeWithLockedFiles(case.folder / step, case.unreadable)
    if view == "buffer":
        texts = Overlay(texts, {path: FileText(data=data) for path, data in case.buffers().items()})
    before = WorkingTree(case.folder / "before", max_bytes=LIMIT)
    verdicts, refused = {}, set()
    for asked in case.citations:
        try:
            citation = recorded(asked, before)
        except CitationError:
            refused.add(asked.id)
        else:
            search = FolderSearch(case.folder / step, texts, {BEFORE: case.folder / "before"})
            verdicts[asked.id] = judge_citations([citation], texts, search)[citation.uid]
    return Judgement(verdicts=verdicts, refused=frozenset(refused))


def recorded(asked: CaseCitation, before: WorkingTree) -> Citation:
    spec = spec_from_fields(asked.path, asked.span.start, asked.span.end, asked.symbol)
    assert spec.path is not None
    text = before.read(spec.path)
    if text.data is None:
        raise CitationError(f"{spec.path} cannot be read")
    return Citation(
        number=1,
        uid=asked.id,
        memory="m",
        generation=1,
        kind=CitationKind.SPAN,
        path=spec.path,
        span=spec.span,
        symbol=spec.symbol,
        commit=BEFORE,
        baseline=span_baseline(Lines(text.data), asked.span, encoding="utf-8", with_excerpt=True),
        recorded_at=Instant("2026-01-01T00:00:00.000Z"),
        actor="test",
        origin=Origin.DISK,
    )


@cache
def outcomes(case: Case) -> dict[str, Outcome]:
    return {outcome.expectation.id: outcome for outcome in run_case(case, judge_in_library)}


def expectations() -> list[object]:
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
        for expected in case.expectations
    ]


@pytest.mark.parametrize(("case", "expected"), expectations())
def test_a_case_is_judged_as_expected(
    case: Case, expected: Expectation, record_property: Callable[[str, object], None]
) -> None:
    outcome = outcomes(case)[expected.id]
    if outcome.remark:
        record_property("reason", outcome.remark)
    assert not outcome.faults, outcome.verdict


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_a_case_is_recorded_or_refused_as_expected(case: Case) -> None:
    assert wrongly_recorded(case, judge_in_library(case, "disk", "after")) == []


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_a_span_has_the_bytes_the_case_says(case: Case) -> None:
    for citation in case.citations:
        if citation.accepted:
            data = case.file("before", citation.path)
            assert data is not None
            assert sha256(Lines(data).span_bytes(citation.span)).hexdigest() == citation.sha256


def test_no_case_is_left_out() -> None:
    assert [case.folder for case in CASES] == sorted(file.parent for file in FOLDER.glob("*/case.toml"))
    ids = [expected.id for case in CASES for expected in case.expectations]
    assert len(ids) == len(set(ids))
    assert set(NOT_YET) <= set(ids)


def test_no_reason_differs_unnoticed() -> None:
    remarks = {name: outcome.remark for case in CASES for name, outcome in outcomes(case).items()}
    seen = {name: remark for name, remark in remarks.items() if remark and name not in NOT_YET}
    assert seen == OTHER_REASONS
