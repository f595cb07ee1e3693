"""The browser that shows the windows: the machine's Chromium, without a screen."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, expect, sync_playwright

from e2e.vscode import install

PATIENCE_MS = 20_000
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--lang=en-US",
)


@contextmanager
def chromium() -> Iterator[Browser]:
    """A running browser; there may be one at a time in a process."""
    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=install.browser(), args=ARGUMENTS)
        try:
            yield browser
        finally:
            browser.close()
