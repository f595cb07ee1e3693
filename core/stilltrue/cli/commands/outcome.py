"""`stilltrue outcome`."""

from __future__ import annotations

from typing import Any

import click

from stilltrue.cli.context import Context, json_option, key_option, say, say_json
from stilltrue.recall.requests import OUTCOMES
from stilltrue.services.feedback_acts import record_outcome
from stilltrue.services.feedback_names import fresh_key, named_sources


@click.command("outcome", short_help="Say whether what you used was right, or take that back.")
@click.argument("trace")
@click.argument("outcome", type=click.Choice(OUTCOMES))
@click.argument("sources", nargs=-1, metavar="[SOURCE...]")
@click.option("--confirmation", metavar="RECEIPT", help="What to take back: the receipt of a confirmation.")
@click.option("--reason", metavar="TEXT", help="Why, in words.")
@key_option
@json_option
@click.pass_obj
def command(  # noqa: PLR0913 - one for each option
    context: Context,
    trace: str,
    outcome: str,
    sources: tuple[str, ...],
    confirmation: str | None,
    reason: str | None,
    key: str | None,
    *,
    as_json: bool,
) -> int:
    """Confirm sources of TRACE that you used, or correct or roll back a confirmation.

    \b
    stilltrue outcome TRACE confirmed m3 m5
    stilltrue outcome TRACE corrected --confirmation RECEIPT --reason "it was the other client"
    stilltrue outcome TRACE rolled_back --confirmation RECEIPT

    A confirmation strengthens the mentions that led to its sources, so that `recall --hops --use-memory`
    shows them first. Taking it back takes exactly that credit away. Scores, verdicts and memories stay.
    """
    names = named_sources(context.workspace, trace, sources)
    receipt = record_outcome(
        context.workspace,
        {
            "trace_id": trace,
            "idempotency_key": fresh_key() if key is None else key,
            "outcome": outcome,
            "source_ids": [names[each] for each in sources] if sources else None,
            "confirmation_id": confirmation,
            "reason": reason,
        },
    )
    if as_json:
        say_json(receipt)
        return 0
    _say(receipt)
    return 0


def _say(receipt: dict[str, Any]) -> None:
    for change in receipt["changes"]:
        why = f" ({change['reason'].replace('_', ' ')})" if change["reason"] else ""
        say(f"{change['delta']:+.3f} to a mention, now {change['strength']:.3f}{why}")
    if receipt["no_change_reason"]:
        say(f"no mention changed: {receipt['no_change_reason'].replace('_', ' ')}")
    say(f"receipt {receipt['receipt_id']}")
