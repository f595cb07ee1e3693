"""The languages whose grammars we carry: a language is data, one row here.

What its symbols are stands in `queries/NAME.scm`, and what its cosmetic changes are in `cosmetic_rules`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """One language.

    Attributes:
        name: Ours, in small letters.
        package: The Python package of its grammar.
        entry: The function there that gives the grammar.
        suffixes: Ends of file names, with their dots, in small letters.
        names: Whole file names.
        extra: Its grammar comes with the extra `languages`, or is not there; its changes are graded, and it
            has no symbols.
    """

    name: str
    package: str
    entry: str = "language"
    suffixes: tuple[str, ...]
    names: tuple[str, ...] = ()
    extra: bool = False


LANGUAGES = (
    Language(name="python", package="tree_sitter_python", suffixes=(".py", ".pyi", ".pyw")),
    Language(name="javascript", package="tree_sitter_javascript", suffixes=(".js", ".jsx", ".mjs", ".cjs")),
    Language(
        name="typescript",
        package="tree_sitter_typescript",
        entry="language_typescript",
        suffixes=(".ts", ".mts", ".cts"),
    ),
    Language(name="tsx", package="tree_sitter_typescript", entry="language_tsx", suffixes=(".tsx",)),
    Language(name="go", package="tree_sitter_go", suffixes=(".go",)),
    Language(name="rust", package="tree_sitter_rust", suffixes=(".rs",)),
    Language(name="java", package="tree_sitter_java", suffixes=(".java",)),
    Language(name="c", package="tree_sitter_c", suffixes=(".c", ".h")),
    Language(
        name="cpp",
        package="tree_sitter_cpp",
        suffixes=(".cc", ".cpp", ".cxx", ".hh", ".hpp", ".hxx", ".ipp"),
    ),
    Language(name="c_sharp", package="tree_sitter_c_sharp", suffixes=(".cs",)),
    Language(
        name="ruby",
        package="tree_sitter_ruby",
        suffixes=(".rb", ".rake", ".gemspec"),
        names=("Gemfile", "Rakefile"),
    ),
    Language(name="php", package="tree_sitter_php", entry="language_php", suffixes=(".php", ".phtml")),
    Language(
        name="bash",
        package="tree_sitter_bash",
        suffixes=(".sh", ".bash"),
        names=(".bashrc", ".bash_profile", ".profile"),
    ),
    Language(name="markdown", package="tree_sitter_markdown", suffixes=(".md", ".markdown", ".mdx")),
    Language(name="yaml", package="tree_sitter_yaml", suffixes=(".yaml", ".yml")),
    Language(
        name="toml",
        package="tree_sitter_toml",
        suffixes=(".toml",),
        names=("Cargo.lock", "poetry.lock", "uv.lock", "Pipfile"),
    ),
    Language(name="json", package="tree_sitter_json", suffixes=(".json", ".jsonc", ".json5", ".webmanifest")),
    Language(name="css", package="tree_sitter_css", suffixes=(".css",), extra=True),
    Language(
        name="hcl",
        package="tree_sitter_hcl",
        suffixes=(".hcl", ".tf", ".tfvars", ".tofu"),
        names=(".terraform.lock.hcl",),
        extra=True,
    ),
    Language(name="html", package="tree_sitter_html", suffixes=(".html", ".htm", ".xhtml"), extra=True),
    Language(name="kotlin", package="tree_sitter_kotlin", suffixes=(".kt", ".kts"), extra=True),
    Language(name="lua", package="tree_sitter_lua", suffixes=(".lua", ".rockspec"), extra=True),
    Language(
        name="make",
        package="tree_sitter_make",
        suffixes=(".mk", ".mak"),
        names=("Makefile", "makefile", "GNUmakefile"),
        extra=True,
    ),
    Language(name="scala", package="tree_sitter_scala", suffixes=(".scala", ".sc", ".sbt"), extra=True),
    Language(name="sql", package="tree_sitter_sql", suffixes=(".sql",), extra=True),
    Language(name="swift", package="tree_sitter_swift", suffixes=(".swift",), extra=True),
)


@cache
def _by_suffix() -> dict[str, Language]:
    return {suffix: language for language in LANGUAGES for suffix in language.suffixes}


@cache
def _by_name() -> dict[str, Language]:
    return {name: language for language in LANGUAGES for name in language.names}


def language_of(path: str) -> Language | None:
    """The language of a file by its name, None where we carry no grammar for it.

    Args:
        path: With `/`; only its last part counts.
    """
    name = path.rpartition("/")[2]
    dot = name.rfind(".")
    suffix = name[dot:].lower() if dot > 0 else ""
    return _by_name().get(name) or _by_suffix().get(suffix)
