from __future__ import annotations

import pytest

from stilltrue.errors import ConflictError, InputError, NotFoundError
from stilltrue.model.memory import Closing, ClosingKind, Memory, MemoryKind
from stilltrue.model.time import Instant
from stilltrue.store import history, lineage, memories, overview, succession, verdicts
from stilltrue.store.engine import Store
from stilltrue.store.schema import HEAD
from store.writing import Writer, cited

MAY = Instant("2026-05-01T00:00:00.000Z")
APRIL = Instant("2026-04-01T00:00:00.000Z")


def head(store: Store, memory: Memory) -> Memory:
    with store.reading() as conn:
        return lineage.chain_head(conn, memory)


def test_a7_the_old_one_ends_where_the_new_one_begins(writer: Writer, store: Store) -> None:
    old = writer.remember(kind=MemoryKind.EPISODIC, predicate="is")
    new = writer.supersede(old, "changed")
    assert (new.subject, new.predicate) == (old.subject, "is")
    assert (new.chain, new.supersedes, new.confidence) == (old.uid, old.uid, 1.0)
    with store.reading() as conn:
        (closing,) = lineage.closings_of(conn, [old.uid])[old.uid]
        assert closing.valid_at == new.valid_from
        assert memories.get_memory(conn, old.uid) == old
        source = verdicts.sources_of(conn, [old.uid])[old.uid]
    assert (source.valid_to, source.superseded_by) == (new.valid_from, new.uid)


def test_a7_a_missing_memory_is_not_found(store: Store) -> None:
    with store.reading() as conn, pytest.raises(NotFoundError):
        memories.get_memory(conn, "0" * 36)


def test_a7_a_superseded_memory_names_its_head(writer: Writer) -> None:
    old = writer.remember()
    newest = writer.supersede(writer.supersede(old), "the newest text")
    with pytest.raises(InputError) as caught:
        writer.supersede(old)
    assert newest.id in caught.value.message
    assert "the newest text" in caught.value.message


def test_a7_a_retracted_memory_is_not_superseded(writer: Writer) -> None:
    old = writer.remember()
    writer.retract(old)
    with pytest.raises(InputError):
        writer.supersede(old)


def test_a7_a_beginning_in_the_future_is_refused(writer: Writer, store: Store) -> None:
    old = writer.remember()
    with pytest.raises(InputError):
        writer.supersede(old, valid_from=Instant("2099-01-01T00:00:00.000Z"))
    assert head(store, old) == old


def test_a7_backdating_below_a_row_that_was_backdated_is_refused(writer: Writer) -> None:
    old = writer.remember(valid_from=MAY)
    with pytest.raises(InputError):
        writer.supersede(old, valid_from=APRIL)
    assert writer.supersede(old, valid_from=MAY).valid_from == MAY


def test_a7_backdating_below_a_row_that_was_not_is_allowed(writer: Writer) -> None:
    old = writer.remember()
    new = writer.supersede(old, valid_from=APRIL)
    assert writer.visible(valid=MAY) == [new.id]
    assert writer.visible(known=old.tx_at, valid=old.tx_at) == [old.id]


def test_a7_an_act_that_fails_leaves_nothing(writer: Writer, store: Store) -> None:
    old = writer.remember()
    revision = store.store_revision()
    with pytest.raises(InputError):
        writer.supersede(old, " ")
    assert store.store_revision() == revision
    assert writer.visible() == [old.id]


def test_a8_forgetting_twice_keeps_the_first_date(writer: Writer, store: Store) -> None:
    memory = writer.remember()
    assert writer.retract(memory)
    with store.reading() as conn:
        first = succession.retracted_at(conn, [memory.uid])
    assert not writer.retract(memory)
    with store.reading() as conn:
        assert succession.retracted_at(conn, [memory.uid]) == first
        assert memories.get_memory(conn, memory.uid).valid_to is None
    assert writer.visible() == []
    assert writer.visible(known=memory.tx_at) == [memory.id]


def test_a8_forgetting_by_reference(writer: Writer, store: Store) -> None:
    made = [writer.remember(source_ref="PR 7") for _ in range(3)]
    writer.remember(source_ref="PR 77")
    repository = made[0].repository
    counts = []
    for _ in range(2):
        with store.writing() as conn:
            now = store.now(conn)
            counts.append(len(succession.retract_by_ref(conn, repository, "PR 7", now=now, actor="ada")))
    assert counts == [3, 0]
    assert writer.visible() == ["m4"]
    with store.writing() as conn, pytest.raises(InputError):
        succession.retract_by_ref(conn, repository, " ", now=store.now(conn), actor="ada")
    with store.writing() as conn:
        assert succession.retract_by_ref(conn, repository, "none", now=store.now(conn), actor="ada") == []


def test_a9_ancestors_and_descendants_nearest_first(writer: Writer, store: Store) -> None:
    a = writer.remember("a")
    b = writer.supersede(a, "b")
    c = writer.supersede(b, "c")
    with store.reading() as conn:
        assert lineage.ancestors_of(conn, c) == [b, a]
        assert lineage.descendants_of(conn, a) == [b, c]
        assert (lineage.ancestors_of(conn, b), lineage.descendants_of(conn, b)) == ([a], [c])
        assert lineage.chain_of(conn, b) == [a, b, c]
        assert lineage.live_successors(conn, a) == [c]


def test_a9_diff_and_stats(writer: Writer, store: Store) -> None:
    old = writer.remember("old")
    gone = writer.remember("gone", subject="other")
    since = gone.tx_at
    learned = writer.remember("learned")
    new = writer.supersede(old)
    writer.retract(gone)
    with store.reading() as conn:
        at = store.present(conn)
        changes = overview.changes_since(conn, old.repository, since, at.known)
        numbers = overview.stats(conn, old.repository, at)
    assert changes.learned == (learned,)
    assert changes.revised == ((old, new),)
    assert changes.retracted == (gone,)
    assert (numbers.total, numbers.current, numbers.subjects) == (4, 2, (("app", 2),))
    assert numbers.schema == HEAD


def test_two_live_successors_are_a_fork(writer: Writer, store: Store) -> None:
    """A merge of two branches brings a second successor of one memory."""
    old = writer.remember()
    ours, theirs = writer.supersede(old), writer.remember("theirs")
    with store.writing() as conn:
        end = Closing(
            memory=old.uid,
            kind=ClosingKind.SUPERSEDED,
            at=theirs.tx_at,
            valid_at=theirs.valid_from,
            actor="bob",
            successor=theirs.uid,
        )
        succession.close_memory(conn, end)
    with store.reading() as conn:
        assert lineage.live_successors(conn, old) == [ours, theirs]
    assert head(store, old) == theirs


def test_undo_walks_back_act_by_act(writer: Writer) -> None:
    a = writer.remember("a", cited())
    (citation,) = writer.citations(a)
    writer.reverify(citation, cited(start=5, end=6))
    b = writer.supersede(a)
    writer.retract(b)
    assert writer.visible() == []
    writer.undo()
    assert writer.visible() == [b.id]
    writer.undo()
    assert writer.visible() == [a.id]
    writer.undo()
    assert writer.citations(a) == [citation]
    writer.undo()
    assert writer.visible() == []
    assert writer.undo() is None
    assert writer.visible(known=a.tx_at, valid=a.tx_at) == [a.id]


def test_between_an_act_and_its_undoing_the_act_stands(writer: Writer, store: Store) -> None:
    """I3: undoing is an event of its own date, and changes no answer about what was known before."""
    memory = writer.remember()
    writer.retract(memory)
    retracted = store.newest_tx_at()
    writer.undo()
    undone = store.newest_tx_at()
    assert writer.visible(known=retracted) == []
    assert writer.visible(known=undone) == [memory.id]


def test_undo_of_what_others_stand_on_names_them(writer: Writer, store: Store) -> None:
    a = writer.remember("a", cited())
    with store.reading() as conn:
        first = history.last_act(conn, a.repository)
    assert first is not None
    writer.reverify(writer.citations(a)[0], cited())
    with pytest.raises(ConflictError, match="c1 was re-verified"), store.writing() as conn:
        history.undo_act(conn, first, now=store.now(conn), actor="ada")
    b = writer.supersede(a)
    with pytest.raises(ConflictError, match=f"{b.id} supersedes {a.id}"), store.writing() as conn:
        history.undo_act(conn, first, now=store.now(conn), actor="ada")
    assert writer.visible() == [b.id]


def test_undoing_one_act_twice_is_refused(writer: Writer, store: Store) -> None:
    writer.remember()
    act = writer.undo()
    assert act is not None
    with pytest.raises(ConflictError), store.writing() as conn:
        history.undo_act(conn, act, now=store.now(conn), actor="ada")
