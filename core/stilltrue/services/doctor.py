"""Look whether everything is in order. Creates nothing and mends nothing."""

from __future__ import annotations

import platform
import stat
import sys
from collections.abc import Iterable
from dataclasses import dataclass

from stilltrue import __version__
from stilltrue.citations.languages import LANGUAGES, Language
from stilltrue.citations.parsing import grammar_of
from stilltrue.embeddings import is_installed
from stilltrue.errors import StillTrueError
from stilltrue.ide.wording import harmless
from stilltrue.services import history, housekeeping
from stilltrue.services.workspace import Workspace, user_config_file

PRIVATE = 0o077


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that was looked at.

    Attributes:
        what: Its name.
        value: What was seen.
        problem: What is wrong with it, empty where nothing is.
        hint: How to mend that.
    """

    what: str
    value: str
    problem: str = ""
    hint: str = ""


def examine(workspace: Workspace) -> list[Finding]:
    """Everything that StillTrue depends on, in the order in which it matters."""
    return [
        Finding(what="stilltrue", value=__version__),
        Finding(what="python", value=f"{platform.python_version()} ({sys.executable})"),
        Finding(what="configuration", value=_configuration()),
        *_store(workspace),
        _git(workspace),
        _tree(workspace),
        *_known_as(workspace),
        *_grammars(),
        _embeddings(workspace),
    ]


def report_text(workspace: Workspace) -> str:
    """The findings as plain text, one a line, with problems and hints below."""
    rows: list[str] = []
    for each in examine(workspace):
        rows.append(f"{'!' if each.problem else '✓'} {each.what}: {each.value}")
        rows += [f"    {line}" for line in (each.problem, each.hint) if line]
    return "\n".join(harmless(row) for row in rows) + "\n"


def _configuration() -> str:
    path = user_config_file()
    return str(path) if path.is_file() else f"{path} (none; every setting has its default)"


def _store(workspace: Workspace) -> list[Finding]:
    location = workspace.surroundings.location
    try:
        store = workspace.store_if_any()
        if store is None:
            return [Finding(what="store", value=f"{location.display} (made by the first remember)")]
        with store.reading() as connection:
            version = ".".join(map(str, connection.dialect.server_version_info or ()))
        revision = store.store_revision()
    except StillTrueError as error:
        return [Finding(what="store", value=location.display, problem=error.message, hint=error.hint)]
    found = [
        Finding(what="store", value=f"{location.display}, revision {revision}", problem=store.notice or ""),
        Finding(what="sqlite", value=version),
    ]
    mode = stat.S_IMODE(location.path.stat().st_mode)
    if sys.platform != "win32" and mode & PRIVATE:
        found.append(
            Finding(
                what="store permissions",
                value=f"{mode:04o}",
                problem="others on this machine can read your memories",
                hint=f"chmod 600 {location.display}",
            )
        )
    return found


def _git(workspace: Workspace) -> Finding:
    answer = workspace.git.run("--version")
    if not answer.ok:
        return Finding(
            what="git",
            value="not found",
            problem="commits are not recorded and clones are not recognised",
            hint="install git, or put it on PATH",
        )
    return Finding(what="git", value=answer.output.decode("utf-8", "replace").strip())


def _grammars() -> list[Finding]:
    """Which languages are read; without its grammar a language has no symbols and every change is content."""
    carried, extra = ([each for each in LANGUAGES if each.extra is wanted] for wanted in (False, True))
    lost = _missing(carried)
    found = [
        Finding(
            what="grammars",
            value=_names(each for each in carried if each.name not in lost),
            problem=f"cannot be loaded: {', '.join(lost)}" if lost else "",
            hint="install StillTrue anew" if lost else "",
        )
    ]
    absent = _missing(extra)
    there = _names(each for each in extra if each.name not in absent) or "none"
    value = f"{there}; not there: {', '.join(absent)}" if absent else there
    hint = "pip install 'stilltrue[languages]'" if absent else ""
    return [*found, Finding(what="more grammars", value=value, hint=hint)]


def _missing(languages: list[Language]) -> list[str]:
    return [each.name for each in languages if grammar_of(each) is None]


def _names(languages: Iterable[Language]) -> str:
    return ", ".join(each.name for each in languages)


def _embeddings(workspace: Workspace) -> Finding:
    """Whether recall can go by meaning, too; only its absence where it was asked for is a problem."""
    asked, there = workspace.settings.recall_embeddings, is_installed()
    if asked and not there:
        return Finding(
            what="embeddings",
            value="not installed",
            problem="`recall_embeddings` is on, but recall cannot go by meaning",
            hint="pip install 'stilltrue[embeddings]'",
        )
    state = "installed" if there else "not installed"
    return Finding(what="embeddings", value=f"{state}, {'used' if asked else 'not used'} by fused recall")


def _tree(workspace: Workspace) -> Finding:
    """Where the repository lies, and whether git reads it: it refuses those of other owners, for one."""
    if not workspace.in_git:
        return Finding(what="repository", value=f"{workspace.root} (no git)")
    refuses = workspace.git.run("--version").ok and not workspace.git.run("rev-parse", "--git-dir").ok
    return Finding(
        what="repository",
        value=f"{workspace.root} (git)",
        problem="git refuses to read it, so commits are not recorded" if refuses else "",
        hint="git says why: git status" if refuses else "",
    )


def _known_as(workspace: Workspace) -> list[Finding]:
    """What it is called in the store, and what is remembered of it."""
    found: list[Finding] = []
    try:
        state = housekeeping.look(workspace)
        figures = history.stats(workspace)
    except StillTrueError:
        return found  # the store was reported already
    if state.known:
        keys = ", ".join(f"{kind} {value}" for kind, value in state.known.keys)
        found.append(Finding(what="known as", value=f"{state.known.name} ({state.known.uid}): {keys}"))
        if figures:
            value = f"{figures.current} live, {figures.total} ever recorded"
            found.append(Finding(what="memories", value=value))
    elif state.offered:
        names = ", ".join(f"{each.name} ({each.uid[:13]})" for each in state.offered)
        found.append(
            Finding(
                what="known as",
                value="not yet",
                problem=f"it has the same first commit as {names}",
                hint="if it is the same repository: stilltrue repo link NAME",
            )
        )
    return found
