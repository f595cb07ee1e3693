"""`stilltrue snooze`."""

from __future__ import annotations

import click

from stilltrue.cli.context import Context, json_option, key_option, say, say_json
from stilltrue.errors import InputError
from stilltrue.ide.wording import shortened, snooze_text
from stilltrue.model.time import parse_instant
from stilltrue.services import snoozing


@click.command("snooze", short_help="Do not hear of a memory for a while.")
@click.argument("ids", nargs=-1, required=True, metavar="ID...")
@click.option("--until-changed", is_flag=True, help="Until their lines change again.  [default]")
@click.option("--days", type=click.IntRange(1, snoozing.MOST_DAYS), metavar="N", help="For N days.")
@click.option("--until", metavar="DATE", help="Until a day, at its midnight in UTC, or an ISO time.")
@click.option("--off", is_flag=True, help="Wake them.")
@key_option
@json_option
@click.pass_obj
def command(  # noqa: PLR0913 - one for each option
    context: Context,
    ids: tuple[str, ...],
    days: int | None,
    until: str | None,
    key: str | None,
    *,
    until_changed: bool,
    off: bool,
    as_json: bool,
) -> int:
    """Do not hear of memories for a while: neither check nor your editor asks you to settle them.

    \b
    stilltrue snooze m3                     until the lines of m3 change again
    stilltrue snooze m3 m4 --days 14
    stilltrue snooze m3 --until 2027-01-07
    stilltrue snooze m3 --off               wake it

    A snooze is yours alone, and calls nothing fresh: check counts what sleeps, list and show mark it.
    Settling a memory ends its snooze.
    """
    if sum((until_changed, days is not None, until is not None, off)) > 1:
        raise InputError(
            "use one of --until-changed, --days, --until and --off", hint="see: stilltrue snooze --help"
        )
    said = snoozing.snooze(
        context.workspace,
        ids,
        days=0 if off else days,
        until=parse_instant(until) if until is not None else None,
        key=key,
    )
    if as_json:
        say_json({"memories": [_as_json(each) for each in said]})
        return 0
    for each in said:
        text = f"{each.memory.id}  {shortened(each.memory.text)}"
        if each.snooze.wakes:
            say(f"awake {text}")
        else:
            say(f"snoozed {snooze_text(each.snooze)}: {text}")
    return 0


def _as_json(one: snoozing.Snoozed) -> dict[str, str | None]:
    told = None if one.snooze.wakes else snooze_text(one.snooze)
    return {"id": one.memory.id, "uid": one.memory.uid, "snoozed": told, "until": one.snooze.until}
