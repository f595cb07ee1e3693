"""Run a language's query for definitions over a syntax tree.

Queries hold no predicates and no directives, are never given a callback, and live as long as the process:
with tree-sitter 0.26 anything else may end it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from stilltrue.citations.languages import Language
from stilltrue.citations.parsing import grammar_of

if TYPE_CHECKING:
    from tree_sitter import Node, Query, Tree

_SAME_QUERY = {"tsx": "typescript"}
_ROLES = ("definition", "declaration", "global", "scope", "item", "heading")
_INSIDE_CODE = frozenset({"compound_statement", "for_statement", "if_statement", "case_statement"})


@dataclass(slots=True)
class Match:
    """One match: a node with a role, and what the query says about its name.

    Attributes:
        node: The node itself, nothing taken along yet.
        role: `definition`, `declaration`, `scope` (it owns names and is none), `item` or `heading`.
        name: The node that names it; None for an item of a list.
        captures: Other captures, by name: `owner`, `trait`, `signature`, `level`, `numbered`.
        variants: Texts that tell it from others of its name, such as `setter`.
    """

    node: Node
    role: str
    name: Node | None
    captures: dict[str, Node]
    variants: set[str] = field(default_factory=set)


@cache
def query_of(language: Language) -> Query | None:
    """The language's query, compiled once and kept for the life of the process; None without a grammar."""
    grammar = grammar_of(language)
    if grammar is None:
        return None
    from tree_sitter import Query  # noqa: PLC0415 - loaded with the grammar

    name = _SAME_QUERY.get(language.name, language.name)
    return Query(grammar, (files("stilltrue.citations") / "queries" / f"{name}.scm").read_text("utf-8"))


def matches(language: Language, tree: Tree, data: bytes) -> list[Match]:
    """Every match of the language's query, outer ones first, in the order of the text.

    Where several matches share one name node, the smallest node counts and their variants are joined.
    """
    query = query_of(language)
    if query is None:
        return []
    from tree_sitter import QueryCursor  # noqa: PLC0415 - loaded with the grammar

    found: dict[tuple[int, int, bool], Match] = {}
    for _, captures in QueryCursor(query).matches(tree.root_node):
        match = _match(captures, data)
        if match is None:
            continue
        named = match.name or match.node
        key = (named.start_byte, named.end_byte, match.name is None)
        found[key] = _joined(found[key], match) if key in found else match
    return sorted(found.values(), key=lambda each: (each.node.start_byte, -each.node.end_byte))


def text_of(node: Node, data: bytes) -> str:
    """The text of a node; bytes that are no UTF-8 are shown as such and never raise."""
    return data[node.start_byte : node.end_byte].decode("utf-8", "replace")


def _match(captures: dict[str, list[Node]], data: bytes) -> Match | None:
    role = next((role for role in _ROLES if role in captures), None)
    if role is None:
        return None
    node = captures[role][0]
    if role == "global":
        if node.parent is None or node.parent.type in _INSIDE_CODE:
            return None
        role = "definition"
    return Match(
        node=node,
        role=role,
        name=captures["name"][0] if "name" in captures else None,
        captures={name: nodes[0] for name, nodes in captures.items() if name not in {*_ROLES, "name"}},
        variants={text_of(each, data) for each in captures.get("variant", ())},
    )


def _joined(one: Match, other: Match) -> Match:
    size, other_size = (each.node.end_byte - each.node.start_byte for each in (one, other))
    kept = one if size <= other_size else other
    kept.variants = one.variants | other.variants
    kept.captures = {**one.captures, **other.captures}
    return kept
