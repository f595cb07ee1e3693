"""Where a store is: a file, named by a path or a URL."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from stilltrue.errors import InputError, StoreError

_SQLITE = "sqlite:///"
_CREDENTIALS = re.compile(r"(?<=://)([^/@:]*):[^/]*@")
_SECRET_OPTION = re.compile(r"(?i)((?:password|passwd|secret|token)[^=&]*=)[^&]*")


@dataclass(frozen=True, slots=True)
class StoreLocation:
    """Where a store is. Make one with `from_path` or `from_text`.

    Attributes:
        url: An SQLAlchemy URL; it may hold a password, so show `display` instead.
    """

    url: str

    @classmethod
    def from_path(cls, path: str | Path) -> StoreLocation:
        """The store in that file."""
        return cls(_SQLITE + str(Path(path).expanduser().absolute()))

    @classmethod
    def from_text(cls, text: str) -> StoreLocation:
        """The store a person named by a file path or a URL.

        Raises:
            InputError: The text is blank.
            StoreError: It names a database that is not supported.
        """
        written = text.strip()
        if not written:
            raise InputError("the store's name is empty", hint="name a file, such as ~/memories.db")
        if "://" not in written:
            return cls.from_path(written)
        name = written.removeprefix(_SQLITE)
        if name == written or not name or "?" in name or name == ":memory:":
            raise StoreError(
                f"not supported yet: {_masked(written)}", hint="name a file, such as sqlite:////home/me/my.db"
            )
        return cls.from_path(name)

    @property
    def path(self) -> Path:
        """The file."""
        return Path(self.url.removeprefix(_SQLITE))

    @property
    def display(self) -> str:
        """The location as it may be shown to anybody, without passwords."""
        return self.url.removeprefix(_SQLITE) if self.url.startswith(_SQLITE) else _masked(self.url)


def _masked(url: str) -> str:
    return _SECRET_OPTION.sub(r"\1***", _CREDENTIALS.sub(r"\1:***@", url))
