"""How comments begin, or what they hold, that are more than remarks: one row a language (D12)."""

from __future__ import annotations

import re

_ANY_TOOL = (
    r"\bno(?:qa|sec|lint|inspection|pragma|mutate|cover|cov|strip|typecheck)\b",
    (
        r"\b(?:lint|coverage|istanbul|c8|v8|codecov|sonar|semgrep|codeql|lgtm|cspell|spell-checker|codespell)"
        r"\s*[:\s-]\s*\w"
    ),
    r"^\W*(?:pragma|(?:end)?region)\b|\bpragma:|\b(?:sourceMappingURL|sourceURL|spdx-license-identifier)\b",
    r"\b(?:en|dis)abled?(?:-next-line|-line|[:=])",
    r"-\*-.*-\*-|\b(?:vim?|ex):\s*\w",
    r"\b(?:fmt|format|formatter)\s*:?\s*(?:on|off|skip)\b",
    r"\b\w+[-:]\s?ignore\b|\bignore[-:\[]|\bsuppress(?:warnings)?\b|@\w",
    r"\b(?:safety|deprecated)\b\s*:|\bfall[s-]?\s?-?through\b",
    r"^(?:/\*|//|--|#)\s?\+|^(?:/\*|//|#)\s?\w+:[\w-]",
)
_BY_LANGUAGE = {
    "python": (
        r"\btype\s*:|\bcoding\s*[:=]",
        (
            r"\b(?:pylint|mypy|pyright|pyre|pytype|pycln|ruff|flake8|isort|yapf|autopep8|black|bandit|skipcq|cython"
            r"|distutils|ty|pyrefly|jupytext|doctest)\s*:"
        ),
        r"^# ///|^#\s?%%|^# (?:dependencies|requires-python)\b",
    ),
    "javascript": (
        r"\b(?:eslint|tslint|jshint|jslint|jscs|prettier|biome|oxlint|webpack|stylelint|dprint|deno)\b",
        r"^\W*(?:globals?|exported|flow|turbopack\w*|webpack\w+|vite)\b|[@#]__\w+__|^///",
    ),
    "java": (r"\bcheckstyle\b|\bPMD\b|\$NON-NLS|\\u",),
    "c": (
        r"\bNOLINT|\bcppcheck|\bcoverity|\blint\s*-|\b[GL]COV|\bclang-|\bIWYU\b|\bswig\b|\bNOSONAR\b",
        r"\\[ \t]*(?:\r|\n|$)|\?\?/|\bfall",
    ),
    "go": (r"^//[a-z0-9]+:|^//(?:line|export|extern|sys|sysnb)\b|^/\*line\b|\bcode generated\b",),
    "rust": (r"\b(?:rustfmt|clippy|tidy|SAFETY)\b|^//@",),
    "toml": (r"^#:|\btaplo\s*:",),
    "c_sharp": (r"\bresharper\b|\bauto-?generated\b|\bNOSONAR\b|\brider\b",),
    "php": (r"\b(?:phpcs|phpstan|psalm|phan|phpmd|rector|deptrac)\b|\bcodingstandards",),
    "ruby": (
        r"\b(?:rubocop|standard|steep|reek|sorbet|erb_lint|yard|rdoc|brakeman)\b|:\w+:",
        r"\b(?:frozen.string.literal|shareable.constant.value|warn.(?:indent|past.scope)|typed|(?:en)?coding)\s*[:=]",
    ),
    "lua": (r"\b(?:luacheck|stylua|selene|luacov|ldoc|luals|nelua|teal)\b|^--[!#:|@]",),
    "hcl": (r"\b(?:checkov|tfsec|trivy|tflint|terrascan|kics|snyk|infracost|terraform-docs|semgrep)\b",),
    "kotlin": (r"\b(?:ktlint|detekt|ktfmt|NOSONAR)\b|^//!|^//\w+$",),
    "make": (r"^##|\\\r?$|\b(?:checkmake|unmake|autoconf|automake|configure)\b",),
    "swift": (
        r"\b(?:swiftlint|swiftformat|swift-format\S*|swift-tools-version|sourcery|periphery|mockolo|needle)\b",
        r"^//:|\b(?:expected|CHECK)-?\w*:|^/\*:",
    ),
    "scala": (r"^//>|\b(?:scalafmt|scalafix|scalastyle|scapegoat|wartremover)\b",),
    "css": (r"\b(?:stylelint|csslint|prettier|rtl|autoprefixer|purgecss|critical)\b|^/\*[!#@]|\\",),
    "html": (
        # what is one word, begins like a key, or holds another language's marks
        r"^<!--\s*(?:[^\s\w]|/?[\w-]+\s*[:=]|\S*\s*-->)|\{[{%#]|[<{]%|<\?|\$\{|--!|.<!--|^<!--\w",
        r"^<!--\s*/?(?:ko|build|inject|endbuild|endinject|nuxt|more|esi|begin|end|include|template)\b",
    ),
    "sql": (
        r"^--(?!\s)|^(?:--|/\*)\s*(?:[^\s\w]|[\w.-]+\s*[:=])|^/\*\W?[!+@]|/\*.*/\*|--.*\\",
        r"^\W*(?:sqlfluff|liquibase|changeset|rollback|rambler|goose|migrate|flyway|atlas|delimiter|go)\b",
    ),
}
_DOCUMENTATION = {
    "javascript": rb"/\*\*(?!/)",
    "java": rb"/\*\*(?!/)|///",
    "c": rb"/\*[*!](?!/)|//[/!]",
    "c_sharp": rb"/\*\*(?!/)|///",
    "php": rb"/\*\*(?!/)",
    "rust": rb"/\*\*(?![*/])|/\*!|///(?!/)|//!",
    "lua": rb"---|--\[=*\[-?-?\s*@",
    "kotlin": rb"/\*\*(?!/)",
    "scala": rb"/\*\*(?!/)",
    "swift": rb"/\*\*(?!/)|///",
}


def directives_of(language: str) -> re.Pattern[str]:
    """What a comment holds that speaks to a tool, in any language and in this one."""
    return re.compile("|".join((r"^#!", *_ANY_TOOL, *_BY_LANGUAGE.get(language, ()))), re.IGNORECASE)


def documentation_of(language: str) -> re.Pattern[bytes]:
    """How a comment begins that is documentation.

    Raises:
        KeyError: The language has no such comments.
    """
    return re.compile(_DOCUMENTATION[language])
