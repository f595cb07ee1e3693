"""What belongs to a definition beside its own node, a row for each language.

A definition is taken whole: what wraps it alone, such as `export`, and what stands right above it and is
about it, such as attributes and doc comments. Python's comments are not: its docstrings lie inside.
"""

from __future__ import annotations

from dataclasses import dataclass

OVERLOADS_ARE_ONE = frozenset({"python", "typescript", "tsx"})
"""Languages whose overload signatures stand right above the one body they describe."""
PROTOTYPES_YIELD = frozenset({"c", "cpp"})
"""Languages in which a declaration says again what its definition says."""
DATA = frozenset({"markdown", "yaml", "toml", "json"})
"""Languages whose names are free text, in which no sign parts one name from the next."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """What is taken along with a definition.

    Attributes:
        wrappers: Node types that belong to the definition they wrap alone.
        attributes: Node types of siblings that belong to what follows them.
        doc_comments: What comments begin with that belong to what follows them.
        sheds_comments: Comments at its end are about what follows.
    """

    wrappers: frozenset[str] = frozenset()
    attributes: frozenset[str] = frozenset()
    doc_comments: tuple[bytes, ...] = ()
    sheds_comments: bool = False


_SCRIPT = Shape(
    wrappers=frozenset(
        {
            "export_statement",
            "lexical_declaration",
            "variable_declaration",
            "ambient_declaration",
            "expression_statement",
        }
    ),
    attributes=frozenset({"decorator"}),
    doc_comments=(b"/**",),
)

_C_WRAPPERS = frozenset({"template_declaration", "linkage_specification", "declaration"})

_SHAPES = {
    "python": Shape(wrappers=frozenset({"decorated_definition"})),
    "javascript": _SCRIPT,
    "typescript": _SCRIPT,
    "tsx": _SCRIPT,
    "go": Shape(
        wrappers=frozenset({"type_declaration", "const_declaration", "var_declaration", "var_spec_list"}),
        doc_comments=(b"//", b"/*"),
    ),
    "rust": Shape(attributes=frozenset({"attribute_item"}), doc_comments=(b"///", b"/**")),
    "java": Shape(doc_comments=(b"/**",)),
    "c": Shape(wrappers=_C_WRAPPERS, doc_comments=(b"//", b"/*")),
    "cpp": Shape(wrappers=_C_WRAPPERS, doc_comments=(b"//", b"/*")),
    "c_sharp": Shape(wrappers=frozenset({"global_statement"}), doc_comments=(b"///", b"/**")),
    "ruby": Shape(wrappers=frozenset({"argument_list", "call"}), doc_comments=(b"# ", b"##", b"#\n")),
    "php": Shape(doc_comments=(b"/**",)),
    "bash": Shape(doc_comments=(b"# ", b"##", b"#\n")),
    "yaml": Shape(sheds_comments=True),
    "toml": Shape(sheds_comments=True),
}


def shape_of(language: str) -> Shape:
    """What is taken along with a definition of that language, by its name."""
    return _SHAPES.get(language, Shape())
