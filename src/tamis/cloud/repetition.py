"""Words of a script without spaces when no dictionary is at hand: what repeats in the text.

A text comes back to its subject, so the pieces that it repeats are mostly words: those that a cloud
shows, in particular. Each run is cut so that its pieces are long and frequent. On Thai pages the
boundaries agree with those of the dictionaries at F1 0.69 to 0.78, spaces alone at 0.22 to 0.38
(`python benchmarks/cloud.py --only thai`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from math import log

from tamis.cloud.scripts import CLUSTER

_LONGEST_PIECE = 8  # letters with their marks
_LEARNED = 100_000  # letters of a text that are learned from; more say nothing new


def cut(runs: Iterable[str]) -> dict[str, list[str]]:
    """The words of each run."""
    clusters = [CLUSTER.findall(run) for run in runs]
    counts = Counter(islice(_pieces(clusters), _LEARNED * _LONGEST_PIECE))
    gain = {piece: log(count) for piece, count in counts.items() if count > 1}
    return {"".join(letters): _best(letters, gain) for letters in clusters}


def _pieces(clusters: Iterable[list[str]]) -> Iterator[str]:
    for letters in clusters:
        for first in range(len(letters)):
            for end in range(first + 1, min(first + _LONGEST_PIECE, len(letters)) + 1):
                yield "".join(letters[first:end])


def _best(letters: list[str], gain: dict[str, float]) -> list[str]:
    """The cut whose pieces gain most; a piece that does not repeat is one letter."""
    best, before = [0.0], [0]
    for end in range(1, len(letters) + 1):
        best.append(best[-1])
        before.append(end - 1)
        for first in range(end - 2, max(end - _LONGEST_PIECE, 0) - 1, -1):
            gained = gain.get("".join(letters[first:end]))
            if not gained:
                break  # no longer piece repeats, either
            total = best[first] + (end - first - 1) * gained
            if total > best[end]:
                best[end], before[end] = total, first
    words, end = [], len(letters)
    while end:
        words.append("".join(letters[before[end] : end]))
        end = before[end]
    return words[::-1]
