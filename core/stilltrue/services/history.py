"""How a memory came to be: its chain, its citations' generations, who and when."""

from __future__ import annotations

from stilltrue.services.workspace import Workspace


def history_text(workspace: Workspace, reference: str) -> str:
    """The history of a memory as plain text."""
    return reference
