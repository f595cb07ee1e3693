"""`stilltrue remember`."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from typing import Any

import click

from stilltrue.cli import as_json as jsonable
from stilltrue.cli import as_text
from stilltrue.cli.context import Context, json_option, key_option, note, say, say_json
from stilltrue.cli.progress import Progress
from stilltrue.errors import InputError, StillTrueError
from stilltrue.ide.wording import shortened
from stilltrue.services.recording import CitationSpec, parse_spec, spec_from_fields
from stilltrue.services.remember import Remembered, Request, remember, remember_many

FIELDS = {
    "subject": str,
    "predicate": str,
    "kind": str,
    "importance": int,
    "confidence": (int, float),
    "trust": str,
    "source_ref": str,
    "valid_from": str,
    "valid_to": str,
    "expires_at": str,
}
CITATION_FIELDS = frozenset({"path", "start_line", "end_line", "symbol"})


@click.command("remember", short_help="Remember something about code.")
@click.argument("text", required=False)
@click.option(
    "--cite", "-c", multiple=True, metavar="SPEC", help="PATH, PATH:LINE, PATH:START-END or @COMMIT[:PATH]."
)
@click.option("--cite-json", multiple=True, metavar="OBJECT", help="The same for names with : or #, as JSON.")
@click.option("--subject", default="", help="What it is about.  [default: the first cited path]")
@click.option("--kind", default="semantic", help="semantic, episodic or procedural.")
@click.option("--importance", default=5, type=int, help="1 to 10.  [default: 5]")
@click.option("--confidence", default=1.0, type=float, help="0 to 1.  [default: 1]")
@click.option(
    "--trust", default="", help="verified, corroborated, candidate, …  [default: verified if code is cited]"
)
@click.option("--ref", "source_ref", help="Where it came from, in your words.")
@click.option("--valid-from", default="", metavar="TIME", help="From when on it holds.  [default: now]")
@click.option("--expires", "expires_at", default="", metavar="TIME", help="When to stop serving it.")
@click.option(
    "--stdin", "from_stdin", is_flag=True, help="Read memories as JSON Lines, answer each with a line."
)
@key_option
@json_option
@click.pass_obj
def command(context: Context, /, text: str | None, *, from_stdin: bool, as_json: bool, **given: Any) -> int:  # noqa: ANN401
    """Remember TEXT, with the lines that back it.

    \b
    stilltrue remember "Retries stop after 5 attempts" --cite src/client.py:12-14
    stilltrue remember "The schema has no soft deletes" --cite db/schema.sql
    stilltrue remember --stdin < memories.jsonl

    Each line of --stdin is {"text", "subject", …, "citations": [{"path", "start_line", "end_line"}]};
    paths there are relative to the repository's root.
    """
    if from_stdin:
        return _remember_lines(context)
    if text is None:
        raise InputError(
            "there is no text", hint='stilltrue remember "what to remember" --cite PATH:START-END'
        )
    specs = [context.cited(each, parse_spec) for each in given.pop("cite")]
    specs += [_cited_object(context, _object(each)) for each in given.pop("cite_json")]
    key = given.pop("key")
    request = Request(text=text, citations=tuple(specs), **given)
    kept = remember(context.workspace, request, key=key)
    if as_json:
        say_json(_answer(kept))
        return 0
    say(f"{kept.memory.id}  {shortened(kept.memory.text)}")
    for citation in kept.citations:
        say(f"    {as_text.place_of(context, citation)}")
    if not kept.citations:
        note(
            "nothing is cited, so nothing can tell when it goes stale; cite lines with --cite PATH:START-END"
        )
    return 0


def _remember_lines(context: Context) -> int:
    if sys.stdin is None:
        raise InputError("standard input is closed", hint="stilltrue remember --stdin < memories.jsonl")
    refused = 0
    progress = Progress("memories")
    for count, answer in enumerate(remember_many(context.workspace, _requests(sys.stdin.buffer)), start=1):
        progress.tell(count)
        if isinstance(answer, StillTrueError):
            refused += 1
            say_json({"error": answer.to_json()})
        else:
            say_json(_answer(answer))
    progress.clear()
    if refused:
        note(f"refused {refused} of them; each answer says why")
    return 2 if refused else 0


def _requests(lines: Iterable[bytes]) -> Iterator[Request | StillTrueError]:
    for line in lines:
        if not line.strip():
            continue
        try:
            yield _request(_object(line.decode("utf-8")))
        except UnicodeDecodeError:
            yield InputError("the line is no UTF-8")
        except StillTrueError as error:
            yield error


def _request(told: dict[str, Any]) -> Request:
    cited = told.get("citations", [])
    if not isinstance(cited, list) or not all(isinstance(each, dict) for each in cited):
        raise InputError('"citations" must be a list of objects')
    _refuse_others(told, {"text", "citations", *FIELDS})
    fields = {name: told[name] for name in FIELDS if told.get(name) is not None}
    for name, value in fields.items():
        if not isinstance(value, FIELDS[name]) or isinstance(value, bool):  # type: ignore[arg-type]
            raise InputError(f"{name} has the wrong type: {value!r}")
    return Request(text=told.get("text", ""), citations=tuple(map(_from_object, cited)), **fields)


def _cited_object(context: Context, told: dict[str, Any]) -> CitationSpec:
    path = told.get("path")
    if not isinstance(path, str):
        return _from_object(told)
    return context.cited(path, lambda path: _from_object({**told, "path": path}))


def _from_object(told: dict[str, Any]) -> CitationSpec:
    _refuse_others(told, CITATION_FIELDS)
    return spec_from_fields(
        told.get("path"), told.get("start_line"), told.get("end_line"), told.get("symbol")
    )


def _refuse_others(told: dict[str, Any], known: AbstractSet[str]) -> None:
    """A mistyped name must not be dropped in silence (B30)."""
    if others := sorted(set(told) - known):
        raise InputError(
            "unknown: " + ", ".join(map(repr, others)), hint="known: " + ", ".join(sorted(known))
        )


def _object(text: str) -> dict[str, Any]:
    try:
        told = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"not JSON: {error}", hint='such as {"path": "a:b.py", "start_line": 1}') from error
    if not isinstance(told, dict):
        raise InputError("not a JSON object")
    return told


def _answer(kept: Remembered) -> dict[str, Any]:
    return jsonable.remembered(kept.memory, kept.citations)
