"""Receipts of mutations, so that a repeated one is answered and not done again (B28)."""

from __future__ import annotations

from sqlalchemy import Connection, insert, select

from stilltrue.errors import ConflictError
from stilltrue.model.time import Instant
from stilltrue.store.schema import receipts


def replay(conn: Connection, principal: str, key: str, payload_digest: str) -> str | None:
    """The receipt of the mutation that used this key, or None where it is new.

    Ask before any other validation, so that a repetition is answered even if the state moved on.

    Raises:
        ConflictError: The key was used for another payload.
    """
    row = conn.execute(
        select(receipts.c.payload_digest, receipts.c.receipt).where(
            receipts.c.principal == principal, receipts.c.key == key
        )
    ).first()
    if row is None:
        return None
    if row.payload_digest != payload_digest:
        raise ConflictError(
            "the key was used for something else already",
            hint="use a new key for a new act",
            code="idempotency_conflict",
        )
    return str(row.receipt)


def store_receipt(
    conn: Connection,
    principal: str,
    key: str,
    payload_digest: str,
    receipt: str,
    *,
    now: Instant,
    repository: str | None = None,
) -> None:
    """Keeps a receipt, in the mutation's own transaction.

    Args:
        conn: The transaction of the mutation.
        principal: Whose key it is.
        key: The key.
        payload_digest: Of the parsed payload, with its tool.
        receipt: What to answer; uids and numbers, never memory text, which `redact` must reach.
        now: When.
        repository: Where, so that `purge` finds it.
    """
    conn.execute(
        insert(receipts).values(
            principal=principal,
            key=key,
            repository=repository,
            payload_digest=payload_digest,
            receipt=receipt,
            at=now,
        )
    )
