"""An answer of recall with its recording and its graph rows, as JSON and as text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from stilltrue.cli import as_json, as_recalled, as_text
from stilltrue.services.kept_pins import label_with_pins

if TYPE_CHECKING:
    from stilltrue.cli.context import Context
    from stilltrue.services.delivering import Delivered
    from stilltrue.services.graph import GraphRow
    from stilltrue.services.traced import Traced


def answer(traced: Traced, *, explain: bool = False) -> dict[str, Any]:
    """What `recall --json` answers: the results with their source ids, and the trace (B1, B16, B17)."""
    told = as_recalled.answer(traced.recalled, explain=explain)
    recording = traced.recording
    for index, row in enumerate(told["results"]):
        row.update(recording.row_json(f"results[{index}]"))
    if traced.graph is not None:
        told["graph_results"] = [
            {**_graph_fields(row, delivered), **recording.row_json(f"graph_results[{index}]")}
            | _others(traced, index, row)
            for index, (row, delivered) in enumerate(traced.graph)
        ]
    return told | recording.to_json()


def rows(context: Context, traced: Traced, *, explain: bool = False) -> Iterator[str]:
    """What was reached, for people; with `explain`, under which trace the answer is kept."""
    for row, (judged, pins) in traced.graph or ():
        name = click.style(row.memory.id, bold=True)
        steps = "1 step" if len(row.path.edges) == 1 else f"{len(row.path.edges)} steps"
        learned = f", learned {row.learned_strength:.3g}" if row.learned_strength else ""
        text = as_text.text_of(row.memory, as_text.LINE_WIDTH)
        yield f"{name}  {as_text.label_of(judged, pins)}  {text}"
        yield f"    mentioned, {steps} away{learned}"
        for each in judged.citations:
            if each.citation.path is not None:
                yield f"    {as_text.place_of(context, each.citation, pins)}{as_text.moved_to(context, each)}"
    if explain and traced.recording.trace_id is not None:
        yield f"trace {traced.recording.trace_id}; what you use of it: stilltrue use --help"


def _graph_fields(row: GraphRow, delivered: Delivered) -> dict[str, Any]:
    """A graph row; it has no score (B39)."""
    judged, pins = delivered
    memory = row.memory
    told: dict[str, Any] = {
        "id": memory.id,
        "uid": memory.uid,
        "text": memory.text,
        "subject": memory.subject,
        "freshness": label_with_pins(judged, pins),
        "citations": as_json.judged(judged, pins)["citations"],
        "hop": len(row.path.edges),
        "graph_path": [edge.to_json() for edge in row.path.edges],
    }
    return told if row.learned_strength is None else {**told, "learned_strength": row.learned_strength}


def _others(traced: Traced, index: int, row: GraphRow) -> dict[str, Any]:
    """Further live versions of the same memory, each recorded for itself (B1)."""
    if not row.others:
        return {}
    place = f"graph_results[{index}].same_entity.others"
    others = [
        {"id": each.id, "uid": each.uid, "text": each.text, **traced.recording.row_json(f"{place}[{at}]")}
        for at, each in enumerate(row.others)
    ]
    return {"same_entity": {"others": others}}
