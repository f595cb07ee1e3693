"""Idempotency keys: an act under a key is done once, and answered again however the state moved on."""

from __future__ import annotations

import pytest

from support.cli import Stilltrue
from support.repo import Repo

RETRIES = ("remember", "Retries stop after 5 attempts", "--cite", "src/client.py:4-6")


def change(repo: Repo) -> None:
    file = repo.root / "src/client.py"
    file.write_bytes(file.read_bytes().replace(b"range(5)", b"range(7)"))


def acts(run: Stilltrue) -> list[str]:
    """Undo everything; the acts there were, newest first."""
    undone = []
    while (answer := run("undo", "--json")).code == 0:
        undone.append(answer.json["undone"])
    return undone


@pytest.mark.parametrize(
    ("act", "other"),
    [
        (("reverify", "m1"), ("reverify", "m2")),
        (("supersede", "m1", "Retries stop after 7 attempts"), ("supersede", "m1", "Something else")),
        (("repoint", "c1", "src/client.py:4-5"), ("repoint", "c1", "src/client.py:4-6")),
        (("repoint", "--all-moved"), ("repoint", "c1", "src/client.py:4-6")),
        (("retract", "m1"), ("retract", "m2")),
        (("remember", "More", "-c", "src/client.py:9"), ("remember", "More", "-c", "src/client.py:4")),
    ],
    ids=lambda act: act[0],
)
def test_a_repeated_act_is_answered_and_not_done_again(
    run: Stilltrue, repo: Repo, act: tuple[str, ...], other: tuple[str, ...]
) -> None:
    """B28: the original answer, even once the code is gone; another request under the key is refused."""
    run(*RETRIES)
    run("remember", "The API is the second", "--cite", "src/client.py:9")
    if "--all-moved" in act:
        repo.write("src/client.py", b"# above\n" + (repo.root / "src/client.py").read_bytes())
    else:
        change(repo)
    first = run(*act, "--key", "k", "--json")
    assert first.code == 0, first.out
    (repo.root / "src/client.py").unlink()

    again = run(*act, "--key", "k", "--json")
    refused = run(*other, "--key", "k", "--json")

    assert (again.code, again.json) == (0, first.json)
    assert (refused.code, refused.error["code"]) == (2, "idempotency_conflict")
    assert acts(run) == [act[0], "remember", "remember"]


@pytest.mark.parametrize("key", ["", "k" * 129])
def test_a_key_has_1_to_128_characters(run: Stilltrue, key: str) -> None:
    """B30."""
    run(*RETRIES)

    refused = run("remember", "text", "--key", key, "--json")

    assert (refused.code, refused.error["code"]) == (2, "bad_input")
    assert run("remember", "text", "--key", "k" * 128).code == 0
    assert len(run("list", "--json").json["memories"]) == 2


def test_a_bad_key_makes_no_store(run: Stilltrue) -> None:
    assert run(*RETRIES, "--key", "").code == 2
    assert not run.database.exists()
