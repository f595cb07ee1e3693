"""Compare a whole cited file with what stands at its path now."""

from __future__ import annotations

from hashlib import sha256

from stilltrue.citations.evidence import Sighting
from stilltrue.citations.lines import Lines, fold_line_ends
from stilltrue.model.citation import Baseline, Span


def sight_file(lines: Lines, baseline: Baseline) -> Sighting:
    """What a text says about a citation of the whole file (every byte after the byte-order mark)."""
    everything = Span(1, lines.count) if lines.count else None
    if len(lines.data) == baseline.byte_length and sha256(lines.data).hexdigest() == baseline.sha256:
        return Sighting(same_at_place=True, nearest=everything)
    if sha256(fold_line_ends(lines.data)).hexdigest() == baseline.lf_sha256:
        return Sighting(folded_at=everything, nearest=everything)
    return Sighting(nearest=everything, version_stands=everything is not None)
