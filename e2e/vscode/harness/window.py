"""A window of VS Code: everything around the editor. Every wait is for a condition, with a bound."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Error, Locator, Page, expect

from e2e.vscode.harness.browser import PATIENCE_MS
from e2e.vscode.harness.editor import SHORT_MS, Editor
from support.waiting import PATIENCE, until

START_MS = 60_000
QUICK = ".quick-input-widget:not([style*='display: none'])"
TITLE = f"{QUICK} .quick-input-title"
MESSAGE = f"{QUICK} .quick-input-message"
STATUS = "stilltrue.stilltrue.status"
VIEW = "StillTrue"


class Window:
    """One window.

    Attributes:
        page: The page it is shown in.
        editor: The text editor that has the focus.
    """

    def __init__(self, page: Page) -> None:
        page.set_default_timeout(PATIENCE_MS)
        self.page = page
        self.editor = Editor(page, self.quick_input)

    def wait_until_ready(self, *, with_editor: bool) -> None:
        """Come back when a person could begin to work."""
        self.page.locator(".monaco-workbench").wait_for(timeout=START_MS)
        if with_editor:
            self.editor.root.wait_for(timeout=START_MS)
            self.item("status.editor.selection").wait_for()
        else:
            self.page.locator(".explorer-folders-view .monaco-list-row").first.wait_for(timeout=START_MS)

    def until(self, look: Callable[[], object], what: str, patience: float = PATIENCE) -> None:
        """Wait until `look` is true, by the page's own clock: its events arrive meanwhile."""

        def looked() -> object:
            self.page.wait_for_timeout(20)
            try:
                return look()
            except Error:
                return None  # a part that is being drawn anew; the bound still holds

        until(looked, what, patience)

    def shot(self, file: Path) -> None:
        """Save what the window shows."""
        file.parent.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=file, animations="disabled")

    def close(self) -> None:
        """Close the window as a person does: it may say good-bye to its server."""
        self.page.goto("about:blank")
        self.page.context.close()

    @property
    def quick_input(self) -> Locator:
        """The input of the palette, of an input box, of a pick."""
        return self.page.locator(f"{QUICK} .quick-input-box input")

    @property
    def quick_rows(self) -> Locator:
        """What the palette or a pick offers."""
        return self.page.locator(f"{QUICK} .quick-input-list .monaco-list-row")

    def command(self, title: str) -> None:
        """Run a command by its title in the palette, such as `StillTrue: Show Logs`."""
        label = self.page.locator(".label-name", has_text=re.compile(rf"^{re.escape(title)}$", re.IGNORECASE))
        row = self.quick_rows.filter(has=label).first

        def offered() -> bool:
            # a part of the window that takes the focus closes the palette: open it again
            self.page.keyboard.press("F1")
            try:
                self.quick_input.fill(f">{title}", timeout=SHORT_MS)
                row.wait_for(timeout=SHORT_MS)
            except Error:
                return False
            return True

        until(offered, f"the palette offers {title}")
        row.click()

    def answer(self, text: str, *, title: str | None = None) -> None:
        """Type into the input box that is open, and confirm."""
        if title:
            self.page.locator(TITLE, has_text=title).wait_for()
        self.quick_input.wait_for()
        self.quick_input.fill(text)
        self.page.keyboard.press("Enter")
        self.quick_input.wait_for(state="hidden")

    def message(self, text: str) -> Locator:
        """What the input box says below its text."""
        return self.page.locator(MESSAGE, has_text=text)

    def context_menu(self, title: str) -> None:
        """Choose from the editor's context menu by the beginning of a title."""
        self.editor.focus()
        self.page.keyboard.press("Shift+F10")
        item = self.page.locator(".monaco-menu li.action-item", has_text=title)
        item.hover()
        expect(item).to_have_class(re.compile(r"\bfocused\b"))
        self.page.keyboard.press("Enter")
        item.wait_for(state="hidden")

    @property
    def diff(self) -> Locator:
        """The diff editor."""
        return self.page.locator(".editor-group-container.active .monaco-diff-editor")

    def diff_side(self, side: str) -> Locator:
        """One side of it: `original` or `modified`."""
        return self.diff.locator(f".editor.{side} .view-lines")

    def item(self, name: str) -> Locator:
        """An item of the status bar."""
        return self.page.locator(f'.statusbar-item[id="{name}"]')

    @property
    def status(self) -> Locator:
        """StillTrue's item of the status bar."""
        return self.item(STATUS)

    @property
    def problems(self) -> Locator:
        """The rows of the Problems view, which must be shown."""
        return self.page.locator(".markers-panel .monaco-list-row")

    def show_problems(self) -> None:
        self.command("Problems: Focus on Problems View")
        self.page.locator(".markers-panel").wait_for()

    def hide_panel(self) -> None:
        """Close the panel with Problems and Output, if it is open."""
        panel = self.page.locator(".part.panel")
        if panel.is_visible():
            self.command("View: Hide Panel")
            panel.wait_for(state="hidden")

    def revert_all(self) -> None:
        """Close all editors; what was not saved is lost."""
        tab = self.page.locator(".editor-group-container .tab")
        for _ in range(tab.count()):
            self.command("View: Revert and Close Editor")
        expect(tab).to_have_count(0)

    def show_memories(self) -> None:
        """Show the tree view through its icon in the activity bar."""
        link = self.page.locator(f'a[aria-label^="{VIEW}"]')
        # the badge lies over the link and would take the click
        tab = self.page.locator(".activitybar li.action-item", has=link)
        tab.wait_for()
        if "checked" not in (tab.get_attribute("class") or "").split():
            tab.click()
        self.page.locator(".sidebar .composite.title h2", has_text=re.compile(VIEW, re.IGNORECASE)).wait_for()

    @property
    def memories(self) -> Locator:
        """The rows of the tree view that are in sight."""
        return self.page.locator(".sidebar .customview-tree .monaco-list-row")

    def expand(self, group: str) -> None:
        """Open a group of the tree view."""
        row = self.memories.filter(has_text=group).first
        row.wait_for()
        if row.get_attribute("aria-expanded") == "false":
            row.click()
            expect(row).to_have_attribute("aria-expanded", "true")

    @property
    def toasts(self) -> Locator:
        """The messages at the lower right."""
        return self.page.locator(".notifications-toasts .notification-toast")

    def press_button(self, toast: str, button: str) -> None:
        """Answer a message."""
        found = self.toasts.filter(has_text=toast)
        found.locator(".monaco-button", has_text=button).click()
        found.wait_for(state="hidden")

    def dismiss_messages(self) -> None:
        """Clear the messages, if there are any."""
        if self.toasts.count():
            self.command("Notifications: Clear All Notifications")
            expect(self.toasts).to_have_count(0)

    def rename_in_explorer(self, name: str, new: str) -> None:
        """Rename a file that the Explorer shows, by F2."""
        self.command("File: Reveal Active File in Explorer View")
        row = self.page.locator(".explorer-folders-view .monaco-list-row", has_text=name)
        row.first.click()
        self.page.keyboard.press("F2")
        field = self.page.locator(".explorer-folders-view .monaco-inputbox input")
        field.wait_for()
        field.fill(new)
        field.press("Enter")
        field.wait_for(state="hidden")
