"""What a page has once too often: passages that it has twice, and stories after its own.

A page that is made for screens of two sizes, or once more for print, has its content twice; below
the story that an address stands for, an endless page goes on with others. Whatever these blocks
look like, they are not what the page is about: their log odds become the lowest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tamis.model.features.structure import GROUP_NAMES

if TYPE_CHECKING:
    import cython

    from tamis.model.features.columns import BatchColumns
    from tamis.page.arrays import Floats, Ints

NAMES = ("", "copy", "story")
"""What the numbers mean that `extra` gives to blocks; most blocks have the first."""
COPY, STORY = 1, 2

LOWEST = -8.0
"""The log odds of such a block."""

CLASS_PATH, PATH, FAMILY = map(GROUP_NAMES.index, ("class_path", "path", "family"))

# Words in a row from which on a passage is a copy. By folds over sites and on sets that were not
# trained on 85 pages gain by it and 16 lose, wcxb-dev gains 0.004; with 60 it is 51, 3 and 0.003,
# with 12 123, 31 and 0.004.
LONG_COPY = 30
# Log odds by which a copy must be above what it repeats to be the one that stays.
BETTER = 0.5

# Words of a headline, and shares of them that the title of the page has: of its own, of another's.
HEADLINE_WORDS = 3
OWN_TITLE = 0.8
OTHER_TITLE = 0.5
# Words that a story is expected to have.
STORY_WORDS = 50.0


def lower(columns: BatchColumns, group: Ints, odds: Floats) -> None:
    """Lower the log odds of the blocks that the page has once too often."""
    block: cython.Py_ssize_t
    kinds: cython.int[::1] = extra(columns, group, odds)
    for block in range(odds.shape[0]):
        if kinds[block]:
            odds[block] = LOWEST


def extra(columns: BatchColumns, group: Ints, odds: Floats) -> Ints:
    """For each block a number of `NAMES`; `group` is from `structure.groups`."""
    made = np.zeros((3, len(odds)), np.intc)
    numbers: cython.int[:, ::1] = made
    mark_copies(columns, group, numbers[1], numbers[2], odds, numbers[0])
    mark_stories(columns, group, odds, numbers[0])
    kinds: Ints = made[0]
    return kinds


def mark_copies(
    columns: BatchColumns, group: Ints, first: Ints, source: Ints, odds: Floats, kinds: Ints
) -> None:
    """Mark runs of blocks that repeat earlier ones in the same order.

    Not those on the same path, as the rows of a plan are, or in units of the same family, as the
    posts are that quote each other. If the copy has clearly higher odds, what it repeats is marked.
    `first` and `source` are room for one number per block.
    """
    block: cython.Py_ssize_t
    begin: cython.Py_ssize_t
    blocks: cython.Py_ssize_t = columns.node.shape[0]
    words: cython.double
    alike: cython.double
    related: cython.double
    gain: cython.double
    of: cython.int
    same: cython.int
    before: cython.int
    copies: cython.bint
    first[:] = -1
    source[:] = -1
    for block in range(blocks):
        if columns.words[block] > 0:
            same = columns.text_group[block]
            if first[same] < 0:
                first[same] = block
            else:
                source[block] = first[same]
    block = 0
    while block < blocks:
        begin = block
        words = alike = related = gain = 0
        before = -1
        while block < blocks and before < source[block] < begin:
            of = before = source[block]
            words += columns.words[block]
            gain += columns.words[block] * (odds[block] - odds[of])
            if group[CLASS_PATH, block] == group[CLASS_PATH, of]:
                alike += columns.words[block]
            if group[FAMILY, block] >= 0 and group[FAMILY, block] == group[FAMILY, of]:
                related += columns.words[block]
            block += 1
        if block == begin:
            block += 1
        elif words >= LONG_COPY and 2 * alike < words and 2 * related < words:
            copies = gain <= BETTER * words
            for of in range(begin, block):
                kinds[of if copies else source[of]] = COPY


def mark_stories(columns: BatchColumns, group: Ints, odds: Floats, kinds: Ints) -> None:
    """Mark the elements that begin as the page's story does, under a headline of their own."""
    page: cython.Py_ssize_t
    block: cython.Py_ssize_t
    headline: cython.Py_ssize_t
    own: cython.int
    other: cython.int
    blocks: cython.Py_ssize_t = columns.node.shape[0]
    likely: cython.double[::1] = np.zeros(blocks + 1)  # words before each block
    for block in range(blocks):
        likely[block + 1] = likely[block] + (columns.words[block] if odds[block] > 0 else 0)
    for page in range(columns.first_block.shape[0] - 1):
        headline = -1
        for block in range(columns.first_block[page], columns.first_block[page + 1]):
            if columns.heading_level[block] != 1 or columns.compared[block] < HEADLINE_WORDS:
                continue
            if headline < 0:
                if columns.in_title[block] >= OWN_TITLE * columns.compared[block]:
                    headline = block
                continue
            if (
                kinds[block] == STORY
                or columns.in_title[block] > OTHER_TITLE * columns.compared[block]
                or group[PATH, block] != group[PATH, headline]
            ):
                continue
            # The elements around both headlines that are siblings.
            own = columns.node[headline]
            other = columns.node[block]
            while own >= 0 and other >= 0 and columns.parent[own] != columns.parent[other]:
                own = columns.parent[own]
                other = columns.parent[other]
            if (
                min(own, other) >= 0
                and likely[columns.end[own]] - likely[columns.first[own]] >= STORY_WORDS
                and likely[columns.end[other]] - likely[columns.first[other]] >= STORY_WORDS
            ):
                kinds[columns.first[other] : columns.end[other]] = STORY
