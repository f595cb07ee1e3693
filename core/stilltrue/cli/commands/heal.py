"""`stilltrue heal`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import click

from stilltrue.cli import as_json, as_text
from stilltrue.cli.context import Context, json_option, note, say, say_json
from stilltrue.cli.progress import Progress
from stilltrue.errors import StillTrueError
from stilltrue.ide.wording import harmless
from stilltrue.model.healing import HealMode
from stilltrue.model.verdict import Freshness
from stilltrue.services.heal import Pass, heal, heal_each

MODES = [str(mode) for mode in HealMode if mode is not HealMode.OFF]


@click.command("heal", short_help="A background pass: keep verdicts, or demote what is stale.")
@click.argument("folders", nargs=-1, metavar="[DIR]...")
@click.option("--mode", type=click.Choice(MODES), help="What it may do.  [default: the setting heal_mode]")
@click.option("--full", is_flag=True, help="Judge everything, whatever git says.")
@click.option("--dry-run", is_flag=True, help="Say what would be done and write nothing.")
@json_option
@click.pass_obj
def command(
    context: Context,
    folders: tuple[str, ...],
    mode: str | None,
    *,
    full: bool,
    dry_run: bool,
    as_json: bool,
) -> int:
    """Judge what changed since the last pass, and keep what was found; here, or in each repository DIR.

    \b
    stilltrue heal                      keep verdicts, and nothing else
    stilltrue heal --mode confidence    also halve the confidence of stale memories, once for each state
    stilltrue heal --mode demote        also put a copy of unknown trust in their place: stilltrue worklist
    stilltrue heal --full --dry-run     what would a pass over everything do?
    stilltrue heal ~/app ~/lib          each once; one that fails stops no other
    stilltrue undo                      take back what a pass did to memories

    Modes that write memories run only on a clean working tree. Restoring the code restores the verdict.
    What git calls unchanged is not read; line ends that git converts are seen by check, and with --full.
    Exits with 0 when nothing needs attention, 1 when a memory is stale, 2 when it could not be done.
    """
    wanted = HealMode(mode) if mode else None
    if folders:
        return _in_each(context, folders, wanted, partial(heal, full=full, dry_run=dry_run), as_json=as_json)
    progress = Progress()
    done = heal(context.workspace, wanted, full=full, dry_run=dry_run, progress=progress.tell)
    progress.clear()
    if as_json:
        say_json({"version": 1, **_as_json(done)})
    else:
        _say(context, done)
    return _code(done)


def _in_each(
    context: Context,
    folders: tuple[str, ...],
    mode: HealMode | None,
    run: Callable[..., Pass],
    *,
    as_json: bool,
) -> int:
    """A pass in each repository; the worst of their exit codes."""
    here = {
        each.workspace.root: each for each in (replace(context, start=Path(folder)) for folder in folders)
    }
    try:
        done = heal_each([each.workspace for each in here.values()], mode, run=run)
        if as_json:
            say_json(
                {"version": 1, "repositories": [{"root": str(r), **_as_json(d)} for r, d in done.items()]}
            )
        for root, one in () if as_json else done.items():
            say(harmless(str(root)))
            _say(here[root], one)
    finally:
        for each in here.values():
            each.close()
    return max(map(_code, done.values()), default=0)


def _code(done: Pass | StillTrueError) -> int:
    if isinstance(done, StillTrueError):
        return 2
    return 1 if done.report.needs_attention(strict=False) else 0


def _say(context: Context, done: Pass | StillTrueError) -> None:
    if isinstance(done, StillTrueError):
        note(f"error: {done.message}" + (f"\n  hint: {done.hint}" if done.hint else ""))
    elif done.mode is HealMode.OFF:
        say("heal_mode is off: nothing was judged; ask for a pass with: stilltrue heal --mode verdict")
    else:
        _say_pass(context, done)


def _say_pass(context: Context, done: Pass) -> None:
    replaced = {healed.original.uid for healed in done.healed}
    for each in done.report.memories:
        if each.verdict.freshness is not Freshness.FRESH and each.memory.uid not in replaced:
            for row in as_text.memory(context, each):
                say(row)
            say()
    for healed in done.healed:
        say(as_text.healed(healed))
    for drift in done.drifts if done.dry_run else ():
        say(f"would be {_word(done.mode)}: {drift.judged.memory.id} ({drift.reason})")
    for memory in done.failed:
        say(f"not settled now, and looked at again the next time: {memory.id}")
    say(_figures(done))


def _figures(done: Pass) -> str:
    counts = dict(done.report.counts)
    judged = f"{as_text.counted(counts.pop('memories'), 'memories')} judged"
    found = ", ".join(f"{count} {label}" for label, count in counts.items())
    rest = f", because {done.whole}" if done.whole else ""
    left_out = f"; nothing changed for {done.left_out} more" if done.left_out else ""
    kept = as_text.counted(done.verdicts, "verdicts")
    would = "would be kept" if done.dry_run else "kept"
    return f"{judged}{': ' + found if found else ''}{rest}{left_out}\n{kept} {would} anew"


def _word(mode: HealMode) -> str:
    return "demoted" if mode is HealMode.DEMOTE else "lowered"


def _as_json(done: Pass | StillTrueError) -> dict[str, object]:
    if isinstance(done, StillTrueError):
        return {"error": done.to_json()}
    return {
        "mode": done.mode,
        "dry_run": done.dry_run,
        "whole": done.whole or None,
        "summary": {**done.report.counts, "left_out": done.left_out, "verdicts": done.verdicts},
        "memories": [
            as_json.judged(each)
            for each in done.report.memories
            if each.verdict.freshness is not Freshness.FRESH
        ],
        "drifts": [
            {
                "id": each.judged.memory.id,
                "uid": each.judged.memory.uid,
                "reason": each.reason,
                "citation": each.citation,
                "resolver_state": each.resolver_state,
            }
            for each in done.drifts
        ],
        "healed": [as_json.healed(each) for each in done.healed],
        "failed": [memory.id for memory in done.failed],
        "checkpoint": done.reached,
    }
