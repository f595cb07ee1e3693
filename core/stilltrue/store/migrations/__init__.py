"""Forward-only migrations; Alembic is imported here only, and only when one is due."""
