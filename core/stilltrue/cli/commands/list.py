"""`stilltrue list`."""

from __future__ import annotations

from collections.abc import Mapping

import click

from stilltrue.cli import as_json as jsonable
from stilltrue.cli import as_text
from stilltrue.cli.as_recalled import validity_fields
from stilltrue.cli.context import Context, json_option, note, say, say_json
from stilltrue.ide.wording import snooze_text
from stilltrue.model.pin import KeptPin
from stilltrue.model.verdict import Freshness
from stilltrue.services import history, snoozing
from stilltrue.services.check import is_under
from stilltrue.services.judging import JudgedMemory
from stilltrue.services.kept_pins import has_drifted, kept_for
from stilltrue.services.recalled import is_superseded, standing


@click.command("list", short_help="List what is remembered about this repository.")
@click.option("--stale", is_flag=True, help="Only those that need a look.")
@click.option("--path", metavar="PATH", help="Only those that cite this file or folder.")
@click.option(
    "--all", "with_ended", is_flag=True, help="Superseded and retracted ones, too, without verdicts."
)
@json_option
@click.pass_obj
def command(context: Context, path: str | None, *, stale: bool, with_ended: bool, as_json: bool) -> int:
    """List the live memories of this repository with their verdicts.

    \b
    stilltrue list --stale
    stilltrue list --path src/client.py
    """
    if with_ended:
        return _everything(context, as_json=as_json)
    wanted = context.place_in_repository(path) if path else None
    found = [
        one
        for one in history.live(context.workspace)
        if wanted is None or any(is_under(each.citation.path, wanted) for each in one.citations)
    ]
    kept = kept_for(context.workspace, found)
    if stale:
        found = [one for one in found if _needs_a_look(one, kept)]
    asleep = snoozing.asleep(context.workspace, found)
    snoozed = {uid: snooze_text(each) for uid, each in asleep.items()}
    if as_json:
        told = [{**jsonable.judged(one, kept), "snoozed": snoozed.get(one.memory.uid)} for one in found]
        say_json({"version": 1, "memories": told})
        return 0
    for one in found:
        label = as_text.label_of(one, kept, width=16)
        places = ", ".join(as_text.place_of(context, each.citation, kept) for each in one.citations)
        mark = f"  (snoozed {snoozed[one.memory.uid]})" if one.memory.uid in snoozed else ""
        say(f"{one.memory.id:<6} {label} {as_text.text_of(one.memory)}  {places}".rstrip() + mark)
    if any(has_drifted(one, kept) for one in found):
        note("pinned memories may have drifted; ask git anew with: stilltrue pins")
    if not found:
        note('nothing here; remember something with: stilltrue remember "…" --cite PATH:START-END')
    return 0


def _needs_a_look(one: JudgedMemory, kept: Mapping[str, KeptPin]) -> bool:
    return one.verdict.freshness in {Freshness.STALE, Freshness.UNKNOWN} or has_drifted(one, kept)


def _everything(context: Context, *, as_json: bool) -> int:
    """What ended is shown here alone, and graded (C19)."""
    found = history.everything(context.workspace)
    now = context.workspace.clock.now()
    grades = [standing(memory, now=now, superseded=is_superseded(end)) for memory, end in found]
    if as_json:
        told = [
            {
                **jsonable.memory_fields(each),
                "ended": jsonable.closing(said) if said else None,
                **validity_fields(grade),
            }
            for (each, said), grade in zip(found, grades, strict=True)
        ]
        say_json({"version": 1, "memories": told})
        return 0
    for (memory, end), grade in zip(found, grades, strict=True):
        said = end.kind if end else ""
        mark = f"  ({grade.grade})" if grade.is_context_invalid else ""
        say(f"{memory.id:<6} {memory.tx_at[:10]} {said:<10} {as_text.text_of(memory)}{mark}")
    return 0
