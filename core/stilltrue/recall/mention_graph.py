"""Who mentions whom: exact slug tokens in the texts of memories, and what is reached along them (B37 to B39).

A memory answers to `m12` (the number of any version of it), to the uid of any version, and, where it alone
has that subject, to its subject written as a slug: `retry-policy` for *Retry policy*. A subject of one word
counts only in double square brackets, `[[retries]]`: one word is in every other text. Paths are no slugs.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from stilltrue.model.memory import Memory
from stilltrue.recall.feedback import Edge

POOL = 200
"""Most rows that are weighed (B38)."""

MOST_ROWS = 30

_TOKEN = re.compile(r"[\w./#@-]+")
_BRACKETED = re.compile(r"\[\[([\w-]{1,64})\]\]")
_WORDS = re.compile(r"[^\W_]+(?:[ _-]+[^\W_]+)*")
_PUNCTUATION = "./#@-"


@dataclass(frozen=True, slots=True)
class Version:
    """What the graph is made of: every version of a memory names it, the live ones speak.

    Attributes:
        number: As in `m12`.
        uid: Of the version.
        chain: Of the memory; its slug.
        subject: Empty for a version that is not live.
        text: Likewise.
    """

    number: int
    uid: str
    chain: str
    subject: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True)
class Reached:
    """A memory met on the way: the slugs from the origin to it, and the edges between them."""

    slugs: tuple[str, ...]
    edges: tuple[Edge, ...]

    @property
    def slug(self) -> str:
        """The memory."""
        return self.slugs[-1]

    @property
    def hop(self) -> int:
        """How many edges away: 1 or 2."""
        return len(self.edges)


def slug_of(memory: Memory) -> str:
    """What a memory is called in the graph: its chain, which no revision changes and which holds no word."""
    return memory.chain


def subject_slug(subject: str) -> str | None:
    """A subject as people write it as one token, or None where it is no words, as a path is none."""
    written = subject.strip().lower()
    return re.sub(r"[ _-]+", "-", written) if _WORDS.fullmatch(written) else None


def mention_edges(repo: str, versions: Sequence[Version]) -> list[Edge]:
    """The whole graph of a repository, sorted; the same for the same versions in any order."""
    names = _names(versions)
    found = {
        Edge(repo, version.chain, target)
        for version in versions
        for name in mentioned_names(version.text)
        if (target := names.get(name)) is not None and target != version.chain
    }
    return sorted(found)


def mentioned_names(text: str) -> set[str]:
    """The tokens of a text that could be names: whole ones, never a part of a longer one, in lower case."""
    lowered = text.lower()
    tokens = {token.strip(_PUNCTUATION) for token in _TOKEN.findall(lowered)}
    plain = {token for token in tokens if "-" in token or (token[:1] == "m" and token[1:].isdecimal())}
    return plain | {f"[[{name}]]" for name in _BRACKETED.findall(lowered)}


def expand(
    origins: Sequence[str], hops: int, neighbours: Iterable[tuple[int, Edge]], *, pool: int = POOL
) -> list[Reached]:
    """What lies up to `hops` edges away from the origins, edges followed both ways, nearest first.

    Args:
        origins: Slugs in the order of the results; they are no rows of the graph themselves.
        hops: 1 or 2.
        neighbours: Edges with the hop in which they were fetched, 1 for those at the origins.
        pool: At most so many.
    """
    edges: dict[int, list[Edge]] = {1: [], 2: []}
    for hop, edge in neighbours:
        edges[hop].append(edge)
    met = dict.fromkeys(origins)
    front = [Reached((slug,), ()) for slug in met]
    found: list[Reached] = []
    for hop in range(1, hops + 1):
        by_slug = _by_end(edges[hop])
        following: list[Reached] = []
        for here in front:
            for slug, edge in by_slug.get(here.slug, ()):
                if slug not in met:
                    met[slug] = None
                    following.append(Reached((*here.slugs, slug), (*here.edges, edge)))
        found += following
        front = following
    return found[:pool]


def weighed(reached: Sequence[Reached], strengths: Mapping[Edge, float]) -> list[Reached]:
    """By hop, then by what confirmations lent the path, then as they were (B38, B39)."""
    return sorted(reached, key=lambda each: (each.hop, -learned_strength(each, strengths)))


def learned_strength(reached: Reached, strengths: Mapping[Edge, float]) -> float:
    """The credit on the way, summed; no relevance (B39)."""
    return sum(strengths.get(edge, 0.0) for edge in reached.edges)


def rows_for(top_k: int) -> int:
    """How many graph rows an answer of `top_k` results may have (B38)."""
    return min(2 * top_k, MOST_ROWS)


def _by_end(edges: Iterable[Edge]) -> dict[str, list[tuple[str, Edge]]]:
    """From a slug to its neighbours: those it mentions first, then those that mention it, each in order."""
    found: dict[str, list[tuple[str, Edge]]] = {}
    known = sorted(set(edges))
    for edge in known:
        found.setdefault(edge.source, []).append((edge.target, edge))
    for edge in known:
        found.setdefault(edge.target, []).append((edge.source, edge))
    return found


def _names(versions: Sequence[Version]) -> dict[str, str]:
    """Every name to the memory it belongs to."""
    names = {f"m{version.number}": version.chain for version in versions}
    names |= {version.uid: version.chain for version in versions}
    subjects = {
        (slug if "-" in slug else f"[[{slug}]]", version.chain)
        for version in versions
        if version.subject and (slug := subject_slug(version.subject))
    }
    owners = Counter(slug for slug, _ in subjects)
    return {slug: chain for slug, chain in subjects if owners[slug] == 1} | names
