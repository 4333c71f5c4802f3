# cython: boundscheck=False, infer_types=True
"""The elements around a block: what they hold, which of them holds the main text, what repeats."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tamis._runtime import limits
from tamis.model.features.columns import FAR_ANCESTORS, KINDS, NEAR_ANCESTORS, Numbering

if TYPE_CHECKING:
    import cython

    from tamis.model.features.columns import BatchColumns, Span
    from tamis.page.arrays import Floats, Matrix


NAMES = Numbering()


def prepare(columns: BatchColumns) -> None:
    """Find what the rows of several blocks need, in passes over all nodes and blocks."""
    nodes = columns.parent.shape[0]
    most = columns.around.shape[0] * columns.around.shape[1]
    columns.measures = np.empty((min(nodes, most), len(MEASURES)), np.float32)
    columns.measured_count = 0
    columns.measured[:] = 0
    columns.container[:] = 0
    limits.check()
    find_containers(columns)
    limits.check()
    find_same_paths(columns)
    limits.check()
    find_siblings(columns)


def write(columns: BatchColumns, span: Span, out: Matrix) -> None:
    """Write the columns of some blocks."""
    write_ancestors(columns, span, out)
    write_containers(columns, span, out)
    write_same_paths(columns, span, out)
    write_siblings(columns, span, out)


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


def write_ancestors(columns: BatchColumns, span: Span, out: Matrix) -> None:
    """What the elements around the block hold.

    `ancestor1` is the nearest that holds more blocks than the block's own element, `ancestor2` the
    nearest that holds more than that one; `top1` to `top3` are counted from the root. Shares are
    of the page: of words, of words outside of links in long blocks, of good words (in blocks with
    few links and some punctuation). `place` is where in the ancestor the block is, from 0 to 1.
    """
    for level in range(FIRST_OF.shape[0]):
        place = FIRST_OF[level]
        chosen = NEAR_MEASURES if level < NEAR_LEVELS else FAR_MEASURES
        block = span.first
        while block < span.end:
            # Neighbours mostly have the same ancestors.
            begin = block
            node = columns.around[block, level]
            while block < span.end and columns.around[block, level] == node:
                block += 1
            measured = find_measures(columns, span.page, node)
            for number in range(chosen.shape[0]):
                value: cython.float = columns.measures[measured, chosen[number]]
                for row in range(begin - span.start, block - span.start):
                    out[place + number, row] = value
            if level < NEAR_LEVELS:
                blocks: cython.double = max(columns.end[node] - columns.first[node], 1)
                for row in range(begin - span.start, block - span.start):
                    out[place + chosen.shape[0], row] = (begin - columns.first[node]) / blocks
                    begin += 1


def find_measures(
    columns: BatchColumns, page: cython.Py_ssize_t, node: cython.Py_ssize_t
) -> cython.int:
    """The row of an element in `measures`; it is measured when it is first asked for."""
    if not columns.measured[node]:
        measure_element(columns, page, node, columns.measures, columns.measured_count)
        columns.measured_count += 1
        columns.measured[node] = columns.measured_count
    return columns.measured[node] - 1


def measure_element(
    columns: BatchColumns,
    page: cython.Py_ssize_t,
    node: cython.Py_ssize_t,
    out: Matrix,
    row: cython.Py_ssize_t,
) -> None:
    """What an element of a page holds."""
    begin = columns.first_block[page]
    end = columns.first_block[page + 1]
    low = columns.first[node]
    high = columns.end[node]
    after = columns.last[node] + 1
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


def write_containers(columns: BatchColumns, span: Span, out: Matrix) -> None:
    """How much text the elements around the block collect, as Readability scores its candidates.

    A block gives its words outside of links, if it has punctuation and is not mostly links, and
    its punctuation marks to three ancestors: all, a half, a third. Scores are shares of the best
    of the page. Then the highest on the path to the block; whether the block is inside the best
    element, the first of equals; whether it is before it (-1) or after it (1); and how many levels
    below the element that holds both of them the best one is.
    """
    best = columns.best_container[span.page]
    most: cython.double = max(columns.container[best], 1.0)
    for block in range(span.first, span.end):
        row = block - span.start
        node = columns.node[block]
        out[CONTAINER_ANCESTOR_1, row] = columns.container[columns.around[block, 0]] / most
        out[CONTAINER_ANCESTOR_2, row] = columns.container[columns.around[block, 1]] / most
        out[CONTAINER_HIGHEST, row] = columns.highest_container[node] / most
        out[CONTAINER_INSIDE, row] = best <= node <= columns.last[best]
        out[CONTAINER_SIDE, row] = 0
        if node < best:
            out[CONTAINER_SIDE, row] = -1
        elif node > columns.last[best]:
            out[CONTAINER_SIDE, row] = 1
        out[CONTAINER_LEVELS_AWAY, row] = columns.level[best] - columns.shared_level[node]


def find_containers(columns: BatchColumns) -> None:
    """Find the score of each element, the highest on the path to it, and the best of each page."""
    score: cython.double[::1] = columns.container
    highest: cython.double[::1] = columns.highest_container
    shared: cython.int[::1] = columns.shared_level
    # In sixths, which are whole numbers, so that the sums are exact.
    for block in range(columns.node.shape[0]):
        mass: cython.double = columns.mass_sum[block + 1] - columns.mass_sum[block]
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
        columns.best_container[page] = best
        # The path to the best element, and for all others where they leave it.
        above = best if columns.first_node[page] < columns.first_node[page + 1] else -1
        while above >= 0:
            shared[above] = columns.level[above]
            above = columns.parent[above]
        for node in range(columns.first_node[page], columns.first_node[page + 1]):
            if shared[node] < 0:
                shared[node] = shared[columns.parent[node]]


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


def write_same_paths(columns: BatchColumns, span: Span, out: Matrix) -> None:
    """All blocks with the same path from the root: by tags; by tags, classes and ids."""
    total: cython.double = columns.word_sum[columns.first_block[span.page + 1]]
    total = max(total - columns.word_sum[columns.first_block[span.page]], 1.0)
    for block in range(span.first, span.end):
        row = block - span.start
        write_path_group(
            columns.path_sums, columns.path_group[0, block], total, out, row, SAME_PATH
        )
        write_path_group(
            columns.class_path_sums, columns.path_group[1, block], total, out, row, SAME_CLASS_PATH
        )


def write_path_group(
    sums: Floats,
    group: cython.int,
    total: cython.double,
    out: Matrix,
    row: cython.Py_ssize_t,
    place: cython.int,
) -> None:
    """Write five columns from `place` on about a group of blocks whose elements have one path."""
    words: cython.double = sums[group, SAME_WORDS]
    out[place + SAME_BLOCKS, row] = sums[group, SAME_BLOCKS]
    out[place + SAME_WORDS, row] = words
    out[place + SAME_SHARE, row] = words / total
    words = max(words, 1.0)
    out[place + SAME_LINK_DENSITY, row] = sums[group, SAME_LINK_DENSITY] / words
    out[place + SAME_PUNCTUATION, row] = sums[group, SAME_PUNCTUATION] / words


def find_same_paths(columns: BatchColumns) -> None:
    """Number the blocks by path, by tags and by class path, and sum up both kinds of groups."""
    columns.group_paths()
    columns.path_sums = sum_path_groups(columns, 0, columns.path_groups)
    columns.class_path_sums = sum_path_groups(columns, 1, columns.class_path_groups)


def sum_path_groups(columns: BatchColumns, kind: cython.int, groups: cython.int) -> Floats:
    """The sums of the groups of a kind: blocks, words, words in links, punctuation."""
    made = np.zeros((groups, SAME_SUMS))
    sums: cython.double[:, ::1] = made
    for block in range(columns.node.shape[0]):
        number = columns.path_group[kind, block]
        sums[number, SAME_BLOCKS] += 1
        sums[number, SAME_WORDS] += columns.words[block]
        sums[number, SAME_LINK_DENSITY] += columns.link_words[block]
        sums[number, SAME_PUNCTUATION] += columns.punctuation[block]
    return made


column = NAMES.group("siblings")
SIBLINGS = column("siblings")
OWN_LINK_DENSITY = column("siblings.own_link_density")
SIBLING_WORDS = column("siblings.words")
SIBLING_SHARE = column("siblings.share")
SIBLING_LINK_DENSITY = column("siblings.link_density")
SIBLING_WORDS_EACH = column("siblings.words_each")


def write_siblings(columns: BatchColumns, span: Span, out: Matrix) -> None:
    """The ancestor with the most siblings of the same tag, classes and ids, and those siblings.

    Teasers, comments, rows and menu items are repeated elements; the count includes the element.
    Of equals the lowest counts; only elements that hold text count. Its own link density; words of
    all, their share of the page, their link density, words of each.
    """
    total: cython.double = columns.word_sum[columns.first_block[span.page + 1]]
    total = max(total - columns.word_sum[columns.first_block[span.page]], 1.0)
    for block in range(span.first, span.end):
        row = block - span.start
        item = columns.repeated[columns.node[block]]
        number = columns.sibling_group[item]
        words: cython.double = (
            columns.word_sum[columns.end[item]] - columns.word_sum[columns.first[item]]
        )
        links: cython.double = columns.link_word_sum[columns.end[item]]
        links -= columns.link_word_sum[columns.first[item]]
        out[SIBLINGS, row] = columns.repeated_count[item]
        out[OWN_LINK_DENSITY, row] = links / max(words, 1.0)
        words = columns.sibling_words[number]
        out[SIBLING_WORDS, row] = words
        out[SIBLING_SHARE, row] = words / total
        out[SIBLING_LINK_DENSITY, row] = columns.sibling_links[number] / max(words, 1.0)
        out[SIBLING_WORDS_EACH, row] = words / columns.repeated_count[item]


def find_siblings(columns: BatchColumns) -> None:
    """Find the repeated element above each node, and sum up the siblings that look the same."""
    nodes = columns.parent.shape[0]
    columns.group_siblings()
    sums: cython.double[:, ::1] = np.zeros((3, columns.sibling_groups))
    count: cython.double[::1] = sums[0]
    best: cython.int[::1] = columns.repeated
    best_count: cython.double[::1] = columns.repeated_count
    columns.sibling_words = sums[1]
    columns.sibling_links = sums[2]
    for node in range(nodes):
        number = columns.sibling_group[node]
        low = columns.first[node]
        high = columns.end[node]
        count[number] += 1
        columns.sibling_words[number] += columns.word_sum[high] - columns.word_sum[low]
        columns.sibling_links[number] += columns.link_word_sum[high] - columns.link_word_sum[low]
    for node in range(nodes):
        above = columns.parent[node]
        best[node] = node
        best_count[node] = 1
        if columns.end[node] > columns.first[node]:
            best_count[node] = count[columns.sibling_group[node]]
        if above >= 0 and best_count[above] > best_count[node]:
            best[node] = best[above]
            best_count[node] = best_count[above]
