from __future__ import annotations

import pytest
from sqlalchemy import insert, select
from sqlalchemy.dialects import sqlite

from stilltrue.errors import ConflictError, InputError, NotFoundError
from stilltrue.model.citation import CitationKind, Place, Span
from stilltrue.model.time import AsOf
from stilltrue.model.verdict import CitationVerdict, Grade, Reason, Verdict
from stilltrue.store import citations, privacy, receipts, repositories, verdicts
from stilltrue.store import cited as questions
from stilltrue.store.engine import Store
from stilltrue.store.schema import generation_texts, memories
from stilltrue.store.schema import verdicts as verdict_table
from store.writing import Writer, cited


def test_a_citation_comes_back_as_it_was_read(writer: Writer, store: Store) -> None:
    draft = cited(symbol="A.b", commit="f" * 40)
    memory = writer.remember("a", draft)
    (citation,) = writer.citations(memory)
    assert (citation.baseline, citation.span, citation.symbol) == (draft.baseline, draft.span, "A.b")
    assert (citation.id, citation.memory, citation.generation) == ("c1", memory.uid, 1)
    with store.reading() as conn:
        assert citations.get_citation(conn, citation.uid) == citation
        assert citations.resolve_citation(conn, "c1") == citation
        assert citations.resolve_citation(conn, citation.uid[:-3]) == citation
        with pytest.raises(NotFoundError):
            citations.resolve_citation(conn, "c2")


def test_a_commit_without_path_can_be_cited(writer: Writer) -> None:
    draft = cited(kind=CitationKind.COMMIT, path=None, span=None, baseline=None, commit="f" * 40)
    (citation,) = writer.citations(writer.remember("a", draft))
    assert (citation.path, citation.span, citation.baseline) == (None, None, None)


def test_k14_generations_are_appended_and_the_first_stays(writer: Writer, store: Store) -> None:
    first = writer.citations(writer.remember("a", cited()))[0]
    second = writer.reverify(first, cited(start=9, end=9))
    assert (second.generation, second.number, second.span) == (2, first.number, Span(9, 9))
    with store.reading() as conn:
        assert citations.generations_of(conn, first.uid) == [first, second]
        assert citations.citations_of(conn, [first.memory])[first.memory] == [second]
        known = citations.citations_of(conn, [first.memory], known=first.recorded_at)
    assert known[first.memory] == [first]


def test_f30_a_citation_that_moved_on_is_left_alone(writer: Writer) -> None:
    first = writer.citations(writer.remember("a", cited()))[0]
    second = writer.reverify(first, cited(start=9, end=9))
    with pytest.raises(ConflictError):
        writer.reverify(first, cited(start=4, end=4))
    writer.undo()
    with pytest.raises(ConflictError):
        writer.reverify(second, cited(start=4, end=4))
    assert writer.reverify(first, cited(start=4, end=4)).generation == 3


def test_live_citations_come_by_place_and_without_ended_memories(writer: Writer, store: Store) -> None:
    last = writer.remember("a", cited("src/b.py", 1, 1), cited("src/a.py", 20, 21))
    first = writer.remember("b", cited("src/a.py", 3, 4))
    gone = writer.remember("c", cited("src/a.py", 1, 1))
    writer.retract(gone)
    with store.reading() as conn:
        at = store.present(conn)
        found = questions.live_citations(conn, last.repository, at)
        some = questions.live_citations(conn, last.repository, at, ["src/b.py", "src/none.py"])
        before = questions.live_citations(conn, last.repository, AsOf(known=gone.tx_at, valid=gone.tx_at))
        paths = questions.cited_paths(conn, last.repository, at)
    assert [(memory.id, citation.path) for memory, citation in found] == [
        (first.id, "src/a.py"),
        (last.id, "src/a.py"),
        (last.id, "src/b.py"),
    ]
    assert [citation.path for _, citation in some] == ["src/b.py"]
    assert len(before) == 4
    assert paths == {"src/a.py": 2, "src/b.py": 1}


@pytest.mark.parametrize(
    ("statement", "index"),
    [(questions.live_statement, "present_by_place")],
)
def test_a15_partial_indexes_serve_the_work_lists(
    writer: Writer, store: Store, statement: object, index: str
) -> None:
    memory = writer.remember("a", cited(commit="f" * 40))
    assert callable(statement)
    with store.reading() as conn:
        asked = statement(memory.repository, store.present(conn))
        text = str(asked.compile(dialect=sqlite.dialect(), compile_kwargs={"literal_binds": True}))
        plan = [row[3] for row in conn.exec_driver_sql("EXPLAIN QUERY PLAN " + text)]
    assert any(index in step for step in plan), plan


def test_a14_verdicts_come_back_and_the_view_mirrors_the_pin(writer: Writer, store: Store) -> None:
    memory = writer.remember("a", cited(commit="f" * 40))
    (citation,) = writer.citations(memory)
    moved = CitationVerdict(
        verdict=Verdict.STALE,
        reason=Reason.TEXT_CHANGED,
        grade=Grade.CONTENT,
        new=Place("src/z.py", Span(2, 4)),
    )
    with store.writing() as conn:
        now = store.now(conn)
        checkout = repositories.ensure_checkout(conn, memory.repository, "box", "/srv/app", now)
        assert repositories.ensure_checkout(conn, memory.repository, "box", "/srv/app", now) == checkout
        row = verdicts.VerdictRow(
            citation=citation.uid,
            generation=1,
            verdict=moved,
            checked_at=now,
            commit_state="stale",
            checked_head="e" * 40,
        )
        for _ in range(2):
            verdicts.write_verdicts(conn, checkout, [row])
    writer.reverify(citation, cited("elsewhere.py", commit="1" * 40))
    with store.reading() as conn:
        assert verdicts.verdicts_of(conn, checkout, [citation.uid]) == {citation.uid: row}
        source = verdicts.sources_of(conn, [memory.uid])[memory.uid]
    assert (source.source_commit, source.source_path) == ("f" * 40, "src/a.py")
    assert (source.freshness, source.checked_at, source.checked_head) == ("stale", now, "e" * 40)


def test_a14_the_database_refuses_another_freshness(writer: Writer, store: Store) -> None:
    memory = writer.remember("a", cited())
    with store.writing() as conn:
        now = store.now(conn)
        checkout = repositories.ensure_checkout(conn, memory.repository, "box", "/", now)
    facts = {"citation": 1, "generation": 1, "verdict": "fresh", "reason": "same-bytes", "checked_at": now}
    with pytest.raises(InputError, match="CHECK"), store.writing() as conn:
        conn.execute(insert(verdict_table).values(checkout=checkout, commit_state="fresh", **facts))


def test_k12_the_file_cache_leaves_the_revision_and_can_be_dropped(writer: Writer, store: Store) -> None:
    repository = writer.repository()
    revision = store.store_revision()
    row = verdicts.FileCacheRow(path="a.py", stamp="1:2", store_revision=revision, summary="fresh")
    with store.writing() as conn:
        checkout = repositories.ensure_checkout(conn, repository, "box", "/", store.now(conn))
        for _ in range(2):
            verdicts.write_file_cache(conn, checkout, [row])
        assert verdicts.read_file_cache(conn, checkout) == {"a.py": row}
        assert verdicts.read_file_cache(conn, checkout, ["b.py"]) == {}
        verdicts.drop_file_cache(conn, checkout)
        assert verdicts.read_file_cache(conn, checkout) == {}
    assert store.store_revision() == revision


def test_b28_a_key_answers_again_and_refuses_another_payload(writer: Writer, store: Store) -> None:
    repository = writer.repository()
    with store.writing() as conn:
        assert receipts.replay(conn, "ada", "k", "digest") is None
        receipts.store_receipt(conn, "ada", "k", "digest", "{}", now=store.now(conn), repository=repository)
        receipts.store_receipt(conn, "bob", "k", "other", "[]", now=store.now(conn))
    with store.reading() as conn:
        assert receipts.replay(conn, "ada", "k", "digest") == "{}"
        assert receipts.replay(conn, "bob", "k", "other") == "[]"
        with pytest.raises(ConflictError) as caught:
            receipts.replay(conn, "ada", "k", "other")
    assert caught.value.code == "idempotency_conflict"


def test_b28_a_receipt_goes_with_its_mutation(writer: Writer, store: Store) -> None:
    writer.repository()
    with pytest.raises(InputError), store.writing() as conn:  # noqa: PT012 - both in one transaction
        receipts.store_receipt(conn, "ada", "k", "digest", "{}", now=store.now(conn))
        raise InputError("refused later")
    with store.reading() as conn:
        assert receipts.replay(conn, "ada", "k", "digest") is None


def test_redacting_blanks_every_word_and_keeps_the_tombstone(writer: Writer, store: Store) -> None:
    memory = writer.remember("the PASSWORD is hunter2", cited(), subject="hunter2")
    writer.reverify(writer.citations(memory)[0], cited())
    with store.writing() as conn:
        blanked = privacy.redact_memory(conn, memory)
        texts = conn.execute(select(generation_texts)).all()
    store.scrub()
    assert (blanked.text, blanked.subject, blanked.redacted, blanked.uid) == ("", "", True, memory.uid)
    assert [tuple(row[2:]) for row in texts] == [(None,) * 7] * 2
    (citation,) = writer.citations(memory)
    assert citation.baseline is not None
    assert (citation.baseline.excerpt, citation.baseline.sha256) == (None, "a" * 64)
    everything = b"".join(file.read_bytes() for file in store.location.path.parent.iterdir())
    assert b"hunter2" not in everything
    assert b"secret = 1" not in everything


def test_purging_deletes_one_repository_only(store: Store) -> None:
    one, other = Writer(store, place="/one"), Writer(store, place="/other")
    doomed = one.remember("a", cited())
    one.supersede(doomed)
    kept = other.remember("b", cited())
    with store.writing() as conn:
        now = store.now(conn)
        repositories.ensure_checkout(conn, doomed.repository, "box", "/one", now)
        receipts.store_receipt(conn, "ada", "k", "d", "{}", now=now, repository=doomed.repository)
        counts = privacy.purge_repository(conn, doomed.repository)
    assert (counts["memories"], counts["citations"], counts["receipts"], counts["repositories"]) == (
        2,
        1,
        1,
        1,
    )
    assert other.visible() == [kept.id]
    with store.reading() as conn:
        assert [row.uid for row in conn.execute(select(memories.c.uid))] == [kept.uid]
        assert [found.uid for found in repositories.list_repositories(conn)] == [kept.repository]


def test_a_repository_is_found_by_its_places_and_offered_by_its_root(store: Store) -> None:
    keys = [("git-dir", "/a/.git"), ("path", "/a"), ("root-commit", "r1")]
    with store.writing() as conn:
        now = store.now(conn)
        uid = repositories.ensure_repository(conn, keys, "a", now)
        assert repositories.ensure_repository(conn, [*keys, ("root-commit", "r2")], "a", now) == uid
        assert repositories.find_repository(conn, [("path", "/a")]) == uid
        assert repositories.find_repository(conn, [("root-commit", "r1")]) is None
        assert [one.uid for one in repositories.offer_repository(conn, [("root-commit", "r2")])] == [uid]
        fork = repositories.ensure_repository(conn, [("path", "/b"), ("root-commit", "r1")], "b", now)
        assert fork != uid
        repositories.link_repository(conn, uid, [("path", "/c")], now)
        assert repositories.find_repository(conn, [("path", "/c")]) == uid
        with pytest.raises(ConflictError):
            repositories.link_repository(conn, uid, [("path", "/b")], now)
        with pytest.raises(NotFoundError):
            repositories.link_repository(conn, "none", [("path", "/d")], now)
        repositories.keep_excerpts(conn, uid, keep=False)
        assert not repositories.get_repository(conn, uid).excerpts
