"""What stood right beside a cited text apart from white space, beside what is kept of the text."""

from __future__ import annotations

from alembic import op
from sqlalchemy import Column, LargeBinary

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    for name in ("solid_above", "solid_below"):
        op.add_column("generation_texts", Column(name, LargeBinary))
