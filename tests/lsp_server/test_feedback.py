"""What an editor says of a memory: I used this, this was right, this was wrong (K17, B23, B40, B46)."""

from __future__ import annotations

import pytest

from support.feedback import dump, run_sql
from support.repo import Repo
from support.server import Editor, Home

SOURCE = "def retry(call):\n    for attempt in range(5):\n        call(attempt)\n"
SENTINEL = "zebrafish"

pytestmark = pytest.mark.asyncio


@pytest.fixture
def repo(home: Home) -> Repo:
    made = home.repo()
    made.write("a.py", SOURCE)
    home.remember(made.root, "Retries stop after 5 attempts", "a.py:1-3")
    return made


def memory_of(home: Home) -> str:
    ((uid,),) = run_sql(home.database, "SELECT uid FROM memories")
    return str(uid)


async def test_k17_looking_records_nothing(editor: Editor, home: Home, repo: Repo) -> None:
    file = repo.root / "a.py"
    buffer = editor.open(file)
    await editor.hover(buffer, 1)
    assert (await editor.execute("stilltrue.list", {}))["ok"]
    assert not any(dump(home.database).values())


async def test_used_right_and_wrong(editor: Editor, home: Home, repo: Repo) -> None:
    about = {"uri": (repo.root / "a.py").as_uri(), "memory": memory_of(home)}
    told = await editor.execute("stilltrue.used", {**about, "key": "k"})
    assert told["ok"]
    assert await editor.execute("stilltrue.used", {**about, "key": "k"}) == told
    assert run_sql(home.database, "SELECT count(*) FROM traces") == [(1,)]
    assert run_sql(home.database, "SELECT max(stage) FROM usage") == [(3,)]
    assert not (await editor.execute("stilltrue.wrong", about))["ok"], "nothing was confirmed yet"
    told = await editor.execute("stilltrue.right", about)
    assert told["ok"]
    back = await editor.execute("stilltrue.wrong", {**about, "text": "it was not"})
    assert back["traceId"] == told["traceId"]
    assert not (await editor.execute("stilltrue.wrong", about))["ok"], "it was taken back"
    outcomes = run_sql(home.database, "SELECT outcome FROM feedback_receipts ORDER BY number")
    assert [outcome for (outcome,) in outcomes if outcome] == ["confirmed", "corrected"]


async def test_b6_unsaved_code_is_named_by_its_hash_alone(editor: Editor, home: Home, repo: Repo) -> None:
    file = repo.root / "a.py"
    editor.edit(editor.open(file), "attempt", SENTINEL)
    about = {"uri": file.as_uri(), "memory": memory_of(home)}
    assert (await editor.execute("stilltrue.used", about))["ok"]
    told = dump(home.database)
    assert SENTINEL not in repr(told)
    assert '"content_source":"buffer"' in repr(told["source_identities"])


@pytest.mark.parametrize("key", ["k" * 129, "\ud800"], ids=["long", "half a character"])
async def test_b30_b13_a_key_that_is_none_records_nothing(
    editor: Editor, home: Home, repo: Repo, key: str
) -> None:
    about = {"uri": (repo.root / "a.py").as_uri(), "memory": memory_of(home), "key": key}
    for command in ("stilltrue.used", "stilltrue.right", "stilltrue.wrong"):
        assert not (await editor.execute(command, about))["ok"]
    assert not any(dump(home.database).values())


@pytest.mark.parametrize("memory", [None, "m99"])
async def test_of_no_memory_nothing_is_said(editor: Editor, home: Home, memory: str | None) -> None:
    for command in ("stilltrue.used", "stilltrue.right", "stilltrue.wrong"):
        told = await editor.execute(command, {"memory": memory} if memory else {})
        assert not told["ok"]
    assert not any(dump(home.database).values())
