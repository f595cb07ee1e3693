"""The only importer of SQLAlchemy."""
