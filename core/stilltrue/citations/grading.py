"""Whether a changed span changed in form only, as far as a grammar vouches for it (design 4; E10, D12).

The old file is not kept, the cited bytes are. They are put into the present file in the place of the present
lines; both whole files are parsed and compared. When in doubt: content.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING

from stilltrue.citations import c_places
from stilltrue.citations.c_tokens import meanings
from stilltrue.citations.cosmetic_rules import (
    LINE_ENDS_BETWEEN_TOKENS,
    LINE_ENDS_UNIFIED,
    LONE_CR_ENDS_LINES,
    RULES,
    Rules,
)
from stilltrue.citations.evidence import Sighting
from stilltrue.citations.languages import Language, language_of
from stilltrue.citations.lines import Lines, fold_line_ends
from stilltrue.citations.meaning import WHITE_SPACE, has_broken_literal, lines_of_code, meaning_of
from stilltrue.citations.offsets import Place, shares_lines
from stilltrue.citations.parsing import parse
from stilltrue.citations.place_edges import cuts_a_token, holds_comments_alone, touching_neighbours
from stilltrue.citations.same_text import ChangedText
from stilltrue.citations.second_opinions import means_the_same
from stilltrue.citations.words_shared import says_alike
from stilltrue.model.citation import Baseline, Span
from stilltrue.model.verdict import Reason

if TYPE_CHECKING:
    from tree_sitter import Tree

_DECEIVING = re.compile(rb"[\0\x0b\x0c]|\r(?!\n)|\xc2\x85|\xe2\x80[\xa8-\xae]|\xe2\x81[\xa6-\xa9]")
"""What one program takes for a line end or for white space and another does not, and what hides text."""
_MAY_SAY_NOTHING = re.compile(rb"#|//|\*|--|\\\r?\n")
"""What may be a comment, or joins two lines."""
_BEFORE_COMMENT = re.compile(
    rb"^(#[ \t]*(?:pragma|if|elif|else|endif|define|undef|nullable)\b[^\"\n]*?)[ \t]+//"
)
"""Before it is a comment there; a message or the name of a region would hold it."""


@dataclass(frozen=True, slots=True)
class Cosmetic:
    """A change in form only.

    Attributes:
        reason: `whitespace` or `comment`.
        at: Where the lines stand now, 1-based and inclusive.
    """

    reason: Reason
    at: Span


def graded(
    seen: Sighting, path: str, lines: Lines, baseline: Baseline, recorded: Span | None = None
) -> Sighting:
    """What was seen, and whether it is a change in form only. Anything but a changed text stays as it is.

    Args:
        seen: What was seen.
        path: Names the language.
        lines: The text it was seen in.
        baseline: What was cited.
        recorded: The recorded lines, 1-based and inclusive; a hint.
    """
    if not seen.is_changed:
        return seen
    if seen.folded_at:
        return replace(seen, line_ends_matter=line_ends_matter(path, lines, baseline, seen.folded_at))
    found = cosmetic_change(path, lines, baseline, seen, recorded)
    return replace(seen, cosmetic=found.reason, nearest=found.at) if found else seen


def line_ends_matter(path: str, lines: Lines, baseline: Baseline, at: Span) -> bool:
    """Whether line ends may carry meaning at a place that differs from the cited bytes in them alone.

    Args:
        path: Names the language; nothing vouches for a text without one.
        lines: The text as it is now.
        baseline: What was cited.
        at: The lines that differ, 1-based and inclusive.
    """
    language = language_of(path)
    if language is None:
        return True
    standing = lines.span_bytes(at)
    if language.name not in LONE_CR_ENDS_LINES and not _knows_line_ends(standing, baseline):
        return True
    if language.name in LINE_ENDS_UNIFIED:
        return False
    if language.name not in LINE_ENDS_BETWEEN_TOKENS:
        return True
    tree = _tree(language, lines.data)
    start = lines.starts[at.start - 1]
    return tree is None or has_broken_literal(tree, (start, start + len(standing)))


def _knows_line_ends(standing: bytes, baseline: Baseline) -> bool:
    """Whether neither text can hold a lone CR."""
    if re.search(rb"\r(?!\n)", standing):
        return False
    folded = fold_line_ends(standing)
    return baseline.sha256 in {sha256(each).hexdigest() for each in (folded, folded.replace(b"\n", b"\r\n"))}


def cosmetic_change(
    path: str, lines: Lines, baseline: Baseline, seen: Sighting, recorded: Span | None = None
) -> Cosmetic | None:
    """The change in form only that turned the cited text into what stands there now; None for any other.

    Args:
        path: Names the language.
        lines: The text as it is now, in which the cited bytes do not stand at their place any more.
        baseline: What was cited. Without its whole excerpt nothing can be compared.
        seen: What was seen in it.
        recorded: The recorded lines, 1-based and inclusive; a hint.
    """
    language = language_of(path)
    rules = RULES.get(language.name) if language else None
    if language is None or rules is None or baseline.excerpt is None or not baseline.excerpt_is_whole:
        return None
    if rules.foreign and rules.foreign.search(lines.data):
        return None
    for start, end in dict.fromkeys(_places(lines, baseline, seen, recorded)):
        reason = _reason(language, rules, lines, (start, end), baseline)
        if reason:
            first, last = (bisect_right(lines.starts, at) for at in (start, max(start, end - 1)))
            return Cosmetic(reason, Span(first, last))
    return None


def _places(lines: Lines, baseline: Baseline, seen: Sighting, recorded: Span | None) -> Iterator[Place]:
    """Where the changed text stands for certain; an equal copy, or a text like it, may stand elsewhere."""
    at = _bytes_of(lines, seen.nearest) if seen.nearest else None
    copies = tuple(_bytes_of(lines, each) for each in seen.copies)
    text = ChangedText(lines, baseline, copies, recorded.start if recorded else None)
    if seen.definitions:  # its name tells the place
        if at:
            yield at
            yield from text.over(at)
        return
    if at and text.is_vouched(at, stands=seen.version_stands):
        yield at
    yield from text.equal_places(at, elsewhere=not seen.version_stands)
    yield from text.between(at, elsewhere=not seen.version_stands)


def _bytes_of(lines: Lines, span: Span) -> Place:
    start = lines.starts[span.start - 1]
    return start, start + len(lines.span_bytes(span))


def _reason(
    language: Language, rules: Rules, lines: Lines, place: Place, baseline: Baseline
) -> Reason | None:
    now, cited = lines.data, baseline.excerpt or b""
    standing = now[slice(*place)]
    if _DECEIVING.search(standing) or _DECEIVING.search(cited) or not _worth_parsing(cited, standing):
        return None
    # what was cited stood on lines of its own
    at_head, at_tail = shares_lines(now, place)
    cited = b"\n" * at_head + cited + b"\n" * at_tail
    if standing == cited:
        return None
    if rules.by_tokens:
        return _reason_by_tokens(rules, now, place, cited)
    tree = _tree(language, now)
    touched = touching_neighbours(lines, place, baseline)
    if tree is None or cuts_a_token(rules, tree, now, place, touched):
        return None
    return _reason_by_tree((language, rules), (tree, now), place, cited)


def _reason_by_tree(
    read_as: tuple[Language, Rules], text: tuple[Tree, bytes], place: Place, cited: bytes
) -> Reason | None:
    (language, rules), (tree, now), (start, end) = read_as, text, place
    before = now[:start] + cited + now[end:]
    old_tree = _sound(language, before)
    if old_tree is None:
        return None
    if holds_comments_alone(rules, old_tree, (start, start + len(cited))) and (
        language.extra or not says_alike(cited, now[start:end])
    ):
        return None
    above = max(now.rfind(b"\n", 0, max(0, start - 1)), 0)
    windows = (above, start + len(cited)), (above, end)
    reason = _compare(rules, (old_tree, before, windows[0]), (tree, now, windows[1]))
    return reason if reason and means_the_same(language.name, before, now) else None


def _reason_by_tokens(rules: Rules, now: bytes, place: Place, cited: bytes) -> Reason | None:
    start, end = place
    if c_places.cuts_a_token(rules, now, place):
        return None
    before = now[:start] + cited + now[end:]
    alone = c_places.holds_comments_alone(rules, before, (start, start + len(cited)))
    if alone and not says_alike(cited, now[start:end]):
        return None
    said = meanings(rules, before, now, place)
    if said is None or said[0].tokens != said[1].tokens:
        return None
    return Reason.WHITESPACE if said[0].comments == said[1].comments else Reason.COMMENT


_Text = tuple["Tree", bytes, tuple[int, int]]


def _compare(rules: Rules, old: _Text, new: _Text) -> Reason | None:
    if not rules.white_space:
        (old_code, old_said), (new_code, new_said) = lines_of_code(rules, *old), lines_of_code(rules, *new)
        same = old_code == new_code and old_said.tokens == new_said.tokens
        return Reason.COMMENT if same and old_said.comments != new_said.comments else None
    old_said, new_said = meaning_of(rules, *old), meaning_of(rules, *new)
    if old_said.tokens != new_said.tokens:
        return None
    if rules.preprocessor and _directive_lines(old) != _directive_lines(new):
        return None
    return Reason.WHITESPACE if old_said.comments == new_said.comments else Reason.COMMENT


def _directive_lines(text: _Text) -> list[bytes]:
    """Lines of a preprocessor, which are lines whatever the tree says; some others may be among them."""
    _, data, (start, end) = text
    found, continued = [], False
    for line in data[start:end].split(b"\n"):
        if continued or line.lstrip().startswith(b"#"):
            found.append(_BEFORE_COMMENT.sub(rb"\1 //", line.strip()))
            continued = line.rstrip().endswith(b"\\")
    return found


def _worth_parsing(cited: bytes, standing: bytes) -> bool:
    """Whether the texts are alike but for white space, or hold what may say nothing, too."""
    if cited.translate(None, WHITE_SPACE) == standing.translate(None, WHITE_SPACE):
        return True
    return bool(_MAY_SAY_NOTHING.search(cited) or _MAY_SAY_NOTHING.search(standing))


@lru_cache(maxsize=1)
def _tree(language: Language, data: bytes) -> Tree | None:
    """The tree of the present text, which all citations of a file share."""
    return _sound(language, data)


def _sound(language: Language, data: bytes) -> Tree | None:
    """A tree without errors; None where there is none."""
    # some grammars want a line end at the end; it lies behind the last node and counts for nothing
    tree = parse(language, data if data.endswith(b"\n") else data + b"\n")
    return None if tree is None or tree.root_node.has_error else tree
