"""Profile validity by its second method: code that was just compared decides, not age (K8)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from stilltrue.errors import InputError
from stilltrue.recall.backing import METHOD
from stilltrue.services.queries import Query
from stilltrue.services.recall import recall
from stilltrue.services.remember import Remembered
from stilltrue.services.workspace import Workspace
from support.clock import FakeClock
from support.repo import Repo

DAY = 86_400_000
CHANGED = (
    "def retry(call):\n    for attempt in range(9):\n        call(attempt)\n\n\nAPI_VERSION = 'v2.1.4'\n"
)

Keep = Callable[..., Remembered]


def told(workspace: Workspace, method: str) -> list[tuple[str, tuple[str, ...]]]:
    answer = recall(workspace, Query(text="retries", profile="validity", method=method))
    return [
        (hit.memory.id, hit.placing.validity.signals if hit.placing.validity else ()) for hit in answer.hits
    ]


@pytest.fixture
def old_and_new(keep: Keep, repo: Repo, clock: FakeClock) -> None:
    """Of three old memories one still stands, one is overtaken, and one's file is gone; the newest is m4."""
    keep("retries are described in the manual", "docs/api.md")
    keep("retries stop after five", "src/client.py#retry")
    repo.write("src/gone.py", "RETRIES = 5\n")
    keep("retries are counted", "src/gone.py")
    (repo.root / "src/gone.py").unlink()
    clock.advance(400 * DAY)
    repo.write("src/client.py", CHANGED)
    keep("retries stop after nine", "src/client.py#retry")


@pytest.mark.usefixtures("old_and_new")
def test_k8_by_code_age_counts_nothing_and_what_is_overtaken_or_gone_counts_less(
    workspace: Workspace,
) -> None:
    answer = recall(workspace, Query(text="retries", profile="validity", method=METHOD))
    blocks = {hit.memory.id: hit.placing.validity for hit in answer.hits}
    assert {
        name: block and (block.signals[-1], round(block.multiplier, 5)) for name, block in blocks.items()
    } == {
        "m1": ("code:same", 1.265),
        "m2": ("code:overtaken", 0.44275),
        "m3": ("code:gone", 0.44275),
        "m4": ("code:same", 1.265),
    }
    order = list(blocks)
    assert order.index("m4") < order.index("m2")


@pytest.mark.usefixtures("old_and_new")
def test_k8_the_first_method_takes_no_notice_of_code(workspace: Workspace, repo: Repo) -> None:
    before = told(workspace, Query().method)
    repo.write("docs/api.md", "# Nothing of it is left\n")
    assert told(workspace, Query().method) == before
    assert not any("code:" in signal for _, signals in before for signal in signals)


def test_k8_other_lines_of_the_same_definition_overtake_nothing(
    workspace: Workspace, keep: Keep, repo: Repo, clock: FakeClock
) -> None:
    keep("retries stop after five", "src/client.py:5")
    clock.advance(400 * DAY)
    repo.write("src/client.py", CHANGED)
    keep("retries hand on the attempt", "src/client.py:3")
    assert {name: signals[-1] for name, signals in told(workspace, METHOD)} == {
        "m1": "code:changed",
        "m2": "code:same",
    }


@pytest.mark.usefixtures("old_and_new")
def test_c17_the_second_method_excludes_nothing_either(workspace: Workspace) -> None:
    assert {name for name, _ in told(workspace, METHOD)} == {
        name for name, _ in told(workspace, Query().method)
    }


def test_c2_an_unknown_method_is_refused() -> None:
    with pytest.raises(InputError, match="v3"):
        Query(method="validity-multiplier-v3")
