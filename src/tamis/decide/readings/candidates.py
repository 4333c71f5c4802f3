"""The readings of a page: a few whole choices of blocks, of which one may be right.

A threshold on probabilities cannot tell a story from the feed below it if both are about as likely.
So a page is read in several ways, and the method's ranker compares these as wholes.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tamis.decide.decision import BETAS, best_count, most_probable_first
from tamis.methods._base import Flags, Floats, Indexes
from tamis.page import tags
from tamis.page.table import Page

SURE = 0.85
"""The probability from which on a block is in the reading `sure`."""
# Dropped blocks that a browser shows, in a row, that end a run.
_GAP = 6
# Share of what is expected that the reading `element` has at least.
_HALF = 0.5


def find_readings(page: Page, probabilities: Floats) -> dict[str, Flags]:
    """The readings that follow from probabilities, by name; none is there twice.

    The first, `best`, is the one with the best expected F.
    """
    words = page.blocks.words.astype(float)
    probabilities = np.ascontiguousarray(probabilities, float)
    readings: dict[str, Flags] = {}
    for name, kept in _list_readings(page, probabilities, words):
        add_reading(readings, name, kept)
    return readings


def add_reading(readings: dict[str, Flags], name: str, kept: Flags) -> None:
    """Add a reading unless it is empty or there already."""
    if kept.any() and not any((kept == other).all() for other in readings.values()):
        readings[name] = kept


def _list_readings(page: Page, probabilities: Floats, words: Floats) -> Iterator[tuple[str, Flags]]:
    order = most_probable_first(probabilities)
    best, precise = (np.zeros(len(words), bool) for _ in range(2))
    best[order[: best_count(probabilities, words, order, 1.0)[0]]] = True
    precise[order[: best_count(probabilities, words, order, BETAS["precision"])[0]]] = True
    yield "best", best
    yield "precise", precise
    yield "sure", probabilities >= SURE
    expected = np.where(best, probabilities * words, 0.0)
    runs = sorted(_split_runs(page, best), key=lambda run: -float(expected[run].sum()))
    for name, count in (("longest run", 1), ("two runs", 2)):
        if len(runs) > count:
            kept = np.zeros(len(words), bool)
            kept[np.concatenate(runs[:count])] = True
            yield name, kept
    yield "element", best & _mark_deepest(page, expected)


def _split_runs(page: Page, kept: Flags) -> list[Indexes]:
    """The kept blocks, cut where more than `_GAP` blocks that a browser shows are dropped."""
    blocks = np.flatnonzero(kept)
    shown = np.cumsum((page.blocks.flags & tags.HIDDEN == 0) & ~kept)
    return np.split(blocks, np.flatnonzero(np.diff(shown[blocks]) > _GAP) + 1)


def _mark_deepest(page: Page, expected: Floats) -> Flags:
    """The blocks in the deepest element with at least half of the expected words."""
    nodes, block = page.nodes, np.append(page.texts.block, len(expected))
    sums = np.append(0.0, np.cumsum(expected))
    filled = nodes.end_text > nodes.first_text
    end = np.where(filled, block[nodes.end_text - 1] + 1, 0)
    first = np.where(filled, block[nodes.first_text], 0)
    inside = np.zeros(len(expected), bool)
    enough = np.flatnonzero(sums[end] - sums[first] >= _HALF * sums[-1])
    if len(enough):
        node = enough[nodes.depth[enough].argmax()]
        inside[first[node] : end[node]] = True
    return inside
