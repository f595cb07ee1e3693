"""No text makes a grammar, a symbol or a grade raise (E4, F14, D12)."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from stilltrue.citations.baselines import span_baseline
from stilltrue.citations.cosmetic_rules import RULES
from stilltrue.citations.grading import graded
from stilltrue.citations.languages import LANGUAGES, Language
from stilltrue.citations.lines import Lines
from stilltrue.citations.relocation import sight
from stilltrue.citations.symbols import symbols_in
from stilltrue.model.citation import Span

REAL = b"""<?php // \xc3\xa9
/** said */ #if 0
class A<'a, T> { func f(a: int = `b ${c}`) -> "d\\n" { return a /* e */ + 1 } }
def g(*h): # i
  '''j''' if k else <<~L
  m
L
\tn: [o, {p: "q"}]
\r\n### r\n"""
TEXTS = st.one_of(
    st.binary(max_size=400),
    st.text(max_size=200).map(lambda text: text.encode("utf-8", "surrogatepass")),
    st.tuples(st.integers(0, len(REAL)), st.integers(0, len(REAL))).map(lambda at: REAL[min(at) : max(at)]),
    st.lists(st.sampled_from([*b"(){}[]<>\"'`/*#\\\n\r\0$@:;=-? a"]), max_size=300).map(bytes),
)
HARD = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
EACH = pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.name)


@EACH
@HARD
@given(text=TEXTS)
def test_symbols_of_any_text_are_an_answer(language: Language, text: bytes) -> None:
    lines = Lines(text)
    symbols = symbols_in("a" + language.suffixes[0], lines)
    found = symbols.look_up("A.f")
    assert all(lines.holds(span) for span in found.spans)
    assert len(found.names) == len(found.spans)
    symbols.near("A.f")
    if lines.count:
        assert isinstance(symbols.enclosing(Span(1, 1)), str | None)


@EACH
@HARD
@given(before=TEXTS, after=TEXTS, data=st.data())
def test_a_grade_of_any_change_is_an_answer(
    language: Language, before: bytes, after: bytes, data: st.DataObject
) -> None:
    old, new = Lines(before or b"a"), Lines(after)
    assume(old.count)  # a byte-order mark alone holds no line
    first = data.draw(st.integers(1, old.count))
    span = Span(first, data.draw(st.integers(first, old.count)))
    baseline = span_baseline(old, span, encoding="utf-8", with_excerpt=True)
    seen = graded(sight(new, span, baseline), "a" + language.suffixes[0], new, baseline, span)
    assert seen.cosmetic is None or (language.name in RULES and seen.nearest is not None)
