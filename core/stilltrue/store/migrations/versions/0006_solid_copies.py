"""How often a cited text stood in its file apart from white space, beside what is kept of the text."""

from __future__ import annotations

from alembic import op
from sqlalchemy import Column, Integer

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    for name in ("solid_copies", "solid_index"):
        op.add_column("generation_texts", Column(name, Integer))
