"""What may change without a change of meaning: a language is data, one row here (design 4).

A language stands in `RULES` only after its answers were compared with a parser or compiler of its own on
changed real code (`benchmarks/grades`). Any other change, and any change elsewhere, is content.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import StrEnum

from stilltrue.citations.comment_marks import directives_of, documentation_of

LITERALS = re.compile(
    "string|heredoc|nowdoc|regex|raw|char|literal|text|encapsed|escape"
    "|preproc_def|preproc_function_def|preproc_call|preproc_include|lifetime|^(?:label|variable_name)$"
    "|^template_expr$"
)
"""Node types that are compared byte by byte."""
COMPOSED = re.compile(
    "composite_literal|literal_value|literal_element|func_literal|concatenated_string|compound_literal_expression"
    "|jsx_text"
)
"""Node types that look like literals and are made of other nodes."""
_AFTER_JAVASCRIPT = frozenset(
    b"return throw break continue yield async get set static accessor type interface namespace module "
    b"declare abstract readonly public private protected override let using is as satisfies asserts "
    b"unique global".split()
)
_BEFORE_JAVASCRIPT = frozenset(b"=> ++ -- ! as satisfies is".split())


class LineBreaks(StrEnum):
    """How much a line break between two tokens says that the tree does not."""

    NOTHING = "nothing"
    RESTRICTED = "restricted"
    ENDS_STATEMENT = "ends-statement"
    EVERY = "every"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """What one language lets change.

    Attributes:
        comments: Node types of comments.
        directives: Comments that tell a tool something: content.
        placed: Those of them that are about the code that follows, however its lines are broken.
        documentation: How comments begin that are documentation: content.
        line_breaks: What a line break may say.
        restricted: Tokens after which a line break counts, with `LineBreaks.RESTRICTED`.
        restricting: Tokens before which it does.
        following: Tokens before which it does where a value or a type stands before them.
        entering: Node types before which all white space counts.
        leaving: Node types after which all white space counts.
        elements: Node types whose children stand in a text that is read as JSX reads it.
        inside_elements: Node types of those children; all else there is text.
        glued: Node types inside which it counts whether marks touch.
        preprocessor: Lines that begin with `#` are compared as lines.
        by_tokens: C's tokens alone say what a text means, and no tree is asked.
        raw_strings: A text in C's tokens may hold raw strings.
        white_space: White space may change; else only comments may.
        blanks_count_but_at: Whether white space stands between two tokens counts, and how much does not; but
            beside these it says nothing.
        inner_comments: Comments before other code of their line may change, too.
        comments_stay: A comment may be reworded, and may not come or go.
        kept: How nodes begin that are compared byte by byte.
        foreign: A text that holds this is content from the start.
        verbatim_comments: Every comment of a text that holds this is content.
    """

    comments: frozenset[str] = frozenset({"comment"})
    directives: re.Pattern[str]
    placed: re.Pattern[bytes] | None = None
    documentation: re.Pattern[bytes] | None = None
    line_breaks: LineBreaks = LineBreaks.NOTHING
    restricted: frozenset[bytes] = frozenset()
    restricting: frozenset[bytes] = frozenset()
    following: frozenset[bytes] = frozenset()
    entering: frozenset[str] = frozenset()
    leaving: frozenset[str] = frozenset()
    elements: frozenset[str] = frozenset()
    inside_elements: frozenset[str] = frozenset()
    glued: frozenset[str] = frozenset()
    preprocessor: bool = False
    by_tokens: bool = False
    raw_strings: bool = False
    white_space: bool = True
    blanks_count_but_at: frozenset[bytes] = frozenset()
    inner_comments: bool = True
    comments_stay: bool = False
    kept: re.Pattern[bytes] | None = None
    foreign: re.Pattern[bytes] | None = None
    verbatim_comments: re.Pattern[bytes] | None = None


_ELEMENTS = frozenset({"jsx_element", "jsx_fragment"})
_JAVASCRIPT = Rules(
    directives=directives_of("javascript"),
    # these tools read the syntax tree or a range of positions; those with `-line` in their words do not
    placed=re.compile(
        rb"(?:/\*|//)\s*(?:istanbul\s+ignore\s+(?:next|if|else|file)\b|(?:prettier|biome)-ignore\b(?!-)"
        rb"|eslint-(?:disable|enable|env)\b(?!-)|[@#]__(?:PURE|NO_SIDE_EFFECTS)__\s*\*/)[^\r\n]*\Z"
    ),
    documentation=documentation_of("javascript"),
    line_breaks=LineBreaks.RESTRICTED,
    restricted=_AFTER_JAVASCRIPT,
    restricting=_BEFORE_JAVASCRIPT,
    elements=_ELEMENTS,
    inside_elements=_ELEMENTS
    | {"jsx_self_closing_element", "jsx_expression", "jsx_opening_element", "jsx_closing_element"},
)
_TYPESCRIPT = replace(_JAVASCRIPT, following=frozenset({b"<", b"["}))
# the compiler ends a tag's name at a dot that ends its line
_TSX = replace(_TYPESCRIPT, restricted=_AFTER_JAVASCRIPT | {b"."})
_C = Rules(
    directives=directives_of("c"),
    documentation=documentation_of("c"),
    by_tokens=True,
)

RULES = {
    "python": Rules(directives=directives_of("python"), white_space=False),
    "json": Rules(directives=directives_of("javascript")),
    "toml": Rules(directives=directives_of("toml")),
    "javascript": _JAVASCRIPT,
    "typescript": _TYPESCRIPT,
    "tsx": _TSX,
    "java": Rules(
        comments=frozenset({"line_comment", "block_comment"}),
        directives=directives_of("java"),
        documentation=documentation_of("java"),
    ),
    "c": _C,
    "cpp": replace(_C, raw_strings=True),
    "c_sharp": Rules(
        directives=directives_of("c_sharp"), documentation=documentation_of("c_sharp"), preprocessor=True
    ),
    "php": Rules(
        directives=directives_of("php"),
        documentation=documentation_of("php"),
        entering=frozenset({"php_tag", "cast_type"}),
        leaving=frozenset({"?>", "php_tag", "cast_type"}),
    ),
    "ruby": Rules(directives=directives_of("ruby"), white_space=False),
    "go": Rules(
        directives=directives_of("go"),
        line_breaks=LineBreaks.ENDS_STATEMENT,
        foreign=re.compile(rb'import\s*(?:\([^)]*)?"C"'),
        verbatim_comments=re.compile(rb"(?i)//[ \t]*(?:unordered )?output:"),
    ),
    "rust": Rules(
        comments=frozenset({"line_comment", "block_comment"}),
        directives=directives_of("rust"),
        documentation=documentation_of("rust"),
        glued=frozenset({"token_tree", "token_tree_pattern", "token_repetition", "token_repetition_pattern"}),
    ),
    "css": Rules(
        directives=directives_of("css"),
        blanks_count_but_at=frozenset({b"{", b"}", b";", b","}),
        inner_comments=False,
        kept=re.compile(rb"(?i)--|url\("),
    ),
    "hcl": Rules(directives=directives_of("hcl"), line_breaks=LineBreaks.EVERY, inner_comments=False),
    "html": Rules(
        directives=directives_of("html"),
        white_space=False,
        comments_stay=True,
        # elements in which a comment is text
        foreign=re.compile(
            rb"(?i)<(?:textarea|xmp|iframe|noembed|noframes|noscript|plaintext)\b|<title\b[^<]*<(?!/title)"
        ),
    ),
    "kotlin": Rules(
        comments=frozenset({"line_comment", "block_comment"}),
        directives=directives_of("kotlin"),
        documentation=documentation_of("kotlin"),
        white_space=False,
    ),
    "lua": Rules(
        directives=directives_of("lua"),
        documentation=documentation_of("lua"),
        line_breaks=LineBreaks.RESTRICTED,
        following=frozenset({b"("}),
    ),
    "make": Rules(
        directives=directives_of("make"),
        white_space=False,
        comments_stay=True,
        # another mark than a tab begins the lines of a recipe
        foreign=re.compile(rb"\.RECIPEPREFIX"),
    ),
    "scala": Rules(
        comments=frozenset({"comment", "block_comment"}),
        directives=directives_of("scala"),
        documentation=documentation_of("scala"),
        white_space=False,
    ),
    "sql": Rules(
        comments=frozenset({"comment", "marginalia"}),
        directives=directives_of("sql"),
        white_space=False,
        # what one dialect reads as a quote or a comment and another one does not
        foreign=re.compile(rb"[\\#$`\[]|\{[{%]|(?i:\bn?q')"),
    ),
    "swift": Rules(
        comments=frozenset({"comment", "multiline_comment"}),
        directives=directives_of("swift"),
        documentation=documentation_of("swift"),
        white_space=False,
    ),
}
"""The languages whose changes are graded, by name."""

LINE_ENDS_UNIFIED = frozenset(
    {"python", "javascript", "typescript", "tsx", "java", "go", "rust", "json", "markdown"}
)
"""Languages that read CRLF as LF everywhere, inside literals too."""
LINE_ENDS_BETWEEN_TOKENS = frozenset({"c", "cpp", "c_sharp", "toml"})
"""Languages where CRLF is as good as LF outside literals."""
LONE_CR_ENDS_LINES = frozenset({"python", "javascript", "typescript", "tsx", "java", "json", "markdown"})
"""Languages in which a lone CR ends a line, or is white space like any other."""
