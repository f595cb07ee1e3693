"""Candidates and their order, from the store (A4, A6, A10, A11, A48)."""

from __future__ import annotations

import math
import sqlite3
from dataclasses import replace
from itertools import product
from typing import Any

import pytest
from sqlalchemy import select, text

from stilltrue.model.citation import CitationKind
from stilltrue.model.memory import Memory, MemoryKind
from stilltrue.model.time import AsOf, Instant, unix_ms
from stilltrue.recall.ranking import NUMBERS, SourceWeights, Terms, factors, reciprocal_rank
from stilltrue.store import citations, connect, indexing, migrate, overview, privacy, search, verdicts
from stilltrue.store.engine import Store, StoreLocation, open_store
from stilltrue.store.repositories import ensure_checkout
from stilltrue.store.schema import memories, memory_access
from stilltrue.store.scoring import kept_source, score_expression
from stilltrue.store.search import Filters
from stilltrue.store.verdicts import VerdictRow
from store.writing import Writer, cited
from support.clock import FakeClock

HOSTILE = [
    '"',
    "foo AND (",
    "%",
    "*",
    "a OR",
    "NEAR(",
    "text:x",
    "^",
    "-",
    "\0",
    "' OR 1=1",
    "a" * 4096,
    "( ) {",
]


def filters(writer: Writer, at: AsOf | None = None, **given: Any) -> Filters:  # noqa: ANN401 - handed on
    repository = writer.repository()
    with writer.store.reading() as conn:
        point = at or writer.store.present(conn)
    return Filters(**{"repository": repository, "at": point, "now": point.valid, **given})


def found(writer: Writer, query: str, enough: int = 8, **given: Any) -> list[int]:  # noqa: ANN401 - handed on
    wanted = filters(writer, **given)
    with writer.store.reading() as conn:
        return search.by_words(conn, wanted, query, enough=enough)


def test_a10_all_words_before_any_word(writer: Writer) -> None:
    writer.remember("the client retries twice")
    writer.remember("the server never retries a client")
    writer.remember("a client is a thing")
    assert found(writer, "server client") == [2, 3, 1] or found(writer, "server client") == [2, 1, 3]
    assert found(writer, "server client", enough=1) == [2]


def test_a10_words_are_found_in_other_forms_and_parts_only_where_no_word_is(writer: Writer) -> None:
    writer.remember("Retries stop after five attempts")
    assert found(writer, "retry attempt") == [1]
    assert found(writer, "ttemp") == [1]
    assert found(writer, "nothing of the kind") == []


@pytest.mark.parametrize("query", HOSTILE)
def test_a10_what_a_person_types_is_no_syntax(writer: Writer, query: str) -> None:
    writer.remember("foo and bar")
    assert found(writer, query) in ([], [1])


def test_a10_a_percent_sign_is_itself(writer: Writer) -> None:
    writer.remember("half of it")
    writer.remember("100 % of it")
    assert found(writer, "%") == [2]


def test_a10_every_stage_keeps_the_filters(writer: Writer) -> None:
    writer.remember("the cache is warm", cited("src/a.py"), subject="cache")
    writer.remember("the cache is cold", cited("lib/b.py"), subject="cache", kind=MemoryKind.EPISODIC)
    writer.remember("the cache is gone", subject="other")
    for query in ("cache is", "cache unheard", "ache i"):
        assert sorted(found(writer, query)) == [1, 2, 3]
        assert sorted(found(writer, query, subject="cache")) == [1, 2]
        assert found(writer, query, kind="episodic") == [2]
        assert found(writer, query, path="src") == found(writer, query, path="src/a.py") == [1]
        assert sorted(found(writer, query, path=".")) == [1, 2]
        assert found(writer, query, path="sr") == []


def test_a4_at_the_boundary_the_old_one_is_out(writer: Writer) -> None:
    old = writer.remember("the answer is 41")
    new = writer.supersede(old, "the answer is 42")
    before = Instant(new.tx_at[:-4] + f"{int(new.tx_at[-4:-1]) - 1:03d}Z")
    assert found(writer, "answer", at=AsOf(known=before, valid=before)) == [1]
    assert found(writer, "answer", at=AsOf(known=new.tx_at, valid=new.tx_at)) == [2]


def test_a4_what_was_retracted_or_has_expired_is_not_found(writer: Writer) -> None:
    gone = writer.remember("the answer is 41")
    writer.remember("the answer is 42", expires_at=Instant("2026-06-01T08:00:01.000Z"))
    writer.retract(gone)
    assert found(writer, "answer") == [2]
    assert found(writer, "answer", now=Instant("2026-06-01T08:00:01.000Z")) == []  # C13, C18


def test_a6_a_reader_whose_clock_is_behind_sees_everything(writer: Writer, clock: FakeClock) -> None:
    for index in range(5):
        writer.remember(f"answer {index}")
    clock.advance(-20)
    assert sorted(found(writer, "answer")) == [1, 2, 3, 4, 5]


def test_another_repository_s_memories_are_not_found(store: Store) -> None:
    Writer(store, place="/srv/other").remember("the answer is 41")
    assert found(Writer(store, place="/srv/app"), "answer") == []


def test_a10_no_list_is_longer_than_the_cap(writer: Writer) -> None:
    for index in range(search.CANDIDATE_CAP + 4):
        writer.remember(f"answer {index}")
    wanted = filters(writer)
    with writer.store.reading() as conn:
        assert len(search.by_words(conn, wanted, "answer", enough=8)) == search.CANDIDATE_CAP
        assert len(search.newest(conn, wanted)) == search.CANDIDATE_CAP
        assert search.newest(conn, wanted)[0] == search.CANDIDATE_CAP + 4


def test_the_index_hands_out_the_best_first_and_nothing_is_sorted(writer: Writer) -> None:
    statement = search.matching_statement(filters(writer))
    with writer.store.reading() as conn:
        compiled = statement.compile(conn.engine)
        values = tuple(compiled.params[name] for name in compiled.positiontup or ())
        plan = conn.exec_driver_sql(f"EXPLAIN QUERY PLAN {compiled}", values).all()
    told = [row[3] for row in plan]
    assert told[0].startswith("SCAN memory_search VIRTUAL TABLE")
    assert told[1] == "SEARCH memories USING INTEGER PRIMARY KEY (rowid=?)"
    assert not any("TEMP B-TREE" in row for row in told)


def test_locality_names_first_then_the_file_then_its_folder(writer: Writer) -> None:
    writer.remember("in the folder", cited("src/b.py"))
    writer.remember("in the file", cited("src/a.py"))
    writer.remember("elsewhere", cited("lib/c.py", symbol="Client.send"))
    writer.remember("a name of its own", cited("other/send_all.py"))
    wanted = filters(writer)
    with writer.store.reading() as conn:
        assert search.near(conn, wanted, "src/a.py", ["Client.send"]) == [3, 2, 1]
        assert search.near(conn, wanted, None, ["send_all.py"]) == [4]
        assert search.near(conn, wanted, None, []) == []


def words_in(location: StoreLocation) -> bytes:
    return b"".join(file.read_bytes() for file in location.path.parent.iterdir())


def test_redacted_words_are_found_no_more_and_leave_the_file(writer: Writer, location: StoreLocation) -> None:
    writer.remember("quicksilver runs")
    secret = writer.remember("zanzibar is the word")
    assert found(writer, "zanzibar") == [2]
    with writer.store.writing() as conn:
        privacy.redact_memory(conn, secret)
    writer.store.scrub()
    assert found(writer, "zanzibar") == []
    assert found(writer, "quicksilver") == [1]
    assert b"zanzibar" not in words_in(location)


def test_purged_words_leave_the_file(writer: Writer, location: StoreLocation) -> None:
    writer.remember("zanzibar is the word")
    repository = writer.repository()
    with writer.store.writing() as conn:
        privacy.purge_repository(conn, repository)
    writer.store.scrub()
    assert b"zanzibar" not in words_in(location)
    with writer.store.reading() as conn:
        conn.exec_driver_sql("SELECT count(*) FROM memory_search WHERE memory_search MATCH 'word'")


def reopened(location: StoreLocation) -> Store:
    opened = open_store(
        location, clock=FakeClock(Instant("2026-07-01T08:00:00.000Z")), create=True, busy_ms=300
    )
    assert opened is not None
    return opened


def test_a16_memories_from_before_the_index_are_found(
    location: StoreLocation, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A store of revision 0003 is filled by a program that knew no index."""
    connect.make_file(location.path)
    engine = connect.make_engine(location.path, "rw", 300)
    with engine.connect() as conn, connect.begin_with(conn, "BEGIN IMMEDIATE").begin():
        migrate.migrate(conn, target="0003")
    engine.dispose()
    monkeypatch.setattr("stilltrue.store.opening.HEAD", "0003")
    monkeypatch.setattr("stilltrue.store.opening.settle_index", lambda _: None)
    with reopened(location) as store:
        Writer(store).remember("recorded before there was an index")
    monkeypatch.undo()
    with reopened(location) as store:
        assert found(Writer(store), "index recorded") == [1]


def test_without_fts5_parts_of_words_are_found_and_nothing_is_lost(
    location: StoreLocation, monkeypatch: pytest.MonkeyPatch
) -> None:
    with reopened(location) as store:
        Writer(store).remember("known to the index")
    monkeypatch.setattr(indexing, "has_full_text", lambda _: False)
    with reopened(location) as store:
        writer = Writer(store)
        writer.remember("recorded without an index")
        assert found(writer, "index") == [2, 1]
        assert found(writer, "indexed") == []
        with store.reading() as conn:
            assert not search.has_index(conn)
    monkeypatch.undo()
    with reopened(location) as store:
        assert found(Writer(store), "indexing recorded") == [2, 1]


def scores(store: Store, now: Instant, weights: SourceWeights, checkout: int | None) -> dict[int, float]:
    joined = memories.outerjoin(memory_access, memory_access.c.memory == memories.c.number)
    score = score_expression(now, weights, checkout, aged=True)
    with store.reading() as conn:
        statement = select(memories.c.number, score).select_from(joined)
        return {number: value for number, value in conn.execute(statement)}  # noqa: C416 - rows


def judged_as(writer: Writer, number: int, state: str | None) -> int:
    """Keeps what git said of a pin, in one checkout."""
    repository = writer.repository()
    with writer.store.writing() as conn:
        now = writer.store.now(conn)
        checkout = ensure_checkout(conn, repository, "here", "/srv/app", now)
        memory = search.memories_by_number(conn, [number])[number]
        if state is not None:
            (citation,) = citations.citations_of(conn, [memory.uid])[memory.uid]
            row = VerdictRow(
                citation=citation.uid,
                generation=1,
                verdict=None,
                commit_state=state,
                checked_at=now,
                checked_head="f" * 40,
            )
            verdicts.write_verdicts(conn, checkout, [row])
    return checkout


def without_power(raw: sqlite3.Connection) -> None:
    """Leaves a connection as a SQLite without mathematics would: its `pow` fails."""
    raw.create_function("pow", 2, None)
    with pytest.raises(sqlite3.OperationalError):
        raw.execute("SELECT pow(2, 1)").fetchall()


def test_a48_a_missing_power_is_noticed_and_given() -> None:
    raw = sqlite3.connect(":memory:")
    without_power(raw)
    connect.ensure_power(raw)
    assert raw.execute("SELECT pow(0.5, 2), pow(NULL, 1), pow(2, NULL)").fetchone() == (0.25, None, None)
    raw.close()


@pytest.mark.parametrize("lacks_power", [False, True])
def test_a48_rows_and_sql_agree_to_six_decimals(
    location: StoreLocation, clock: FakeClock, monkeypatch: pytest.MonkeyPatch, *, lacks_power: bool
) -> None:
    """Over importance, kind, confidence, verdict, weight, age and rank; once where SQLite has no `pow`."""
    honest = connect.ensure_power

    def ensured(raw: sqlite3.Connection) -> None:
        without_power(raw)
        honest(raw)

    if lacks_power:
        monkeypatch.setattr(connect, "ensure_power", ensured)
    store = open_store(location, clock=clock, create=True, busy_ms=300)
    assert store is not None
    states = [None, "current", "stale", "unresolved"]
    with store:
        writer = Writer(store)
        checkout = 0
        rows: dict[int, tuple[Memory, str | None]] = {}
        for importance, kind, state in product((1, 3, 5, 7, 9, 10), MemoryKind, states):
            confidence = (importance * 7 + len(rows)) % 10 / 9
            pin = cited(None, kind=CitationKind.COMMIT, span=None, commit="a" * 40, baseline=None)
            memory = writer.remember(
                "x", pin, importance=importance, kind=kind, confidence=min(confidence, 1.0)
            )
            checkout = judged_as(writer, memory.number, state)
            rows[memory.number] = (memory, state)
            clock.advance(86_400_000 * 3)
        now = clock.now()
        for weights in (
            SourceWeights(),
            SourceWeights(stale=0.5),
            SourceWeights(stale=0.25, unresolved=0.85),
        ):
            told = scores(store, now, weights, checkout)
            for number, (memory, state) in rows.items():
                terms: Terms[float, str | None] = Terms(
                    base=1.0,
                    confidence=memory.confidence,
                    importance=memory.importance,
                    kind=memory.kind.value,
                    age_days=(unix_ms(now) - unix_ms(memory.tx_at)) / 86_400_000,
                    source=state,
                )
                ours = NUMBERS.product(factors(terms, NUMBERS, weights).in_order())
                assert math.isclose(told[number], ours, rel_tol=0, abs_tol=5e-7)
                for rank in (1, 2, 256):
                    ranked = replace(terms, base=reciprocal_rank(rank))
                    by_us = NUMBERS.product(factors(ranked, NUMBERS, weights).in_order())
                    assert math.isclose(told[number] * reciprocal_rank(rank), by_us, rel_tol=0, abs_tol=5e-7)


def test_a12_of_equal_scores_the_newer_comes_first(writer: Writer) -> None:
    for _ in range(3):
        writer.remember("it holds", importance=5)
    wanted = filters(writer)
    with writer.store.reading() as conn:
        assert search.by_score(conn, wanted, SourceWeights(), None, aged=True) == [3, 2, 1]


def test_a11_being_shown_makes_young_again(writer: Writer, clock: FakeClock) -> None:
    old = writer.remember("it holds")
    clock.advance(86_400_000 * 100)
    writer.remember("it holds, too")
    clock.advance(86_400_000)
    with writer.store.writing() as conn:
        overview.note_access(conn, [old], clock.now())
    wanted = filters(writer)
    with writer.store.reading() as conn:
        assert search.by_score(conn, wanted, SourceWeights(), None, aged=True) == [1, 2]
        assert search.by_score(conn, wanted, SourceWeights(), None, aged=False) == [2, 1]


def test_k1_recorded_bytes_decide_over_a_moved_commit(writer: Writer) -> None:
    """A commit that moved is only information where lines were recorded."""
    writer.remember("with lines", cited(commit="a" * 40))
    checkout = judged_as(writer, 1, "stale")
    with writer.store.reading() as conn:
        kept = conn.execute(select(kept_source(checkout)).select_from(memories)).scalar_one()
        none = conn.execute(select(kept_source(None)).select_from(memories)).scalar_one()
    assert (kept, none) == ("current", None)


def test_the_index_is_kept_by_triggers(store: Store) -> None:
    with store.reading() as conn:
        names = conn.execute(text("SELECT count(*) FROM sqlite_master WHERE type = 'trigger'")).scalar_one()
    assert names == len(indexing.TRIGGERS)
