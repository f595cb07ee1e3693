"""Baseline, then quarantine, then invalidation: each is useful alone (E43, E8 to E18)."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from stilltrue.errors import CitationError
from stilltrue.model.memory import Trust
from stilltrue.model.verdict import Grade, Reason, Verdict
from stilltrue.services import settle
from stilltrue.services.check import check
from stilltrue.services.judging import JudgedCitation
from stilltrue.services.recording import parse_spec
from stilltrue.services.remember import Remembered, Request, remember
from stilltrue.services.workspace import Surroundings, Workspace
from support.healing import dump
from support.repo import Repo

Keep = Callable[..., Remembered]
CLIENT = "src/client.py"


@pytest.fixture
def workspace(workspace: Workspace) -> Workspace:
    """Without any of what runs in the background."""
    told = workspace.surroundings
    workspace.use(Surroundings(os.environ, told.database, options={"heal_mode": "off"}))
    return workspace


def judged(workspace: Workspace) -> JudgedCitation:
    (memory,) = check(workspace).memories
    (citation,) = memory.citations
    return citation


def test_e8_a_baseline_is_64_hex_of_the_cited_bytes_alone(
    workspace: Workspace, repo: Repo, keep: Keep
) -> None:
    kept = keep("Retries stop after 5 attempts", f"{CLIENT}#retry")
    baseline = kept.citations[0].baseline
    assert baseline is not None
    assert len(bytes.fromhex(baseline.sha256)) == 32
    text = (repo.root / CLIENT).read_text()
    repo.write(CLIENT, text.replace("v2.1.4", "v3"))
    assert judged(workspace).verdict.verdict is Verdict.FRESH
    repo.write(CLIENT, text.replace("range(5)", "range(6)"))
    assert judged(workspace).verdict.reason is Reason.TEXT_CHANGED


def test_e9_k2_line_ends_alone_are_a_cosmetic_change(workspace: Workspace, repo: Repo, keep: Keep) -> None:
    """Bytes decide (law 1): it is told apart, and not called the same."""
    keep("Retries stop after 5 attempts", f"{CLIENT}:4-6")
    repo.write(CLIENT, (repo.root / CLIENT).read_text().replace("\n", "\r\n"))
    found = judged(workspace).verdict
    assert (found.verdict, found.reason, found.grade) == (Verdict.STALE, Reason.LINE_ENDINGS, Grade.COSMETIC)


def test_e10_one_added_blank_counts(workspace: Workspace, repo: Repo, keep: Keep) -> None:
    keep("Retries stop after 5 attempts", f"{CLIENT}:4-6")
    repo.write(CLIENT, (repo.root / CLIENT).read_text().replace("range(5)", "range( 5)"))
    assert judged(workspace).verdict.verdict is Verdict.STALE


@pytest.mark.parametrize(
    "path", ["no/such.py", "/etc/passwd", "../outside.py", "link.py", "C:/x.py", "a\0b.py"]
)
def test_e11_what_is_not_inside_gets_no_baseline(
    workspace: Workspace, repo: Repo, database: Path, path: str
) -> None:
    (repo.root.parent / "outside.py").write_text("secret = 1\n")
    (repo.root / "link.py").symlink_to("../outside.py")
    with pytest.raises(CitationError):
        remember(workspace, Request(text="x", citations=(parse_spec(f"{path}:1"),)))
    assert not database.exists()


def test_e12_trust_says_who_vouches_and_every_cited_line_has_a_baseline(
    workspace: Workspace, keep: Keep
) -> None:
    """A choice (design 3): also what nobody verified has one, so that its code can be watched."""
    assert keep("read by somebody", f"{CLIENT}:4").memory.trust is Trust.VERIFIED
    assert keep("cites nothing").memory.trust is Trust.CANDIDATE
    hearsay = remember(
        workspace, Request(text="heard", citations=(parse_spec(f"{CLIENT}:4"),), trust="corroborated")
    )
    assert hearsay.citations[0].baseline is not None


def test_e14_a_file_that_is_verified_twice_has_one_present_baseline(
    workspace: Workspace, repo: Repo, keep: Keep, database: Path
) -> None:
    """The newer one counts; the older stays as history (K14)."""
    kept = keep("The client retries", CLIENT)
    repo.write(CLIENT, "import os\n")
    settle.reverify(workspace, kept.citations)
    settle.reverify(workspace, settle.find_citations(workspace, "m1")[1])
    rows = dump(database)["citation_generations"]
    assert [row[1] for row in rows] == [1, 2]
    assert [row[4] for row in rows] == [0, 1]
    assert judged(workspace).verdict.verdict is Verdict.FRESH


def test_e18_e43_quarantine_needs_no_background(
    workspace: Workspace, repo: Repo, keep: Keep, database: Path
) -> None:
    """An uncommitted edit shows at once, a restore shows fresh again, and the store is as it was."""
    keep("Retries stop after 5 attempts", f"{CLIENT}:4-6")
    before = dump(database)
    text = (repo.root / CLIENT).read_text()
    for changed, label in (
        (text.replace("5", "6"), "stale/content"),
        (text, "fresh"),
        ("", "stale/structural"),
    ):
        repo.write(CLIENT, changed)
        assert check(workspace).counts == {"memories": 1, label: 1}
    assert dump(database) == before
