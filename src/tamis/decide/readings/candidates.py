"""Whole readings of a page: the few choices of blocks that one of them may be right.

A threshold on probabilities cannot tell a story from the feed below it, where each block is about as
probable. So the page is read in several ways, and the method's ranker compares these as wholes.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tamis.decide.decision import BETAS, best_count, most_probable_first
from tamis.methods._base import Flags, Floats, Indexes
from tamis.page import tags
from tamis.page.table import Page

BEST = "best"
"""The blocks with the best expected F: the reading that all others are compared with."""

SURE = 0.85
"""The probability from which on a block is kept in the reading `sure`."""
# Dropped blocks that a browser shows, in a row, that end a run.
_GAP = 6
_RUNS = 3
# A family of repeated siblings is a feed if it has so many units, with so many words in links in
# such a share of them, and less than such a share of what is kept.
_LEAST_UNITS = 3
_LINKED_WORDS = 2
_LINKED_UNITS = 0.6
_MOST_WORDS = 150
_MOST_OF_KEPT = 0.7


def find_readings(page: Page, probabilities: Floats) -> dict[str, Flags]:
    """The readings of a page that need no more than probabilities, `BEST` first; none twice."""
    words = page.blocks.words.astype(float)
    probabilities = np.ascontiguousarray(probabilities, float)
    order = most_probable_first(probabilities)
    readings: dict[str, Flags] = {}
    for name, kept in _list_readings(page, probabilities, words, order):
        if kept.any() and not any((kept == other).all() for other in readings.values()):
            readings[name] = kept
    return readings


def _list_readings(
    page: Page, probabilities: Floats, words: Floats, order: Indexes
) -> Iterator[tuple[str, Flags]]:
    def keep_first(count: int) -> Flags:
        kept = np.zeros(len(words), bool)
        kept[order[:count]] = True
        return kept

    best = keep_first(best_count(probabilities, words, order, 1.0)[0])
    yield BEST, best
    for name, focus in (("precise", "precision"), ("complete", "recall")):
        yield name, keep_first(best_count(probabilities, words, order, BETAS[focus])[0])
    yield "sure", probabilities >= SURE
    expected = probabilities * words
    runs = _split_runs(page, best)
    if len(runs) > 1:
        heaviest = sorted(runs, key=lambda run: -float(expected[run].sum()))[:_RUNS]
        for number, run in enumerate(heaviest, 1):
            yield f"run {number}", _keep_only(best, run)
        if len(runs) > 2:
            yield "two runs", _keep_only(best, np.concatenate(heaviest[:2]))
    yield "element", best & _mark_deepest(page, np.where(best, expected, 0))
    yield "no feeds", best & ~mark_feeds(page, best)


def _keep_only(kept: Flags, blocks: Indexes) -> Flags:
    chosen = np.zeros(len(kept), bool)
    chosen[blocks] = True
    return chosen & kept


def _split_runs(page: Page, kept: Flags) -> list[Indexes]:
    """The kept blocks, cut where more than `_GAP` blocks that a browser shows are dropped."""
    blocks = np.flatnonzero(kept)
    shown = np.cumsum((page.blocks.flags & tags.HIDDEN == 0) & ~kept)
    return np.split(blocks, np.flatnonzero(np.diff(shown[blocks]) > _GAP) + 1)


def _mark_deepest(page: Page, expected: Floats) -> Flags:
    """The blocks in the deepest element with at least half of the expected words."""
    first, end = find_ranges(page)
    sums = np.append(0.0, np.cumsum(expected))
    held = sums[end] - sums[first]
    inside = np.zeros(len(expected), bool)
    enough = np.flatnonzero(held >= 0.5 * sums[-1])
    if len(enough):
        node = enough[page.nodes.depth[enough].argmax()]
        inside[first[node] : end[node]] = True
    return inside


def find_ranges(page: Page) -> tuple[Indexes, Indexes]:
    """The first block in each element and the end; the range may be empty."""
    nodes, block = page.nodes, page.texts.block
    block = np.append(block, len(page.blocks))
    first = block[nodes.first_text].astype(np.intp)
    end = np.where(nodes.end_text > nodes.first_text, block[nodes.end_text - 1] + 1, first).astype(
        np.intp
    )
    return first, end


def mark_feeds(page: Page, kept: Flags) -> Flags:
    """The blocks in repeated siblings that have a link each: teasers, lists of stories."""
    nodes, blocks = page.nodes, page.blocks
    first, end = find_ranges(page)
    words = np.append(0, np.cumsum(np.where(kept, blocks.words, 0)))
    links = np.append(0, np.cumsum(np.where(kept, blocks.link_words, 0)))
    held, linked = words[end] - words[first], links[end] - links[first]
    feeds = np.zeros(len(kept), bool)
    units = np.flatnonzero(held > 0)
    if not len(units):
        return feeds
    key = nodes.parent[units].astype(np.int64) << 16 | nodes.tag[units]
    order = np.argsort(key, kind="stable")
    units = units[order]
    cuts = np.flatnonzero(np.diff(key[order])) + 1
    starts = np.append(0, cuts)
    count = np.diff(np.append(starts, len(units)))
    sums = np.add.reduceat(held[units], starts)
    with_link = np.add.reduceat((linked[units] >= _LINKED_WORDS).astype(int), starts)
    fit = (count >= _LEAST_UNITS) & (with_link >= _LINKED_UNITS * count)
    fit &= (sums <= _MOST_WORDS * count) & (sums <= _MOST_OF_KEPT * words[-1])
    for family in np.flatnonzero(fit).tolist():
        for unit in units[starts[family] : starts[family] + count[family]].tolist():
            feeds[first[unit] : end[unit]] = True
    return feeds
