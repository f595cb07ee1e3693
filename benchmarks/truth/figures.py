"""Outcomes as tables of Markdown, and whether the targets are met."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from oracle import Truth
from trial import Outcome, Trial

from stilltrue.model.verdict import Verdict

MOST_FALSE_STALE = 0.01
"""Of everything that the oracle sees standing unchanged at one place."""
_STANDS = {Truth.AT_PLACE, Truth.MOVED, Truth.ELSEWHERE}
_MOVED = {Truth.MOVED, Truth.ELSEWHERE}


def tables(trials: Sequence[Trial]) -> Iterator[str]:
    """Two tables, a row a project and one for all."""
    yield (
        "| project | language | releases | judged | stale: precision, recall | moved: precision, recall "
        "| fresh: precision, recall | false fresh | false stale | undecided | several copies | cosmetic |"
    )
    yield "|---" * 12 + "|"
    for trial in trials:
        project = trial.project
        yield _row(project.name, project.language, str(len(project.releases)), trial.outcomes)
    everything = [outcome for trial in trials for outcome in trial.outcomes]
    yield _row("all", "", "", everything)
    yield ""
    yield "| project | cited | refused | s per 1,000 judged | files searched a check |"
    yield "|---" * 5 + "|"
    for trial in trials:
        checks = len(trial.project.releases) - 1
        judged = len(trial.outcomes)
        yield (
            f"| {trial.project.name} | {judged // checks} | {trial.refused} "
            f"| {1000 * trial.seconds / max(1, judged):.2f} | {trial.searched / checks:.0f} |"
        )


def missed(trials: Sequence[Trial]) -> list[str]:
    """The targets that are not met, in words."""
    everything = [outcome for trial in trials for outcome in trial.outcomes]
    false_fresh = sum(each.is_false_fresh for each in everything)
    false_stale = _share(
        everything, lambda each: each.is_false_stale, lambda each: each.told.truth in _STANDS
    )
    return [
        *([f"{false_fresh} false fresh, none allowed"] if false_fresh else []),
        *([f"{false_stale:.2%} false stale"] if false_stale >= MOST_FALSE_STALE else []),
    ]


def disagreements(trials: Sequence[Trial]) -> Iterator[str]:
    """One line for each outcome that a person should look at, the counted ones first."""
    kinds: dict[str, Callable[[Outcome], bool]] = {
        "false fresh": lambda each: each.is_false_fresh,
        "false stale": lambda each: each.is_false_stale,
        "undecided": _is_undecided,
        "cosmetic": lambda each: each.is_cosmetic,
        "several": lambda each: each.told.truth is Truth.SEVERAL,
    }
    for kind, belongs in kinds.items():
        for trial in trials:
            yield from (f"{kind}: {_line(each)}" for each in trial.outcomes if belongs(each))


def _line(outcome: Outcome) -> str:
    cited, told, verdict = outcome.cited, outcome.told, outcome.verdict
    symbol = f"#{cited.symbol}" * bool(cited.symbol)
    return (
        f"{outcome.project} {outcome.release} {cited.path}:{cited.start}-{cited.end}{symbol} ({cited.way}"
        f"{', poor' * cited.is_poor}) we: {verdict.verdict} {verdict.reason} {verdict.grade or ''} "
        f"{verdict.new or ''}; oracle: {told.truth} {told.path}:{told.start} {told.note}"
    )


def _is_undecided(outcome: Outcome) -> bool:
    """We cannot tell, and the oracle can."""
    return not outcome.says_true and not outcome.says_stale and outcome.told.truth is not Truth.SEVERAL


def _row(name: str, language: str, releases: str, outcomes: Sequence[Outcome]) -> str:
    known = [each for each in outcomes if each.told.truth is not Truth.SEVERAL]
    stale = _rates(known, lambda each: each.says_stale, lambda each: each.told.truth is Truth.GONE)
    moved = _rates(known, _says_moved, lambda each: each.told.truth in _MOVED)
    fresh = _rates(known, _says_fresh, lambda each: each.told.truth is Truth.AT_PLACE)
    false_stale = sum(each.is_false_stale for each in known)
    cells = [
        name,
        language,
        releases,
        f"{len(outcomes):,}",
        stale,
        moved,
        fresh,
        f"{sum(each.is_false_fresh for each in outcomes)}",
        f"{false_stale}",
        f"{sum(map(_is_undecided, known))}",
        f"{len(outcomes) - len(known)}",
        f"{sum(each.is_cosmetic for each in outcomes)}",
    ]
    return f"| {' | '.join(cells)} |"


def _says_moved(outcome: Outcome) -> bool:
    return outcome.says_true and outcome.verdict.verdict is Verdict.MOVED


def _says_fresh(outcome: Outcome) -> bool:
    return outcome.verdict.verdict is Verdict.FRESH


def _rates(
    outcomes: Sequence[Outcome], says: Callable[[Outcome], bool], is_so: Callable[[Outcome], bool]
) -> str:
    """Of what we say how much is so, and of what is so how much we say."""
    return f"{_share(outcomes, is_so, says):.2%}, {_share(outcomes, says, is_so):.2%}"


def _share(
    outcomes: Sequence[Outcome], part: Callable[[Outcome], bool], whole: Callable[[Outcome], bool]
) -> float:
    of = [each for each in outcomes if whole(each)]
    return sum(map(part, of)) / len(of) if of else 1.0
