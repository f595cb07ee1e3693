"""`stilltrue audit`."""

from __future__ import annotations

import click

from stilltrue.cli import as_json, as_text
from stilltrue.cli.context import Context, json_option, say, say_json
from stilltrue.cli.progress import Progress
from stilltrue.model.healing import DriftReason
from stilltrue.services.audit import Audit, audit


@click.command("audit", short_help="Say what lost its code, for CI; invalidate what is gone.")
@click.option("--invalidate", is_flag=True, help="Demote the memories of which every citation is gone.")
@json_option
@click.pass_obj
def command(context: Context, *, invalidate: bool, as_json: bool) -> int:
    """Say which memories lost the code that backed them: gone, or changed in content.

    \b
    stilltrue audit                 writes nothing
    stilltrue audit --invalidate    demote what is gone whole; a second time does nothing
    stilltrue undo                  take that back

    Exits with 0 when nothing was found, 1 when there are issues, 2 when it could not be done.
    To demote is to put a copy of unknown trust in the memory's place; it then waits in: stilltrue worklist.
    Memories are rewritten only for a clean working tree. What changed in content is never invalidated here.
    """
    progress = Progress()
    found = audit(context.workspace, invalidate=invalidate, progress=progress.tell)
    progress.clear()
    if as_json:
        say_json(_as_json(found))
    else:
        _say(context, found)
    return 1 if found.issues else 0


def _say(context: Context, found: Audit) -> None:
    for each in found.issues:
        for row in as_text.memory(context, each.judged):
            say(row)
        say()
    for done in found.invalidated:
        say(as_text.healed(done))
    gone, changed = (len(found.of(reason)) for reason in DriftReason)
    total = len(found.report.memories)
    say(f"{as_text.counted(total, 'memories')} audited: {gone} gone, {changed} changed")
    if found.waiting or found.invalidated:
        waiting = found.waiting + len(found.invalidated)
        say(f"{as_text.counted(waiting, 'memories')} to be verified again: stilltrue worklist")
    for skipped in found.report.skipped:
        say(f"not checked: {as_text.counted(skipped.count, skipped.what)} ({skipped.why})")


def _as_json(found: Audit) -> dict[str, object]:
    return {
        "version": 1,
        "summary": {
            **found.report.counts,
            "gone": len(found.of(DriftReason.ANCHOR_DRIFT)),
            "changed": len(found.of(DriftReason.CONTENT_DRIFT)),
            "waiting": found.waiting + len(found.invalidated),
        },
        "skipped": as_json.skipped(found.report),
        "issues": [
            {
                **as_json.judged(each.judged),
                "drift": each.reason,
                "citation": each.citation,
                "resolver_state": each.resolver_state,
            }
            for each in found.issues
        ],
        "invalidated": [as_json.healed(each) for each in found.invalidated],
    }
