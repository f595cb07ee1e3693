"""The text editor of a window: lines, squiggles, hovers, quick fixes."""

from __future__ import annotations

import re

from playwright.sync_api import Error, Locator, Page, expect

from support.waiting import until

SHORT_MS = 3000
LINES_IN_ORDER = """lines => lines
    .map(line => [parseFloat(line.style.top), line.textContent])
    .sort((one, other) => one[0] - other[0])
    .map(line => line[1]).join("\\n")"""
NO_BREAK_SPACE = "\u00a0"


class Editor:
    """The active text editor."""

    def __init__(self, page: Page, quick_input: Locator) -> None:
        self._page = page
        self._quick_input = quick_input

    @property
    def root(self) -> Locator:
        return self._page.locator(
            ".editor-group-container.active .editor-instance .monaco-editor:not(.rename-box)"
        ).first

    @property
    def text(self) -> str:
        """The lines in sight."""
        found: str = self.root.locator(".view-line").evaluate_all(LINES_IN_ORDER)
        return found.replace(NO_BREAK_SPACE, " ")

    def line(self, text: str) -> Locator:
        return self.root.locator(".view-line", has_text=text).first

    def squiggles(self, kind: str = "warning") -> Locator:
        return self.root.locator(f".squiggly-{kind}")

    @property
    def light_bulb(self) -> Locator:
        return self.root.locator(".lightBulbWidget, [class*='codicon-gutter-lightbulb']").first

    @property
    def actions(self) -> Locator:
        """The rows of the quick fix menu."""
        return self._page.locator(".action-widget .monaco-list-row.action")

    @property
    def lenses(self) -> Locator:
        """Those in sight: VS Code keeps hidden ones, with the text of when the file was last open."""
        return self.root.locator(".codelens-decoration").filter(visible=True)

    @property
    def tab(self) -> Locator:
        return self._page.locator(".editor-group-container.active .tab.active")

    def focus(self) -> None:
        self.root.locator(".native-edit-context, textarea.inputarea").first.focus()

    def open(self, path: str) -> None:
        """Open a file of the folder by its path."""
        name = path.rsplit("/", maxsplit=1)[-1]
        self._page.keyboard.press("Control+p")
        self._quick_input.wait_for()
        self._quick_input.fill(path)
        self._page.locator(f'.quick-input-list .monaco-list-row[aria-label^="{name}"]').first.click()
        expect(self.tab).to_contain_text(name)
        self.root.wait_for()

    def go_to(self, line: int, column: int = 1) -> None:
        """Place the cursor, both 1-based."""
        self.focus()
        self._page.keyboard.press("Control+g")
        self._quick_input.wait_for()
        self._quick_input.fill(f":{line}:{column}")
        self._page.keyboard.press("Enter")
        self._quick_input.wait_for(state="hidden")
        item = self._page.locator('.statusbar-item[id="status.editor.selection"]')
        expect(item).to_contain_text(f"Ln {line}, Col {column}")

    def replace_line(self, line: int, text: str) -> None:
        """Type a line anew; its indentation stays. The file is not saved."""
        self.go_to(line)
        self._page.keyboard.press("Home")
        self._page.keyboard.press("Shift+End")
        self._page.keyboard.type(text)
        self.line(text).wait_for()

    def select_lines(self, start: int, end: int) -> None:
        """Select whole lines, both 1-based and inclusive."""
        self.go_to(start)
        for _ in range(end - start):
            self._page.keyboard.press("Shift+ArrowDown")
        self._page.keyboard.press("Shift+End")
        expect(self._page.locator('.statusbar-item[id="status.editor.selection"]')).to_contain_text(
            "selected"
        )

    def save(self) -> None:
        self._page.keyboard.press("Control+s")
        expect(self.tab).not_to_have_class(re.compile(r"\bdirty\b"))

    def hover(self, text: str, *wanted: str) -> Locator:
        """Rest the mouse on `text`; the hover once it holds every `wanted`: its parts come one by one."""
        found = self._page.locator(".monaco-hover:not(.hidden) .hover-contents")

        def shown() -> bool:
            box = self.line(text).locator("span > span", has_text=text).first.bounding_box()
            if box is None:
                return False
            middle = box["y"] + box["height"] / 2
            # a text drawn anew cancels a hover that was about to show: move away and come again
            self._page.mouse.move(box["x"] + 2, middle + box["height"] * 4, steps=2)
            self._page.mouse.move(box["x"] + min(30, box["width"] / 2), middle, steps=4)
            try:
                for part in wanted:
                    found.filter(has_text=part).first.wait_for(timeout=SHORT_MS)
            except Error:
                return False
            return True

        until(shown, f"a hover with {wanted}")
        return found

    def unhover(self) -> None:
        self._page.keyboard.press("Escape")
        self._page.mouse.move(640, 5)

    def open_quick_fix(self, line: int, column: int = 1) -> list[str]:
        """Press Ctrl+. at a place, which must have its squiggle by now; the titles offered."""
        self.go_to(line, column)

        def opened() -> bool:
            self.focus()
            self._page.keyboard.press("Control+.")
            try:
                self.actions.first.wait_for(timeout=SHORT_MS)
            except Error:
                return False
            return True

        until(opened, "the quick fix menu")
        return [each.strip() for each in self.actions.all_inner_texts()]

    def quick_fix(self, line: int, title: str) -> None:
        """Choose from the quick fix menu by the beginning of a title."""
        self.open_quick_fix(line)
        self.actions.filter(has_text=title).first.click()
        self.actions.first.wait_for(state="hidden")
