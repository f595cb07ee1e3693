"""What the tests in a real VS Code share: the extension installed once, one browser, screenshots."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from e2e.vscode import install
from e2e.vscode.harness.bench import CITED, USAGE, Bench
from e2e.vscode.harness.browser import chromium
from e2e.vscode.harness.code_server import CodeServer, install_extension
from e2e.vscode.harness.gallery import Gallery
from e2e.vscode.harness.project import Project

CHECKOUT = Path(__file__).parents[2]
CLIENT = CHECKOUT / "vscode-client"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--vsix", type=Path, help="the extension; else the newest of vscode-client/dist")
    parser.addoption("--renew-images", action="store_true", help="renew the pictures in vscode-client/images")


@pytest.fixture(scope="session")
def vsix(request: pytest.FixtureRequest) -> Path:
    given: Path | None = request.config.getoption("--vsix")
    made = [given] if given else sorted(CLIENT.glob("dist/*.vsix"), key=lambda file: file.stat().st_mtime)
    assert made, "there is no VSIX in vscode-client/dist: package the extension first"
    return made[-1].resolve()


@pytest.fixture(scope="session")
def extensions(vsix: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of extensions with StillTrue in it."""
    install.install()
    return install_extension(vsix, tmp_path_factory.mktemp("installed"))


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with chromium() as running:
        yield running


@pytest.fixture(scope="session")
def gallery(request: pytest.FixtureRequest) -> Gallery:
    renew = bool(request.config.getoption("--renew-images"))
    return Gallery(
        folder=Path(os.environ.get("SCREENSHOTS") or CHECKOUT / "build" / "screenshots"),
        images=CLIENT / "images" if renew else None,
    )


@pytest.fixture(scope="session")
def open_bench(browser: Browser, extensions: Path) -> Iterator[Bench]:
    """One window for many tests: it costs as much as ten of them."""
    server = CodeServer(browser, extensions, settings={"stilltrue.display": "lens"})
    project = Project.of_click(server.folder / "click", server.environment)
    cited = {text: project.line(path, pattern) for text, (path, pattern) in CITED.items()}
    for text, line in cited.items():
        project.remember(text, line.place)
    with server:
        first = cited[USAGE]
        window = server.open(project.root, f"{first.place}:1")
        yield Bench(server, project, window, cited)
        window.close()


@pytest.fixture
def bench(open_bench: Bench, gallery: Gallery, request: pytest.FixtureRequest) -> Iterator[Bench]:
    """The window without anything that an earlier test left in it."""
    open_bench.reset()
    failed = request.session.testsfailed
    yield open_bench
    if request.session.testsfailed > failed:
        gallery.take(open_bench.window, f"failed-{request.node.name}")
