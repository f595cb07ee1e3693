"""The view of all memories, remembering, and what happens outside the editor."""

from __future__ import annotations

import time

from playwright.sync_api import expect

from e2e.vscode.harness.bench import FORMATTING, GLOBALS, THREAD, WRAP, Bench
from e2e.vscode.harness.gallery import Gallery
from e2e.vscode.harness.processes import kill


def test_f38_the_view_follows_and_leads_to_the_lines(bench: Bench, gallery: Gallery) -> None:
    window = bench.window
    bench.edit(WRAP, "78", "72")
    window.show_memories()
    row = window.memories.filter(has_text=WRAP)
    expect(row).to_have_count(1)
    expect(window.memories.filter(has_text="formatting.py").first).to_be_visible()
    expect(window.status).to_contain_text("1 stale")
    gallery.take(window, "memories")

    window.editor.go_to(1)
    row.click()
    expect(window.item("status.editor.selection")).to_contain_text(f"Ln {bench.cited[WRAP].number}")

    window.editor.replace_line(bench.cited[WRAP].number, bench.cited[WRAP].text)
    expect(window.status).not_to_contain_text("stale")
    expect(window.memories.filter(has_text="Stale")).to_have_count(0)


def test_f26_the_view_settles_a_memory_by_its_inline_action(bench: Bench) -> None:
    window = bench.window
    bench.edit(WRAP, "78", "78  # columns")
    window.editor.save()
    window.show_memories()
    row = window.memories.filter(has_text=WRAP)
    row.hover()
    row.locator('.action-label[aria-label^="Still True"]').click()
    expect(window.status).not_to_contain_text("stale")
    window.until(lambda: bench.live(WRAP)["freshness"] == "fresh", "the store has it")
    assert bench.generation(WRAP) == 2


def test_f35_a_memory_changed_from_a_terminal_reaches_the_editor(bench: Bench) -> None:
    """F35: within 2 s; the wait is longer because a busy machine is no fault."""
    window = bench.window
    window.show_memories()
    window.expand("Fresh")
    line = bench.project.line(FORMATTING, "^def measure_table")
    identity = bench.project.remember("Tables are measured column by column", line.place)
    began = time.monotonic()
    row = window.memories.filter(has_text="Tables are measured column by column")
    expect(row).to_have_count(1)
    print(f"a memory recorded in a terminal was shown after {time.monotonic() - began:.1f} s")

    bench.project.cli("retract", identity)
    began = time.monotonic()
    expect(row).to_have_count(0)
    print(f"a memory retracted in a terminal was gone after {time.monotonic() - began:.1f} s")


def test_f33_remember_this_selection_by_the_context_menu_and_undo(bench: Bench, gallery: Gallery) -> None:
    window = bench.window
    line = bench.project.line(FORMATTING, "^def iter_rows")
    window.editor.open(FORMATTING)
    window.editor.select_lines(line.number, line.number + 2)
    window.context_menu("Remember This Selection")
    window.answer("Short rows are filled up", title="Remember")
    window.until(lambda: bench.live("Short rows are filled up"), "the memory is stored")
    citation = bench.live("Short rows are filled up")["citations"][0]
    assert (citation["path"], citation["start_line"], citation["end_line"]) == (
        FORMATTING,
        line.number,
        line.number + 2,
    )
    window.command("StillTrue: Undo the Last Act")
    window.until(lambda: not bench.live("Short rows are filled up"), "it is taken back")
    gallery.take(window, "undone")


def test_f36_a_renamed_file_is_offered_to_be_followed(bench: Bench, gallery: Gallery) -> None:
    window = bench.window
    bench.visit(THREAD)
    window.rename_in_explorer("globals.py", "contexts.py")
    toast = window.toasts.filter(has_text="contexts.py")
    toast.wait_for()
    gallery.take(window, "rename")
    window.press_button("contexts.py", "Re-point")
    new = GLOBALS.replace("globals", "contexts")
    window.until(lambda: bench.live(THREAD)["citations"][0]["path"] == new, "the citation follows")
    assert bench.live(THREAD)["freshness"] == "fresh"
    expect(window.status).not_to_contain_text("stale")


def test_f41_a_server_that_is_killed_comes_back(bench: Bench) -> None:
    window = bench.window
    (before,) = bench.server.language_servers()
    kill(before)
    window.until(lambda: bench.server.language_servers() not in ([], [before]), "a new server runs")
    expect(window.toasts).to_have_count(0)
    bench.edit(WRAP, "78", "72")
    expect(window.status).to_contain_text("1 stale")
