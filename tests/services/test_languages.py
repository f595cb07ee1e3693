"""Every language that is carried, from recording to verdict, in a real store (E3, E4; D9, D12)."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent

import pytest

from stilltrue.citations.languages import LANGUAGES, language_of
from stilltrue.errors import CitationError
from stilltrue.model.verdict import CitationVerdict, Grade, Reason, Verdict
from stilltrue.services.check import check
from stilltrue.services.recording import parse_spec
from stilltrue.services.remember import Request, remember
from stilltrue.services.workspace import Surroundings, Workspace
from support.repo import Repo

COMMENT, CONTENT = Reason.COMMENT, Reason.TEXT_CHANGED


@dataclass(frozen=True, kw_only=True)
class Sample:
    """A definition in one language, and what may become of it.

    Attributes:
        path: Of its file.
        text: Of its file.
        symbol: The definition's name.
        twin: Text that, put below, makes a second definition of the same name.
        said: What a change of its comment is; languages without a graded comment call it content.
        comment: A comment inside the definition, and another one.
        content: A part of the definition, and another one.
    """

    path: str
    text: str
    symbol: str
    twin: str
    said: Reason
    comment: tuple[str, str]
    content: tuple[str, str]


def sample(
    path: str,
    symbol: str,
    text: str,
    twin: str,
    said: Reason,
    comment: tuple[str, str] = ("the limit", "the very limit"),
    content: tuple[str, str] = ("41", "42"),
) -> Sample:
    return Sample(
        path=path,
        text=dedent(text),
        symbol=symbol,
        twin=twin,
        said=said,
        comment=comment,
        content=content,
    )


BRACES = """\
{head}
  // the limit
  return a < 41;
{tail}
"""

SAMPLES = (
    sample(
        "a.py",
        "Client.send",
        """\
        class Client:
            def send(self, a):
                # the limit
                return a < 41
        """,
        "\n    def send(self, a, b):\n        return a < b\n",
        COMMENT,
    ),
    sample(
        "a.js",
        "within",
        BRACES.format(head="function within(a) {", tail="}"),
        "function within(b) {\n  return b;\n}\n",
        COMMENT,
    ),
    sample(
        "a.ts",
        "within",
        BRACES.format(head="export function within(a: number): boolean {", tail="}"),
        "export function within(a: string): boolean {\n  return !a;\n}\n",
        COMMENT,
    ),
    sample(
        "a.tsx",
        "Limit",
        """\
        export function Limit(a: number) {
          // the limit
          return <b>{a < 41}</b>;
        }
        """,
        "export function Limit(a: string) {\n  return <i>{a}</i>;\n}\n",
        COMMENT,
    ),
    sample(
        "a.go",
        "Client.Within",
        """\
        package a

        func (c *Client) Within(a int) bool {
        \t// the limit
        \treturn a < 41
        }
        """,
        "\nfunc (c *Client) Within(b int) bool {\n\treturn b < 1\n}\n",
        COMMENT,
    ),
    sample(
        "a.rs",
        "within",
        "fn within(a: i32) -> bool {\n    // the limit\n    a < 41\n}\n",
        "#[cfg(test)]\nfn within(b: i32) -> bool {\n    b < 1\n}\n",
        COMMENT,
    ),
    sample(
        "A.java",
        "A.within",
        """\
        class A {
            boolean within(int a) {
                // the limit
                return a < 41;
            }
        }
        """,
        "class A {\n    boolean within(long b) {\n        return b < 1;\n    }\n}\n",
        COMMENT,
    ),
    sample(
        "a.c",
        "within",
        "int within(int a)\n{\n    /* the limit */\n    return a < 41;\n}\n",
        "int within(int b)\n{\n    return b < 1;\n}\n",
        COMMENT,
    ),
    sample(
        "a.cpp",
        "a::within",
        """\
        namespace a {
        bool within(int a)
        {
            // the limit
            return a < 41;
        }
        }
        """,
        "namespace a {\nbool within(long b)\n{\n    return b < 1;\n}\n}\n",
        COMMENT,
    ),
    sample(
        "A.cs",
        "A.Within",
        """\
        class A
        {
            bool Within(int a)
            {
                // the limit
                return a < 41;
            }
        }
        """,
        "class A\n{\n    bool Within(long b)\n    {\n        return b < 1;\n    }\n}\n",
        COMMENT,
    ),
    sample(
        "a.rb",
        "Client.within",
        """\
        class Client
          def within(a)
            # the limit
            a < 41
          end
        end
        """,
        "class Client\n  def within(b)\n    b < 1\n  end\nend\n",
        COMMENT,
    ),
    sample(
        "a.php",
        "Client.within",
        """\
        <?php
        class Client {
            function within($a) {
                // the limit
                return $a < 41;
            }
        }
        """,
        "class Client {\n    function within($b) {\n        return $b < 1;\n    }\n}\n",
        COMMENT,
    ),
    sample(
        "a.sh",
        "within",
        "within() {\n  # the limit\n  [ $1 -lt 41 ]\n}\n",
        "within() {\n  [ $1 -lt 1 ]\n}\n",
        CONTENT,
    ),
    sample(
        "a.md",
        "Limits",
        "# Limits\n\nAt most 41.\n\n<!-- the limit -->\n\nNo more.\n",
        "\n# Limits\n\nOthers.\n",
        CONTENT,
    ),
    sample(
        "a.yaml",
        "retries.most",
        "retries:\n  most:\n    # the limit\n    count: 41\n",
        "---\nretries:\n  most:\n    count: 1\n",
        CONTENT,
    ),
    sample(
        "a.toml",
        "retries",
        "[retries]\n# the limit\ncount = 41\n",
        "\n[retries]\ncount = 1\n",
        COMMENT,
    ),
    sample(
        "a.json",
        "retries",
        '{\n  "retries": {\n    "why": "the limit",\n    "count": 41\n  }\n}\n',
        '{\n  "retries": {\n    "count": 1\n  }\n}\n',
        CONTENT,
    ),
)
EACH = pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: str(sample.path))


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return Repo(tmp_path / "repo")


@pytest.fixture
def workspace(repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    repo.root.mkdir(exist_ok=True)
    return Workspace(repo.root, Surroundings(os.environ, database=str(tmp_path / "memories.db")))


def recorded(workspace: Workspace, repo: Repo, sample: Sample) -> None:
    repo.write(sample.path, sample.text)
    cited = (parse_spec(f"{sample.path}#{sample.symbol}"),)
    remember(workspace, Request(text="There is a limit of 41", citations=cited))


def verdict(workspace: Workspace) -> CitationVerdict:
    (judged,) = check(workspace).memories
    return judged.citations[0].verdict


def test_every_carried_language_has_its_sample() -> None:
    covered = {language.name for each in SAMPLES if (language := language_of(each.path))}
    assert covered == {language.name for language in LANGUAGES if not language.extra}


@EACH
def test_a_definition_is_fresh_while_it_stands(workspace: Workspace, repo: Repo, sample: Sample) -> None:
    recorded(workspace, repo, sample)
    assert verdict(workspace).verdict is Verdict.FRESH
    if sample.path not in {"a.json", "a.php"}:  # whose first line is not any line
        repo.write(sample.path, f"\n{sample.text}")
        assert verdict(workspace).verdict is Verdict.FRESH


@EACH
def test_a_change_of_a_comment_is_graded(workspace: Workspace, repo: Repo, sample: Sample) -> None:
    recorded(workspace, repo, sample)
    assert sample.comment[0] in sample.text
    repo.write(sample.path, sample.text.replace(*sample.comment))
    found = verdict(workspace)
    grade = Grade.COSMETIC if sample.said is COMMENT else Grade.CONTENT
    assert (found.verdict, found.reason, found.grade) == (Verdict.STALE, sample.said, grade)


@EACH
def test_a_change_of_content_is_content(workspace: Workspace, repo: Repo, sample: Sample) -> None:
    recorded(workspace, repo, sample)
    assert sample.content[0] in sample.text
    repo.write(sample.path, sample.text.replace(*sample.content))
    found = verdict(workspace)
    assert (found.verdict, found.reason, found.grade) == (Verdict.STALE, CONTENT, Grade.CONTENT)


@EACH
def test_of_two_definitions_none_is_taken(workspace: Workspace, repo: Repo, sample: Sample) -> None:
    """E4, K24: ambiguous is broken, and what is ambiguous cannot be recorded."""
    recorded(workspace, repo, sample)
    repo.write(sample.path, sample.text + sample.twin)
    found = verdict(workspace)
    assert (found.verdict, found.reason) == (Verdict.STALE, Reason.SYMBOL_AMBIGUOUS)
    assert len(found.candidates) == 2
    with pytest.raises(CitationError):
        remember(workspace, Request(text="x", citations=(parse_spec(f"{sample.path}#{sample.symbol}"),)))
