"""What the definition around cited lines says about where they went (design 3 and 4, *symbol hint*).

A span citation knows the definition around it. Where a copy is the whole of such a definition, its name tells
better than any neighbouring line whether the original still stands: it is where the name leads.
"""

from __future__ import annotations

from dataclasses import replace

from stilltrue.citations.evidence import Sighting
from stilltrue.citations.lines import Lines
from stilltrue.citations.symbols import symbols_in
from stilltrue.model.citation import Citation, Span


def enclosing_symbol(path: str, lines: Lines, span: Span, asked: str | None) -> str | None:
    """The whole name to keep beside cited lines, or None where no definition stands around them.

    Args:
        path: The file, whose name tells its language.
        lines: Its text.
        span: The cited lines, 1-based and inclusive.
        asked: The name a person gave. It is kept as it is where no grammar tells otherwise.
    """
    symbols = symbols_in(path, lines)
    named = symbols.look_up(asked) if asked else None
    if named and len(named.spans) == 1 and _is_around(named.spans[0], span):
        return named.names[0]
    return symbols.enclosing(span) or asked


def told_by_symbol(seen: Sighting, citation: Citation, lines: Lines) -> Sighting:
    """The sighting of a span citation, with what its symbol says.

    Args:
        seen: What neighbours and bytes say.
        citation: A span citation; without a symbol nothing is added.
        lines: The text of its file now.
    """
    settled = seen.same_at_place or seen.carried_to or seen.folded_at or seen.in_conflict
    if settled or not citation.symbol:
        return seen
    symbols = symbols_in(citation.path or "", lines)
    found = symbols.resolve(citation.symbol)
    if found.obstacle:
        return seen
    if not seen.copies:
        return _without_copies(seen, found.spans)
    if all(symbols.defines_within(copy, citation.symbol) for copy in seen.copies):
        return _told_by_name(seen, found.spans)
    return _chosen_by_symbol(seen, found.spans)


def _without_copies(seen: Sighting, definitions: tuple[Span, ...]) -> Sighting:
    nearest = definitions[0] if seen.nothing_left and len(definitions) == 1 else seen.nearest
    return replace(seen, symbol_stands=bool(definitions), nearest=nearest)


def _told_by_name(seen: Sighting, definitions: tuple[Span, ...]) -> Sighting:
    """The copies are whole definitions: the name leads to one of them, or to what became of the original."""
    held = [copy for copy in seen.copies if any(copy.contains(each) for each in definitions)]
    if len(held) == 1 and len(definitions) == 1:
        return replace(seen, version_stands=False, recognisable=True, target=held[0], nearest=held[0])
    if definitions and not held:
        return replace(seen, version_stands=True, nearest=definitions[0])
    return seen


def _chosen_by_symbol(seen: Sighting, definitions: tuple[Span, ...]) -> Sighting:
    """Of several copies of a part of a definition, the one that is still inside it."""
    inside = [copy for copy in seen.copies if any(each.contains(copy) for each in definitions)]
    return replace(seen, target=inside[0]) if seen.target is None and len(inside) == 1 else seen


def _is_around(definition: Span, cited: Span) -> bool:
    """One of them holds the other; people cite a function with the comment above it, or without."""
    return definition.contains(cited) or cited.contains(definition)
