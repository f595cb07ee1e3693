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
    assert symbol_of(keep("with blank lines", "src/two.py:2-5")) == "Client.send"
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
    """A sibling much like it stands between the same marks and at the recorded lines."""
    body = "  open_the_session(call)\n  log_what_was_asked(call)\n  return call()\n}\n"
    send, alike = f"function send(call) {{\n{body}", f"function push(call) {{\n{body}"
    first, last = "const FIRST = 1\n", "const LAST = 2\n"
    repo.write("src/a.js", first + send + last)
    keep("sends once", "src/a.js:2-6")
    repo.write("src/a.js", f"{first}{alike}{last}\n\n// further down\n{send}")

    told = verdict(workspace)

    assert (told.verdict, told.new) == (Verdict.MOVED, Place("src/a.js", Span(11, 15)))


def test_lines_moved_out_of_their_definition_are_told_by_their_neighbours(
    workspace: Workspace, repo: Repo, keep: Keep
) -> None:
    """The definition stands and is other text than the copy; that says nothing about a part of it."""
    line = "        return call(self.session, retries=5)\n"
    repo.write("src/two.py", TWO)
    keep("five retries", "src/two.py:3")
    repo.write("src/two.py", TWO.replace(line, "").replace("        return 1\n", line))

    assert verdict(workspace).verdict is Verdict.MOVED


def test_a_copy_in_another_file_is_no_move_while_the_name_leads_to_other_text(
    workspace: Workspace, repo: Repo, keep: Keep
) -> None:
    """D13: neither a neighbour nor a line of the original is left, only its name."""
    repo.write("src/two.py", TWO)
    repo.commit("two")
    keep("five retries", "src/two.py:2-3")
    repo.write(
        "src/two.py", "class Client(Base):\n    def send(self, *calls):\n        return gather(*calls)\n"
    )
    repo.write("src/old.py", f"class Old:\n{SEND}")

    told = verdict(workspace)

    assert (told.verdict, told.reason) == (Verdict.STALE, Reason.TEXT_CHANGED)
    assert told.candidates == (Place("src/old.py", Span(2, 3)),)


def test_a_definition_whose_name_is_gone_has_left_its_file(
    workspace: Workspace, repo: Repo, keep: Keep
) -> None:
    """D11: what stands between its neighbours now is much like it, and has another name."""
    body = "    ready = prepare_the_session(call)\n    log_what_was_asked(call)\n    return call(ready)\n"
    send = f"def send(call):\n{body}"
    repo.write("src/two.py", f"FIRST = 1\n\n{send}\nLAST = 2\n")
    repo.commit("two")
    keep("sends once", "src/two.py:3-6")
    repo.write("src/two.py", f"FIRST = 1\n\ndef push(call):\n{body}\nLAST = 2\n")
    repo.write("src/sending.py", send)

    told = verdict(workspace)

    assert (told.verdict, told.reason) == (Verdict.MOVED, Reason.OTHER_FILE)
    assert told.new == Place("src/sending.py", Span(1, 4))


def test_of_several_copies_of_a_part_the_one_in_its_definition_is_meant(
    workspace: Workspace, repo: Repo, keep: Keep
) -> None:
    line = "        return call(self.session, retries=5)\n"
    repo.write(
        "src/two.py", f"class Client:\n    def send(self, call):\n        first()\n{line}        last()\n"
    )
    keep("five retries", "src/two.py:4")
    other = f"class Server:\n    def push(self, call):\n        one()\n{line}        two()\n\n\n"
    ours = f"class Client:\n    def send(self, call):\n        begin()\n{line}        end()\n"
    repo.write("src/two.py", "import os\n" + other + ours)

    assert verdict(workspace).new == Place("src/two.py", Span(12, 12))


def test_a_name_that_two_definitions_have_decides_nothing(
    workspace: Workspace, repo: Repo, keep: Keep
) -> None:
    """Headings: one of two sections of a name was edited, and the other one is the cited text."""
    repo.write("notes.md", "# Setup\n\nAsk for the first of keys.\n\n# Use\n\nIt is used.\n")
    keep("keys are asked for", "notes.md:1-3")
    repo.write(
        "notes.md",
        "# Setup\n\nNothing to do.\n\n# Setup\n\nAsk for the first of keys.\n\n# Use\n\nIt is used.\n",
    )

    assert verdict(workspace).new == Place("notes.md", Span(5, 7))


def test_what_is_gone_is_shown_where_its_name_leads(workspace: Workspace, repo: Repo, keep: Keep) -> None:
    repo.write("src/two.py", TWO)
    keep("five retries", "src/two.py:2-3")
    repo.write(
        "src/two.py", "import os\n\n\nclass Client(Base):\n    def send(self, *calls):\n        return 2\n"
    )

    assert verdict(workspace).nearest == Place("src/two.py", Span(5, 6))
