"""What is cited of a release: the same seeded choice in every run."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator

from fetching import Project, Tree
from oracle import Cited, definitions, rows_of

SHARES = {
    "a definition": 20,
    "1 line": 14,
    "3 lines": 14,
    "10 lines": 14,
    "40 lines": 8,
    "around a comment": 8,
    "near the end": 6,
    "a symbol": 12,
    "a file": 4,
}
"""Of a hundred citations."""
_COMMENT = re.compile(rb"\s*(#|//|/\*|\*)")
_NAMED = re.compile(rb"\b(?:fn|function|class|struct|enum|trait|interface)\s+(\w+)|\b(\w+)\s*\([^;]*$")
_OPENS = re.compile(rb"([ \t]*)\S.*\{[ \t]*$")


class Choice:
    """Chooses citations of one release, each line of its cited files as likely as any other."""

    def __init__(self, project: Project, tree: Tree) -> None:
        """Of files that nobody could cite, and of those with lone CRs, nothing is chosen."""
        self._files = {
            path: data
            for path, data in sorted(tree.items())
            if path.endswith(tuple(project.cited)) and data.strip() and b"\r" not in data
        }
        self._rows = {path: rows_of(data) for path, data in self._files.items()}
        self._dice = random.Random(project.name)  # noqa: S311 - the same citations every time
        self._paths, self._weights = list(self._rows), [len(rows) for rows in self._rows.values()]

    def citations(self, count: int) -> list[Cited]:
        """So many different citations, of each way its share."""
        ways = [way for way, share in SHARES.items() for _ in range(round(count * share / 100))]
        chosen: dict[tuple[object, ...], Cited] = {}
        for way in ways:
            for _ in range(50):  # where a file has nothing of the kind, another is tried
                cited = self._cite(way, len(chosen))
                if cited and (cited.path, cited.start, cited.end, cited.symbol) not in chosen:
                    chosen[cited.path, cited.start, cited.end, cited.symbol] = cited
                    break
        return list(chosen.values())

    def _cite(self, way: str, key: int) -> Cited | None:
        path = self._dice.choices(self._paths, self._weights)[0]
        if way == "a file":
            return Cited(key, way, path, 0, 0, self._files[path])
        rows = self._rows[path]
        make: Callable[[str, list[bytes]], tuple[int, int, str] | None] = {
            "a definition": self._definition,
            "a symbol": self._definition,
            "around a comment": self._around_comment,
            "near the end": self._near_end,
        }.get(way, lambda _, rows: self._range(rows, int(way.split(maxsplit=1)[0])))
        found = make(path, rows)
        if found is None:
            return None
        start, end, name = found
        text = b"\n".join(rows[start - 1 : end])
        symbol = name if way == "a symbol" else ""
        is_citable = text.strip() and (symbol or way != "a symbol")
        return Cited(key, way, path, start, end, text, symbol) if is_citable else None

    def _range(self, rows: list[bytes], count: int) -> tuple[int, int, str] | None:
        if len(rows) < count:
            return None
        start = self._dice.randint(1, len(rows) - count + 1)
        return start, start + count - 1, ""

    def _around_comment(self, _path: str, rows: list[bytes]) -> tuple[int, int, str] | None:
        commented = [number for number, row in enumerate(rows, 1) if _COMMENT.match(row)]
        if not commented:
            return None
        middle = self._dice.choice(commented)
        before, after = self._dice.randint(0, 3), self._dice.randint(0, 3)
        return max(1, middle - before), min(len(rows), middle + after), ""

    def _near_end(self, _path: str, rows: list[bytes]) -> tuple[int, int, str] | None:
        start = max(1, len(rows) - self._dice.randint(0, 7))
        return start, self._dice.randint(start, len(rows)), ""

    def _definition(self, path: str, rows: list[bytes]) -> tuple[int, int, str] | None:
        if path.endswith(".py"):
            named = definitions(self._files[path])
            found = [(*spans[0], name) for name, spans in sorted(named.items()) if len(spans) == 1]
        else:
            found = list(_braced(rows))
        return self._dice.choice(found) if found else None


def _braced(rows: list[bytes]) -> Iterator[tuple[int, int, str]]:
    """What stands between a line that names something and opens a brace, and the brace that closes it."""
    for number, row in enumerate(rows, 1):
        opened = _OPENS.match(row)
        first = number
        if row.rstrip() == b"{" and number > 1:  # the brace stands on a line of its own
            first = number - 1
        elif not opened:
            continue
        indent = opened.group(1) if opened else b""
        named = _NAMED.search(rows[first - 1])
        closing = (
            line for line, each in enumerate(rows[number:], number + 1) if each.startswith(indent + b"}")
        )
        end = next(closing, 0)
        if named and end:
            yield first, end, (named.group(1) or named.group(2)).decode("utf-8", "replace")
