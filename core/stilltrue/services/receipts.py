"""Idempotency: a key and what it was answered with, kept in the mutation's own transaction (B28)."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256

from stilltrue.errors import InputError
from stilltrue.model.time import Instant
from stilltrue.services.workspace import Connection, Workspace
from stilltrue.store import receipts

KEY_LIMIT = 128


@dataclass(frozen=True, slots=True)
class Keyed:
    """One mutation under a key; without a key nothing is looked up or kept.

    Making one raises an `InputError` where the key is empty or too long (B30).

    Attributes:
        principal: Whose key it is.
        key: 1 to 128 characters, or None.
        act: Which mutation.
        payload: What was asked; its `repr` must tell one request from another.
    """

    principal: str
    key: str | None
    act: str
    payload: object

    def __post_init__(self) -> None:
        if self.key is not None and not 1 <= len(self.key) <= KEY_LIMIT:
            raise InputError(f"a key has 1 to {KEY_LIMIT} characters")

    def answer(self, workspace: Workspace) -> str | None:
        """`replayed`, in a reading of its own: asked before anything else is looked at.

        The writing transaction asks again, for whoever came in between.
        """
        if self.key is None:
            return None
        with workspace.reading() as reading:
            return self.replayed(reading[0]) if reading else None

    def replayed(self, connection: Connection) -> str | None:
        """What the key was answered with before, None if it is new.

        Raises:
            ConflictError: The key was used for another request.
        """
        if self.key is None:
            return None
        return receipts.replay(connection, self.principal, self.key, self._digest)

    def store(self, connection: Connection, answer: str, now: Instant, repository: str) -> None:
        """Keep the answer for the key."""
        if self.key is not None:
            receipts.store_receipt(
                connection, self.principal, self.key, self._digest, answer, now=now, repository=repository
            )

    @property
    def _digest(self) -> str:
        return sha256(f"{self.act}\n{self.payload!r}".encode("utf-8", "surrogatepass")).hexdigest()
