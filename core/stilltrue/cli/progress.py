"""Progress on a terminal, for whoever has to wait; nothing anywhere else."""

from __future__ import annotations

import sys
from dataclasses import dataclass

import click

STEP = 200


@dataclass(slots=True)
class Progress:
    """Counts on standard error. Short work shows nothing."""

    unit: str = "files read"
    _shown: int = 0

    def tell(self, count: int) -> None:
        """So many are done."""
        if count % STEP == 0 and sys.stderr.isatty():
            text = f"{count} {self.unit}"
            click.echo(f"\r{text}", nl=False, err=True)
            self._shown = len(text)

    def clear(self) -> None:
        """Take the line away, so that the answer stands alone."""
        if self._shown:
            click.echo("\r" + " " * self._shown + "\r", nl=False, err=True)
            self._shown = 0
