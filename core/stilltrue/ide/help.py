"""What each kind of diagnostic means and what may be done about it: the page behind its code."""

from __future__ import annotations

from stilltrue.ide.diagnostics import Code

_PAGES = {
    Code.STALE: """The cited lines changed

The lines that this memory is about are no longer what they were when somebody last looked. That does not
say that the memory is wrong. It says: look again.""",
    Code.STALE_COSMETIC: """The cited lines changed in form only

Nothing changed but what carries no meaning at that place, such as line ends. *Re-verify all cosmetic
changes in this file* takes them over at once.""",
    Code.MISSING: """What was cited is gone

The file is gone, or nothing that was cited is found in it any more. Nothing is left to verify, so *still
true* is not offered. *Re-point* to where it lives now, *supersede*, or *retract*.""",
    Code.MOVED: """The cited lines stand elsewhere

The very same bytes stand in another file, or at several places. Lines that moved within their file to one
clear place are followed in silence.""",
    Code.COMMIT_MOVED: """The cited commit was left behind

The memory cites a commit, and what it is about changed since.""",
    Code.UNVERIFIABLE: """It cannot be told

The cited file cannot be read or compared as it is now. The memory is neither fresh nor stale. This kind is
off unless you switch it on.""",
}

_ACTS = """## What you can do

- **Still true: re-verify** takes the lines as they are now as what backs the memory.
- **Supersede…** writes a new memory in the place of the old one, which is kept behind it.
- **Re-point** lets the memory cite other lines.
- **Retract** ends it without a successor.
- **Snooze until these lines change again** keeps it silent, and counted.
- **Show what changed** and **Show history** help to decide.

Nothing happens by itself, and each act can be undone.
"""


def help_text(code: str) -> str | None:
    """The page about a code of diagnostics, in Markdown; None for what is no code."""
    found = next((each for each in Code if each.value == code), None)
    if found is None:
        return None
    title, _, meaning = _PAGES[found].partition("\n\n")
    setting = "severity_" + found.value.replace("-", "_")
    quiet = f"How loud it is, or `off`: the setting `{setting}`. Whole files are silenced by `ignore`.\n"
    return f"# {title} (`{found.value}`)\n\n{meaning}\n\n{_ACTS}\n{quiet}"
