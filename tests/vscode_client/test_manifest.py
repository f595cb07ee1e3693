"""The extension's manifest says what the server and the sources say (F40, F41)."""

from __future__ import annotations

import json
import re
import runpy
import sys
from pathlib import Path
from typing import Any

import pytest

from stilltrue_lsp.requests import ClientCommand, Command

CLIENT = Path(__file__).resolve().parents[2] / "vscode-client"
SOURCES = CLIENT / "src"

OFFERED = {
    Command.REVERIFY: "stilltrue.memory.reverify",
    Command.SUPERSEDE: "stilltrue.memory.supersede",
    Command.REPOINT: "stilltrue.memory.repoint",
    Command.RETRACT: "stilltrue.memory.retract",
    Command.REMEMBER: "stilltrue.rememberSelection",
    Command.UNDO: "stilltrue.undoLast",
    Command.SNOOZE: "stilltrue.memory.snooze",
    Command.USED: "stilltrue.memory.used",
    Command.RIGHT: "stilltrue.memory.right",
    Command.WRONG: "stilltrue.memory.wrong",
    Command.SHOW_CHANGE: "stilltrue.memory.showChange",
    Command.SHOW_HISTORY: "stilltrue.memory.showHistory",
    Command.CHECK: "stilltrue.checkWorkspace",
    Command.IMPORT: "stilltrue.importMemories",
    Command.DOCTOR: "stilltrue.copyDebugInformation",
}
"""By which command of the palette a person reaches each command of the server."""

INTERNAL = {Command.LIST: "it fills the view, and the choice of a memory"}
"""What no person calls, with the reason."""


@pytest.fixture(scope="module")
def manifest() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((CLIENT / "package.json").read_text("utf-8"))
    return found


@pytest.fixture(scope="module")
def sources() -> str:
    return "\n".join(path.read_text("utf-8") for path in sorted(SOURCES.glob("*.ts")))


@pytest.fixture(scope="module")
def contributed(manifest: dict[str, Any]) -> set[str]:
    return {each["command"] for each in manifest["contributes"]["commands"]}


@pytest.fixture(scope="module")
def registered(sources: str) -> set[str]:
    """Every command that the sources register, as `registerCommands` writes them."""
    whole = re.findall(r'(?:register|needing)\(\s*"(stilltrue\.[\w.]+)"', sources)
    of_a_memory = re.findall(r'\b(?:one|many)\("(\w+)"', sources)
    return {*whole, *(f"stilltrue.memory.{name}" for name in of_a_memory)}


def test_f40_settings_and_version_are_those_declared(manifest: dict[str, Any]) -> None:
    """Renew with: python vscode-client/manifest.py."""
    generated = runpy.run_path(str(CLIENT / "manifest.py"))["generated"]

    assert generated(manifest) == manifest


def test_every_setting_has_a_type_a_default_a_scope_and_a_description(manifest: dict[str, Any]) -> None:
    properties = manifest["contributes"]["configuration"]["properties"]

    assert properties
    for name, value in properties.items():
        assert {"type", "default", "scope", "markdownDescription"} <= value.keys(), name
        assert name.startswith("stilltrue.")


def test_what_chooses_a_program_is_restricted_in_a_folder_that_is_not_trusted(
    manifest: dict[str, Any],
) -> None:
    properties = manifest["contributes"]["configuration"]["properties"]
    trust = manifest["capabilities"]["untrustedWorkspaces"]

    assert trust["supported"] == "limited"
    machine = {name for name, value in properties.items() if value["scope"].startswith("machine")}
    assert set(trust["restrictedConfigurations"]) == machine == {"stilltrue.interpreter", "stilltrue.path"}


def test_f41_every_command_of_the_server_is_offered_or_internal_for_a_reason(contributed: set[str]) -> None:
    assert set(OFFERED) | set(INTERNAL) == set(Command)
    assert not set(OFFERED) & set(INTERNAL)
    assert set(OFFERED.values()) <= contributed


def test_f41_the_sources_name_the_commands_of_the_server_and_no_others() -> None:
    protocol = (SOURCES / "protocol.ts").read_text("utf-8")
    table = re.search(r"export const SERVER = \{(.*?)\}", protocol, re.DOTALL)
    prompts = re.search(r"export const PROMPT = \{(.*?)\}", protocol, re.DOTALL)

    assert table is not None
    assert prompts is not None
    assert set(re.findall(r'"(.*?)"', table[1])) == {str(each) for each in Command}
    assert set(re.findall(r'"(.*?)"', prompts[1])) == {str(each) for each in ClientCommand}


def test_every_contributed_command_is_registered_and_every_registered_one_contributed(
    contributed: set[str], registered: set[str]
) -> None:
    assert contributed == registered


def test_the_client_registers_no_command_that_the_server_brings(registered: set[str]) -> None:
    """The language client registers the server's commands by itself; a second registration fails."""
    assert not registered & {str(each) for each in Command}


def test_menus_welcome_views_and_walkthrough_name_commands_that_exist(
    manifest: dict[str, Any], contributed: set[str]
) -> None:
    contributes = manifest["contributes"]
    in_menus = {entry["command"] for menu in contributes["menus"].values() for entry in menu}
    texts = json.dumps([contributes["viewsWelcome"], contributes["walkthroughs"]])
    linked = set(re.findall(r"command:(stilltrue\.[\w.]+)", texts))
    awaited = set(re.findall(r"onCommand:(stilltrue\.[\w.]+)", texts))

    assert in_menus <= contributed
    assert linked - {"stilltrue.memories.focus"} <= contributed
    assert awaited <= contributed


def test_the_files_the_manifest_names_are_there(manifest: dict[str, Any]) -> None:
    contributes = manifest["contributes"]
    named = [
        manifest["icon"],
        *(each["icon"] for each in contributes["viewsContainers"]["activitybar"]),
        *(step["media"]["markdown"] for each in contributes["walkthroughs"] for step in each["steps"]),
        "README.md",
        "CHANGELOG.md",
        "LICENSE",
    ]

    assert [name for name in named if not (CLIENT / name).read_bytes().strip()] == []


def test_the_lock_file_names_no_address() -> None:
    assert "resolved" not in (CLIENT / "package-lock.json").read_text("utf-8")


def test_the_licence_is_that_of_the_project() -> None:
    assert (CLIENT / "LICENSE").read_bytes() == (CLIENT.parent / "LICENSE").read_bytes()


def test_the_server_is_launched_with_nothing_of_the_working_directory(tmp_path: Path) -> None:
    """What lies where the server is started is not imported, and what lies beside the launcher is."""
    import subprocess  # noqa: PLC0415 - one test starts a process

    (tmp_path / "bundled" / "libraries" / "stilltrue_lsp").mkdir(parents=True)
    (tmp_path / "bundled" / "launch.py").write_bytes((CLIENT / "launch.py").read_bytes())
    package = tmp_path / "bundled" / "libraries" / "stilltrue_lsp"
    (package / "__init__.py").write_text("")
    (package / "__main__.py").write_text("import logging, sys; print(logging.__file__, sys.argv[1:])")
    (tmp_path / "logging.py").write_text("raise SystemExit('the workspace was imported')")

    done = subprocess.run(
        [sys.executable, "-I", "bundled/launch.py", "--log-level", "debug"],
        cwd=tmp_path,
        env={"PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )

    assert str(tmp_path) not in done.stdout
    assert done.stdout.strip().endswith("['--log-level', 'debug']")
