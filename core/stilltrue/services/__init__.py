"""The use cases: every surface calls these and nothing below."""
