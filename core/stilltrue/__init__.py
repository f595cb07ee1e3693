"""Memories about code, tied to the exact code they came from."""

__version__ = "0.1.0"
