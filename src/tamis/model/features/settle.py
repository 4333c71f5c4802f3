"""Odds that are settled: blocks that belong together and agree get the same log odds.

So no cut can tear them apart. A block that is far from the others of its group keeps its own: the
evidence inside it is strong.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tamis._runtime import limits
from tamis.model.features.columns import KINDS as KINDS_OF_NODES
from tamis.model.features.columns import tag_table
from tamis.model.features.structure import GROUP_NAMES, OF_GROUP, add_up
from tamis.page import tags

if TYPE_CHECKING:
    import cython

    from tamis.model.features.columns import BatchColumns
    from tamis.page.arrays import Floats, Ints

CELLS = list(KINDS_OF_NODES).index("cells")
TABLES = tag_table("table")
IN_HEADING = tags.IN_HEADING
ROLE, PATH, LIST = map(GROUP_NAMES.index, ("role", "path", "list"))
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


def settled(columns: BatchColumns, group: Ints, first: Floats, second: Floats) -> Floats:
    """The log odds of both models together, the same for blocks of a group that agree.

    Blocks in the same role of repeated units, with the same path, in the same list or table: those
    near the mean of their group get it, so that no cut can tear them apart. A block that is far
    from it keeps its own: the evidence inside is strong. A heading has at least what the block that
    follows it has, or the mean up to the next heading, if it is not far below.
    """
    result: Floats = OWN_SHARE * first + (1 - OWN_SHARE) * second
    settle(columns, group, result)
    return result


def settle(columns: BatchColumns, group: Ints, odds: Floats) -> None:
    """Settle the groups of three kinds, then the headings."""
    settle_groups(columns, group, ROLE, FEWEST, 1, odds)
    limits.check()
    settle_groups(columns, group, PATH, FEWEST_ON_PATH, LONG_ENOUGH, odds)
    limits.check()
    settle_groups(columns, group, LIST, FEWEST, 1, odds)
    settle_headings(columns, odds)


def settle_groups(
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
    block: cython.Py_ssize_t
    number: cython.int
    mean: cython.double
    near: cython.double
    count: cython.double
    words: cython.double
    add_up(columns, group[kind], odds)
    for block in range(columns.node.shape[0]):
        number = group[kind, block]
        if number < 0:
            continue
        count = columns.sums[number, BLOCKS]
        words = columns.sums[number, WORDS]
        if count < fewest or words < least_words * count:
            continue
        if kind == PATH and SHORTER * columns.words[block] * count < words:
            continue
        near = NEAR
        if kind == LIST and TABLES[columns.tag[number]] >= 0:
            if is_layout(columns, number, count):
                continue
            near = NEAR_CELLS
        mean = columns.sums[number, MEAN] / words
        if -near < odds[block] - mean < near:
            odds[block] = mean


def is_layout(columns: BatchColumns, table: cython.int, blocks: cython.double) -> cython.bint:
    """Whether the cells of a table with so many blocks hold several of them."""
    after: cython.Py_ssize_t = columns.last[table] + 1
    return blocks > MOST_EACH * (columns.kinds[after, CELLS] - columns.kinds[table, CELLS])


def settle_headings(columns: BatchColumns, odds: Floats) -> None:
    """Lift headings to what is under them; of several in a row all to what is below the last.

    Not the headline: in most golds the content begins below it.
    """
    page: cython.Py_ssize_t
    block: cython.Py_ssize_t
    words: cython.double
    weighted: cython.double
    under: cython.double
    following: cython.double
    for page in range(columns.first_block.shape[0] - 1):
        under = following = NOTHING_UNDER
        words = weighted = 0
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
