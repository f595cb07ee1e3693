"""Small programs that stand in for what a machine may have."""

from __future__ import annotations

from pathlib import Path


def script(file: Path, text: str) -> Path:
    """A shell script that can be run."""
    file.write_text(f"#!/bin/sh\n{text}\n", "utf-8")
    file.chmod(0o755)
    return file
