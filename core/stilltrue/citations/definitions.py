"""The definitions of a text, by the names people give them and the lines they stand on."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from stilltrue.citations.extents import Extent, extent_of, trimmed_stop
from stilltrue.citations.languages import Language
from stilltrue.citations.lines import Lines
from stilltrue.citations.matching import Match, matches, text_of
from stilltrue.citations.naming import own_parts, signature_of, slug
from stilltrue.citations.shapes import OVERLOADS_ARE_ONE, PROTOTYPES_YIELD, shape_of
from stilltrue.model.citation import Span

if TYPE_CHECKING:
    from tree_sitter import Tree


@dataclass(frozen=True, slots=True, kw_only=True)
class Definition:
    """Something a symbol citation can name.

    Attributes:
        parts: Its qualified name, outermost first.
        signature: The types of its parameters, which tell overloads apart; empty where it has none.
        aliases: Other whole names it is known by.
        extent: Where it stands, in bytes, with decorators, attributes and doc comments.
        span: The same in lines, 1-based and inclusive.
        is_declaration: It has no body of its own.
    """

    parts: tuple[str, ...]
    signature: str = ""
    aliases: tuple[str, ...] = ()
    extent: Extent
    span: Span
    is_declaration: bool = False

    @property
    def path(self) -> str:
        """Its qualified name, such as `Client.send`."""
        return ".".join(self.parts)

    @property
    def sound(self) -> bool:
        """Nothing in it and nothing around it failed to parse."""
        return self.extent.sound


def definitions_in(language: Language, tree: Tree, lines: Lines) -> list[Definition]:
    """Every definition of a parsed text, in order.

    Args:
        language: Whose query to use.
        tree: The syntax tree of `lines.data`, or of the same with a line end added.
        lines: The text.
    """
    found = matches(language, tree, lines.data)
    if language.name == "markdown":
        return _sections(found, lines)
    listed = list(_nested(language, found, lines, sound=not tree.root_node.has_error))
    if language.name in OVERLOADS_ARE_ONE:
        return _with_overloads(listed, lines)
    if language.name in PROTOTYPES_YIELD:
        return _without_prototypes(listed)
    return listed


@dataclass(slots=True)
class _Owner:
    """A definition or scope around others: its bytes and the names below it begin with."""

    begin: int
    stop: int
    parts: tuple[str, ...]
    short: tuple[str, ...]


def _nested(language: Language, found: Iterable[Match], lines: Lines, *, sound: bool) -> Iterable[Definition]:
    owners: list[_Owner] = []
    counted: Counter[object] = Counter()
    shape = shape_of(language.name)
    for match in found:
        begin, stop = match.node.start_byte, match.node.end_byte
        while (owners and owners[-1].stop < stop) or (owners and owners[-1].stop <= begin):
            owners.pop()
        above = next((each for each in reversed(owners) if (each.begin, each.stop) != (begin, stop)), None)
        own, short = _names(language.name, match, lines.data, counted)
        if _names_its_typedef(match, own, above):
            continue
        parts = (above.parts if above else ()) + own
        short_parts = (above.short if above else ()) + short
        owners.append(_Owner(begin, stop, parts, short_parts))
        if match.role in {"scope", "item"}:
            continue
        extent = extent_of(match.node, shape, lines)
        yield Definition(
            parts=parts,
            signature=signature_of(match, lines.data),
            aliases=(".".join(short_parts),) if short_parts != parts else (),
            extent=replace(extent, sound=True) if sound else extent,
            span=extent.span(lines),
            is_declaration=match.role == "declaration" or "overload" in match.variants,
        )


def _names(
    language: str, match: Match, data: bytes, counted: Counter[object]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The parts a match adds to the names below it, whole and in short."""
    if match.role == "item":
        parent = match.node.parent
        number = counted[parent.id if parent else None]
        counted[parent.id if parent else None] += 1
        return (str(number),), (str(number),)
    own = own_parts(language, match, data)
    if "numbered" in match.captures:
        counted[own[0]] += 1
        own.append(str(counted[own[0]] - 1))
    if "trait" in match.captures:
        return (*own, text_of(match.captures["trait"], data)), tuple(own)
    if language == "ruby":
        return tuple(own), tuple(part for part in own if part != "self")
    return tuple(own), tuple(own)


def _names_its_typedef(match: Match, own: tuple[str, ...], above: _Owner | None) -> bool:
    """`typedef struct A { … } A;` is one thing with one name."""
    parent = match.node.parent
    return (
        parent is not None
        and parent.type == "type_definition"
        and above is not None
        and above.parts[-1:] == own
    )


def _with_overloads(listed: Iterable[Definition], lines: Lines) -> list[Definition]:
    """Signatures without a body become one with what follows them under the same name."""
    kept: list[Definition] = []
    last_of: dict[str, int] = {}
    for each in listed:
        at = last_of.get(each.path)
        before = kept[at] if at is not None else None
        if (
            at is not None
            and before is not None
            and before.is_declaration
            and _is_right_below(before, each, lines)
        ):
            extent = Extent(before.extent.begin, each.extent.stop, before.sound and each.sound)
            kept[at] = replace(each, extent=extent, span=extent.span(lines))
        else:
            last_of[each.path] = len(kept)
            kept.append(each)
    return kept


def _is_right_below(above: Definition, below: Definition, lines: Lines) -> bool:
    return not lines.data[above.extent.stop : below.extent.begin].strip(b" \t\r\n;,")


def _without_prototypes(listed: list[Definition]) -> list[Definition]:
    """A declaration whose definition stands in the same text says nothing more."""
    bodies = {(each.path, each.signature) for each in listed if not each.is_declaration}
    return [each for each in listed if not each.is_declaration or (each.path, each.signature) not in bodies]


def _sections(found: list[Match], lines: Lines) -> list[Definition]:
    """Headings with all that follows them up to the next one of their level or above."""
    levels = [int(next(c for c in each.captures["level"].type if c.isdigit())) for each in found]
    sections: list[Definition] = []
    above: list[tuple[int, str]] = []
    for index, (match, level) in enumerate(zip(found, levels, strict=True)):
        following = (
            other.node.start_byte
            for other, other_level in zip(found[index + 1 :], levels[index + 1 :], strict=True)
            if other_level <= level
        )
        name = " ".join(text_of(match.name, lines.data).split()) if match.name else ""
        above = [each for each in above if each[0] < level] + [(level, name)]
        begin = match.node.start_byte
        stop = trimmed_stop(lines.data, begin, next(following, len(lines.data)))
        extent = Extent(begin, stop)
        if name:
            parts = tuple(each for _, each in above)
            aliases = (slug(name), ".".join(map(slug, parts)))
            sections.append(Definition(parts=parts, aliases=aliases, extent=extent, span=extent.span(lines)))
    return sections


def by_path(listed: Iterable[Definition]) -> dict[str, list[Definition]]:
    """Definitions by their whole names."""
    found: dict[str, list[Definition]] = defaultdict(list)
    for each in listed:
        found[each.path].append(each)
    return found
