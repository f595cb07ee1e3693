"""`stilltrue history`."""

from __future__ import annotations

from typing import Any

import click

from stilltrue.cli.context import Context, json_option, note, say, say_json
from stilltrue.ide.wording import harmless, shortened
from stilltrue.recall.sources import SHORT_ID
from stilltrue.services.feedback_history import history


@click.command("history", short_help="What was retrieved, what was used of it, and how it turned out.")
@click.argument("trace", required=False)
@click.option("--limit", type=int, default=10, show_default=True, help="1 to 50 of them.")
@click.option("--cursor", metavar="CURSOR", help="Where the page before ended.")
@json_option
@click.pass_obj
def command(context: Context, trace: str | None, limit: int, cursor: str | None, *, as_json: bool) -> int:
    """List what you retrieved here, newest first; or tell one TRACE with its sources and receipts.

    \b
    stilltrue history
    stilltrue history TRACE          its sources, how far each was used, and what was confirmed
    stilltrue history --limit 50 --cursor CURSOR

    You see your own alone: what the same user, and the agent of the same name (STILLTRUE_AGENT), retrieved.
    """
    told = history(context.workspace, {"trace_id": trace, "limit": limit, "cursor": cursor})
    if as_json:
        say_json(told)
        return 0
    if trace is None:
        for each in told["traces"]:
            say(_summary(each))
        if not told["traces"]:
            note('nothing was retrieved here; ask something with: stilltrue recall "…"')
    else:
        _say_detail(told)
    if told["next_cursor"]:
        note(f"more with: --cursor {told['next_cursor']}")
    return 0


def _summary(told: dict[str, Any]) -> str:
    request = told["request"]
    asked = request.get("query") or " ".join(request.get("handles", ())) or "(no words)"
    recorded = told.get("memory_recording", {}).get("recorded_sources", 0)
    return harmless(
        f"{told['trace_id']}  {told['timestamp'][:16]}  {told['mode']:<6}  {recorded:>3}  {shortened(asked)}"
    )


def _say_detail(told: dict[str, Any]) -> None:
    say(_summary(told))
    for source in told["sources"]:
        kind = source["provenance"]["type"]
        shown = (
            f"{source['source_id'][:SHORT_ID]}  {source['stage']:<9}  {source['activation']['total']:6.3f}"
        )
        say(f"    {shown}  {kind} {_name(source)}")
    for each in told["receipts"]:
        receipt = each["receipt"]
        what = receipt.get("outcome") or ", ".join(
            f"{entry['source_id'][:SHORT_ID]} {entry['stage']}" for entry in receipt["entries"]
        )
        say(f"    {receipt['receipt_id']}  {receipt['timestamp'][:16]}  {what}")
        for credit in each.get("credits", ()):
            state = "active" if credit["active"] else f"taken back {credit['reversed_at'][:16]}"
            say(f"        {credit['delta']:+.3f}  {state}")


def _name(source: dict[str, Any]) -> str:
    return harmless(f"{source['provenance']['identity']} ({source['location']})")
