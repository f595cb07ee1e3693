"""Snooze memories, and tell which ones sleep: until a day, or until their lines change again (design 7).

A snooze only silences: nothing is called fresh by it, and what sleeps is counted where others are judged.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256

from stilltrue.citations.ignoring import is_ignored
from stilltrue.citations.lines import Lines, fold_line_ends
from stilltrue.errors import InputError
from stilltrue.ide.snapshot import placed
from stilltrue.model.citation import Citation, CitationKind
from stilltrue.model.memory import Memory
from stilltrue.model.snooze import Snooze
from stilltrue.model.time import Instant, instant_from_unix_ms, unix_ms
from stilltrue.model.verdict import CitationVerdict, Reason, Verdict
from stilltrue.services.judging import JudgedMemory, judge_citations
from stilltrue.services.receipts import Keyed
from stilltrue.services.workspace import Connection, Workspace
from stilltrue.source.files import FileText, Texts
from stilltrue.store import citations as citation_rows
from stilltrue.store import memories as memory_rows
from stilltrue.store import snoozes as snooze_rows

DAY_MS = 24 * 60 * 60 * 1000
MOST_DAYS = 36_500


@dataclass(frozen=True, slots=True, kw_only=True)
class Snoozed:
    """A memory and what was said about it."""

    memory: Memory
    snooze: Snooze


def snooze(
    workspace: Workspace,
    references: Collection[str],
    *,
    days: int | None = None,
    until: Instant | None = None,
    texts: Texts | None = None,
    key: str | None = None,
) -> list[Snoozed]:
    """Silence memories for the acting principal; a former snooze of theirs is replaced.

    Args:
        workspace: The repository.
        references: Names of memories, or of citations for the memories they belong to.
        days: For that many days; 0 wakes the memories.
        until: Until then. Without both, until the lines change again.
        texts: Where the present lines are read; the working tree unless an editor says otherwise.
        key: An idempotency key; the same key with the same request answers with what was stored (B28).

    Raises:
        InputError: `until` is past, `days` is out of its limits, or a memory has ended.
        NotFoundError: Nothing has one of the names.
    """
    if days is not None and (until is not None or not 0 <= days <= MOST_DAYS):
        raise InputError(f"a snooze lasts 0 to {MOST_DAYS} days, or until a date, not both")
    from stilltrue.services.settle import find_citations  # noqa: PLC0415 - a check looks at snoozes, and settles nothing

    found = {each.uid: each for each in (find_citations(workspace, name)[0] for name in references)}
    keyed = Keyed(workspace.actor, key, "snooze", (sorted(found), days, until))
    if (answer := keyed.answer(workspace)) is not None:
        with workspace.reading() as reading:
            return _as_answered(workspace.known(reading)[0], answer)
    lasting = days is None and until is None
    seen = _seen_at(workspace, list(found), texts or workspace.fresh_tree()) if lasting else {}
    with workspace.writing() as (connection, repository, now):
        if (answer := keyed.replayed(connection)) is not None:
            return _as_answered(connection, answer)
        if days != 0:
            _refuse_ended(workspace, connection, found.values())
        end = until if days is None else instant_from_unix_ms(unix_ms(now) + days * DAY_MS)
        if until is not None and until <= now:
            raise InputError(f"{until} is past", hint="name a day to come, or use --days")
        numbers = snooze_rows.insert_snoozes(
            connection,
            repository,
            [
                Snooze(memory=uid, actor=workspace.actor, at=now, until=end, seen=seen.get(uid, {}))
                for uid in found
            ],
        )
        answer = " ".join(map(str, numbers))
        keyed.store(connection, answer, now, repository)
        return _as_answered(connection, answer)


def asleep(
    workspace: Workspace, judged: Iterable[JudgedMemory], *, texts: Texts | None = None
) -> dict[str, Snooze]:
    """Which of these memories sleep for the acting principal, by memory uid. Writes nothing.

    Args:
        workspace: The repository.
        judged: Memories with all their citations.
        texts: Where the present lines are read; the working tree unless said otherwise.
    """
    with workspace.reading() as reading:
        if reading is None:
            return {}
        connection, repository = reading
        said = said_by(workspace, connection, repository)
    if not said:
        return {}
    cited = {each.memory.uid: [one.citation for one in each.citations] for each in judged}
    return still_asleep(said, cited, texts or workspace.fresh_tree(), ignore=workspace.settings.ignore)


def said_by(workspace: Workspace, connection: Connection, repository: str) -> dict[str, Snooze]:
    """What the acting principal snoozed and what is not over by the clock, by memory uid."""
    now = workspace.present(connection).known
    return snooze_rows.snoozes_at(connection, repository, workspace.actor, now)


def still_asleep(
    said: Mapping[str, Snooze],
    cited: Mapping[str, Sequence[Citation]],
    texts: Texts,
    *,
    ignore: tuple[str, ...] = (),
) -> dict[str, Snooze]:
    """What of `said` is in force, by memory uid.

    A memory that was settled since, by a new generation of one of its citations, is awake; so is one whose
    lines are no longer what was seen.

    Args:
        said: By memory uid, not over by the clock.
        cited: The present citations of the memories to ask about, by memory uid; others wake nobody.
        texts: Where the present lines are read.
        ignore: Patterns of files that wake nobody, either.
    """
    standing = {
        uid: each
        for uid, each in said.items()
        if uid in cited and all(citation.recorded_at <= each.at for citation in cited[uid])
    }
    watched = [uid for uid, each in standing.items() if each.until is None]
    if watched:
        heard = [each for uid in watched for each in cited[uid] if not is_ignored(each.path, ignore)]
        present = present_state(heard, texts)
        changed = {
            each.memory for each in heard if present.get(each.uid) != said[each.memory].seen.get(each.uid)
        }
        standing = {uid: each for uid, each in standing.items() if uid not in changed}
    return standing


def present_state(citations: Sequence[Citation], texts: Texts) -> dict[str, str]:
    """What stands at each citation now, as a digest or a word, by citation uid; commits are left out.

    Line ends do not count, as editors unify them, nor do line numbers.
    """
    in_files = [each for each in citations if each.kind is not CitationKind.COMMIT and each.path]
    found = {path: texts.read(path) for path in {each.path for each in in_files if each.path}}
    verdicts = judge_citations(in_files, _Read(found))
    lines = {path: Lines(text.data or b"") for path, text in found.items()}
    return {each.uid: _state(each, verdicts[each.uid], lines[each.path or ""]) for each in in_files}


def _state(citation: Citation, verdict: CitationVerdict, lines: Lines) -> str:
    left_its_place = verdict.verdict is Verdict.MOVED and verdict.reason is not Reason.SAME_FILE
    if verdict.is_broken or left_its_place or verdict.verdict is Verdict.UNKNOWN:
        return verdict.reason.value
    span = placed(citation, verdict, lines.count)
    data = lines.span_bytes(span) if span else lines.data
    return sha256(fold_line_ends(data)).hexdigest()


def _seen_at(workspace: Workspace, uids: Sequence[str], texts: Texts) -> dict[str, dict[str, str]]:
    with workspace.reading() as reading:
        connection, _ = workspace.known(reading)
        cited = citation_rows.citations_of(connection, uids)
    present = present_state([each for some in cited.values() for each in some], texts)
    return {
        uid: {each.uid: present[each.uid] for each in some if each.uid in present}
        for uid, some in cited.items()
    }


def _refuse_ended(workspace: Workspace, connection: Connection, found: Iterable[Memory]) -> None:
    by_uid = {each.uid: each for each in found}
    live = memory_rows.are_live(connection, by_uid, workspace.present(connection))
    if ended := [each.id for uid, each in by_uid.items() if uid not in live]:
        raise InputError(
            f"{', '.join(ended)} ended already, and nobody is told of it any more",
            hint=f"see how with: stilltrue why {ended[0]}",
        )


def _as_answered(connection: Connection, answer: str) -> list[Snoozed]:
    said = snooze_rows.snoozes_by_number(connection, [int(number) for number in answer.split()])
    return [Snoozed(memory=memory_rows.get_memory(connection, each.memory), snooze=each) for each in said]


@dataclass(frozen=True, slots=True)
class _Read:
    """Files that were read already."""

    found: Mapping[str, FileText]

    def read(self, path: str) -> FileText:
        return self.found[path]
