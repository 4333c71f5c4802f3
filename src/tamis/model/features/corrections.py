# cython: infer_types=True
"""Odds that are settled: blocks that belong together and agree get the same log odds.

So no cut can tear them apart. A block that is far from the others of its group keeps its own: the
evidence inside it is strong.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tamis._runtime import limits
from tamis.model.features.columns import KINDS as KINDS_OF_NODES
from tamis.model.features.columns import number_tags
from tamis.model.features.group_features import GROUP_NAMES, OF_GROUP, sum_groups
from tamis.page import tags

if TYPE_CHECKING:
    import cython

    from tamis.model.features.columns import BatchColumns
    from tamis.page.arrays import Floats, Ints

CELLS = list(KINDS_OF_NODES).index("cells")
TABLES = number_tags("table")
IN_HEADING = tags.IN_HEADING
CLASS_PATH, PATH, LIST, FAMILY, ROLE = map(
    GROUP_NAMES.index, "class_path path list family role".split()
)
MEAN, BLOCKS, WORDS = map(OF_GROUP.index, ("mean", "blocks", "words"))

# Log odds from the mean of its group within which a block is settled with it. By folds over sites
# 3.9% of the whole groups are torn without, 1.5% with 1.5, 1.4% with 1.7; 2.5 leaves 1.1% and costs
# 0.005 of F1 on l3s-gn1.
NEAR = 1.7
FEWEST = 3
# The same for a path by tags alone: the lead and the byline of an article are paragraphs, too.
FEWEST_ON_PATH = 6
# Words per block of a path whose blocks are settled together: cells and links of old pages, which
# have no classes, all have the same path.
LONG_ENOUGH = 5
# How many times shorter than the others a block is that is not settled with them on such a path:
# the names beside the messages of a thread.
SHORTER = 4
# The same for the cells of a table: with 1.7 twelve of a hundred data tables lose cells, with 3
# four.
NEAR_CELLS = 3.0
# Blocks per cell above which a table is no data but lays out the page.
MOST_EACH = 1.5
# Log odds by which a heading may be below what is under it.
NEAR_HEADING = 4.0
# Nothing is under the last heading of a page.
NOTHING_UNDER = -8.0

# Share of the first model's own log odds in what is settled. By folds over sites a fifth is worth
# 0.002 of F1 on wcxb-dev, its forums, news2023 and dragnet, two fifths cost 0.02 on forum52.
OWN_SHARE = 0.2


def combine_odds(columns: BatchColumns, group: Ints, first: Floats, second: Floats) -> Floats:
    """The log odds of both models together, the same for blocks of a group that agree.

    Blocks in the same role of repeated units, with the same path, in the same list or table: those
    near the mean of their group get it, so that no cut can tear them apart. A block that is far
    from it keeps its own: the evidence inside is strong. A heading has at least what the block that
    follows it has, or the mean up to the next heading, if it is not far below.
    """
    result: Floats = OWN_SHARE * first + (1 - OWN_SHARE) * second
    smooth_odds(columns, group, result)
    return result


def smooth_odds(columns: BatchColumns, group: Ints, odds: Floats) -> None:
    """Settle the groups of three kinds, then the headings."""
    smooth_groups(columns, group, ROLE, FEWEST, 1, odds)
    limits.check()
    smooth_groups(columns, group, PATH, FEWEST_ON_PATH, LONG_ENOUGH, odds)
    limits.check()
    smooth_groups(columns, group, LIST, FEWEST, 1, odds)
    lift_headings(columns, odds)


def smooth_groups(
    columns: BatchColumns,
    group: Ints,
    kind: cython.int,
    fewest: cython.int,
    least_words: cython.int,
    odds: Floats,
) -> None:
    """Give blocks that are near the mean of their group the mean.

    If the group has enough blocks, and enough words in each.
    """
    sum_groups(columns, group[kind], odds)
    for block in range(columns.node.shape[0]):
        number = group[kind, block]
        if number < 0:
            continue
        count: cython.double = columns.sums[number, BLOCKS]
        words: cython.double = columns.sums[number, WORDS]
        if count < fewest or words < least_words * count:
            continue
        if kind == PATH and SHORTER * columns.words[block] * count < words:
            continue
        near: cython.double = NEAR
        if kind == LIST and TABLES[columns.tag[number]] >= 0:
            if is_layout(columns, number, count):
                continue
            near = NEAR_CELLS
        mean: cython.double = columns.sums[number, MEAN] / words
        if -near < odds[block] - mean < near:
            odds[block] = mean


def is_layout(columns: BatchColumns, table: cython.int, blocks: cython.double) -> cython.bint:
    """Whether the cells of a table with so many blocks hold several of them."""
    after = columns.last[table] + 1
    return blocks > MOST_EACH * (columns.kinds[after, CELLS] - columns.kinds[table, CELLS])


def lift_headings(columns: BatchColumns, odds: Floats) -> None:
    """Lift headings to what is under them; of several in a row all to what is below the last.

    Not the headline: in most golds the content begins below it.
    """
    for page in range(columns.first_block.shape[0] - 1):
        under = following = NOTHING_UNDER
        words = weighted = 0.0
        for block in range(columns.first_block[page + 1] - 1, columns.first_block[page] - 1, -1):
            if not columns.flags[block] & IN_HEADING:
                following = odds[block]
                words += columns.weight[block]
                weighted += columns.weight[block] * following
                continue
            if words > 0:
                under = max(following, weighted / words)
                words = weighted = 0
            if (
                columns.heading_level[block] != 1
                and odds[block] < under < odds[block] + NEAR_HEADING
            ):
                odds[block] = under


EXTRA_KINDS = ("", "copy", "story")
"""What the numbers mean that `find_extra_blocks` gives to blocks; most blocks have the first."""
COPY, STORY = 1, 2

LOWEST = -8.0
"""The log odds of such a block."""


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


def lower_extra_blocks(columns: BatchColumns, group: Ints, odds: Floats) -> None:
    """Lower the log odds of the blocks that repeat what the page says elsewhere."""
    kinds: cython.int[::1] = find_extra_blocks(columns, group, odds)
    for block in range(odds.shape[0]):
        if kinds[block]:
            odds[block] = LOWEST


def find_extra_blocks(columns: BatchColumns, group: Ints, odds: Floats) -> Ints:
    """For each block a number of `EXTRA_KINDS`; `group` is from `group_features.find_groups`."""
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
    blocks = columns.node.shape[0]
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
        words = alike = related = gain = 0.0
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
            copies: cython.bint = gain <= BETTER * words
            for of in range(begin, block):
                kinds[of if copies else source[of]] = COPY


def mark_stories(columns: BatchColumns, group: Ints, odds: Floats, kinds: Ints) -> None:
    """Mark the elements that begin as the page's story does, under a headline of their own."""
    blocks = columns.node.shape[0]
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
