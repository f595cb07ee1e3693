"""Pins out of free text: what a source reference names (A43 to A45)."""

from __future__ import annotations

import pytest

from stilltrue.model.citation import CitationKind
from stilltrue.services.backfill import parse_source_ref
from stilltrue.services.history import show
from stilltrue.services.pins import CommitState, PinReason, check_pins
from stilltrue.services.recording import parse_spec
from stilltrue.services.remember import Request, remember
from stilltrue.services.settle import retract
from stilltrue.services.workspace import Workspace
from support.repo import Repo

SHA = "0123456789abcdef0123456789abcdef01234567"

Named = tuple[str, str | None] | None

A44: dict[str | None, Named] = {
    f"m@{SHA}:src/a.py": (SHA, "src/a.py"),
    f"m@{SHA}": (SHA, None),
    f"owner/repo@{SHA}:a.py": (SHA, "a.py"),
    "repo@a1b2c3d": ("a1b2c3d", None),
    "a1b2c3d": ("a1b2c3d", None),
    "   a1b2c3d  ": ("a1b2c3d", None),
    "see a1b2c3d please": ("a1b2c3d", None),
    "a1b2c3": None,
    f"{SHA}8": None,
    "https://x/abc123def456/p": None,
    "bundle.a1b2c3d4.js": None,
    "src/a1b2c3d4e5f6.ts": None,
    "auth.ts": None,
    "session-1": None,
    "": None,
    None: None,
    "defaced": ("defaced", None),
    "20260610": ("20260610", None),
    "PR 1234567": ("1234567", None),
}
A45: dict[str | None, Named] = {
    "repo@a1b2c3d4:src/a.py": ("a1b2c3d4", "src/a.py"),
    f"repo@{SHA[:39]}:src/a.py": (SHA[:39], "src/a.py"),
    f"m@{SHA.upper()}:src/a.py": (SHA, "src/a.py"),
    "A1B2C3D": ("a1b2c3d", None),
    "abcdefg1234567": None,
    f"see m@{SHA}:src/a.py, please": (SHA, "src/a.py"),
    f"(m@{SHA}:src/a.py).": (SHA, "src/a.py"),
}
BEYOND: dict[str | None, Named] = {
    f"m@{SHA}{SHA[:24]}:a.py": (SHA + SHA[:24], "a.py"),
    f"m@{SHA}:src/a.py:10-20": (SHA, "src/a.py"),
    f"m@{SHA}:src/a.py#L10": (SHA, "src/a.py"),
    f"m@{SHA}:../a.py": None,
    f"m@{SHA}:/etc/passwd": None,
    f"@{SHA}": None,
    "someone@example.org": None,
    "m@a1b2c3:src/a.py": None,
}


@pytest.mark.parametrize("text", [*A44, *A45, *BEYOND])
def test_a44_a45_what_a_source_reference_names(text: str | None) -> None:
    draft = parse_source_ref(text)

    assert ((draft.commit, draft.path) if draft else None) == {**A44, **A45, **BEYOND}[text]
    assert draft is None or (draft.kind is CitationKind.COMMIT and draft.baseline is None)


@pytest.mark.parametrize("text", ["defaced", "20260610", "PR 1234567", "repo@a1b2c3d"])
def test_a44_a_wrong_guess_ends_unresolved_and_never_stale(workspace: Workspace, text: str) -> None:
    remember(workspace, Request(text="It is so", source_ref=text))

    (pin,) = check_pins(workspace).pins

    assert (pin.verdict.state, pin.verdict.reason) == (CommitState.UNRESOLVED, PinReason.UNKNOWN_COMMIT)


def test_a43_a_pass_pins_what_names_a_commit_once(workspace: Workspace, repo: Repo) -> None:
    """The memory itself stays as it is: its reference, and whatever it says."""
    head = repo.run("rev-parse", "HEAD").strip()
    made = remember(workspace, Request(text="It is so", source_ref=f"m@{head}:src/client.py"))
    remember(workspace, Request(text="No commit", source_ref="session-1"))

    first, again = check_pins(workspace), check_pins(workspace)

    (pin,) = first.pins
    assert (pin.pinned.commit, pin.pinned.path) == (head, "src/client.py")
    assert pin.verdict.state is CommitState.CURRENT
    assert (first.backfilled, again.backfilled) == ((made.memory.uid,), ())
    assert [each.pinned.uid for each in again.pins] == [pin.pinned.uid]
    assert show(workspace, made.memory.uid)[0].memory == made.memory


def test_a43_neither_check_nor_refusal_pins_anything(workspace: Workspace) -> None:
    remember(workspace, Request(text="It is so", source_ref=f"m@{SHA}"))

    for report in (check_pins(workspace, write=False), check_pins(workspace, fill=False)):
        assert (report.pins, report.backfilled) == ((), ())
    assert show(workspace, "m1")[0].citations == ()


def test_a43_what_has_a_pin_or_has_ended_is_left_alone(workspace: Workspace, repo: Repo) -> None:
    head = repo.run("rev-parse", "HEAD").strip()
    pinned = (parse_spec(f"@{head}:docs/api.md"),)
    remember(workspace, Request(text="Pinned", citations=pinned, source_ref=f"m@{SHA}"))
    remember(
        workspace,
        Request(
            text="Cites committed lines", citations=(parse_spec("docs/api.md:1"),), source_ref=f"m@{SHA}"
        ),
    )
    remember(workspace, Request(text="Retracted", source_ref=f"m@{SHA}"))
    retract(workspace, ["m3"])

    report = check_pins(workspace)

    assert report.backfilled == ()
    assert {each.pinned.commit for each in report.pins} == {head}
