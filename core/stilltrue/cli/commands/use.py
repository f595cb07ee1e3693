"""`stilltrue use`."""

from __future__ import annotations

import click

from stilltrue.cli.context import Context, json_option, key_option, say, say_json
from stilltrue.recall.sources import SHORT_ID
from stilltrue.services.feedback_acts import record_use
from stilltrue.services.feedback_names import fresh_key, named_sources


@click.command("use", short_help="Say what you used of what was retrieved.")
@click.argument("trace")
@click.argument("uses", nargs=-1, required=True, metavar="SOURCE:STAGE...")
@key_option
@json_option
@click.pass_obj
def command(context: Context, trace: str, uses: tuple[str, ...], key: str | None, *, as_json: bool) -> int:
    """Say how far you used what TRACE retrieved: selected, then validated, then used.

    \b
    stilltrue use TRACE m3:selected
    stilltrue use TRACE m3:selected,validated,used m5:selected
    stilltrue use TRACE s:4f0c9a…:validated --key my-42

    TRACE is the `trace_id` of an answer. SOURCE is a `source_id` of it, the beginning of one (at least 8
    characters), or the memory it stands for. A stage can only follow the one before it; one that was
    recorded already changes nothing. With --key, a repetition is answered and not done again.
    """
    pairs = [(source, stage) for each in uses for source, stage in _split(each)]
    names = named_sources(context.workspace, trace, [source for source, _ in pairs])
    receipt = record_use(
        context.workspace,
        {
            "trace_id": trace,
            "idempotency_key": fresh_key() if key is None else key,
            "uses": [{"source_id": names[source], "stage": stage} for source, stage in pairs],
        },
    )
    if as_json:
        say_json(receipt)
        return 0
    for entry in receipt["entries"]:
        done = "" if entry["applied"] else " already"
        total = entry["activation"]["total"]
        say(f"{entry['source_id'][:SHORT_ID]} {entry['stage']}{done}  activation {total:.3f}")
    say(f"receipt {receipt['receipt_id']}")
    return 0


def _split(written: str) -> list[tuple[str, str]]:
    """`SOURCE:STAGE,STAGE` as pairs; source ids hold a colon themselves."""
    source, _, stages = written.rpartition(":")
    return [(source, stage) for stage in stages.split(",")]
