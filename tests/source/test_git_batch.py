"""What git says of pins, asked for all at once: the matrix of A31 to A42 in real repositories."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from stilltrue.source import git as git_module
from stilltrue.source.git import Git
from stilltrue.source.git_batch import CommitState, Pin, PinReason, judge_pins
from support.gitshim import GitShim
from support.repo import IDENTITY, Repo

AT_HEAD, UNCHANGED = PinReason.AT_HEAD, PinReason.PATH_UNCHANGED


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return Repo.git(tmp_path / "repo")


def judged(root: Path, *pins: Pin, environment: dict[str, str] | None = None) -> list[PinReason]:
    """The reason for each pin, at the present HEAD of a working tree."""
    git = Git(root, environment or dict(os.environ))
    head = Git(root, os.environ).head()
    assert head is not None
    verdicts = judge_pins(git, head, pins)
    return [verdicts[pin].reason for pin in pins]


def two_commits(repo: Repo) -> tuple[str, str]:
    """Commit 2 changes only b."""
    repo.write("a", "a\n")
    repo.write("b", "b\n")
    first = repo.commit("1")
    repo.write("b", "changed\n")
    return first, repo.commit("2")


def test_a31_the_matrix_of_ancestry(repo: Repo) -> None:
    first, second = two_commits(repo)
    repo.run("checkout", "-q", "-b", "side", first)
    side = repo.commit("side")
    repo.run("checkout", "-q", "main")
    blob, tree = (repo.run("rev-parse", name).strip() for name in ("HEAD:a", "HEAD^{tree}"))
    unknown = "1234567890" * 4

    pins = [Pin(each) for each in (first, second, side, "0" * 40, unknown, "1234567", blob, tree)]

    assert judged(repo.root, *pins) == [
        PinReason.HEAD_MOVED,
        PinReason.AT_HEAD,
        PinReason.DIVERGED,
        *[PinReason.UNKNOWN_COMMIT] * 5,
    ]


def test_a31_only_these_reasons_are_more_than_unresolved(repo: Repo) -> None:
    """Never silently current."""
    first, second = two_commits(repo)
    git = Git(repo.root, os.environ)
    pins = [Pin(second), Pin(first, "a"), Pin(first, "b"), Pin(first), Pin("0" * 40), Pin(first, "none")]

    states = [judge_pins(git, second, pins)[pin].state for pin in pins]

    current, stale, unresolved = CommitState.CURRENT, CommitState.STALE, CommitState.UNRESOLVED
    assert states == [current, current, stale, stale, unresolved, unresolved]


def test_a31_old_commits_are_unknown_in_a_clone_of_depth_one(repo: Repo, tmp_path: Path) -> None:
    first, second = two_commits(repo)
    repo.run("clone", "-q", "--depth=1", repo.root.as_uri(), str(tmp_path / "shallow"))

    found = judged(tmp_path / "shallow", Pin(first), Pin(first, "a"), Pin(second), Pin(second, "a"))

    assert found == [PinReason.UNKNOWN_COMMIT] * 2 + [PinReason.AT_HEAD] * 2


def test_a31_a_commit_beyond_the_cut_of_a_shallow_clone_is_never_current(repo: Repo, tmp_path: Path) -> None:
    """Its object may be there by another way, yet what joined it to HEAD is not."""
    first, _ = two_commits(repo)
    clone = Repo(tmp_path / "shallow")
    repo.run("clone", "-q", "--depth=1", repo.root.as_uri(), str(clone.root))
    repo.run("branch", "old", first)
    clone.run("fetch", "-q", "--depth=1", "origin", "old")

    assert judged(clone.root, Pin(first), Pin(first, "a")) == [PinReason.DIVERGED] * 2


def test_a32_a33_the_path_decides_where_there_is_one(repo: Repo) -> None:
    first, _ = two_commits(repo)

    found = judged(repo.root, Pin(first, "a"), Pin(first, "b"), Pin(first))

    assert found == [PinReason.PATH_UNCHANGED, PinReason.PATH_CHANGED, PinReason.HEAD_MOVED]


def test_a32_modes_kinds_and_deletions_are_changes(repo: Repo) -> None:
    for path in ("mode", "link", "folder", "gone", "below/gone/x", "same/x"):
        repo.write(path, "text\n")
    first = repo.commit("1")
    (repo.root / "mode").chmod(0o755)
    for path in ("link", "folder", "gone", "below/gone/x"):
        (repo.root / path).unlink()
    (repo.root / "link").symlink_to("mode")
    repo.write("folder/x", "text\n")
    repo.write("new/y/z", "made\n")
    repo.commit("2")
    changed = ["mode", "link", "folder", "folder/x", "gone", "below", "below/gone", "below/gone/x", "new/y/z"]

    assert judged(repo.root, *(Pin(first, path) for path in changed)) == [PinReason.PATH_CHANGED] * 9
    assert judged(repo.root, Pin(first, "same"), Pin(first, "same/x")) == [PinReason.PATH_UNCHANGED] * 2


def test_a32_what_was_changed_and_changed_back_is_current(repo: Repo) -> None:
    first, _ = two_commits(repo)
    repo.write("b", "b\n")
    repo.commit("3")

    assert judged(repo.root, Pin(first, "b")) == [PinReason.PATH_UNCHANGED]


@pytest.mark.parametrize("path", ["../x", "/a", "a/", "./a", "a//b", "", ".", "x\0y"])
def test_a34_a_path_that_cannot_be_is_unresolved(repo: Repo, path: str) -> None:
    first, second = two_commits(repo)

    assert judged(repo.root, Pin(first, path), Pin(second, path)) == [PinReason.BAD_PATH] * 2


def test_a35_paths_are_literal_and_from_the_root(repo: Repo) -> None:
    """Also for a git that is started below; `*.py` is a file of that name and no pattern."""
    repo.write("sub/a.py", "1\n")
    repo.write("a.py", "1\n")
    repo.write("*.py", "1\n")
    repo.write(":(glob)a.py", "1\n")
    first = repo.commit("1")
    repo.write("a.py", "2\n")
    repo.commit("2")
    pins = [Pin(first, path) for path in ("a.py", "sub/a.py", "*.py", ":(glob)a.py", "?.py", "[a].py")]
    expected = [PinReason.PATH_CHANGED, *[PinReason.PATH_UNCHANGED] * 3, *[PinReason.PATH_NOT_AT_PIN] * 2]

    assert judged(repo.root, *pins) == expected
    assert judged(repo.root / "sub", *pins) == expected


def test_a36_a_path_that_neither_holds_was_not_verified(repo: Repo) -> None:
    first, second = two_commits(repo)
    pins = [Pin(commit, path) for commit in (first, second) for path in ("nope.txt", "no/such/folder", "a/b")]

    assert judged(repo.root, *pins) == [PinReason.PATH_NOT_AT_PIN] * 6


def test_a37_a_short_pin_of_head_is_current(repo: Repo) -> None:
    first, second = two_commits(repo)

    assert judged(repo.root, Pin(second[:7]), Pin(second[:12], "a"), Pin(first[:7], "b")) == [
        PinReason.AT_HEAD,
        PinReason.AT_HEAD,
        PinReason.PATH_CHANGED,
    ]


def test_a37_an_ambiguous_short_pin_is_unresolved(repo: Repo) -> None:
    """Of some hundred commits two begin alike."""
    stream = "".join(
        f"commit refs/heads/main\ncommitter t <t@localhost> {1_700_000_000 + number} +0000\ndata 2\nok\n"
        for number in range(1500)
    )
    subprocess.run(["git", "-C", str(repo.root), "fast-import", "--quiet"], input=stream.encode(), check=True)
    commits = repo.run("rev-list", "main").split()
    begun = [commit[:4] for commit in commits]
    twice = next(beginning for beginning in begun if begun.count(beginning) > 1)

    assert judged(repo.root, Pin(twice)) == [PinReason.AMBIGUOUS_COMMIT]


@pytest.mark.parametrize(
    "written", ["--help", "HEAD", "main", "abc", "-1234567", "a" * 41, "abcdefg", "", "1234\n"]
)
def test_a37_what_is_no_commit_id_never_reaches_git(repo: Repo, tmp_path: Path, written: str) -> None:
    _, second = two_commits(repo)
    shim = GitShim.made(tmp_path / "shim")

    verdicts = judge_pins(Git(repo.root, shim.environment), second, [Pin(written), Pin(written, "a")])

    assert {each.reason for each in verdicts.values()} == {PinReason.NOT_A_COMMIT_ID}
    assert shim.starts == []


def test_a37_a_branch_that_is_called_like_a_commit_is_none(repo: Repo) -> None:
    first, second = two_commits(repo)
    repo.run("branch", "facade1", first)
    repo.run(*IDENTITY, "tag", "-a", "-m", "x", "decade2", second)

    assert judged(repo.root, Pin("facade1"), Pin("decade2")) == [PinReason.UNKNOWN_COMMIT] * 2


def test_a38_as_many_processes_however_many_pins(repo: Repo, tmp_path: Path) -> None:
    """Fewer than one a commit and path, which is what A38 asks for."""
    repo.write("a/b/c", "0\n")
    commits = [repo.commit("0")]
    for number in range(1, 12):
        repo.write(f"{'d/' * (number % 4)}file{number % 5}", f"{number}\n")
        commits.append(repo.commit(str(number)))
    paths = [f"{'d/' * depth}file{number}" for depth in range(4) for number in range(5)]
    few = [Pin(commits[0], "a/b/c"), Pin(commits[1], "no/such/file"), Pin("0" * 40)]
    many = [*few, *(Pin(commit, path) for commit in commits for path in [*paths, "none/at/all", None])]
    starts = []
    for number, pins in enumerate((few, many)):
        shim = GitShim.made(tmp_path / f"shim{number}")
        judge_pins(Git(repo.root, shim.environment), commits[-1], pins)
        starts.append(len(shim.starts))

    assert len(many) > 250
    assert starts[0] == starts[1] <= 6


def test_a41_a_verdict_can_go_back(repo: Repo) -> None:
    first, second = two_commits(repo)
    assert judged(repo.root, Pin(first, "b")) == [PinReason.PATH_CHANGED]

    repo.run("checkout", "-q", first)  # a detached HEAD, too

    assert judged(repo.root, Pin(first, "b"), Pin(second, "a")) == [PinReason.AT_HEAD, PinReason.DIVERGED]


def test_a42_the_environment_does_not_change_verdicts(repo: Repo, tmp_path: Path) -> None:
    first, second = two_commits(repo)
    other = Repo.git(tmp_path / "other")
    other.commit("other")
    sent = {
        "GIT_DIR": str(other.root / ".git"),
        "GIT_WORK_TREE": str(other.root),
        "GIT_OBJECT_DIRECTORY": str(other.root / ".git/objects"),
        "GIT_SHALLOW_FILE": str(repo.write("shallow", f"{second}\n")),
        "GIT_EXTERNAL_DIFF": "false",
        "GIT_LITERAL_PATHSPECS": "0",
        "GIT_GLOB_PATHSPECS": "1",
    }

    found = judged(repo.root, Pin(first, "a"), Pin(first, "b"), environment={**os.environ, **sent})

    assert found == [PinReason.PATH_UNCHANGED, PinReason.PATH_CHANGED]


@pytest.mark.parametrize("instead", ["exit 127", "exit 129", "exit 1", "echo nonsense", "exec sleep 60"])
def test_a31_a42_a_git_that_fails_or_hangs_leaves_all_unresolved(
    repo: Repo, tmp_path: Path, instead: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, second = two_commits(repo)
    monkeypatch.setattr(git_module, "TIMEOUT_SECONDS", 0.3)
    shim = GitShim.made(tmp_path / "shim", instead=instead)

    found = judged(repo.root, Pin(second), Pin(second, "a"), Pin("1" * 40), environment=shim.environment)

    assert found == [PinReason.GIT_FAILED] * 3
    assert shim.starts


@pytest.mark.parametrize(
    ("failing", "expected"),
    [
        ("cat-file", [PinReason.GIT_FAILED] * 5),
        ("rev-list", [AT_HEAD, AT_HEAD, *[PinReason.GIT_FAILED] * 3]),
        ("diff-tree", [AT_HEAD, *[PinReason.GIT_FAILED] * 2, PinReason.HEAD_MOVED, PinReason.DIVERGED]),
        ("rev-list 2nd", [AT_HEAD, AT_HEAD, UNCHANGED, PinReason.HEAD_MOVED, PinReason.GIT_FAILED]),
    ],
)
def test_a31_what_only_one_question_could_tell_is_unresolved(
    repo: Repo, tmp_path: Path, failing: str, expected: list[PinReason]
) -> None:
    first, second = two_commits(repo)
    repo.run("checkout", "-q", "-b", "side", first)
    side = repo.commit("side")
    repo.run("checkout", "-q", "main")
    pattern = "*rev-list\\ [0-9a-f]*" if failing.endswith("2nd") else f"*{failing}*"
    real = GitShim.made(tmp_path / "real")
    shim = GitShim.made(
        tmp_path / "shim", instead=f'case "$*" in {pattern}) exit 128;; esac\nexec {real.folder}/git "$@"'
    )

    found = judged(
        repo.root,
        Pin(second),
        Pin(second, "a"),
        Pin(first, "a"),
        Pin(first),
        Pin(side),
        environment=shim.environment,
    )

    assert found == expected


def test_names_with_spaces_letters_and_line_ends(repo: Repo) -> None:
    odd = [
        "with space.txt",
        "ünï/ço dé.txt",
        "line\nend/fi\nle",
        "-dash",
        "tab\there/'quote\"",
        "a\\b/c",
        "Case",
    ]
    for path in odd:
        repo.write(path, "1\n")
        repo.write(f"changed {path}", "1\n")
    first = repo.commit("1")
    for path in odd:
        repo.write(f"changed {path}", "2\n")
    repo.commit("2")

    assert judged(repo.root, *(Pin(first, path) for path in odd)) == [PinReason.PATH_UNCHANGED] * 7
    changed = [Pin(first, f"changed {path}") for path in odd]
    assert judged(repo.root, *changed) == [PinReason.PATH_CHANGED] * 7
    assert judged(repo.root, Pin(first, "case")) == [PinReason.PATH_NOT_AT_PIN]


def test_names_that_are_no_utf8(repo: Repo) -> None:
    name = os.fsencode(repo.root) + b"/caf\xe9"
    Path(os.fsdecode(name)).write_bytes(b"1\n")
    first = repo.commit("1")
    Path(os.fsdecode(name)).write_bytes(b"2\n")
    repo.commit("2")

    assert judged(repo.root, Pin(first, os.fsdecode(b"caf\xe9"))) == [PinReason.PATH_CHANGED]


def test_a_git_that_takes_no_line_ends_in_names_answers_for_the_others(repo: Repo, tmp_path: Path) -> None:
    """Before 2.38 `cat-file` knew no `-z`; such a folder is then unresolved, and nothing else."""
    repo.write("odd\nfolder/x", "1\n")
    repo.write("even/x", "1\n")
    first = repo.commit("1")
    repo.commit("2")
    real = GitShim.made(tmp_path / "real")
    shim = GitShim.made(
        tmp_path / "old", instead=f'case "$*" in *" -z") exit 129;; esac\nexec {real.folder}/git "$@"'
    )

    found = judged(repo.root, Pin(first, "odd\nfolder/x"), Pin(first, "even/x"), environment=shim.environment)

    assert found == [PinReason.OBJECTS_MISSING, PinReason.PATH_UNCHANGED]


def test_a_linked_worktree_has_a_head_of_its_own(repo: Repo, tmp_path: Path) -> None:
    first, second = two_commits(repo)
    repo.run("worktree", "add", "-q", "--detach", str(tmp_path / "tree"), first)

    assert judged(tmp_path / "tree", Pin(first, "b"), Pin(second)) == [PinReason.AT_HEAD, PinReason.DIVERGED]
    assert judged(repo.root, Pin(first, "b"), Pin(second)) == [PinReason.PATH_CHANGED, PinReason.AT_HEAD]


def test_submodules_count_by_their_commit_and_have_their_own_pins(repo: Repo, tmp_path: Path) -> None:
    first, second = two_commits(repo)
    outer = Repo.git(tmp_path / "outer")
    outer.run("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(repo.root), "inner")
    before = outer.commit("at second")
    outer.run("-C", "inner", "checkout", "-q", first)
    outer.run("update-index", "--cacheinfo", f"160000,{first},inner")
    outer.run(*IDENTITY, "commit", "-q", "-m", "at first")
    outer.run("config", "submodule.inner.ignore", "all")
    outer.run("config", "diff.ignoreSubmodules", "all")

    assert judged(outer.root, Pin(before, "inner"), Pin(before, "inner/a")) == [
        PinReason.PATH_CHANGED,
        PinReason.PATH_NOT_AT_PIN,
    ]
    assert judged(outer.root / "inner", Pin(first, "b"), Pin(second)) == [
        PinReason.AT_HEAD,
        PinReason.DIVERGED,
    ]


def test_a_repository_of_sha256(tmp_path: Path) -> None:
    root = tmp_path / "long"
    subprocess.run(["git", "init", "-q", "--object-format=sha256", "-b", "main", str(root)], check=True)
    repo = Repo(root)
    first, second = two_commits(repo)
    pins = [Pin(second), Pin(first), Pin(first, "a"), Pin(first, "b"), Pin(first[:40], "a"), Pin(second[:7])]
    expected = [
        PinReason.AT_HEAD,
        PinReason.HEAD_MOVED,
        PinReason.PATH_UNCHANGED,
        PinReason.PATH_CHANGED,
        PinReason.PATH_UNCHANGED,
        PinReason.AT_HEAD,
    ]

    assert len(first) == 64
    assert judged(root, *pins) == expected
    assert judged(root, Pin("0" * 64), Pin(first, "none/at/all"), Pin("1" * 65)) == [
        PinReason.UNKNOWN_COMMIT,
        PinReason.PATH_NOT_AT_PIN,
        PinReason.NOT_A_COMMIT_ID,
    ]


def test_a_clone_without_blobs_is_judged_and_fetches_none(repo: Repo, tmp_path: Path) -> None:
    repo.write("d/e/f", "1\n")
    first, _ = two_commits(repo)
    repo.run("config", "uploadpack.allowFilter", "true")
    clone = Repo(tmp_path / "partial")
    repo.run("clone", "-q", "--no-checkout", "--filter=blob:none", repo.root.as_uri(), str(clone.root))
    missing = clone.run("rev-list", "--objects", "--all", "--missing=print").count("?")

    found = judged(clone.root, Pin(first, "a"), Pin(first, "b"), Pin(first, "d/e/f"), Pin("1" * 40))

    assert found == [
        PinReason.PATH_UNCHANGED,
        PinReason.PATH_CHANGED,
        PinReason.PATH_UNCHANGED,
        PinReason.UNKNOWN_COMMIT,
    ]
    assert clone.run("rev-list", "--objects", "--all", "--missing=print").count("?") == missing > 0


def test_a_clone_without_trees_is_never_current(repo: Repo, tmp_path: Path) -> None:
    """Nothing is fetched to find out."""
    repo.write("d/e/f", "1\n")
    first, second = two_commits(repo)
    repo.run("config", "uploadpack.allowFilter", "true")
    clone = Repo(tmp_path / "partial")
    repo.run("clone", "-q", "--no-checkout", "--filter=tree:0", repo.root.as_uri(), str(clone.root))

    found = judged(clone.root, Pin(first, "a"), Pin(first, "d/e/f"), Pin(second))

    assert found[2] is PinReason.AT_HEAD
    assert set(found[:2]) <= {PinReason.OBJECTS_MISSING, PinReason.GIT_FAILED}


def test_a_wrong_clock_hides_no_ancestor(repo: Repo) -> None:
    """git's walk down to a commit may stop early where a child is dated long before its parents."""
    dated: list[str] = []
    for number in range(20):
        date = 1_700_000_000 if number == 0 else 1_000_000_000 + number
        repo.run("update-ref", "refs/heads/main", _commit_at(repo, date, dated[-1:]))
        dated.append(repo.run("rev-parse", "main").strip())

    assert judged(repo.root, Pin(dated[0])) == [PinReason.HEAD_MOVED]


def _commit_at(repo: Repo, date: int, parents: list[str]) -> str:
    told = {"GIT_COMMITTER_DATE": f"{date} +0000", "GIT_AUTHOR_DATE": f"{date} +0000"}
    arguments = [*IDENTITY, "commit-tree", "-m", "x", *(f"-p{parent}" for parent in parents)]
    done = subprocess.run(
        ["git", "-C", str(repo.root), *arguments, repo.run("write-tree").strip()],
        env={**os.environ, **told},
        capture_output=True,
        check=True,
        text=True,
    )
    return done.stdout.strip()
