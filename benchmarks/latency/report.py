"""The figures as rows, as a table, and against the targets."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from measuring import GAP, Sitting
from servers import FLOOR, OURS, RUFF

TARGETS = {1_000: 0.7, 10_000: 0.25, 100_000: 0.03}
Row = dict[str, Any]


@dataclass(frozen=True)
class Outcome:
    """One target and what became of it."""

    what: str
    met: bool


def rows_of(sittings: Sequence[Sitting], lines: int) -> list[Row]:
    """One row a server, with its ratios to stock pygls in the same run."""
    floor = next(each for each in sittings if each.contestant.name == FLOOR)
    return [_row(each, floor, lines) for each in sittings]


def _row(sitting: Sitting, floor: Sitting, lines: int) -> Row:
    pause = sitting.contestant.pause_ms
    # of what pauses only the additions do, and the pause is taken off them
    cleared = set(sitting.clearing) if pause else set()
    samples = [each - pause for each in sitting.samples if each not in cleared]
    median, p99 = statistics.median(samples), _p99(samples)
    row: Row = {
        "server": sitting.contestant.name,
        "lines": lines,
        "edits": len(sitting.samples),
        "median_ms": median,
        "x_floor": median / statistics.median(floor.samples),
        "p99_ms": p99,
        "p99_x": p99 / _p99(floor.samples),
        "cpu_ms": 1e3 * sitting.cpu_s / len(sitting.samples),
        "clear_ms": statistics.median(sitting.clearing) if pause else None,
        "start_ms": sitting.client.start_ms,
        "open_ms": sitting.open_ms,
        "rss_mib": sitting.client.rss_mib,
    }
    if sitting.bursts:
        row["tail_ms"] = _median(burst.tail_ms for burst in sitting.bursts)
        row["of_60"] = round(_median(burst.publishes for burst in sitting.bursts))
        row["burst_cpu_s"] = _median(burst.cpu_s for burst in sitting.bursts)
    return row


def table(rows: Sequence[Row]) -> str:
    """The rows as a Markdown table."""
    heads = list(dict.fromkeys(head for row in rows for head in row))
    head = "| " + " | ".join(heads) + " |"
    body = ("| " + " | ".join(_cell(row.get(head)) for head in heads) + " |" for row in rows)
    return "\n".join([head, "|" + "---|" * len(heads), *body])


def outcomes(rows: Iterable[Row]) -> list[Outcome]:
    """Each target that the rows can tell about."""
    by_name = {(row["server"], row["lines"]): row for row in rows}
    found: list[Outcome] = []
    for (server, lines), row in by_name.items():
        if server != OURS:
            continue
        if (target := TARGETS.get(lines)) is not None:
            what = f"{lines} lines: {row['x_floor']:.3f} x stock pygls, at most {target}"
            found.append(Outcome(what, row["x_floor"] <= target))
        if ruff := by_name.get((RUFF, lines)):
            times = ruff["median_ms"] / row["median_ms"]
            found.append(Outcome(f"{lines} lines: ruff server takes {times:.1f} x as long", times >= 1))
        if "tail_ms" in row:
            what = f"{lines} lines at 30 Hz: {row['tail_ms']:.1f} ms after the last key, at most a key's time"
            found.append(Outcome(what, row["tail_ms"] <= GAP * 1e3))
    return found


def _p99(samples: Iterable[float]) -> float:
    ordered = sorted(samples)
    return ordered[round(0.99 * (len(ordered) - 1))]


def _median(values: Iterable[float]) -> float:
    return statistics.median(list(values))


def _cell(value: object) -> str:
    shown: Callable[[object], str] = (lambda v: f"{v:.2f}") if isinstance(value, float) else str
    return "" if value is None else shown(value)
