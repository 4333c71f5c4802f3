"""The choice between whole readings of a page.

The method's ranker says how much better than the reading with the best expected F each other one
is. Another one is taken only if it is better by a margin, which is chosen on pages that the ranker
did not learn from.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from tamis._runtime import limits
from tamis.decide.decision import Choice, Reading
from tamis.decide.readings.candidates import BEST, find_readings
from tamis.describe.types import page_type
from tamis.methods._base import Flags, Floats, Method
from tamis.model.features.reading_features import NAMES, READINGS, ReadingFeatures
from tamis.model.features.vocabulary import read_vocabulary
from tamis.page.arrays import Matrix
from tamis.page.table import Page

_FORUM, _OVERVIEW = 0.5, 0.3
"""Chances of a page type from which on its own readings are made."""
_HALF = 0.5
"""Share of the words of a block from which on it is part of a message."""


def choose_reading(
    page: Page, scores: Floats, method: Method, url: str | None, type_weights: str | None
) -> tuple[Flags, Choice] | None:
    """Choose a reading; None if the method cannot rank them, or there is only one."""
    types = page_type.estimate_by_columns(page, url, type_weights)
    readings, table = describe_readings(page, scores, types)
    if len(readings) < 2:
        return None
    gains = method.rank_readings(table)
    if gains is None:
        return None
    names = list(readings)
    gains[0] = 0.0
    place = int(gains.argmax())
    words = [int(page.blocks.words[kept].sum()) for kept in readings.values()]
    choice = Choice(
        tuple(map(Reading, names, words, gains.tolist())),
        names[place],
        _write_reason(names[place], table[place], readings[BEST] & ~readings[names[place]]),
    )
    return readings[names[place]], choice


def describe_readings(
    page: Page, scores: Floats, types: Mapping[str, float]
) -> tuple[dict[str, Flags], Matrix]:
    """The readings of a page, and what the ranker sees of each; `types` in the order of `TYPES`."""
    readings = find_readings(page, scores)
    limits.check()
    for name, kept in (
        ("thread", _read_thread(page) if types["forum"] > _FORUM else None),
        ("items", _read_items(page, scores) if page_type.sum_overview(types) > _OVERVIEW else None),
    ):
        if (
            kept is not None
            and kept.any()
            and not any((kept == other).all() for other in readings.values())
        ):
            readings[name] = kept
    features = ReadingFeatures(
        page, read_vocabulary(page), scores, np.array(list(readings.values()), np.uint8)
    )
    kinds = np.array([READINGS.index(name) for name in readings], np.intc)
    return readings, features.fill(kinds, np.array(list(types.values())))


def _read_thread(page: Page) -> Flags | None:
    """The blocks that were written in the posts of a thread."""
    from tamis.describe.posts import messages

    in_messages = messages.find_written(page)
    if in_messages is None:
        return None
    words = np.bincount(page.texts.block, page.texts.words * in_messages, len(page.blocks))
    in_posts: Flags = words > _HALF * page.blocks.words
    return in_posts


def _read_items(page: Page, scores: Floats) -> Flags:
    """The blocks of the entries of an overview page."""
    from tamis.describe.types import overview

    return overview.find_item_blocks(page, scores)


def _write_reason(name: str, row: Matrix, removed: Flags) -> str:
    """Why a reading was chosen, for people."""
    if name == "thread":
        return "the messages of the thread fit the page better"
    if name == "items":
        return "the entries of the list fit the page better"
    count = int(np.count_nonzero(removed))
    if not count:
        return "more of the page belongs together"
    share = float(row[NAMES.index("removed.known")])
    blocks = "block shares" if count == 1 else f"{count:,} blocks share"
    return f"the other {blocks} {share:.0%} of their words with the rest"
