"""The only importer of SQLAlchemy: memories, citations and verdicts in a database."""
