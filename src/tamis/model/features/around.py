"""The elements around a block: what they hold, which of them holds the main text, what repeats."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tamis import limits
from tamis.model.features.columns import FAR_ANCESTORS, KINDS, NEAR_ANCESTORS
from tamis.model.features.numbering import Numbering
from tamis.model.features.walk import number_equal

if TYPE_CHECKING:
    import cython

    from tamis.model.features.batch import Floats, Hashes, Matrix
    from tamis.model.features.columns import BatchColumns

COMPILED = not __file__.endswith(".py")

NAMES = Numbering()


def write(columns: BatchColumns, out: Matrix) -> None:
    """Write the columns of all blocks."""
    ancestors(columns, out)
    limits.check()
    containers(columns, out)
    limits.check()
    paths(columns, out)
    limits.check()
    siblings(columns, out)


MEASURES = Numbering()
column = MEASURES.group("of an element")
HELD_WORDS = column("words")
HELD_SHARE = column("share")
HELD_LINK_DENSITY = column("link_density")
HELD_BLOCKS = column("blocks")
HELD_WORDS_PER_BLOCK = column("words_per_block")
HELD_LONG_SHARE = column("long_share")
HELD_HEADINGS = column("heading_blocks")
HELD_GOOD_SHARE = column("good_share")
HELD_HIDDEN = column("hidden")
HELD_WORDS_PER_NODE = column("words_per_node")
HELD_KINDS = column(*(f"{kind}_per_block" for kind in KINDS))

# Those that helped, of any near and of any far ancestor, in an experiment that had all of all.
NEAR = (
    "words share link_density words_per_block long_share good_share words_per_node links_per_block"
    " paragraphs_per_block images_per_block items_per_block headings_per_block"
    " controls_per_block sections_per_block"
).split()
FAR = (
    "words share link_density blocks heading_blocks good_share hidden links_per_block"
    " paragraphs_per_block images_per_block items_per_block headings_per_block"
    " controls_per_block cells_per_block sections_per_block"
).split()
(MEASURED,) = MEASURES.groups.values()
NEAR_MEASURES = np.array([MEASURED.index(name) for name in NEAR], np.intc)
FAR_MEASURES = np.array([MEASURED.index(name) for name in FAR], np.intc)

column = NAMES.group("ancestors")
# The first column of each of `BatchColumns.around`.
FIRST_OF = np.array(
    [column(*(f"{ancestor}.{name}" for name in (*NEAR, "place"))) for ancestor in NEAR_ANCESTORS]
    + [column(*(f"{ancestor}.{name}" for name in FAR)) for ancestor in FAR_ANCESTORS],
    np.intc,
)
NEAR_LEVELS = len(NEAR_ANCESTORS)


def ancestors(columns: BatchColumns, out: Matrix) -> None:
    """What the elements around the block hold.

    `ancestor1` is the nearest that holds more blocks than the block's own element, `ancestor2` the
    nearest that holds more than that one; `top1` to `top3` are counted from the root. Shares are
    of the page: of words, of words outside of links in long blocks, of good words (in blocks with
    few links and some punctuation). `place` is where in the ancestor the block is, from 0 to 1.
    """
    page: cython.Py_ssize_t
    block: cython.Py_ssize_t
    level: cython.Py_ssize_t
    measure: cython.Py_ssize_t
    first: cython.int
    node: cython.int
    row: cython.int
    rows: cython.int = 0
    nodes: cython.Py_ssize_t = columns.parent.shape[0]
    most: cython.Py_ssize_t = columns.around.shape[0] * columns.around.shape[1]
    # The measures of all ancestors, and the row of each node in them, from 1; 0 if it has none yet.
    measures: cython.double[:, ::1] = np.empty((min(nodes, most), len(MEASURES)))
    row_of: cython.int[::1] = np.zeros(nodes, np.intc)
    for page in range(columns.first_block.shape[0] - 1):
        for block in range(columns.first_block[page], columns.first_block[page + 1]):
            for level in range(FIRST_OF.shape[0]):
                node = columns.around[block, level]
                if not row_of[node]:
                    measure_element(columns, page, node, measures, rows)
                    rows += 1
                    row_of[node] = rows
                row = row_of[node] - 1
                first = FIRST_OF[level]
                if level < NEAR_LEVELS:
                    for measure in range(NEAR_MEASURES.shape[0]):
                        out[block, first + measure] = measures[row, NEAR_MEASURES[measure]]
                    out[block, first + NEAR_MEASURES.shape[0]] = (block - columns.first[node]) / (
                        1.0 * max(columns.end[node] - columns.first[node], 1)
                    )
                else:
                    for measure in range(FAR_MEASURES.shape[0]):
                        out[block, first + measure] = measures[row, FAR_MEASURES[measure]]


def measure_element(
    columns: BatchColumns,
    page: cython.Py_ssize_t,
    node: cython.Py_ssize_t,
    out: Floats,
    row: cython.Py_ssize_t,
) -> None:
    """What an element of a page holds."""
    kind: cython.Py_ssize_t
    begin: cython.Py_ssize_t = columns.first_block[page]
    end: cython.Py_ssize_t = columns.first_block[page + 1]
    low: cython.Py_ssize_t = columns.first[node]
    high: cython.Py_ssize_t = columns.end[node]
    after: cython.Py_ssize_t = columns.last[node] + 1
    words: cython.double = columns.word_sum[high] - columns.word_sum[low]
    links: cython.double = columns.link_word_sum[high] - columns.link_word_sum[low]
    hidden: cython.double = columns.hidden_sum[high] - columns.hidden_sum[low]
    blocks: cython.double = max(high - low, 1)
    of_page: cython.double = columns.word_sum[end] - columns.word_sum[begin]
    out[row, HELD_WORDS] = words
    out[row, HELD_SHARE] = words / max(of_page, 1.0)
    out[row, HELD_LINK_DENSITY] = links / max(words, 1.0)
    out[row, HELD_BLOCKS] = high - low
    out[row, HELD_WORDS_PER_BLOCK] = words / blocks
    of_page = columns.long_sum[end] - columns.long_sum[begin]
    out[row, HELD_LONG_SHARE] = (columns.long_sum[high] - columns.long_sum[low]) / max(of_page, 1.0)
    out[row, HELD_HEADINGS] = (columns.heading_sum[high] - columns.heading_sum[low]) / blocks
    of_page = columns.good_sum[end] - columns.good_sum[begin]
    out[row, HELD_GOOD_SHARE] = (columns.good_sum[high] - columns.good_sum[low]) / max(of_page, 1.0)
    out[row, HELD_HIDDEN] = hidden / max(words, 1.0)
    out[row, HELD_WORDS_PER_NODE] = words / (1.0 * (after - node))
    for kind in range(columns.kinds.shape[1]):
        out[row, HELD_KINDS + kind] = (
            columns.kinds[after, kind] - columns.kinds[node, kind]
        ) / blocks


column = NAMES.group("containers")
CONTAINER_ANCESTOR_1 = column("container.ancestor1")
CONTAINER_ANCESTOR_2 = column("container.ancestor2")
CONTAINER_HIGHEST = column("container.highest")
CONTAINER_INSIDE = column("container.inside")
CONTAINER_SIDE = column("container.side")
CONTAINER_LEVELS_AWAY = column("container.levels_away")


def containers(columns: BatchColumns, out: Matrix) -> None:
    """How much text the elements around the block collect, as Readability scores its candidates.

    A block gives its words outside of links, if it has punctuation and is not mostly links, and
    its punctuation marks to three ancestors: all, a half, a third. Scores are shares of the best
    of the page. Then the highest on the path to the block; whether the block is inside the best
    element, the first of equals; whether it is before it (-1) or after it (1); and how many levels
    below the element that holds both of them the best one is.
    """
    page: cython.Py_ssize_t
    node: cython.Py_ssize_t
    block: cython.Py_ssize_t
    above: cython.int
    best: cython.int
    most: cython.double
    mass: cython.double
    nodes: cython.Py_ssize_t = columns.parent.shape[0]
    score: cython.double[::1] = np.zeros(nodes)
    highest: cython.double[::1] = np.empty(nodes)
    shared: cython.int[::1] = np.empty(nodes, np.intc)
    # In sixths, which are whole numbers, so that the sums are exact.
    for block in range(columns.node.shape[0]):
        mass = columns.mass_sum[block + 1] - columns.mass_sum[block]
        score[columns.around[block, 0]] += 6 * mass
        score[columns.around[block, 1]] += 3 * mass
        score[columns.around[block, 2]] += 2 * mass
    for page in range(columns.first_node.shape[0] - 1):
        best = columns.first_node[page]
        for node in range(columns.first_node[page], columns.first_node[page + 1]):
            above = columns.parent[node]
            shared[node] = -1
            score[node] /= 6
            highest[node] = score[node]
            if above >= 0 and highest[above] > score[node]:
                highest[node] = highest[above]
            if score[node] > score[best]:
                best = node
        # The path to the best element, and for all others where they leave it.
        above = best if columns.first_node[page] < columns.first_node[page + 1] else -1
        while above >= 0:
            shared[above] = columns.level[above]
            above = columns.parent[above]
        for node in range(columns.first_node[page], columns.first_node[page + 1]):
            if shared[node] < 0:
                shared[node] = shared[columns.parent[node]]
        for block in range(columns.first_block[page], columns.first_block[page + 1]):
            columns.container_score[page] = score[best]
            most = max(score[best], 1.0)
            node = columns.node[block]
            out[block, CONTAINER_ANCESTOR_1] = score[columns.around[block, 0]] / most
            out[block, CONTAINER_ANCESTOR_2] = score[columns.around[block, 1]] / most
            out[block, CONTAINER_HIGHEST] = highest[node] / most
            out[block, CONTAINER_INSIDE] = best <= node <= columns.last[best]
            out[block, CONTAINER_SIDE] = 0
            if node < best:
                out[block, CONTAINER_SIDE] = -1
            elif node > columns.last[best]:
                out[block, CONTAINER_SIDE] = 1
            out[block, CONTAINER_LEVELS_AWAY] = columns.level[best] - shared[node]


SAME = Numbering()
column = SAME.group("of blocks with the same path")
SAME_BLOCKS = column("blocks")
SAME_WORDS = column("words")
SAME_SHARE = column("share")
SAME_LINK_DENSITY = column("link_density")
SAME_PUNCTUATION = column("punctuation_per_word")
(OF_SAME,) = SAME.groups.values()
SAME_SUMS = len(SAME)

column = NAMES.group("ways")
SAME_PATH = column(*(f"same_way.{name}" for name in OF_SAME))
SAME_CLASS_PATH = column(*(f"same_named_way.{name}" for name in OF_SAME))


def paths(columns: BatchColumns, out: Matrix) -> None:
    """All blocks with the same path from the root: by tags; by tags, classes and ids."""
    same_path(columns, columns.path, out, SAME_PATH)
    same_path(columns, columns.class_path, out, SAME_CLASS_PATH)


def same_path(columns: BatchColumns, path: Hashes, out: Matrix, first: cython.int) -> None:
    """Write five columns from `first` on about the blocks whose elements have the same path."""
    page: cython.Py_ssize_t
    block: cython.Py_ssize_t
    number: cython.int
    words: cython.double
    total: cython.double
    blocks: cython.Py_ssize_t = columns.node.shape[0]
    key: cython.ulonglong[::1] = np.empty(blocks, np.uint64)
    group: cython.int[::1] = np.empty(blocks, np.intc)
    for block in range(blocks):
        key[block] = path[columns.node[block]]
    sums: cython.double[:, ::1] = np.zeros((number_equal(key, group), SAME_SUMS))
    for block in range(blocks):
        number = group[block]
        sums[number, SAME_BLOCKS] += 1
        sums[number, SAME_WORDS] += columns.words[block]
        sums[number, SAME_LINK_DENSITY] += columns.link_words[block]
        sums[number, SAME_PUNCTUATION] += columns.punctuation[block]
    for page in range(columns.first_block.shape[0] - 1):
        total = columns.word_sum[columns.first_block[page + 1]]
        total = max(total - columns.word_sum[columns.first_block[page]], 1.0)
        for block in range(columns.first_block[page], columns.first_block[page + 1]):
            number = group[block]
            words = sums[number, SAME_WORDS]
            out[block, first + SAME_BLOCKS] = sums[number, SAME_BLOCKS]
            out[block, first + SAME_WORDS] = words
            out[block, first + SAME_SHARE] = words / total
            words = max(words, 1.0)
            out[block, first + SAME_LINK_DENSITY] = sums[number, SAME_LINK_DENSITY] / words
            out[block, first + SAME_PUNCTUATION] = sums[number, SAME_PUNCTUATION] / words


column = NAMES.group("siblings")
SIBLINGS = column("siblings")
OWN_LINK_DENSITY = column("siblings.own_link_density")
SIBLING_WORDS = column("siblings.words")
SIBLING_SHARE = column("siblings.share")
SIBLING_LINK_DENSITY = column("siblings.link_density")
SIBLING_WORDS_EACH = column("siblings.words_each")


def siblings(columns: BatchColumns, out: Matrix) -> None:
    """The ancestor with the most siblings of the same tag, classes and ids, and those siblings.

    Teasers, comments, rows and menu items are repeated elements; the count includes the element.
    Of equals the lowest counts; only elements that hold text count. Its own link density; words of
    all, their share of the page, their link density, words of each.
    """
    page: cython.Py_ssize_t
    node: cython.Py_ssize_t
    block: cython.Py_ssize_t
    above: cython.int
    item: cython.int
    number: cython.int
    total: cython.double
    words: cython.double
    links: cython.double
    nodes: cython.Py_ssize_t = columns.parent.shape[0]
    group: cython.int[::1] = np.empty(nodes, np.intc)
    groups: cython.int = number_equal(columns.sibling_key, group)
    count: cython.double[::1] = np.zeros(groups)
    word_count: cython.double[::1] = np.zeros(groups)
    link_count: cython.double[::1] = np.zeros(groups)
    best: cython.int[::1] = np.empty(nodes, np.intc)
    best_count: cython.double[::1] = np.empty(nodes)
    for node in range(nodes):
        number = group[node]
        count[number] += 1
        word_count[number] += (
            columns.word_sum[columns.end[node]] - columns.word_sum[columns.first[node]]
        )
        link_count[number] += (
            columns.link_word_sum[columns.end[node]] - columns.link_word_sum[columns.first[node]]
        )
    for node in range(nodes):
        above = columns.parent[node]
        best[node] = node
        best_count[node] = 1
        if columns.end[node] > columns.first[node]:
            best_count[node] = count[group[node]]
        if above >= 0 and best_count[above] > best_count[node]:
            best[node] = best[above]
            best_count[node] = best_count[above]
    for page in range(columns.first_block.shape[0] - 1):
        total = columns.word_sum[columns.first_block[page + 1]]
        total = max(total - columns.word_sum[columns.first_block[page]], 1.0)
        for block in range(columns.first_block[page], columns.first_block[page + 1]):
            item = best[columns.node[block]]
            number = group[item]
            words = columns.word_sum[columns.end[item]] - columns.word_sum[columns.first[item]]
            links = columns.link_word_sum[columns.end[item]]
            links -= columns.link_word_sum[columns.first[item]]
            out[block, SIBLINGS] = best_count[item]
            out[block, OWN_LINK_DENSITY] = links / max(words, 1.0)
            words = word_count[number]
            out[block, SIBLING_WORDS] = words
            out[block, SIBLING_SHARE] = words / total
            out[block, SIBLING_LINK_DENSITY] = link_count[number] / max(words, 1.0)
            out[block, SIBLING_WORDS_EACH] = words / best_count[item]
            columns.most_siblings[page] = max(columns.most_siblings[page], best_count[item])
            columns.siblings_share[page] = max(columns.siblings_share[page], words / total)
