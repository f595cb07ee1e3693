"""Acts on a store, each in a transaction of its own, as services do them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection

from stilltrue.model.citation import Baseline, Citation, CitationDraft, CitationKind, Neighbour, Span
from stilltrue.model.memory import Memory, MemoryDraft
from stilltrue.model.time import AsOf, Instant, unix_ms
from stilltrue.store import citations, history, memories, repositories, succession
from stilltrue.store.engine import Store
from stilltrue.store.ids import new_uid


def cited(path: str | None = "src/a.py", start: int = 1, end: int = 3, **given: object) -> CitationDraft:
    baseline = Baseline(
        sha256="a" * 64,
        lf_sha256="b" * 64,
        byte_length=12,
        copies=2,
        copy_index=1,
        before=Neighbour("c" * 64, b"above"),
        after=Neighbour("d" * 64),
        line_digests=b"\x01\x02\x03\x04",
        conflict_markers=True,
        encoding="latin-1",
        excerpt=b"secret = 1\r\n",
        solid_copies=3,
        solid_index=1,
        solid_above=b"above",
        solid_below=b"below",
    )
    facts: dict[str, Any] = {
        "kind": CitationKind.SPAN,
        "path": path,
        "span": Span(start, end),
        "baseline": baseline,
    }
    return CitationDraft(**{**facts, **given})


@dataclass
class Writer:
    store: Store
    actor: str = "ada"
    place: str = "/srv/app"

    def repository(self) -> str:
        with self.store.writing() as conn:
            keys = [("path", self.place), ("root-commit", "0" * 40)]
            return repositories.ensure_repository(conn, keys, "app", self.store.now(conn))

    def remember(self, text: str = "it holds", *drafts: CitationDraft, **given: object) -> Memory:
        repository = self.repository()
        with self.store.writing() as conn:
            now = self.store.now(conn)
            facts: dict[str, Any] = {"text": text, "subject": "app", **given}
            draft = MemoryDraft(**facts)
            memory = memories.insert_memory(conn, draft, repository=repository, uid=uid(now), tx_at=now)
            for one in drafts:
                citations.insert_citation(conn, memory.uid, one, uid=uid(now), now=now, actor=self.actor)
            self.journal(conn, "remember", now, memory_uids=[memory.uid])
            return memory

    def supersede(self, old: Memory, text: str = "it holds now", **given: object) -> Memory:
        with self.store.writing() as conn:
            now = self.store.now(conn)
            facts: dict[str, Any] = {"text": text, "subject": "ignored", **given}
            draft = MemoryDraft(**facts)
            new = succession.supersede_memory(conn, old, draft, uid=uid(now), now=now, actor=self.actor)
            self.journal(conn, "supersede", now, memory_uids=[new.uid], closed=[old.uid])
            return new

    def retract(self, memory: Memory) -> bool:
        with self.store.writing() as conn:
            now = self.store.now(conn)
            done = succession.retract_memory(conn, memory, now=now, actor=self.actor)
            if done:
                self.journal(conn, "retract", now, closed=[memory.uid])
            return done

    def reverify(self, citation: Citation, draft: CitationDraft) -> Citation:
        with self.store.writing() as conn:
            now = self.store.now(conn)
            newer = citations.add_generation(conn, citation, draft, now=now, actor=self.actor)
            self.journal(conn, "reverify", now, generations=[newer])
            return newer

    def undo(self) -> history.Act | None:
        repository = self.repository()
        with self.store.writing() as conn:
            act = history.last_act(conn, repository)
            if act is not None:
                history.undo_act(conn, act, now=self.store.now(conn), actor=self.actor)
            return act

    def journal(self, conn: Connection, kind: str, now: Instant, **made: Any) -> int:  # noqa: ANN401 - handed on
        repository = repositories.find_repository(conn, [("path", self.place)])
        assert repository is not None
        return history.record_act(conn, kind, repository=repository, actor=self.actor, at=now, **made)

    def visible(self, known: str | None = None, valid: str | None = None) -> list[str]:
        """The ids visible at that point; now, where an axis is not given."""
        with self.store.reading() as conn:
            now = self.store.present(conn)
            at = AsOf(known=Instant(known or now.known), valid=Instant(valid or now.valid))
            return [memory.id for memory in memories.live_memories(conn, None, at)]

    def citations(self, memory: Memory) -> list[Citation]:
        with self.store.reading() as conn:
            return citations.citations_of(conn, [memory.uid]).get(memory.uid, [])


def uid(now: Instant) -> str:
    return new_uid(unix_ms(now))
