"""What holds of relocation for any text and any edit (law 1; D11 to D13)."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import assume, given
from hypothesis import strategies as st

from stilltrue.citations.lines import Lines
from stilltrue.citations.relocation import sight
from stilltrue.citations.whole_files import sight_file
from stilltrue.model.citation import Baseline, Neighbour, Place, Span
from stilltrue.model.verdict import Reason, Verdict
from support.fixture import PATH, judge

EDGE = "the edge of the text"
POOR = ["}", "", "    return x", "  "]


@dataclass(frozen=True, slots=True)
class Cited:
    """A text as lines above the span, the span, and lines below."""

    above: list[str]
    cited: list[str]
    below: list[str]

    @property
    def data(self) -> bytes:
        return "".join(f"{line}\n" for line in [*self.above, *self.cited, *self.below]).encode()

    @property
    def span(self) -> Span:
        return Span(len(self.above) + 1, len(self.above) + len(self.cited))


@st.composite
def texts(draw: st.DrawFn) -> Cited:
    """A text of lines that are told apart, poor ones among them; the span holds a rich line."""
    poor = st.lists(st.sampled_from(POOR), max_size=2)
    numbers = iter(range(1000))

    def block(least: int) -> list[str]:
        count = draw(st.integers(least, 4))
        return [
            line for _ in range(count) for line in [f"statement number {next(numbers)} here", *draw(poor)]
        ]

    return Cited(block(0), block(1), block(0))


@st.composite
def edited(draw: st.DrawFn, lines: list[str], name: str) -> list[str]:
    """The lines after a few of them were removed, added or swapped."""
    result = list(lines)
    for count in range(draw(st.integers(0, 4))):
        at = draw(st.integers(0, len(result)))
        match draw(st.sampled_from(["add", "add poor", "remove", "swap"])):
            case "add":
                result.insert(at, f"an added line {name} {count}")
            case "add poor":
                result.insert(at, draw(st.sampled_from(POOR)))
            case "remove" if at < len(result):
                del result[at]
            case "swap" if at < len(result):
                result[at], result[0] = result[0], result[at]
    return result


@given(texts(), st.data())
def test_an_edit_outside_the_span_leaves_it_fresh_or_moves_it_exactly(
    before: Cited, draw: st.DataObject
) -> None:
    after = Cited(
        draw.draw(edited(before.above, "above")), before.cited, draw.draw(edited(before.below, "below"))
    )
    verdict = judge(before.data, before.span, after.data)
    if after.span == before.span:
        assert (verdict.verdict, verdict.reason) == (Verdict.FRESH, Reason.SAME_BYTES)
    else:
        assume(not another_stands_between_equal_neighbours(before, after))
        assert (verdict.verdict, verdict.new) == (Verdict.MOVED, Place(PATH, after.span))


def test_one_other_line_between_equal_neighbours_counts_as_the_edited_original() -> None:
    """Design 4, *vacated*: nothing tells this shuffle from an edited line and a pasted copy."""
    line = [f"statement number {number} here" for number in range(5)]
    before = Cited([line[0], "}"], [line[1]], [line[2], line[3], "}"])
    after = Cited(["an added line", "}", line[0]], [line[1]], [line[3], "}", line[4], line[2]])
    assert another_stands_between_equal_neighbours(before, after)
    verdict = judge(before.data, before.span, after.data)
    assert (verdict.verdict, verdict.reason) == (Verdict.STALE, Reason.TEXT_CHANGED)


def another_stands_between_equal_neighbours(before: Cited, after: Cited) -> bool:
    """Whether edits put one other line where, by its neighbours, a one-line span was cited."""
    above, below = ([line for line in part if line.strip()] for part in (before.above, before.below))
    around = (above[-1] if above else EDGE, below[0] if below else EDGE)
    solid = [row for row in [*after.above, *after.cited, *after.below] if row.strip()]
    rows = [EDGE, *solid, EDGE]
    return len(before.cited) == 1 and any(
        (rows[at], rows[at + 2]) == around and rows[at + 1] != before.cited[0] for at in range(len(rows) - 2)
    )


@given(texts(), st.data())
def test_a_span_carried_to_another_place_of_the_text_has_moved(before: Cited, draw: st.DataObject) -> None:
    rest = [*before.above, *before.below]
    at = draw.draw(st.integers(0, len(rest)))
    after = Cited(rest[:at], before.cited, rest[at:])
    verdict = judge(before.data, before.span, after.data)
    if after.span == before.span:
        assert verdict.verdict is Verdict.FRESH
    else:
        assert (verdict.verdict, verdict.new) == (Verdict.MOVED, Place(PATH, after.span))


@given(texts(), st.data())
def test_an_edit_inside_the_span_is_never_fresh_and_never_moved(before: Cited, draw: st.DataObject) -> None:
    changed = draw.draw(edited(before.cited, "inside"))
    after = Cited(draw.draw(edited(before.above, "above")), changed, draw.draw(edited(before.below, "below")))
    assume(not Lines(after.data).find_whole_lines("\n".join(before.cited).encode()))
    verdict = judge(before.data, before.span, after.data)
    assert verdict.verdict is Verdict.STALE
    assert verdict.new is None


@given(texts(), st.data())
def test_d13_a_copy_elsewhere_and_an_edit_in_place_is_stale_with_the_copy_named(
    before: Cited, draw: st.DataObject
) -> None:
    rich = [index for index, line in enumerate(before.cited) if line.startswith("statement")]
    assume(len(rich) > 1)
    changed = list(before.cited)
    changed[draw.draw(st.sampled_from(rich))] += " changed"
    between = ["another line in between 1", "another line in between 2"]
    below = [*before.below, between[0], *before.cited, between[1]]
    after = Cited(before.above, changed, below)
    verdict = judge(before.data, before.span, after.data)
    assert (verdict.verdict, verdict.reason) == (Verdict.STALE, Reason.TEXT_CHANGED)
    copy = len(before.above) + len(changed) + len(before.below) + 2
    assert verdict.candidates == (Place(PATH, Span(copy, copy + len(before.cited) - 1)),)


@given(st.lists(st.sampled_from(["a", "a a", "}", ""]), min_size=1, max_size=8), st.data())
def test_a_verdict_names_only_lines_that_are_there(lines: list[str], draw: st.DataObject) -> None:
    before, after = "\n".join([*lines, "z"]).encode(), "\n".join(draw.draw(st.permutations(lines))).encode()
    start = draw.draw(st.integers(1, len(lines)))
    span = Span(start, draw.draw(st.integers(start, len(lines))))
    verdict = judge(before, span, after)
    text, cited = Lines(after), Lines(before).span_bytes(span)
    for place in (*verdict.candidates, *([verdict.new] if verdict.new else [])):
        assert text.span_bytes(place.span) == cited
    if verdict.nearest:
        assert text.holds(verdict.nearest.span)


HEX = st.text("0123456789abcdef", min_size=64, max_size=64)
NEIGHBOURS = st.none() | st.builds(Neighbour, HEX | st.text(max_size=9), st.none() | st.binary(max_size=9))
BASELINES = st.builds(
    Baseline,
    sha256=HEX,
    lf_sha256=HEX,
    byte_length=st.integers(-1, 40),
    copies=st.integers(0, 5),
    copy_index=st.integers(-3, 9),
    before=NEIGHBOURS,
    after=NEIGHBOURS,
    line_digests=st.binary(max_size=20) | st.just(bytes(12)),
    conflict_markers=st.booleans(),
    excerpt=st.none() | st.binary(max_size=20) | st.sampled_from([b"", b"a", b"a\n", b"\r", b"a\n\na"]),
)
SPANS = st.builds(Span, st.integers(-3, 12), st.integers(-3, 12))
BYTES = st.binary(max_size=60) | st.lists(st.sampled_from([b"\n", b"\r\n", b"\r", b"a", b" ", b"\xff"])).map(
    b"".join
)


@given(BYTES, SPANS, BASELINES, st.none() | SPANS)
def test_any_bytes_against_any_baseline_give_an_answer(
    data: bytes, recorded: Span, baseline: Baseline, carried: Span | None
) -> None:
    lines = Lines(data)
    sight(lines, recorded, baseline, carried=carried)
    sight_file(lines, baseline)


@given(BYTES, BYTES, st.data())
def test_any_bytes_against_any_other_give_an_answer(before: bytes, after: bytes, draw: st.DataObject) -> None:
    lines = Lines(before)
    assume(lines.count)
    start = draw.draw(st.integers(1, lines.count))
    judge(before, Span(start, draw.draw(st.integers(start, lines.count))), after)
