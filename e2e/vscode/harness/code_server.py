"""One code-server: VS Code's server and extension host, on a loopback port of its own, with its own homes."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import uuid
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.parse import quote

from playwright.sync_api import Browser

from e2e.vscode import install
from e2e.vscode.harness.processes import MARK, language_servers, marked
from e2e.vscode.harness.window import Window
from support.waiting import until

SETTINGS = Path(__file__).with_name("settings.json")
LISTENING = re.compile(r"HTTP server listening on http://127\.0\.0\.1:(\d+)")
HOMES = ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME")
INHERITED_BUT_UNWANTED = (
    "VSCODE_IPC_HOOK_CLI",
    "PORT",
    "PASSWORD",
    "STILLTRUE_DB",
    "VIRTUAL_ENV",
    "PYTHONPATH",
)
OF_MACHINE = frozenset({"stilltrue.interpreter", "stilltrue.path"})
"""Settings that VS Code takes from the machine that it works on, when its window is on another one."""
EXTENSION_HOST = "--type=extensionHost"
FLAGS = (
    "--auth=none",
    "--bind-addr=127.0.0.1:0",
    "--disable-telemetry",
    "--disable-update-check",
    "--disable-getting-started-override",
    "--reconnection-grace-time=2",  # a closed window is gone, as it is on a desktop
)


def base_python() -> Path:
    """The interpreter below the virtual environment: without our packages, so the bundle must bring them."""
    return Path(sys.base_prefix) / "bin" / "python3"


def program_folder(folder: Path, *programs: str | Path) -> Path:
    """A folder for PATH that holds just these programs, as links."""
    folder.mkdir(parents=True)
    for program in programs:
        found = shutil.which(str(program))
        assert found, program
        (folder / Path(program).name).symlink_to(found)
    return folder


class CodeServer:
    """A running code-server.

    Attributes:
        folder: Everything it writes lies below; short, because unix sockets lie there, too.
        environment: What it and everything it starts gets.
        mark: Finds its processes, see `processes`.
    """

    def __init__(
        self,
        browser: Browser,
        extensions: Path,
        *,
        settings: Mapping[str, Any] | None = None,
        environment: Mapping[str, str] | None = None,
        trust: bool = True,
    ) -> None:
        self._browser = browser
        self._extensions = extensions
        self._flags = (*FLAGS, "--disable-workspace-trust") if trust else FLAGS
        self.folder = Path(tempfile.mkdtemp(prefix="st-"))
        self.mark = uuid.uuid4().hex
        self.environment = _environment(self.folder, self.mark, environment or {})
        self._settings = {
            **json.loads(SETTINGS.read_text("utf-8")),
            "security.workspace.trust.enabled": not trust,
        }
        self.configure(**(settings or {}))

    def configure(self, **settings: Any) -> None:  # noqa: ANN401 - any JSON value
        """Set a person's settings, by name with dots; None removes one. A running window follows."""
        self._settings = {k: v for k, v in {**self._settings, **settings}.items() if v is not None}
        for home, names in (("Machine", OF_MACHINE), ("User", self._settings.keys() - OF_MACHINE)):
            written = {name: value for name, value in self._settings.items() if name in names}
            _write(self.folder / "user" / home / "settings.json", written)

    def __enter__(self) -> Self:
        # pdeathsig: a pytest that is killed leaves no server behind
        guard = [shutil.which("setpriv") or "setpriv", "--pdeathsig", "TERM"]
        with (self.folder / "server.log").open("wb") as log:
            self._process = subprocess.Popen(
                [*guard, *command(self.folder / "user", self._extensions), *self._flags],
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        try:
            self.port = until(self._listening, "code-server listens")
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def open(self, folder: Path, file: str | None = None) -> Window:
        """A window on a folder, ready for use; `file` is a path below it, with `:LINE:COLUMN` or without."""
        payload = [["skipWelcome", "true"], ["skipReleaseNotes", "true"]]
        if file:
            place = f"vscode-remote://127.0.0.1:{self.port}{quote(str(folder / file))}"
            payload += [["openFile", place], ["gotoLineMode", "true"]]
        query = f"folder={quote(str(folder))}&payload={quote(json.dumps(payload))}"
        context = self._browser.new_context(viewport={"width": 1280, "height": 800}, locale="en-US")
        window = Window(context.new_page())
        window.page.goto(f"http://127.0.0.1:{self.port}/?{query}", timeout=60_000)
        window.wait_until_ready(with_editor=file is not None)
        return window

    def language_servers(self) -> list[int]:
        """The ids of the StillTrue servers that run."""
        return language_servers(self.mark)

    def processes(self) -> dict[int, str]:
        """Everything that runs because of this code-server, by process id, with command lines."""
        return marked(self.mark)

    def extension_hosts(self) -> list[int]:
        """The ids of the processes that extensions run in: one for each open window."""
        return [process for process, command in self.processes().items() if EXTENSION_HOST in command]

    def channel(self, name: str) -> str:
        """What an output channel of an extension holds; empty where there is none yet."""
        files = sorted((self.folder / "user/logs").rglob(f"exthost*/**/{name}.log"))
        return "".join(file.read_text("utf-8", errors="replace") for file in files)

    def close(self) -> None:
        """End it, wait until nothing of it is left (what is left still writes), then delete its folder."""
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
        try:
            until(lambda: self._process.poll() is not None, "code-server ends")
            until(lambda: not self.processes(), "what code-server started ends")
        finally:
            for process in self.processes():
                with contextlib.suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)
            self._process.wait(10)
            shutil.rmtree(self.folder, ignore_errors=True)

    def _listening(self) -> int | None:
        told = (self.folder / "server.log").read_text("utf-8", errors="replace")
        assert self._process.poll() is None, told
        found = LISTENING.search(told)
        return int(found[1]) if found else None


def command(user: Path, extensions: Path) -> list[str]:
    """The command line of code-server with its two folders."""
    return [
        str(install.node()),
        str(install.entry()),
        f"--user-data-dir={user}",
        f"--extensions-dir={extensions}",
    ]


def install_extension(vsix: Path, folder: Path) -> Path:
    """Install a VSIX as a person would; the folder of extensions it is in."""
    extensions = folder / "extensions"
    environment = _environment(folder, "installing", {})
    done = subprocess.run(
        [*command(folder / "user", extensions), "--install-extension", str(vsix)],
        env=environment,
        capture_output=True,
        text=True,
        timeout=90,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "successfully installed" in done.stdout, done.stdout + done.stderr
    return extensions


def _write(file: Path, settings: Mapping[str, Any]) -> None:
    text = json.dumps(settings, indent=2)
    if file.exists() and file.read_text("utf-8") == text:
        return
    file.parent.mkdir(parents=True, exist_ok=True)
    whole = file.with_suffix(".new")
    whole.write_text(text, "utf-8")
    whole.replace(file)  # nobody reads a part


def _environment(folder: Path, mark: str, more: Mapping[str, str]) -> dict[str, str]:
    home = folder / "home"
    short = folder / "t"
    for each in (home, short):
        each.mkdir(parents=True, exist_ok=True)
    programs = (base_python().parent, Path("/usr/local/bin"), Path("/usr/bin"), Path("/bin"))
    made = {
        **os.environ,
        **{name: str(home / name.removeprefix("XDG_").lower()) for name in HOMES},
        "HOME": str(home),
        "XDG_RUNTIME_DIR": str(short),
        "TMPDIR": str(short),
        "PATH": os.pathsep.join(str(each) for each in programs),
        "VSCODE_CLI": "1",  # else a login shell is asked for another PATH
        "EXTENSIONS_GALLERY": '{"serviceUrl":""}',  # else a marketplace is asked at each start
        "GIT_CONFIG_GLOBAL": os.devnull,
        MARK: mark,
        **more,
    }
    for name in INHERITED_BUT_UNWANTED:
        if name not in more:
            made.pop(name, None)
    return made
