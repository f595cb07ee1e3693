"""Which lines a symbol names now: `src/a.py#Client.send` (design 3, E4, F14)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from weakref import WeakKeyDictionary

from stilltrue.citations.definitions import Definition, by_path, definitions_in
from stilltrue.citations.languages import Language, language_of
from stilltrue.citations.lines import Lines
from stilltrue.citations.naming import as_written
from stilltrue.citations.parsing import grammar_of, parse
from stilltrue.citations.shapes import DATA
from stilltrue.model.citation import Span
from stilltrue.model.verdict import Reason

_NEAR = 5


@dataclass(frozen=True, slots=True)
class Resolution:
    """What a symbol names in one text.

    Attributes:
        spans: The lines of each definition it may mean, in order, 1-based and inclusive; one if it is clear.
        obstacle: Why it cannot be told: `unsupported-language` or `parse-incomplete`.
        names: The whole name of each, by which it is found again.
    """

    spans: tuple[Span, ...] = ()
    obstacle: Reason | None = None
    names: tuple[str, ...] = ()


class Symbols:
    """The symbols of one text, parsed when first asked for and then kept."""

    def __init__(self, path: str, lines: Lines) -> None:
        """Begin with a text; `path` tells its language."""
        # of its own: what is kept for a text must not keep that text
        self._lines = Lines(lines.data)
        self._path = path
        language = language_of(path)
        self._language: Language | None = language if language and not language.extra else None
        self._is_sound = True

    def resolve(self, symbol: str) -> Resolution:
        """What `symbol` names by its whole name, as recorded; nothing is guessed."""
        return self._resolved(symbol, self._by_whole_name)

    def look_up(self, wanted: str) -> Resolution:
        """What a person means by `wanted`: a whole name, another name for it, or the end of one.

        The name of the file may stand before it, as in `client.Client.send` for `src/client.py`.
        """
        found = self._resolved(wanted, self._by_whole_name)
        if not found.spans:
            found = self._resolved(wanted, self._by_any_name)
        stem = self._path.rpartition("/")[2].partition(".")[0] + "."
        if not found.spans and wanted.startswith(stem):
            return self.look_up(wanted.removeprefix(stem))
        return found

    def near(self, wanted: str) -> list[str]:
        """Names that are written much like `wanted`, or end like it; the likeliest first."""
        listed = self._listed or []
        paths = list(dict.fromkeys(self._whole_name(each) for each in listed))
        last = wanted.replace("::", ".").rpartition(".")[2].partition("(")[0].casefold()
        alike = [path for path in paths if path.partition("(")[0].rpartition(".")[2].casefold() == last]
        ends = {path.rpartition(".")[2]: path for path in reversed(paths)}
        alike += get_close_matches(wanted, paths, _NEAR) + [
            ends[each] for each in get_close_matches(last, list(ends), _NEAR)
        ]
        return list(dict.fromkeys(alike))[:_NEAR]

    def enclosing(self, span: Span) -> str | None:
        """The whole name of the innermost definition around `span`, where it is clear which that is."""
        around = [each for each in self._listed or () if each.span.contains(span)]
        inner = min(around, key=lambda each: each.span.line_count, default=None)
        return self._whole_name(inner) if inner and inner.sound else None

    def defines_within(self, span: Span, symbol: str) -> bool:
        """Whether the lines hold the whole of a definition that has the last name of `symbol`."""
        path, _ = self._split(symbol)
        last = path.rpartition(".")[2]
        return any(span.contains(each.span) for each in self._listed or () if each.parts[-1] == last)

    @cached_property
    def _listed(self) -> list[Definition] | None:
        """Every definition; None where the text cannot be parsed at all."""
        if self._language is None:
            return None
        data = self._lines.data
        tree = parse(self._language, data if data.endswith(b"\n") else data + b"\n")
        if tree is None:
            return None
        self._is_sound = not tree.root_node.has_error
        return definitions_in(self._language, tree, self._lines)

    @cached_property
    def _paths(self) -> dict[str, list[Definition]]:
        return by_path(self._listed or ())

    def _resolved(self, wanted: str, find: Callable[[str], list[Definition]]) -> Resolution:
        if self._language is None or grammar_of(self._language) is None:
            return Resolution(obstacle=Reason.UNSUPPORTED_LANGUAGE)
        if self._listed is None:
            return Resolution(obstacle=Reason.PARSE_INCOMPLETE)
        found = find(as_written(self._language.name, wanted))
        sound = [each for each in found if each.sound]
        if (len(sound) < len(found) and len(sound) < 2) or (not found and not self._is_sound):  # noqa: PLR2004
            return Resolution(obstacle=Reason.PARSE_INCOMPLETE)
        named = {each.span: self._whole_name(each) for each in sound}
        return Resolution(spans=tuple(named), names=tuple(named.values()))

    def _by_whole_name(self, wanted: str) -> list[Definition]:
        if found := self._paths.get(wanted):
            return found
        path, signature = self._split(wanted)
        return [each for each in self._paths.get(path, ()) if signature and each.signature == signature]

    def _by_any_name(self, wanted: str) -> list[Definition]:
        path, signature = self._split(wanted)
        return [
            each
            for each in self._listed or ()
            if (path in each.aliases or _ends_with(each.parts, path))
            and (not signature or each.signature == signature)
        ]

    def _split(self, wanted: str) -> tuple[str, str]:
        if self._language is None or self._language.name in DATA or not wanted.endswith(")"):
            return wanted, ""
        path, bracket, signature = wanted.partition("(")
        return path, bracket + signature

    def _whole_name(self, definition: Definition) -> str:
        """Its path, with the types of its parameters where others have the same path."""
        alone = len(self._paths[definition.path]) == 1
        return definition.path if alone else definition.path + definition.signature


_KEPT: WeakKeyDictionary[Lines, dict[str, Symbols]] = WeakKeyDictionary()


def symbols_in(path: str, lines: Lines) -> Symbols:
    """The symbols of a text, parsed at most once for as long as `lines` lives."""
    kept = _KEPT.setdefault(lines, {})
    if path not in kept:
        kept[path] = Symbols(path, lines)
    return kept[path]


def _ends_with(parts: tuple[str, ...], wanted: str) -> bool:
    return any(".".join(parts[first:]) == wanted for first in range(1, len(parts)))
