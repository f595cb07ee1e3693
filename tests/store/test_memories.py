from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import func, insert, select, update

from stilltrue.errors import InputError, NotFoundError
from stilltrue.model.memory import Memory, MemoryDraft
from stilltrue.model.time import AsOf, Instant, instant_from_unix_ms, unix_ms
from stilltrue.store import memories, repositories, verdicts
from stilltrue.store.engine import Store
from stilltrue.store.ids import uuid7
from stilltrue.store.rows import MEMORY_COLUMNS
from stilltrue.store.schema import generations
from stilltrue.store.schema import memories as table
from store.writing import Writer, cited
from support.clock import FakeClock

BAD = [
    {"text": " \t\n"},
    {"subject": ""},
    {"confidence": 1.01},
    {"confidence": -0.1},
    {"confidence": float("nan")},
    {"importance": 0},
    {"importance": 11},
    {"importance": 5.5},
]


def count(store: Store) -> int:
    with store.reading() as conn:
        return int(conn.execute(select(func.count()).select_from(table)).scalar_one())


@pytest.mark.parametrize("bad", [*BAD, {"text": "\ud800"}, {"valid_to": "2020-01-01T00:00:00.000Z"}])
def test_a1_a_bad_draft_is_refused_and_leaves_no_row(
    writer: Writer, store: Store, bad: dict[str, Any]
) -> None:
    with pytest.raises(InputError):
        writer.remember(**{"text": "fine", **bad})
    assert count(store) == 0


@pytest.mark.parametrize(
    "bad", [*BAD[1:], {"text": "  "}, {"kind": "hunch"}, {"trust": "blind"}, {"tx_at": "2026-06-01"}]
)
def test_a1_the_database_itself_refuses_a_bad_row(writer: Writer, store: Store, bad: dict[str, Any]) -> None:
    memory = writer.remember()
    with store.reading() as conn:
        row = dict(conn.execute(select(*MEMORY_COLUMNS)).mappings().one())
    with pytest.raises(InputError), store.writing() as conn:
        conn.execute(insert(table).values({**row, "number": 2, "uid": memory.uid[:-1] + "x", **bad}))
    assert count(store) == 1


def test_a1_defaults(writer: Writer) -> None:
    memory = writer.remember()
    assert (memory.predicate, memory.confidence, memory.importance, memory.kind) == ("", 1.0, 5, "semantic")
    assert (memory.id, memory.chain, memory.valid_from) == ("m1", memory.uid, memory.tx_at)


def test_a2_what_comes_back_is_what_was_told(writer: Writer, store: Store) -> None:
    since = Instant("2026-01-01T00:00:00.000Z")
    until = Instant("2027-01-01T00:00:00.000Z")
    told = {
        "valid_from": since,
        "valid_to": until,
        "expires_at": until,
        "source_ref": "PR 7",
        "predicate": "is",
    }
    memory = writer.remember("ünï\x00code", **told)
    with store.reading() as conn:
        assert memories.get_memory(conn, memory.uid) == memory
    assert {name: getattr(memory, name) for name in told} == told
    assert memory.text == "ünï\x00code"


def test_a4_at_exactly_the_boundary_the_new_row_holds(writer: Writer) -> None:
    old = writer.remember()
    new = writer.supersede(old)
    before = instant_from_unix_ms(unix_ms(new.valid_from) - 1)
    assert writer.visible(before, before) == [old.id]
    assert writer.visible(new.valid_from, new.valid_from) == [new.id]


def test_a4_a_recorded_end_is_half_open(writer: Writer) -> None:
    end = Instant("2027-01-01T00:00:00.000Z")
    memory = writer.remember(valid_to=end)
    assert writer.visible(valid="2026-12-31T23:59:59.999Z") == [memory.id]
    assert writer.visible(valid=end) == []


def test_a4_the_axes_are_independent(writer: Writer) -> None:
    old = writer.remember(valid_from="2026-01-01T00:00:00.000Z")
    new = writer.supersede(old, valid_from=Instant("2026-03-01T00:00:00.000Z"))
    february, april = "2026-02-01T00:00:00.000Z", "2026-04-01T00:00:00.000Z"
    assert writer.visible(valid=february) == [old.id]
    assert writer.visible(valid=april) == [new.id]
    assert writer.visible(known=old.tx_at, valid=april) == [old.id]


def test_a5_verdicts_and_pins_do_not_decide_membership(writer: Writer, store: Store) -> None:
    writer.remember("a", cited(commit="f" * 40))
    writer.remember("b")
    before = writer.visible()
    with store.writing() as conn:
        conn.execute(update(generations).values(commit_sha="0" * 40))
    assert writer.visible() == before


def test_a6_five_rows_in_one_millisecond_are_all_visible_to_a_slow_clock(
    writer: Writer, store: Store, clock: FakeClock
) -> None:
    for number in range(5):
        clock.set(Instant("2026-06-01T09:00:00.000Z"))
        writer.remember(f"m{number}")
    clock.set(Instant("2026-06-01T08:59:59.990Z"))
    assert len(writer.visible()) == 5
    newest = store.newest_tx_at()
    assert newest is not None
    assert newest >= "2026-06-01T09:00:00.004Z"


def test_a6_dates_of_writes_strictly_increase(writer: Writer, clock: FakeClock) -> None:
    dates = []
    for _ in range(4):
        clock.advance(-5)
        dates.append(writer.remember().tx_at)
    assert dates == sorted(set(dates))


@pytest.mark.parametrize("written", ["m1", "M1", "1", " m1 "])
def test_a_memory_is_found_by_its_number(writer: Writer, store: Store, written: str) -> None:
    memory = writer.remember()
    with store.reading() as conn:
        assert memories.resolve_memory(conn, written, memory.repository) == memory


def test_a_memory_is_found_by_a_unique_beginning_of_its_uid(writer: Writer, store: Store) -> None:
    memory, _ = writer.remember(), writer.remember()
    with store.reading() as conn:
        assert memories.resolve_memory(conn, memory.uid, None) == memory
        assert memories.resolve_memory(conn, memory.uid[:-8], None) == memory
        with pytest.raises(InputError):
            memories.resolve_memory(conn, memory.uid[:8], None)


@pytest.mark.parametrize(
    "written", ["m2", "0", "", "m", "99999999999999999999999", "01234567", "1%", "' OR 1"]
)
def test_an_unknown_memory_is_not_found(writer: Writer, store: Store, written: str) -> None:
    writer.remember()
    with store.reading() as conn, pytest.raises(NotFoundError) as caught:
        memories.resolve_memory(conn, written, None)
    assert caught.value.hint


def test_a_memory_of_another_repository_is_not_found(writer: Writer, store: Store) -> None:
    writer.remember()
    with store.reading() as conn, pytest.raises(NotFoundError):
        memories.resolve_memory(conn, "m1", "another")


def test_paging_walks_over_everything_once(writer: Writer, store: Store) -> None:
    made = [writer.remember(f"t{number}") for number in range(7)]
    seen: list[Memory] = []
    with store.reading() as conn:
        at = store.present(conn)
        while page := memories.live_memories(
            conn, made[0].repository, at, after=seen[-1].number if seen else 0, limit=3
        ):
            seen += page
    assert seen == made


def test_many_memories_are_recorded_at_once_or_not_at_all(writer: Writer, store: Store) -> None:
    repository = writer.repository()
    new = [
        memories.NewMemory(
            uid=uuid7(number, bytes(10)),
            draft=MemoryDraft(text=f"t{number}", subject="s"),
            tx_at=Instant("2026-06-01T08:00:00.000Z"),
        )
        for number in range(1200)
    ]
    with store.writing() as conn:
        made = memories.insert_memories(conn, new, repository=repository)
    assert [memory.text for memory in made] == [f"t{number}" for number in range(1200)]
    bad = memories.NewMemory(
        uid=uuid7(5000, bytes(10)), draft=MemoryDraft(text="", subject="s"), tx_at=new[0].tx_at
    )
    good = memories.NewMemory(uid=uuid7(5001, bytes(10)), draft=new[0].draft, tx_at=new[0].tx_at)
    with pytest.raises(InputError), store.writing() as conn:
        memories.insert_memories(conn, [good, bad], repository=repository)
    assert count(store) == 1200


def test_uuid7_sorts_by_time_and_carries_its_version() -> None:
    early, late = uuid7(1, bytes([255] * 10)), uuid7(2, bytes(10))
    assert early < late
    assert early == "00000000-0001-7fff-bfff-ffffffffffff"
    with pytest.raises(ValueError, match="ten"):
        uuid7(1, b"")


def test_a17_a_memory_never_checked_has_nothing_in_the_five_columns(writer: Writer, store: Store) -> None:
    memory = writer.remember()
    with store.reading() as conn:
        source = verdicts.sources_of(conn, [memory.uid])[memory.uid]
    assert (source.source_commit, source.source_path, source.freshness) == (None, None, None)
    assert (source.checked_at, source.checked_head) == (None, None)


def test_two_repositories_do_not_mix(store: Store) -> None:
    one, other = Writer(store, place="/one"), Writer(store, place="/other")
    first, second = one.remember("a"), other.remember("b")
    with store.reading() as conn:
        at: AsOf = store.present(conn)
        assert memories.live_memories(conn, first.repository, at) == [first]
        assert memories.live_memories(conn, second.repository, at) == [second]
        assert [found.uid for found in repositories.offer_repository(conn, [("root-commit", "0" * 40)])] == [
            first.repository,
            second.repository,
        ]
