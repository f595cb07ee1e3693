"""What definitions are called, as people write it: `Client.send`, `tool.ruff`, `Setup`."""

from __future__ import annotations

import json
import re

from stilltrue.citations.matching import Match, text_of
from stilltrue.citations.shapes import DATA

ACCESSORS = frozenset({"setter", "deleter"})
_TEMPLATE = re.compile(r"<[^<>]*>")
_SEPARATORS = re.compile(r"::|->|\\|#|\s*\.\s*")
_EXPORTS = re.compile(r"^(?:module\.)?exports\.|^this\.|\.prototype(?=\.)")
_QUOTES = "\"'"


def own_parts(language: str, match: Match, data: bytes) -> list[str]:
    """The parts of a definition's own name; more than one where it is written qualified."""
    if match.name is None:
        return []
    text = _without_space(text_of(match.name, data))
    if language in DATA:
        return [_data_key(language, text_of(match.name, data).strip())]
    if language in {"javascript", "typescript", "tsx"}:
        text = _EXPORTS.sub("", text)
    if language == "cpp" and "operator" not in text:
        while text != (text := _TEMPLATE.sub("", text)):
            pass
    own = [part for part in _SEPARATORS.split(text.lstrip("*&")) if part] or [text]
    owner = [text_of(match.captures["owner"], data)] if "owner" in match.captures else []
    return owner + _with_variant(language, own, match.variants)


def signature_of(match: Match, data: bytes) -> str:
    """The types of its parameters, `(int,String)`; names where there are no types; empty without."""
    node = match.captures.get("signature")
    if node is None:
        return ""
    told = []
    for child in node.named_children:
        if "comment" not in child.type:
            kind = child.child_by_field_name("type")
            told.append(_without_space(text_of(kind or child, data)).lstrip(":"))
    return f"({','.join(told)})"


def as_written(language: str, wanted: str) -> str:
    """A name as a person wrote it, brought to the form that definitions have here."""
    text = wanted.strip()
    if language in DATA:
        return re.sub(r"\[(\d+)\]", r".\1", text) if language in {"yaml", "json", "toml"} else text
    name, bracket, signature = text.partition("(")
    return _SEPARATORS.sub(".", name).strip(".") + bracket + _without_space(signature)


def slug(heading: str) -> str:
    """The anchor that code hosts give a heading: `Getting started!` is `getting-started`."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def _with_variant(language: str, own: list[str], variants: set[str]) -> list[str]:
    if language == "python":
        return own + sorted(variants & ACCESSORS)
    if language in {"javascript", "typescript", "tsx"}:
        return own + sorted(variants & {"set"})
    if language == "ruby":
        return sorted(variants) + own
    if language == "c_sharp" and "~" in variants:
        return [f"~{own[0]}"]
    return own


def _data_key(language: str, text: str) -> str:
    if language == "json":
        try:
            return str(json.loads(text))
        except ValueError:
            return text.strip(_QUOTES)
    if language == "yaml":
        return re.sub(r"^[&!]\S+\s+", "", text).strip(_QUOTES)
    if language == "toml":
        return ".".join(
            part.strip().strip(_QUOTES) for part in re.split(r"\.(?=(?:[^\"]*\"[^\"]*\")*[^\"]*$)", text)
        )
    return " ".join(text.split())


def _without_space(text: str) -> str:
    return "".join(text.split())
