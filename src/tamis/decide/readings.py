"""Whole readings of a page, and the choice between them.

A threshold on probabilities cannot tell a story from the feed below it if both are about as likely.
So a page is read in several ways: a few whole choices of blocks, of which one may be right. The
method's ranker says how much better than the reading with the best expected F each other one is.
Another one is taken only if it is better by a margin, which was chosen on pages that the ranker did
not learn from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from tamis._runtime import limits
from tamis.decide.decision import BETAS, Choice, Reading, best_count, most_probable_first
from tamis.describe.types.page_type import is_likely_forum
from tamis.methods._base import Flags, Floats, Indexes, Method
from tamis.model.features.reading_features import NAMES, READINGS, ReadingFeatures
from tamis.model.features.vocabulary import read_vocabulary
from tamis.page import tags
from tamis.page.arrays import Matrix
from tamis.page.table import Page

SURE = 0.85
"""The probability from which on a block is in the reading `sure`."""
# Dropped blocks that a browser shows, in a row, that end a run.
_GAP = 6
LIKELY = 0.5
"""Chance of a forum from which on posts are looked for, which takes longer than all the rest."""
# Share of the kept words under one element from which on there is one story, not several posts.
_ONE_STORY = 0.7
# Share of the expected words that the reading `element` has at least; of the words of a block from
# which on it is part of a message.
_HALF = 0.5


def choose_reading(
    page: Page, scores: Floats, method: Method, url: str | None, type_weights: str | None
) -> tuple[Flags, Choice] | None:
    """Choose a reading; None if there is one alone, or the method cannot rank them."""
    readings, table = describe_readings(
        page, scores, lambda: is_likely_forum(page, LIKELY, url, type_weights)
    )
    gains = method.rank_readings(table) if len(readings) > 1 else None
    if gains is None:
        return None
    place = take_best(gains)
    names = list(readings)
    chosen = readings[names[place]]
    words = [int(page.blocks.words[kept].sum()) for kept in readings.values()]
    removed = int(np.count_nonzero(readings[names[0]] & ~chosen))
    choice = Choice(
        tuple(map(Reading, names, words, gains.tolist())),
        names[place],
        _write_reason(names[place], removed, float(table[place, _REMOVED_KNOWN])) if place else "",
    )
    return chosen, choice


def take_best(gains: Floats) -> int:
    """The place of the reading to take; the first is better than others that gain nothing."""
    gains[0] = 0.0
    return int(gains.argmax())


_REMOVED_KNOWN = NAMES.index("removed.known")


def describe_readings(
    page: Page, scores: Floats, is_forum: Callable[[], bool]
) -> tuple[dict[str, Flags], Matrix]:
    """The readings of a page by name, and what the ranker sees of each."""
    readings = find_readings(page, scores)
    limits.check()
    if _has_several_places(page, readings["best"]) and is_forum():
        messages = _read_thread(page)
        if messages is not None:
            add_reading(readings, "thread", messages)
    features = ReadingFeatures(
        page, read_vocabulary(page), scores, np.array(list(readings.values()), np.uint8)
    )
    return readings, features.fill(np.array([READINGS.index(name) for name in readings], np.intc))


def _has_several_places(page: Page, kept: Flags) -> bool:
    """Whether what is kept is not in one element, as a story is. Posts are in several."""
    blocks = page.blocks
    words = blocks.words[kept]
    below = np.bincount(page.nodes.parent[blocks.node[kept]] + 1, words)
    return bool(below.max(initial=0) < _ONE_STORY * words.sum())


def _read_thread(page: Page) -> Flags | None:
    """The blocks that were written in the posts of a thread."""
    from tamis.describe.posts import messages

    in_messages = messages.find_written(page)
    if in_messages is None:
        return None
    words = np.bincount(page.texts.block, page.texts.words * in_messages, len(page.blocks))
    in_posts: Flags = words > _HALF * page.blocks.words
    return in_posts


def _write_reason(name: str, removed: int, share: float) -> str:
    """Why a reading is better, for people."""
    if name == "thread":
        return "the messages of the thread fit the page better"
    if not removed:
        return "more of the page belongs together"
    blocks = "other block shares" if removed == 1 else f"other {removed:,} blocks share"
    return f"the {blocks} {share:.0%} of their words with the rest"


# Readings that follow from probabilities


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
