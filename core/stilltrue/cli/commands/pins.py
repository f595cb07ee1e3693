"""`stilltrue pins`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import click

from stilltrue.cli.context import Context, HookCommand, json_option, note, say, say_json
from stilltrue.errors import InputError
from stilltrue.ide.wording import harmless, shortened
from stilltrue.model.memory import MemoryKind
from stilltrue.services import pins as checking
from stilltrue.services.pins import CommitState, JudgedPin, PinReason, PinReport

COLOURS = {CommitState.CURRENT: "green", CommitState.STALE: "yellow", CommitState.UNRESOLVED: "magenta"}
SHOWN_IDS = 50
REASONS = {
    PinReason.AT_HEAD: "its commit is checked out",
    PinReason.PATH_UNCHANGED: "unchanged since its commit",
    PinReason.PATH_CHANGED: "changed since its commit",
    PinReason.HEAD_MOVED: "HEAD moved past its commit",
    PinReason.NOT_A_COMMIT_ID: "its commit is none that git could know",
    PinReason.UNKNOWN_COMMIT: "git does not know its commit here",
    PinReason.AMBIGUOUS_COMMIT: "several commits begin like its commit",
    PinReason.DIVERGED: "its commit is not in the history of HEAD",
    PinReason.PATH_NOT_AT_PIN: "its path is neither in its commit nor in HEAD",
    PinReason.BAD_PATH: "its path is none that a repository can hold",
    PinReason.OBJECTS_MISSING: "this clone lacks the objects that would tell",
    PinReason.GIT_FAILED: "git failed or took too long",
}


@click.command(
    "pins", cls=HookCommand, short_help="Ask git what changed since the commits that memories name."
)
@click.option("--flag", "mode", flag_value="flag", default="flag", help="Keep what is found.  [default]")
@click.option("--check", "mode", flag_value="check", help="Only tell; write nothing.")
@click.option("--revise", "mode", flag_value="revise", help="Also halve the confidence of stale memories.")
@click.option("--hook", is_flag=True, help="For git hooks: print nothing, always exit with 0.")
@click.option(
    "--backfill/--no-backfill", default=None, help="Pin what names a commit in --ref.  [default: do]"
)
@click.option(
    "--kind", type=click.Choice([each.value for each in MemoryKind]), help="Only memories of that kind."
)
@click.option("--subject", metavar="TEXT", help="Only memories about that.")
@click.option("--stale", is_flag=True, help="Show only stale pins.")
@click.option(
    "--state", type=click.Choice([each.value for each in CommitState]), help="Show only pins of that state."
)
@click.option("--all", "everything", is_flag=True, help="Show those, too, whose cited lines decide.")
@click.option("--limit", type=int, default=checking.DEFAULT_LIMIT, metavar="N", help="Check at most N pins.")
@click.option("--page-size", type=int, default=checking.DEFAULT_PAGE, metavar="N", help="Keep N at a time.")
@json_option
@click.pass_obj
def command(context: Context, /, mode: str, *, hook: bool, **options: Any) -> int:  # noqa: ANN401 - one for each option
    """Ask git what became of the commits that memories name: current, stale or unresolved.

    \b
    stilltrue remember "The parser is recursive" --cite @4f2a9c1:src/parse.py
    stilltrue pins                    ask, and keep the answers
    stilltrue pins --check            only tell, for CI: exits with 1 when a pin is stale
    stilltrue pins --stale --kind procedural

    A pin without a path is stale once HEAD moved past it; with one, once that path differs. What git cannot
    tell is unresolved, never current. Where cited lines were recorded, they decide and not the commit.
    As .git/hooks/post-merge, a line that never fails: stilltrue pins --hook
    """
    if hook:
        return _quietly(context, mode, options)
    report = _checked(context, mode, options)
    shown = [each for each in report.pins if _is_shown(each, mode, options)]
    if options["as_json"]:
        say_json(_as_json(report, shown, mode))
    else:
        for row in _rows(shown):
            say(row)
        for row in _summary(report, mode):
            note(row)
    return 1 if report.stale else 0


def _checked(context: Context, mode: str, options: dict[str, Any]) -> PinReport:
    if mode == "check" and options["backfill"]:
        raise InputError("--check writes nothing, so it cannot backfill", hint="leave out one of the two")
    if options["stale"] and options["state"] not in {None, CommitState.STALE}:
        raise InputError("--stale and --state ask for different pins", hint="use one of the two")
    wanted = checking.Wanted(
        kind=options["kind"], subject=options["subject"], limit=options["limit"], page=options["page_size"]
    )
    return checking.check_pins(
        context.workspace,
        wanted,
        write=mode != "check",
        fill=options["backfill"] is not False,
        lower=mode == "revise",
    )


def _quietly(context: Context, mode: str, options: dict[str, Any]) -> int:
    """Whatever goes wrong, a hook neither fails nor talks (A53)."""
    with suppress(Exception):
        _checked(context, mode, options)
    with suppress(Exception):
        context.workspace.close()
        del context.workspace  # whose notices would be told at the end of the run
    return 0


def _is_shown(one: JudgedPin, mode: str, options: dict[str, Any]) -> bool:
    state = one.verdict.state
    if options["stale"] or options["state"]:
        return state is CommitState(options["state"] or CommitState.STALE) and (
            one.decides or options["everything"]
        )
    if options["everything"] or options["as_json"]:
        return True
    return one.decides and (mode == "check" or state is not CommitState.CURRENT)


def _rows(shown: list[JudgedPin]) -> Iterator[str]:
    for one in shown:
        pinned, state = one.pinned, one.verdict.state
        label = click.style(f"{state.value:<10}", fg=COLOURS[state])
        tag = harmless(checking.pin_text(pinned.path, pinned.commit, state))
        said = REASONS[one.verdict.reason] if one.decides else "only information: its cited lines decide"
        yield f"{pinned.memory_id:<6} {label} {'(redacted)' if pinned.redacted else shortened(pinned.text)}"
        yield f"    {click.style(pinned.id, dim=True)} {tag}  {said}"


def _summary(report: PinReport, mode: str) -> Iterator[str]:
    """For standard error (A39): figures whose parts sum up to the first, and what is stale."""
    counts = report.counts
    parts = ", ".join(f"{counts[state.value]} {state.value}" for state in CommitState)
    by_lines = sum(not each.decides for each in report.pins)
    yield f"{counts['checked']} checked: {parts} (HEAD {report.head[:7]})"
    if by_lines:
        yield f"{by_lines} of them only inform: their cited lines decide, see `stilltrue check`"
    stale = list(dict.fromkeys(each.pinned.memory_id for each in report.stale))
    if stale:
        more = f" and {len(stale) - SHOWN_IDS} more" if len(stale) > SHOWN_IDS else ""
        yield f"stale: {', '.join(stale[:SHOWN_IDS])}{more}"
    if report.is_cut:
        yield "there are more pins; the limit left out those that were checked last"
    if report.backfilled:
        yield f"{len(report.backfilled)} pinned from what they say of their source"
    if mode == "revise":
        yield f"{len(report.revised)} revised to half the confidence; stilltrue undo takes that back"


def _as_json(report: PinReport, shown: list[JudgedPin], mode: str) -> dict[str, Any]:
    return {
        "version": 1,
        "head": report.head,
        "mode": mode,
        "checked_at": report.checked_at,
        "summary": report.counts,
        "stale": list(dict.fromkeys(each.pinned.memory_id for each in report.stale)),
        "is_cut": report.is_cut,
        "backfilled": list(report.backfilled),
        "revised": [
            {"id": each.id, "uid": each.uid, "supersedes": each.supersedes} for each in report.revised
        ],
        "pins": [_pin_as_json(each) for each in shown],
    }


def _pin_as_json(one: JudgedPin) -> dict[str, Any]:
    pinned = one.pinned
    return {
        "memory": pinned.memory_id,
        "memory_uid": pinned.memory_uid,
        "text": pinned.text,
        "citation": pinned.id,
        "citation_uid": pinned.uid,
        "commit": pinned.commit,
        "path": pinned.path,
        "freshness": one.verdict.state,
        "reason": one.verdict.reason,
        "decides": one.decides,
        "before": {
            "freshness": pinned.state,
            "checked_at": pinned.checked_at,
            "checked_head": pinned.checked_head,
        },
    }
