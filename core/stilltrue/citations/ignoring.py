"""Which files the person asked not to hear about: patterns as in .gitignore, on paths from the root."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from stilltrue.errors import InputError

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec


def is_ignored(path: str | None, globs: tuple[str, ...]) -> bool:
    """Whether `path`, relative to the root with `/`, matches; the last matching pattern decides."""
    return bool(globs) and path is not None and _matches(path, globs)


def refuse_bad_globs(name: str, globs: tuple[str, ...]) -> None:
    """Refuse patterns that could never be matched.

    Raises:
        InputError: One of the patterns of the setting `name` is none.
    """
    for glob in globs:
        try:
            _spec((glob,))
        except ValueError as error:
            raise InputError(
                f"{name} may not hold {glob!r}: it is no pattern", hint="write it as in a .gitignore file"
            ) from error


@lru_cache(maxsize=4096)  # asked for one file at every keystroke
def _matches(path: str, globs: tuple[str, ...]) -> bool:
    return _spec(globs).match_file(path)


@lru_cache(maxsize=32)
def _spec(globs: tuple[str, ...]) -> GitIgnoreSpec:
    from pathspec import GitIgnoreSpec  # noqa: PLC0415 - its import takes longer than most commands

    return GitIgnoreSpec.from_lines(globs)
