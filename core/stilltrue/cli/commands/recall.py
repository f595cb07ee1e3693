"""`stilltrue recall`."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any

import click

from stilltrue.cli import as_recalled, as_traced
from stilltrue.cli.context import Context, json_option, note, say, say_json
from stilltrue.errors import InputError
from stilltrue.model.memory import MemoryKind
from stilltrue.model.time import parse_instant
from stilltrue.recall.ranking import PRESETS, SourceWeights
from stilltrue.recall.requests import IDENTITY_FIELDS
from stilltrue.services.queries import DEFAULT_LIMIT, Method, Mode, Query, Source, weights_named
from stilltrue.services.recall import recall
from stilltrue.services.recalled import Recalled
from stilltrue.services.shown import note_shown
from stilltrue.services.traced import Traced, check_request, traced


@click.command("recall", short_help="Ask what is remembered, best first.")
@click.argument("query", required=False, default="")
@click.option("--profile", default="default", metavar="NAME", help="default, or validity.")
@click.option(
    "--validity-annotate", "annotate", is_flag=True, help="Tell of each how far it may be relied on."
)
@click.option("--by-code", is_flag=True, help="Weigh validity by what became of the cited code, not by age.")
@click.option("--mode", type=click.Choice([each.value for each in Mode]), help="keyword, or fused.")
@click.option("--as-of", metavar="TIME", help="Answer from what was known and held then.")
@click.option("--at", "now_ms", type=int, metavar="UNIX_MS", help="What counts as now for ages and expiry.")
@click.option("--subject", metavar="TEXT", help="Only about exactly that.")
@click.option("--kind", type=click.Choice([each.value for each in MemoryKind]), help="Only of that kind.")
@click.option("--path", metavar="PATH", help="Only what cites that file or folder.")
@click.option("--near", metavar="PATH", help="In fused mode: the file you are in.")
@click.option(
    "--freshness",
    "source",
    type=click.Choice([each.value for each in Source]),
    help="Only those in that state.",
)
@click.option("--limit", type=int, default=DEFAULT_LIMIT, show_default=True, help="At most so many.")
@click.option("--max-tokens", type=int, metavar="N", help="At most so much text.")
@click.option("--preset", type=click.Choice(list(PRESETS)), help="How stale ones are ranked.")
@click.option("--stale-weight", type=float, metavar="W", help="Likewise, as a number above 0 and at most 1.")
@click.option("--hops", type=int, default=0, help="Also what mentions these, 1 or 2 steps away.")
@click.option("--use-memory", is_flag=True, help="Of those, first what proved right before.")
@click.option("--explain", is_flag=True, help="Tell of each why it stands there.")
@click.option(
    "--stdin", "from_stdin", is_flag=True, help="Read questions as JSON Lines, answer each with a line."
)
@json_option
@click.pass_obj
def command(context: Context, /, *, explain: bool, from_stdin: bool, as_json: bool, **given: Any) -> int:  # noqa: ANN401 - one for each option
    """Recall what is remembered about QUERY; without one, what scores highest.

    \b
    stilltrue recall "how often are calls retried"
    stilltrue recall retries --path src --freshness stale
    stilltrue recall retries --profile validity --by-code --explain
    stilltrue recall retries --as-of 2026-01-31

    Words are looked for as words; what is found is checked against the working tree before it is shown.
    """
    if from_stdin:
        return _answer_lines(context, explain=explain)
    hops, use_memory = given.pop("hops"), given.pop("use_memory")
    answer = _asked(context, _query(context, given), hops, use_memory=use_memory)
    if as_json:
        say_json(as_traced.answer(answer, explain=explain))
    else:
        for row in as_recalled.rows(context, answer.recalled, explain=explain):
            say(row)
        for row in as_traced.rows(context, answer, explain=explain):
            say(row)
        _say_notes(answer.recalled)
    return 0


def _asked(context: Context, query: Query, hops: int = 0, *, use_memory: bool = False) -> Traced:
    """The answer, recorded before it is given (B1)."""
    check_request(query, hops)
    workspace = context.workspace
    asked = recall(workspace, query)
    answer = traced(workspace, asked, principal=workspace.actor, hops=hops, use_memory=use_memory)
    note_shown(workspace, asked)
    return answer


def _say_notes(asked: Recalled) -> None:
    for each in asked.notes:
        note(each)
    if not asked.hits:
        note("nothing found; `stilltrue list` shows all that is remembered here")


def _query(context: Context, given: dict[str, Any]) -> Query:
    preset, weight, as_of = given.pop("preset"), given.pop("stale_weight"), given.pop("as_of")
    if preset is not None and weight is not None:
        raise InputError("--preset and --stale-weight say the same", hint="use one of the two")
    if given.pop("by_code"):
        given["method"] = Method.BY_CODE
    weights = weights_named(preset) if preset else None if weight is None else SourceWeights(stale=weight)
    for name in ("path", "near"):
        given[name] = context.place_in_repository(given[name]) if given[name] else None
    moment = parse_instant(as_of) if as_of else None
    skips = context.workspace.settings.stale_policy_recall == "skip"
    return Query(text=given.pop("query"), as_of=moment, weights=weights, skips_stale=skips, **given)


FIELDS: dict[str, type] = {
    "query": str,
    "profile": str,
    "validity_annotate": bool,
    "method": str,
    "mode": str,
    "as_of": str,
    "query_time_unix_ms": int,
    "subject": str,
    "kind": str,
    "path": str,
    "near": str,
    "freshness": str,
    "limit": int,
    "max_tokens": int,
}
_NAMES = {
    "query": "text",
    "validity_annotate": "annotate",
    "query_time_unix_ms": "now_ms",
    "freshness": "source",
}


def _answer_lines(context: Context, *, explain: bool) -> int:
    """Every question is understood before the first is asked: one that is refused refuses all (C2, C28)."""
    skips = context.workspace.settings.stale_policy_recall == "skip"
    queries = [_query_from(line, skips_stale=skips) for line in sys.stdin.buffer if line.strip()]
    for query in queries:
        check_request(query, hops=0)
    for query in queries:
        say_json(as_traced.answer(_asked(context, query), explain=explain))
    return 0


def _query_from(line: bytes, *, skips_stale: bool) -> Query:
    try:
        told = json.loads(line.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise InputError("a line is no JSON", hint='such as {"query": "retries", "limit": 5}') from error
    if not isinstance(told, dict) or set(told) - IDENTITY_FIELDS - set(FIELDS):
        raise InputError("a line is no object of known fields", hint="known: " + ", ".join(FIELDS))
    asked: dict[str, Any] = {}
    fields: dict[str, Any] = {name: told[name] for name in told if name not in IDENTITY_FIELDS}
    for name, value in fields.items():
        if type(value) is not FIELDS[name]:  # a truth value is no number here
            raise InputError(f"{name} has the wrong type")
        taken = _TAKEN.get(name)
        asked[_NAMES.get(name, name)] = taken(str(value)) if taken is not None else value
    return Query(skips_stale=skips_stale, **asked)


def _place(written: str) -> str | None:
    """A file or folder as a program names it, relative to the root wherever it runs; empty is none."""
    return written.rstrip("/") or written or None


_TAKEN: dict[str, Callable[[str], str | None]] = {"as_of": parse_instant, "path": _place, "near": _place}
