# cython: boundscheck=False, infer_types=True
"""The columns of a batch as its passes read them: one typed record, made once per batch.

Nodes are in document order, so every parent comes before its children and one loop from the first
to the last node has what is above each node at hand. Every pass is linear in nodes and blocks.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from tamis._runtime import limits
from tamis._runtime.compiled import view_numbers
from tamis.model.features.element_hashes import number_equal
from tamis.page import tags
from tamis.page.tags import HIDDEN

if TYPE_CHECKING:
    import cython

    from tamis.model.features.batch import Batch
    from tamis.page.arrays import Floats, Hashes, Ints, Matrix

COMPILED = not __file__.endswith(".py")

UNLISTED = len(tags.NAMES)
"""The tag of all elements that are not in `tags.NAMES`."""


def number_tags(*names: str) -> Ints:
    """For each tag, `UNLISTED` too, the place of the list that has it, from 0, or -1."""
    table = np.full(UNLISTED + 1, -1, np.intc)
    for place, listed in enumerate(names):
        table[[tags.ID[name] for name in listed.split()]] = place
    return table


KINDS = {
    "links": "a",
    "paragraphs": "p",
    "images": "img picture svg video",
    "items": "li dt dd",
    "headings": "h1 h2 h3 h4 h5 h6",
    "controls": "input button select textarea",
    "cells": "td th",
    "sections": "div section article",
}
"""Kinds of elements that are counted."""
KIND_COUNT = len(KINDS)
KIND_OF_TAG = number_tags(*KINDS.values())
LEVEL_OF_TAG = number_tags(*"h1 h2 h3 h4 h5 h6".split()) + 1

# Ancestors of a block that are looked at, from the block up and from the root down.
NEAR_ANCESTORS = ("ancestor1", "ancestor2", "ancestor3", "ancestor4")
FAR_ANCESTORS = ("top1", "top2", "top3")
NEAR_LEVELS = len(NEAR_ANCESTORS)
FAR_LEVELS = len(FAR_ANCESTORS)

# A block this long has sentences; menus and captions are shorter.
LONG_BLOCK = 15
# No block counts for more in the sum of good words: a page of one huge block is rare, a huge block
# of legal notes beside the content is not.
MOST_GOOD_WORDS = 400


LINE = 16  # numbers of single precision in a line of the cache


def allocate_columns(columns: cython.Py_ssize_t, rows: cython.Py_ssize_t) -> Matrix:
    """An empty table with one row per column, each at the beginning of a line of the cache.

    It may have more room than rows were asked for: an odd number of lines, so that the same row of
    many columns has a place in the cache.
    """
    size = ((rows + LINE - 1) // LINE | 1) * LINE
    first: cython.Py_ssize_t = 0
    made = np.empty(columns * size + LINE, np.float32)
    if COMPILED:
        values: cython.float[::1] = made
        first = LINE - cython.cast(cython.size_t, cython.address(values[0])) // 4 % LINE
    return made[first : first + columns * size].reshape(columns, size)


class Span:
    """Some blocks of a page, one after the other, whose features are computed together."""

    def __init__(self, page: int, first: int, end: int, start: int) -> None:
        """`start` is the block whose features are in row 0 of the table, which may be before."""
        self.page = page
        self.first = first
        self.end = end
        self.start = start


class BatchColumns:
    """What the passes over a batch read; the .pxd file says what each column has one row for."""

    # What `prepare` of the passes leaves for all blocks.
    measures: Matrix
    measured_count: int
    path_sums: Floats
    class_path_sums: Floats
    sibling_words: Floats
    sibling_links: Floats
    page_row: Floats

    # Sums of the groups of a kind, and the mark of the kind of each.
    sums: Floats
    summed: Ints

    def __init__(self, batch: Batch) -> None:
        nodes, texts, blocks = batch.nodes, batch.texts, batch.blocks
        wording = batch.wording
        limits.check()
        paths = batch.paths
        limits.check()
        self.pages = batch.pages
        self.first_node = batch.first_node
        self.first_block = batch.first_block
        numbers: cython.double[:, ::1] = batch.page_numbers
        self.nodes = numbers[0]
        self.bytes = numbers[1]
        self.title_words = numbers[2]
        self.description_words = numbers[3]
        self.data_words = numbers[4]
        self.is_article = numbers[5]
        self.has_article = numbers[6]
        self.words_median = numbers[7]
        self.longest = numbers[8]
        self.described = numbers[9]
        self.in_data_share = numbers[10]
        of_pages: cython.int[:, ::1] = np.empty((2, len(batch.pages)), np.intc)
        self.first_h1 = of_pages[0]
        self.best_container = of_pages[1]

        self.tag = batch.tag
        self.parent = nodes.parent
        self.depth = nodes.depth
        self.last = nodes.last
        self.path = paths.path
        self.class_path = paths.class_path
        self.sibling_key = paths.sibling_key

        self.tags_before = texts.tags

        self.node = blocks.node
        self.first_text = blocks.first_text
        self.end_text = blocks.end_text
        self.flags = blocks.flags
        self.chars = blocks.chars
        self.words = blocks.words
        self.link_words = blocks.link_words
        self.punctuation = blocks.punctuation
        self.capitals = blocks.capitals
        self.digits = blocks.digits
        self.unspaced = blocks.unspaced
        self.lines = blocks.lines
        self.line_words = blocks.line_words
        edges: cython.int[:, ::1] = wording.edges
        self.first_character = edges[0]
        self.last_character = edges[1]
        counts: cython.double[:, ::1] = wording.counts
        self.compared = counts[0]
        self.in_title = counts[1]
        self.pairs = counts[2]
        self.in_description = counts[3]
        self.in_data = counts[4]
        self.path_groups = self.sibling_groups = -1
        self.passes = 0

        self.make_room(len(nodes), len(blocks))
        self.group_texts(batch.text_keys)
        self.sum_up(len(blocks))
        self.find_blocks(nodes.first_text, nodes.end_text, texts.block)
        self.find_levels(len(nodes), len(blocks))
        self.count_kinds(len(nodes))

    def make_room(self, nodes: cython.Py_ssize_t, blocks: cython.Py_ssize_t) -> None:
        """Make the columns that the passes write."""
        of_nodes: cython.int[:, ::1] = np.empty((8, nodes), np.intc)
        self.first = of_nodes[0]
        self.end = of_nodes[1]
        self.up = of_nodes[2]
        self.level = of_nodes[3]
        self.measured = of_nodes[4]
        self.shared_level = of_nodes[5]
        self.repeated = of_nodes[6]
        self.sibling_group = of_nodes[7]
        if not COMPILED:  # a number that is added to hashes
            self.sibling_group = view_numbers(of_nodes[7])
        of_blocks: cython.int[:, ::1] = np.empty((8, blocks), np.intc)
        self.heading_level = of_blocks[0]
        self.heading = of_blocks[1]
        self.section = of_blocks[2]
        self.section_end = of_blocks[3]
        self.text_group = of_blocks[4]
        self.text_count = of_blocks[5]
        self.path_group = of_blocks[6:]
        numbers: cython.double[:, ::1] = np.empty((3, nodes))
        self.container = numbers[0]
        self.highest_container = numbers[1]
        self.repeated_count = numbers[2]
        sums: cython.double[:, ::1] = np.empty((10, blocks + 1))
        sums[:, 0] = 0
        self.word_sum = sums[0]
        self.link_word_sum = sums[1]
        self.punctuation_sum = sums[2]
        self.long_sum = sums[3]
        self.heading_sum = sums[4]
        self.good_sum = sums[5]
        self.hidden_sum = sums[6]
        self.mass_sum = sums[7]
        self.weight = sums[8]
        self.ratio = sums[9]

    def group_texts(self, keys: Hashes) -> None:
        """Number the groups of blocks of a page with the same words, and count their blocks."""
        self.text_count[:] = 0
        number_equal(keys, self.text_group)
        for block in range(self.node.shape[0]):
            self.text_count[self.text_group[block]] += 1

    def sum_up(self, blocks: cython.Py_ssize_t) -> None:
        """Heading levels and prefix sums of the blocks."""
        for block in range(blocks):
            own: cython.double = self.words[block]
            links: cython.double = self.link_words[block]
            marks: cython.double = self.punctuation[block]
            self.weight[block] = max(self.words[block], 1)
            self.heading_level[block] = LEVEL_OF_TAG[self.tag[self.node[block]]]
            self.word_sum[block + 1] = self.word_sum[block] + own
            self.link_word_sum[block + 1] = self.link_word_sum[block] + links
            self.punctuation_sum[block + 1] = self.punctuation_sum[block] + marks
            self.long_sum[block + 1] = self.long_sum[block]
            if own >= LONG_BLOCK:
                self.long_sum[block + 1] += own - links
            self.heading_sum[block + 1] = self.heading_sum[block]
            if self.heading_level[block]:
                self.heading_sum[block + 1] += 1
            self.good_sum[block + 1] = self.good_sum[block]
            if links < 0.3 * own and marks > 0:
                self.good_sum[block + 1] += min(own, MOST_GOOD_WORDS)
            self.hidden_sum[block + 1] = self.hidden_sum[block]
            if self.flags[block] & HIDDEN:
                self.hidden_sum[block + 1] += own
            self.mass_sum[block + 1] = self.mass_sum[block] + marks
            if 2 * links < own and marks > 0:
                self.mass_sum[block + 1] += own - links

    def find_blocks(self, first_text: Ints, end_text: Ints, text_block: Ints) -> None:
        """Find the first block at or below each node and the end; the range may be empty."""
        nodes = first_text.shape[0]
        texts = text_block.shape[0]
        for node in range(nodes):
            start = first_text[node]
            self.first[node] = text_block[start] if start < texts else self.node.shape[0]
            self.end[node] = self.first[node]
            if end_text[node] > start:
                self.end[node] = text_block[end_text[node] - 1] + 1

    def find_levels(self, nodes: cython.Py_ssize_t, blocks: cython.Py_ssize_t) -> None:
        """Find where each node is among the elements that hold different numbers of blocks.

        `around` has one row of ancestors per block: first the nearest that holds more blocks, the
        next nearest that holds more than that one, ...; then the lowest ones at level 1, 2, ...
        seen from the root, or the block's node if it is not that deep.
        """
        top: cython.int[:, ::1] = np.empty((nodes, FAR_LEVELS), np.intc)
        self.around = np.empty((blocks, NEAR_LEVELS + FAR_LEVELS), np.intc)
        for node in range(nodes):
            above = self.parent[node]
            if above < 0:
                self.up[node] = node
                self.level[node] = 0
            elif self.end[above] - self.first[above] > self.end[node] - self.first[node]:
                self.up[node] = above
                self.level[node] = self.level[above] + 1
            else:
                self.up[node] = self.up[above]
                self.level[node] = self.level[above]
            for far in range(FAR_LEVELS):
                top[node, far] = node if self.level[node] <= far + 1 else top[above, far]
        for block in range(blocks):
            above = self.node[block]
            for far in range(FAR_LEVELS):
                self.around[block, NEAR_LEVELS + far] = top[above, far]
            for far in range(NEAR_LEVELS):
                above = self.up[above]
                self.around[block, far] = above

    def count_kinds(self, nodes: cython.Py_ssize_t) -> None:
        """Count how many nodes of each kind come before each node."""
        kinds: cython.int[:, ::1] = np.zeros((nodes + 1, KIND_COUNT), np.intc)
        for node in range(nodes):
            for kind in range(KIND_COUNT):
                kinds[node + 1, kind] = kinds[node, kind]
            kind = KIND_OF_TAG[self.tag[node]]
            if kind >= 0:
                kinds[node + 1, kind] += 1
        self.kinds = kinds

    def group_paths(self) -> None:
        """Number the groups of blocks whose elements have the same path, and the same class path.

        Done once; what `path_group` has then is one row of each kind.
        """
        blocks = self.node.shape[0]
        if self.path_groups >= 0:
            return
        made = np.empty(blocks, np.uint64)
        key: cython.ulonglong[::1] = made
        for block in range(blocks):
            key[block] = self.path[self.node[block]]
        self.path_groups = number_equal(made, self.path_group[0])
        for block in range(blocks):
            key[block] = self.class_path[self.node[block]]
        self.class_path_groups = number_equal(made, self.path_group[1])

    def group_siblings(self) -> None:
        """Number the groups of siblings with the same tag, classes and ids, once."""
        if self.sibling_groups < 0:
            self.sibling_groups = number_equal(self.sibling_key, self.sibling_group)

    def begin_sums(self, numbers: cython.int) -> cython.int:
        """Make ready for so many sums of each group of one more kind; the mark of those summed up.

        The number after it marks those whose sums are made into something else.
        """
        most = max(self.node.shape[0], self.parent.shape[0])
        if not self.passes:
            self.sums = np.empty((most, numbers))
            self.summed = np.zeros(most, np.intc)
        self.passes += 2
        return self.passes


class Numbering:
    """The columns that a module writes, numbered in the order in which it names them."""

    def __init__(self) -> None:
        self.groups: dict[str, list[str]] = {}

    def group(self, name: str) -> Callable[..., int]:
        """Begin a group. The function names its columns and gives the number of the first."""
        names = self.groups[name] = []

        def column(*added: str) -> int:
            first = len(self)
            names.extend(added)
            return first

        return column

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(name for names in self.groups.values() for name in names)

    def __len__(self) -> int:
        return sum(map(len, self.groups.values()))
