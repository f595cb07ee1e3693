#!/usr/bin/env python3
"""Draw `media/icon.png` from `media/logo.svg`, in a browser that is installed.

python draw_icon.py
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

MEDIA = Path(__file__).resolve().parent / "media"
SIZE = 256
BROWSERS = ("chromium-headless-shell", "chromium", "google-chrome")


def main() -> None:
    """Draw it, with the background left transparent."""
    browser = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    if browser is None:
        sys.exit(f"no browser found; one of {', '.join(BROWSERS)} is needed")
    drawing = (
        (MEDIA / "logo.svg").read_text("utf-8").replace("<svg ", f'<svg width="{SIZE}" height="{SIZE}" ', 1)
    )
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox"])
        page = started.new_page(viewport={"width": SIZE, "height": SIZE})
        page.set_content(f"<style>body{{margin:0}}</style>{drawing}")
        page.screenshot(path=MEDIA / "icon.png", omit_background=True)
        started.close()


if __name__ == "__main__":
    main()
