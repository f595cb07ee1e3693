"""Recall through the service: order, filters, validity, the check of what is returned, what is written."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import event

from stilltrue import embeddings
from stilltrue.embeddings import is_installed, word_vectors
from stilltrue.errors import InputError
from stilltrue.model.memory import Trust
from stilltrue.model.time import Instant, unix_ms
from stilltrue.recall.ranking import SourceWeights
from stilltrue.services.doctor import examine
from stilltrue.services.queries import Query, Source
from stilltrue.services.recall import recall
from stilltrue.services.recalled import Recalled
from stilltrue.services.remember import Remembered, Request, remember
from stilltrue.services.settle import retract, supersede
from stilltrue.services.shown import note_shown
from stilltrue.services.workspace import Workspace
from stilltrue.source.files import WorkingTree
from support.clock import FakeClock
from support.repo import Repo

DAY = 86_400_000

Keep = Callable[..., Remembered]


def ids(answer: Recalled) -> list[str]:
    return [hit.memory.id for hit in answer.hits]


def dump(database: Path) -> list[str]:
    with sqlite3.connect(database) as raw:
        found = list(raw.iterdump())
    raw.close()
    return found


def test_a10_the_default_limit_is_eight(workspace: Workspace, keep: Keep) -> None:
    for index in range(10):
        keep(f"answer {index}")
    answer = recall(workspace, Query(text="answer"))
    assert (len(answer.hits), answer.matched) == (8, 10)
    assert ids(recall(workspace, Query(text="answer", limit=2))) == ids(answer)[:2]
    with pytest.raises(InputError):
        Query(text="answer", limit=0)


def test_a10_a_token_budget_cuts_and_says_so(workspace: Workspace, keep: Keep) -> None:
    for index in range(3):
        keep(f"answer {index} " + "x" * 31)
    whole = recall(workspace, Query(text="answer", max_tokens=30))
    cut = recall(workspace, Query(text="answer", max_tokens=29))
    assert (len(whole.hits), whole.truncated) == (3, False)
    assert (len(cut.hits), cut.truncated) == (2, True)


def test_where_nothing_is_remembered_there_is_no_answer_and_no_store(
    workspace: Workspace, database: Path
) -> None:
    assert recall(workspace, Query(text="x")).hits == ()
    assert not database.exists()


def test_a12_of_equal_scores_the_newer_comes_first(workspace: Workspace, keep: Keep) -> None:
    keep("one"), keep("two"), keep("three")
    assert ids(recall(workspace, Query())) == ["m3", "m2", "m1"]


def test_a13_exactly_what_was_shown_is_refreshed(workspace: Workspace, keep: Keep, database: Path) -> None:
    keep("answer one"), keep("answer two"), keep("question")
    answer = recall(workspace, Query(text="answer", limit=1))
    assert note_shown(workspace, answer)
    with sqlite3.connect(database) as raw:
        assert [row[0] for row in raw.execute("SELECT memory FROM memory_access")] == [
            answer.hits[0].memory.number
        ]
    raw.close()


@pytest.mark.parametrize(
    "query", [Query(as_of=Instant("2027-01-01T00:00:00.000Z")), Query(now_ms=4_000_000_000_000)]
)
def test_a13_c4_a_replay_writes_nothing(
    workspace: Workspace, keep: Keep, database: Path, query: Query
) -> None:
    keep("answer")
    before = dump(database)
    answer = recall(workspace, query)
    assert ids(answer) == ["m1"]
    assert not note_shown(workspace, answer)
    assert dump(database) == before


def with_settings(workspace: Workspace, **options: object) -> None:
    workspace.use(replace(workspace.surroundings, options=options))


@pytest.mark.parametrize(
    ("options", "count"), [({}, 2), ({"reinforce_stale": False}, 1), ({"reinforce": False}, 0)]
)
def test_a55_k22_stale_ones_are_refreshed_unless_switched_off(
    workspace: Workspace, keep: Keep, repo: Repo, database: Path, options: Mapping[str, object], count: int
) -> None:
    keep("answer", "src/client.py:4-6"), keep("answer too", "docs/api.md:1")
    repo.write("src/client.py", "gone\n")
    with_settings(workspace, **options)
    note_shown(workspace, recall(workspace, Query(text="answer")))
    with sqlite3.connect(database) as raw:
        assert raw.execute("SELECT count(*) FROM memory_access").fetchone()[0] == count
    raw.close()


def test_a22_no_process_is_started(
    workspace: Workspace, keep: Keep, repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep("answer", "src/client.py:4-6"), keep("answer too", "docs/api.md:1")
    repo.write("src/client.py", "gone\n")

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a process was started")

    monkeypatch.setattr("subprocess.Popen", refuse)
    monkeypatch.setenv("PATH", "")
    for query in (Query(text="answer"), Query(text="answer", profile="validity"), Query()):
        assert len(recall(workspace, query).hits) == 2


def test_a26_in_the_past_the_verdicts_are_of_today_and_it_says_so(
    workspace: Workspace, keep: Keep, repo: Repo, clock: FakeClock
) -> None:
    made = keep("answer", "src/client.py:4-6").memory.tx_at
    clock.advance(DAY)
    repo.write("src/client.py", "gone\n")
    answer = recall(workspace, Query(text="answer", as_of=made))
    assert answer.hits[0].source is Source.STALE
    assert any("verdicts have no history" in note for note in answer.notes)


def test_a51_the_filter_on_freshness(workspace: Workspace, keep: Keep, repo: Repo) -> None:
    keep("answer one", "src/client.py:4-6"), keep("answer two", "docs/api.md:1"), keep("answer three")
    keep("answer four", "docs/api.md:3")
    repo.write("src/client.py", "gone\n")

    def only(source: str, text: str = "answer", **given: object) -> list[str]:
        return sorted(ids(recall(workspace, Query(text=text, source=source, **given))))  # type: ignore[arg-type]

    assert only("stale") == only("stale", "") == ["m1"]
    assert only("current") == only("current", "") == ["m2", "m4"]
    assert only("unchecked") == ["m3"]
    (repo.root / "docs/api.md").unlink()
    (repo.root / "docs/api.md").mkdir()
    assert only("unresolved") == ["m2", "m4"]
    assert only("unresolved", subject="docs/api.md") == ["m2", "m4"]
    assert only("unresolved", path="src") == []


def test_a51_with_a_filter_the_limit_is_filled_from_further_down(
    workspace: Workspace, keep: Keep, repo: Repo
) -> None:
    keep("answer", "src/client.py:4-6")
    for _ in range(70):
        keep("answer answer", "docs/api.md:1")
    repo.write("src/client.py", "gone\n")
    assert ids(recall(workspace, Query(text="answer", source="stale", limit=1))) == ["m1"]


def test_a46_e20_verdicts_change_no_score_by_default(workspace: Workspace, keep: Keep, repo: Repo) -> None:
    for index in range(3):
        keep(f"answer {index}", "src/client.py:4-6")
    query = Query(text="answer", now_ms=1_800_000_000_000)
    before = [(hit.memory.id, hit.placing.score) for hit in recall(workspace, query).hits]
    repo.write("src/client.py", "gone\n")
    assert [(hit.memory.id, hit.placing.score) for hit in recall(workspace, query).hits] == before


def test_e18_the_working_tree_is_judged_and_a_restore_is_fresh_again(
    workspace: Workspace, keep: Keep, repo: Repo, database: Path
) -> None:
    keep("answer", "src/client.py:4-6")
    before, whole = dump(database), (repo.root / "src/client.py").read_bytes()

    def label() -> str:
        return recall(workspace, Query(text="answer")).hits[0].label

    assert label() == "fresh"
    repo.write("src/client.py", whole.replace(b"range(5)", b"range(7)"))
    assert label() == "stale/content"
    repo.write("src/client.py", whole)
    assert label() == "fresh"
    assert dump(database) == before  # E17


def test_e16_as_many_statements_for_fifty_as_for_one(workspace: Workspace, keep: Keep) -> None:
    for index in range(60):
        keep(f"answer {index}", "src/client.py:4-6")
    counts = []
    engine = workspace.store()._engine
    said: list[str] = []
    event.listen(engine, "before_cursor_execute", lambda _c, _u, statement, *_: said.append(statement))
    for limit in (1, 50):
        said.clear()
        assert len(recall(workspace, Query(text="answer", limit=limit)).hits) == limit
        counts.append(len(said))
    assert counts[0] == counts[1]


def test_d5_each_cited_file_is_read_once(
    workspace: Workspace, keep: Keep, monkeypatch: pytest.MonkeyPatch
) -> None:
    for index in range(5):
        keep(f"answer {index}", "src/client.py:4-6", "docs/api.md:1")
    read: list[str] = []
    honest = WorkingTree.read

    def counted(tree: WorkingTree, path: str) -> object:
        read.append(path)
        return honest(tree, path)

    monkeypatch.setattr(WorkingTree, "read", counted)
    recall(workspace, Query(text="answer"))
    assert sorted(read) == ["docs/api.md", "src/client.py"]


# --- validity ---


def keep_with(workspace: Workspace, text: str, **given: object) -> Remembered:
    return remember(workspace, Request(text=text, **given))  # type: ignore[arg-type]


def test_c1_c6_blocks_are_there_when_asked_for_and_marked_when_invalid(
    workspace: Workspace, keep: Keep, clock: FakeClock
) -> None:
    keep("answer")
    born = unix_ms(clock.now())
    plain = recall(workspace, Query(text="answer")).hits[0]
    assert plain.placing.validity is None
    for query in (Query(text="answer", profile="validity"), Query(text="answer", annotate=True)):
        block = recall(workspace, query).hits[0].placing.validity
        assert block is not None
        assert not block.is_context_invalid
    old = (
        recall(workspace, Query(text="answer", annotate=True, now_ms=born + 91 * DAY))
        .hits[0]
        .placing.validity
    )
    assert old is not None
    assert old.is_context_invalid


@pytest.mark.parametrize("profile", ["bogus", "Validity", ""])
def test_c2_an_unknown_profile_is_refused_with_both_names(profile: str) -> None:
    with pytest.raises(InputError) as caught:
        Query(text="answer", profile=profile)
    assert repr(profile) in caught.value.message
    assert caught.value.hint == "allowed: default, validity"


def old_and_new(keep: Keep, clock: FakeClock) -> int:
    """An old memory that the words fit best, a young one, and their common present."""
    keep("answer answer answer")
    clock.advance(200 * DAY)
    keep("an answer among many other words that are here")
    return unix_ms(clock.now())


def test_c20_c22_c23_validity_re_ranks_the_pool_before_the_limit(
    workspace: Workspace, keep: Keep, clock: FakeClock
) -> None:
    now = old_and_new(keep, clock)
    plain = recall(workspace, Query(text="answer", mode="fused", arms={"temporal": 0.0}, now_ms=now))
    assert plain.fused is not None
    assert plain.fused.grade_counts is None
    best = recall(workspace, Query(text="answer", profile="validity", limit=1, now_ms=now))
    assert ids(best) == ["m2"]
    assert best.fused is not None
    assert best.fused.pool == 2
    assert best.fused.grade_counts == {"valid": 1, "stale": 0, "context_invalid": 1}


def pool_of_five(workspace: Workspace, clock: FakeClock) -> int:
    """Five memories that the words fit less and less, each younger than the one before; their present."""
    for number in range(5):
        keep_with(workspace, "answer " * (5 - number) + "word " * number * 3)
        clock.advance(50 * DAY)
    return unix_ms(clock.now())


def test_c22_the_best_of_five_is_returned_alone(workspace: Workspace, clock: FakeClock) -> None:
    now = pool_of_five(workspace, clock)
    query = Query(text="answer", profile="validity", arms={"temporal": 0.0}, now_ms=now)
    whole = recall(workspace, query)
    bases = {hit.memory.id: hit.placing.base for hit in whole.hits}
    assert bases == pytest.approx({"m1": 1.0, "m2": 0.8, "m3": 0.6, "m4": 0.4, "m5": 0.2})
    keys = [hit.placing.score for hit in whole.hits]
    assert keys == sorted(keys, reverse=True)
    assert ids(whole)[0] != "m1"
    assert ids(recall(workspace, replace(query, limit=1))) == ids(whole)[:1]


def test_c22_a_successor_counts_from_its_own_recording(workspace: Workspace, clock: FakeClock) -> None:
    """It composes with succession: what replaced an old memory is young, and the old one is away."""
    now = pool_of_five(workspace, clock)
    supersede(workspace, "m1", Request(text="answer " * 5))
    told = recall(workspace, Query(text="answer", profile="validity", arms={"temporal": 0.0}))
    assert ids(told)[0] == "m6"
    assert "m1" not in ids(told)
    assert unix_ms(told.hits[0].memory.tx_at) > now


def test_c23_grades_are_counted_over_the_pool(workspace: Workspace, clock: FakeClock) -> None:
    now = pool_of_five(workspace, clock)
    query = Query(text="answer", profile="validity", limit=2, now_ms=now)
    trace = recall(workspace, query).fused
    assert trace is not None
    assert trace.pool == 5
    assert trace.grade_counts == {"valid": 0, "stale": 1, "context_invalid": 4}
    for other in (replace(query, mode="keyword"), replace(query, profile="default", mode="fused")):
        fused = recall(workspace, other).fused
        assert fused is None or fused.grade_counts is None


def test_c24_c25_elsewhere_it_only_annotates(workspace: Workspace, keep: Keep, clock: FakeClock) -> None:
    now = old_and_new(keep, clock)
    for mode in ("keyword", "fused"):
        plain = ids(recall(workspace, Query(text="answer", mode=mode, now_ms=now)))
        annotated = recall(workspace, Query(text="answer", mode=mode, annotate=True, now_ms=now))
        assert ids(annotated) == plain
        assert all(hit.placing.validity for hit in annotated.hits)
    profiled = recall(workspace, Query(text="answer", mode="keyword", profile="validity", now_ms=now))
    assert ids(profiled) == ids(recall(workspace, Query(text="answer", now_ms=now)))
    assert profiled.fused is None


def test_c17_the_same_memories_with_and_without_the_profile(
    workspace: Workspace, keep: Keep, clock: FakeClock
) -> None:
    for index in range(12):
        keep(f"answer {index}")
        clock.advance(30 * DAY)
    plain = recall(workspace, Query(text="answer", mode="fused", limit=50))
    profiled = recall(workspace, Query(text="answer", profile="validity", limit=50))
    assert set(ids(plain)) == set(ids(profiled))


@pytest.mark.parametrize("seed", range(4))
def test_c17_random_pools_keep_their_members(workspace: Workspace, clock: FakeClock, seed: int) -> None:
    """Of random texts, ages, trusts and expiries, and of questions for none, one or several of the words."""
    chance = random.Random(seed)  # noqa: S311 - a test's dice
    words = ["answer", "retry", "cache", "token"]
    for _ in range(chance.randint(5, 25)):
        dies = chance.choice([None, None, "2027-01-01", "2030-01-01"])
        text = " ".join(chance.choices(words, k=3))
        keep_with(workspace, text, trust=chance.choice(list(Trust)).value, expires_at=dies)
        clock.advance(chance.randint(0, 40) * DAY)
    for text in ("", "answer", "retry cache", "unheard"):
        plain = recall(workspace, Query(text=text, mode="fused", limit=50))
        profiled = recall(workspace, Query(text=text, profile="validity", limit=50))
        assert sorted(ids(plain)) == sorted(ids(profiled))
        assert plain.matched == profiled.matched


def test_c16_the_oldest_memory_still_has_a_multiplier(workspace: Workspace, clock: FakeClock) -> None:
    """Recorded at the beginning of time, asked about in 2100."""
    clock.set(Instant("1970-01-01T00:00:00.000Z"))
    keep_with(workspace, "answer"), keep_with(workspace, "answer answer")
    clock.set(Instant("2100-01-01T00:00:00.000Z"))
    told = recall(workspace, Query(text="answer", profile="validity", now_ms=4_102_444_800_000))
    assert len(told.hits) == 2
    for hit in told.hits:
        assert hit.placing.validity is not None
        assert 0 < hit.placing.validity.multiplier < 1e-300
        assert hit.placing.score > 0


def test_c4_the_same_anchor_gives_the_same_answer_a_day_later(
    workspace: Workspace, keep: Keep, clock: FakeClock
) -> None:
    now = old_and_new(keep, clock)
    query = Query(text="answer", profile="validity", now_ms=now)
    first = [(hit.memory.id, hit.placing) for hit in recall(workspace, query).hits]
    note_shown(workspace, recall(workspace, Query(text="answer")))
    clock.advance(DAY)
    assert [(hit.memory.id, hit.placing) for hit in recall(workspace, query).hits] == first


def test_c4_the_anchor_drives_expiry(workspace: Workspace, clock: FakeClock) -> None:
    born = unix_ms(clock.now())
    keep_with(workspace, "answer", expires_at="2026-06-11")
    assert ids(recall(workspace, Query(text="answer", now_ms=born + 2 * DAY))) == ["m1"]
    assert ids(recall(workspace, Query(text="answer", now_ms=born + 20 * DAY))) == []


def test_c9_c10_scope_and_provenance_of_what_is_served(workspace: Workspace) -> None:
    keep_with(workspace, "answer", trust=Trust.CORROBORATED.value)
    block = recall(workspace, Query(text="answer", annotate=True)).hits[0].placing.validity
    assert block is not None
    assert (block.scope_match, block.provenance_class) == ("exact", "corroborated")


def test_k8_k9_presets_change_the_default_score_and_not_validity(workspace: Workspace, keep: Keep) -> None:
    keep("answer")
    query = Query(text="answer", weights=SourceWeights(stale=0.5), now_ms=1_900_000_000_000)
    plain = replace(query, weights=None)
    for each in (replace(query, profile="validity"), replace(plain, profile="validity")):
        placing = recall(workspace, each).hits[0].placing
        assert placing.factors is None
        assert placing.base == 1.0


def test_k19_in_fused_validity_the_lower_number_comes_first(workspace: Workspace) -> None:
    for _ in range(2):
        keep_with(workspace, "answer")
    query = Query(text="answer", profile="validity", now_ms=0, arms={"temporal": 0.0})
    keys = {hit.memory.id: hit.placing.score for hit in recall(workspace, query).hits}
    assert list(keys) == ["m1", "m2"]


# --- the four cases of C29 ---


def test_c29_fresh_first_with_an_observable_trace(workspace: Workspace, keep: Keep, clock: FakeClock) -> None:
    now = old_and_new(keep, clock)
    answer = recall(workspace, Query(text="answer", profile="validity", now_ms=now))
    assert ids(answer) == ["m2", "m1"]
    assert answer.fused is not None
    assert sum((answer.fused.grade_counts or {}).values()) == 2


@pytest.mark.parametrize("profile", ["default", "validity"])
def test_c29_c18_superseded_is_not_served(workspace: Workspace, keep: Keep, profile: str) -> None:
    old = keep("the answer is 41")
    supersede(workspace, old.memory.id, Request(text="the answer is 42"))
    assert ids(recall(workspace, Query(text="answer", profile=profile))) == ["m2"]


@pytest.mark.parametrize("profile", ["default", "validity"])
def test_c29_c18_expired_is_not_served(workspace: Workspace, profile: str, clock: FakeClock) -> None:
    keep_with(workspace, "the answer is 41", expires_at="2026-06-02")
    clock.advance(2 * DAY)
    assert ids(recall(workspace, Query(text="answer", profile=profile))) == []


def test_c29_expiring_is_served_and_graded_stale(workspace: Workspace) -> None:
    keep_with(workspace, "the answer is 41", expires_at="2026-06-20")
    (hit,) = recall(workspace, Query(text="answer", profile="validity")).hits
    assert hit.placing.validity is not None
    assert (hit.placing.validity.grade, hit.placing.validity.expiring_soon) == ("stale", True)


def test_retracted_is_not_served(workspace: Workspace, keep: Keep) -> None:
    retract(workspace, [keep("the answer is 41").memory.id])
    assert ids(recall(workspace, Query(text="answer"))) == []


# --- the arms ---


class Backwards:
    """Ranks by meaning as nobody would: the highest number first."""

    model = "backwards"

    def ranked(self, query: str, texts: Mapping[int, str]) -> list[int]:
        assert query
        return sorted(texts, reverse=True)


def test_c27_a_dense_arm_takes_part_and_reranks(workspace: Workspace, keep: Keep) -> None:
    keep("answer"), keep("another text")
    query = Query(text="answer", profile="validity")
    without = recall(workspace, query)
    assert without.fused is not None
    assert without.fused.rerank == "not applied: no dense arm"
    assert ids(without) == ["m1"]
    told = recall(workspace, query, dense=Backwards())
    assert told.fused is not None
    assert told.fused.rerank == "applied: backwards"
    bases = {hit.memory.id: hit.placing.base for hit in told.hits}
    assert bases == {"m1": pytest.approx(0.6 / 2 + 0.4), "m2": pytest.approx(0.6)}


def test_c27_without_profile_validity_nothing_is_reranked(workspace: Workspace, keep: Keep) -> None:
    keep("answer"), keep("another text")
    told = recall(workspace, Query(text="answer", mode="fused"), dense=Backwards())
    assert told.fused is not None
    assert told.fused.rerank == "not applied: without profile validity"
    assert told.hits[0].placing.ranks["dense"] == 2


@pytest.mark.parametrize(
    ("switched_on", "said"),
    [(True, "applied: wordllama l2_supercat 256"), (False, "not applied: no dense arm")],
)
def test_c27_the_model_takes_part_where_the_settings_ask_for_it(
    open_with: Callable[..., Workspace], *, switched_on: bool, said: str
) -> None:
    if not is_installed():
        pytest.skip("the extra `embeddings` has no wheel for this machine")
    workspace = open_with(recall_embeddings=switched_on)
    remember(workspace, Request(text="passwords are hashed with bcrypt"))
    told = recall(workspace, Query(text="encryption of secrets", profile="validity"))
    assert told.fused is not None
    assert told.fused.rerank == said
    assert ids(told) == (["m1"] if switched_on else [])


def test_c27_an_absent_extra_is_told_and_recall_goes_on(
    open_with: Callable[..., Workspace], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embeddings, "PACKAGE", "a_package_nobody_has")
    word_vectors.cache_clear()
    workspace = open_with(recall_embeddings=True)
    remember(workspace, Request(text="answer"))
    told = recall(workspace, Query(text="answer", mode="fused"))
    assert ids(told) == ["m1"]
    assert told.fused is not None
    assert told.fused.rerank == "not applied: no dense arm"
    word_vectors.cache_clear()
    (found,) = [each for each in examine(workspace) if each.what == "embeddings"]
    assert (found.problem, found.hint) == (
        "`recall_embeddings` is on, but recall cannot go by meaning",
        "pip install 'stilltrue[embeddings]'",
    )


class Swapped:
    """Ranks by meaning the tenth memory first and the ninth second."""

    model = "swapped"

    def ranked(self, query: str, texts: Mapping[int, str]) -> list[int]:
        assert query
        return [number for number in (10, 9) if number in texts]


def test_c21_ids_are_compared_as_numbers(workspace: Workspace) -> None:
    """0.6/2 + 0.4/1 is 0.6/1 + 0.4/4: the ninth and the tenth have equal keys."""
    texts = ["other"] * 6 + ["answer one two", "answer one two", "answer", "answer one two three four"]
    for text in texts:
        keep_with(workspace, text)
    query = Query(text="answer", profile="validity", now_ms=0)
    told = recall(workspace, query, dense=Swapped())
    keys = {hit.memory.id: hit.placing.score for hit in told.hits}
    assert keys["m9"] == keys["m10"]
    assert list(keys)[:2] == ["m9", "m10"]


def test_locality_brings_what_is_near(workspace: Workspace, keep: Keep) -> None:
    keep("how it is done", "src/client.py:4-6"), keep("how it is done", "docs/api.md:1")
    query = Query(text="done", mode="fused", near="docs/api.md", arms={"temporal": 0.0, "locality": 8.0})
    told = recall(workspace, query)
    assert ids(told)[0] == "m2"
    assert told.hits[0].placing.ranks["locality"] == 1


def test_k5_a_settled_file_is_not_read_again(
    workspace: Workspace, keep: Keep, repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    import os  # noqa: PLC0415 - for this alone

    from stilltrue.services.warm import summarise  # noqa: PLC0415

    keep("answer", "src/client.py:4-6")
    file = repo.root / "src/client.py"
    os.utime(file, (1_000_000_000, 1_000_000_000))
    summarise(workspace)
    read: list[str] = []
    honest = WorkingTree.read

    def counted(tree: WorkingTree, path: str) -> object:
        read.append(path)
        return honest(tree, path)

    monkeypatch.setattr(WorkingTree, "read", counted)
    assert recall(workspace, Query(text="answer")).hits[0].label == "fresh"
    assert read == []
    file.write_bytes(file.read_bytes().replace(b"range(5)", b"range(7)"))
    assert recall(workspace, Query(text="answer")).hits[0].label == "stale/content"
    assert read == ["src/client.py"]
