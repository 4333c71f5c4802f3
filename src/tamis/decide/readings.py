"""Whole readings of a page, and the choice between them.

A threshold on probabilities cannot tell a story from the feed below it if both are about as likely.
So a page is read in several ways: a few whole choices of blocks, of which one may be right. The
method's ranker says how much better than the reading with the best expected F each other one is.
Another one is taken only if it is better by a margin, which was chosen on pages that the ranker did
not learn from.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tamis._runtime import limits
from tamis.decide.candidates import THREAD, Candidates
from tamis.decide.decision import Choice, RankedReading
from tamis.describe.types.page_type import is_likely_forum
from tamis.methods._base import Flags, Floats, Method
from tamis.model.features.reading_features import NAMES, READINGS, ReadingFeatures
from tamis.model.features.vocabulary import read_vocabulary
from tamis.page.arrays import Matrix
from tamis.page.table import Page

LIKELY = 0.5
"""Chance of a forum from which on posts are looked for, which takes longer than all the rest."""
# Share of the kept words under one element from which on there is one story, not several posts.
_ONE_STORY = 0.7
# Share of the words of a block from which on it is part of a message.
_HALF = 0.5


def choose_reading(
    page: Page, scores: Floats, method: Method, url: str | None, type_weights: str | None
) -> tuple[Flags, Choice] | None:
    """Choose a reading; None if there is only one, or the method cannot rank them."""
    if not method.ranks_readings:
        return None
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
        tuple(map(RankedReading, names, words, gains.tolist())),
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
    """The readings of a page by name, and what the ranker sees of each.

    The first is `best`. The table of a page with one reading has zeros only.
    """
    found = Candidates(page, scores)
    limits.check()
    if _has_several_places(page, found.made[0].view(bool)) and is_forum():
        messages = _read_thread(page)
        if messages is not None:
            found.add_flags(THREAD, messages.view(np.uint8))
    rows, kinds = found.made[: found.count], found.kinds_made[: found.count]
    readings = {
        READINGS[kind]: row.view(bool) for kind, row in zip(kinds.tolist(), rows, strict=True)
    }
    if found.count < 2:
        return readings, np.zeros((found.count, len(NAMES)), np.float32)
    features = ReadingFeatures(page, read_vocabulary(page), scores, rows)
    return readings, features.fill(kinds)


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
