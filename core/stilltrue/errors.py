"""The one family of errors that StillTrue raises on purpose.

Knows nothing of any other module. Verdicts are values, never errors; an error is an
act that could not be done, told so that a person can mend it.
"""

from __future__ import annotations


class StillTrueError(Exception):
    """An act that was refused or could not be done.

    Attributes:
        code: A stable word for programs, such as `not_found`.
        message: One sentence for people. Never holds secrets; passwords in URLs are masked.
        hint: What to do about it, or an empty string.
    """

    code = "error"

    def __init__(self, message: str, *, hint: str = "", code: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        if code is not None:
            self.code = code

    def to_json(self) -> dict[str, str]:
        """The error as surfaces print it: code, message and hint."""
        return {"code": self.code, "message": self.message, "hint": self.hint}


class InputError(StillTrueError):
    """What was given cannot be used; nothing was written."""

    code = "bad_input"


class CitationError(InputError):
    """A place that cannot be cited (D16, D19); nothing was written."""

    code = "bad_citation"


class NotFoundError(StillTrueError):
    """No such memory, citation, repository or file."""

    code = "not_found"


class ConflictError(StillTrueError):
    """The thing moved on since it was looked at (F30), or a key was used twice (B28)."""

    code = "conflict"


class StoreError(StillTrueError):
    """The store cannot be opened, read or written."""

    code = "store_unusable"
