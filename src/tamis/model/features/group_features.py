# cython: boundscheck=False, infer_types=True
"""The structures that a block is part of, and what a first model thinks of the rest of each.

Pages are structures and their content follows them: of twenty posts all are content or none is. So
a second model looks at the log odds that the first one gave to the blocks that belong together:
those with the same path, under the same parent, in the same list or table, in the same repeated
unit (a post, a card, a row) and in the same place of such units, under the same heading; at the
elements around, the blocks beside, and the page.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tamis._runtime import limits
from tamis.model.features.columns import Numbering, allocate_columns, number_tags
from tamis.model.features.element_hashes import mix_hash, number_equal
from tamis.model.features.vocabulary import COHESION, read_vocabulary, write_cohesion
from tamis.page.arrays import ALL

if TYPE_CHECKING:
    import cython

    from tamis.model.features.columns import BatchColumns
    from tamis.page.arrays import Floats, Ints, Matrix


# Elements of the same kind under one parent from which on they are repeated units.
LEAST_UNITS = 3
LISTS = number_tags("ul ol dl table")

GROUPS = Numbering()
column = GROUPS.group("groups")
CLASS_PATH = column("class_path")
PATH = column("path")
PARENT = column("parent")
LIST = column("list")
UNIT = column("unit")
FAMILY = column("family")
ROLE = column("role")
INNER_UNIT = column("inner_unit")
INNER_FAMILY = column("inner_family")
SECTION = column("section")
KINDS = len(GROUPS)

NONE = -1
"""The number of the group of a block that is in none of that kind."""


def find_groups(columns: BatchColumns) -> Ints:
    """One row per kind of group, with the number of each block's group.

    Blocks with the same path by tags, classes and ids, or by tags alone; under the same nearest
    element that holds more blocks; in the same list or table. A unit is an element with at least
    two siblings of the same tag, classes and ids, its family those siblings: the highest around
    the block, and the nearest. A role is the same path in units of one family. A section reaches
    from a heading to the next.
    """
    blocks = columns.node.shape[0]
    nodes = columns.parent.shape[0]
    columns.group_siblings()
    columns.group_paths()
    same: cython.int[::1] = columns.sibling_group
    count: cython.int[::1] = np.zeros(columns.sibling_groups, np.intc)
    units: cython.int[:, ::1] = np.empty((3, nodes), np.intc)
    outer: cython.int[::1] = units[0]
    inner: cython.int[::1] = units[1]
    listed: cython.int[::1] = units[2]
    keys_made = np.empty(blocks, np.uint64)
    key: cython.ulonglong[::1] = keys_made.data
    made = np.empty((KINDS, blocks), np.intc)
    out: cython.int[:, ::1] = made
    for node in range(nodes):
        if columns.end[node] > columns.first[node]:
            count[same[node]] += 1
    for node in range(nodes):
        above = columns.parent[node]
        outer[node] = inner[node] = listed[node] = NONE
        if above >= 0:
            outer[node] = outer[above]
            inner[node] = inner[above]
            listed[node] = listed[above]
        if count[same[node]] >= LEAST_UNITS and columns.end[node] > columns.first[node]:
            inner[node] = node
            if outer[node] < 0:
                outer[node] = node
        if LISTS[columns.tag[node]] >= 0:
            listed[node] = node
    for page in range(columns.first_block.shape[0] - 1):
        section = columns.first_block[page]
        for block in range(columns.first_block[page], columns.first_block[page + 1]):
            node = columns.node[block]
            if columns.heading_level[block]:
                section = block
            out[PARENT, block] = columns.around[block, 0]
            out[LIST, block] = listed[node]
            out[UNIT, block] = outer[node]
            out[FAMILY, block] = same[outer[node]] if outer[node] >= 0 else NONE
            out[INNER_UNIT, block] = inner[node]
            out[INNER_FAMILY, block] = same[inner[node]] if inner[node] >= 0 else NONE
            out[SECTION, block] = section
            out[PATH, block] = columns.path_group[0, block]
            out[CLASS_PATH, block] = columns.path_group[1, block]
            key[block] = columns.class_path[node]
            if outer[node] >= 0:
                key[block] = mix_hash(key[block] + same[outer[node]] & ALL)
    number_equal(keys_made, out[ROLE])
    return made


NAMES = Numbering()
column = NAMES.group("own odds")
ODDS = column("odds")

POOLED = Numbering()
column = POOLED.group("of a group")
MEAN = column("mean")
SPREAD = column("spread")
HIGHEST = column("highest")
BLOCKS = column("blocks")
WORDS = column("words")
(OF_GROUP,) = POOLED.groups.values()
POOLED_COLUMNS = len(POOLED)

column = NAMES.group("groups")
(GROUP_NAMES,) = GROUPS.groups.values()
FIRST_POOLED = column(*(f"{group}.{name}" for group in GROUP_NAMES for name in OF_GROUP))

column = NAMES.group("around")
LEVELS = 7
FIRST_AROUND = column(*(f"around{level}.mean" for level in range(LEVELS)))
BESIDE = 3
FIRST_BESIDE = column(*(f"beside{place}" for place in (-3, -2, -1, 1, 2, 3)))

column = NAMES.group("page")
PAGE_SHARE = column("page.content_share")
PAGE_ABOVE = column("page.probable_share")
PAGE_CONTENT = column("page.content")
PAGE_HIGHEST = column("page.highest")
PAGE_F = column("page.expected_f")
RANK = column("rank")
ABOVE_CUT = column("above_cut")
CONTENT_BEFORE = column("content_before")

column = NAMES.group("cohesion")
FIRST_COHESION = column(*COHESION)

TAKEN = tuple(
    "words link_density heading_level punctuation_per_word tag.p tag.li tag.td in_heading in_list"
    " in_table in_control hidden position title.share duplicates page.words page.blocks"
    " container.inside heading.blocks_since section.words section.link_density siblings"
    " text_density".split()
)
"""Features of the block itself that the second model reads, too."""

COLUMNS = (*(name for names in NAMES.groups.values() for name in names), *TAKEN)
"""What the second model reads."""

TAKEN_FIRST = len(NAMES)

# Log odds of a block nearer to certainty say nothing more.
MOST_ODDS = 8.0


def make_table(
    columns: BatchColumns, group: Ints, odds: Floats, features: Matrix, taken: Ints
) -> Matrix:
    """What the second model reads, one row per block.

    `group` is from `find_groups`, `odds` are the first model's, and `taken` says which of the
    features are those of `TAKEN`.
    """
    values = allocate_columns(len(COLUMNS), len(odds))
    copy_features(features.T, taken, values, 0)
    write_columns(columns, group, odds, values)
    return values[:, : len(odds)].T


def write_columns(columns: BatchColumns, group: Ints, odds: Floats, values: Matrix) -> None:
    """Write what the second model reads, except what `copy_features` writes."""
    bounded, chance = np.empty((2, len(odds)))
    bound_odds(odds, bounded, chance)
    np.exp(chance, chance)
    write_odds(columns, group, bounded, chance, values)


def bound_odds(odds: Floats, out: Floats, negative: Floats) -> None:
    """Write log odds that are nearer to nothing than `MOST_ODDS`, and the same below 0."""
    for block in range(odds.shape[0]):
        out[block] = min(max(odds[block], -MOST_ODDS), MOST_ODDS)
        negative[block] = -out[block]


def copy_features(features: Matrix, taken: Ints, out: Matrix, first: cython.Py_ssize_t) -> None:
    """Write the features of the blocks themselves, from the block `first` on."""
    for place in range(taken.shape[0]):
        for block in range(features.shape[1]):
            out[TAKEN_FIRST + place, first + block] = features[taken[place], block]


def write_odds(
    columns: BatchColumns, group: Ints, odds: Floats, chance: Floats, out: Matrix
) -> None:
    """Write the columns of `NAMES` from the first model's log odds, bounded.

    `chance` are the odds of the opposite, which become probabilities.
    """
    for block in range(columns.node.shape[0]):
        out[ODDS, block] = odds[block]
        chance[block] = 1 / (chance[block] + 1)
    for kind in range(KINDS):
        limits.check()
        write_pooled(columns, group[kind], odds, out[FIRST_POOLED + kind * POOLED_COLUMNS :])
    limits.check()
    write_surroundings(columns, odds, out)
    limits.check()
    write_pages(columns, odds, chance, out)
    for page in range(columns.first_block.shape[0] - 1):
        limits.check()
        begin = columns.first_block[page]
        end = columns.first_block[page + 1]
        if begin < end:
            write_cohesion(
                read_vocabulary(columns.pages[page]),
                group[UNIT, begin:end],
                group[FAMILY, begin:end],
                group[SECTION, begin:end],
                chance[begin:end],
                out[FIRST_COHESION:, begin:end],
            )


def sum_groups(columns: BatchColumns, numbers: Ints, odds: Floats) -> cython.int:
    """Sum up the groups of these numbers by words in `columns.sums`; the mark of those summed up.

    The sums of a group are in the order of its blocks.
    """
    block = 0
    blocks = columns.node.shape[0]
    mark: cython.int = columns.begin_sums(POOLED_COLUMNS)
    while block < blocks:
        number = numbers[block]
        if number < 0:
            block += 1
            continue
        mean = spread = count = words = 0.0
        highest: cython.double = odds[block]
        if columns.summed[number] == mark:
            mean = columns.sums[number, MEAN]
            spread = columns.sums[number, SPREAD]
            highest = columns.sums[number, HIGHEST]
            count = columns.sums[number, BLOCKS]
            words = columns.sums[number, WORDS]
        while block < blocks and numbers[block] == number:  # neighbours mostly are in one group
            own: cython.double = odds[block]
            weighted: cython.double = columns.weight[block] * own
            mean += weighted
            spread += weighted * own
            highest = max(highest, own)
            count += 1
            words += columns.weight[block]
            block += 1
        columns.sums[number, MEAN] = mean
        columns.sums[number, SPREAD] = spread
        columns.sums[number, HIGHEST] = highest
        columns.sums[number, BLOCKS] = count
        columns.sums[number, WORDS] = words
        columns.summed[number] = mark
    return mark


def write_pooled(columns: BatchColumns, numbers: Ints, odds: Floats, out: Matrix) -> None:
    """Write what a kind of groups is like; of a block in none, what it is like itself."""
    before = NONE
    mean: cython.float = 0.0
    spread: cython.float = 0.0
    highest: cython.float = 0.0
    count: cython.float = 0.0
    words: cython.float = 0.0
    means: cython.float[::1] = out[MEAN]
    spreads: cython.float[::1] = out[SPREAD]
    highests: cython.float[::1] = out[HIGHEST]
    counts: cython.float[::1] = out[BLOCKS]
    all_words: cython.float[::1] = out[WORDS]
    mark = sum_groups(columns, numbers, odds)
    for block in range(columns.node.shape[0]):
        number = numbers[block]
        if number < 0:
            mean = highest = odds[block]
            spread = count = words = 0
        elif number != before:  # neighbours mostly are in the same group
            if columns.summed[number] == mark:
                finish_sums(columns.sums, number)
                columns.summed[number] = mark + 1
            mean = columns.sums[number, MEAN]
            spread = columns.sums[number, SPREAD]
            highest = columns.sums[number, HIGHEST]
            count = columns.sums[number, BLOCKS]
            words = columns.sums[number, WORDS]
        before = number
        means[block] = mean
        spreads[block] = spread
        highests[block] = highest
        counts[block] = count
        all_words[block] = words


def finish_sums(sums: Floats, number: cython.int) -> None:
    """Make mean and spread of the sums of a group."""
    mean: cython.double = sums[number, MEAN] / sums[number, WORDS]
    spread: cython.double = sums[number, SPREAD] / sums[number, WORDS] - mean * mean
    sums[number, MEAN] = mean
    sums[number, SPREAD] = spread**0.5 if spread > 0 else 0.0


def write_surroundings(columns: BatchColumns, odds: Floats, out: Matrix) -> None:
    """Write the means in the elements around, and the odds of the blocks before and after."""
    sums: cython.double[:, ::1] = np.zeros((2, columns.node.shape[0] + 1))
    weight: cython.double[::1] = sums[0]
    weighted: cython.double[::1] = sums[1]
    for page in range(columns.first_block.shape[0] - 1):
        begin = columns.first_block[page]
        end = columns.first_block[page + 1]
        weight[begin] = 0
        weighted[begin] = 0
        for block in range(begin, end):
            weight[block + 1] = weight[block] + columns.weight[block]
            weighted[block + 1] = weighted[block] + columns.weight[block] * odds[block]
        for level in range(LEVELS):
            before = -1
            value: cython.float = 0.0
            for block in range(begin, end):
                node = columns.around[block, level]
                if node != before:  # neighbours mostly have the same ancestors
                    low = columns.first[node]
                    high = columns.end[node]
                    value = (weighted[high] - weighted[low]) / (weight[high] - weight[low])
                    before = node
                out[FIRST_AROUND + level, block] = value
        for level in range(BESIDE):
            for block in range(begin, end):
                low = block - BESIDE + level
                high = block + 1 + level
                out[FIRST_BESIDE + level, block] = odds[low] if low >= begin else -MOST_ODDS
                out[FIRST_BESIDE + BESIDE + level, block] = odds[high] if high < end else -MOST_ODDS


def write_pages(columns: BatchColumns, odds: Floats, chance: Floats, out: Matrix) -> None:
    """Write what the page is like, and where the block is in it.

    The share of the page's words that is expected to be content, the share in blocks that probably
    are, expected words of content, the highest odds; the best expected F, 2C / (W + E) over the
    blocks from some odds on, with their words W, expected content C and that of the page E. Then
    the share of the words in blocks with higher odds, the odds beside those of the last block of
    the best F, and the share of the expected content that comes before.
    """
    for page in range(columns.first_block.shape[0] - 1):
        begin = columns.first_block[page]
        end = columns.first_block[page + 1]
        if begin == end:
            continue
        total = content = probable = 0.0
        for block in range(begin, end):
            words: cython.double = columns.weight[block]
            out[CONTENT_BEFORE, block] = content
            total += words
            content += words * chance[block]
            if chance[block] > 0.5:
                probable += words
        best = cut = taken = f = 0.0
        order: cython.longlong[::1] = np.argsort(-np.asarray(odds[begin:end]), kind="stable")
        for place in range(end - begin):
            block = begin + order[place]
            words = columns.weight[block]
            out[RANK, block] = taken / total
            taken += words
            f += words * chance[block]
            if 2 * f / (taken + content) >= best:
                best = 2 * f / (taken + content)
                cut = odds[block]
        for block in range(begin, end):
            out[PAGE_SHARE, block] = content / total
            out[PAGE_ABOVE, block] = probable / total
            out[PAGE_CONTENT, block] = content
            out[PAGE_HIGHEST, block] = odds[begin + order[0]]
            out[PAGE_F, block] = best
            out[ABOVE_CUT, block] = odds[block] - cut
            out[CONTENT_BEFORE, block] /= content
