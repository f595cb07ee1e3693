"""What the definition around cited lines says about where they went (design 3 and 4, *symbol hint*).

A span citation knows the definition around it. Where a copy is the whole of such a definition, its name tells
better than any neighbouring line whether the original still stands: it is where the name leads.
"""

from __future__ import annotations

from dataclasses import replace

from stilltrue.citations.conflicts import overlaps
from stilltrue.citations.evidence import Sighting
from stilltrue.citations.lines import Lines
from stilltrue.citations.symbols import symbols_in
from stilltrue.model.citation import Citation, Span


def enclosing_symbol(path: str, lines: Lines, span: Span, asked: str | None) -> str | None:
    """The whole name to keep beside cited lines, or None where no definition stands around them.

    Args:
        path: The file, whose name tells its language.
        lines: Its text.
        span: The cited lines, 1-based and inclusive, none past the end; blank ones at its ends do not count.
        asked: The name that was given. One that leads elsewhere gives way to that of the definition around
            the lines; where there is none, it is kept as it is.
    """
    symbols = symbols_in(path, lines)
    cited = lines.trimmed(span.start, span.end) or span
    named = symbols.look_up(asked) if asked else None
    if named and len(named.spans) == 1 and _is_around(named.spans[0], cited):
        return named.names[0]
    return symbols.enclosing(cited) or asked


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
        is_clear = len(found.spans) <= 1
        return replace(seen, symbol_stands=bool(found.spans)) if is_clear else seen
    if all(symbols.defines_within(copy, citation.symbol) for copy in seen.copies):
        return _told_by_name(seen, found.spans)
    return _chosen_by_symbol(seen, found.spans)


def shown_by_symbol(seen: Sighting, citation: Citation, lines: Lines) -> Sighting:
    """The same, and a reader is shown the definition where what was found of the text lies outside it.

    Args:
        seen: A graded sighting of a span that no editing session carried along.
        citation: A span citation.
        lines: The text of its file now.
    """
    if not seen.symbol_stands or seen.cosmetic:
        return seen
    definitions = symbols_in(citation.path or "", lines).resolve(citation.symbol or "").spans
    if seen.nearest and overlaps(definitions, seen.nearest):
        return seen
    return replace(seen, nearest=definitions[0])


def _told_by_name(seen: Sighting, definitions: tuple[Span, ...]) -> Sighting:
    """The copies are whole definitions: the name leads to one of them, or to what became of the original."""
    if len(definitions) != 1:
        return seen
    (definition,) = definitions
    for copy in seen.copies:
        if copy.contains(definition):
            return replace(seen, version_stands=False, recognisable=True, target=copy, nearest=copy)
    return replace(seen, version_stands=True, nearest=definition)


def _chosen_by_symbol(seen: Sighting, definitions: tuple[Span, ...]) -> Sighting:
    """Of several copies of a part of a definition, the one that is still inside it."""
    inside = [copy for copy in seen.copies if any(each.contains(copy) for each in definitions)]
    return replace(seen, target=inside[0]) if seen.target is None and len(inside) == 1 else seen


def _is_around(definition: Span, cited: Span) -> bool:
    """One of them holds the other; people cite a function with the comment above it, or without."""
    return definition.contains(cited) or cited.contains(definition)
