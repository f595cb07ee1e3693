"""A stale memory is seen and settled in a real VS Code, on real code."""

from __future__ import annotations

from playwright.sync_api import expect

from e2e.vscode.harness.bench import ERRORS, HOSTILE, OWN, USAGE, WRAP, Bench
from e2e.vscode.harness.gallery import Gallery


def test_f41_one_server_runs_and_nothing_is_shown_while_all_is_fresh(bench: Bench) -> None:
    window = bench.window
    bench.visit(USAGE)
    expect(window.status).to_be_visible()
    expect(window.editor.lenses.filter(has_text=USAGE)).to_have_count(1)
    expect(window.editor.squiggles()).to_have_count(0)
    expect(window.toasts).to_have_count(0)
    assert len(bench.server.language_servers()) == 1


def test_f6_an_unsaved_edit_shows_a_squiggle_a_problem_and_a_count(bench: Bench, gallery: Gallery) -> None:
    window = bench.window
    line = bench.edit(USAGE, "2", "3")
    window.show_problems()
    problem = window.problems.filter(has_text=USAGE)
    expect(problem).to_have_count(1)
    told = problem.get_attribute("aria-label") or ""
    assert told.startswith("Warning"), told
    assert f"at line {line.number} " in told
    assert "stilltrue" in told.lower()
    expect(window.status).to_contain_text("1 stale")
    gallery.take(window, "squiggle")
    assert line.text in (bench.project.root / ERRORS).read_text("utf-8")


def test_f6_typing_the_line_back_clears_it(bench: Bench) -> None:
    line = bench.edit(USAGE, "2", "3")
    bench.window.editor.replace_line(line.number, line.text)
    expect(bench.window.editor.squiggles()).to_have_count(0)
    expect(bench.window.status).not_to_contain_text("stale")


def test_f24_the_problem_of_a_discarded_edit_goes_with_its_editor(bench: Bench) -> None:
    window = bench.window
    bench.edit(WRAP, "78", "72")
    window.show_problems()
    expect(window.problems.filter(has_text=WRAP)).to_have_count(1)
    window.revert_all()
    expect(window.status).not_to_contain_text("stale")
    expect(window.problems).to_have_count(0)


def test_f24_the_hover_tells_the_memory_and_what_changed(bench: Bench, gallery: Gallery) -> None:
    line = bench.edit(USAGE, "2", "3")
    bench.window.editor.hover("exit_code", USAGE, line.text, line.text.replace("2", "3"))
    gallery.take(bench.window, "hover")


def test_f26_the_menu_offers_to_settle_and_still_true_clears(bench: Bench, gallery: Gallery) -> None:
    """F26, F32: what was re-verified before the save is stored with the save."""
    window = bench.window
    line = bench.edit(USAGE, "2", "1 + 1")
    expect(window.editor.light_bulb).to_be_visible()
    titles = window.editor.open_quick_fix(line.number)
    assert [each for each in titles if each.startswith("Still true: re-verify")]
    for wanted in ("Supersede…", "Retract", "Show what changed", "Show history"):
        assert wanted in titles
    gallery.take(window, "quickfix")

    window.editor.actions.filter(has_text="Still true: re-verify").first.click()
    expect(window.editor.squiggles()).to_have_count(0)
    expect(window.status).not_to_contain_text("stale")
    assert bench.generation(USAGE) == 1

    window.editor.save()
    window.until(lambda: bench.generation(USAGE) == 2, "the re-verify is stored")
    assert bench.live(USAGE)["freshness"] == "fresh"


def test_f27_supersede_asks_with_the_old_text_and_changes_the_store(bench: Bench, gallery: Gallery) -> None:
    window = bench.window
    old = bench.live(OWN)
    line = bench.edit(OWN, "1", "11")
    window.editor.quick_fix(line.number, "Supersede")
    expect(window.quick_input).to_have_value(OWN)
    window.quick_input.fill("  ")
    window.message("A memory needs a text").wait_for()
    gallery.take(window, "supersede")
    window.answer("Click's own errors exit with code 11")
    expect(window.editor.squiggles()).to_have_count(0)
    expect(window.status).not_to_contain_text("stale")

    assert bench.live(OWN) == {}
    new = bench.project.ask("show", bench.live("Click's own errors exit with code 11")["id"])
    assert new["supersedes"] == old["uid"]

    window.editor.save()
    assert bench.live("Click's own errors exit with code 11")["freshness"] == "fresh"


def test_f24_show_what_changed_opens_a_diff(bench: Bench, gallery: Gallery) -> None:
    window = bench.window
    line = bench.edit(WRAP, "78", "72")
    window.editor.quick_fix(line.number, "Show what changed")
    window.diff.wait_for()
    expect(window.diff_side("original")).to_contain_text("78")
    expect(window.diff_side("modified")).to_contain_text("72")
    gallery.take(window, "diff")


def test_f19_the_text_of_a_memory_is_shown_as_text(bench: Bench, gallery: Gallery) -> None:
    """F19: Markdown, HTML and commands of a memory do nothing, in the hover as in the Problems view."""
    window = bench.window
    line = bench.edit(HOSTILE, "= None", "= None or None")
    hover = window.editor.hover("FORCED_WIDTH", "press me", "closeWindow")
    gallery.take(window, "hostile")
    told = "\n".join(hover.all_inner_texts()).replace("\u00a0", " ")
    assert "**strong**" in told
    assert "<b>fat</b>" in told
    assert hover.locator("img, b, a[href*='command:'], a[data-href*='command:']").count() == 0
    assert hover.locator("strong", has_text="strong").count() == 0
    window.editor.unhover()
    window.show_problems()
    expect(window.problems.filter(has_text="<b>fat</b>")).to_have_count(1)
    assert line.path in (bench.project.cli("list").stdout)


def test_b40_b46_a_memory_is_said_to_be_right_and_then_wrong(bench: Bench, gallery: Gallery) -> None:
    """Only what is said is recorded: looking at it in the editor is not (K17)."""
    window = bench.window
    bench.visit(USAGE)
    memory = bench.live(USAGE)["id"]
    before = len(bench.project.ask("history")["traces"])
    window.editor.hover("exit_code", USAGE)
    window.command("StillTrue: This Was Right")
    expect(window.toasts.filter(has_text=f"Noted: {memory} was right.")).to_be_visible()
    gallery.take(window, "right")
    traces = bench.project.ask("history")["traces"]
    assert len(traces) == before + 1
    told = bench.project.ask("history", traces[0]["trace_id"])
    assert [each["stage"] for each in told["sources"] if each["provenance"]["type"] == "memory"] == ["used"]

    window.dismiss_messages()
    window.command("StillTrue: This Was Wrong")
    expect(window.toasts.filter(has_text=f"Taken back: {memory} was not right.")).to_be_visible()
    told = bench.project.ask("history", traces[0]["trace_id"])
    assert [each["receipt"].get("outcome") for each in told["receipts"]] == [None, "confirmed", "corrected"]

    window.dismiss_messages()
    window.command("StillTrue: This Was Wrong")
    expect(window.toasts.filter(has_text=f"you confirmed nothing about {memory}")).to_be_visible()
