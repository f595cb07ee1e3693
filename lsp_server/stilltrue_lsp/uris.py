"""Names of documents: from the client's spelling to one key, and to a path on disk.

Pure: nothing here looks at a disk. Paths of Windows are worked out on any system when
`windows` is true.
"""

from __future__ import annotations

import re
import sys
from functools import lru_cache
from urllib.parse import quote, unquote

PAGE_SCHEME = "memory"
HELP = "help"
WINDOWS = sys.platform == "win32"

# RFC 3986, appendix B. `urllib.parse.urlsplit` drops control characters and raises on
# brackets, and both may stand in the name of a file.
_PARTS = re.compile(
    r"(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?://([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?",
    re.DOTALL,
)
_DRIVE = re.compile(r"/?[A-Za-z]:(?=/|$)")
_UNRESERVED_IN_PATHS = "/~!$&'()*+,;=@"


@lru_cache(maxsize=4096)
def canonical_key(uri: str) -> tuple[str, ...]:
    """One key for all spellings of a uri that mean the same document.

    Percent-encoding is undone, scheme and host are folded to lower case, and so is the
    letter of a Windows drive. For looking up only: never send it to a client.
    """
    scheme, host, path, query, fragment = _split(uri)
    if scheme == "file":
        path = _fold_drive(path)
        host = "" if host == "localhost" else host
    # Five parts, not one string: an encoded `#` of a name is not the one before a fragment.
    return scheme, host, path, query, fragment


def uri_to_path(uri: str, *, windows: bool = WINDOWS) -> str | None:
    """The path a uri names on this machine's file system.

    Returns:
        An absolute path in the system's own form, with bytes that are not UTF-8 held as
        surrogate escapes, or None where the uri names no file here: another scheme, an
        empty path (an editor's unnamed buffer), another host on a system that has no
        UNC paths, a NUL.
    """
    scheme, host, path, _, _ = _split(uri)
    host = "" if host == "localhost" else host
    if scheme != "file" or not path.startswith("/") or "\0" in path:
        return None
    if not windows:
        return None if host else path
    if host:
        path = f"//{host}{path}"
    elif _DRIVE.match(path):
        path = _fold_drive(path)[1:]
    return path.replace("/", "\\")


def path_to_uri(path: str, *, windows: bool = WINDOWS) -> str:
    """The `file` uri of an absolute path.

    Where the document is open, `DocumentTable.spelling` knows how the client writes it.

    Raises:
        ValueError: If the path is not absolute.
    """
    host = ""
    if windows:
        path = path.replace("\\", "/")
        if path.startswith("//"):
            host, slash, rest = path[2:].partition("/")
            path = slash + rest
        elif _DRIVE.match(path):
            path = _fold_drive("/" + path.removeprefix("/"))
    if not path.startswith("/"):
        raise ValueError(f"not an absolute path: {path!r}")
    drive = path[:3] if windows and _DRIVE.match(path) else ""
    return f"file://{_encode(host)}{drive}{_encode(path[len(drive) :])}"


def page_uri(uid: str, name: str) -> str:
    """The uri of a memory's read-only page; `name` is what an editor shows as the title."""
    return f"{PAGE_SCHEME}:/{_encode(uid)}/{_encode(name)}.md"


def page_uid(uri: str) -> str | None:
    """The uid of the memory whose page a uri names, None for any other uri."""
    scheme, _, path, _, _ = _split(uri)
    match path.split("/"):
        case ["", uid, _] if scheme == PAGE_SCHEME and uid:
            return uid
    return None


def help_uri(code: str) -> str:
    """The uri of the page that tells what a code of diagnostics means."""
    return page_uri(HELP, code)


def help_code(uri: str) -> str | None:
    """The code whose page a uri names, None for any other uri."""
    scheme, _, path, _, _ = _split(uri)
    match path.split("/"):
        case ["", "help", name] if scheme == PAGE_SCHEME:
            return name.removesuffix(".md")
    return None


def _encode(part: str) -> str:
    return quote(part.encode("utf-8", "surrogateescape"), safe=_UNRESERVED_IN_PATHS)


def _decode(part: str | None) -> str:
    # Bytes that are not UTF-8 stay apart from each other, as in `os.fsdecode`.
    return unquote(part, errors="surrogateescape") if part else ""


def _fold_drive(path: str) -> str:
    return path[:2].lower() + path[2:] if _DRIVE.match(path) else path


def _split(uri: str) -> tuple[str, str, str, str, str]:
    match = _PARTS.fullmatch(uri)
    scheme, host, path, query, fragment = match.groups() if match else ("", "", uri, "", "")
    return (scheme or "").lower(), _decode(host).lower(), _decode(path), _decode(query), _decode(fragment)
