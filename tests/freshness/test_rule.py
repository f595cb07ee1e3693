"""What holds of the rule for any evidence (laws 2 and 3; E1, E6, E7)."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from stilltrue.citations.evidence import Evidence, Sighting
from stilltrue.freshness import judge_citation, judge_memory
from stilltrue.model.citation import CitationKind, Place, Span
from stilltrue.model.verdict import CitationVerdict, Freshness, Grade, Reason, Verdict

SPANS = st.builds(Span, st.integers(1, 9), st.integers(1, 9))
OBSTACLES = st.sampled_from([Reason.UNREADABLE, Reason.NOT_A_FILE, Reason.ENCODING, Reason.LFS_POINTER])
SIGHTINGS = st.builds(
    Sighting,
    same_at_place=st.booleans(),
    carried_to=st.none() | SPANS,
    folded_at=st.none() | SPANS,
    copies=st.lists(SPANS, max_size=3).map(tuple),
    new_evidence=st.booleans(),
    version_stands=st.booleans(),
    recognisable=st.booleans(),
    target=st.none() | SPANS,
    nothing_left=st.booleans(),
    in_conflict=st.booleans(),
    nearest=st.none() | SPANS,
)
EVIDENCE = st.builds(
    Evidence,
    kind=st.sampled_from(CitationKind),
    path=st.just("a.py"),
    recorded=st.none() | SPANS,
    obstacle=st.none() | OBSTACLES,
    file_missing=st.booleans(),
    has_baseline=st.booleans(),
    sighting=st.none() | SIGHTINGS,
)
VERDICTS = st.lists(EVIDENCE.map(judge_citation), max_size=5)


@given(EVIDENCE)
def test_e7_the_same_evidence_gives_the_same_verdict(evidence: Evidence) -> None:
    assert judge_citation(evidence) == judge_citation(evidence)


@given(EVIDENCE)
def test_e6_what_could_not_be_seen_is_unknown(evidence: Evidence) -> None:
    verdict = judge_citation(evidence)
    if evidence.obstacle:
        assert (verdict.verdict, verdict.reason) == (Verdict.UNKNOWN, evidence.obstacle)


@given(EVIDENCE)
def test_fresh_is_said_only_of_bytes_that_were_seen_or_never_stored(evidence: Evidence) -> None:
    """K24: of a symbol the name says which lines are meant, so that its bytes may stand at any."""
    verdict = judge_citation(evidence)
    if verdict.verdict is Verdict.FRESH and verdict.reason is not Reason.NO_BASELINE:
        seen = evidence.sighting
        assert seen is not None
        by_name = evidence.kind is CitationKind.SYMBOL and seen.carried_to is not None
        assert seen.same_at_place or by_name
    if verdict.reason is Reason.NO_BASELINE:
        assert not evidence.has_baseline


@given(EVIDENCE)
def test_moved_names_a_target_or_all_candidates_and_never_both(evidence: Evidence) -> None:
    verdict = judge_citation(evidence)
    if verdict.verdict is Verdict.MOVED:
        assert (verdict.new is None) == (verdict.reason is Reason.AMBIGUOUS) == bool(verdict.candidates)
    else:
        assert verdict.new is None


@given(SIGHTINGS)
def test_d13_a_version_that_stands_is_never_a_move_by_search(seen: Sighting) -> None:
    verdict = judge_citation(Evidence(kind=CitationKind.SPAN, path="a.py", sighting=seen))
    if verdict.verdict is Verdict.MOVED and seen.carried_to is None:
        assert not seen.version_stands
        assert seen.new_evidence
        assert seen.recognisable


@given(EVIDENCE)
def test_only_stale_is_graded_and_only_the_text_at_hand_is_pointed_at(evidence: Evidence) -> None:
    verdict = judge_citation(evidence)
    assert (verdict.grade is not None) == (verdict.verdict is Verdict.STALE)
    places = [place for place in (verdict.new, verdict.nearest, *verdict.candidates) if place]
    assert {place.path for place in places} <= {"a.py"}
    assert all(isinstance(place, Place) for place in places)


@given(VERDICTS, st.data())
def test_the_order_of_citations_does_not_matter(verdicts: list[CitationVerdict], draw: st.DataObject) -> None:
    shuffled = draw.draw(st.permutations(verdicts))
    first, second = judge_memory(verdicts), judge_memory(shuffled)
    assert first.label == second.label
    assert [verdicts[index] for index in first.broken] == [
        verdict for verdict in verdicts if verdict.is_broken
    ]
    assert len(first.broken) == len(second.broken)


@given(VERDICTS.filter(bool))
def test_e2_a_memory_is_fresh_only_when_all_that_resolves_is(verdicts: Sequence[CitationVerdict]) -> None:
    memory = judge_memory(verdicts)
    resolving = [verdict for verdict in verdicts if not verdict.is_broken]
    if memory.freshness is Freshness.FRESH:
        assert resolving
        assert all(
            verdict.verdict in {Verdict.FRESH, Verdict.MOVED} and verdict.reason is not Reason.AMBIGUOUS
            for verdict in resolving
        )
    if any(verdict.grade is Grade.CONTENT for verdict in resolving):
        assert memory.label == "stale/content"
