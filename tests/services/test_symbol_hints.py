"""The definition around cited lines tells where a whole definition went (design 3 and 4, K24)."""

from __future__ import annotations

from collections.abc import Callable

from stilltrue.model.citation import Place, Span
from stilltrue.model.verdict import CitationVerdict, Reason, Verdict
from stilltrue.services.check import check
from stilltrue.services.remember import Remembered
from stilltrue.services.workspace import Workspace
from support.repo import Repo

Keep = Callable[..., Remembered]

SEND = "    def send(self, call):\n        return call(self.session, retries=5)\n"
TWO = f"class Client:\n{SEND}\n\nclass Server:\n    def listen(self):\n        return 1\n"


def verdict(workspace: Workspace) -> CitationVerdict:
    (memory,) = check(workspace).memories
    (cited,) = memory.citations
    return cited.verdict


def symbol_of(kept: Remembered) -> str | None:
    (cited,) = kept.citations
    return cited.symbol


def test_the_definition_around_cited_lines_is_recorded(repo: Repo, keep: Keep) -> None:
    repo.write("src/two.py", TWO)
    repo.write("notes.unheard", "no grammar\n")

    assert symbol_of(keep("whole", "src/two.py:2-3")) == "Client.send"
    assert symbol_of(keep("a part", "src/two.py:3")) == "Client.send"
    assert symbol_of(keep("asked for", "src/two.py:3#Client")) == "Client"
    assert symbol_of(keep("around nothing", "src/two.py:1-7")) is None
    assert symbol_of(keep("no grammar", "notes.unheard:1#Asked")) == "Asked"


def test_a_copy_is_no_move_while_the_name_leads_to_other_text(
    workspace: Workspace, repo: Repo, keep: Keep
) -> None:
    """D13: the original was edited beyond recognition and its neighbours with it; its name still stands."""
    repo.write("src/two.py", TWO)
    keep("five retries", "src/two.py:2-3")
    edited = (
        "class Client(Base):\n    timeout = 3\n\n    def send(self, *calls):\n        return gather(*calls)\n"
    )
    repo.write("src/two.py", f"{edited}\n\nclass Server:\n{SEND}")

    told = verdict(workspace)

    assert (told.verdict, told.reason) == (Verdict.STALE, Reason.TEXT_CHANGED)
    assert told.nearest == Place("src/two.py", Span(4, 5))
    assert told.candidates == (Place("src/two.py", Span(9, 10)),)


def test_a_definition_that_moved_is_told_by_its_name_from_one_much_like_it(
    workspace: Workspace, repo: Repo, keep: Keep
) -> None:
    """A sibling much like it now stands between the same marks, nearer to the recorded lines."""
    send = "function send(call) {\n  open()\n  return call(5)\n}\n"
    alike = "function push(call) {\n  open()\n  return call(7)\n}\n"
    mark = "//\n"
    repo.write("src/a.js", mark + send + mark)
    keep("five", "src/a.js:2-5")
    repo.write("src/a.js", mark + alike + mark + send + mark)

    told = verdict(workspace)

    assert (told.verdict, told.new) == (Verdict.MOVED, Place("src/a.js", Span(7, 10)))


def test_lines_moved_out_of_their_definition_are_told_by_their_neighbours(
    workspace: Workspace, repo: Repo, keep: Keep
) -> None:
    """The definition stands and is other text than the copy; that says nothing about a part of it."""
    line = "        return call(self.session, retries=5)\n"
    repo.write("src/two.py", TWO)
    keep("five retries", "src/two.py:3")
    repo.write("src/two.py", TWO.replace(line, "").replace("        return 1\n", line))

    assert verdict(workspace).verdict is Verdict.MOVED
